//! What our hook looks like in each agent's settings.

use std::path::PathBuf;

use belay_journal::json;
use belay_model::Value;

use super::jsonc::End;
use super::registration::{anchor_words, anchored, folder, guarded, hook_path};
use super::{Door, InstallError, Stance, Wish};
use crate::Agent;
use crate::answer::object;

/// How long hosts may wait for us, in seconds. Our own deadline lies far below.
const HOST_WAITS: u32 = 60;

/// One item of ours in a list of an agent's settings.
pub(super) struct Entry {
    pub(super) path: Vec<&'static str>,
    pub(super) item: Value,
    pub(super) end: End,
}

fn entry(event: &'static str, item: Value) -> Entry {
    Entry {
        path: vec!["hooks", event],
        item,
        end: End::Last,
    }
}

fn number(number: u32) -> Value {
    Value::Number(number.to_string())
}

/// Makes a group of Claude Code's shape with one command in it.
fn group(matcher: Option<&str>, hook: Value) -> Value {
    let hooks = ("hooks", Value::Array(vec![hook]));
    match matcher {
        Some(matcher) => object([("matcher", matcher.into()), hooks]),
        None => object([hooks]),
    }
}

fn command(line: &str, timeout: u32) -> Value {
    object([
        ("type", "command".into()),
        ("command", line.into()),
        ("timeout", number(timeout)),
    ])
}

fn with(mut value: Value, name: &str, member: Value) -> Value {
    if let Value::Object(members) = &mut value {
        members.push((name.to_owned(), member));
    }
    value
}

pub(super) fn claude(wish: &Wish<'_>, line: &str, looks: &str) -> Result<Vec<Entry>, InstallError> {
    let hook = match wish.door {
        Some(door) => request(wish.agent, door),
        None => command(line, HOST_WAITS),
    };
    let hook = match wish.stance {
        Stance::Gate => with(hook, "onFailure", "block".into()),
        Stance::Observe => hook,
    };
    let look = || group(None, command(looks, HOST_WAITS));
    let begin = match wish.door {
        Some(door) => group(None, command(&with_daemon(wish, door, looks)?, HOST_WAITS)),
        None => look(),
    };
    Ok(vec![
        entry("PreToolUse", group(Some("*"), hook.clone())),
        entry("PermissionRequest", group(Some("*"), hook)),
        entry("PermissionDenied", look()),
        entry("UserPromptSubmit", look()),
        entry("SessionStart", begin),
    ])
}

/// A question to the daemon. The client tells in headers what a program would see around it.
fn request(agent: Agent, door: Door<'_>) -> Value {
    let told = ["CLAUDE_CODE_ENTRYPOINT", "BELAY_HEADLESS", "HOME"];
    let headers = object([
        ("Authorization", format!("Bearer {}", door.token).into()),
        (
            "Belay-Env-Claude-Code-Entrypoint",
            "$CLAUDE_CODE_ENTRYPOINT".into(),
        ),
        ("Belay-Env-Belay-Headless", "$BELAY_HEADLESS".into()),
        ("Belay-Env-Home", "$HOME".into()),
    ]);
    let url = format!("http://127.0.0.1:{}{}", door.port, hook_path(agent));
    object([
        ("type", "http".into()),
        ("url", url.into()),
        ("timeout", number(HOST_WAITS)),
        ("headers", headers),
        (
            "allowedEnvVars",
            Value::Array(told.map(Value::from).to_vec()),
        ),
    ])
}

/// Sees to it that the daemon runs, before the session goes on.
fn with_daemon(wish: &Wish<'_>, door: Door<'_>, looks: &str) -> Result<String, InstallError> {
    let belay = wish.belay.display();
    let anchor = anchor_words(wish)?;
    Ok(format!(
        "'{belay}' serve --background --http={}{anchor} >&2; {looks}",
        door.port
    ))
}

pub(super) fn codex(line: &str) -> Vec<Entry> {
    let item = || group(Some(".*"), command(line, HOST_WAITS));
    vec![
        entry("PreToolUse", item()),
        entry("PermissionRequest", item()),
    ]
}

pub(super) fn gemini(line: &str) -> Vec<Entry> {
    let hook = object([
        ("type", "command".into()),
        ("name", "belay".into()),
        ("command", line.into()),
        ("timeout", number(HOST_WAITS * 1000)),
    ]);
    vec![entry("BeforeTool", group(Some(".*"), hook))]
}

pub(super) fn qwen(line: &str) -> Vec<Entry> {
    let item = || group(Some(".*"), command(line, HOST_WAITS * 1000));
    vec![
        entry("PreToolUse", item()),
        entry("PermissionRequest", item()),
    ]
}

