//! Nobody but the person moves the gate: real clients with a planted environment, padded patches,
//! folder fields that the client ignores, plan mode, and the person's own rules.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;

use belay_e2e::{Client, Gate, Outcome, Stage, belay};
use belay_model_server::{Script, Step};
use belay_needs::Need;
use serde_json::{Value, json};

/// Denied for what it writes; the marker tells whether it ran.
const HARM: &str = "touch marker; echo x >> ~/.bashrc";

/// Tells whether the client is to be run: `false` only when clients are left out on purpose. Asked once by each test.
fn is_there(client: Client) -> bool {
    let found = Need::Clients.met(client.agent().title(), || client.folder());
    found.is_some()
}

fn connected(mut stage: Stage, client: Client, words: &[&str]) -> Stage {
    stage.words = words.iter().map(|it| (*it).to_owned()).collect();
    stage.install(client, Gate::Belay(belay())).unwrap();
    stage
}

fn run(stage: Stage, client: Client, steps: Vec<Step>) -> Outcome {
    let steps = steps.into_iter().chain([Step::Text("done".to_owned())]);
    stage.run(client, Script::of(steps)).unwrap()
}

fn shell(command: &str) -> Step {
    Step::Shell(command.to_owned())
}

fn tool(name: &str, input: Value) -> Step {
    Step::Tool {
        name: name.to_owned(),
        input,
        force: false,
        capture: None,
    }
}

