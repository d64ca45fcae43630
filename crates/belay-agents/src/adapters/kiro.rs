//! Kiro. Documented, not run. Only exit code 2 blocks; older editors send the JSON in a variable.

use std::path::PathBuf;

use belay_model::{Judgement, Value, Verdict};

use crate::adapter::{Adapter, Name};
use crate::adapters::claude_shape;
use crate::answer::{Answer, object};
use crate::install::Wish;
use crate::install::shapes::{HOST_WAITS, number};
use crate::install::way::{Hook, Planned, Way, same_name};
use crate::reading::{Env, Wire, judge, seen};
use crate::wording::{Able, said};
use crate::{Asked, Event, Heard, Moment, ReadError};

pub(crate) struct Kiro;

impl Adapter for Kiro {
    fn name(&self) -> Name {
        Name {
            word: "kiro",
            title: "Kiro",
            also: &[],
        }
    }

    fn read(&self, stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
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

    fn answer(&self, _: &Asked, judgement: &Judgement) -> Answer {
        let said = said(judgement, Able::NotAsk);
        match said.verdict {
            Verdict::Allow => Answer::silent(),
            Verdict::Ask | Verdict::Deny => Answer::blocked(&said.reason),
        }
    }

    fn folder(&self, wish: &Wish<'_>) -> Planned<PathBuf> {
        Ok(same_name(wish, ".kiro"))
    }

    fn registration(&self, hook: &Hook<'_>) -> Planned<Way> {
        let action = object([
            ("type", "command".into()),
            ("command", hook.line.as_str().into()),
        ]);
        let ours = object([
            ("name", "belay".into()),
            ("trigger", "PreToolUse".into()),
            ("matcher", ".*".into()),
            ("action", action),
            ("timeout", number(HOST_WAITS)),
        ]);
        let whole = object([
            ("version", "v1".into()),
            ("hooks", Value::Array(vec![ours])),
        ]);
        Ok(Way::Own(vec![hook.file("hooks/belay.json", &whole)]))
    }

    fn limit(&self) -> Option<&'static str> {
        Some("documented, not run: the agent runs the call when the hook times out")
    }
}
