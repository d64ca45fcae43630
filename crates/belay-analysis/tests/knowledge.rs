//! Every example of every knowledge file, in the project `/work/app` of the home `/home/me`.

use std::collections::BTreeSet;

use belay_analysis::{Scene, Shell, analyse};
use belay_model::Nowhere;
use belay_places::Frame;

/// Writes an expected effect as the notation does.
fn normal(line: &str) -> String {
    belay_model::parse_effect(line).map_or_else(|_| line.to_owned(), |it| it.to_string())
}

fn effects(line: &str) -> BTreeSet<String> {
    let frame = Frame {
        cwd: "/work/app",
        home: Some("/home/me"),
        roots: &["/work/app".to_owned()],
        temps: &[],
        hosts: &[],
        gate: &[],
        protected: &[],
        world: &Nowhere,
    };
    let scene = Scene {
        frame: &frame,
        shell: Shell::Bash,
        knowledge: &belay_knowledge::OURS,
    };
    let analysis = analyse(line, scene);
    analysis.effects.iter().map(ToString::to_string).collect()
}

#[test]
fn examples_hold() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for example in belay_knowledge::examples() {
        count += 1;
        let expected: BTreeSet<String> = example.effects.iter().map(|it| normal(it)).collect();
        let found = effects(&example.command);
        if expected != found {
            wrong.push(format!(
                "{}:{}: {}\n  expected {expected:?}\n  found    {found:?}",
                example.file, example.line, example.command
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count} examples are wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
