//! What bash does, line by line: facts, executions, properties.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "tests ask real shells and say what they found"
)]

mod acceptance;
mod attacks;
#[path = "../../../../fuzz/fuzz_targets/checks.rs"]
mod checks;
mod corners;
mod dialects;
mod fuzzing;
mod gotchas;
mod limits;
mod oracle;
mod probes;
mod properties;
mod shape;
mod walk;
