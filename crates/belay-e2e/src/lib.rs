//! End-to-end tests: the agents' own clients against a scripted model.
//!
//! INVARIANT: what counts is what lies on disk afterwards and what our journal says, never what a
//! client writes. Every client gets an empty home and talks to loopback only.

mod boundaries;
mod browser;
mod cases;
mod client;
mod machine;
mod matrix;
mod stage;

pub use browser::Browser;
pub use cases::{Case, Fate, expected, play};
pub use client::{Client, belay};
pub use machine::can_mount;
pub use matrix::{matrix, page, summary};
pub use stage::{Gate, Outcome, Stage};
