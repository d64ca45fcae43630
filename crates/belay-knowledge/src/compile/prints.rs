//! `[prints]`: what standard output is, for a name and exactly the flags used.

use toml::de::DeTable;

use super::model::{Flag, Prints};
use super::source::{Placed, Source, nearest};
use crate::printing::PRINTS;

/// Reads the table: sets of flags, and the form of what is printed with them.
pub fn read(source: &mut Source<'_>, table: &DeTable<'_>, flags: &[Flag]) -> Vec<Prints> {
    let mut out = Vec::new();
    for (key, value) in source.entries(table, "prints") {
        let Some(said) = source.string(value) else {
            continue;
        };
        let Some(shown) = shown(source, &said) else {
            continue;
        };
        for set in key.text.split(',') {
            let (with, perhaps) = {
                let set = Placed {
                    text: set.to_owned(),
                    span: key.span.clone(),
                };
                used(source, &set, flags)
            };
            out.push(Prints {
                with,
                perhaps,
                ..shown.clone()
            });
        }
    }
    out
}

/// Reads `perhaps FORM SLOT SLOT without SLOT`.
fn shown(source: &mut Source<'_>, said: &Placed) -> Option<Prints> {
    let mut words = said.text.split_whitespace().peekable();
    let fails = words.next_if_eq(&"perhaps").is_some();
    let word = words.next().unwrap_or_default();
    let placed = |it: &str| Placed {
        text: it.to_owned(),
        span: said.span.clone(),
    };
    let slots: Vec<Placed> = words
        .by_ref()
        .take_while(|it| *it != "without")
        .map(placed)
        .collect();
    let without = words.next().map(placed);
    let found = PRINTS.iter().find(|(name, _, _)| *name == word);
    match found {
        Some((_, form, most)) if slots.len() <= *most => Some(Prints {
            with: Vec::new(),
            perhaps: Vec::new(),
            form: *form,
            slots,
            without,
            fails,
        }),
        Some((_, _, most)) => {
            let what = format!("`{word}` takes {most} slots at most");
            source.fault(said.span.clone(), what, "name what it prints a part of");
            None
        }
        None => {
            let names: Vec<&str> = PRINTS.iter().map(|(name, _, _)| *name).collect();
            let hint = format!(
                "forms are `{}`{}",
                names.join("`, `"),
                nearest(word, &names)
            );
            source.fault(said.span.clone(), format!("unknown form `{word}`"), hint);
            None
        }
    }
}

/// Finds the flags of a set: those that must be there, and those in brackets that may.
fn used(source: &mut Source<'_>, set: &Placed, flags: &[Flag]) -> (Vec<usize>, Vec<usize>) {
    let (mut with, mut perhaps) = (Vec::new(), Vec::new());
    for word in set.text.split_whitespace() {
        let bare = word.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let name = bare.unwrap_or(word);
        let found = flags
            .iter()
            .position(|it| it.spellings.iter().any(|it| it == name));
        let Some(found) = found else {
            let what = format!("`{name}` is not a flag here");
            source.fault(set.span.clone(), what, "list it under `inert` or `[flags]`");
            continue;
        };
        match bare {
            Some(_) => perhaps.push(found),
            None => with.push(found),
        }
    }
    (with, perhaps)
}
