//! Every wire against the documented request and the replies in `tests/wires`, one file for each
//! provider, written by us.

mod validator;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value as Json;

use super::*;
use crate::plan::{Endpoint, Mode};
use crate::{Prompt, json};
use validator::violations;

const FORMS: [Form; 5] = [
    Form::Forced,
    Form::Auto,
    Form::Structured,
    Form::Look,
    Form::Prose,
];

const MODES: [Mode; 2] = [Mode::Single, Mode::TwoStage];

/// What is known of one provider from its documentation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Documented {
    /// The schema of a request, as far as we use it.
    request: Json,
    headers: BTreeMap<String, String>,
    addresses: Vec<(Option<String>, String)>,
    /// Where a forced request says so.
    forced: BTreeMap<String, Json>,
    /// What both stages have in common.
    alike: Vec<String>,
    /// What `blocks` counts, read and written.
    usage: (u64, u64),
    /// Places of a good request, and what must not stand there; nothing: the place must be there.
    mutants: Vec<Vec<Json>>,
    /// A reply that blocks.
    blocks: Json,
    replies: Vec<Told>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    about: String,
    form: String,
    said: String,
    reply: Json,
}

fn documented(provider: Provider) -> Documented {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/wires");
    let path = format!("{folder}/{}.json", provider.word());
    let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"));
    serde_json::from_str(&text).unwrap_or_else(|why| panic!("{path}: {why}"))
}

fn provider(word: &str) -> Provider {
    Provider::named(word).unwrap()
}

fn prompt(system: &str) -> Prompt {
    Prompt {
        system: system.to_owned(),
        context: "the call".to_owned(),
        key: String::new(),
    }
}

fn bytes_of(provider: Provider, form: Form, mode: Mode) -> String {
    let ask = Ask {
        prompt: &prompt("rules"),
        model: provider.default_model().unwrap_or("qwen3:4b"),
        max_tokens: 256,
        form,
        mode,
    };
    json::text(&provider.wire().body(&ask)).unwrap()
}

fn body_of(provider: Provider, form: Form) -> Json {
    serde_json::from_str(&bytes_of(provider, form, Mode::TwoStage)).unwrap()
}

#[test]
fn every_body_is_as_documented() {
    for provider in Provider::all() {
        let schema = documented(provider).request;
        for (form, mode) in FORMS.iter().flat_map(|it| MODES.map(|mode| (*it, mode))) {
            let body: Json = serde_json::from_str(&bytes_of(provider, form, mode)).unwrap();
            let found = violations(&schema, &body);
            assert!(
                found.is_empty(),
                "{provider:?} {form:?}: {found:?}\n{body:#}"
            );
        }
    }
}

