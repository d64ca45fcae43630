//! Stages of a fleet's policy, over the corpus: what is observed changes nothing, and what asks never denies by itself.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that reads the corpus"
)]

use std::sync::Arc;

use autobelay::{Call, Gate, Judgement, Knowledge, Layer, Nowhere, Settings, Value, Verdict};
use belay_settings::fleet::Staged;
use belay_settings::{Source, load_texts};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus");

/// Rule sets, stricter and milder than what holds.
const SETS: [&str; 4] = [
    "[rules]\nhard_deny = [\"$defaults\", \"git push\", \"rm\", \"curl\", \"npm install\"]",
    "[thresholds]\nunsure_at = 10\ndeny_at = 40",
    "[paths]\ndeny = [\"**/src/**\"]\nask = [\"~/**\"]\n[[rule]]\ntool = \"*\"\nverdict = \"ask\"",
    "[rules]\nallow = [\"git push\", \"rm -rf\", \"curl\"]\n[thresholds]\nask_at = 90\nunsure_at = 60",
];

fn calls() -> Vec<Call> {
    let mut files: Vec<_> = std::fs::read_dir(CORPUS)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "jsonl"));
    files.sort();
    let texts = files.iter().map(|it| std::fs::read_to_string(it).unwrap());
    let lines: Vec<String> = texts
        .flat_map(|it| it.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    lines.iter().map(|it| call(it)).collect()
}

/// Calls of programs that no file describes, however many commands we come to know.
fn strangers() -> Vec<Call> {
    let names = ["zorkify", "quuxctl", "xyzzy-sync", "blorp", "wibble2"];
    let line = |it: &str| format!(r#"{{"tool":"Bash","input":{{"command":"{it} -k a b"}}}}"#);
    names.iter().map(|it| call(&line(it))).collect()
}

fn call(line: &str) -> Call {
    let value: serde_json::Value = serde_json::from_str(line).unwrap();
    let call = value.get("call").unwrap_or(&value);
    let text = |name: &str| call.get(name).and_then(|it| it.as_str()).map(str::to_owned);
    let headless = call.get("headless").and_then(serde_json::Value::as_bool);
    Call {
        tool: text("tool").unwrap_or_default(),
        input: value_of(call.get("input").unwrap_or(&serde_json::Value::Null)),
        cwd: text("cwd").unwrap_or_else(|| "/work/app".to_owned()),
        project_roots: text("project_root").into_iter().collect(),
        home: text("home"),
        agent: text("agent"),
        headless: headless.unwrap_or_default(),
        ..Call::default()
    }
}

fn value_of(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(it) => Value::Bool(*it),
        serde_json::Value::Number(it) => Value::Number(it.to_string()),
        serde_json::Value::String(it) => Value::String(it.clone()),
        serde_json::Value::Array(it) => Value::Array(it.iter().map(value_of).collect()),
        serde_json::Value::Object(it) => {
            let members = it.iter().map(|(name, it)| (name.clone(), value_of(it)));
            Value::Object(members.collect())
        }
    }
}

/// What a judgement says, apart from the time it took.
fn said(judgement: &Judgement) -> Judgement {
    Judgement {
        micros: 0,
        ..judgement.clone()
    }
}

#[test]
fn stages_do_what_they_say_over_the_corpus() {
    let calls = calls();
    assert!(calls.len() > 1000, "{}", calls.len());
    let plain = Gate::new(Settings::default());
    for set in SETS {
        let enforced = load_texts(&[(Source::Managed, "set.toml", set)]);
        assert!(enforced.errors.is_empty(), "{set}: {:?}", enforced.errors);
        let enforced = enforced.settings;
        let with = |staged: Staged| {
            let mut settings = Settings::default();
            settings.staged = staged;
            Gate::new(settings)
        };
        let observing = with(Staged {
            observe: Some(enforced.clone()),
            observed: vec!["new".to_owned()],
            ..Staged::default()
        });
        let asking = with(Staged {
            ask: Some(enforced.clone()),
            ..Staged::default()
        });
        let enforcing = Gate::new(enforced);
        let mut turned = 0_usize;
        for call in &calls {
            let before = plain.judge_in(call, &Nowhere);
            let after = enforcing.judge_in(call, &Nowhere).verdict;
            let observed = observing.judge_in(call, &Nowhere);
            assert_eq!(said(&observed), said(&before), "observe: {:?}", call.input);
            let shadow = observing.shadow(call, &Nowhere, &observed).unwrap();
            assert_eq!(shadow.verdict, after, "shadow: {:?}", call.input);
            let asked = asking.judge_in(call, &Nowhere).verdict;
            let most = match call.headless {
                true => Verdict::Deny,
                false => Verdict::Ask,
            };
            assert_eq!(
                asked,
                before.verdict.max(after.min(most)),
                "ask: {:?}",
                call.input
            );
            turned += usize::from(after != before.verdict);
        }
        // Where a set changes nothing, nothing is proved.
        assert!(turned > 20, "{set}: {turned} of {}", calls.len());
    }
}

/// Knowledge that calls whatever we do not know harmless.
fn harmless() -> String {
    let letters = ('a'..='z')
        .map(|it| format!("\"{it}*\""))
        .collect::<Vec<_>>();
    let names = letters.join(", ");
    format!(
        "about = \"Does nothing.\"\nnames = [\"frob\", {names}]\nusage = \"frob [WORD...]\"\neffects = []\nopen = true\n[examples]\n\"frob a\" = []\n\"frob b\" = []\n\"frob c\" = []\n"
    )
}

#[test]
fn what_a_fleet_teaches_never_loosens_unless_it_may() {
    let text = harmless();
    let taught = Knowledge::taught(&[("commands/frob.toml", &text)]).unwrap();
    let plain = Gate::new(Settings::default());
    let with = |may_loosen: bool| {
        let mut settings = Settings::default();
        settings.taught = vec![Arc::new(taught.clone())];
        settings.fleet.may_loosen = may_loosen;
        Gate::new(settings)
    };
    let (tight, loose) = (with(false), with(true));
    let mut milder = 0_usize;
    for call in calls().into_iter().chain(strangers()) {
        let before = plain.judge_in(&call, &Nowhere).verdict;
        let after = tight.judge_in(&call, &Nowhere).verdict;
        assert!(after >= before, "{:?}: {before} became {after}", call.input);
        let loosened = loose.judge_in(&call, &Nowhere);
        milder += usize::from(loosened.verdict < before);
        // What our own files say of a command is never said otherwise.
        let ours = |it: &Judgement| it.layer == Layer::Boundaries;
        let floor = plain.judge_in(&call, &Nowhere);
        if ours(&floor) && floor.verdict == Verdict::Deny {
            assert_eq!(loosened.verdict, Verdict::Deny, "{:?}", call.input);
        }
    }
    // Where it would loosen nothing, nothing is proved.
    assert!(milder > 10, "{milder}");
}
