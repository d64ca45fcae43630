//! Who can be asked: one file per provider, which holds all that is particular to it.

mod anthropic;
mod compatible;
mod form;
mod gemini;
mod heard;
mod openai;
mod schema;
#[cfg(test)]
mod tests;

use std::fmt;

use belay_model::Value;

use crate::Fault;
pub(crate) use form::{Ask, Form};
pub(crate) use heard::{Heard, Said, Usage};

/// Every provider. A new one is a file beside this one, its line here, its word in the settings,
/// its replies in `tests/wires` and its row in the guide.
static WIRES: [&dyn Wire; 4] = [
    &anthropic::Messages,
    &openai::Responses,
    &compatible::ChatCompletions,
    &gemini::GenerateContent,
];

/// What is fixed about a provider.
pub(crate) struct Facts {
    /// Its word in the settings.
    pub(crate) word: &'static str,
    /// The model that is asked when none is named.
    pub(crate) model: Option<&'static str>,
    /// Where it is when no address is named.
    pub(crate) base: &'static str,
    /// The variables in which its own programs look for a key.
    pub(crate) key_variables: &'static [&'static str],
    /// What its models cost.
    pub(crate) prices: &'static [Price],
}

/// Dollars for a million tokens of the models whose name begins so.
pub(crate) struct Price {
    pub(crate) model: &'static str,
    pub(crate) input: f64,
    pub(crate) output: f64,
}

/// How one provider is spoken to.
pub(crate) trait Wire: Sync {
    /// Returns what is fixed about it.
    fn facts(&self) -> &'static Facts;

    /// Returns where a question goes.
    fn address(&self, base: Base<'_>, model: &str) -> String;

    /// Returns the headers it wants, with the key where there is one.
    fn headers(&self, key: Option<&str>) -> Vec<(&'static str, String)>;

    /// Returns the form to begin with: some models are known to refuse a forced tool.
    fn first_form(&self, _model: &str) -> Form {
        Form::Forced
    }

    /// Returns the body of a request. A [`Value`] keeps the order of its members, and with it the
    /// order in which the model fills in its verdict.
    fn body(&self, ask: &Ask<'_>) -> Value;

    /// Returns the calls and words of a reply.
    fn read(&self, reply: &Value) -> Result<Heard, Fault>;

    /// Returns what a reply says was used.
    fn usage(&self, reply: &Value) -> Usage;
}

/// An address without a slash at its end.
#[derive(Clone, Copy)]
pub(crate) struct Base<'a>(&'a str);

impl<'a> Base<'a> {
    pub(crate) fn new(url: &'a str) -> Self {
        Self(url.trim_end_matches('/'))
    }

    /// Appends a path; a bare host gets the provider's version in front of it.
    fn join(self, version: &str, path: &str) -> String {
        let rest = self.0.split_once("://").map_or("", |(_, rest)| rest);
        let base = self.0;
        if rest.contains('/') {
            format!("{base}/{path}")
        } else {
            format!("{base}/{version}/{path}")
        }
    }
}

/// Who serves the model.
#[derive(Clone, Copy)]
pub struct Provider(&'static dyn Wire);

impl Provider {
    /// Returns all of them.
    pub fn all() -> impl Iterator<Item = Self> {
        WIRES.iter().map(|wire| Self(*wire))
    }

    /// Finds one by its word in the settings.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::all().find(|it| it.word() == word)
    }

    /// Returns the word of the settings.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.0.facts().word
    }

    /// Returns the model that is asked when none is named.
    #[must_use]
    pub fn default_model(self) -> Option<&'static str> {
        self.0.facts().model
    }

    /// Returns the variables in which the provider's own programs look for a key.
    #[must_use]
    pub fn key_variables(self) -> &'static [&'static str] {
        self.0.facts().key_variables
    }

    pub(crate) fn default_base(self) -> &'static str {
        self.0.facts().base
    }

    pub(crate) fn wire(self) -> &'static dyn Wire {
        self.0
    }

    /// Tells whether the bytes of a reply hold a verdict or words, in any form that is asked for: what others write is tried on it.
    #[must_use]
    pub fn reads(self, reply: &[u8]) -> bool {
        let forms = [Form::Forced, Form::Auto, Form::Structured, Form::Look];
        forms.into_iter().any(|it| self.read(it, reply).0.is_ok())
    }

    /// Reads the reply: one verdict or the words asked for, and what was used.
    pub(crate) fn read(self, form: Form, bytes: &[u8]) -> (Result<Said, Fault>, Usage) {
        let reply = match crate::json::read(bytes) {
            Ok(reply) => reply,
            Err(fault) => return (Err(fault), Usage::default()),
        };
        let usage = self.0.usage(&reply);
        if let Some(words) = heard::error_in(&reply) {
            return (Err(Fault::Reported(words)), usage);
        }
        let said = self.0.read(&reply).and_then(|heard| heard.said(form));
        (said, usage)
    }
}

impl PartialEq for Provider {
    fn eq(&self, other: &Self) -> bool {
        self.word() == other.word()
    }
}

impl Eq for Provider {}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Provider({})", self.word())
    }
}

/// Returns what a model costs, whoever serves it.
pub(crate) fn price(model: &str) -> Option<&'static Price> {
    let known = WIRES.iter().flat_map(|wire| wire.facts().prices);
    known
        .filter(|it| model.starts_with(it.model))
        .max_by_key(|it| it.model.len())
}