/// A file of hooks names the event at its top, settings below `hooks`.
pub(super) fn droid(line: &str, below: &[&'static str]) -> Vec<Entry> {
    let item = group(Some("*"), command(line, HOST_WAITS));
    vec![Entry {
        path: [below, &["PreToolUse"]].concat(),
        ..entry("PreToolUse", item)
    }]
}

pub(super) fn cursor(wish: &Wish<'_>, line: &str) -> Vec<Entry> {
    let hook = object([("command", line.into()), ("timeout", number(HOST_WAITS))]);
    let hook = match wish.stance {
        Stance::Gate => with(hook, "failClosed", Value::Bool(true)),
        Stance::Observe => hook,
    };
    let events = [
        "preToolUse",
        "beforeShellExecution",
        "beforeMCPExecution",
        "beforeReadFile",
    ];
    let each = events.into_iter();
    each.map(|event| entry(event, hook.clone())).collect()
}

pub(super) fn windsurf(line: &str) -> Vec<Entry> {
    let events = [
        "pre_run_command",
        "pre_write_code",
        "pre_read_code",
        "pre_mcp_tool_use",
    ];
    let hook = object([("command", line.into()), ("show_output", Value::Bool(true))]);
    let each = events.into_iter();
    each.map(|event| entry(event, hook.clone())).collect()
}

pub(super) fn amp(wish: &Wish<'_>) -> Result<Vec<Entry>, InstallError> {
    let (program, _) = amp_program(wish)?;
    let item = object([
        ("tool", "*".into()),
        ("action", "delegate".into()),
        ("to", program.display().to_string().into()),
    ]);
    Ok(vec![Entry {
        path: vec!["amp.permissions"],
        item,
        end: End::First,
    }])
}

/// Returns the program that Amp delegates to: its rules name a program without words after it.
pub(super) fn amp_program(wish: &Wish<'_>) -> Result<(PathBuf, String), InstallError> {
    let line = guarded(wish, Stance::Observe)?;
    let run = line.trim_end_matches(" || true");
    let text =
        format!("#!/bin/sh\n{run}\ncase $? in 0) exit 0 ;; 1) exit 1 ;; *) exit 2 ;; esac\n");
    Ok((folder(wish)?.join("belay-gate"), text))
}

pub(super) fn copilot(line: &str) -> Value {
    let hook = object([
        ("type", "command".into()),
        ("bash", line.into()),
        ("timeoutSec", number(HOST_WAITS)),
    ]);
    hooks_file(Some(("version", number(1))), "preToolUse", hook)
}

pub(super) fn vscode(line: &str) -> Value {
    hooks_file(None, "PreToolUse", command(line, HOST_WAITS))
}

fn hooks_file(version: Option<(&str, Value)>, event: &str, hook: Value) -> Value {
    let hooks = object([(event, Value::Array(vec![hook]))]);
    match version {
        Some(version) => object([version, ("hooks", hooks)]),
        None => object([("hooks", hooks)]),
    }
}

pub(super) fn kiro(line: &str) -> Value {
    let action = object([("type", "command".into()), ("command", line.into())]);
    let hook = object([
        ("name", "belay".into()),
        ("trigger", "PreToolUse".into()),
        ("matcher", ".*".into()),
        ("action", action),
        ("timeout", number(HOST_WAITS)),
    ]);
    object([
        ("version", "v1".into()),
        ("hooks", Value::Array(vec![hook])),
    ])
}

pub(super) fn goose_plugin() -> Value {
    object([
        ("name", "belay".into()),
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("description", "Asks belay before every tool call.".into()),
    ])
}

pub(super) fn goose(wish: &Wish<'_>, line: &str) -> Value {
    let hook = command(line, HOST_WAITS);
    let hook = match wish.stance {
        Stance::Gate => with(hook, "on_failure", "block".into()),
        Stance::Observe => hook,
    };
    let item = group(Some(".*"), hook);
    object([("hooks", object([("PreToolUse", Value::Array(vec![item]))]))])
}

pub(super) fn opencode(wish: &Wish<'_>) -> String {
    let words =
        |(name, path): (&str, &std::path::Path)| [name.into(), path.display().to_string().into()];
    let anchor: Vec<Value> = anchored(wish).into_iter().flat_map(words).collect();
    let mut path = String::new();
    json::write_string(&wish.belay.display().to_string(), &mut path);
    let strict = match wish.stance {
        Stance::Gate => "true",
        Stance::Observe => "false",
    };
    include_str!("opencode_plugin.js")
        .replace("\"BELAY_PATH\"", &path)
        .replace("BELAY_STRICT", strict)
        .replace("BELAY_ANCHOR", &json::compact(&Value::Array(anchor)))
}
