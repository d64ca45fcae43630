//! The model as the fifth layer of the built binary, played by a scripted server.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

use belay_model_server::{Fault, Script, Server};
use serde_json::{Value, json};

const ALLOW: i32 = 0;
const ASK: i32 = 10;
const DENY: i32 = 20;

fn saying(blocks: bool) -> Script {
    let input = json!({ "thinking": "", "should_block": blocks, "reason": "scripted" });
    Script::forcing("classify_result", input)
}

/// A home whose settings name a scripted model.
struct Home {
    folder: tempfile::TempDir,
    _server: Server,
}

impl Home {
    fn with(script: Script, more: &str) -> Self {
        let server = Server::start(script).unwrap();
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let settings = format!(
            "[classifier]\nprovider = \"compatible\"\nmodel = \"m\"\nretries = 0\nbase_url = \"{}\"\n{more}",
            server.url()
        );
        std::fs::create_dir_all(folder.path().join(".config/belay")).unwrap();
        std::fs::create_dir_all(folder.path().join("project")).unwrap();
        std::fs::write(folder.path().join(".config/belay/config.toml"), settings).unwrap();
        Self {
            folder,
            _server: server,
        }
    }

    fn belay(&self, words: &[&str], input: &str) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_belay"))
            .args(words)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.folder.path())
            .current_dir(self.folder.path().join("project"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        child.wait_with_output().unwrap()
    }

    fn check(&self, words: &[&str]) -> (i32, Value) {
        let words = [&["check", "--json"], words].concat();
        let done = self.belay(&words, "");
        let text = String::from_utf8(done.stdout).unwrap();
        (
            done.status.code().unwrap(),
            serde_json::from_str(&text).unwrap(),
        )
    }
}

#[test]
fn the_model_decides_what_is_unsure() {
    let (code, said) = Home::with(saying(false), "").check(&["frobnicate --all"]);
    assert_eq!(
        (code, &said["layer"]),
        (ALLOW, &json!("classifier")),
        "{said}"
    );
    assert_eq!(said["reason"], json!("scripted (compatible m)"));
    let (code, _) = Home::with(saying(true), "").check(&["frobnicate --all"]);
    assert_eq!(code, DENY);
    let (code, _) =
        Home::with(saying(true), "block_means = \"ask\"\n").check(&["frobnicate --all"]);
    assert_eq!(code, ASK);
}

#[test]
fn the_model_lowers_nothing_else() {
    let home = Home::with(saying(false), "");
    assert_eq!(home.check(&["rm -rf ~"]).0, DENY);
    assert_eq!(home.check(&["sudo apt update"]).0, ASK);
    assert_eq!(
        home.check(&["frobnicate && git push --force origin main"])
            .0,
        DENY
    );
}

#[test]
fn without_the_model_a_person_is_asked() {
    let home = Home::with(saying(false), "");
    assert_eq!(home.check(&["--static", "frobnicate"]).0, ASK);
}

#[test]
fn a_model_that_fails_is_no_verdict() {
    let broken = || Script {
        fault: Some(Fault::Status(500)),
        ..saying(false)
    };
    let (code, said) = Home::with(broken(), "").check(&["frobnicate"]);
    assert_eq!(code, ASK);
    assert!(
        said["reason"]
            .as_str()
            .unwrap()
            .contains("no verdict: compatible m: error 500"),
        "{said}"
    );
    assert_eq!(
        Home::with(broken(), "on_error = \"deny\"\n")
            .check(&["frobnicate"])
            .0,
        DENY
    );
    assert_eq!(
        Home::with(broken(), "")
            .check(&["--headless", "frobnicate"])
            .0,
        DENY
    );
    for fault in [Fault::Garbage, Fault::Hangup] {
        let script = Script {
            fault: Some(fault),
            ..saying(false)
        };
        assert_eq!(Home::with(script, "").check(&["frobnicate"]).0, ASK);
    }
}

