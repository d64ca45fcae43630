//! A fleet in miniature: real shippers, a real receiver and a real PostgreSQL under `kill -9`; every record must arrive once.

use std::process::Command;

use crate::Outcome;
use crate::run::{build, must, root, target};

/// Installs what judges us, builds the programs, and hands over the words.
pub fn run(words: &[&str]) -> Outcome {
    must(
        Command::new("bash")
            .arg("scripts/install-fleet")
            .current_dir(root()),
    )?;
    build(&["belay-cli", "belay-receiver", "belay-fleet"])?;
    let programs = target().join("debug");
    must(
        Command::new(programs.join("belay-fleet"))
            .args(words)
            .arg("--programs")
            .arg(&programs)
            .arg("--cache")
            .arg(root().join(".cache/fleet"))
            .current_dir(root()),
    )
}
