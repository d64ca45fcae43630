//! Cline. Documented, not run. A hook can only cancel.

use belay_model::{Call, Judgement, Value, Verdict};

use crate::answer::{Answer, object};
use crate::reading::{Env, Wire, judge, seen, unpacked};
use crate::wording::{Able, said};
use crate::{Asked, Event, Heard, Moment, ReadError};

pub(crate) fn read(stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
    let mut wire = Wire::new(stdin, env)?;
    let event = wire.must("hookName")?;
    let mut call = Call {
        session: wire.text("taskId"),
        project_roots: wire.texts("workspaceRoots"),
        ..Call::default()
    };
    call.cwd = call.project_roots.first().cloned().unwrap_or_default();
    match event.as_str() {
        "PreToolUse" => {
            let told = wire.take("preToolUse").unwrap_or_default();
            let tool = told.get("toolName").and_then(Value::text);
            tool.ok_or(ReadError::Missing("preToolUse.toolName"))?
                .clone_into(&mut call.tool);
            let input = told.get("parameters").cloned().unwrap_or_default();
            call.input = unpacked(input).ok_or(ReadError::Missing("preToolUse.parameters"))?;
            Ok(judge(call, Event::BeforeTool))
        }
        "UserPromptSubmit" => {
            let told = wire.take("userPromptSubmit").unwrap_or_default();
            let prompt = told.get("prompt").and_then(Value::text).map(str::to_owned);
            Ok(seen(call, Moment::Prompt, prompt))
        }
        "PostToolUse" => Ok(seen(call, Moment::AfterTool, None)),
        "TaskStart" | "TaskResume" => Ok(seen(call, Moment::SessionStart, None)),
        "TaskCancel" | "TaskComplete" | "PreCompact" => Ok(Heard::Ignore),
        _ => Err(ReadError::UnknownEvent(event)),
    }
}

pub(crate) fn answer(_: &Asked, judgement: &Judgement) -> Answer {
    let said = said(judgement, Able::NotAsk);
    match said.verdict {
        Verdict::Allow => Answer::json(&object([("cancel", Value::Bool(false))])),
        Verdict::Ask | Verdict::Deny => Answer::json(&object([
            ("cancel", Value::Bool(true)),
            ("errorMessage", said.reason.into()),
        ])),
    }
}
