//! Kiro. Documented, not run. Only exit code 2 blocks; older editors send the JSON in a variable.

use belay_model::{Judgement, Verdict};

use crate::agents::claude_shape;
use crate::answer::Answer;
use crate::reading::{Env, Wire, judge, seen};
use crate::wording::{Able, said};
use crate::{Asked, Event, Heard, Moment, ReadError};

pub(crate) fn read(stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
    let spare = env("USER_PROMPT").unwrap_or_default();
    let sent = if stdin.trim_ascii().is_empty() {
        spare.as_bytes()
    } else {
        stdin
    };
    let mut wire = Wire::new(sent, env)?;
    match wire.peek("hook_event_name") {
        Some("preToolUse") => {
            let tool = wire.must("tool_name")?;
            let input = wire.object("tool_input")?;
            Ok(judge(wire.call(tool, input), Event::BeforeTool))
        }
        Some("userPromptSubmit" | "promptSubmit") => {
            let prompt = wire.text("prompt");
            let call = wire.call(String::new(), belay_model::Value::Null);
            Ok(seen(call, Moment::Prompt, prompt))
        }
        Some("agentSpawn" | "postToolUse" | "stop" | "agentStop") => Ok(Heard::Ignore),
        Some(_) | None => claude_shape::read(&mut wire, None),
    }
}

pub(crate) fn answer(_: &Asked, judgement: &Judgement) -> Answer {
    let said = said(judgement, Able::NotAsk);
    match said.verdict {
        Verdict::Allow => Answer::silent(),
        Verdict::Ask | Verdict::Deny => Answer::blocked(&said.reason),
    }
}
