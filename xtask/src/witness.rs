//! Real programs, run under strace: all they did must have been said by what knowledge says of them.

use std::process::Command;

use crate::Outcome;
use crate::run::{build, must, root, target};

/// Takes the programs that the machine has; those it lacks are named.
const AS_IS: &str = "--as-is";

/// Installs the programs, builds the judge and the witness, and hands it the words it was given.
pub fn run(words: &[&str]) -> Outcome {
    if words.contains(&AS_IS) {
        // It is a layer of the stage, empty or not.
        let layer = root().join(".cache/witness");
        std::fs::create_dir_all(&layer).map_err(|why| format!("{}: {why}", layer.display()))?;
    } else {
        must(
            Command::new("bash")
                .arg("scripts/install-witness")
                .current_dir(root()),
        )?;
    }
    let words = words.iter().filter(|it| **it != AS_IS);
    build(&["belay-cli", "belay-witness"])?;
    must(Command::new(target().join("debug/belay-witness")).args(words))
}
