//! A provider that keeps failing is left alone for a while, by all processes; and the form a model
//! answers to is remembered.

use serde_json::{Value as Json, json};

use crate::Fault;
use crate::clock::now;
use crate::plan::Endpoint;
use crate::store::Folder;
use crate::wire::Form;

const FILE: &str = "providers.json";

/// So many failures in a row, and it is left alone.
const MOST_FAILURES: u64 = 3;

/// For so long at first, doubling with each further failure.
const FIRST_REST: u64 = 15_000;
const LONGEST_REST: u64 = 300_000;

/// What is known of one provider.
pub(crate) struct Breaker<'a> {
    folder: Option<&'a Folder>,
    name: String,
}

impl<'a> Breaker<'a> {
    pub(crate) fn of(endpoint: &Endpoint, folder: Option<&'a Folder>) -> Self {
        let name = format!("{} {}", endpoint.name(), endpoint.base());
        Self { folder, name }
    }

    fn known(&self) -> Option<Json> {
        self.folder?.read(FILE)?.get(&self.name).cloned()
    }

    /// Tells whether it may be asked.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        let until = self.known().and_then(|it| it.get("until")?.as_u64());
        let left = until.unwrap_or_default().saturating_sub(now());
        // A clock that was turned back must not silence a provider for ever.
        if left == 0 || left > LONGEST_REST {
            return Ok(());
        }
        Err(Fault::Resting(left.div_ceil(1000)))
    }

    /// Returns the form to begin with.
    pub(crate) fn form(&self, endpoint: &Endpoint, model: &str) -> Form {
        let known = self.known().and_then(|it| {
            let word = it.get("form")?.as_str()?;
            Form::from_word(word)
        });
        known.unwrap_or_else(|| endpoint.provider.wire().first_form(model))
    }

    /// Remembers how asking ended.
    pub(crate) fn note(&self, outcome: Result<Form, &Fault>) {
        let calm = self.known().is_none_or(|it| it.get("failures").is_none());
        let known_form = self.known().and_then(|it| it.get("form").cloned());
        match outcome {
            Ok(form) if calm && known_form == Some(json!(form.word())) => {}
            Ok(form) => self.change(|it| *it = json!({ "form": form.word() })),
            Err(fault) if fault.blames_provider() => self.change(one_more),
            Err(_) => {}
        }
    }

    fn change(&self, change: impl FnOnce(&mut Json)) {
        let Some(folder) = self.folder else { return };
        let _ = folder.change(FILE, |all| {
            if let Some(all) = all.as_object_mut() {
                change(all.entry(self.name.clone()).or_insert_with(|| json!({})));
            }
        });
    }
}

fn one_more(known: &mut Json) {
    let failures = known.get("failures").and_then(Json::as_u64);
    let failures = failures.unwrap_or_default().saturating_add(1);
    if let Some(known) = known.as_object_mut() {
        known.insert("failures".to_owned(), json!(failures));
        if failures >= MOST_FAILURES {
            let doubled = u32::try_from(failures - MOST_FAILURES)
                .unwrap_or(u32::MAX)
                .min(8);
            let rest = (FIRST_REST << doubled).min(LONGEST_REST);
            known.insert("until".to_owned(), json!(now().saturating_add(rest)));
        }
    }
}
