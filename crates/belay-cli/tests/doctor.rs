//! `belay doctor` tells the truth: every sentence it must say, as lines and as JSON, and how it ends. No client is run here;
//! the live proof has its tests where the clients are.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

struct House(tempfile::TempDir);

/// What doctor said: lines as JSON, and its exit code.
struct Said {
    findings: Vec<Value>,
    code: Option<i32>,
}

impl Said {
    /// Tells whether a finding of this mark begins so.
    fn has(&self, mark: &str, what: &str) -> bool {
        let text = |it: &Value, name: &str| it[name].as_str().unwrap_or_default().to_owned();
        let mut found = self.findings.iter();
        found.any(|it| text(it, "mark") == mark && text(it, "what").starts_with(what))
    }

    fn is_bad(&self, what: &str) {
        assert!(self.has("bad", what), "{what}: {:#?}", self.findings);
        assert_eq!(self.code, Some(1), "{what}: {:#?}", self.findings);
    }

    fn is_noted(&self, what: &str) {
        assert!(self.has("note", what), "{what}: {:#?}", self.findings);
    }

    fn is_sound(&self) {
        let bad = self.findings.iter().any(|it| it["mark"] == "bad");
        assert!(!bad, "{:#?}", self.findings);
        assert_eq!(self.code, Some(0), "{:#?}", self.findings);
    }
}

