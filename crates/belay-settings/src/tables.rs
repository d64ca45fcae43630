//! The tables that repeat: `[[rule]]`, `[[test]]`, `[[classifier.fallback]]`.

use belay_model::{Scope, Verdict};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::Fault;
use crate::choices::Provider;
use crate::draft::{Keys, MOST_ITEMS, Reader};
use crate::exact::{EffectPattern, ExactRule, Example};
use crate::keys::LineKind;
use crate::settings::{Endpoint, Line, TestCall, TestCase};

type Value<'v> = Spanned<DeValue<'v>>;

/// A list of tables: its name, and how each is read.
#[derive(Clone, Copy)]
pub(crate) struct Entries {
    name: &'static str,
    read: fn(&mut Reader, &DeTable<'_>, usize),
}

/// `[[rule]]`.
pub(crate) const RULES: Entries = Entries {
    name: "rule",
    read: rule,
};
/// `[[test]]`.
pub(crate) const TESTS: Entries = Entries {
    name: "test",
    read: test,
};
/// `[[classifier.fallback]]`.
pub(crate) const FALLBACKS: Entries = Entries {
    name: "classifier.fallback",
    read: fallback,
};

/// Reads every table of a list of tables.
pub(crate) fn each(reader: &mut Reader, entries: Entries, value: &Value<'_>) {
    let Entries { name, read } = entries;
    let Some(items) = value.get_ref().as_array() else {
        return reader.wrong_kind(name, "a list of tables", value);
    };
    if items.len() > MOST_ITEMS {
        let fault = Fault::TooMany {
            key: name.to_owned(),
            most: MOST_ITEMS,
        };
        return reader.fault(fault, value.span().start);
    }
    for item in items.iter() {
        if reader.is_full() {
            return;
        }
        if let Some(table) = reader.table(name, item) {
            read(reader, table, item.span().start);
        }
    }
}

const RULE: Keys<'static> = Keys {
    table: "rule",
    names: &[
        "id", "tool", "command", "effect", "scope", "host", "path", "agent", "project", "verdict",
        "because", "instead", "examples",
    ],
};

pub(crate) fn rule(reader: &mut Reader, table: &DeTable<'_>, at: usize) {
    let mut rule = ExactRule::new(reader.places.at(at));
    let faults = reader.draft.errors.len();
    let mut verdict = None;
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        match name {
            "verdict" => verdict = verdict_of(reader, value),
            "id" => rule.id = reader.text(name, value),
            "because" => rule.because = reader.text(name, value),
            "instead" => rule.instead = reader.text(name, value),
            "examples" => rule.examples = examples(reader, value),
            "tool" | "command" | "effect" | "scope" | "host" | "path" | "agent" | "project" => {
                condition(reader, &mut rule, Member { name, value });
            }
            stranger => reader.stranger(&RULE, stranger, key.span().start),
        }
    }
    if reader.draft.errors.len() > faults {
        return;
    }
    let Some(verdict) = verdict else {
        return RULE.lacks(reader, "verdict", at);
    };
    if rule.names_nothing() {
        let hint = "add `tool`, `command`, `effect`, `scope`, `host`, `path` or `agent`";
        return reader.fault_with_hint(Fault::NoCondition, at, hint.to_owned());
    }
    rule.verdict = verdict;
    reader.draft.rules.push(rule);
}

/// One key of a table, and what it says.
struct Member<'a, 'v> {
    name: &'a str,
    value: &'a Value<'v>,
}

fn condition(reader: &mut Reader, rule: &mut ExactRule, member: Member<'_, '_>) {
    let Member { name, value } = member;
    let kind = match name {
        "path" => LineKind::Glob,
        "scope" => LineKind::Words(scope_words()),
        _ => LineKind::Plain,
    };
    let lines = reader.lines(name, kind, value).unwrap_or_default();
    if value.get_ref().as_array().is_some_and(|it| it.is_empty()) {
        let key = name.to_owned();
        return reader.fault(Fault::Empty { key }, value.span().start);
    }
    let texts = || lines.iter().map(|it| it.text.clone()).collect();
    match name {
        "tool" => rule.tool = texts(),
        "command" => rule.command = texts(),
        "host" => rule.host = texts(),
        "path" => rule.path = texts(),
        "agent" => rule.agent = texts(),
        "project" => rule.project = texts(),
        "scope" => {
            rule.scope = lines
                .iter()
                .filter_map(|it| Scope::from_word(&it.text))
                .collect()
        }
        _ => rule.effect = lines.iter().filter_map(|it| effect(reader, it)).collect(),
    }
}

fn effect(reader: &mut Reader, line: &Line) -> Option<EffectPattern> {
    match EffectPattern::parse(&line.text) {
        Ok(pattern) => Some(pattern),
        Err(cause) => {
            let fault = Fault::BadEffect {
                line: line.text.clone(),
                cause,
            };
            let hint =
                "write a verb, then what it is done to: `delete tree ~/*`, `send *.example.com`";
            let error = crate::SettingsError::new(fault, line.origin.clone()).hint(hint);
            reader.push(error);
            None
        }
    }
}

