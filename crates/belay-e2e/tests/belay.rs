//! The real `belay` between the real clients and a scripted model.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;

use belay_agents::doctor::{Trial, prove};
use belay_e2e::{Client, Gate, Outcome, Stage, belay};
use belay_model_server::{Script, Step};
use belay_needs::Need;
use serde_json::json;

/// Tells whether the client is to be run: `false` only when clients are left out on purpose. Asked once by each test.
fn is_there(client: Client) -> bool {
    let found = Need::Clients.met(client.agent().title(), || client.folder());
    found.is_some()
}

fn play(client: Client, settings: &str, step: impl Fn(&Stage) -> Step) -> Outcome {
    let stage = Stage::open().unwrap();
    stage.install(client, Gate::Belay(belay())).unwrap();
    stage.settings(settings);
    let steps = [step(&stage), Step::Text("done".to_owned())];
    stage.run(client, Script::of(steps)).unwrap()
}

fn write_to(path: &Path) -> Step {
    Step::Write(path.display().to_string(), "text\n".to_owned())
}

fn stopped(outcome: &Outcome, gone: bool) {
    assert!(
        gone && outcome.tried() && outcome.can_be_seen(),
        "{}",
        outcome.said
    );
}

fn doctor_holds(client: Client) {
    let Some(folder) = is_there(client).then(|| client.folder()).flatten() else {
        return;
    };
    let room = tempfile::tempdir().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let program = folder.join(client.program());
    let trial = Trial {
        agent: client.agent(),
        client: &program,
        belay: belay(),
        path: &path,
        settings: None,
        own: None,
    };
    let proof = prove(&trial, room.path()).unwrap();
    assert!(proof.holds(), "{proof:#?}");
}

#[test]
fn claude_code_writes_inside_the_project() {
    if !is_there(Client::ClaudeCode) {
        return;
    }
    let outcome = play(Client::ClaudeCode, "", |stage| {
        write_to(&stage.project.join("inside.txt"))
    });
    assert!(outcome.has("inside.txt"), "{}", outcome.said);
    assert_eq!(outcome.verdicts(), ["allow"], "{}", outcome.said);
}

#[test]
fn claude_code_does_not_write_the_shells_startup_file() {
    if !is_there(Client::ClaudeCode) {
        return;
    }
    let outcome = play(Client::ClaudeCode, "", |stage| {
        write_to(&stage.home.join(".bashrc"))
    });
    stopped(&outcome, !outcome.has_at_home(".bashrc"));
    assert_eq!(outcome.verdicts(), ["deny"], "{}", outcome.said);
}

#[test]
fn claude_code_does_not_unhook_the_gate() {
    if !is_there(Client::ClaudeCode) {
        return;
    }
    let outcome = play(Client::ClaudeCode, "", |_| {
        Step::Shell("rm -f ~/.claude/settings.json; touch marker".to_owned())
    });
    stopped(&outcome, !outcome.has("marker"));
    assert!(outcome.has_at_home(".claude/settings.json"));
}

/// Codex with these further words, doing these steps.
fn codex(stage: Stage, words: &[&str], steps: Vec<Step>) -> Outcome {
    let mut stage = stage;
    stage.words = words.iter().map(|it| (*it).to_owned()).collect();
    stage.install(Client::Codex, Gate::Belay(belay())).unwrap();
    let steps = steps.into_iter().chain([Step::Text("done".to_owned())]);
    stage.run(Client::Codex, Script::of(steps)).unwrap()
}

fn tool(name: &str, input: serde_json::Value) -> Step {
    Step::Tool {
        name: name.to_owned(),
        input,
        force: false,
        capture: Some("session ID ".to_owned()),
    }
}

/// What is typed into a shell that runs already is shown to no hook: so no shell is started.
#[test]
fn codex_gets_no_shell_to_type_into() {
    if !is_there(Client::Codex) {
        return;
    }
    for shell in [
        "bash",
        "sh -i",
        "python3",
        "env -i bash --norc",
        "script -q /dev/null",
    ] {
        let start = tool("exec_command", json!({"cmd": shell, "tty": true}));
        let typed = json!({"session_id": "$1", "chars": "touch marker\n"});
        let steps = vec![start, tool("write_stdin", typed)];
        let outcome = codex(Stage::open().unwrap(), &[], steps);
        stopped(&outcome, !outcome.has("marker"));
        assert_eq!(outcome.verdicts(), ["deny"], "{shell}: {}", outcome.said);
    }
}

