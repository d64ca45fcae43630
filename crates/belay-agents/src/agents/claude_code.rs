//! Claude Code. Both `PreToolUse` and `PermissionRequest` are answered, so that an allow really
//! removes the prompt.

use belay_model::{Judgement, Verdict};

use crate::agents::claude_shape;
use crate::answer::{Answer, attended};
use crate::reading::{Env, Wire};
use crate::wording::said;
use crate::{Asked, Event, Heard, ReadError};

/// Tools that exist to talk to the person: an allow of ours would speak in their place.
const FOR_THE_PERSON: [&str; 2] = ["AskUserQuestion", "ExitPlanMode"];

pub(crate) fn read(stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
    let mut wire = Wire::new(stdin, env)?;
    let nobody = wire.peek("permission_mode") == Some("dontAsk")
        || wire.env("CLAUDE_CODE_ENTRYPOINT").as_deref() == Some("sdk-cli");
    let project = wire.env("CLAUDE_PROJECT_DIR");
    let mut heard = claude_shape::read(&mut wire, project)?;
    if let Heard::Judge(asked) = &mut heard {
        asked.call.headless = nobody;
    }
    Ok(heard)
}

pub(crate) fn answer(asked: &Asked, judgement: &Judgement) -> Answer {
    let said = said(judgement, attended(asked));
    if said.verdict != Verdict::Deny && FOR_THE_PERSON.contains(&asked.call.tool.as_str()) {
        return Answer::silent();
    }
    match asked.event {
        Event::BeforeTool => claude_shape::before_tool(&said),
        Event::Approval => claude_shape::approval(&said),
    }
}
