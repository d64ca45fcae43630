//! Usages: the operands' slots.

use super::effect::is_slot;
use super::model::Item;
use super::source::{Placed, Source};

/// Reads the slots of a usage. The command's own words come first and are skipped.
pub fn items(source: &mut Source<'_>, usage: &Placed, parent: bool) -> Vec<Item> {
    let mut out: Vec<Item> = Vec::new();
    for word in usage.text.split_whitespace().skip(1) {
        if word == "--" {
            out.push(dashes());
            continue;
        }
        let (bare, optional, many) = bare(word);
        if !is_slot(bare) {
            if !out.is_empty() || word.starts_with('[') {
                let what = format!("`{word}` in a usage is not a slot");
                source.fault(usage.span.clone(), what, "slots are `X`, `[X]`, `X...` or `[X...]`, in capitals; flags have their own table");
            }
            continue;
        }
        if parent && matches!(bare, "SUBCOMMAND" | "COMMAND") {
            continue;
        }
        if out.iter().any(|it| it.slot == bare) {
            let what = format!("slot `{bare}` stands twice in a usage");
            source.fault(usage.span.clone(), what, "name the second one differently");
        }
        out.push(Item {
            slot: bare.to_owned(),
            optional,
            many,
            payload: false,
        });
    }
    if out.iter().filter(|it| it.slot == "--").count() > 1 {
        source.fault(
            usage.span.clone(),
            "`--` stands twice in a usage",
            "keep one",
        );
    }
    out
}

/// Makes the item that stands for `--`: this usage counts only where it was typed.
fn dashes() -> Item {
    Item {
        slot: "--".to_owned(),
        optional: true,
        many: false,
        payload: false,
    }
}

fn bare(word: &str) -> (&str, bool, bool) {
    let inner = word.strip_prefix('[').and_then(|it| {
        it.strip_suffix(']')
            .or_else(|| it.strip_suffix("]..."))
            .map(|bare| (bare, it.ends_with("...")))
    });
    let (text, optional, outer) = match inner {
        Some((text, dots)) => (text, true, dots),
        None => (word, false, false),
    };
    match text.strip_suffix("...") {
        Some(bare) => (bare, optional, true),
        None => (text, optional, outer),
    }
}
