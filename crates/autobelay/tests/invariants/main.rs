//! Invariants of the gate, proved on variants of every example in `knowledge/` and `policy/`.
//!
//! The numbers are those of the threat model. A property compares verdicts with each other and
//! never asks what the right one is: that is what the examples themselves are for.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic where what it stands on is missing"
)]

#[path = "../house/mod.rs"]
mod house;

mod composition;
mod parsing;
mod places;
mod programs;
mod samples;
mod settings;
mod size;
mod spelling;
