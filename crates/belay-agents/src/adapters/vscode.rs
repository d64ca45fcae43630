//! The agent of VS Code: Claude Code's protocol, sometimes in camel case. Documented, not run.

use std::path::PathBuf;

use belay_model::{Judgement, Turn, Value};

use crate::adapter::{Adapter, NOT_RUN, Name};
use crate::adapters::claude_shape;
use crate::answer::{Answer, attended};
use crate::install::shapes::{HOST_WAITS, command, hooks_file};
use crate::install::way::{Hook, Planned, Way, by_reach, moved_or};
use crate::install::{Reach, Wish};
use crate::reading::{Env, Wire, judge, roots, seen};
use crate::wording::said;
use crate::{Asked, Event, Heard, Moment, ReadError};

pub(crate) struct VsCode;

impl Adapter for VsCode {
    fn name(&self) -> Name {
        Name {
            word: "vscode",
            title: "VS Code",
            also: &["vs-code", "code"],
        }
    }

    fn read(&self, stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
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

    fn answer(&self, asked: &Asked, judgement: &Judgement) -> Answer {
        let said = said(judgement, attended(asked));
        match asked.event {
            Event::BeforeTool => claude_shape::before_tool(&said),
            Event::Approval => claude_shape::approval(&said),
        }
    }

    fn turns(&self, entry: &Value) -> Vec<Turn> {
        // Nobody has seen whose words stand in the user's place.
        claude_shape::actions(entry)
    }

    fn folder(&self, wish: &Wish<'_>) -> Planned<PathBuf> {
        Ok(by_reach(
            wish,
            moved_or(wish, "COPILOT_HOME", ".copilot"),
            ".github",
        ))
    }

    /// Shares its folder with Copilot CLI, so another one tells that it is here.
    fn is_present(&self, wish: &Wish<'_>) -> bool {
        wish.home.join(".vscode").is_dir()
    }

    fn registration(&self, hook: &Hook<'_>) -> Planned<Way> {
        let whole = hooks_file("PreToolUse", command(&hook.line, HOST_WAITS));
        Ok(Way::Own(vec![hook.file("hooks/belay-vscode.json", &whole)]))
    }

    fn note(&self, reach: Reach) -> Option<&'static str> {
        Some(match reach {
            Reach::Project => "hooks of a repository run only in a trusted folder",
            Reach::User | Reach::Managed => NOT_RUN,
        })
    }

    fn limit(&self) -> Option<&'static str> {
        Some("documented, not run: the agent runs the call when the hook times out")
    }
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
