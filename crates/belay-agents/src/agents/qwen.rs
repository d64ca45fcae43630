//! Qwen Code: Gemini's tools behind Claude Code's hooks, and a tool that calls other tools.

use std::path::{Path, PathBuf};

use belay_model::{Call, Judgement, Value};

use crate::agents::claude_shape;
use crate::answer::{Answer, attended};
use crate::reading::{Env, Wire, unpacked};
use crate::wording::said;
use crate::{Asked, Event, Heard, HostRules, ReadError};

/// How many calls inside calls are unwrapped; one more stays wrapped, and unknown.
const DEEPEST: usize = 8;

pub(crate) fn read(stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
    let mut wire = Wire::new(stdin, env)?;
    let project = wire
        .env("QWEN_PROJECT_DIR")
        .or_else(|| wire.env("GEMINI_PROJECT_DIR"));
    let mut heard = claude_shape::read(&mut wire, project)?;
    if let Heard::Judge(asked) = &mut heard {
        unwrap(&mut asked.call)?;
    }
    Ok(heard)
}

/// Puts the tool that is really called in the place of `tool_call`.
fn unwrap(call: &mut Call) -> Result<(), ReadError> {
    for _ in 0..DEEPEST {
        if call.tool != "tool_call" {
            return Ok(());
        }
        let name = call.input.get("name").and_then(Value::text);
        let name = name
            .ok_or(ReadError::Missing("tool_input.name"))?
            .to_owned();
        let arguments = call.input.get("arguments").cloned().unwrap_or_default();
        call.input = unpacked(arguments).ok_or(ReadError::Missing("tool_input.arguments"))?;
        call.tool = name;
    }
    Ok(())
}

/// Finds the rules in the files that Qwen Code reads; they look like Claude Code's.
pub(crate) fn rules(call: &Call) -> HostRules {
    let around = call.project_roots.iter().chain([&call.cwd]);
    let all = call.home.iter().chain(&call.env_home).chain(around);
    let files: Vec<PathBuf> = all
        .map(|it| Path::new(it).join(".qwen/settings.json"))
        .filter(|it| it.is_absolute())
        .collect();
    HostRules::read(&files)
}

pub(crate) fn answer(asked: &Asked, judgement: &Judgement) -> Answer {
    let said = said(judgement, attended(asked));
    match asked.event {
        Event::BeforeTool => claude_shape::before_tool(&said),
        Event::Approval => claude_shape::approval(&said),
    }
}