#[test]
fn the_model_thinks_before_it_decides() {
    for provider in Provider::all() {
        for (form, mode) in [
            (Form::Forced, Mode::Single),
            (Form::Forced, Mode::TwoStage),
            (Form::Auto, Mode::Single),
            (Form::Structured, Mode::Single),
        ] {
            let bytes = bytes_of(provider, form, mode);
            let (_, schema) = bytes
                .split_once(r#""properties":{"thinking":{"#)
                .unwrap_or_else(|| panic!("{provider:?} {form:?}: {bytes}"));
            let places = crate::verdict::ORDER.map(|it| schema.find(&format!("\"{it}\":{{")));
            let [None, Some(decides), Some(explains)] = places else {
                panic!("{provider:?} {form:?}: {schema}")
            };
            assert!(decides < explains, "{provider:?} {form:?}: {schema}");
            let required = r#""required":["thinking","should_block","reason"]"#;
            assert!(schema.contains(required), "{provider:?} {form:?}: {schema}");
        }
    }
}

#[test]
fn the_validator_rejects_mutants() {
    for provider in Provider::all() {
        let documented = documented(provider);
        assert!(documented.mutants.len() > 5, "{provider:?}");
        for mutant in documented.mutants {
            let mut body = body_of(provider, Form::Forced);
            let place = mutant[0].as_str().unwrap();
            let (parent, name) = place.rsplit_once('/').unwrap();
            let parent = body.pointer_mut(parent).unwrap().as_object_mut().unwrap();
            match mutant.get(1) {
                Some(value) => parent.insert(name.to_owned(), value.clone()),
                None => parent.remove(name),
            };
            let found = violations(&documented.request, &body);
            assert!(!found.is_empty(), "{provider:?} {place} was accepted");
        }
    }
}

#[test]
fn the_tool_is_forced() {
    for provider in Provider::all() {
        let body = body_of(provider, Form::Forced);
        for (place, value) in documented(provider).forced {
            assert_eq!(body.pointer(&place), Some(&value), "{provider:?} {place}");
        }
    }
}

#[test]
fn both_stages_begin_alike() {
    for provider in Provider::all() {
        let (first, second) = (
            body_of(provider, Form::Look),
            body_of(provider, Form::Forced),
        );
        for place in documented(provider).alike {
            let (first, second) = (first.pointer(&place), second.pointer(&place));
            assert_eq!(first, second, "{provider:?} {place}");
            assert!(first.is_some(), "{provider:?} {place}");
        }
    }
}

#[test]
fn a_cache_marker_only_where_it_counts() {
    let marked = |model: &str, chars: usize| {
        let prompt = prompt(&"x".repeat(chars));
        let ask = Ask {
            prompt: &prompt,
            model,
            max_tokens: 256,
            form: Form::Forced,
            mode: Mode::Single,
        };
        let body = provider("anthropic").wire().body(&ask);
        json::text(&body).unwrap().contains("cache_control")
    };
    assert!(!marked("claude-haiku-4-5-20251001", 8000));
    assert!(marked("claude-haiku-4-5-20251001", 20_000));
    assert!(marked("claude-sonnet-4-5", 8000));
}

#[test]
fn models_that_refuse_force_are_not_forced() {
    let first = |model| provider("anthropic").wire().first_form(model);
    assert_eq!(first("claude-opus-5-5"), Form::Auto);
    assert_eq!(first("claude-haiku-4-5-20251001"), Form::Forced);
}

#[test]
fn the_most_exact_price_counts() {
    assert_eq!(
        price("gpt-4.1-mini").map(|it| it.model),
        Some("gpt-4.1-mini")
    );
    assert_eq!(price("gpt-4.1-2025").map(|it| it.model), Some("gpt-4.1"));
    assert!(price("qwen3:4b").is_none());
}

#[test]
fn addresses_and_keys() {
    for provider in Provider::all() {
        let documented = documented(provider);
        for (base, expected) in documented.addresses {
            let mut endpoint = Endpoint::new(provider);
            endpoint.base_url = base;
            let base = Base::new(endpoint.base());
            assert_eq!(provider.wire().address(base, "m"), expected);
        }
        let headers = provider.wire().headers(Some("KEY")).into_iter();
        let headers: BTreeMap<String, String> =
            headers.map(|(name, it)| (name.to_owned(), it)).collect();
        assert_eq!(headers, documented.headers);
        let bare = provider.wire().headers(None);
        assert!(!bare.iter().any(|(_, it)| it.contains("KEY")));
    }
}

fn form(word: &str) -> Form {
    FORMS.into_iter().find(|it| it.word() == word).unwrap()
}

fn told(provider: Provider, form: Form, bytes: &[u8]) -> String {
    match provider.read(form, bytes).0 {
        Ok(Said::Verdict(it)) if it.should_block => "block".to_owned(),
        Ok(Said::Verdict(_) | Said::Look { closer: false }) => "pass".to_owned(),
        Ok(Said::Look { closer: true }) => "look".to_owned(),
        Ok(Said::Words(words)) => format!("words: {words}"),
        Err(fault) => fault.to_string(),
    }
}

#[test]
fn replies_are_read_as_documented() {
    for provider in Provider::all() {
        let documented = documented(provider);
        assert!(documented.replies.len() > 8, "{provider:?}");
        for reply in documented.replies {
            let bytes = reply.reply.to_string();
            let said = told(provider, form(&reply.form), bytes.as_bytes());
            let about = &reply.about;
            assert!(
                said.starts_with(&reply.said),
                "{provider:?} {about}: {said}"
            );
        }
    }
}

#[test]
fn only_the_form_asked_for_is_an_answer() {
    for provider in Provider::all() {
        for reply in documented(provider).replies {
            let bytes = reply.reply.to_string();
            let asked = form(&reply.form);
            let called = |it: Form| matches!(it, Form::Forced | Form::Auto);
            for other in FORMS {
                let alike = other == asked || called(other) && called(asked);
                let said = told(provider, other, bytes.as_bytes());
                // A pass for one form is a pass for no other.
                let fine = alike || reply.said != "pass" || said != "pass";
                assert!(fine, "{provider:?} {} as {other:?}", reply.about);
            }
        }
    }
}

#[test]
fn tokens_are_counted() {
    for provider in Provider::all() {
        let documented = documented(provider);
        let reply = documented.blocks.to_string();
        let (_, usage) = provider.read(Form::Forced, reply.as_bytes());
        assert_eq!((usage.input, usage.output), documented.usage);
    }
}

fn passes(provider: Provider, bytes: &[u8]) -> bool {
    FORMS.iter().any(|it| told(provider, *it, bytes) == "pass")
}

#[test]
fn no_damage_turns_block_into_pass() {
    for provider in Provider::all() {
        let reply = documented(provider).blocks.to_string();
        let bytes = reply.as_bytes();
        assert_eq!(told(provider, Form::Forced, bytes), "block");
        for at in 0..bytes.len() {
            assert!(!passes(provider, &bytes[..at]), "{provider:?} cut at {at}");
            let mut without = bytes.to_vec();
            without.remove(at);
            assert!(!passes(provider, &without), "{provider:?} without {at}");
            for other in [b'"', b'{', b'}', b'\\', b'0', 0, 255] {
                let mut damaged = bytes.to_vec();
                damaged[at] = other;
                assert!(!passes(provider, &damaged), "{provider:?} {other} at {at}");
            }
        }
    }
}

#[test]
fn anything_at_all_is_read_without_harm() {
    let mut seed = 1_u64;
    for _ in 0..2000 {
        let mut bytes = Vec::new();
        for _ in 0..seed % 60 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let letters = br#"{}[]":,truefalsn"should_block"0 "#;
            bytes.push(letters[usize::try_from(seed >> 33).unwrap() % letters.len()]);
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        for provider in Provider::all() {
            assert!(!passes(provider, &bytes));
        }
    }
}