fn from_code(command: &str) -> Outcome {
    run_code(&format!("await tools.exec_command({{cmd: \"{command}\"}})"))
}

fn run_code(code: &str) -> Outcome {
    let steps = vec![tool("exec", json!({"input": code}))];
    let words = ["-c", "features.code_mode=true"];
    codex(Stage::open().unwrap(), &words, steps)
}

#[test]
fn what_code_of_codex_calls_is_judged() {
    if !is_there(Client::Codex) {
        return;
    }
    let outcome = from_code("touch marker");
    assert!(outcome.has("marker"), "{}", outcome.said);
    assert_eq!(outcome.verdicts(), ["allow"], "{}", outcome.said);
    let outcome = from_code("touch marker; echo x >> ~/.bashrc");
    stopped(&outcome, !outcome.has("marker"));
    assert_eq!(outcome.verdicts(), ["deny"], "{}", outcome.said);
}

/// What would be asked about does not run: nobody is there to ask.
#[test]
fn what_code_of_codex_calls_may_be_a_question() {
    if !is_there(Client::Codex) {
        return;
    }
    let outcome = from_code("touch marker; frobnicate-the-unknown");
    stopped(&outcome, !outcome.has("marker"));
    assert_eq!(outcome.verdicts(), ["deny"], "{}", outcome.said);
}

#[test]
fn code_of_codex_calls_two_at_once() {
    if !is_there(Client::Codex) {
        return;
    }
    let outcome = run_code(
        "const said = await Promise.allSettled([tools.exec_command({cmd: 'touch one'}), tools.exec_command({cmd: 'touch two; echo x >> ~/.bashrc'})]); text(String(said.length))",
    );
    assert!(
        outcome.has("one") && !outcome.has("two"),
        "{}",
        outcome.said
    );
    let mut verdicts = outcome.verdicts();
    verdicts.sort_unstable();
    assert_eq!(verdicts, ["allow", "deny"], "{}", outcome.said);
}

/// Sub-agents are ordinary work: the tools that start them and wait for them are let through, and
/// what they do is judged as their parent's calls are.
#[test]
fn sub_agents_of_codex_work() {
    if !is_there(Client::Codex) {
        return;
    }
    let mut stage = Stage::open().unwrap();
    let words = ["-c", "features.multi_agent_v2=true"];
    stage.words = words.map(str::to_owned).to_vec();
    stage.install(Client::Codex, Gate::Belay(belay())).unwrap();
    let wait = tool("collaboration.wait_agent", json!({"timeout_ms": 10_000}));
    let done = || Step::Text("done".to_owned());
    let script = Script::of([Step::Delegate("an errand".to_owned()), wait, done()]);
    let touch = Step::Shell("touch marker".to_owned());
    let outcome = stage.run(Client::Codex, script.route("an errand", [touch, done()]));
    let outcome = outcome.unwrap();
    assert!(outcome.has("marker"), "{}", outcome.said);
    assert_eq!(outcome.verdicts(), ["allow"; 3], "{}", outcome.said);
}

fn escalated(command: &str) -> Outcome {
    let input = json!({"cmd": command, "sandbox_permissions": "require_escalated", "justification": "please"});
    codex(
        Stage::asking().unwrap(),
        &[],
        vec![tool("exec_command", input)],
    )
}

/// Codex asks a reviewer before it leaves its sandbox; our allow is the answer.
#[test]
fn codex_is_answered_when_it_asks() {
    if !is_there(Client::Codex) {
        return;
    }
    let outcome = escalated("touch marker");
    assert!(outcome.has("marker"), "{}", outcome.said);
    assert_eq!(outcome.verdicts(), ["allow", "allow"], "{}", outcome.said);
    let outcome = escalated("touch marker; sudo true");
    stopped(&outcome, !outcome.has("marker"));
}

