//! What Claude Code's hook protocol looks like, for the many agents that copied it.

use belay_model::{Call, Turn, Value, Verdict};

use crate::answer::{Answer, object};
use crate::reading::{Wire, judge, roots, seen};
use crate::transcript::entries::{action, is, items, said, text};
use crate::wording::Said;
use crate::{Event, Heard, Moment, ReadError};

/// Reads a message in Claude Code's shape.
pub(crate) fn read(wire: &mut Wire<'_>, project: Option<String>) -> Result<Heard, ReadError> {
    let event = wire.must("hook_event_name")?;
    let Some(kind) = kind(&event) else {
        return Err(ReadError::UnknownEvent(event));
    };
    match kind {
        Kind::Ask(event) => {
            let tool = wire.must("tool_name")?;
            let input = wire.object("tool_input")?;
            let host = wire.host_mode();
            let mut heard = judge(in_project(call(wire, tool, input), project), event);
            if let Heard::Judge(asked) = &mut heard {
                asked.host = host;
            }
            Ok(heard)
        }
        // The same session goes on with a shorter memory.
        Kind::See(Moment::SessionStart) if wire.peek("source") == Some("compact") => {
            Ok(Heard::Ignore)
        }
        Kind::See(moment) => {
            let tool = wire.text("tool_name").unwrap_or_default();
            let input = wire.take("tool_input").unwrap_or_default();
            let prompt = wire.text("prompt");
            Ok(seen(
                in_project(call(wire, tool, input), project),
                moment,
                prompt,
            ))
        }
        Kind::Nothing => Ok(Heard::Ignore),
    }
}

fn call(wire: &mut Wire<'_>, tool: String, input: Value) -> Call {
    let of_sub_agent = wire.has("agent_id");
    let mut call = wire.call(tool, input);
    call.sub_agent = of_sub_agent;
    call
}

fn in_project(mut call: Call, project: Option<String>) -> Call {
    if let Some(project) = project {
        call.project_roots = roots(&project);
    }
    call
}

enum Kind {
    Ask(Event),
    See(Moment),
    Nothing,
}

fn kind(event: &str) -> Option<Kind> {
    Some(match event {
        "PreToolUse" => Kind::Ask(Event::BeforeTool),
        "PermissionRequest" => Kind::Ask(Event::Approval),
        "PermissionDenied" => Kind::See(Moment::Refused),
        "PostToolUse" => Kind::See(Moment::AfterTool),
        "PostToolUseFailure" => Kind::See(Moment::AfterFailure),
        "UserPromptSubmit" => Kind::See(Moment::Prompt),
        "SessionStart" => Kind::See(Moment::SessionStart),
        "SessionEnd" => Kind::See(Moment::SessionEnd),
        "PostToolBatch" | "SubagentStart" | "SubagentStop" | "Stop" | "StopFailure"
        | "Notification" | "PreCompact" | "PostCompact" | "ConfigChange" => Kind::Nothing,
        _ => return None,
    })
}

/// Returns the answer to `PreToolUse`.
pub(crate) fn before_tool(said: &Said) -> Answer {
    Answer::json(&object([(
        "hookSpecificOutput",
        object([
            ("hookEventName", "PreToolUse".into()),
            ("permissionDecision", said.verdict.word().into()),
            ("permissionDecisionReason", said.reason.as_str().into()),
        ]),
    )]))
}

/// Returns the answer to `PermissionRequest`: an ask is silence, the agent then asks itself.
pub(crate) fn approval(said: &Said) -> Answer {
    let decision = match said.verdict {
        Verdict::Allow => object([("behavior", "allow".into())]),
        Verdict::Ask => return Answer::silent(),
        Verdict::Deny => object([
            ("behavior", "deny".into()),
            ("message", said.reason.as_str().into()),
        ]),
    };
    Answer::json(&object([(
        "hookSpecificOutput",
        object([
            ("hookEventName", "PermissionRequest".into()),
            ("decision", decision),
        ]),
    )]))
}

/// Returns the turns of one line of a transcript.
pub(crate) fn turns(entry: &Value) -> Vec<Turn> {
    let Some(message) = entry.get("message") else {
        return Vec::new();
    };
    match text(entry, "type") {
        "user" if is_typed(entry) => said(message.get("content")),
        _ => actions(entry),
    }
}

/// Returns the tool calls of one line of a transcript.
pub(crate) fn actions(entry: &Value) -> Vec<Turn> {
    let message = entry.get("message");
    let blocks = message.map_or(&[][..], |it| items(it, "content"));
    let is_call = |block: &&Value| text(block, "type") == "tool_use";
    match text(entry, "type") {
        "assistant" => blocks
            .iter()
            .filter(is_call)
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
