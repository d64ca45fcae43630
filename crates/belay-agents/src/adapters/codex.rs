//! Codex. Its `PreToolUse` can only refuse, its `PermissionRequest` can also let run, and neither
//! can ask. Before a tool, silence lets Codex run it without a question wherever its sandbox allows,
//! so an ask of ours is a refusal; when Codex is about to ask a person, silence lets it. Its reader rejects unknown members and then runs the command, so not one too many.

mod rules;
pub(super) mod trust;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{fs, io};

use belay_model::{Call, Judgement, Turn, Value, Verdict};

use crate::adapter::{Adapter, Name};
use crate::adapters::claude_shape;
use crate::answer::Answer;
use crate::doctor::Finding;
use crate::doctor::recipes::{Client, Ground, Scene, write};
use crate::install::shapes::{HOST_WAITS, command, entry, group};
use crate::install::way::{Claim, Form, Hook, Member, Planned, Way, Written, by_reach, moved_or};
use crate::install::{Consent, Plan, Reach, Wish};
use crate::patience::{self, Registered};
use crate::reading::{Env, Wire};
use crate::transcript::entries::{action, items, text};
use crate::transcript::words::user;
use crate::wording::{Able, said};
use crate::{Agent, Approvals, Asked, Event, Heard, HostRules, ReadError};

/// Where the settings of the machine's owner lie.
const MANAGED: &str = "/etc/codex";

pub(crate) struct Codex;

impl Adapter for Codex {
    fn name(&self) -> Name {
        Name {
            word: "codex",
            title: "Codex",
            also: &[],
        }
    }

    fn read(&self, stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
        let mut wire = Wire::new(stdin, env)?;
        let approvals = match wire.peek("permission_mode") {
            Some("bypassPermissions" | "dontAsk") => Approvals::Off,
            Some(_) | None => Approvals::On,
        };
        let mut heard = claude_shape::read(&mut wire, None)?;
        if let Heard::Judge(asked) = &mut heard {
            asked.approvals = approvals;
            asked.call.headless = approvals == Approvals::Off;
            joined(&mut asked.call.input);
            if asked.call.tool == "exec" {
                named_as_code(&mut asked.call);
            }
            if let Some(name) = asked.call.tool.strip_prefix("collaboration") {
                // The tools of this group come with its name glued to theirs.
                asked.call.tool = name.trim_start_matches(['.', '_']).to_owned();
            }
        }
        Ok(heard)
    }

    fn answer(&self, asked: &Asked, judgement: &Judgement) -> Answer {
        let able = match (asked.event, asked.approvals) {
            (Event::Approval, Approvals::On) if !asked.call.headless => Able::All,
            (Event::Approval | Event::BeforeTool, _) => Able::NotAsk,
        };
        let said = said(judgement, able);
        match (asked.event, said.verdict) {
            (Event::BeforeTool, Verdict::Deny) => claude_shape::before_tool(&said),
            (Event::BeforeTool, Verdict::Allow | Verdict::Ask) => Answer::silent(),
            (Event::Approval, _) => claude_shape::approval(&said),
        }
    }

    fn waits(&self, call: &Call, env: Env<'_>) -> Option<Duration> {
        let registered = Registered {
            agent: Agent::Codex,
            event: "PreToolUse",
            time: "timeout",
            unit: Duration::from_secs(1),
        };
        let mut files = patience::around(call, ".codex/hooks.json");
        files.extend(env("CODEX_HOME").map(|it| Path::new(&it).join("hooks.json")));
        registered.in_files(&files)
    }

    /// Finds the rules in the folders that Codex reads: the machine's, the user's, the project's.
    fn host_rules(&self, call: &Call, env: Env<'_>) -> HostRules {
        let homes = call.home.iter().chain(&call.env_home);
        let around = call.project_roots.iter().chain([&call.cwd]);
        let all = homes.chain(around).map(|it| Path::new(it).join(".codex"));
        let moved = env("CODEX_HOME").map(PathBuf::from);
        let mut folders: Vec<PathBuf> = all.chain(moved).chain([PathBuf::from(MANAGED)]).collect();
        folders.retain(|it| it.is_absolute());
        folders.sort_unstable();
        folders.dedup();
        let folders: Vec<PathBuf> = folders.iter().map(|it| it.join("rules")).collect();
        HostRules::of(&rules::in_folders(&folders))
    }

