//! One line of each agent's transcript.

use belay_journal::json;
use belay_model::{Turn, Value, without_talk};

use super::words::user;
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

/// Takes out what the model says about its own call, also where its input is text.
fn without_argument(input: &Value) -> Value {
    without_talk(unpacked(input.clone()).unwrap_or_else(|| input.clone()))
}

fn claude(entry: &Value) -> Vec<Turn> {
    let Some(message) = entry.get("message") else {
        return Vec::new();
    };
    match text(entry, "type") {
        "user" if is_typed(entry) => said(message.get("content")),
        "assistant" => items(message, "content")
            .iter()
            .filter(|block| text(block, "type") == "tool_use")
            .filter_map(|block| action(text(block, "name"), block.get("input")))
            .collect(),
        _ => Vec::new(),
    }
}

/// Tells whether Claude Code says that its user wrote the line: not a summary, a notification, a
/// scheduled prompt, a hook's feedback, a tool's result or a sub-agent's report.
fn is_typed(entry: &Value) -> bool {
    let made_by_host = [
        "isMeta",
        "isSidechain",
        "isCompactSummary",
        "isVisibleInTranscriptOnly",
        "isApiErrorMessage",
    ];
    let of_another = ["toolUseResult", "sourceToolAssistantUUID", "agentId"];
    // Older versions do not say where a prompt came from.
    let one_of = |found: Option<&Value>, known: &[&str]| match found {
        None | Some(Value::Null) => true,
        Some(found) => found.text().is_some_and(|it| known.contains(&it)),
    };
    let origin = entry.get("origin");
    !made_by_host.iter().any(|it| is(entry, it))
        && !of_another.iter().any(|it| entry.get(it).is_some())
        && one_of(entry.get("promptSource"), &["typed", "sdk"])
        && one_of(entry.get("turnOrigin"), &["human", "sdk"])
        && one_of(entry.get("userType"), &["external"])
        && origin.is_none_or(|it| text(it, "kind") == "human")
}

/// Returns the user's words: a text, or blocks of text without a tool result among them.
fn said(content: Option<&Value>) -> Vec<Turn> {
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

fn codex(entry: &Value) -> Vec<Turn> {
    let payload = match (text(entry, "type"), entry.get("payload")) {
        ("response_item", Some(payload)) => payload,
        _ => return Vec::new(),
    };
    match text(payload, "type") {
        "message" if text(payload, "role") == "user" => typed(payload),
        "function_call" => action(text(payload, "name"), payload.get("arguments"))
            .into_iter()
            .collect(),
        "custom_tool_call" => action(text(payload, "name"), payload.get("input"))
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns what Codex says its user wrote; it names the kind of each part beside the message.
fn typed(message: &Value) -> Vec<Turn> {
    let about = message.get("internal_chat_message_metadata_passthrough");
    let kinds = about.and_then(|it| it.get("content_item_kinds")?.items());
    let is_users = |at: usize| match kinds {
        Some(kinds) => kinds.get(at).and_then(Value::text) == Some("user.text"),
        None => true,
    };
    let parts = items(message, "content").iter().enumerate();
    parts
        .filter(|(at, part)| is_users(*at) && text(part, "type") == "input_text")
        .filter_map(|(_, part)| user(text(part, "text")))
        .collect()
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
    let theirs = text(entry, "provenance") == "real_user";
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
        "user.message" if matches!(text(told, "source"), "" | "user") => {
            user(text(told, "content")).into_iter().collect()
        }
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
