//! Windsurf. Documented, not run. Only exit code 2 blocks; nothing can allow or ask.

use std::path::PathBuf;

use belay_model::{Call, Judgement, Value, Verdict};

use crate::adapter::{Adapter, Name};
use crate::answer::{Answer, object};
use crate::install::Wish;
use crate::install::shapes::entry;
use crate::install::way::{Hook, Planned, Way, by_reach};
use crate::reading::{Env, Wire, judge, roots, seen};
use crate::wording::{Able, said};
use crate::{Asked, Event, Heard, Moment, ReadError};

/// The events at which Windsurf waits for us.
const EVENTS: [&str; 4] = [
    "pre_run_command",
    "pre_write_code",
    "pre_read_code",
    "pre_mcp_tool_use",
];

pub(crate) struct Windsurf;

impl Adapter for Windsurf {
    fn name(&self) -> Name {
        Name {
            word: "windsurf",
            title: "Windsurf",
            also: &["cascade"],
        }
    }

    fn read(&self, stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
        let mut wire = Wire::new(stdin, env)?;
        let event = wire.must("agent_action_name")?;
        let session = wire.text("trajectory_id");
        let told = wire.take("tool_info").unwrap_or_default();
        let place = wire.env("WINDSURF_PROJECT_DIR").or_else(|| wire.env("PWD"));
        let (tool, input) = match event.as_str() {
            "pre_run_command" => ("run_command".to_owned(), command(&told)?),
            "pre_write_code" => ("write_code".to_owned(), told.clone()),
            "pre_read_code" => ("read_file".to_owned(), told.clone()),
            "pre_mcp_tool_use" => mcp(&told)?,
            "pre_user_prompt" => {
                let prompt = told.get("user_prompt").and_then(Value::text);
                let call = Call {
                    session,
                    ..Call::default()
                };
                return Ok(seen(call, Moment::Prompt, prompt.map(str::to_owned)));
            }
            known if known.starts_with("post_") => return Ok(Heard::Ignore),
            _ => return Err(ReadError::UnknownEvent(event)),
        };
        if input.members().is_none() {
            return Err(ReadError::Missing("tool_info"));
        }
        let cwd = told.get("cwd").and_then(Value::text).unwrap_or_default();
        let root = place.unwrap_or_else(|| cwd.to_owned());
        let call = Call {
            tool,
            input,
            cwd: if cwd.is_empty() {
                root.clone()
            } else {
                cwd.to_owned()
            },
            project_roots: roots(&root),
            session,
            ..Call::default()
        };
        Ok(judge(call, Event::BeforeTool))
    }

    fn answer(&self, _: &Asked, judgement: &Judgement) -> Answer {
        let said = said(judgement, Able::NotAsk);
        match said.verdict {
            Verdict::Allow => Answer::silent(),
            Verdict::Ask | Verdict::Deny => Answer::blocked(&said.reason),
        }
    }

    fn folder(&self, wish: &Wish<'_>) -> Planned<PathBuf> {
        Ok(by_reach(
            wish,
            wish.home.join(".codeium/windsurf"),
            ".windsurf",
        ))
    }

    fn registration(&self, hook: &Hook<'_>) -> Planned<Way> {
        let ours = object([
            ("command", hook.line.as_str().into()),
            ("show_output", Value::Bool(true)),
        ]);
        let entries = EVENTS.map(|event| entry(event, ours.clone()));
        Ok(hook.merge("hooks.json", entries.into()))
    }

    fn limit(&self) -> Option<&'static str> {
        Some("documented, not run: the agent runs the call when the hook times out")
    }
}

/// Gives the command the name it has elsewhere. What else is told stays, so that nothing is lost; the
/// folder is the call's.
fn command(told: &Value) -> Result<Value, ReadError> {
    let line = told.get("command_line").and_then(Value::text);
    let line = line.ok_or(ReadError::Missing("tool_info.command_line"))?;
    let rest = told.members().unwrap_or_default().iter();
    let rest = rest.filter(|(name, _)| !["command_line", "cwd"].contains(&name.as_str()));
    let own = [("command".to_owned(), line.into())].into_iter();
    Ok(Value::Object(own.chain(rest.cloned()).collect()))
}

fn mcp(told: &Value) -> Result<(String, Value), ReadError> {
    let name = |member| told.get(member).and_then(Value::text);
    let server = name("mcp_server_name").ok_or(ReadError::Missing("tool_info.mcp_server_name"))?;
    let tool = name("mcp_tool_name").ok_or(ReadError::Missing("tool_info.mcp_tool_name"))?;
    let input = told.get("mcp_tool_arguments").cloned();
    let input = input.unwrap_or_else(|| object([]));
    Ok((format!("mcp__{server}__{tool}"), input))
}
