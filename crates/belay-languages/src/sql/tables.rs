//! What is known of SQL, compiled from `knowledge/sql/`.

include!(concat!(env!("OUT_DIR"), "/sql.rs"));

/// Tells whether a sorted list has a word.
pub(super) fn has(list: &[&str], word: &str) -> bool {
    list.binary_search(&word).is_ok()
}
