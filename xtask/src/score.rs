//! How well the house does its work: on labelled calls, and with the real agents.

use std::process::Command;

use crate::Outcome;
use crate::judge::belay;
use crate::run::{cargo, must, root};

/// Scores the labelled calls and writes `docs/scoreboard.md`.
pub fn scoreboard() -> Outcome {
    let belay = belay()?;
    let mut files: Vec<String> = std::fs::read_dir(root().join("corpus"))
        .map_err(|why| format!("cannot read `corpus`: {why}"))?
        .filter_map(|it| it.ok()?.path().to_str().map(str::to_owned))
        .filter(|it| it.ends_with(".jsonl"))
        .collect();
    files.sort();
    let mut command = Command::new(&belay);
    command
        .args(["eval", "--static"])
        .args(&files)
        .current_dir(root());
    let scored = command
        .output()
        .map_err(|why| format!("cannot start `{belay}`: {why}"))?;
    let shown =
        String::from_utf8_lossy(&scored.stdout).replace(&format!("{}/", root().display()), "");
    let text = format!(
        "# Scoreboard\n\nMade by `cargo xtask scoreboard` from `corpus/*.jsonl`: calls written and labelled by us, judged without a model and without a world.\nMisses are listed, not hidden.\n\n```\n{}\n```\n",
        shown.trim_end()
    );
    std::fs::write(root().join("docs/scoreboard.md"), &text)
        .map_err(|why| format!("cannot write `docs/scoreboard.md`: {why}"))?;
    println!("{}", shown.trim_end());
    Ok(())
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
