//! Copilot CLI. The spelling of the event in its settings picks one of two dialects; in the camel
//! one the event is not named at all, except for `permissionRequest`.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use belay_model::{Call, Judgement, Turn, Value, Verdict};

use crate::adapter::{Adapter, Name};
use crate::adapters::claude_shape;
use crate::answer::{Answer, attended, object};
use crate::doctor::recipes::{Client, Ground, Scene};
use crate::install::shapes::{HOST_WAITS, number};
use crate::install::way::{Hook, Planned, Way, by_reach, moved_or};
use crate::install::{Reach, Wish};
use crate::patience::{self, Registered};
use crate::reading::{Env, Wire, judge, roots, seen};
use crate::transcript::entries::{action, text};
use crate::transcript::words::user;
use crate::wording::{Said, said};
use crate::{Agent, Asked, Event, Heard, Moment, ReadError, Spelling};

/// Where hooks of the machine's owner lie, on Linux and on macOS: no settings switch them off.
const MANAGED: &str = "/etc/github-copilot";

pub(crate) struct Copilot;

impl Adapter for Copilot {
    fn name(&self) -> Name {
        Name {
            word: "copilot",
            title: "Copilot CLI",
            also: &["copilot-cli"],
        }
    }

    fn read(&self, stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
        let mut wire = Wire::new(stdin, env)?;
        if wire.has("hook_event_name") {
            let project = wire.env("COPILOT_PROJECT_DIR");
            return claude_shape::read(&mut wire, project);
        }
        let event = wire.text("hookName");
        match event.as_deref() {
            Some("permissionRequest") => camel_judge(&mut wire, "toolInput", Event::Approval),
            Some("preToolUse") | None if wire.has("toolResult") => Ok(after(&mut wire)),
            Some("preToolUse") | None if wire.has("toolName") => {
                camel_judge(&mut wire, "toolArgs", Event::BeforeTool)
            }
            None if wire.has("prompt") => {
                let prompt = wire.text("prompt");
                Ok(seen(call(&mut wire), Moment::Prompt, prompt))
            }
            None if wire.has("source") => Ok(seen(call(&mut wire), Moment::SessionStart, None)),
            Some(other) => Err(ReadError::UnknownEvent(other.to_owned())),
            None => Err(ReadError::Missing("toolName")),
        }
    }

    fn answer(&self, asked: &Asked, judgement: &Judgement) -> Answer {
        let said = said(judgement, attended(asked));
        match (asked.event, asked.spelling) {
            (Event::BeforeTool, Spelling::Snake) => claude_shape::before_tool(&said),
            (Event::Approval, Spelling::Snake) => claude_shape::approval(&said),
            (Event::BeforeTool, Spelling::Camel) => Answer::json(&object([
                ("permissionDecision", said.verdict.word().into()),
                ("permissionDecisionReason", said.reason.into()),
            ])),
            (Event::Approval, Spelling::Camel) => camel_approval(&said),
        }
    }

    fn waits(&self, call: &Call, env: Env<'_>) -> Option<Duration> {
        let registered = Registered {
            agent: Agent::Copilot,
            event: "preToolUse",
            time: "timeoutSec",
            unit: Duration::from_secs(1),
        };
        let mut files = patience::around(call, ".copilot/hooks/belay.json");
        files.extend(patience::around(call, ".github/hooks/belay.json"));
        files.push(Path::new(MANAGED).join("policy.d/50-belay.json"));
        files.extend(env("COPILOT_HOME").map(|it| Path::new(&it).join("hooks/belay.json")));
        registered.in_files(&files)
    }

