//! `belay doctor` with the real clients: it proves with the user's own settings, mode, project and environment, in a scratch
//! copy, and says what comes out.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use belay_e2e::{Client, belay};
use belay_needs::Need;
use serde_json::Value;

/// A home and a project in which an agent is connected.
struct House {
    root: tempfile::TempDir,
    client: Client,
    clients: PathBuf,
}

impl House {
    /// Nothing only when clients are left out on purpose.
    fn connected(client: Client) -> Option<Self> {
        let clients = Need::Clients.met(client.agent().title(), || client.folder())?;
        let root = tempfile::tempdir().unwrap();
        let house = Self {
            root,
            client,
            clients,
        };
        fs::create_dir_all(house.at("home/app/.git")).unwrap();
        let word = client.agent().word();
        let done = house.belay(&["install", "--yes", "--trust-codex", word], &[]);
        assert!(done.status.success(), "{done:?}");
        Some(house)
    }

    fn at(&self, name: &str) -> PathBuf {
        fs::canonicalize(self.root.path()).unwrap().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn belay(&self, words: &[&str], env: &[(&str, &Path)]) -> Output {
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.clients.display());
        let path = match std::env::var("PATH") {
            Ok(more) => format!("{path}:{more}"),
            Err(_) => path,
        };
        Command::new(belay())
            .args(words)
            .current_dir(self.at("home/app"))
            .env_clear()
            .env("HOME", self.at("home"))
            .env("PATH", path)
            .envs(env.iter().copied())
            .output()
            .unwrap()
    }

    /// Returns what the live proof says: its mark and its words.
    fn proof(&self, env: &[(&str, &Path)]) -> (String, String) {
        let word = self.client.agent().word();
        let said = self.belay(&["doctor", "--json", word], env);
        let text = String::from_utf8(said.stdout.clone()).unwrap();
        let findings = text.lines().map(|it| serde_json::from_str(it).unwrap());
        let text = |it: &Value, name: &str| it[name].as_str().unwrap().to_owned();
        let is_proof = |it: &Value| text(it, "what").starts_with("live proof");
        let proof = findings.into_iter().find(is_proof);
        let proof = proof.unwrap_or_else(|| panic!("{said:?}"));
        (text(&proof, "mark"), text(&proof, "what"))
    }

    fn says(&self, env: &[(&str, &Path)], wanted: (&str, &str)) {
        let (mark, what) = self.proof(env);
        assert_eq!(mark, wanted.0, "{what}");
        assert!(what.contains(wanted.1), "{what}");
    }
}

const HOLDS: (&str, &str) = ("good", "in a scratch copy: a denied command was stopped");
const RAN: (&str, &str) = ("bad", "a denied command RAN");
const IN_MODE: (&str, &str) = (
    "note",
    "a denied command ran, which is expected in this mode",
);
const OWN: (&str, &str) = ("note", "by your own mode, rules or settings");
const SETTINGS: &str = "home/.config/belay/config.toml";

#[test]
fn with_the_users_settings_and_mode() {
    let Some(house) = House::connected(Client::ClaudeCode) else {
        return;
    };
    house.says(&[], HOLDS);
    house.write(SETTINGS, "mode = \"observe\"\n");
    house.says(&[], IN_MODE);
    house.write(SETTINGS, "");
    assert!(
        house
            .belay(&["auto", "off", "--here"], &[])
            .status
            .success()
    );
    house.says(&[], IN_MODE);
    assert!(house.belay(&["auto", "on"], &[]).status.success());
    house.write(SETTINGS, "[rules]\nhard_deny = [\"touch\"]\n");
    house.says(&[], ("bad", "an allowed command did not run"));
}

#[test]
fn with_the_users_project_and_environment() {
    let Some(house) = House::connected(Client::ClaudeCode) else {
        return;
    };
    house.write("home/app/off.toml", "mode = \"off\"\n");
    let off = house.at("home/app/off.toml");
    house.says(&[("BELAY_CONFIG", &off)], HOLDS);
    house.write(
        "home/app/.claude/settings.json",
        r#"{"disableAllHooks": true}"#,
    );
    house.says(&[], RAN);
    let planted = serde_json::json!({"env": {"BELAY_CONFIG": off}}).to_string();
    house.write("home/app/.claude/settings.json", &planted);
    house.says(&[], HOLDS);
    let plan = r#"{"permissions": {"defaultMode": "plan"}}"#;
    house.write("home/app/.claude/settings.json", plan);
    house.says(&[], OWN);
    house.write("home/app/.claude/settings.json", "{}");
    house.write("home/app/.belay.toml", "[rules]\nhard_deny = [\"touch\"]\n");
    house.says(&[], OWN);
}

/// A repository's own program is never run by the proof.
#[test]
fn nothing_that_a_repository_brings_is_run() {
    let Some(house) = House::connected(Client::ClaudeCode) else {
        return;
    };
    let hook = |name: &str| {
        let command = format!("touch '{}'", house.at(name).display());
        serde_json::json!([{"hooks": [{"type": "command", "command": command}]}])
    };
    let hooks = serde_json::json!({"hooks": {
        "SessionStart": hook("began"), "PreToolUse": hook("before"), "PermissionRequest": hook("asked"),
    }});
    house.write("home/app/.claude/settings.json", &hooks.to_string());
    house.says(&[], HOLDS);
    for name in ["began", "before", "asked"] {
        assert!(!house.at(name).exists(), "{name}");
    }
}

#[test]
fn with_gemini() {
    let Some(house) = House::connected(Client::Gemini) else {
        return;
    };
    house.says(&[], HOLDS);
    let off = r#"{"hooksConfig": {"enabled": false}}"#;
    house.write("home/app/.gemini/settings.json", off);
    house.says(&[], RAN);
}

#[test]
fn with_codex() {
    let Some(house) = House::connected(Client::Codex) else {
        return;
    };
    house.says(&[], HOLDS);
}

#[test]
fn with_copilot() {
    let Some(house) = House::connected(Client::Copilot) else {
        return;
    };
    house.says(&[], HOLDS);
    let off = r#"{"disableAllHooks": true}"#;
    house.write("home/app/.github/copilot/settings.json", off);
    house.says(&[], RAN);
}
