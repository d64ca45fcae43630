//! Asks of every rule and every file of knowledge whether a test would miss it.
//!
//! Each is changed in memory for the worse, one at a time; the change must make an example or a labelled call fail.
//! INVARIANT: a change that fails nothing survives, and survivors are listed: they are lines that nobody tests.

#![expect(clippy::print_stdout, reason = "a chore that says what it found")]

#[cfg(debug_assertions)]
mod changes;
#[cfg(debug_assertions)]
mod knowledge;
#[cfg(debug_assertions)]
mod labelled;
#[cfg(debug_assertions)]
mod policy;

use std::process::ExitCode;

/// A build that ships has our own rules and no others, so nothing can be changed there.
#[cfg(not(debug_assertions))]
fn main() -> ExitCode {
    println!("build it without --release");
    ExitCode::FAILURE
}

#[cfg(debug_assertions)]
fn main() -> ExitCode {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match changes::run(&root) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            println!("{why}");
            ExitCode::FAILURE
        }
    }
}