impl House {
    fn new() -> Self {
        let house = Self(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
        std::fs::create_dir_all(house.at("home/app/.git")).unwrap();
        house
    }

    /// A house in which an agent is connected.
    fn connected(agent: &str) -> Self {
        let house = Self::new();
        let done = house.belay(&["install", "--yes", "--trust-codex", agent]);
        assert!(done.status.success(), "{done:?}");
        house
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.at(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_belay"));
        command
            .args(words)
            .current_dir(self.at("home/app"))
            .env_clear()
            .env("HOME", self.at("home"))
            .env("PATH", "/usr/bin:/bin");
        command
    }

    fn belay(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    fn doctor(&self, agent: &str) -> Said {
        self.doctor_with(agent, &[])
    }

    fn doctor_with(&self, agent: &str, env: &[(&str, PathBuf)]) -> Said {
        let mut command = self.command(&["doctor", "--print", "--json", agent]);
        let output = command.envs(env.iter().cloned()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let findings: Vec<Value> = text
            .lines()
            .map(|it| serde_json::from_str(it).unwrap())
            .collect();
        for finding in &findings {
            assert_eq!(finding["agent"], agent);
            assert_eq!(finding["fix"].is_string(), finding["mark"] == "bad");
        }
        Said {
            findings,
            code: output.status.code(),
        }
    }
}

const OFF: &str = "mode = \"off\"\n";
const OBSERVE: &str = "mode = \"observe\"\n";
const SETTINGS: &str = "home/.config/belay/config.toml";

#[test]
fn a_gate_that_is_connected_and_on_is_sound() {
    for agent in ["claude-code", "codex", "gemini", "copilot"] {
        let house = House::connected(agent);
        let said = house.doctor(agent);
        said.is_sound();
        assert!(said.has("good", "registered for every tool in"));
        assert!(said.has("good", "agents may not edit these settings"));
    }
}

#[test]
fn what_stops_nothing_says_so() {
    for agent in ["claude-code", "codex", "gemini", "copilot"] {
        let house = House::connected(agent);
        house.write(SETTINGS, OBSERVE);
        house.doctor(agent).is_bad("observe: nothing is stopped");
        house.write(SETTINGS, OFF);
        let off = "off: nothing is judged and nothing is stopped";
        house.doctor(agent).is_bad(off);
        house.write(SETTINGS, "");
        house.doctor(agent).is_sound();
        // The quick switch counts as the settings do.
        assert!(house.belay(&["auto", "off"]).status.success());
        house.doctor(agent).is_bad(off);
        assert!(house.belay(&["auto", "observe", "--here"]).status.success());
        house.doctor(agent).is_bad("observe: nothing is stopped");
        assert!(house.belay(&["auto", "on"]).status.success());
        house.doctor(agent).is_sound();
    }
}

#[test]
fn a_gate_that_is_not_connected_says_so() {
    for agent in ["claude-code", "codex", "gemini", "copilot"] {
        House::new().doctor(agent).is_bad("not registered");
    }
    let house = House::new();
    let words = ["install", "--yes", "--observe", "claude-code"];
    assert!(house.belay(&words).status.success());
    house
        .doctor("claude-code")
        .is_bad("registered in observe mode: calls run when belay fails");
    let house = House::connected("claude-code");
    let settings = house.at("home/.claude/settings.json");
    let text = std::fs::read_to_string(&settings).unwrap();
    std::fs::write(
        settings,
        text.replace("\"onFailure\": \"block\"", "\"x\": 1"),
    )
    .unwrap();
    house
        .doctor("claude-code")
        .is_bad("registered by a different version of belay");
}

#[test]
fn a_repository_that_disables_hooks_is_named() {
    for (agent, file, text) in [
        (
            "claude-code",
            ".claude/settings.json",
            r#"{"disableAllHooks": true}"#,
        ),
        (
            "claude-code",
            ".claude/settings.local.json",
            "{\n \"disableAllHooks\"\n: true}",
        ),
        (
            "gemini",
            ".gemini/settings.json",
            r#"{"hooksConfig": {"enabled": false}}"#,
        ),
        (
            "gemini",
            ".gemini/settings.json",
            r#"{"hooksConfig": {"disabled": ["belay"]}}"#,
        ),
        (
            "copilot",
            ".github/copilot/settings.json",
            r#"{"disableAllHooks": true}"#,
        ),
    ] {
        let house = House::connected(agent);
        house.write(&format!("home/app/{file}"), text);
        house.doctor(agent).is_bad("this repository disables hooks");
    }
    // In the user's own settings it is no repository's doing, and no better.
    let house = House::connected("claude-code");
    let settings = house.at("home/.claude/settings.json");
    let text = std::fs::read_to_string(&settings).unwrap();
    std::fs::write(
        settings,
        text.replacen('{', "{\"disableAllHooks\": true,", 1),
    )
    .unwrap();
    house
        .doctor("claude-code")
        .is_bad("hooks are switched off in");
}

#[test]
fn another_hook_that_answers_is_named() {
    let theirs = r#"{"hooks": {"PermissionRequest": [{"hooks": [{"type": "command", "command": "./yes.sh"}]}]}}"#;
    let house = House::connected("claude-code");
    house.write("home/app/.claude/settings.json", theirs);
    house
        .doctor("claude-code")
        .is_bad("another hook answers first");
    // One of the user's own is theirs to have.
    let house = House::new();
    house.write("home/.claude/settings.json", theirs);
    let done = house.belay(&["install", "--yes", "claude-code"]);
    assert!(done.status.success());
    let said = house.doctor("claude-code");
    said.is_noted("another hook answers first");
    said.is_sound();
}

#[test]
fn the_persons_own_rules_stay_theirs() {
    let house = House::connected("claude-code");
    let rules = r#"{"permissions": {"ask": ["Bash(git push:*)"]}}"#;
    house.write("home/app/.claude/settings.json", rules);
    let said = house.doctor("claude-code");
    said.is_noted("your own ask and deny rules still apply");
    said.is_sound();
    let house = House::connected("codex");
    let rule = "prefix_rule(pattern = [\"git\", \"push\"], decision = \"prompt\")\n";
    house.write("home/.codex/rules/mine.rules", rule);
    house
        .doctor("codex")
        .is_noted("your own ask and deny rules still apply");
}

/// Variables in files of the repository, and in the environment that doctor itself is started in.
#[test]
fn planted_variables_are_named_and_not_followed() {
    let house = House::connected("claude-code");
    house.write("home/app/off.toml", OFF);
    let env = r#"{"env": {"BELAY_CONFIG": "off.toml", "PATH": "/x"}}"#;
    house.write("home/app/.claude/settings.json", env);
    house.write(
        "home/app/.env",
        "A=1\nexport XDG_CONFIG_HOME=evil\nHOME = x\n",
    );
    let said = house.doctor("claude-code");
    for name in ["BELAY_CONFIG", "XDG_CONFIG_HOME", "HOME"] {
        said.is_noted(&format!("this repository sets `{name}` in"));
    }
    said.is_sound();
    let house = House::connected("claude-code");
    house.write("home/app/off.toml", OFF);
    let env = [("BELAY_CONFIG", house.at("home/app/off.toml"))];
    let said = house.doctor_with("claude-code", &env);
    said.is_noted("`BELAY_CONFIG` in the environment points to");
    said.is_sound();
    let env = [("XDG_STATE_HOME", house.at("home/app/evil"))];
    let said = house.doctor_with("claude-code", &env);
    said.is_noted("`XDG_STATE_HOME` in the environment points to");
    said.is_sound();
}

/// Where the registration leads is where doctor looks.
#[test]
fn the_settings_of_the_registration_count() {
    let house = House::new();
    house.write("home/mine.toml", "");
    let mut install = house.command(&["install", "--yes", "claude-code"]);
    install.env("BELAY_CONFIG", house.at("home/mine.toml"));
    assert!(install.output().unwrap().status.success());
    house.doctor("claude-code").is_sound();
    house.write("home/mine.toml", OBSERVE);
    house
        .doctor("claude-code")
        .is_bad("observe: nothing is stopped");
}

#[test]
fn a_mode_of_the_repositorys_own_is_named_and_not_followed() {
    let house = House::connected("claude-code");
    house.write("home/app/.belay.toml", OFF);
    let said = house.doctor("claude-code");
    said.is_noted("this repository sets a `mode` for belay");
    said.is_sound();
}

#[test]
fn broken_settings_are_no_good_end() {
    let house = House::connected("claude-code");
    house.write(SETTINGS, "mode = \n");
    assert_eq!(house.doctor("claude-code").code, Some(1));
}

/// The same for people: a sign for each finding, the way out below, and what is to be mended at the end.
#[test]
fn lines_for_people() {
    let house = House::connected("claude-code");
    let shown = |house: &House| {
        let output = house.belay(&["doctor", "--print", "claude-code"]);
        let text = String::from_utf8(output.stdout).unwrap();
        (text, output.status.code())
    };
    let (text, code) = shown(&house);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("Claude Code\n  ✓ registered"), "{text}");
    assert!(!text.contains('✗'), "{text}");
    house.write(SETTINGS, OBSERVE);
    let (text, code) = shown(&house);
    assert_eq!(code, Some(1), "{text}");
    let first = "Claude Code\n  ✗ observe: nothing is stopped\n    fix: belay auto on";
    assert!(text.starts_with(first), "{text}");
    assert!(text.ends_with("to fix: Claude Code\n"), "{text}");
}

/// Where we are still asked, the record says what the repository tried, and the bar does too.
#[test]
fn record_and_bar_tell_of_what_a_repository_tried() {
    use std::io::Write;
    let piped = |mut command: Command, text: &str| {
        let mut child = command
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(text.as_bytes()).unwrap();
        drop(stdin);
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let tried = "this repository tries to switch belay off";
    for (file, text, note) in [
        ("", "", ""),
        (
            ".claude/settings.json",
            r#"{"disableAllHooks": true}"#,
            "this repository disables hooks",
        ),
        (
            ".claude/settings.json",
            r#"{"env": {"BELAY_CONFIG": "x"}}"#,
            "this repository sets `BELAY_CONFIG`",
        ),
        (
            ".belay.toml",
            OFF,
            "this repository sets a `mode` for belay",
        ),
    ] {
        let house = House::new();
        let home = house.at("home").display().to_string();
        if !file.is_empty() {
            house.write(&format!("home/app/{file}"), text);
        }
        let call = serde_json::json!({"session_id": "s", "transcript_path": "/nowhere", "cwd": house.at("home/app"),
            "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": "ls"}, "tool_use_id": "t"});
        let hook = house.command(&["hook", "claude-code", "--home", &home]);
        let said = piped(hook, &call.to_string());
        assert!(said.contains("\"allow\""), "{file}: {said}");
        let log = house.belay(&["log", "--json"]).stdout;
        let log = String::from_utf8(log).unwrap();
        assert!(log.contains(note), "{file}: {log}");
        let bar = house.command(&["statusline", "--home", &home]);
        let about = serde_json::json!({"cwd": house.at("home/app"), "session_id": "s"});
        let bar = piped(bar, &about.to_string());
        assert!(bar.starts_with("belay auto: 1 allowed, 0 asked, 0 denied"));
        assert_eq!(bar.contains(tried), !file.is_empty(), "{file}: {bar}");
    }
}
