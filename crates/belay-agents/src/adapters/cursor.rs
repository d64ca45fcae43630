//! Cursor. Documented, not run. Early versions spelled the messages in camel case: both are sent.

use std::path::PathBuf;

use belay_model::{Call, Judgement, Turn, Value, Verdict};

use crate::adapter::{Adapter, Name};
use crate::adapters::claude_shape;
use crate::answer::{Answer, attended, object};
use crate::install::shapes::{HOST_WAITS, entry, number, with};
use crate::install::way::{Claim, Hook, Member, Planned, Way, same_name};
use crate::install::{Stance, Wish};
use crate::reading::{Env, Wire, judge, roots, seen};
use crate::wording::{Able, said};
use crate::{Asked, Event, Heard, Moment, ReadError};

/// The events at which Cursor waits for us.
const EVENTS: [&str; 4] = [
    "preToolUse",
    "beforeShellExecution",
    "beforeMCPExecution",
    "beforeReadFile",
];

pub(crate) struct Cursor;

impl Adapter for Cursor {
    fn name(&self) -> Name {
        Name {
            word: "cursor",
            title: "Cursor",
            also: &[],
        }
    }

    fn read(&self, stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
        let mut wire = Wire::new(stdin, env)?;
        let event = wire.must("hook_event_name")?;
        let (tool, input) = match event.as_str() {
            "preToolUse" => (wire.must("tool_name")?, wire.object("tool_input")?),
            "beforeShellExecution" => {
                let command = wire.must("command")?;
                ("Shell".to_owned(), object([("command", command.into())]))
            }
            "beforeMCPExecution" => {
                let tool = format!("MCP:{}", wire.must("tool_name")?);
                (tool, wire.object("tool_input")?)
            }
            "beforeReadFile" => {
                let path = wire.must("file_path")?;
                ("Read".to_owned(), object([("file_path", path.into())]))
            }
            _ => return observed(wire, event),
        };
        Ok(judge(call(&mut wire, tool, input), Event::BeforeTool))
    }

    fn answer(&self, asked: &Asked, judgement: &Judgement) -> Answer {
        // `beforeReadFile` knows allow and deny only; a read that needs a person is refused.
        let able = match asked.call.tool.as_str() {
            "Read" => Able::NotAsk,
            _ => attended(asked),
        };
        let said = said(judgement, able);
        let text = || Value::from(said.reason.as_str());
        match said.verdict {
            Verdict::Allow => Answer::json(&object([("permission", "allow".into())])),
            Verdict::Ask | Verdict::Deny => Answer::json(&object([
                ("permission", said.verdict.word().into()),
                ("user_message", text()),
                ("agent_message", text()),
                ("userMessage", text()),
                ("agentMessage", text()),
            ])),
        }
    }

    fn turns(&self, entry: &Value) -> Vec<Turn> {
        // Nobody has seen whose words stand in the user's place.
        claude_shape::actions(entry)
    }

    fn folder(&self, wish: &Wish<'_>) -> Planned<PathBuf> {
        Ok(same_name(wish, ".cursor"))
    }

    fn registration(&self, hook: &Hook<'_>) -> Planned<Way> {
        let ours = object([
            ("command", hook.line.as_str().into()),
            ("timeout", number(HOST_WAITS)),
        ]);
        let ours = match hook.wish.stance {
            Stance::Gate => with(ours, "failClosed", Value::Bool(true)),
            Stance::Observe => ours,
        };
        let entries = EVENTS.map(|event| entry(event, ours.clone()));
        let mut settings = hook.settings("hooks.json", entries.into());
        settings.members.push(Member {
            path: vec!["version"],
            value: number(1),
            claim: Claim::AnyValue,
        });
        Ok(Way::Merge(vec![settings]))
    }

    fn shared_event(&self) -> Option<&'static str> {
        Some("preToolUse")
    }
}

fn observed(mut wire: Wire<'_>, event: String) -> Result<Heard, ReadError> {
    let moment = match event.as_str() {
        "postToolUse" | "afterShellExecution" | "afterMCPExecution" | "afterFileEdit" => {
            Moment::AfterTool
        }
        "postToolUseFailure" => Moment::AfterFailure,
        "beforeSubmitPrompt" => Moment::Prompt,
        "sessionStart" => Moment::SessionStart,
        "sessionEnd" => Moment::SessionEnd,
        "subagentStart" | "subagentStop" | "preCompact" | "stop" | "afterAgentResponse"
        | "afterAgentThought" => return Ok(Heard::Ignore),
        _ => return Err(ReadError::UnknownEvent(event)),
    };
    let tool = wire.text("tool_name").unwrap_or_default();
    let input = wire.object("tool_input").unwrap_or_default();
    let prompt = wire.text("prompt");
    Ok(seen(call(&mut wire, tool, input), moment, prompt))
}

fn call(wire: &mut Wire<'_>, tool: String, input: Value) -> Call {
    let folders = wire.texts("workspace_roots");
    let session = wire.text("conversation_id");
    let mut call = wire.call(tool, input);
    call.session = session.or(call.session);
    if call.cwd.is_empty() {
        call.cwd = folders.first().cloned().unwrap_or_default();
    }
    call.project_roots = if folders.is_empty() {
        roots(&call.cwd)
    } else {
        folders
    };
    call
}
