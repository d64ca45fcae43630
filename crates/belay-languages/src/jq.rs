//! jq: a filter computes; it can neither write nor run, but it can see the environment and import modules.

use belay_model::Verb;

use crate::Doing;

/// Reads a jq program. Strings may hold `\( )`, which is code too, so words are looked for everywhere.
#[expect(clippy::unnecessary_wraps, reason = "all readers have one shape")]
pub(crate) fn read(code: &str) -> Option<Vec<Doing>> {
    let mut doings = Vec::new();
    let words: Vec<&str> = code
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$' || c == '.'))
        .collect();
    let sees = |it: &str| {
        matches!(it, "env" | "$ENV") || it.starts_with("env.") || it.starts_with("$ENV.")
    };
    if words.iter().any(|it| sees(it)) {
        doings.push(Doing::Other(Verb::Read, vec!["environment"]));
    }
    Some(doings)
}
