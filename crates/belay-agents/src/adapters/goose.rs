//! Goose. Documented, not run. A hook can only block, by `decision` or by exit code 2.

use std::path::PathBuf;

use belay_model::{Call, Judgement, Verdict};

use crate::adapter::{Adapter, Name};
use crate::answer::{Answer, line, object};
use crate::install::shapes::{HOST_WAITS, command, group, hooks_file, with};
use crate::install::way::{Hook, Planned, Way, same_name};
use crate::install::{Stance, Wish};
use crate::reading::{Env, Wire, judge, roots, seen};
use crate::wording::{Able, said};
use crate::{Asked, Event, Heard, Moment, ReadError};

pub(crate) struct Goose;

impl Adapter for Goose {
    fn name(&self) -> Name {
        Name {
            word: "goose",
            title: "Goose",
            also: &[],
        }
    }

    fn read(&self, stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
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

    fn answer(&self, _: &Asked, judgement: &Judgement) -> Answer {
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

    fn folder(&self, wish: &Wish<'_>) -> Planned<PathBuf> {
        Ok(same_name(wish, ".agents/plugins/belay"))
    }

    fn is_present(&self, wish: &Wish<'_>) -> bool {
        wish.home.join(".config/goose").is_dir()
    }

    fn registration(&self, hook: &Hook<'_>) -> Planned<Way> {
        let ours = command(&hook.line, HOST_WAITS);
        let ours = match hook.wish.stance {
            Stance::Gate => with(ours, "on_failure", "block".into()),
            Stance::Observe => ours,
        };
        let plugin = object([
            ("name", "belay".into()),
            ("version", env!("CARGO_PKG_VERSION").into()),
            ("description", "Asks belay before every tool call.".into()),
        ]);
        let hooks = hooks_file("PreToolUse", group(Some(".*"), ours));
        Ok(Way::Own(vec![
            hook.file("plugin.json", &plugin),
            hook.file("hooks/hooks.json", &hooks),
        ]))
    }
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
