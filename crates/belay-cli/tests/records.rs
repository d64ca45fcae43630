//! Records lose secrets, and nothing else: what we say of a call is not taken for one.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::path::Path;

use autobelay::{Gate, Nowhere};
use belay_journal::{call_to_json, json, judgement_to_json, read_call, redact_value};
use belay_model::Value;
use belay_settings::Settings;

/// Returns the calls of the corpus.
fn all_calls() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let files = std::fs::read_dir(folder).unwrap();
    let files = files.map(|it| it.unwrap().path());
    let files = files.filter(|it| it.extension().is_some_and(|it| it == "jsonl"));
    let texts = files.map(|it| std::fs::read_to_string(it).unwrap());
    let lines: Vec<String> = texts
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let calls = lines.iter().map(|it| json::read(it.as_bytes()).unwrap());
    calls.collect()
}

#[test]
fn what_we_say_of_a_plain_call_is_kept_as_it_is() {
    let gate = Gate::new(Settings::default());
    let mut calls = all_calls();
    calls.retain(|it| redact_value(it.clone()) == *it);
    assert!(calls.len() > 2000, "{} calls", calls.len());
    let mut lost = Vec::new();
    for line in calls {
        let call = read_call(&line).unwrap();
        let said = judgement_to_json(&gate.judge_in(&call, &Nowhere));
        let kept = redact_value(said.clone());
        if kept != said {
            let call = json::compact(&call_to_json(&call));
            lost.push(format!("{call}\n  {}", json::compact(&kept)));
        }
    }
    assert!(lost.is_empty(), "{}\n{}", lost.len(), lost.join("\n"));
}

/// Returns calls of all commands that knowledge shows.
fn shown_calls() -> Vec<Value> {
    let shown = belay_knowledge::examples();
    let call = |command: &str| {
        let members = [
            ("tool", Value::from("Bash")),
            (
                "input",
                Value::Object(vec![("command".to_owned(), Value::from(command))]),
            ),
            ("cwd", Value::from("/work/app")),
            ("home", Value::from("/home/me")),
        ];
        let members = members.map(|(name, it)| (name.to_owned(), it));
        Value::Object(members.into())
    };
    shown.map(|it| call(&it.command)).collect()
}

#[test]
fn our_own_words_outlive_the_secrets_beside_them() {
    let gate = Gate::new(Settings::default());
    let mut lost = Vec::new();
    for line in shown_calls().into_iter().chain(all_calls()) {
        let call = read_call(&line).unwrap();
        let judgement = gate.judge_in(&call, &Nowhere);
        let kept = redact_value(judgement_to_json(&judgement));
        let effects = kept
            .get("effects")
            .and_then(Value::items)
            .unwrap_or_default();
        let verbs = judgement.effects.iter().zip(effects);
        let whole = verbs.clone().all(|(ours, kept)| {
            let kept = kept.text().unwrap_or_default();
            kept.starts_with(ours.verb.word()) && kept.ends_with(ending(&ours.to_string()))
        });
        if !whole {
            lost.push(json::compact(&kept));
        }
    }
    assert!(lost.is_empty(), "{}\n{}", lost.len(), lost.join("\n"));
}

/// Returns the labels at the end of an effect.
fn ending(effect: &str) -> &str {
    effect
        .find(" carrying ")
        .and_then(|at| effect.get(at..))
        .unwrap_or_default()
}

#[test]
fn what_rules_say_is_kept_as_it_is() {
    for rule in belay_policy::rules() {
        for text in [Some(rule.id), Some(rule.because), rule.instead] {
            let text = text.unwrap_or_default();
            assert_eq!(belay_secrets::redact(text), text, "{}", rule.id);
        }
    }
}
