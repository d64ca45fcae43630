//! Gemini CLI. Only a top-level `decision` counts, and an allow means no objection.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use belay_model::{Call, Judgement, Turn, Value};
use sha2::{Digest, Sha256};

use crate::adapter::{Adapter, Name};
use crate::answer::{Answer, attended, object};
use crate::doctor::recipes::{Client, Ground, Scene, extend};
use crate::install::shapes::{HOST_WAITS, entry, group, number};
use crate::install::way::{Claim, Hook, Member, Planned, Way, same_name};
use crate::install::{Reach, Wish};
use crate::patience::{self, Registered};
use crate::reading::{Env, Wire, judge, roots, seen};
use crate::transcript::entries::{action, items, said as said_by_user, text};
use crate::wording::said;
use crate::{Agent, Asked, Event, Heard, Moment, ReadError};

pub(crate) struct Gemini;

impl Adapter for Gemini {
    fn name(&self) -> Name {
        Name {
            word: "gemini",
            title: "Gemini CLI",
            also: &["gemini-cli"],
        }
    }

    fn read(&self, stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
        let mut wire = Wire::new(stdin, env)?;
        let event = wire.must("hook_event_name")?;
        let moment = match event.as_str() {
            "BeforeTool" => return before_tool(&mut wire),
            "AfterTool" => Moment::AfterTool,
            "BeforeAgent" => Moment::Prompt,
            "SessionStart" => Moment::SessionStart,
            "SessionEnd" => Moment::SessionEnd,
            "AfterAgent"
            | "BeforeModel"
            | "AfterModel"
            | "BeforeToolSelection"
            | "Notification"
            | "PreCompress" => return Ok(Heard::Ignore),
            _ => return Err(ReadError::UnknownEvent(event)),
        };
        let tool = wire.text("tool_name").unwrap_or_default();
        let input = wire.take("tool_input").unwrap_or_default();
        let prompt = wire.text("prompt");
        Ok(seen(in_project(&mut wire, tool, input), moment, prompt))
    }

    fn answer(&self, asked: &Asked, judgement: &Judgement) -> Answer {
        let said = said(judgement, attended(asked));
        Answer::json(&object([
            ("decision", said.verdict.word().into()),
            ("reason", said.reason.into()),
        ]))
    }

    fn waits(&self, call: &Call, _env: Env<'_>) -> Option<Duration> {
        let registered = Registered {
            agent: Agent::Gemini,
            event: "BeforeTool",
            time: "timeout",
            unit: Duration::from_millis(1),
        };
        let mut files = patience::around(call, ".gemini/settings.json");
        let managed = self.managed_folder().map(Path::new);
        files.extend(managed.map(|it| it.join("settings.json")));
        registered.in_files(&files)
    }

    fn heeded_folders(&self) -> Option<&'static [&'static str]> {
        Some(&["dir_path"])
    }

    fn turns(&self, entry: &Value) -> Vec<Turn> {
        turns(entry)
    }

    fn lines_replace(&self) -> bool {
        true
    }

    fn folder(&self, wish: &Wish<'_>) -> Planned<PathBuf> {
        Ok(same_name(wish, ".gemini"))
    }

    fn registration(&self, hook: &Hook<'_>) -> Planned<Way> {
        let managed = hook.wish.reach == Reach::Managed;
        let name = if managed {
            own_name()
        } else {
            "belay".to_owned()
        };
        let ours = object([
            ("type", "command".into()),
            ("name", name.into()),
            ("command", hook.line.as_str().into()),
            ("timeout", number(HOST_WAITS * 1000)),
        ]);
        let entry = entry("BeforeTool", group(Some(".*"), ours));
        let mut settings = hook.settings("settings.json", vec![entry]);
        if managed {
            settings.members.push(Member {
                path: vec!["hooksConfig", "enabled"],
                value: Value::Bool(true),
                claim: Claim::Exactly,
            });
        }
        Ok(Way::Merge(vec![settings]))
    }

    fn managed_folder(&self) -> Option<&'static str> {
        Some(if cfg!(target_os = "macos") {
            "/Library/Application Support/GeminiCli"
        } else {
            "/etc/gemini-cli"
        })
    }

    fn note(&self, _: Reach) -> Option<&'static str> {
        Some(
            "a hook of Gemini CLI can refuse but not approve: use `--yolo` or `tools.allowed` and \
             let belay refuse",
        )
    }

    fn client(&self) -> Option<Client> {
        Some(Client {
            program: "gemini",
            version: "0.61.0",
            prepare,
        })
    }

    fn shared_event(&self) -> Option<&'static str> {
        Some("BeforeTool")
    }

    fn project_settings(&self) -> &'static [&'static str] {
        &[".gemini/settings.json"]
    }

    fn limit(&self) -> Option<&'static str> {
        Some("the agent runs the call when its own time-out (60 s) expires")
    }
}

