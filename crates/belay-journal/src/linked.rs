//! Lines that say something of a call in another line: what a person answered, and what became of it.

use belay_model::Value;

use crate::{Members, json, redact_value, text};

/// The version of linked lines; readers of the first version pass over them.
const VERSION: &str = "2";

/// Begins a line of this kind.
pub fn begin(kind: &str) -> Members {
    let version = Value::Number(VERSION.to_owned());
    Members::default().put("v", version).text("kind", kind)
}

/// Returns the line, its end included; secrets redacted.
pub fn line(members: Members) -> String {
    let mut line = json::compact(&redact_value(members.done()));
    line.push('\n');
    line
}

/// Reads a line; nothing when it is not of this kind.
pub fn read(line: &[u8], kind: &str) -> Option<Value> {
    let value = json::read(line).ok()?;
    let is_meant = value.get("v") == Some(&Value::Number(VERSION.to_owned()))
        && text(&value, "kind").as_deref() == Some(kind);
    is_meant.then_some(value)
}
