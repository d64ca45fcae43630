//! The kernel as witness: real programs run under strace, and all they did must have been said.
//!
//! INVARIANT: nothing here ships, and no program runs outside namespaces of its own, without a network. A hole that is
//! reported was seen: an allowed line did what no effect of it names.

pub mod acts;
pub mod cover;
mod fits;
pub mod host;
pub mod judge;
pub mod known;
pub mod lines;
pub mod patience;
pub mod scripts;
pub mod stage;
pub mod tally;
pub mod tools;
pub mod worker;
