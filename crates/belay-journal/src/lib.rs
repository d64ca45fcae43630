//! Writes and reads records; owns the stable JSON.
//!
//! INVARIANT: this crate judges nothing. What it reads it keeps as it was sent: member order,
//! duplicates and the text of numbers. What it writes to disk has no secret in it that
//! [`redact`] knows, and is on disk before the call's answer leaves.

pub mod calendar;
pub mod json;

mod answered;
mod backwards;
mod call;
mod chain;
mod gap;
mod index;
mod journal;
mod judgement;
mod linked;
mod outcome;
mod record;
mod rows;
mod shadow;
mod sums;
mod tail;

pub use answered::Answered;
pub use belay_secrets::{redact, redact_value};
pub use call::{CallError, call_to_json, read_call, subject};
pub use chain::{Day, Doubt};
pub use gap::Gap;
pub use journal::{Journal, JournalError, Secrets};
pub use judgement::{judgement_to_json, read_judgement};
pub use outcome::Outcome;
pub use record::Record;
pub use rows::{Kind, Name, Row, Rows};
pub use shadow::Shadow;
pub use sums::{DaySum, HourSum, Named, Spread, Sums, Tally};
pub use tail::Tail;

use belay_model::Value;

/// Collects the members of an object, leaving out what is not there.
#[derive(Default)]
struct Members(Vec<(String, Value)>);

impl Members {
    fn put(mut self, name: &str, value: Value) -> Self {
        self.0.push((name.to_owned(), value));
        self
    }

    fn text(self, name: &str, text: &str) -> Self {
        self.put(name, Value::from(text))
    }

    fn maybe(self, name: &str, text: Option<&str>) -> Self {
        match text {
            Some(text) => self.text(name, text),
            None => self,
        }
    }

    fn maybe_value(self, name: &str, value: Option<Value>) -> Self {
        match value {
            Some(value) => self.put(name, value),
            None => self,
        }
    }

    fn texts<'a>(self, name: &str, texts: impl Iterator<Item = &'a str>) -> Self {
        self.put(name, Value::Array(texts.map(Value::from).collect()))
    }

    fn done(self) -> Value {
        Value::Object(self.0)
    }
}

fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name)?.text().map(str::to_owned)
}

fn number<T: std::str::FromStr>(value: &Value, name: &str) -> Option<T> {
    match value.get(name)? {
        Value::Number(text) => text.parse().ok(),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    }
}
