//! The rows of the table: ours, the baselines, and the peers.

use std::path::Path;

use super::measure::{Before, Place, Program};
use super::peers;
use crate::{Outcome, dist};

/// The baseline of all ratios.
pub const BASE: &str = "an empty static C program";
/// A call that only looks.
pub const LOOK: &str = "belay: a look";
/// The most ordinary shell call.
pub const STATUS: &str = "belay: `git status`";

/// How often a program runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// In every round.
    Quick,
    /// In some.
    Slow,
}

/// Returns all rows.
pub fn all(belay: &Path, place: &Place) -> Outcome<Vec<Program>> {
    let mut rows = baselines()?;
    rows.extend(ours(belay, place)?);
    rows.extend(peers::rows(place)?);
    Ok(rows)
}

fn baselines() -> Outcome<Vec<Program>> {
    let c = match dist::empty_c() {
        Ok(built) => Program::new(BASE, &[&built.display().to_string()]),
        Err(why) => Program::missing(BASE, why),
    };
    let rust = dist::empty()?.display().to_string();
    Ok(vec![
        c,
        Program::new("an empty static Rust program", &[&rust]),
        Program::new("`/bin/true`", &["/bin/true"]),
        Program::new("`bash -c :`", &["bash", "-c", ":"]),
    ])
}

fn ours(belay: &Path, place: &Place) -> Outcome<Vec<Program>> {
    let row = |name: &str, input: &serde_json::Value| -> Outcome<Program> {
        // Each has a home of its own: the records and memories of one are not read by another.
        let home = place.another_home()?;
        let shown = home.display().to_string();
        let words = [
            &belay.display().to_string(),
            "hook",
            "claude-code",
            "--home",
            &shown,
        ];
        let input = Place::written(&home.join("call.json"), input)?;
        Ok(Program::new(name, &words).reading(input).at_home(home))
    };
    let [look, status, pipeline, twenty] = calls(place);
    let mut rows = vec![
        row(LOOK, &look)?,
        row(STATUS, &status)?,
        row("belay: an ordinary pipeline", &pipeline)?,
        row("belay: a chain of 20 commands", &twenty)?,
        row("belay: 2,000 commands", &place.shell(&chain(2000)))?.slow(),
        row(
            "belay: a megabyte of commands",
            &place.shell(&filled(1024 * 1024)),
        )?
        .slow(),
    ];
    for (state, before) in [
        ("binary freshly copied", Before::Copied),
        ("pages of the binary dropped", Before::Dropped),
    ] {
        for (name, call) in [(LOOK, &look), (STATUS, &status)] {
            rows.push(row(&format!("{name}, {state}"), call)?.after(before).slow());
        }
    }
    Ok(rows)
}

/// Ordinary calls: a look, a short one, a pipeline with a loop, a chain.
pub fn calls(place: &Place) -> [serde_json::Value; 4] {
    let look = serde_json::json!({"file_path": place.project.join("src/main.rs")});
    [
        place.call("Read", &look),
        place.shell("git status"),
        place.shell("cargo build 2>&1 | tail -n 20; for f in src/*.rs; do wc -l \"$f\"; done > target/lines.txt"),
        place.shell(&chain(20)),
    ]
}

/// Everyday commands, none of them twice the same.
fn chain(parts: usize) -> String {
    let part = |at: usize| match at % 5 {
        0 => format!("grep -n item{at} src/main.rs"),
        1 => format!("mkdir -p target/out{at}"),
        2 => format!("cp src/main.rs target/copy{at}.rs"),
        3 => format!("git log --oneline -n {at}"),
        _ => format!("echo part {at}"),
    };
    (0..parts).map(part).collect::<Vec<_>>().join(" && ")
}

fn filled(bytes: usize) -> String {
    let line = "grep -n item src/main.rs | head -n 20\n";
    line.repeat(bytes / line.len())
}
