//! What is known of SQL, compiled from `knowledge/sql/`.

use crate::words::{Spot, Words};

include!(concat!(env!("OUT_DIR"), "/sql.rs"));

/// Tells whether a sorted list has a word.
pub(super) fn has(list: &Words, word: &str) -> bool {
    list.has(word)
}
