//! Amp, as the program a `delegate` rule names. Documented, not run. The tool's input comes on
//! stdin, its name in a variable; the exit code is the verdict: 0 allow, 1 ask, 2 reject.

use belay_model::{Call, Judgement, Verdict};

use crate::answer::{Answer, attended, line};
use crate::reading::{Env, judge, roots, unpacked};
use crate::wording::said;
use crate::{Asked, Event, Heard, ReadError};

const ASK: i32 = 1;

pub(crate) fn read(stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
    let tool = env("AGENT_TOOL_NAME").or_else(|| env("TOOL_NAME"));
    let tool = tool.filter(|name| !name.is_empty());
    let input = unpacked(belay_journal::json::read(stdin)?).ok_or(ReadError::NotAnObject)?;
    let cwd = env("PWD").unwrap_or_default();
    let call = Call {
        tool: tool.ok_or(ReadError::Missing("AGENT_TOOL_NAME"))?,
        input,
        project_roots: roots(&cwd),
        cwd,
        session: env("AMP_THREAD_ID").or_else(|| env("AGENT_THREAD_ID")),
        ..Call::default()
    };
    Ok(judge(call, Event::BeforeTool))
}

pub(crate) fn answer(asked: &Asked, judgement: &Judgement) -> Answer {
    let said = said(judgement, attended(asked));
    match said.verdict {
        Verdict::Allow => Answer::silent(),
        Verdict::Ask => Answer {
            stderr: line(&said.reason),
            code: ASK,
            ..Answer::silent()
        },
        Verdict::Deny => Answer::blocked(&said.reason),
    }
}

/// A delegate cannot step aside; asking the person is what Amp does without rules.
pub(crate) fn no_opinion() -> Answer {
    Answer {
        code: ASK,
        ..Answer::silent()
    }
}
