//! One line of each agent's transcript.

use belay_journal::json;
use belay_model::{Turn, Value};

use crate::Agent;
use crate::reading::unpacked;

/// Returns the turns of one line.
pub(super) fn turns(agent: Agent, entry: &Value) -> Vec<Turn> {
    match agent {
        Agent::ClaudeCode | Agent::Droid | Agent::VsCode | Agent::Cursor => claude(entry),
        Agent::Codex => codex(entry),
        Agent::Gemini => gemini(entry),
        Agent::Qwen => qwen(entry),
        Agent::Copilot => copilot(entry),
        Agent::OpenCode
        | Agent::Windsurf
        | Agent::Cline
        | Agent::Kiro
        | Agent::Goose
        | Agent::Amp
        | Agent::Generic => generic(entry),
    }
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::text).unwrap_or_default()
}

fn is(value: &Value, name: &str) -> bool {
    value.get(name) == Some(&Value::Bool(true))
}

fn items<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::items).unwrap_or_default()
}

fn user(text: &str) -> Option<Turn> {
    let text = text.trim();
    (!text.is_empty()).then(|| Turn::User(text.to_owned()))
}

/// Makes a turn of a tool call: its name, then its input as JSON.
fn action(name: &str, input: Option<&Value>) -> Option<Turn> {
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

/// Takes out what the model says about its own call: it could argue with the judge.
fn without_argument(input: &Value) -> Value {
    let input = unpacked(input.clone()).unwrap_or_else(|| input.clone());
    let Value::Object(members) = input else {
        return input;
    };
    let argues = |name: &str| matches!(name, "description" | "justification" | "explanation");
    Value::Object(
        members
            .into_iter()
            .filter(|(name, _)| !argues(name))
            .collect(),
    )
}

fn claude(entry: &Value) -> Vec<Turn> {
    let Some(message) = entry.get("message") else {
        return Vec::new();
    };
    match text(entry, "type") {
        "user" if !is(entry, "isMeta") && entry.get("toolUseResult").is_none() => {
            if is(entry, "isSidechain") {
                return Vec::new();
            }
            said(message.get("content"))
        }
        "assistant" => items(message, "content")
            .iter()
            .filter(|block| text(block, "type") == "tool_use")
            .filter_map(|block| action(text(block, "name"), block.get("input")))
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns the user's words: a text, or blocks of text without a tool result among them.
fn said(content: Option<&Value>) -> Vec<Turn> {
    match content {
        Some(Value::String(text)) => user(text).into_iter().collect(),
        Some(Value::Array(blocks)) => {
            if blocks.iter().any(|it| text(it, "type") == "tool_result") {
                return Vec::new();
            }
            blocks
                .iter()
                .filter_map(|it| user(text(it, "text")))
                .collect()
        }
        Some(_) | None => Vec::new(),
    }
}

fn codex(entry: &Value) -> Vec<Turn> {
    let payload = match (text(entry, "type"), entry.get("payload")) {
        ("response_item", Some(payload)) => payload,
        _ => return Vec::new(),
    };
    match text(payload, "type") {
        "message" if text(payload, "role") == "user" => items(payload, "content")
            .iter()
            .map(|it| text(it, "text"))
            .filter(|text| !is_wrapper(text))
            .filter_map(user)
            .collect(),
        "function_call" => action(text(payload, "name"), payload.get("arguments"))
            .into_iter()
            .collect(),
        "custom_tool_call" => action(text(payload, "name"), payload.get("input"))
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

/// Tells whether Codex itself put the text into the user's mouth.
fn is_wrapper(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("<environment_context>")
        || text.starts_with("<user_instructions>")
        || text.starts_with("<permissions")
        || text.starts_with("<INSTRUCTIONS>")
        || text.starts_with("# AGENTS.md")
}

fn gemini(entry: &Value) -> Vec<Turn> {
    match text(entry, "type") {
        "user" => said(entry.get("content")),
        "gemini" => items(entry, "toolCalls")
            .iter()
            .filter_map(|call| action(text(call, "name"), call.get("args")))
            .collect(),
        _ => Vec::new(),
    }
}

fn qwen(entry: &Value) -> Vec<Turn> {
    let Some(message) = entry.get("message") else {
        return Vec::new();
    };
    let parts = items(message, "parts");
    let theirs = matches!(text(entry, "provenance"), "real_user" | "");
    match text(entry, "type") {
        "user" if theirs => parts
            .iter()
            .filter_map(|it| user(text(it, "text")))
            .collect(),
        "assistant" => parts
            .iter()
            .filter_map(|part| part.get("functionCall"))
            .filter_map(|call| action(text(call, "name"), call.get("args")))
            .collect(),
        _ => Vec::new(),
    }
}

fn copilot(entry: &Value) -> Vec<Turn> {
    let Some(told) = entry.get("data") else {
        return Vec::new();
    };
    match text(entry, "type") {
        "user.message" => user(text(told, "content")).into_iter().collect(),
        "tool.execution_start" => action(text(told, "toolName"), told.get("arguments"))
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

fn generic(entry: &Value) -> Vec<Turn> {
    let turn = match text(entry, "role") {
        "user" => user(text(entry, "content")),
        _ => entry
            .get("action")
            .and_then(Value::text)
            .map(|action| Turn::Action(action.to_owned())),
    };
    turn.into_iter().collect()
}
