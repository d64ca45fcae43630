//! The real Claude Code throws work away; the person gives it back.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;

use belay_e2e::{Client, Gate, Stage, belay};
use belay_model_server::{Script, Step};
use belay_needs::Need;

/// Runs a program in the project and returns what it printed.
fn run(command: &mut Command, stage: (&Path, &Path)) -> String {
    let (home, project) = stage;
    let path = std::env::var_os("PATH").unwrap();
    command.current_dir(project).env_clear().env("PATH", path);
    let done = command.env("HOME", home).output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{command:?}: {said}");
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn an_agent_resets_and_the_person_restores() {
    let client = Client::ClaudeCode;
    let found = Need::Clients.met(client.agent().title(), || client.folder());
    if found.is_none() {
        return;
    }
    let stage = Stage::open().unwrap();
    stage.install(client, Gate::Belay(belay())).unwrap();
    // A build for tests on a busy machine is slow.
    stage.settings("[undo]\nmax_ms = 10000\n");
    let (home, project) = (stage.home.clone(), stage.project.clone());
    let here = (home.as_path(), project.as_path());
    let sh = |text: &str| run(Command::new("sh").args(["-c", text]), here);
    let ours = |words: &[&str]| run(Command::new(belay()).args(words), here);
    sh("git init -q -b main . && git config user.name me && git config user.email me@example.test");
    sh("echo one > app.js && git add app.js && git commit -qm first");
    sh("echo two >> app.js && echo staged > new.js && git add new.js && echo 'ask Ada' > notes.md");
    let state = || {
        let files = ["app.js", "new.js", "notes.md"];
        let text = |name| fs::read_to_string(project.join(name)).ok();
        (sh("git status --porcelain=v2"), files.map(text))
    };
    let before = state();

    let steps = [
        Step::Shell("git reset --hard".to_owned()),
        Step::Shell("rm notes.md".to_owned()),
        Step::Text("done".to_owned()),
    ];
    let outcome = stage.run(client, Script::of(steps)).unwrap();
    let said = &outcome.said;
    assert_eq!(outcome.verdicts(), ["allow", "allow"], "{said}");
    let lost = fs::read_to_string(project.join("app.js")).unwrap();
    assert_eq!(lost, "one\n", "the client ran it: {said}");
    assert!(!outcome.has("new.js") && !outcome.has("notes.md"), "{said}");

    let listed = ours(&["undo", "--list"]);
    assert_eq!(listed.lines().count(), 2, "{listed}");
    for line in listed.lines() {
        assert!(line.contains("claude-code"), "{listed}");
        ours(&["undo", line.split(' ').next().unwrap()]);
    }
    assert_eq!(state(), before, "{listed}");
}