const SCOPE_WORDS: [&str; Scope::ALL.len()] = {
    let mut words = [""; Scope::ALL.len()];
    let mut at = 0;
    while at < words.len() {
        #[expect(clippy::indexing_slicing, reason = "`at` is below the length of both")]
        {
            words[at] = Scope::ALL[at].word();
        }
        at += 1;
    }
    words
};

/// Returns the words of all scopes.
pub(crate) const fn scope_words() -> &'static [&'static str] {
    &SCOPE_WORDS
}

const VERDICTS: &[&str] = &Verdict::WORDS;
const EXAMPLES: Keys<'static> = Keys {
    table: "rule.examples",
    names: VERDICTS,
};

fn verdict_of(reader: &mut Reader, value: &Value<'_>) -> Option<Verdict> {
    let word = reader.word("verdict", VERDICTS, value)?;
    Verdict::from_word(&word)
}

impl Keys<'static> {
    /// Reports that a table has not said what it must.
    fn lacks(&self, reader: &mut Reader, key: &'static str, at: usize) {
        let hint = format!("add `{key} = ...`");
        let table = self.table;
        reader.fault_with_hint(Fault::Missing { key, table }, at, hint);
    }
}

fn examples(reader: &mut Reader, value: &Value<'_>) -> Vec<Example> {
    let Some(table) = reader.table("examples", value) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        let Some(verdict) = Verdict::from_word(name) else {
            reader.stranger(&EXAMPLES, name, key.span().start);
            continue;
        };
        let lines = reader.lines(name, LineKind::Plain, value);
        let lines = lines.unwrap_or_default().into_iter();
        found.extend(lines.map(|line| Example { line, verdict }));
    }
    found
}

const TEST: Keys<'static> = Keys {
    table: "test",
    names: &["command", "tool", "input", "verdict", "headless"],
};

pub(crate) fn test(reader: &mut Reader, table: &DeTable<'_>, at: usize) {
    let faults = reader.draft.errors.len();
    let (mut command, mut tool, mut input) = (None, None, None);
    let (mut verdict, mut headless) = (None, false);
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        match name {
            "command" => command = reader.text(name, value),
            "tool" => tool = reader.text(name, value),
            "input" => input = reader.text(name, value),
            "verdict" => verdict = verdict_of(reader, value),
            "headless" => headless = reader.yes_no(name, value).unwrap_or_default(),
            stranger => reader.stranger(&TEST, stranger, key.span().start),
        }
    }
    if reader.draft.errors.len() > faults {
        return;
    }
    let call = match (command, tool) {
        (Some(command), None) => TestCall::Command(command),
        (None, Some(tool)) => TestCall::Tool {
            tool,
            input: input.unwrap_or_else(|| "{}".to_owned()),
        },
        (None, None) | (Some(_), Some(_)) => return TEST.lacks(reader, "command", at),
    };
    let Some(verdict) = verdict else {
        return TEST.lacks(reader, "verdict", at);
    };
    let origin = reader.places.at(at);
    reader.draft.tests.push(TestCase {
        call,
        verdict,
        headless,
        origin,
    });
}

const ENDPOINT: Keys<'static> = Keys {
    table: "classifier.fallback",
    names: &[
        "provider",
        "model",
        "base_url",
        "api_key_env",
        "api_key_command",
        "api_key_file",
        "timeout_ms",
    ],
};

pub(crate) fn fallback(reader: &mut Reader, table: &DeTable<'_>, at: usize) {
    let mut endpoint = Endpoint::default();
    let faults = reader.draft.errors.len();
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        match name {
            "provider" => {
                let word = reader.word(name, Provider::WORDS, value);
                endpoint.provider = word
                    .and_then(|it| Provider::from_word(&it))
                    .unwrap_or_default();
            }
            "model" => endpoint.model = reader.text(name, value),
            "base_url" => endpoint.base_url = reader.text(name, value),
            "api_key_env" => endpoint.api_key_env = reader.text(name, value),
            "api_key_file" => endpoint.api_key_file = reader.text(name, value),
            "api_key_command" => {
                let lines = reader.lines(name, LineKind::Plain, value);
                endpoint.api_key_command = lines.unwrap_or_default();
            }
            "timeout_ms" => endpoint.timeout_ms = reader.number(name, 1..=120_000, value),
            stranger => reader.stranger(&ENDPOINT, stranger, key.span().start),
        }
    }
    if reader.draft.errors.len() > faults {
        return;
    }
    if endpoint.provider == Provider::None {
        return ENDPOINT.lacks(reader, "provider", at);
    }
    let origin = reader.places.at(at);
    reader.draft.fallback.push((endpoint, origin));
}
