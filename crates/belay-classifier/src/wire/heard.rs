//! What a reply holds, and whether it is an answer.

use belay_model::Value;

use super::Form;
use crate::Fault;
use crate::verdict::{LOOK, TOOL, Verdict, looks_closer, shown};

/// What a reply says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Said {
    Verdict(Verdict),
    /// The first look: nothing to block, or something to look at more closely.
    Look {
        closer: bool,
    },
    Words(String),
}

/// What was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) input: u64,
    pub(crate) output: u64,
}

/// The parts of a reply that can carry an answer.
#[derive(Default)]
pub(crate) struct Heard {
    /// The tools it called, with their input.
    pub(super) calls: Vec<(String, Value)>,
    /// What it wrote.
    pub(super) texts: Vec<String>,
}

impl Heard {
    /// Takes the answer in the form it was asked for, and in no other.
    pub(super) fn said(self, form: Form) -> Result<Said, Fault> {
        match form {
            Form::Forced | Form::Auto => {
                let verdict = self.called(TOOL).and_then(|it| Verdict::read(&it))?;
                Ok(Said::Verdict(verdict))
            }
            Form::Look => {
                let closer = self.called(LOOK).and_then(|it| looks_closer(&it))?;
                Ok(Said::Look { closer })
            }
            Form::Structured => self.written().map(Said::Verdict),
            Form::Prose if self.calls.is_empty() => Ok(Said::Words(self.texts.concat())),
            Form::Prose => Err(Fault::Malformed("a call for words".to_owned())),
        }
    }

    /// Returns the input of the one call there may be.
    fn called(self, tool: &str) -> Result<Value, Fault> {
        let number = self.calls.len();
        match self.calls.into_iter().next() {
            None => Err(Fault::NoToolCall),
            Some(_) if number > 1 => Err(Fault::SeveralAnswers(number)),
            Some((name, _)) if name != tool => Err(Fault::WrongTool(shown(&name))),
            Some((_, input)) => Ok(input),
        }
    }

    /// Reads what the provider made the model write: one object and nothing around it.
    fn written(self) -> Result<Verdict, Fault> {
        match (self.calls.len(), self.texts.as_slice()) {
            (0, []) => Err(Fault::NoToolCall),
            (0, [text]) => Verdict::read(&crate::json::read(text.as_bytes())?),
            (calls, texts) => Err(Fault::SeveralAnswers(calls + texts.len())),
        }
    }
}

/// Returns what an `error` in a reply says. Gateways put one beside a body that looks whole; what
/// stands beside it is no answer. The model's own words are no place for an error.
pub(super) fn error_in(reply: &Value) -> Option<String> {
    const OF_THE_MODEL: [&str; 3] = ["input", "args", "arguments"];
    match reply {
        Value::Object(members) => members
            .iter()
            .find_map(|(name, value)| match name.as_str() {
                "error" | "errors" if !is_nothing(value) => Some(words_of(value)),
                name if OF_THE_MODEL.contains(&name) => None,
                _ => error_in(value),
            }),
        Value::Array(items) => items.iter().find_map(error_in),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => false,
    }
}

fn words_of(error: &Value) -> String {
    let message = error.get("message").unwrap_or(error);
    message.text().map_or_else(|| "no words".to_owned(), shown)
}

/// Returns the input of a tool that some providers send as a text of its own.
pub(super) fn arguments(value: Option<&Value>) -> Result<Value, Fault> {
    match value {
        Some(Value::String(text)) => crate::json::read(text.as_bytes()),
        Some(other) => Ok(other.clone()),
        None => Err(Fault::Malformed("a call without input".to_owned())),
    }
}

pub(super) fn text_of(value: &Value, name: &str) -> String {
    let text = value.get(name).and_then(Value::text);
    text.unwrap_or_default().to_owned()
}

pub(super) fn items<'a>(value: &'a Value, name: &str) -> Result<&'a [Value], Fault> {
    let found = value.get(name).and_then(Value::items);
    found.ok_or_else(|| Fault::Malformed(format!("no `{name}`")))
}
