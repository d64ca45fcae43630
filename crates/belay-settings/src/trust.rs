//! What a person has trusted of a project's file, kept outside the repository.

use std::path::{Path, PathBuf};

use crate::merge::Waiting;

/// What is to be trusted: these lines, in this folder, of this remote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The project's root.
    pub root: PathBuf,
    /// The address of its main remote, if it has one.
    pub remote: Option<String>,
    /// The loosening lines, as text.
    pub lines: Vec<String>,
}

/// Returns the text of loosening lines, in their order.
#[must_use]
pub fn lines(waiting: &[Waiting]) -> Vec<String> {
    let text = |it: &Waiting| format!("{} = {}", it.key, it.text);
    waiting.iter().map(text).collect()
}

/// Tells whether exactly these lines were accepted for this folder and remote.
#[must_use]
pub fn is_accepted(_state: &Path, _subject: &Subject) -> bool {
    false
}
