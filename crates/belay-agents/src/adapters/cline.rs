//! Cline. Documented, not run. A hook can only cancel.

use std::path::{Path, PathBuf};

use belay_model::{Call, Judgement, Value, Verdict};

use crate::adapter::{Adapter, Name};
use crate::answer::{Answer, object};
use crate::install::way::{Hook, OwnFile, Planned, Way, by_reach};
use crate::install::{Runs, Wish};
use crate::reading::{Env, Wire, judge, seen, unpacked};
use crate::wording::{Able, said};
use crate::{Asked, Event, Heard, Moment, ReadError};

pub(crate) struct Cline;

impl Adapter for Cline {
    fn name(&self) -> Name {
        Name {
            word: "cline",
            title: "Cline",
            also: &[],
        }
    }

    fn read(&self, stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
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

    fn answer(&self, _: &Asked, judgement: &Judgement) -> Answer {
        let said = said(judgement, Able::NotAsk);
        match said.verdict {
            Verdict::Allow => Answer::json(&object([("cancel", Value::Bool(false))])),
            Verdict::Ask | Verdict::Deny => Answer::json(&object([
                ("cancel", Value::Bool(true)),
                ("errorMessage", said.reason.into()),
            ])),
        }
    }

    fn folder(&self, wish: &Wish<'_>) -> Planned<PathBuf> {
        Ok(by_reach(
            wish,
            wish.home.join("Documents/Cline/Hooks"),
            ".clinerules/hooks",
        ))
    }

    fn is_present(&self, wish: &Wish<'_>) -> bool {
        let folder = self.folder(wish);
        folder.is_ok_and(|it| it.parent().is_some_and(Path::is_dir))
    }

    fn registration(&self, hook: &Hook<'_>) -> Planned<Way> {
        Ok(Way::Own(vec![OwnFile {
            path: hook.folder.join("PreToolUse"),
            text: format!("#!/bin/sh\n{}\n", hook.line),
            runs: Runs::Yes,
        }]))
    }

    fn limit(&self) -> Option<&'static str> {
        Some("documented, not run: the agent runs the call when the hook times out")
    }
}
