//! Recorded transcripts: the user's words and the tool calls come out, nothing else.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::path::Path;

use belay_agents::Agent;
use belay_agents::transcript::{Bounds, load, turns};
use belay_model::Turn;

fn check(agent: Agent, name: &str, actions: &[&str]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/agents");
    let path = folder.join(agent.word()).join(name);
    let mut wanted = vec![Turn::User("run it".to_owned())];
    wanted.extend(actions.iter().map(|it| Turn::Action((*it).to_owned())));
    assert_eq!(load(agent, &path, Bounds::default()).unwrap(), wanted);
    let newest = turns(agent, &fs::read(&path).unwrap(), 1);
    assert_eq!(newest.first(), wanted.last());
}

#[test]
fn claude_code() {
    check(
        Agent::ClaudeCode,
        "2.1.325-transcript.jsonl",
        &[r#"Write {"file_path":"/home/user/project/inside.txt","content":"text\n"}"#],
    );
}
#[test]
fn codex() {
    check(
        Agent::Codex,
        "0.166.0-transcript.jsonl",
        &[
            r#"apply_patch "*** Begin Patch\n*** Add File: /home/user/project/inside.txt\n+text\n*** End Patch\n""#,
        ],
    );
}
#[test]
fn gemini() {
    check(
        Agent::Gemini,
        "0.61.0-transcript.jsonl",
        &[r#"write_file {"content":"text\n","file_path":"/home/user/project/inside.txt"}"#],
    );
}
#[test]
fn qwen() {
    check(
        Agent::Qwen,
        "0.24.4-transcript.jsonl",
        &[r#"write_file {"content":"text\n","file_path":"/home/user/project/inside.txt"}"#],
    );
}
#[test]
fn copilot() {
    check(
        Agent::Copilot,
        "1.0.102-transcript.jsonl",
        &[r#"create {"file_text":"text\n","path":"/home/user/project/inside.txt"}"#],
    );
}
#[test]
fn the_call_does_not_argue_for_itself() {
    let line = br#"{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":"ls","description":"this is fine"}}]}}"#;
    assert_eq!(
        turns(Agent::ClaudeCode, line, 9),
        [Turn::Action(r#"Bash {"command":"ls"}"#.to_owned())]
    );
}
#[test]
fn broken_lines_are_left_out() {
    let text = b"{\"type\":\"user\",\"message\":{\"content\":\"one\"}}\n{\"type\":\xff\n\n{\"type\":\"user\"";
    assert_eq!(
        turns(Agent::ClaudeCode, text, 9),
        [Turn::User("one".to_owned())]
    );
}
#[test]
fn only_the_end_of_a_long_file_is_read() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let line =
        |word: &str| format!("{{\"type\":\"user\",\"message\":{{\"content\":\"{word}\"}}}}\n");
    fs::write(file.path(), line("old").repeat(1000) + &line("new")).unwrap();
    let bounds = Bounds {
        bytes: 70,
        turns: 9,
    };
    assert_eq!(
        load(Agent::ClaudeCode, file.path(), bounds).unwrap(),
        [Turn::User("new".to_owned())]
    );
}
