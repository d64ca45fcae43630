//! Files of agents' tools.

use std::collections::BTreeMap;

use belay_model::Risk;
use toml::de::{DeTable, DeValue};

use super::model::{Example, Tool};
use super::pack::Pack;
use super::source::{Placed, Source, in_order, nearest};
use super::{File, Work};
use crate::kinds::{GUESSES, KINDS, PARTS};

/// Reads and packs all tools' files.
pub fn table<'t>(work: &mut Work<'t>, pack: &mut Pack) -> (u32, u32) {
    let mut entries = Vec::new();
    let mut names: BTreeMap<String, &'t str> = BTreeMap::new();
    for file in std::mem::take(&mut work.tools) {
        let mut source = Source::new(&file.shown, &file.text);
        for tool in read(work, &mut source, file) {
            let at = pack.tool(&tool);
            for name in tool.names {
                if let Some(other) = names.insert(name.text.clone(), &file.shown) {
                    let what = format!("the tool `{}` has an entry already", name.text);
                    source.fault(name.span, what, format!("see `{other}`"));
                }
                entries.push((name.text, at));
            }
        }
        work.faults.append(&mut source.faults);
    }
    pack.table(entries)
}

fn read(work: &mut Work<'_>, source: &mut Source<'_>, file: &File) -> Vec<Tool> {
    let mut parsing = Source::new(&file.shown, &file.text);
    let Some(table) = parsing.parse() else {
        source.faults.append(&mut parsing.faults);
        return Vec::new();
    };
    source.only(&table, &["about", "tool", "words", "examples"]);
    let about = source
        .member(&table, "about")
        .map_or_else(String::new, |it| it.text);
    if about.is_empty() || about.len() > 255 {
        source.fault(
            0..0,
            "no `about` of one sentence",
            "say what these tools do",
        );
    }
    let mut tools = Vec::new();
    if let Some(DeValue::Table(inner)) = table.get("tool").map(toml::Spanned::get_ref) {
        for (key, value) in in_order(inner) {
            if let DeValue::Table(entry) = value.get_ref() {
                tools.extend(tool(source, &key, entry).map(|it| Tool {
                    about: about.clone(),
                    ..it
                }))
            } else {
                source.fault(key.span, "not a table", "write `[tool.NAME]`")
            }
        }
    }
    words(work, source, &table);
    let examples = examples(source, &table);
    if examples.is_empty() {
        source.fault(0..0, "no examples", "write `'Read {\"file_path\": \"a\"}' = [\"read-file\", \"path a\"]` under `[examples]`");
    }
    work.keep(source, examples);
    tools
}

/// Reads what the words of tools' names say.
fn words(work: &mut Work<'_>, source: &mut Source<'_>, table: &DeTable<'_>) {
    let Some(DeValue::Table(inner)) = table.get("words").map(toml::Spanned::get_ref) else {
        return;
    };
    let keys: Vec<&str> = GUESSES.iter().map(|(word, _)| *word).collect();
    source.only(inner, &keys);
    for (number, key) in (1u32..).zip(keys) {
        for word in source.members(inner, key) {
            if work.words.iter().any(|(it, _)| *it == word.text) {
                let what = format!("the word `{}` is listed twice", word.text);
                source.fault(word.span, what, "keep one");
                continue;
            }
            work.words.push((word.text, number));
        }
    }
}

fn examples(source: &mut Source<'_>, table: &DeTable<'_>) -> Vec<Example> {
    let Some(DeValue::Table(inner)) = table.get("examples").map(toml::Spanned::get_ref) else {
        return Vec::new();
    };
    in_order(inner)
        .into_iter()
        .map(|(command, value)| Example {
            command,
            effects: source.strings(value),
        })
        .collect()
}

fn tool(source: &mut Source<'_>, key: &Placed, table: &DeTable<'_>) -> Option<Tool> {
    let mut keys = vec!["kind", "risk"];
    keys.extend(PARTS.iter().map(|(word, _)| *word));
    source.only(table, &keys);
    let kind = source.member(table, "kind")?;
    let words: Vec<&str> = KINDS.iter().map(|(word, ..)| *word).collect();
    let Some(number) = words.iter().position(|it| *it == kind.text) else {
        let hint = format!(
            "kinds are `{}`{}",
            words.join("`, `"),
            nearest(&kind.text, &words)
        );
        source.fault(kind.span, format!("unknown kind `{}`", kind.text), hint);
        return None;
    };
    let risk = risk(source, table, number);
    let mut parts = Vec::new();
    for (number, (word, _)) in (0u8..).zip(PARTS) {
        let members = source.members(table, word);
        parts.extend(members.into_iter().map(|it| (number, it.text)));
    }
    let names = key.text.split('|').map(|it| Placed {
        text: it.trim().to_owned(),
        span: key.span.clone(),
    });
    Some(Tool {
        names: names.collect(),
        about: String::new(),
        kind: u8::try_from(number).ok()?,
        risk: risk.number(),
        parts,
    })
}

/// Reads the least risk of a tool; without one its kind's.
fn risk(source: &mut Source<'_>, table: &DeTable<'_>, kind: usize) -> Risk {
    let usual = KINDS.get(kind).map_or(Risk::UNSURE, |(_, _, risk)| *risk);
    let Some(word) = source.member(table, "risk") else {
        return usual;
    };
    Risk::from_word(&word.text).unwrap_or_else(|| {
        source.fault(
            word.span,
            format!("`{}` is not a risk", word.text),
            "risks are `none`, `low`, `unsure`, `high`, `critical` or a number",
        );
        usual
    })
}
