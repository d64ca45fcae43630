//! Hostile spellings of every example: never judged milder than the plain form.

use crate::Outcome;
use crate::run::{build, must, target};

/// Builds the generator and hands it the words it was given.
pub fn run(words: &[&str]) -> Outcome {
    build(&["belay-attack"])?;
    must(std::process::Command::new(target().join("debug/belay-attack")).args(words))
}