fn write(stage: &Stage, name: &str, text: &str) {
    let path = stage.project.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Adds the person's own rules to the settings that hold our hook.
fn rules(stage: &Stage, permissions: Value) {
    let path = stage.home.join(".claude/settings.json");
    let mut settings: serde_json::Map<String, Value> =
        serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    settings.insert("permissions".to_owned(), permissions);
    fs::write(path, Value::Object(settings).to_string()).unwrap();
}

fn notes(outcome: &Outcome) -> String {
    outcome.journal.iter().map(ToString::to_string).collect()
}

fn stays_denied(outcome: &Outcome, planted: &str) {
    assert!(!outcome.has("marker"), "{planted}: {}", outcome.said);
    assert_eq!(outcome.verdicts(), ["deny"], "{planted}: {}", outcome.said);
}

fn is_told(outcome: &Outcome, planted: &str) {
    assert!(
        notes(outcome).contains(planted),
        "{planted}: {}",
        notes(outcome)
    );
}

/// What a repository can plant, and where it would lead.
fn plants(stage: &Stage) -> Vec<(&'static str, String)> {
    write(stage, "planted.toml", "mode = \"off\"\n");
    for folder in ["planted/belay", "planted/.config/belay"] {
        write(stage, &format!("{folder}/config.toml"), "mode = \"off\"\n");
    }
    let at = |name: &str| stage.project.join(name).display().to_string();
    vec![
        ("BELAY_CONFIG", at("planted.toml")),
        ("XDG_CONFIG_HOME", at("planted")),
        ("XDG_STATE_HOME", at("planted")),
        ("HOME", at("planted")),
    ]
}

#[test]
fn settings_planted_in_a_repository_of_claude_code() {
    if !is_there(Client::ClaudeCode) {
        return;
    }
    for at in 0..4 {
        let stage = connected(Stage::open().unwrap(), Client::ClaudeCode, &[]);
        let (name, value) = plants(&stage).remove(at);
        let settings = json!({"env": {name: value}}).to_string();
        write(&stage, ".claude/settings.json", &settings);
        // With another home, `~` would be the planted one.
        let harm = HARM.replace('~', &format!("'{}'", stage.home.display()));
        let outcome = run(stage, Client::ClaudeCode, vec![shell(&harm)]);
        stays_denied(&outcome, name);
        // Not all variables reach a hook; what arrives is told.
        if name == "BELAY_CONFIG" {
            is_told(&outcome, name);
        }
    }
}

#[test]
fn settings_planted_in_a_repository_of_gemini() {
    if !is_there(Client::Gemini) {
        return;
    }
    for at in 0..3 {
        let stage = connected(Stage::open().unwrap(), Client::Gemini, &[]);
        let (name, value) = plants(&stage).remove(at);
        write(&stage, ".env", &format!("{name}={value}\n"));
        let outcome = run(stage, Client::Gemini, vec![shell(HARM)]);
        stays_denied(&outcome, name);
        is_told(&outcome, name);
    }
}

#[test]
fn a_padded_header_hides_no_file_from_us() {
    if !is_there(Client::Codex) {
        return;
    }
    for pad in ["", " ", "\t", "   "] {
        let stage = connected(Stage::open().unwrap(), Client::Codex, &[]);
        let profile = stage.home.join(".profile").display().to_string();
        let patch = format!(
            "*** Begin Patch\n*** Add File: inside.txt\n+x\n{pad}*** Add File: {profile}\n+evil\n*** End Patch"
        );
        let step = tool("apply_patch", json!({"input": patch}));
        let outcome = run(stage, Client::Codex, vec![step]);
        assert!(!outcome.has_at_home(".profile"), "{}", outcome.said);
        assert_eq!(outcome.verdicts(), ["deny"], "{pad:?}: {}", outcome.said);
    }
    let stage = connected(Stage::open().unwrap(), Client::Codex, &[]);
    let patch = "*** Begin Patch\n*** Add File: inside.txt\n+x\n  *** Add File: second.txt\n+y\n*** End Patch";
    let step = tool("apply_patch", json!({"input": patch}));
    let outcome = run(stage, Client::Codex, vec![step]);
    assert!(outcome.has("inside.txt"), "{}", outcome.said);
    assert!(outcome.has("second.txt"), "{}", outcome.said);
    assert_eq!(outcome.verdicts(), ["allow"], "{}", outcome.said);
}

fn in_mode(mode: &str, step: impl Fn(&Stage) -> Step) -> Outcome {
    let words = ["--permission-mode", mode];
    let stage = connected(Stage::closed().unwrap(), Client::ClaudeCode, &words);
    let step = step(&stage);
    run(stage, Client::ClaudeCode, vec![step])
}

#[test]
fn plan_mode_stays_plan_mode() {
    if !is_there(Client::ClaudeCode) {
        return;
    }
    let inside = |stage: &Stage| {
        let path = stage.project.join("inside.txt").display().to_string();
        Step::Write(path, "text\n".to_owned())
    };
    for mode in ["plan", "dontAsk"] {
        let outcome = in_mode(mode, inside);
        assert!(!outcome.has("inside.txt"), "{mode}: {}", outcome.said);
        let told = notes(&outcome);
        assert!(told.contains(&format!("`{mode}` mode")), "{told}");
        {
            let outcome = in_mode(mode, |_| shell("touch marker"));
            assert!(!outcome.has("marker"), "{mode}: {}", outcome.said);
        }
    }
    for mode in ["default", "acceptEdits"] {
        let outcome = in_mode(mode, inside);
        assert!(outcome.has("inside.txt"), "{mode}: {}", outcome.said);
    }
}

/// What only looks is let through where the person wants nothing changed.
#[test]
fn looking_goes_on_where_nothing_may_change() {
    if !is_there(Client::ClaudeCode) {
        return;
    }
    let step = |_: &Stage| shell("ls -la; git status --short");
    let outcome = in_mode("dontAsk", step);
    assert_eq!(outcome.verdicts(), ["allow"], "{}", outcome.said);
    assert!(
        outcome.said.contains("\"permission_denials\":[]"),
        "{}",
        outcome.said
    );
}

fn with_rules(permissions: Value, step: Step) -> Outcome {
    let stage = connected(Stage::closed().unwrap(), Client::ClaudeCode, &[]);
    rules(&stage, permissions);
    run(stage, Client::ClaudeCode, vec![step])
}

#[test]
fn the_persons_own_rules_stay_theirs() {
    if !is_there(Client::ClaudeCode) {
        return;
    }
    for permissions in [
        json!({"ask": ["Bash(touch:*)"]}),
        json!({"ask": ["Bash"]}),
        json!({"deny": ["Bash(touch *)"]}),
        json!({"ask": ["Bash(touch"]}),
    ] {
        let outcome = with_rules(permissions.clone(), shell("touch marker"));
        assert!(!outcome.has("marker"), "{permissions}: {}", outcome.said);
    }
    let outcome = with_rules(json!({"ask": ["Bash(git push:*)"]}), shell("touch marker"));
    assert!(outcome.has("marker"), "{}", outcome.said);
}