#[test]
fn a_machine_without_a_key_still_answers() {
    let home = Home::with(saying(false), "");
    let (code, said) = home.check(&[
        "--set",
        "classifier.provider=anthropic",
        "--set",
        "classifier.base_url=\"https://api.anthropic.com\"",
        "frobnicate",
    ]);
    assert_eq!(code, ASK);
    assert!(
        said["reason"]
            .as_str()
            .unwrap()
            .contains("`ANTHROPIC_API_KEY` is not set"),
        "{said}"
    );
}

#[test]
fn the_model_releases_a_soft_rule_to_the_verdict_beneath() {
    let rules = "[rules]\nsoft_deny = [\"frobnicate\", \"sudo apt\"]\n";
    let home = Home::with(saying(false), rules);
    assert_eq!(home.check(&["frobnicate"]).0, ALLOW);
    assert_eq!(home.check(&["sudo apt update"]).0, ASK);
    assert_eq!(home.check(&["--static", "frobnicate"]).0, DENY);
    assert_eq!(
        Home::with(saying(true), rules).check(&["frobnicate"]).0,
        DENY
    );
}

#[test]
fn the_record_says_what_asking_took() {
    let home = Home::with(saying(false), "");
    let project = home.folder.path().join("project").display().to_string();
    let call = json!({ "session_id": "s", "transcript_path": "/nowhere", "cwd": project, "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": "frobnicate", "description": "fine" }, "tool_use_id": "t" });
    let answer = home.belay(&["hook", "claude-code"], &call.to_string());
    let text = String::from_utf8(answer.stdout).unwrap();
    assert!(text.contains("\"allow\""), "{text}");
    let log = home.belay(&["log", "--json"], "");
    let record: Value = serde_json::from_slice(&log.stdout).unwrap();
    assert_eq!(record["rung"], json!("provider"), "{record}");
    assert_eq!(record["model"]["by"], json!("compatible m"));
    assert_eq!(record["model"]["input_tokens"], json!(10));
    home.belay(&["hook", "claude-code"], &call.to_string());
    let log = home.belay(&["log", "--json", "-n", "1"], "");
    let record: Value = serde_json::from_slice(&log.stdout).unwrap();
    assert_eq!(record["rung"], json!("cache"), "{record}");
}

#[test]
fn the_question_can_be_looked_at() {
    let home = Home::with(saying(true), "");
    let done = home.belay(
        &["classifier", "check", "--dump", "dump", "--", "frobnicate"],
        "",
    );
    let text = String::from_utf8(done.stdout).unwrap();
    assert_eq!(done.status.code(), Some(0), "{text}");
    assert!(
        text.contains("answer       block: scripted (compatible m)"),
        "{text}"
    );
    assert!(
        text.contains("1 requests, 10 tokens read, 5 written"),
        "{text}"
    );
    let dump = text
        .lines()
        .find_map(|it| it.strip_prefix("dump         "))
        .unwrap();
    let dump = std::fs::read_to_string(home.folder.path().join("project").join(dump)).unwrap();
    assert!(dump.contains("frobnicate") && dump.contains("BLOCK rules"));
}

#[test]
fn the_check_of_the_model_fails_when_it_does() {
    let home = Home::with(saying(true), "");
    let words = [
        "classifier",
        "check",
        "--set",
        "classifier.base_url=\"http://127.0.0.1:1\"",
    ];
    let done = home.belay(&words, "");
    assert_eq!(done.status.code(), Some(1));
    assert!(
        String::from_utf8(done.stdout)
            .unwrap()
            .contains("no verdict: compatible m: no connection")
    );
    let done = home.belay(
        &["classifier", "check", "--set", "classifier.provider=none"],
        "",
    );
    assert_eq!(done.status.code(), Some(1));
    assert!(
        String::from_utf8(done.stderr)
            .unwrap()
            .contains("no model is set up")
    );
}

#[test]
fn the_default_rules_can_be_read() {
    let done = Home::with(saying(true), "").belay(&["rules", "defaults"], "");
    assert!(
        String::from_utf8(done.stdout)
            .unwrap()
            .contains("Force pushes")
    );
}
