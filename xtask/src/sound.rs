//! Random programs, run by real shells: all they did must have been said.

use crate::Outcome;
use crate::run::{build, must, target};

/// Builds the oracle and hands it the words it was given.
pub fn run(words: &[&str]) -> Outcome {
    build(&["belay-oracle"])?;
    must(std::process::Command::new(target().join("debug/belay-oracle")).args(words))
}
