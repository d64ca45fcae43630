//! Exit codes and closed pipes of the built binary.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn belay(words: &[&str], input: &str) -> Output {
    let home = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_belay"))
        .args(words)
        .env_clear()
        .env("HOME", home.path())
        .current_dir(home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn ends(words: &[&str], code: i32) {
    let output = belay(words, "");
    assert_eq!(output.status.code(), Some(code), "{words:?} {output:?}");
}

#[test]
fn wrong_usage_is_64() {
    ends(&["frobnicate"], 64);
    ends(&["check"], 64);
    ends(&["check", "--tool", "Read"], 64);
    ends(&["check", "--tool", "Read", "--input", "{"], 64);
    ends(&["check", "--jsonl", "ls"], 64);
    ends(&["log", "--verdict", "maybe"], 64);
}

#[test]
fn help_is_an_answer() {
    ends(&["--help"], 0);
    ends(&["check", "--help"], 0);
    ends(&["--version"], 0);
}

#[test]
fn every_line_gets_a_line_in_order() {
    let input = concat!(
        r#"{"id":"a","tool":"Read","input":{"file_path":"x"},"cwd":"/p"}"#,
        "\n",
        "not json\n",
        "\n",
        r#"{"id":"d","input":{}}"#,
        "\n",
        r#"{"id":"e","tool":"Grep","input":{"pattern":"x"},"cwd":"/p"}"#,
    );
    let output = belay(&["check", "--jsonl"], input);
    let text = String::from_utf8(output.stdout).unwrap();
    let heads: Vec<&str> = text
        .lines()
        .map(|it| it.split(",\"layer\"").next().unwrap())
        .collect();
    assert_eq!(
        heads,
        [
            r#"{"id":"a","verdict":"allow""#,
            r#"{"id":null,"verdict":"ask""#,
            r#"{"id":null,"verdict":"ask""#,
            r#"{"id":"d","verdict":"ask""#,
            r#"{"id":"e","verdict":"allow""#,
        ]
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_closed_pipe_is_silence() {
    let script = format!(
        "'{}' completions bash | head -n 1 >/dev/null",
        env!("CARGO_BIN_EXE_belay")
    );
    let output = Command::new("bash")
        .args(["-o", "pipefail", "-c", &script])
        .output()
        .unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
}

#[test]
fn taking_back_what_is_not_there_fails() {
    ends(&["trust", "--revoke"], 1);
    ends(&["allow", "--revoke", "x"], 1);
    ends(&["grants", "--end", "x"], 1);
}

#[test]
fn an_install_nobody_agreed_to_fails() {
    ends(&["install", "claude-code"], 1);
}

#[test]
fn empty_lists_say_so() {
    for words in [["trust", "--list"], ["allow", "--list"]] {
        assert!(!belay(&words, "").stdout.is_empty(), "{words:?}");
    }
    assert!(!belay(&["grants"], "").stdout.is_empty());
    assert!(belay(&["grants", "--json"], "").stdout.is_empty());
}

#[test]
fn every_sub_command_has_a_manual_page() {
    let page = belay(&["man", "rules", "lint"], "");
    let text = String::from_utf8(page.stdout).unwrap();
    assert!(text.contains("belay\\-rules\\-lint"), "{text}");
    ends(&["man", "nothing"], 64);
}

#[test]
fn five_shells_are_completed() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(
            belay(&["completions", shell], "").stdout.len() > 1000,
            "{shell}"
        );
    }
}
