//! What the lines of the agents' transcripts have in common.

use belay_journal::json;
use belay_model::{Turn, Value, without_talk};

use super::words::user;
use crate::reading::unpacked;

pub(crate) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::text).unwrap_or_default()
}

pub(crate) fn is(value: &Value, name: &str) -> bool {
    value.get(name) == Some(&Value::Bool(true))
}

pub(crate) fn items<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::items).unwrap_or_default()
}

/// Makes a turn of a tool call: its name, then its input as JSON.
pub(crate) fn action(name: &str, input: Option<&Value>) -> Option<Turn> {
    if name.is_empty() {
        return None;
    }
    let mut line = name.to_owned();
    if let Some(input) = input {
        line.push(' ');
        json::write(&without_argument(input), &mut line);
    }
    Some(Turn::Action(line))
}

/// Takes out what the model says about its own call, also where its input is text.
fn without_argument(input: &Value) -> Value {
    without_talk(unpacked(input.clone()).unwrap_or_else(|| input.clone()))
}

/// Returns the user's words: a text, or blocks of text without a tool result among them.
pub(crate) fn said(content: Option<&Value>) -> Vec<Turn> {
    match content {
        Some(Value::String(text)) => user(text).into_iter().collect(),
        Some(Value::Array(blocks)) => {
            let is_result = |it: &Value| {
                text(it, "type") == "tool_result" || it.get("functionResponse").is_some()
            };
            if blocks.iter().any(is_result) {
                return Vec::new();
            }
            let texts = blocks.iter().map(|it| text(it, "text"));
            texts.filter_map(user).collect()
        }
        Some(_) | None => Vec::new(),
    }
}

/// Returns the turns of one line in our own form.
pub(crate) fn generic(entry: &Value) -> Vec<Turn> {
    let turn = match text(entry, "role") {
        "user" => user(text(entry, "content")),
        _ => entry
            .get("action")
            .and_then(Value::text)
            .map(|action| Turn::Action(action.to_owned())),
    };
    turn.into_iter().collect()
}
