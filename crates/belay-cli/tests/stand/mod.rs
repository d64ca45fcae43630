//! A home with a project in it, the built binary, and a hook that is asked: for tests of whole sessions.
#![allow(
    dead_code,
    clippy::allow_attributes,
    clippy::unwrap_used,
    reason = "each test uses its part"
)]

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// A home with a project in it.
pub struct Stand {
    pub home: tempfile::TempDir,
}

impl Stand {
    /// Makes a home with an empty project.
    pub fn empty() -> Self {
        let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        std::fs::create_dir_all(home.path().join("app")).unwrap();
        Self { home }
    }

    /// Writes belay's own settings.
    pub fn settings(&self, text: &str) {
        let folder = self.home.path().join(".config/belay");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("config.toml"), text).unwrap();
    }

    /// Returns the project.
    pub fn app(&self) -> PathBuf {
        self.home.path().join("app")
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.app())
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", self.home.path())
            .env("GIT_CONFIG_NOSYSTEM", "1");
        command
    }

    /// Runs shell text in the project, and returns what it prints.
    pub fn sh(&self, text: &str) -> String {
        let done = self.command("sh").args(["-c", text]).output().unwrap();
        assert!(
            done.status.success(),
            "{text}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        String::from_utf8_lossy(&done.stdout).into_owned()
    }

    /// Runs belay in the project, and returns its exit code and all it says.
    pub fn belay(&self, words: &[&str], input: &str) -> (i32, String) {
        let mut child = self
            .command(env!("CARGO_BIN_EXE_belay"))
            .args(words)
            .env("CLAUDE_PROJECT_DIR", self.app())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        let said = child.wait_with_output().unwrap();
        let text = [said.stdout, said.stderr].concat();
        (
            said.status.code().unwrap_or(-1),
            String::from_utf8(text).unwrap(),
        )
    }

    /// Asks the hook about a call, and returns its decision and reason.
    pub fn asked(&self, tool: &str, input: Value) -> (String, String) {
        let call = json!({
            "session_id": "s1", "hook_event_name": "PreToolUse", "cwd": self.app(),
            "permission_mode": "default", "tool_name": tool, "tool_input": input, "tool_use_id": "t1",
        });
        let home = self.home.path().to_str().unwrap();
        let (_, said) = self.belay(&["hook", "claude-code", "--home", home], &call.to_string());
        let said: Value = serde_json::from_str(&said).unwrap();
        let text = |name: &str| {
            let member = said.pointer(&format!("/hookSpecificOutput/{name}"));
            member
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        (text("permissionDecision"), text("permissionDecisionReason"))
    }
}
