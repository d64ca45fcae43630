//! Claude Code. Both `PreToolUse` and `PermissionRequest` are answered, so that an allow really
//! removes the prompt.

mod answers;

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use belay_model::{Call, Judgement, Turn, Value, Verdict};

use crate::adapter::{Adapter, Name};
use crate::adapters::claude_shape;
use crate::answer::{Answer, attended, object};
use crate::doctor::recipes::{Client, Ground, Scene};
use crate::doctor::{Finding, numbers};
use crate::install::shapes::{Entry, HOST_WAITS, command, entry, group, hooks_of, number, with};
use crate::install::way::{
    Claim, Hook, Member, Planned, Way, anchor_words, by_reach, hook_path, moved_or, program,
};
use crate::install::{Bar, Door, Reach, Stance, Wish};
use crate::patience::Registered;
use crate::reading::{Env, Wire};
use crate::wording::said;
use crate::{Agent, Asked, Event, Heard, HostRules, PersonSaid, ReadError, Typed};

/// Tools that exist to talk to the person: an allow of ours would speak in their place.
const FOR_THE_PERSON: [&str; 2] = ["AskUserQuestion", "ExitPlanMode"];

/// Where the settings of the machine's owner lie, on Linux and on macOS.
const MANAGED: [&str; 2] = [
    "/etc/claude-code",
    "/Library/Application Support/ClaudeCode",
];

pub(crate) struct ClaudeCode;

impl Adapter for ClaudeCode {
    fn name(&self) -> Name {
        Name {
            word: "claude-code",
            title: "Claude Code",
            also: &["claude"],
        }
    }

    fn read(&self, stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
        let mut wire = Wire::new(stdin, env)?;
        let nobody = wire.peek("permission_mode") == Some("dontAsk")
            || wire.env("CLAUDE_CODE_ENTRYPOINT").as_deref() == Some("sdk-cli");
        let told = wire.env("CLAUDE_PROJECT_DIR");
        let kept = || match (wire.peek("transcript_path"), wire.peek("cwd")) {
            (Some(transcript), Some(cwd)) => project_of(transcript, cwd),
            (Some(_) | None, _) => None,
        };
        let project = told.or_else(kept);
        let mut heard = claude_shape::read(&mut wire, project)?;
        if let Heard::Judge(asked) = &mut heard {
            asked.call.headless = nobody;
            let plans = config_of(&asked.call).map(|it| it.join("plans"));
            let plans = plans.and_then(|it| it.to_str().map(str::to_owned));
            // Plans are the agent's own papers, wherever the project is.
            asked.call.project_roots.extend(plans);
        }
        Ok(heard)
    }

    fn answer(&self, asked: &Asked, judgement: &Judgement) -> Answer {
        let said = said(judgement, attended(asked));
        if said.verdict != Verdict::Deny && FOR_THE_PERSON.contains(&asked.call.tool.as_str()) {
            return Answer::silent();
        }
        match asked.event {
            Event::BeforeTool => claude_shape::before_tool(&said),
            Event::Approval => claude_shape::approval(&said),
        }
    }

    fn host_rules(&self, call: &Call, env: Env<'_>) -> HostRules {
        HostRules::read(&self.settings_files(call, env))
    }

    fn says_who_answered(&self) -> bool {
        true
    }

    fn person_said(&self, entry: &Value, call_id: &str) -> Option<PersonSaid> {
        answers::person_said(entry, call_id)
    }

    fn typed(&self, entry: &Value, prompt: &str) -> Option<Typed> {
        answers::typed(entry, prompt)
    }

    /// Finds all files that Claude Code reads: those of the machine, the user and the project, wherever its
    /// folder may have been moved.
    fn settings_files(&self, call: &Call, env: Env<'_>) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for folder in MANAGED.map(Path::new) {
            files.push(folder.join("managed-settings.json"));
            let more = std::fs::read_dir(folder.join("managed-settings.d"));
            files.extend(more.into_iter().flatten().flatten().map(|it| it.path()));
        }
        let at_home = call.home.as_ref().map(|it| Path::new(it).join(".claude"));
        let there = call
            .env_home
            .as_ref()
            .map(|it| Path::new(it).join(".claude"));
        let moved = env("CLAUDE_CONFIG_DIR").map(PathBuf::from);
        let folders = [at_home, there, moved, config_of(call)];
        let mut folders: Vec<PathBuf> = folders.into_iter().flatten().collect();
        let around = call.project_roots.iter().chain([&call.cwd]);
        folders.extend(around.map(|it| Path::new(it).join(".claude")));
        folders.sort_unstable();
        folders.dedup();
        for folder in folders.iter().filter(|it| it.is_absolute()) {
            files.push(folder.join("settings.json"));
            files.push(folder.join("settings.local.json"));
        }
        files
    }

    fn heeded_folders(&self) -> Option<&'static [&'static str]> {
        Some(&[])
    }

    fn turns(&self, entry: &Value) -> Vec<Turn> {
        claude_shape::turns(entry)
    }

    fn folder(&self, wish: &Wish<'_>) -> Planned<PathBuf> {
        Ok(by_reach(
            wish,
            moved_or(wish, "CLAUDE_CONFIG_DIR", ".claude"),
            ".claude",
        ))
    }

    fn registration(&self, hook: &Hook<'_>) -> Planned<Way> {
        let entries = entries(hook)?;
        if hook.wish.reach == Reach::Managed {
            // One file of ours beside those of others: it comes and goes alone.
            let file = hook.file("managed-settings.d/50-belay.json", &hooks_of(entries));
            return Ok(Way::Own(vec![file]));
        }
        let mut settings = hook.settings("settings.json", entries);
        if hook.wish.bar == Bar::Shown {
            settings.members.push(bar(hook.wish)?);
        }
        Ok(Way::Merge(vec![settings]))
    }

    fn managed_folder(&self) -> Option<&'static str> {
        Some(if cfg!(target_os = "macos") {
            MANAGED[1]
        } else {
            MANAGED[0]
        })
    }

    fn has_bar(&self) -> bool {
        true
    }

    fn waits(&self, call: &Call, env: Env<'_>) -> Option<Duration> {
        let registered = Registered {
            agent: Agent::ClaudeCode,
            event: "PreToolUse",
            time: "timeout",
            unit: Duration::from_secs(1),
        };
        registered.in_files(&self.settings_files(call, env))
    }

    fn asks_daemon(&self) -> bool {
        true
    }

    fn client(&self) -> Option<Client> {
        Some(Client {
            program: "claude",
            version: "2.1.325",
            prepare,
        })
    }

    fn version_fault(&self, found: &str) -> Option<Finding> {
        let what = format!(
            "version {found} runs calls when a hook fails, because it does not support `onFailure`"
        );
        (numbers(found) < numbers("2.1.295")).then(|| Finding::bad(what, "update Claude Code"))
    }

    fn shared_event(&self) -> Option<&'static str> {
        Some("PreToolUse")
    }

    fn project_settings(&self) -> &'static [&'static str] {
        &[".claude/settings.json", ".claude/settings.local.json"]
    }
}

