//! Texts and values without their secrets.

use std::borrow::Cow;
use std::ops::Range;

use belay_model::Value;

use crate::glimpse::Glimpse;
use crate::names::is_secret_name;
use crate::tokens::{SHORTEST, tokens};
use crate::values::is_value;
use crate::{assignments, blocks, flags, headers, urls};

/// What stands where a secret stood.
pub(crate) const GONE: &str = "[redacted]";

/// Returns the text without the secrets that can be recognised: private keys, tokens by their
/// known form, passwords in addresses, headers and flags, values of names that sound like a secret.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let glimpse = Glimpse::of(text);
    let mut ranges = Vec::new();
    blocks::find_private_keys(text, &glimpse, &mut ranges);
    blocks::find_manifests(text, &glimpse, &mut ranges);
    ranges.extend(tokens(text).map(|it| it.place));
    urls::find(text, &glimpse, &mut ranges);
    urls::find_webhooks(text, &glimpse, &mut ranges);
    urls::find_drivers(text, &mut ranges);
    headers::find(text, &glimpse, &mut ranges);
    flags::find(text, &glimpse, &mut ranges);
    assignments::find(text, &glimpse, &mut ranges);
    if ranges.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(without(text, ranges))
}

/// Tells whether a text is one word or path, of which no part is long enough for a token: it announces nothing either, as that takes
/// a sign or a blank, and what makes an address a secret is longer. Most texts of a record are such.
fn is_plain(text: &str) -> bool {
    let mut part = 0;
    text.bytes().all(|it| {
        part = if it == b'/' { 0 } else { part + 1 };
        let plain = it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-' | b'.' | b'/');
        plain && part < SHORTEST
    })
}

/// Returns the value with every string redacted, and members whose name sounds like a secret
/// emptied of their text.
#[must_use]
pub fn redact_value(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(redacted(text)),
        Value::Array(items) => Value::Array(items.into_iter().map(redact_value).collect()),
        Value::Object(members) => {
            let manifest = members
                .iter()
                .any(|(name, it)| name == "kind" && it.text() == Some("Secret"));
            let member = |(name, it): (String, Value)| match name.as_str() {
                "data" | "stringData" if manifest => (name, emptied(it)),
                _ => {
                    let value = redact_member(&name, it);
                    (name, value)
                }
            };
            Value::Object(members.into_iter().map(member).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

fn redact_member(name: &str, value: Value) -> Value {
    match value {
        Value::String(text) if is_secret_name(name) && is_value(text.trim()) => Value::from(GONE),
        other @ Value::Null
        | other @ Value::Bool(_)
        | other @ Value::Number(_)
        | other @ Value::String(_)
        | other @ Value::Array(_)
        | other @ Value::Object(_) => redact_value(other),
    }
}

/// Every text gone, whatever its name.
fn emptied(value: Value) -> Value {
    match value {
        Value::String(_) => Value::from(GONE),
        Value::Array(items) => Value::Array(items.into_iter().map(emptied).collect()),
        Value::Object(members) => {
            let members = members.into_iter().map(|(name, it)| (name, emptied(it)));
            Value::Object(members.collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
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