/// Returns a name that a repository cannot know: one that it lists in `hooksConfig.disabled` is skipped, wherever it was
/// registered.
fn own_name() -> String {
    let machine = std::fs::read("/etc/machine-id").unwrap_or_default();
    let digest = Sha256::new_with_prefix("belay")
        .chain_update(machine)
        .finalize();
    let hex: String = digest
        .iter()
        .take(8)
        .map(|it| format!("{it:02x}"))
        .collect();
    format!("belay-{hex}")
}

fn before_tool(wire: &mut Wire<'_>) -> Result<Heard, ReadError> {
    let tool = wire.must("tool_name")?;
    let mut input = wire.object("tool_input")?;
    if tool == "web_fetch" {
        name_addresses(&mut input);
    }
    Ok(judge(in_project(wire, tool, input), Event::BeforeTool))
}

fn in_project(wire: &mut Wire<'_>, tool: String, input: Value) -> belay_model::Call {
    let project = wire.env("GEMINI_PROJECT_DIR");
    let mut call = wire.call(tool, input);
    if let Some(project) = project {
        call.project_roots = roots(&project);
    }
    call
}

/// Takes the addresses out of `web_fetch`'s free text: one becomes `url`, several become `urls`.
fn name_addresses(input: &mut Value) {
    let Some(prompt) = input.get("prompt").and_then(Value::text) else {
        return;
    };
    let mut found: Vec<Value> = addresses(prompt).map(Value::from).collect();
    let Value::Object(members) = input else {
        return;
    };
    match found.len() {
        0 => {}
        1 => members.extend(found.pop().map(|url| ("url".to_owned(), url))),
        _ => members.push(("urls".to_owned(), Value::Array(found))),
    }
}

fn addresses(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| letter.is_whitespace() || "<>\"'`()[]{},".contains(letter))
        .map(|word| word.trim_end_matches(['.', ';', ':', '!', '?']))
        .filter(|word| word.contains("://"))
}

fn turns(entry: &Value) -> Vec<Turn> {
    match text(entry, "type") {
        "user" => said_by_user(entry.get("content")),
        "gemini" => items(entry, "toolCalls")
            .iter()
            .filter_map(|call| action(text(call, "name"), call.get("args")))
            .collect(),
        _ => Vec::new(),
    }
}

fn prepare(command: &mut Command, scene: &Scene<'_>) -> io::Result<()> {
    extend(
        &scene.home.join(".gemini/settings.json"),
        r#""security":{"auth":{"selectedType":"gemini-api-key"},"folderTrust":{"enabled":false}},"privacy":{"usageStatisticsEnabled":false}"#,
    )?;
    command
        .envs([
            ("GEMINI_API_KEY", "dummy"),
            ("GOOGLE_GEMINI_BASE_URL", scene.url),
            ("GEMINI_CLI_NO_RELAUNCH", "true"),
        ])
        .args(["-p", "run it"]);
    if scene.ground != Ground::Asking {
        command.arg("--yolo");
    }
    Ok(())
}
