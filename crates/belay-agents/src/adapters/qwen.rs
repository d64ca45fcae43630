//! Qwen Code: Gemini's tools behind Claude Code's hooks, and a tool that calls other tools.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use belay_model::{Call, Judgement, Turn, Value};

use crate::adapter::{Adapter, Name};
use crate::adapters::claude_shape;
use crate::answer::{Answer, attended};
use crate::doctor::recipes::{Client, Ground, Scene, extend};
use crate::install::Wish;
use crate::install::shapes::{HOST_WAITS, command, entry, group};
use crate::install::way::{Hook, Planned, Way, same_name};
use crate::reading::{Env, Wire, unpacked};
use crate::transcript::entries::{action, items, text};
use crate::transcript::words::user;
use crate::wording::said;
use crate::{Asked, Event, Heard, HostRules, ReadError};

/// How many calls inside calls are unwrapped; one more stays wrapped, and unknown.
const DEEPEST: usize = 8;

pub(crate) struct Qwen;

impl Adapter for Qwen {
    fn name(&self) -> Name {
        Name {
            word: "qwen",
            title: "Qwen Code",
            also: &["qwen-code"],
        }
    }

    fn read(&self, stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
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

    fn answer(&self, asked: &Asked, judgement: &Judgement) -> Answer {
        let said = said(judgement, attended(asked));
        match asked.event {
            Event::BeforeTool => claude_shape::before_tool(&said),
            Event::Approval => claude_shape::approval(&said),
        }
    }

    /// Finds the rules in the files that Qwen Code reads; they look like Claude Code's.
    fn host_rules(&self, call: &Call, _: Env<'_>) -> HostRules {
        let around = call.project_roots.iter().chain([&call.cwd]);
        let all = call.home.iter().chain(&call.env_home).chain(around);
        let files: Vec<PathBuf> = all
            .map(|it| Path::new(it).join(".qwen/settings.json"))
            .filter(|it| it.is_absolute())
            .collect();
        HostRules::read(&files)
    }

    fn heeded_folders(&self) -> Option<&'static [&'static str]> {
        Some(&["directory"])
    }

    fn turns(&self, entry: &Value) -> Vec<Turn> {
        turns(entry)
    }

    fn folder(&self, wish: &Wish<'_>) -> Planned<PathBuf> {
        Ok(same_name(wish, ".qwen"))
    }

    fn registration(&self, hook: &Hook<'_>) -> Planned<Way> {
        let item = || group(Some(".*"), command(&hook.line, HOST_WAITS * 1000));
        let entries = vec![
            entry("PreToolUse", item()),
            entry("PermissionRequest", item()),
        ];
        Ok(hook.merge("settings.json", entries))
    }

    fn client(&self) -> Option<Client> {
        Some(Client {
            program: "qwen",
            version: "0.24.4",
            prepare,
        })
    }

    fn shared_event(&self) -> Option<&'static str> {
        Some("PreToolUse")
    }

    fn project_settings(&self) -> &'static [&'static str] {
        &[".qwen/settings.json"]
    }

    fn limit(&self) -> Option<&'static str> {
        Some("the agent runs the call when its own time-out (60 s) expires")
    }
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

fn turns(entry: &Value) -> Vec<Turn> {
    let Some(message) = entry.get("message") else {
        return Vec::new();
    };
    let parts = items(message, "parts");
    let theirs = text(entry, "provenance") == "real_user";
    match text(entry, "type") {
        "user" if theirs => parts
            .iter()
            .filter_map(|it| user(text(it, "text")))
            .collect(),
        "assistant" => parts
            .iter()
            .filter_map(|part| part.get("functionCall"))
            .filter_map(|call| action(text(call, "name"), call.get("args")))
            .collect(),
        _ => Vec::new(),
    }
}

fn prepare(command: &mut Command, scene: &Scene<'_>) -> io::Result<()> {
    extend(
        &scene.home.join(".qwen/settings.json"),
        r#""security":{"auth":{"selectedType":"openai"}}"#,
    )?;
    let base = format!("{}/v1", scene.url);
    command
        .envs([
            ("OPENAI_API_KEY", "dummy"),
            ("OPENAI_BASE_URL", base.as_str()),
            ("OPENAI_MODEL", "scripted-model"),
            ("QWEN_CODE_NO_RELAUNCH", "true"),
        ])
        .args(["-p", "run it"]);
    if scene.ground != Ground::Asking {
        command.arg("--yolo");
    }
    Ok(())
}
