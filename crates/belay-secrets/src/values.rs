//! What stands in a position: its extent, and whether there is something to hide.

use std::ops::Range;

use crate::lists::{SCHEMES, holds};
use crate::redact::GONE;

/// What begins so refers to a value, or is code.
const REFERENCE: [char; 13] = [
    '$', '[', '{', '(', '<', '%', '@', '=', '&', '*', '|', '>', '!',
];

/// So far is looked for the end of a value that decides; what is longer goes to its real end.
const FAR: usize = 2048;

/// Returns at most so many bytes from a place, whole characters only. Every look around a place is
/// bounded by it, so that the time grows with the text and not with its square.
pub(crate) fn clip(text: &str, at: usize, most: usize) -> &str {
    let end = (at + most).min(text.len());
    let end = (end..=text.len()).find(|it| text.is_char_boundary(*it));
    text.get(at..end.unwrap_or(at)).unwrap_or_default()
}

/// Returns at most so many bytes before a place, whole characters only.
pub(crate) fn clip_before(text: &str, at: usize, most: usize) -> &str {
    let start = (at.saturating_sub(most)..=at).find(|it| text.is_char_boundary(*it));
    text.get(start.unwrap_or(at)..at).unwrap_or_default()
}

/// The word at a place: to the closing quote when it is quoted, else to what ends a word.
pub(crate) fn value_at(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let open = rest.trim_start_matches('\\');
    let (start, value) = match open.chars().next()? {
        quote @ ('"' | '\'' | '`') => {
            let inside = open.get(1..)?;
            let start = text.len() - inside.len();
            let value = upto(text, start, |it| it == quote || it == '\n');
            (start, value.trim_end_matches('\\'))
        }
        _ => (at, upto(text, at, ends)),
    };
    let (skipped, value) = after_scheme(value);
    let start = start + skipped;
    is_value(value).then(|| start..start + value.len())
}

/// Returns what stands before the first letter that ends it; what is longer than any value that could
/// be a reference or a literal is read to its real end.
fn upto(text: &str, at: usize, ends: impl Fn(char) -> bool) -> &str {
    if text.get(at..).is_none_or(|it| it.starts_with(REFERENCE)) {
        return "";
    }
    let near = clip(text, at, FAR);
    match near.find(&ends) {
        Some(end) => near.get(..end).unwrap_or_default(),
        None if is_value(near) => {
            let rest = text.get(at..).unwrap_or_default();
            rest.split(ends).next().unwrap_or_default()
        }
        None => near,
    }
}

/// Tells whether a value stands in quotes.
pub(crate) fn is_quoted(text: &str, value: &Range<usize>) -> bool {
    let before = clip_before(text, value.start, 4);
    before.ends_with(['"', '\'', '`'])
}

/// `Bearer x` loses only `x`.
pub(crate) fn after_scheme(value: &str) -> (usize, &str) {
    match value.split_once(' ') {
        Some((scheme, rest)) if is_scheme(scheme) => (scheme.len() + 1, rest),
        Some(_) | None => (0, value),
    }
}

pub(crate) fn is_scheme(word: &str) -> bool {
    holds(SCHEMES, &word.to_ascii_lowercase())
}

/// What ends a word that is not quoted.
pub(crate) fn ends(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(
            letter,
            '"' | '\'' | '`' | '&' | ';' | ',' | ')' | '}' | '|' | '<' | '>' | '\\'
        )
}

/// Words that stand for a value, or for its type.
const LITERALS: [&str; 36] = [
    "any",
    "bool",
    "boolean",
    "bytes",
    "empty",
    "error",
    "expired",
    "failed",
    "false",
    "i32",
    "i64",
    "int",
    "integer",
    "invalid",
    "missing",
    "nil",
    "no",
    "none",
    "null",
    "number",
    "object",
    "optional",
    "redacted",
    "required",
    "secretstr",
    "str",
    "string",
    "true",
    "u32",
    "u64",
    "undefined",
    "unknown",
    "unset",
    "usize",
    "void",
    "yes",
];

