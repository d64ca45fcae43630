//! Which questions of the corpus are allowed once what would be lost can be kept, and that nothing else is.
//!
//! The corpus lives in projects that are on no disk: nothing is kept there, and its verdicts stay. Here a keeper stands
//! by who can keep anything, so that `corpus/kept.txt` shows what a keep is good for. `BELAY_BLESS=1` writes it.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that reads the corpus"
)]

use std::collections::BTreeSet;
use std::path::Path;

use autobelay::{Call, Gate, Keeper, Keeping, Layer, Nowhere, Settings, Verdict};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus");

/// Could keep anything.
struct Anything;

impl Keeper for Anything {
    fn keep(&self, _: &belay_undo::Wish<'_>) -> Keeping {
        Keeping::CouldBe
    }

    fn is_there(&self, _: &[std::path::PathBuf]) -> bool {
        true
    }
}

fn calls() -> Vec<Call> {
    let mut files: Vec<_> = std::fs::read_dir(CORPUS)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "jsonl"));
    files.sort();
    let mut calls = Vec::new();
    for file in files {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            let call = value.get("call").unwrap_or(&value);
            let text = |name: &str| call.get(name).and_then(|it| it.as_str()).map(str::to_owned);
            let command = call.pointer("/input/command").and_then(|it| it.as_str());
            let Some(command) = command else { continue };
            let input = vec![("command".to_owned(), command.into())];
            calls.push(Call {
                tool: text("tool").unwrap_or_default(),
                input: autobelay::Value::Object(input),
                cwd: text("cwd").unwrap_or_else(|| "/work/app".to_owned()),
                project_roots: text("project_root").into_iter().collect(),
                home: text("home"),
                ..Call::default()
            });
        }
    }
    calls
}

#[test]
fn the_corpus_shows_what_a_keep_is_good_for() {
    let plain = Gate::new(Settings::default());
    let keeping = Gate::new(Settings::default()).keeping(Box::new(Anything));
    let mut freed = BTreeSet::new();
    let mut asked = 0_usize;
    for call in calls() {
        let (before, after) = (
            plain.judge_in(&call, &Nowhere),
            keeping.judge_in(&call, &Nowhere),
        );
        asked += usize::from(before.verdict == Verdict::Ask);
        if after.layer != Layer::Keep {
            assert_eq!(before.verdict, after.verdict, "{:?}", call.input);
            continue;
        }
        assert_eq!(before.verdict, Verdict::Ask, "{:?}", call.input);
        if after.verdict == Verdict::Allow {
            let rule = before.reason.rule.unwrap_or_default();
            assert!(
                rule == "work-deleted" || rule == "discarded",
                "{rule}: {:?}",
                call.input
            );
            let command = call.input.get("command").and_then(|it| it.text());
            freed.insert(command.unwrap_or_default().replace('\n', "\\n"));
        }
    }
    let about = format!(
        "# Lines of the corpus that are asked about where nothing can be kept, and allowed where all of it can: {} of {asked} questions.\n",
        freed.len()
    );
    let text = freed.iter().fold(about, |all, it| all + it + "\n");
    let path = Path::new(CORPUS).join("kept.txt");
    if std::env::var_os("BELAY_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), text);
}
