//! Settings whose examples were found to hold, so that nobody proves them again on every call.

use std::path::Path;

use crate::store::{Store, StoreError};

const FILE: &str = "proven.json";
/// So many settings are remembered: one for each project somebody works in.
const MOST: usize = 64;

/// Tells whether these settings were found to hold before.
#[must_use]
pub fn is_proven(state: &Path, hash: &str) -> bool {
    let known: Vec<String> = Store::new(state, FILE).read().unwrap_or_default();
    known.iter().any(|it| it == hash)
}

/// Remembers that the examples of these settings hold.
///
/// # Errors
/// When our folder cannot be written: then they are proved again next time.
pub fn remember(state: &Path, hash: &str) -> Result<(), StoreError> {
    Store::new(state, FILE).change(|known: &mut Vec<String>| {
        known.retain(|it| it != hash);
        known.push(hash.to_owned());
        let surplus = known.len().saturating_sub(MOST);
        known.drain(..surplus);
    })
}
