//! Python inside commands: programs that do harm in one of the ways programs can, and harmless ones beside them.
//!
//! One program a line; `⏎` stands for the end of a line in it.

mod house;

use autobelay::{Gate, Nowhere, Settings, Verdict};

fn programs(text: &str) -> Vec<String> {
    let spoken = |it: &&str| !it.is_empty() && (!it.starts_with("# ") || it.contains("coding:"));
    let lines = text.lines().filter(spoken);
    lines.map(|it| it.replace('⏎', "\n")).collect()
}

fn verdict(program: &str) -> (Verdict, Vec<String>) {
    let command = format!("python3 - <<'PROGRAM'\n{program}\nPROGRAM");
    let call = house::call("Bash", house::object(&[("command", &command)]));
    let judgement = Gate::new(Settings::default()).judge_in(&call, &Nowhere);
    let effects = judgement.effects.iter().map(ToString::to_string).collect();
    (judgement.verdict, effects)
}

#[test]
fn harm_is_never_allowed() {
    let all = programs(include_str!("python/hostile.txt"));
    assert!(all.len() >= 300);
    let allowed: Vec<_> = all
        .iter()
        .filter(|it| verdict(it).0 == Verdict::Allow)
        .collect();
    assert!(allowed.is_empty(), "{allowed:#?}");
}

#[test]
fn harmless_programs_are_not_stopped() {
    let all = programs(include_str!("python/harmless.txt"));
    assert!(all.len() >= 190);
    let stopped: Vec<_> = all
        .iter()
        .map(|it| (it, verdict(it)))
        .filter(|(_, (verdict, _))| *verdict != Verdict::Allow)
        .collect();
    assert!(stopped.is_empty(), "{stopped:#?}");
}
