//! When an agent calls us, nothing of its environment moves the gate, and an allow of ours lifts no
//! boundary of the agent's own. Done to the built binary.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

struct House(tempfile::TempDir);

impl House {
    fn new() -> Self {
        let house = Self(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
        std::fs::create_dir_all(house.at("home/app/.git")).unwrap();
        house
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.at(name).display().to_string()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.at(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn call(&self, tool: &str, input: Value) -> Value {
        let kept = self.text("home/.claude/projects/x/s.jsonl");
        // Denials of one session add up, so each call has its own.
        let session = input.to_string();
        json!({"session_id": session, "transcript_path": kept, "cwd": self.at("home/app"), "permission_mode": "default",
               "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "t"})
    }

    fn bash(&self, command: &str) -> Value {
        self.call("Bash", json!({ "command": command }))
    }

    /// Returns `allow`, `ask`, `deny`, or `silent`.
    fn hook(&self, call: &Value, env: &[(&str, String)]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_belay"));
        command
            .args(["hook", "claude-code", "--home"])
            .arg(self.at("home"))
            .env_clear()
            .env("HOME", self.at("home"))
            .env("PATH", "/usr/bin:/bin")
            .env("CLAUDE_PROJECT_DIR", self.at("home/app"))
            .envs(env.iter().map(|(name, value)| (name, value)));
        said(command, call)
    }

    fn records(&self) -> String {
        let folder = self.at("home/.local/state/belay/journal");
        let days = std::fs::read_dir(folder).into_iter().flatten();
        let texts = days.map(|it| std::fs::read_to_string(it.unwrap().path()).unwrap());
        texts.collect()
    }
}

fn said(mut command: Command, call: &Value) -> String {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A hook may refuse before it has read everything.
    let _ = stdin.write_all(call.to_string().as_bytes());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    if output.stdout.is_empty() {
        return "silent".to_owned();
    }
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let before = told.pointer("/hookSpecificOutput/permissionDecision");
    let request = told.pointer("/hookSpecificOutput/decision/behavior");
    before.or(request).unwrap().as_str().unwrap().to_owned()
}

fn planted(house: &House) -> Vec<(&'static str, String)> {
    house.write("home/app/off.toml", "mode = \"off\"\n");
    house.write("home/app/evil/belay/config.toml", "mode = \"off\"\n");
    house.write(
        "home/app/evil/.config/belay/config.toml",
        "mode = \"off\"\n",
    );
    vec![
        ("BELAY_CONFIG", house.text("home/app/off.toml")),
        ("BELAY_STATE", house.text("home/app/evil")),
        ("XDG_CONFIG_HOME", house.text("home/app/evil")),
        ("XDG_STATE_HOME", house.text("home/app/evil")),
        ("HOME", house.text("home/app/evil")),
    ]
}

#[test]
fn no_variable_moves_settings_or_state() {
    for at in 0..5 {
        let house = House::new();
        let plant = planted(&house).remove(at);
        let name = plant.0;
        let harm = house.bash(&format!("rm -rf '{}'", house.text("home")));
        assert_eq!(
            house.hook(&harm, std::slice::from_ref(&plant)),
            "deny",
            "{name}"
        );
        assert_eq!(house.hook(&house.bash("ls"), &[plant]), "allow", "{name}");
        let records = house.records();
        assert_eq!(records.lines().count(), 2, "{name}: {records}");
        let note = format!("`{name}` in the environment points to");
        assert_eq!(records.matches(&note).count(), 2, "{records}");
        assert!(!house.at("home/app/evil/journal").exists());
    }
    let house = House::new();
    let all = planted(&house);
    let harm = house.bash("echo x >> ~/.bashrc");
    assert_eq!(house.hook(&harm, &all), "deny");
}

#[test]
fn a_home_of_the_environment_counts_too() {
    let house = House::new();
    house.write("home/notes.txt", "x");
    let other = [("HOME", house.text("home/app"))];
    for (command, wanted) in [
        ("rm -rf ~", "deny"),
        ("rm -rf ~/app", "deny"),
        ("cat ~/.ssh/id_rsa", "ask"),
        ("echo x >> ~/.bashrc", "deny"),
        ("ls", "allow"),
    ] {
        let call = house.bash(command);
        assert_eq!(house.hook(&call, &other), wanted, "{command}");
        assert_eq!(house.hook(&call, &[]), wanted, "{command}");
    }
    // `~` is the project for the shell, and home for whoever fixed it.
    let call = house.bash("rm ~/notes.txt");
    assert_eq!(house.hook(&call, &other), "ask");
    // As in a container whose home is elsewhere: work goes on.
    let other = [("HOME", house.text("elsewhere"))];
    for command in ["cargo build", "touch a", "git status", "npm test"] {
        assert_eq!(
            house.hook(&house.bash(command), &other),
            "allow",
            "{command}"
        );
    }
}

#[test]
fn without_a_home_the_user_database_is_asked() {
    let house = House::new();
    house.write("home/.config/belay/config.toml", "mode = \"off\"\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_belay"));
    command
        .args(["hook", "claude-code", "--state"])
        .arg(house.at("state"))
        .env_clear()
        .env("HOME", house.at("home"));
    assert_eq!(said(command, &house.bash("rm -rf ~")), "deny");
    assert!(house.at("state/journal").is_dir());
}

#[test]
fn settings_are_those_of_the_registration() {
    let house = House::new();
    house.write("home/mine.toml", "[rules]\nhard_deny = [\"frobnicate\"]\n");
    let hook = |settings: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_belay"));
        command
            .args(["hook", "claude-code", "--settings"])
            .arg(settings)
            .arg("--home")
            .arg(house.at("home"))
            .env_clear();
        said(command, &house.bash("frobnicate"))
    };
    assert_eq!(hook(&house.at("home/mine.toml")), "deny");
    assert_eq!(hook(&house.at("home/.config/belay/config.toml")), "ask");
    // A file that was named must be there.
    assert_eq!(hook(&house.at("home/gone.toml")), "deny");
}

#[test]
fn a_person_follows_their_own_environment() {
    let house = House::new();
    house.write("mine.toml", "[rules]\nhard_deny = [\"frobnicate\"]\n");
    let check = |config: Option<PathBuf>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_belay"));
        command
            .args(["check", "--static", "--", "frobnicate"])
            .env_clear()
            .env("HOME", house.at("home"))
            .envs(config.map(|it| ("BELAY_CONFIG", it)))
            .current_dir(house.at("home/app"));
        command.output().unwrap().status.code()
    };
    assert_eq!(check(None), Some(10));
    assert_eq!(check(Some(house.at("mine.toml"))), Some(20));
}

#[test]
fn wrong_words_of_a_registration_refuse() {
    let house = House::new();
    for words in [
        &["--home", "relative"][..],
        &["--homes", "/x"],
        &["/x"],
        &["--home"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_belay"));
        command
            .args(["hook", "claude-code"])
            .args(words)
            .env_clear();
        assert_eq!(said(command, &house.bash("ls")), "deny", "{words:?}");
    }
}

/// What is said in each mode: before the tool, and when the agent is about to ask.
#[test]
fn modes_of_the_agent() {
    let house = House::new();
    let write = |name: &str| {
        house.call(
            "Write",
            json!({"file_path": house.at(name), "content": "x"}),
        )
    };
    let look = house.call("Read", json!({"file_path": house.at("home/app/a.rs")}));
    let calls = [
        (look, ["allow", "allow", "allow"]),
        (
            house.bash("ls -la && git status"),
            ["allow", "allow", "allow"],
        ),
        (house.bash("touch a"), ["allow", "silent", "silent"]),
        (house.bash("cargo test"), ["allow", "silent", "silent"]),
        (write("home/app/a.rs"), ["allow", "silent", "silent"]),
        (
            write("home/.claude/plans/a.md"),
            ["allow", "silent", "silent"],
        ),
        (write("home/.bashrc"), ["deny", "deny", "deny"]),
        (house.bash("rm -rf ~"), ["deny", "deny", "deny"]),
        (
            house.call("mcp__x__get_thing", json!({})),
            ["ask", "ask", "deny"],
        ),
    ];
    for (call, wanted) in calls {
        for (mode, wanted) in [
            ("default", wanted[0]),
            ("plan", wanted[1]),
            ("dontAsk", wanted[2]),
        ] {
            let mut call = call.clone();
            call["permission_mode"] = json!(mode);
            assert_eq!(house.hook(&call, &[]), wanted, "{mode} {call}");
            call["hook_event_name"] = json!("PermissionRequest");
            let wanted = if wanted == "ask" { "silent" } else { wanted };
            assert_eq!(house.hook(&call, &[]), wanted, "{mode} {call}");
        }
    }
    for (mode, wanted) in [
        ("acceptEdits", "allow"),
        ("bypassPermissions", "allow"),
        ("auto", "allow"),
        ("somethingNew", "silent"),
    ] {
        let mut call = house.bash("touch a");
        call["permission_mode"] = json!(mode);
        assert_eq!(house.hook(&call, &[]), wanted, "{mode}");
    }
}

/// Rules in each file that the agent reads: no allow is said of what they speak of.
#[test]
fn rules_of_the_person() {
    for file in [
        "home/.claude/settings.json",
        "home/.claude/settings.local.json",
        "home/app/.claude/settings.json",
        "home/app/.claude/settings.local.json",
        "moved/settings.json",
    ] {
        let house = House::new();
        house.write(
            file,
            r#"{"permissions":{"ask":["Bash(git push:*)","Edit(secret/**)"],"deny":["WebFetch"]}}"#,
        );
        let env = [("CLAUDE_CONFIG_DIR", house.text("moved"))];
        let edit = |name: &str| {
            house.call(
                "Write",
                json!({"file_path": house.at(name), "content": "x"}),
            )
        };
        let fetch = house.call("WebFetch", json!({"url": "https://docs.rs", "prompt": "x"}));
        for (call, wanted) in [
            (house.bash("git push --help"), "silent"),
            (house.bash("cd . && git push --help"), "silent"),
            (house.bash("git status"), "allow"),
            (house.bash("echo git push"), "allow"),
            (edit("home/app/secret/a"), "silent"),
            (edit("home/app/open/a"), "allow"),
            (fetch, "silent"),
            (house.bash("rm -rf ~"), "deny"),
        ] {
            assert_eq!(house.hook(&call, &env), wanted, "{file}: {call}");
            let mut call = call;
            call["hook_event_name"] = json!("PermissionRequest");
            assert_eq!(house.hook(&call, &env), wanted, "{file}: {call}");
        }
        assert!(
            house.records().contains("has the rule") || house.records().contains("have the rule")
        );
    }
    let house = House::new();
    house.write("home/app/.claude/settings.json", "{ not json");
    assert_eq!(house.hook(&house.bash("ls"), &[]), "silent");
}
