//! The agent of VS Code: Claude Code's protocol, sometimes in camel case. Documented, not run.

use belay_model::Judgement;

use crate::agents::claude_shape;
use crate::answer::{Answer, attended};
use crate::reading::{Env, Wire, judge, roots, seen};
use crate::wording::said;
use crate::{Asked, Event, Heard, Moment, ReadError};

pub(crate) fn read(stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
    let mut wire = Wire::new(stdin, env)?;
    if wire.has("hook_event_name") {
        return claude_shape::read(&mut wire, None);
    }
    let event = wire.must("hookEventName")?;
    let moment = match event.as_str() {
        "PreToolUse" => {
            let call = call(&mut wire)?;
            return Ok(judge(call, Event::BeforeTool));
        }
        "PostToolUse" => Moment::AfterTool,
        "UserPromptSubmit" => Moment::Prompt,
        "SessionStart" => Moment::SessionStart,
        "PreCompact" | "SubagentStart" | "SubagentStop" | "Stop" => return Ok(Heard::Ignore),
        _ => return Err(ReadError::UnknownEvent(event)),
    };
    let prompt = wire.text("prompt");
    Ok(seen(call(&mut wire).unwrap_or_default(), moment, prompt))
}

fn call(wire: &mut Wire<'_>) -> Result<belay_model::Call, ReadError> {
    let snake = wire.has("tool_name");
    let (name, input) = if snake {
        ("tool_name", "tool_input")
    } else {
        ("toolName", "toolInput")
    };
    let tool = wire.must(name)?;
    let input = wire.object(input)?;
    let mut call = wire.call(tool, input);
    call.project_roots = roots(&call.cwd);
    call.session = call.session.or_else(|| wire.text("sessionId"));
    call.transcript_path = call.transcript_path.or_else(|| wire.text("transcriptPath"));
    call.id = call.id.or_else(|| wire.text("toolUseId"));
    Ok(call)
}

pub(crate) fn answer(asked: &Asked, judgement: &Judgement) -> Answer {
    let said = said(judgement, attended(asked));
    match asked.event {
        Event::BeforeTool => claude_shape::before_tool(&said),
        Event::Approval => claude_shape::approval(&said),
    }
}
