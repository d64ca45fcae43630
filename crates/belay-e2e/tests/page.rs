//! A question of a real client, answered at the page: over HTTP, with the token, the code and the bearer of a person.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests fail by panicking, and say what they saw"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use belay_e2e::{Browser, Client, Gate, Outcome, Stage, belay};
use belay_model_server::{Script, Server, Step};
use belay_needs::Need;
use serde_json::Value;

/// A client may take so long to come to its next call.
const PATIENCE: Duration = Duration::from_secs(60);

/// A person takes so long to make up their mind.
const SLOW: Duration = Duration::from_secs(20);

fn asks(name: &str) -> Step {
    Step::Shell(format!(
        "curl -s -m 1 https://{name}.vendor.test/; touch {name}"
    ))
}

/// One session of Claude Code in a terminal: the page says yes, then no; then nobody answers there, and then it is closed:
/// those two are put in the terminal, where a person says yes.
#[test]
fn an_answer_at_the_page_is_the_verdict_of_claude_code() {
    let client = Client::ClaudeCode;
    let Some(folder) = Need::Clients.met(client.agent().title(), || client.folder()) else {
        return;
    };
    let stage = Stage::closed().unwrap();
    stage.install(client, Gate::Belay(belay())).unwrap();
    // The client lets us take ten seconds, so five are waited at most.
    let settings = stage.home.join(".claude/settings.json");
    let text = fs::read_to_string(&settings).unwrap();
    assert!(text.contains("\"timeout\": 60"));
    fs::write(
        &settings,
        text.replace("\"timeout\": 60", "\"timeout\": 10"),
    )
    .unwrap();
    let mut browser = Browser::open(belay(), &stage.home).unwrap();
    browser.look().unwrap();
    let names = ["first", "second", "third", "fourth"];
    let steps = names
        .map(asks)
        .into_iter()
        .chain([Step::Text("done".to_owned())]);
    let server = Server::start(Script::of(steps)).unwrap();
    let person = Command::new("python3")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/person.py"))
        .arg(folder.join(client.program()))
        .args([&stage.home, &stage.project])
        .arg(server.url())
        .arg(stage.project.join("fourth"))
        .args(["120", "\r", "\r"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let there = |name: &str| stage.project.join(name).exists();

    let yes = browser.question("first.vendor.test", PATIENCE).unwrap();
    assert!(!there("first"));
    assert!(browser.answer(&yes, "yes"));
    let no = browser.question("second.vendor.test", PATIENCE).unwrap();
    assert!(there("first"), "what was allowed ran");
    assert!(browser.answer(&no, "no"));
    let late = browser.question("third.vendor.test", PATIENCE).unwrap();
    assert!(!there("second"), "what was denied did not");
    let asked = Instant::now();
    while browser
        .question("third.vendor.test", Duration::from_millis(1))
        .is_some()
    {
        assert!(
            asked.elapsed() < Duration::from_secs(7),
            "half of ten seconds"
        );
    }
    assert!(!browser.answer(&late, "yes"), "it is too late");
    browser.question("fourth.vendor.test", PATIENCE).unwrap();
    browser.leave();
    let told = person.wait_with_output().unwrap();
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    assert_eq!(told.get("answered").and_then(Value::as_u64), Some(2));
    let ran: Vec<&str> = names.into_iter().filter(|it| there(it)).collect();
    assert_eq!(ran, ["first", "third", "fourth"]);
}

/// Plays a client that puts calls at once, with a person at the page who takes 20 seconds for each answer.
fn slowly(client: Client, said: &'static str, names: &'static [&str]) -> Option<Outcome> {
    Need::Clients.met(client.agent().title(), || client.folder())?;
    let stage = Stage::open().unwrap();
    stage.install(client, Gate::Belay(belay())).unwrap();
    let mut browser = Browser::open(belay(), &stage.home).unwrap();
    browser.look().unwrap();
    let person = thread::spawn(move || {
        let answer = |name: &&str| {
            let nonce = browser.question(&format!("{name}.vendor.test"), PATIENCE);
            let nonce = nonce.unwrap();
            thread::sleep(SLOW);
            assert!(browser.answer(&nonce, said), "{name}");
        };
        thread::scope(|all| {
            for name in names {
                all.spawn(|| answer(name));
            }
        });
    });
    let calls = names.iter().map(|it| asks(it)).collect();
    let script = Script::of([Step::Batch(calls), Step::Text("done".to_owned())]);
    let outcome = stage.run(client, script).unwrap();
    let went = person.join();
    assert!(
        went.is_ok(),
        "{client:?}: {}\n{:#?}",
        outcome.said,
        outcome.journal
    );
    Some(outcome)
}

/// What `docs/guide/page.md` says of the hosts: a hook that takes 20 seconds is waited for, and what it says then counts.
fn waits(client: Client) {
    let Some(outcome) = slowly(client, "yes", &["one", "two"]) else {
        return;
    };
    assert!(outcome.has("one") && outcome.has("two"), "{}", outcome.said);
    assert!(outcome.took > SLOW);
    eprintln!("{client:?}, two at once, yes: {:?}", outcome.took);
    let outcome = slowly(client, "no", &["one"]).unwrap();
    assert!(!outcome.has("one"), "{}", outcome.said);
    assert!(outcome.took > SLOW);
    eprintln!("{client:?}, no: {:?}", outcome.took);
}

/// These put no question without a terminal, so here the scripted gate takes its time.
fn waits_for_the_gate(client: Client) {
    if Need::Clients
        .met(client.agent().title(), || client.folder())
        .is_none()
    {
        return;
    }
    for (name, runs) in [("marker", true), ("marker-deny-me", false)] {
        let stage = Stage::open().unwrap();
        let gate = Path::new(env!("CARGO_BIN_EXE_belay-e2e-gate"));
        stage.install(client, Gate::Scripted(gate, "slow")).unwrap();
        let steps = [
            Step::Shell(format!("touch {name}")),
            Step::Text("done".to_owned()),
        ];
        let outcome = stage.run(client, Script::of(steps)).unwrap();
        assert!(
            outcome.judged(name) && outcome.took > SLOW,
            "{}",
            outcome.said
        );
        assert_eq!(outcome.has(name), runs, "{}", outcome.said);
        eprintln!("{client:?}, {name}: {:?}", outcome.took);
    }
}

/// Copilot runs hooks one after another: what waits in the queue for longer than the time-out is not run because of it.
#[test]
#[ignore = "long: four questions wait 30 seconds each"]
fn a_queue_of_copilot_runs_nothing() {
    let client = Client::Copilot;
    if Need::Clients
        .met(client.agent().title(), || client.folder())
        .is_none()
    {
        return;
    }
    let stage = Stage::open().unwrap();
    stage.install(client, Gate::Belay(belay())).unwrap();
    let mut browser = Browser::open(belay(), &stage.home).unwrap();
    browser.look().unwrap();
    let names = ["one", "two", "three", "four"];
    let calls = names.iter().map(|it| asks(it)).collect();
    let script = Script::of([Step::Batch(calls), Step::Text("done".to_owned())]);
    let outcome = stage.run(client, script).unwrap();
    assert_eq!(outcome.verdicts(), ["ask"; 4]);
    assert!(
        outcome.took > Duration::from_secs(100),
        "{:?}",
        outcome.took
    );
    assert!(!names.iter().any(|it| outcome.has(it)), "{}", outcome.said);
}

macro_rules! waiting {
    ($($name:ident = $how:ident $client:ident;)*) => {
        $(#[test] #[ignore = "long: the client waits 20 seconds"] fn $name() { $how(Client::$client); })*
    };
}

waiting! {
    claude_code_waits = waits_for_the_gate ClaudeCode;
    codex_waits = waits_for_the_gate Codex;
    gemini_waits = waits Gemini;
    copilot_waits = waits Copilot;
}
