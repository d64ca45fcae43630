//! `does` and `defaults`: what is known of a command besides its effects.

use toml::de::DeTable;

use super::source::{Placed, Source, nearest};
use crate::deeds::DEEDS;

/// Reads `does`: facts that are no effects.
pub fn deeds(source: &mut Source<'_>, table: &DeTable<'_>) -> u32 {
    let mut bits = 0;
    for word in source.members(table, "does") {
        let Some(at) = DEEDS.iter().position(|(it, _)| *it == word.text) else {
            let names: Vec<&str> = DEEDS.iter().map(|(it, _)| *it).collect();
            let hint = format!(
                "facts are `{}`{}",
                names.join("`, `"),
                nearest(&word.text, &names)
            );
            source.fault(word.span, format!("unknown fact `{}`", word.text), hint);
            continue;
        };
        bits |= 1 << at;
    }
    bits
}

/// Reads `defaults`: values of slots that are not given.
pub fn defaults(source: &mut Source<'_>, table: &DeTable<'_>) -> Vec<(Placed, String)> {
    let entries = source.entries(table, "defaults");
    entries
        .into_iter()
        .filter_map(|(key, value)| Some((key, source.string(value)?.text)))
        .collect()
}
