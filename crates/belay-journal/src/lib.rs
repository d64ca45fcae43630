//! Writes and reads records; owns the stable JSON.
//!
//! INVARIANT: this crate judges nothing. What it reads it keeps as it was sent: member order,
//! duplicates and the text of numbers.

pub mod json;
