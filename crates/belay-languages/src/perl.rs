//! Perl: one-liners that substitute, translate, count and print. Whatever else stands in a program, nobody has read.
//!
//! Perl cannot be parsed without running it, so nothing is guessed: every word must be one of a short list, every
//! operator has its place, and texts and patterns hold nothing but plain variables.

mod quotes;
mod reader;

use crate::Doing;

/// Reads a Perl program.
pub(crate) fn read(code: &str) -> Option<Vec<Doing>> {
    reader::Reader::new(code).program()
}