/// Tells whether there is something to hide: no reference to a variable, no mask, no literal, not
/// redacted already.
pub(crate) fn is_value(value: &str) -> bool {
    let reference = value.starts_with(REFERENCE);
    let masked = value
        .chars()
        .all(|it| matches!(it, '*' | 'x' | 'X' | '.' | '-' | '•' | '…' | '?'));
    let short = value.len() < 4 && value.bytes().all(|it| it.is_ascii_digit());
    let lower = clip(value, 0, 32).to_ascii_lowercase();
    let literal =
        value.len() < 32 && LITERALS.contains(&lower.trim_end_matches(['?', '!', '.', ':', ']']));
    !value.is_empty()
        && !reference
        && !masked
        && !short
        && !literal
        && !is_scheme(value)
        && !value.contains(GONE)
}

/// Tells whether a word is an expression of a program rather than a value.
pub(crate) fn is_code(value: &str, name: &str) -> bool {
    if value.contains(['(', '[']) || value == name {
        return true;
    }
    let is_name = |it: &str| {
        it.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
            && it
                .bytes()
                .all(|it| it.is_ascii_alphanumeric() || it == b'_')
    };
    let parts: Vec<&str> = value.split(['.', ':', '?', '-', '>']).collect();
    let dotted = [
        "self.",
        "this.",
        "env.",
        "os.",
        "process.",
        "config.",
        "args.",
        "options.",
        "opts.",
        "request.",
        "req.",
        "settings.",
        "props.",
        "state.",
        "user.",
        "params.",
        "ctx.",
        "data.",
    ];
    parts.len() > 1
        && parts.iter().all(|it| it.is_empty() || is_name(it))
        && dotted.iter().any(|it| value.starts_with(it))
}

/// Tells whether a text looks random, as a secret does and a word, a path, an id or a hash does not.
pub(crate) fn is_random(value: &str) -> bool {
    let fits = |it: u8| it.is_ascii_alphanumeric() || b"+/=_-.~%!@#^*".contains(&it);
    if value.len() < 12 || value.len() > 512 || !value.bytes().all(fits) {
        return false;
    }
    let padded = value.trim_end_matches('=').contains('=');
    if padded || value.starts_with(['/', '.', '~']) || is_hash(value) || is_uuid(value) {
        return false;
    }
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let capitals = value.bytes().filter(u8::is_ascii_uppercase).count();
    let small = value.bytes().filter(u8::is_ascii_lowercase).count();
    let classes = [digits > 0, capitals > 0, small > 0];
    let classes = classes.iter().filter(|it| **it).count();
    classes >= 2
        && digits > 0
        && capitals + small > 2
        && longest_word(value) < 7
        && distinct(value) >= 8
}

fn is_hash(value: &str) -> bool {
    let hex = value.bytes().all(|it| it.is_ascii_hexdigit());
    hex && matches!(value.len(), 32 | 40 | 56 | 64 | 96 | 128)
}

fn is_uuid(value: &str) -> bool {
    let parts: Vec<usize> = value.split('-').map(str::len).collect();
    parts == [8, 4, 4, 4, 12] && value.bytes().all(|it| it.is_ascii_hexdigit() || it == b'-')
}

/// The longest run of letters of one case.
fn longest_word(value: &str) -> usize {
    let mut longest = 0;
    let mut run = 0;
    let mut before = 0;
    for byte in value.bytes() {
        let case = match byte {
            b'a'..=b'z' => 1,
            b'A'..=b'Z' => 2,
            _ => 0,
        };
        run = if case != 0 && case == before {
            run + 1
        } else {
            usize::from(case != 0)
        };
        before = case;
        longest = longest.max(run);
    }
    longest
}

pub(crate) fn distinct(value: &str) -> usize {
    let mut letters: Vec<u8> = value.bytes().collect();
    letters.sort_unstable();
    letters.dedup();
    letters.len()
}
