//! A gate whose verdicts are fixed by words in the call, and that can be made to fail. It stands
//! where `belay` stands: `belay-e2e-gate hook AGENT`. A file `gate.json` beside it says how it
//! behaves (`fault`) and where it keeps its journal (`journal`).

use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use belay_agents::{Agent, Answer, Heard, answer, no_opinion, read, refuse};
use belay_model::{Judgement, Layer, Reason, Risk, Value, Verdict};
use serde_json::json;

/// How long the gate gives itself.
const DEADLINE: Duration = Duration::from_millis(700);

fn main() {
    let agent = env::args().nth(2).and_then(|word| Agent::from_word(&word));
    let notes = Notes::find();
    let mut stdin = Vec::new();
    drop(io::stdin().read_to_end(&mut stdin));
    let told = judged(agent, &stdin, &notes);
    notes.record(&stdin, &told);
    say(&told);
}

fn say(told: &Answer) {
    drop(io::stdout().write_all(&told.stdout));
    drop(io::stdout().flush());
    drop(io::stderr().write_all(&told.stderr));
    process::exit(told.code);
}

/// Judges on another thread, so that a panic or a delay there becomes a refusal here.
fn judged(agent: Option<Agent>, stdin: &[u8], notes: &Notes) -> Answer {
    match notes.fault.as_str() {
        "hang" => thread::sleep(Duration::from_secs(8)),
        "slow" => thread::sleep(Duration::from_secs(20)),
        _ => {}
    }
    let (sender, receiver) = mpsc::channel();
    let (stdin, fault) = (stdin.to_vec(), notes.fault.clone());
    thread::spawn(move || {
        misbehave(&fault);
        drop(sender.send(told(agent, &stdin)));
    });
    receiver
        .recv_timeout(DEADLINE)
        .unwrap_or_else(|_| refuse(agent, "no verdict in time"))
}

fn misbehave(fault: &str) {
    match fault {
        "panic" => {
            let nothing: Option<u8> = fault.strip_prefix("other").map(|_| 1);
            #[expect(clippy::unwrap_used, reason = "the panic is what is tested")]
            nothing.map(drop).unwrap();
        }
        "late" => thread::sleep(Duration::from_secs(30)),
        "exit" => process::exit(1),
        "kill" => process::abort(),
        _ => {}
    }
}

fn told(agent: Option<Agent>, stdin: &[u8]) -> Answer {
    let Some(agent) = agent else {
        return refuse(None, "unknown agent");
    };
    match read(agent, stdin, &|name| env::var(name).ok()) {
        Ok(heard @ (Heard::Observe(_) | Heard::Ignore)) => no_opinion(agent, &heard),
        Ok(heard) if input(&heard).contains("say-nothing") => no_opinion(agent, &heard),
        Ok(heard) => answer(agent, &heard, &judgement(&heard)),
        Err(error) => refuse(Some(agent), &error.to_string()),
    }
}

fn input(heard: &Heard) -> String {
    match heard {
        Heard::Judge(asked) => belay_journal::json::compact(&asked.call.input),
        Heard::Observe(_) | Heard::Ignore => String::new(),
    }
}

fn judgement(heard: &Heard) -> Judgement {
    let input = input(heard);
    let verdict = if input.contains("deny-me") || input.contains(".bashrc") {
        Verdict::Deny
    } else if input.contains("ask-me") {
        Verdict::Ask
    } else {
        Verdict::Allow
    };
    Judgement {
        id: None,
        verdict,
        layer: Layer::Analysis,
        reason: Reason::new("the scripted gate says so"),
        risk: Risk::NONE,
        effects: Vec::new(),
        troubles: Vec::new(),
        trail: Vec::new(),
        micros: 0,
    }
}

/// What `gate.json` says.
struct Notes {
    fault: String,
    journal: Option<PathBuf>,
}

impl Notes {
    fn find() -> Self {
        let exe = env::current_exe().unwrap_or_default();
        let path = exe.parent().unwrap_or(Path::new("/")).join("gate.json");
        let told = fs::read(path).unwrap_or_default();
        let told = belay_journal::json::read(&told).unwrap_or_default();
        let text = |name| told.get(name).and_then(Value::text).map(str::to_owned);
        Self {
            fault: text("fault").unwrap_or_default(),
            journal: text("journal").map(PathBuf::from),
        }
    }

    fn record(&self, stdin: &[u8], told: &Answer) {
        let Some(path) = &self.journal else { return };
        let record = json!({
            "stdin": String::from_utf8_lossy(stdin),
            "stdout": String::from_utf8_lossy(&told.stdout),
            "stderr": String::from_utf8_lossy(&told.stderr),
            "code": told.code,
            "env": env::vars()
                .filter(|(name, _)| is_told(name))
                .collect::<std::collections::BTreeMap<_, _>>(),
        });
        if let Ok(mut file) = OpenOptions::new().create(true).append(true).open(path) {
            drop(file.write_all(format!("{record}\n").as_bytes()));
        }
    }
}

/// Tells whether a variable may matter to an adapter and holds no secret.
fn is_told(name: &str) -> bool {
    let told = ["_PROJECT_DIR", "_ENTRYPOINT", "_CWD", "PWD", "HOME"];
    told.iter().any(|end| name.ends_with(end))
}