/// Returns the agent's own folder, in which it keeps the conversation.
fn config_of(call: &Call) -> Option<PathBuf> {
    let mut above = Path::new(call.transcript_path.as_ref()?).ancestors();
    let projects = above.find(|it| it.file_name().is_some_and(|name| name == "projects"))?;
    let config = projects.parent().filter(|it| it.parent().is_some())?;
    Some(config.to_owned())
}

/// Finds the folder a session was started in: the agent keeps its conversation in
/// `projects/<that folder with dashes>/`. Where the working folder has left it, there is none, and
/// nothing lies inside the project.
fn project_of(transcript: &str, cwd: &str) -> Option<String> {
    let mut parts = transcript.rsplit('/').skip(1);
    let (name, above) = (parts.next()?, parts.next()?);
    if above != "projects" {
        return None;
    }
    let dashed = |folder: &str| -> String {
        let dash = |it: char| if it.is_ascii_alphanumeric() { it } else { '-' };
        folder.chars().map(dash).collect()
    };
    let ends = cwd
        .char_indices()
        .filter(|(_, it)| *it == '/')
        .map(|(at, _)| at);
    let folders = ends.skip(1).chain([cwd.len()]);
    let mut folders = folders.filter_map(|end| cwd.get(..end));
    let found = folders.find(|it| dashed(it) == name);
    Some(found.unwrap_or_default().to_owned())
}

fn entries(told: &Hook<'_>) -> Planned<Vec<Entry>> {
    let wish = told.wish;
    let looks = &told.looks;
    let hook = match wish.door {
        Some(door) => request(wish.agent, door),
        None => command(&told.line, HOST_WAITS),
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
        entry("PostToolUse", group(Some("*"), command(looks, HOST_WAITS))),
        entry("UserPromptSubmit", look()),
        entry("SessionStart", begin),
    ])
}

/// The line of the agent's bar that says what we did.
fn bar(wish: &Wish<'_>) -> Planned<Member> {
    let line = format!("{} statusline{}", program(wish)?, anchor_words(wish)?);
    Ok(Member {
        path: vec!["statusLine"],
        value: object([("type", "command".into()), ("command", line.into())]),
        claim: Claim::IfFree,
    })
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
fn with_daemon(wish: &Wish<'_>, door: Door<'_>, looks: &str) -> Planned<String> {
    let belay = wish.belay.display();
    let anchor = anchor_words(wish)?;
    Ok(format!(
        "'{belay}' serve --background --http={}{anchor} >&2; {looks}",
        door.port
    ))
}

fn prepare(command: &mut Command, scene: &Scene<'_>) -> io::Result<()> {
    command
        .envs([
            ("ANTHROPIC_BASE_URL", scene.url),
            ("ANTHROPIC_API_KEY", "dummy"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("DISABLE_ERROR_REPORTING", "1"),
        ])
        .args(["-p", "run it", "--output-format", "json"]);
    if scene.ground == Ground::Open {
        command.args(["--allowedTools", "Bash,Write,Edit,Agent"]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(transcript: &str, cwd: &str) -> Option<String> {
        project_of(transcript, cwd)
    }

    #[test]
    fn the_project_is_where_the_session_began() {
        let kept = "/h/.claude/projects/-home-me-my-app/1.jsonl";
        assert_eq!(
            check(kept, "/home/me/my_app/src").as_deref(),
            Some("/home/me/my_app")
        );
        assert_eq!(
            check(kept, "/home/me/my-app").as_deref(),
            Some("/home/me/my-app")
        );
        assert_eq!(check(kept, "/etc").as_deref(), Some(""));
        assert_eq!(check("/nowhere.jsonl", "/etc"), None);
    }
}
