//! OpenCode, through the plugin file that `belay install opencode` writes. The JSON on both sides
//! is ours; the plugin lets a tool run only when it reads exactly `"verdict":"allow"`.

use belay_model::{Call, Judgement};

use crate::answer::{Answer, object};
use crate::reading::{Env, Wire, judge, roots};
use crate::wording::{Able, said};
use crate::{Asked, Event, Heard, ReadError};

pub(crate) fn read(stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
    let mut wire = Wire::new(stdin, env)?;
    let event = wire.must("event")?;
    if event != "tool.execute.before" {
        return Err(ReadError::UnknownEvent(event));
    }
    let tool = wire.must("tool")?;
    let input = wire.object("args")?;
    let cwd = wire.text("directory").unwrap_or_default();
    let root = wire.text("worktree").filter(|it| it.len() > 1);
    let call = Call {
        id: wire.text("callID"),
        tool,
        input,
        project_roots: roots(root.as_deref().unwrap_or(&cwd)),
        cwd,
        session: wire.text("sessionID"),
        ..Call::default()
    };
    Ok(judge(call, Event::BeforeTool))
}

/// Before a tool runs OpenCode cannot ask, so an ask is a refusal.
pub(crate) fn answer(_: &Asked, judgement: &Judgement) -> Answer {
    let said = said(judgement, Able::NotAsk);
    Answer::json(&object([
        ("verdict", said.verdict.word().into()),
        ("reason", said.reason.into()),
    ]))
}

/// The plugin's allow is no objection: OpenCode's own permissions still hold.
pub(crate) fn no_opinion() -> Answer {
    Answer::json(&object([("verdict", "allow".into())]))
}