    fn heeded_folders(&self) -> Option<&'static [&'static str]> {
        Some(&[])
    }

    fn turns(&self, entry: &Value) -> Vec<Turn> {
        turns(entry)
    }

    fn folder(&self, wish: &Wish<'_>) -> Planned<PathBuf> {
        Ok(by_reach(
            wish,
            moved_or(wish, "COPILOT_HOME", ".copilot"),
            ".github",
        ))
    }

    fn registration(&self, hook: &Hook<'_>) -> Planned<Way> {
        let line = object([
            ("type", "command".into()),
            ("bash", hook.line.as_str().into()),
            ("timeoutSec", number(HOST_WAITS)),
        ]);
        let hooks = object([("preToolUse", Value::Array(vec![line]))]);
        let whole = object([("version", number(1)), ("hooks", hooks)]);
        let name = match hook.wish.reach {
            Reach::User | Reach::Project => "hooks/belay.json",
            Reach::Managed => "policy.d/50-belay.json",
        };
        Ok(Way::Own(vec![hook.file(name, &whole)]))
    }

    fn managed_folder(&self) -> Option<&'static str> {
        Some(MANAGED)
    }

    /// Copilot reads Claude Code's files in a repository beside its own.
    fn project_settings(&self) -> &'static [&'static str] {
        &[
            ".github/copilot/settings.json",
            ".github/copilot/settings.local.json",
            ".claude/settings.json",
            ".claude/settings.local.json",
        ]
    }

    fn note(&self, reach: Reach) -> Option<&'static str> {
        match reach {
            Reach::Project => Some("hooks of a repository run only in a trusted folder"),
            Reach::User | Reach::Managed => None,
        }
    }

    fn client(&self) -> Option<Client> {
        Some(Client {
            program: "copilot",
            version: "1.0.102",
            prepare,
        })
    }

    fn limit(&self) -> Option<&'static str> {
        Some("the agent runs the call when its own time-out (60 s) expires")
    }
}

fn camel_judge(wire: &mut Wire<'_>, input: &'static str, event: Event) -> Result<Heard, ReadError> {
    let tool = wire.must("toolName")?;
    let input = wire.object(input)?;
    let call = Call {
        tool,
        input,
        ..call(wire)
    };
    let mut heard = judge(call, event);
    if let Heard::Judge(asked) = &mut heard {
        asked.spelling = Spelling::Camel;
    }
    Ok(heard)
}

fn after(wire: &mut Wire<'_>) -> Heard {
    let tool = wire.text("toolName").unwrap_or_default();
    let input = wire.object("toolArgs").unwrap_or_default();
    let call = Call {
        tool,
        input,
        ..call(wire)
    };
    seen(call, Moment::AfterTool, None)
}

fn call(wire: &mut Wire<'_>) -> Call {
    let cwd = wire.text("cwd").unwrap_or_default();
    let session = wire.text("sessionId");
    let project = wire.env("COPILOT_PROJECT_DIR");
    Call {
        project_roots: roots(project.as_deref().unwrap_or(&cwd)),
        transcript_path: session.as_deref().and_then(|id| transcript(wire, id)),
        cwd,
        session,
        ..Call::default()
    }
}

/// Returns where the session's events lie; the hook is not told.
fn transcript(wire: &Wire<'_>, session: &str) -> Option<String> {
    if session.contains(['/', '\\']) || session.starts_with('.') {
        return None;
    }
    let home = wire
        .env("COPILOT_HOME")
        .or_else(|| wire.env("HOME").map(|home| home + "/.copilot"))?;
    Some(format!("{home}/session-state/{session}/events.jsonl"))
}

fn camel_approval(said: &Said) -> Answer {
    match said.verdict {
        Verdict::Allow => Answer::json(&object([("behavior", "allow".into())])),
        Verdict::Ask => Answer::silent(),
        Verdict::Deny => Answer::json(&object([
            ("behavior", "deny".into()),
            ("message", said.reason.as_str().into()),
        ])),
    }
}

fn turns(entry: &Value) -> Vec<Turn> {
    let Some(told) = entry.get("data") else {
        return Vec::new();
    };
    match text(entry, "type") {
        "user.message" if matches!(text(told, "source"), "" | "user") => {
            user(text(told, "content")).into_iter().collect()
        }
        "tool.execution_start" => action(text(told, "toolName"), told.get("arguments"))
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

fn prepare(command: &mut Command, scene: &Scene<'_>) -> io::Result<()> {
    let base = format!("{}/v1", scene.url);
    command
        .envs([
            ("COPILOT_OFFLINE", "true"),
            ("COPILOT_AUTO_UPDATE", "false"),
            ("COPILOT_PROVIDER_BASE_URL", base.as_str()),
            ("COPILOT_PROVIDER_TYPE", "openai"),
            ("COPILOT_PROVIDER_API_KEY", "dummy"),
            ("COPILOT_MODEL", "scripted-model"),
        ])
        .args(["-p", "run it", "--no-auto-update", "--trust-folder"]);
    if scene.ground == Ground::Open {
        command.arg("--allow-all-tools");
    }
    Ok(())
}
