//! Files of the person's own project vouch for a machine, for looking and nothing else.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// A home with a project in it, in which somebody committed, and a session of an agent.
struct Play {
    home: tempfile::TempDir,
}

/// What is different from how it should be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum But {
    Nothing,
    /// The repository was cloned, and nobody committed here.
    NobodyCommitted,
    NotSetUp,
    /// The agent writes the user's configuration during the session.
    SetUpLater,
    NotInFiles,
}

impl Play {
    fn new(but: But) -> Self {
        let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let app = home.path().join("app");
        std::fs::create_dir_all(app.join("deploy")).unwrap();
        std::fs::create_dir_all(home.path().join(".ssh")).unwrap();
        let hosts = if but == But::NotInFiles {
            "none"
        } else {
            "servers: [web1]\n"
        };
        std::fs::write(app.join("deploy/hosts.yml"), hosts).unwrap();
        git(&app, &["init", "--quiet"]);
        git(&app, &["add", "-A"]);
        git(&app, &["commit", "--quiet", "-m", "first"]);
        if but == But::NobodyCommitted {
            let log = app.join(".git/logs/HEAD");
            let text = std::fs::read_to_string(&log).unwrap();
            std::fs::write(&log, text.replace("commit (initial)", "clone")).unwrap();
        }
        let play = Self { home };
        if !matches!(but, But::NotSetUp | But::SetUpLater) {
            play.set_up();
        }
        // What was there before the session is older than it, and times are told in seconds.
        std::thread::sleep(std::time::Duration::from_millis(1100));
        play.verdict("ls");
        if but == But::SetUpLater {
            std::thread::sleep(std::time::Duration::from_millis(1100));
            play.set_up();
        }
        play
    }

    fn set_up(&self) {
        let text = "Host web1\n  HostName 10.0.0.4\nHost *\n  User me\n";
        std::fs::write(self.home.path().join(".ssh/config"), text).unwrap();
    }

    fn verdict(&self, command: &str) -> String {
        let app = self.home.path().join("app");
        let call = json!({
            "session_id": "s1", "hook_event_name": "PreToolUse", "cwd": app, "permission_mode": "default",
            "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t1",
        });
        let mut child = Command::new(env!("CARGO_BIN_EXE_belay"))
            .args(["hook", "claude-code", "--home"])
            .arg(self.home.path())
            .current_dir(&app)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.home.path())
            .env("CLAUDE_PROJECT_DIR", &app)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(call.to_string().as_bytes()).unwrap();
        drop(stdin);
        let said = child.wait_with_output().unwrap().stdout;
        let said: Value = serde_json::from_slice(&said).unwrap();
        let verdict = said.pointer("/hookSpecificOutput/permissionDecision");
        verdict.unwrap().as_str().unwrap().to_owned()
    }

    /// Judges recorded calls anew; returns how many would be another verdict.
    fn replayed(&self) -> String {
        let done = Command::new(env!("CARGO_BIN_EXE_belay"))
            .arg("replay")
            .current_dir(self.home.path().join("app"))
            .env_clear()
            .env("HOME", self.home.path())
            .output()
            .unwrap();
        String::from_utf8(done.stdout).unwrap()
    }
}

fn git(folder: &Path, words: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=Me", "-c", "user.email=me@example.com"])
        .args(words)
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .status();
    assert!(done.unwrap().success());
}

#[test]
fn a_machine_that_both_name_may_be_looked_at() {
    let play = Play::new(But::Nothing);
    for command in [
        "ssh web1 cat /srv/app/log",
        "ssh web1 'tail -5 /srv/app/log; uptime'",
        "ssh me@web1 ls /srv",
    ] {
        assert_eq!(play.verdict(command), "allow", "{command}");
    }
    for command in [
        "ssh web2 cat /srv/app/log",
        "ssh web1 'cat /srv/app/.env'",
        "ssh web1 'cat ~/.ssh/id_rsa'",
        "ssh web1 'systemctl restart app'",
        "ssh web1 'sudo ls /root'",
        "ssh web1 'frob'",
        "ssh web1 \"$(cat notes)\"",
        "ssh -o ProxyCommand=x web1 cat /srv/app/log",
    ] {
        assert_ne!(play.verdict(command), "allow", "{command}");
    }
    let replayed = play.replayed();
    assert!(replayed.contains("0 of "), "{replayed}");
}

#[test]
fn nothing_less_vouches() {
    for but in [
        But::NobodyCommitted,
        But::NotSetUp,
        But::SetUpLater,
        But::NotInFiles,
    ] {
        assert_eq!(Play::new(but).verdict("ssh web1 cat /srv/app/log"), "ask");
    }
}
