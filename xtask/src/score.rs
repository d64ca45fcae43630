//! How well the house does its work: on labelled calls, and with the real agents.

use std::process::Command;

use serde::Deserialize;

use crate::Outcome;
use crate::figures::{self, Scoreboard};
use crate::judge::belay;
use crate::run::{cargo, must, output, root};

/// Scores the labelled calls, writes `docs/scoreboard.md`, and fails when they fare worse than they did.
pub fn scoreboard() -> Outcome {
    let shown = eval(&[])?;
    let text = format!(
        "# Scoreboard\n\nMade by `cargo xtask scoreboard` from `corpus/*.jsonl`: calls written and labelled by us, judged without a model and without a world.\nMisses are listed, not hidden.\n\n```\n{}\n```\n",
        shown.trim_end()
    );
    std::fs::write(root().join("docs/scoreboard.md"), &text)
        .map_err(|why| format!("cannot write `docs/scoreboard.md`: {why}"))?;
    println!("{}", shown.trim_end());
    check()
}

/// Fails when the labelled calls fare worse than they did.
pub fn check() -> Outcome {
    let measured = measured()?;
    println!(
        "{} of {} labelled calls are judged as labelled",
        measured.all.hits, measured.all.all
    );
    let before = figures::committed()?;
    measured.figures().holds_against(&before.scoreboard)
}

/// What `belay eval --json` says, as far as it counts here.
#[derive(Deserialize)]
pub struct Measured {
    all: Share,
    misses: Vec<Miss>,
}

#[derive(Deserialize)]
struct Share {
    hits: usize,
    all: usize,
}

#[derive(Deserialize)]
struct Miss {
    expect: String,
    verdict: String,
    call: String,
}

impl Measured {
    /// Returns what is compared.
    pub fn figures(&self) -> Scoreboard {
        let line = |it: &Miss| format!("{}, {}: {}", it.expect, it.verdict, it.call);
        Scoreboard {
            calls: self.all.all,
            missed: self.misses.iter().map(line).collect(),
        }
    }
}

/// Scores the labelled calls.
pub fn measured() -> Outcome<Measured> {
    serde_json::from_str(&eval(&["--json"])?).map_err(|why| format!("`belay eval --json`: {why}"))
}

/// Returns what `belay eval` says of the labelled calls.
fn eval(words: &[&str]) -> Outcome<String> {
    let mut files: Vec<String> = std::fs::read_dir(root().join("corpus"))
        .map_err(|why| format!("cannot read `corpus`: {why}"))?
        .filter_map(|it| it.ok()?.file_name().into_string().ok())
        .filter(|it| it.ends_with(".jsonl"))
        .map(|it| format!("corpus/{it}"))
        .collect();
    files.sort();
    output(
        Command::new(belay()?)
            .args(["eval", "--static"])
            .args(words)
            .args(files)
            .current_dir(root()),
    )
}

/// Which matrix of agents and cases.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Matrix {
    /// Measured with the real clients, printed.
    Measured,
    /// The one the tests insist on, written into the README and its own page.
    Written,
}

/// Prints or writes the matrix of agents and cases.
pub fn agents(matrix: Matrix) -> Outcome {
    let test = ["test", "-p", "belay-e2e", "--test", "matrix", "--"];
    match matrix {
        Matrix::Measured => must(&mut cargo(
            &[&test[..], &["--ignored", "--nocapture"]].concat(),
        )),
        Matrix::Written => must(cargo(&test).env("BELAY_BLESS", "1")),
    }
}
