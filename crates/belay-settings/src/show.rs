//! Settings as text: each key with its value and origin, and single values in one line.

use crate::draft::Setting;
use crate::exact::ExactRule;
use crate::keys::{KEYS, Key, Slot};
use crate::settings::Settings;
use crate::{Line, Origin, Source};

/// One key with the value in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The key, with its table.
    pub key: String,
    /// The value as TOML; one line of a list is shown for itself.
    pub value: String,
    /// Who said so.
    pub origin: Origin,
}

/// Returns every key with its value and origin, in the order of the default file.
#[must_use]
pub fn effective(settings: &Settings) -> Vec<Shown> {
    let mut settings = settings.clone();
    let mut shown = Vec::new();
    for key in KEYS {
        let origin = settings.origin(key.name);
        shown.extend(one(key, &mut settings, origin));
    }
    for tool in &settings.tools {
        shown.push(Shown {
            key: format!("tools.{}", tool.tool),
            value: quoted(&tool.risk.to_string()),
            origin: tool.origin.clone(),
        });
    }
    for project in &settings.projects {
        shown.push(Shown {
            key: format!("projects.{}", quoted(&project.folder)),
            value: quoted(project.mode.word()),
            origin: project.origin.clone(),
        });
    }
    for rule in &settings.off {
        shown.push(Shown {
            key: format!("rule {}", quoted(&rule.text)),
            value: quoted("off"),
            origin: rule.origin.clone(),
        });
    }
    for rule in &settings.exact {
        shown.push(Shown {
            key: "rule".to_owned(),
            value: self::rule(rule),
            origin: rule.origin.clone(),
        });
    }
    shown
}

fn one(key: &Key, settings: &mut Settings, origin: Origin) -> Vec<Shown> {
    let line = |value: String, origin: Origin| Shown {
        key: key.name.to_owned(),
        value,
        origin,
    };
    let single = |value: String| vec![line(value, origin.clone())];
    match (key.slot)(settings) {
        Slot::Word(slot) => single(quoted(slot.word())),
        Slot::Byte(slot) => single(slot.to_string()),
        Slot::Number(slot) => single(slot.to_string()),
        Slot::Decimal(slot) => single(slot.map_or_else(unset, |it| it.to_string())),
        Slot::YesNo(slot) => single(slot.to_string()),
        Slot::Text(slot) => single(slot.as_deref().map_or_else(unset, quoted)),
        Slot::Lines(slot) if slot.is_empty() => vec![line("[]".to_owned(), Origin::default())],
        Slot::Lines(slot) => slot
            .iter()
            .map(|it| line(quoted(&it.text), it.origin.clone()))
            .collect(),
        Slot::Rules(slot, defaults) => {
            let ours = defaults.is_some_and(|it| *it);
            let ours = ours.then(|| line(quoted("$defaults"), Origin::of(Source::Default, "")));
            let theirs = slot
                .iter()
                .map(|it| line(quoted(&it.text), it.origin.clone()));
            theirs.chain(ours).collect()
        }
    }
}

fn unset() -> String {
    "(not set)".to_owned()
}

/// Writes a text as a TOML string in one line.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            it if it.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(it))),
            it => out.push(it),
        }
    }
    out.push('"');
    out
}

pub(crate) fn setting(setting: &Setting) -> String {
    match setting {
        Setting::Word(text) | Setting::Text(text) => quoted(text),
        Setting::Number(number) => number.to_string(),
        Setting::Decimal(number) => number.to_string(),
        Setting::YesNo(answer) => answer.to_string(),
        Setting::Lines(lines) => list(lines.iter().map(|it: &Line| it.text.as_str())),
    }
}

pub(crate) fn list<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let texts: Vec<String> = texts.map(quoted).collect();
    match texts.as_slice() {
        [one] => one.clone(),
        many => format!("[{}]", many.join(", ")),
    }
}

/// Writes a rule as one inline table, without its examples.
#[must_use]
pub fn rule(rule: &ExactRule) -> String {
    let scopes: Vec<String> = rule.scope.iter().map(ToString::to_string).collect();
    let effects: Vec<String> = rule.effect.iter().map(|it| it.text().to_owned()).collect();
    let conditions = [
        ("tool", &rule.tool),
        ("command", &rule.command),
        ("effect", &effects),
        ("scope", &scopes),
        ("host", &rule.host),
        ("path", &rule.path),
        ("agent", &rule.agent),
        ("project", &rule.project),
    ];
    let mut parts = Vec::new();
    if let Some(id) = &rule.id {
        parts.push(format!("id = {}", quoted(id)));
    }
    for (name, texts) in conditions {
        if !texts.is_empty() {
            parts.push(format!(
                "{name} = {}",
                list(texts.iter().map(String::as_str))
            ));
        }
    }
    parts.push(format!("verdict = {}", quoted(rule.verdict.word())));
    for (name, text) in [("because", &rule.because), ("instead", &rule.instead)] {
        if let Some(text) = text {
            parts.push(format!("{name} = {}", quoted(text)));
        }
    }
    format!("{{ {} }}", parts.join(", "))
}
