//! Hostile spellings of every example in the house: the same act, written so that a reader might miss it.
//!
//! INVARIANT: nothing here ships. A spelling means in bash what the plain line means, and a test has bash say so; it must then
//! never be judged milder. Those that a careful person would call transparent must not be judged stricter either.

pub mod line;
pub mod run;
pub mod seeds;
pub mod spelling;
pub mod tally;
