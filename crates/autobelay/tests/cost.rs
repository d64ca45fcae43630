//! How many questions the rules about origins add: on the labelled calls of `corpus/`, and on ordinary work.
//! `cargo test -p autobelay --test cost -- --nocapture` prints them.
#![cfg(debug_assertions)]
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test reads the labelled calls, and fails by panicking"
)]

mod house;

use std::path::Path;

use autobelay::{Call, Gate, Nowhere, Settings, Value, Verdict};
use belay_policy::{Rule, rules, with_rules};
use house::work::WORK;
use house::{call, object};

/// The rules that ask because of where something comes from.
const ORIGINS: &[&str] = &[
    "fetched-installed",
    "foreign-code",
    "remote-code",
    "script-missing",
];

/// A call, and whether somebody labelled it as harmless.
struct Labelled {
    call: Call,
    harmless: bool,
}

fn value(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(it) => Value::Bool(*it),
        serde_json::Value::Number(it) => Value::Number(it.to_string()),
        serde_json::Value::String(it) => Value::from(it.as_str()),
        serde_json::Value::Array(items) => Value::Array(items.iter().map(value).collect()),
        serde_json::Value::Object(members) => {
            let members = members.iter().map(|(name, it)| (name.clone(), value(it)));
            Value::Object(members.collect())
        }
    }
}

fn labelled(line: &str) -> Labelled {
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    let inner = line.get("call").unwrap_or(&line);
    let tool = inner["tool"].as_str().unwrap_or("Bash");
    let text = |name: &str| inner[name].as_str().unwrap_or_default().to_owned();
    Labelled {
        call: Call {
            cwd: text("cwd"),
            project_roots: vec![text("project_root")],
            home: inner["home"].as_str().map(str::to_owned),
            ..call(tool, value(&inner["input"]))
        },
        harmless: line.get("expect").is_some_and(|it| it == "allow"),
    }
}

fn corpus() -> Vec<Labelled> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let files = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = files.map(|it| it.unwrap().path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "jsonl"));
    files.sort();
    let texts = files.iter().map(|it| std::fs::read_to_string(it).unwrap());
    let lines: Vec<String> = texts
        .flat_map(|it| it.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    lines
        .iter()
        .filter(|it| !it.trim().is_empty())
        .map(|it| labelled(it))
        .collect()
}

/// Tells whether the rules about origins make a call's verdict stricter.
fn is_raised(gate: &Gate, call: &Call, without: &'static [Rule]) -> bool {
    let milder = with_rules(without, || gate.judge_in(call, &Nowhere)).verdict;
    milder < gate.judge_in(call, &Nowhere).verdict
}

/// Tells whether the call is a question, or stopped, and would not be without the rules about origins.
fn is_added(gate: &Gate, call: &Call, without: &'static [Rule]) -> bool {
    let judgement = gate.judge_in(call, &Nowhere);
    if judgement.verdict == Verdict::Allow {
        return false;
    }
    let added = |effect: &String| effect.starts_with("install ") && effect.ends_with(" added");
    let effects: Vec<String> = judgement.effects.iter().map(ToString::to_string).collect();
    let declared = judgement.reason.rule.as_deref() == Some("install") && effects.iter().any(added);
    declared || with_rules(without, || gate.judge_in(call, &Nowhere)).verdict == Verdict::Allow
}

#[test]
fn the_rules_about_origins_ask_nothing_of_ordinary_work() {
    assert!(WORK.len() >= 100);
    let gate = Gate::new(Settings::default());
    let kept = rules()
        .iter()
        .filter(|it| !ORIGINS.contains(&it.id))
        .cloned();
    let without: &'static [Rule] = Vec::leak(kept.collect());
    assert_eq!(without.len() + ORIGINS.len(), rules().len());
    let corpus = corpus();
    let added: Vec<&Labelled> = corpus
        .iter()
        .filter(|it| is_added(&gate, &it.call, without))
        .collect();
    let raised = corpus
        .iter()
        .filter(|it| is_raised(&gate, &it.call, without));
    let raised = raised.count();
    let wrong = added.iter().filter(|it| it.harmless).count();
    let twins = WORK
        .iter()
        .filter(|it| is_added(&gate, &call("Bash", object(&[("command", it)])), without));
    let twins = twins.count();
    println!(
        "{} labelled calls: {raised} judged more strictly for their origin, {} questions added, {wrong} of them labelled as harmless; {} lines of ordinary work: {twins}",
        corpus.len(),
        added.len(),
        WORK.len()
    );
    assert!(!added.is_empty(), "the rules are off");
    assert_eq!((wrong, twins), (0, 0));
}
