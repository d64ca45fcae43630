//! Takes secrets out of texts, before they are kept or leave the machine.
//!
//! INVARIANT: a pure function of the text; redacting twice changes nothing more. It errs on the
//! side of taking out: a name that sounds like a secret loses its value, whatever the value is.

mod assignments;
mod tokens;
mod urls;

use std::borrow::Cow;
use std::ops::Range;

use belay_model::Value;

/// What stands where a secret stood.
const GONE: &str = "[redacted]";

/// Returns the text without the secrets that can be recognised: private keys, tokens by their
/// known form, passwords in URLs and headers, values of names that sound like a secret.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut ranges = Vec::new();
    tokens::find_private_keys(text, &mut ranges);
    tokens::find_tokens(text, &mut ranges);
    urls::find(text, &mut ranges);
    assignments::find(text, &mut ranges);
    if ranges.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(without(text, ranges))
}

/// Returns the value with every string redacted, and members whose name sounds like a secret
/// emptied of their text.
#[must_use]
pub fn redact_value(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(redacted(text)),
        Value::Array(items) => Value::Array(items.into_iter().map(redact_value).collect()),
        Value::Object(members) => Value::Object(members.into_iter().map(redact_member).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

fn redact_member((name, value): (String, Value)) -> (String, Value) {
    let value = match value {
        Value::String(text) if assignments::is_secret_name(&name) && !text.is_empty() => {
            Value::from(GONE)
        }
        other => redact_value(other),
    };
    (name, value)
}

fn redacted(text: String) -> String {
    match redact(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(text) => text,
    }
}

fn without(text: &str, mut ranges: Vec<Range<usize>>) -> String {
    ranges.sort_unstable_by_key(|it| (it.start, it.end));
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for range in ranges {
        if let Some(before) = text.get(at..range.start) {
            kept.push_str(before);
            kept.push_str(GONE);
        }
        at = at.max(range.end);
    }
    kept.push_str(text.get(at..).unwrap_or_default());
    kept
}

#[cfg(test)]
mod tests;