/// Claude Code without our hook, but with us as the one who is asked.
fn asked_over_mcp(command: &str) -> Outcome {
    let mut stage = Stage::closed().unwrap();
    let servers = format!(
        r#"{{"mcpServers":{{"belay":{{"command":"{}","args":["mcp","--home","{}"]}}}}}}"#,
        belay().display(),
        stage.home.display()
    );
    let words = [
        "--mcp-config",
        &servers,
        "--permission-prompt-tool",
        "mcp__belay__approve",
    ];
    stage.words = words.map(str::to_owned).to_vec();
    let steps = [
        Step::Shell(command.to_owned()),
        Step::Text("done".to_owned()),
    ];
    stage.run(Client::ClaudeCode, Script::of(steps)).unwrap()
}

#[test]
fn the_permission_prompt_server_lets_run() {
    if !is_there(Client::ClaudeCode) {
        return;
    }
    let outcome = asked_over_mcp("touch marker");
    assert!(outcome.has("marker"), "{}", outcome.said);
}

#[test]
fn the_permission_prompt_server_stops() {
    if !is_there(Client::ClaudeCode) {
        return;
    }
    let outcome = asked_over_mcp("touch marker; echo x >> ~/.bashrc");
    stopped(&outcome, !outcome.has("marker"));
}

/// A home whose daemon is stopped in the end.
struct Served(PathBuf);

impl Served {
    fn belay(&self, words: &[&str]) -> std::process::Output {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Command::new(belay())
            .args(words)
            .env_clear()
            .env("HOME", &self.0)
            .env("PATH", path)
            .output()
            .unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.belay(&["serve", "--stop"]);
    }
}

/// Claude Code that asks the daemon, connected by the user's own command. `change` may spoil the
/// settings afterwards.
fn over_http(command: &str, change: impl Fn(String) -> String) -> Outcome {
    let stage = Stage::open().unwrap();
    let served = Served(stage.home.clone());
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let http = format!("--http={port}");
    let done = served.belay(&["install", "--yes", "claude-code", &http]);
    assert!(done.status.success(), "{done:?}");
    let settings = stage.home.join(".claude/settings.json");
    let text = std::fs::read_to_string(&settings).unwrap();
    std::fs::write(&settings, change(text)).unwrap();
    let steps = [
        Step::Shell(command.to_owned()),
        Step::Text("done".to_owned()),
    ];
    let outcome = stage.run(Client::ClaudeCode, Script::of(steps)).unwrap();
    drop(served);
    outcome
}

#[test]
fn the_daemon_lets_run() {
    if !is_there(Client::ClaudeCode) {
        return;
    }
    let outcome = over_http("touch marker", |it| it);
    assert!(outcome.has("marker"), "{}", outcome.said);
    assert_eq!(outcome.verdicts(), ["allow"], "{}", outcome.said);
}

#[test]
fn the_daemon_stops() {
    if !is_there(Client::ClaudeCode) {
        return;
    }
    let outcome = over_http("touch marker; echo x >> ~/.bashrc", |it| it);
    stopped(&outcome, !outcome.has("marker"));
    assert_eq!(outcome.verdicts(), ["deny"], "{}", outcome.said);
}

#[test]
fn a_daemon_that_is_not_there_stops() {
    if !is_there(Client::ClaudeCode) {
        return;
    }
    let without = |it: String| it.replace(" serve --background", " config --background");
    let outcome = over_http("touch marker", without);
    stopped(&outcome, !outcome.has("marker"));
    assert!(outcome.verdicts().is_empty(), "{}", outcome.said);
}

#[test]
fn a_daemon_with_another_token_stops() {
    if !is_there(Client::ClaudeCode) {
        return;
    }
    let forged = |it: String| it.replace("Bearer ", "Bearer x");
    let outcome = over_http("touch marker", forged);
    stopped(&outcome, !outcome.has("marker"));
    assert!(outcome.verdicts().is_empty(), "{}", outcome.said);
}

#[test]
fn the_doctor_proves_claude_code() {
    doctor_holds(Client::ClaudeCode);
}

#[test]
fn the_doctor_proves_codex() {
    doctor_holds(Client::Codex);
}

#[test]
fn the_doctor_proves_gemini() {
    doctor_holds(Client::Gemini);
}

#[test]
fn the_doctor_proves_copilot() {
    doctor_holds(Client::Copilot);
}