    fn heeded_folders(&self) -> Option<&'static [&'static str]> {
        Some(&[])
    }

    fn turns(&self, entry: &Value) -> Vec<Turn> {
        turns(entry)
    }

    fn folder(&self, wish: &Wish<'_>) -> Planned<PathBuf> {
        Ok(by_reach(wish, home(wish), ".codex"))
    }

    fn registration(&self, hook: &Hook<'_>) -> Planned<Way> {
        let item = || group(Some(".*"), command(&hook.line, HOST_WAITS));
        let entries = vec![
            entry("PreToolUse", item()),
            entry("PermissionRequest", item()),
        ];
        if hook.wish.reach != Reach::Managed {
            return Ok(hook.merge("hooks.json", entries));
        }
        let mut settings = hook.settings("requirements.toml", entries);
        settings.form = Form::Toml;
        settings.members.push(Member {
            path: vec!["features", "hooks"],
            value: Value::Bool(true),
            claim: Claim::Exactly,
        });
        Ok(Way::Merge(vec![settings]))
    }

    fn managed_folder(&self) -> Option<&'static str> {
        Some(MANAGED)
    }

    fn prepare(&self, wish: &Wish<'_>, settings: &Written<'_>, plan: &mut Plan) -> Planned<()> {
        if wish.reach == Reach::Managed {
            return Ok(()); // Codex trusts what the machine's owner wrote.
        }
        match wish.trust {
            Consent::Given => plan.changes.extend(trust::addition(wish, settings)?),
            Consent::Missing => plan.notes.push(
                "Codex silently skips hooks it does not trust: review them with `/hooks` in \
                 Codex, or let belay register its own: `belay install codex --trust-codex`"
                    .to_owned(),
            ),
        }
        Ok(())
    }

    fn clear(&self, wish: &Wish<'_>, settings: &Path, plan: &mut Plan) -> Planned<()> {
        if wish.reach != Reach::Managed {
            plan.changes.extend(trust::removal(wish, settings)?);
        }
        Ok(())
    }

    fn client(&self) -> Option<Client> {
        Some(Client {
            program: "codex",
            version: "0.166.0",
            prepare,
        })
    }

    fn examine(&self, wish: &Wish<'_>, settings: &Written<'_>) -> Option<Finding> {
        Some(
            if wish.reach == Reach::Managed || trust::stands(wish, settings) {
                Finding::good("trusted by Codex")
            } else {
                Finding::bad(
                    "Codex does not trust the hook and silently skips it",
                    "belay install codex --trust-codex, or `/hooks` in Codex",
                )
            },
        )
    }

    fn shared_event(&self) -> Option<&'static str> {
        Some("PreToolUse")
    }

    fn project_settings(&self) -> &'static [&'static str] {
        &[".codex/hooks.json"]
    }

    fn limit(&self) -> Option<&'static str> {
        Some(
            "Codex runs the call when its own time-out expires, and does not show text typed into \
             a running shell (`write_stdin`)",
        )
    }
}

/// Gives `exec`, which runs JavaScript and not shell, the name such tools have elsewhere.
fn named_as_code(call: &mut Call) {
    let Value::Object(members) = &mut call.input else {
        return;
    };
    if members.iter().any(|(name, _)| is_command(name)) {
        return;
    }
    "js_repl".clone_into(&mut call.tool);
    for (name, _) in members.iter_mut().filter(|(name, _)| name == "input") {
        "code".clone_into(name);
    }
}

/// Turns a command given as a list of words into one line of shell.
fn joined(input: &mut Value) {
    let Value::Object(members) = input else {
        return;
    };
    for (name, value) in members {
        if let (true, Value::Array(words)) = (is_command(name), &*value)
            && let Some(line) = line_of(words)
        {
            *value = Value::String(line);
        }
    }
}

fn is_command(name: &str) -> bool {
    matches!(name, "command" | "cmd" | "argv")
}

fn line_of(words: &[Value]) -> Option<String> {
    let mut line = String::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            line.push(' ');
        }
        quoted(word.text()?, &mut line);
    }
    Some(line)
}

fn quoted(word: &str, line: &mut String) {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./,:@%+".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        line.push_str(word);
        return;
    }
    line.push('\'');
    line.push_str(&word.replace('\'', r"'\''"));
    line.push('\'');
}

/// Returns the folder of the user's settings.
fn home(wish: &Wish<'_>) -> PathBuf {
    moved_or(wish, "CODEX_HOME", ".codex")
}

fn turns(entry: &Value) -> Vec<Turn> {
    let payload = match (text(entry, "type"), entry.get("payload")) {
        ("response_item", Some(payload)) => payload,
        _ => return Vec::new(),
    };
    match text(payload, "type") {
        "message" if text(payload, "role") == "user" => typed(payload),
        "function_call" => action(text(payload, "name"), payload.get("arguments"))
            .into_iter()
            .collect(),
        "custom_tool_call" => action(text(payload, "name"), payload.get("input"))
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns what Codex says its user wrote; it names the kind of each part beside the message.
fn typed(message: &Value) -> Vec<Turn> {
    let about = message.get("internal_chat_message_metadata_passthrough");
    let kinds = about.and_then(|it| it.get("content_item_kinds")?.items());
    let is_users = |at: usize| match kinds {
        Some(kinds) => kinds.get(at).and_then(Value::text) == Some("user.text"),
        None => true,
    };
    let parts = items(message, "content").iter().enumerate();
    parts
        .filter(|(at, part)| is_users(*at) && text(part, "type") == "input_text")
        .filter_map(|(_, part)| user(text(part, "text")))
        .collect()
}

fn prepare(command: &mut Command, scene: &Scene<'_>) -> io::Result<()> {
    let settings = format!(
        "model = \"gpt-5.5-codex\"\nmodel_provider = \"scripted\"\n\n\
         [model_providers.scripted]\nname = \"scripted\"\nbase_url = \"{}/v1\"\n\
         wire_api = \"responses\"\nenv_key = \"SCRIPTED_KEY\"\n\
         request_max_retries = 0\nstream_max_retries = 0\n\n",
        scene.url
    );
    let path = scene.home.join(".codex/config.toml");
    let pinned = fs::read_to_string(&path).unwrap_or_default();
    write(&path, &(settings + &pinned))?;
    command.env("SCRIPTED_KEY", "dummy");
    command.args(["exec", "--skip-git-repo-check", "--json"]);
    match scene.ground {
        Ground::Open | Ground::Closed => command.args(["-s", "danger-full-access"]),
        Ground::Asking => command.arg("--approve-for-me"),
    };
    command.arg("run it");
    Ok(())
}
