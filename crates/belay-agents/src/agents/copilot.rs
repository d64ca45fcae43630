//! Copilot CLI. The spelling of the event in its settings picks one of two dialects; in the camel
//! one the event is not named at all, except for `permissionRequest`.

use belay_model::{Call, Judgement, Verdict};

use crate::agents::claude_shape;
use crate::answer::{Answer, attended, object};
use crate::reading::{Env, Wire, judge, roots, seen};
use crate::wording::{Said, said};
use crate::{Asked, Event, Heard, Moment, ReadError, Spelling};

pub(crate) fn read(stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
    let mut wire = Wire::new(stdin, env)?;
    if wire.has("hook_event_name") {
        let project = wire.env("COPILOT_PROJECT_DIR");
        return claude_shape::read(&mut wire, project);
    }
    let event = wire.text("hookName");
    match event.as_deref() {
        Some("permissionRequest") => camel_judge(&mut wire, "toolInput", Event::Approval),
        Some("preToolUse") | None if wire.has("toolResult") => Ok(after(&mut wire)),
        Some("preToolUse") | None if wire.has("toolName") => {
            camel_judge(&mut wire, "toolArgs", Event::BeforeTool)
        }
        None if wire.has("prompt") => {
            let prompt = wire.text("prompt");
            Ok(seen(call(&mut wire), Moment::Prompt, prompt))
        }
        None if wire.has("source") => Ok(seen(call(&mut wire), Moment::SessionStart, None)),
        Some(other) => Err(ReadError::UnknownEvent(other.to_owned())),
        None => Err(ReadError::Missing("toolName")),
    }
}

fn camel_judge(wire: &mut Wire<'_>, input: &'static str, event: Event) -> Result<Heard, ReadError> {
    let tool = wire.must("toolName")?;
    let input = wire.object(input)?;
    let call = Call {
        tool,
        input,
        ..call(wire)
    };
    let mut heard = judge(call, event);
    if let Heard::Judge(asked) = &mut heard {
        asked.spelling = Spelling::Camel;
    }
    Ok(heard)
}

fn after(wire: &mut Wire<'_>) -> Heard {
    let tool = wire.text("toolName").unwrap_or_default();
    let input = wire.object("toolArgs").unwrap_or_default();
    let call = Call {
        tool,
        input,
        ..call(wire)
    };
    seen(call, Moment::AfterTool, None)
}

fn call(wire: &mut Wire<'_>) -> Call {
    let cwd = wire.text("cwd").unwrap_or_default();
    let session = wire.text("sessionId");
    let project = wire.env("COPILOT_PROJECT_DIR");
    Call {
        project_roots: roots(project.as_deref().unwrap_or(&cwd)),
        transcript_path: session.as_deref().and_then(|id| transcript(wire, id)),
        cwd,
        session,
        ..Call::default()
    }
}

/// Returns where the session's events lie; the hook is not told.
fn transcript(wire: &Wire<'_>, session: &str) -> Option<String> {
    if session.contains(['/', '\\']) || session.starts_with('.') {
        return None;
    }
    let home = wire
        .env("COPILOT_HOME")
        .or_else(|| wire.env("HOME").map(|home| home + "/.copilot"))?;
    Some(format!("{home}/session-state/{session}/events.jsonl"))
}

pub(crate) fn answer(asked: &Asked, judgement: &Judgement) -> Answer {
    let said = said(judgement, attended(asked));
    match (asked.event, asked.spelling) {
        (Event::BeforeTool, Spelling::Snake) => claude_shape::before_tool(&said),
        (Event::Approval, Spelling::Snake) => claude_shape::approval(&said),
        (Event::BeforeTool, Spelling::Camel) => Answer::json(&object([
            ("permissionDecision", said.verdict.word().into()),
            ("permissionDecisionReason", said.reason.into()),
        ])),
        (Event::Approval, Spelling::Camel) => camel_approval(&said),
    }
}

fn camel_approval(said: &Said) -> Answer {
    match said.verdict {
        Verdict::Allow => Answer::json(&object([("behavior", "allow".into())])),
        Verdict::Ask => Answer::silent(),
        Verdict::Deny => Answer::json(&object([
            ("behavior", "deny".into()),
            ("message", said.reason.as_str().into()),
        ])),
    }
}
