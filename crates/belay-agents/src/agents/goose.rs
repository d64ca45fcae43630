//! Goose. Documented, not run. A hook can only block, by `decision` or by exit code 2.

use belay_model::{Call, Judgement, Verdict};

use crate::answer::{Answer, line, object};
use crate::reading::{Env, Wire, judge, roots, seen};
use crate::wording::{Able, said};
use crate::{Asked, Event, Heard, Moment, ReadError};

pub(crate) fn read(stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
    let mut wire = Wire::new(stdin, env)?;
    let named = if wire.has("event") {
        "event"
    } else {
        "hook_event_name"
    };
    let event = wire.must(named)?;
    let moment = match event.as_str() {
        "PreToolUse" | "BeforeShellExecution" | "BeforeReadFile" => {
            let tool = wire.must("tool_name")?;
            let input = wire.object("tool_input")?;
            let call = Call {
                tool,
                input,
                ..call(&mut wire)
            };
            return Ok(judge(call, Event::BeforeTool));
        }
        "PostToolUse" => Moment::AfterTool,
        "PostToolUseFailure" => Moment::AfterFailure,
        "UserPromptSubmit" => Moment::Prompt,
        "SessionStart" => Moment::SessionStart,
        "SessionEnd" => Moment::SessionEnd,
        "Stop" | "PreToolUseResult" | "AfterFileEdit" | "AfterShellExecution" => {
            return Ok(Heard::Ignore);
        }
        _ => return Err(ReadError::UnknownEvent(event)),
    };
    let prompt = wire.text("message").or_else(|| wire.text("prompt"));
    Ok(seen(call(&mut wire), moment, prompt))
}

fn call(wire: &mut Wire<'_>) -> Call {
    let folder = wire.text("working_dir").or_else(|| wire.text("cwd"));
    let cwd = folder.unwrap_or_default();
    Call {
        id: wire.text("tool_call_id"),
        project_roots: roots(&cwd),
        cwd,
        session: wire.text("session_id"),
        ..Call::default()
    }
}

pub(crate) fn answer(_: &Asked, judgement: &Judgement) -> Answer {
    let said = said(judgement, Able::NotAsk);
    match said.verdict {
        Verdict::Allow => Answer::silent(),
        Verdict::Ask | Verdict::Deny => Answer {
            stderr: line(&said.reason),
            code: 2,
            ..Answer::json(&object([
                ("decision", "block".into()),
                ("reason", said.reason.as_str().into()),
            ]))
        },
    }
}
