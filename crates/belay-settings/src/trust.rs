//! What a person has trusted of a project's file, kept outside the repository.
//!
//! INVARIANT: an acceptance counts for exactly the lines, folder and remote it was given for. A
//! store that cannot be read trusts nothing.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::merge::Waiting;
use crate::store::{Store, StoreError};

const FILE: &str = "trust.json";

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

/// What was trusted once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acceptance {
    /// The project's root.
    pub root: PathBuf,
    /// The address of its main remote, if it had one.
    pub remote: Option<String>,
    /// The hash of the lines.
    pub hash: String,
    /// The lines, to show what has changed since.
    pub lines: Vec<String>,
    /// When, in seconds since 1970.
    pub at: u64,
}

#[derive(Default, Serialize, Deserialize)]
struct Accepted {
    projects: Vec<Acceptance>,
}

/// Returns the text of loosening lines, in their order.
#[must_use]
pub fn lines(waiting: &[Waiting]) -> Vec<String> {
    let text = |it: &Waiting| format!("{} = {}", it.key, it.text);
    waiting.iter().map(text).collect()
}

/// Returns the hash an acceptance is bound to.
#[must_use]
pub fn hash(lines: &[String]) -> String {
    let mut hasher = Sha256::new();
    for line in lines {
        hasher.update((line.len() as u64).to_le_bytes());
        hasher.update(line.as_bytes());
    }
    let bytes = hasher.finalize();
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

/// Tells whether exactly these lines were accepted for this folder and remote.
#[must_use]
pub fn is_accepted(state: &Path, subject: &Subject) -> bool {
    let Ok(accepted) = Store::new(state, FILE).read::<Accepted>() else {
        return false;
    };
    let root = settled(&subject.root);
    let found = accepted.projects.iter().find(|it| it.root == root);
    found.is_some_and(|it| it.remote == subject.remote && it.hash == hash(&subject.lines))
}

/// Accepts the lines, in place of what was accepted for the folder before.
///
/// # Errors
/// When our folder cannot be written.
pub fn accept(state: &Path, subject: &Subject, at: u64) -> Result<(), StoreError> {
    let root = settled(&subject.root);
    Store::new(state, FILE).change(|accepted: &mut Accepted| {
        accepted.projects.retain(|it| it.root != root);
        accepted.projects.push(Acceptance {
            root,
            remote: subject.remote.clone(),
            hash: hash(&subject.lines),
            lines: subject.lines.clone(),
            at,
        });
    })
}

/// Takes trust back; tells whether there was any.
///
/// # Errors
/// When our folder cannot be written.
pub fn revoke(state: &Path, root: &Path) -> Result<bool, StoreError> {
    let root = settled(root);
    Store::new(state, FILE).change(|accepted: &mut Accepted| {
        let before = accepted.projects.len();
        accepted.projects.retain(|it| it.root != root);
        accepted.projects.len() < before
    })
}

/// Returns everything that was accepted.
///
/// # Errors
/// When the store cannot be read.
pub fn accepted(state: &Path) -> Result<Vec<Acceptance>, StoreError> {
    Ok(Store::new(state, FILE).read::<Accepted>()?.projects)
}

/// One line of what would change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Trusted before and still there.
    Kept(String),
    /// New.
    Added(String),
    /// Trusted before and gone.
    Removed(String),
}

/// Returns what differs between what was accepted for a folder and what it says now.
#[must_use]
pub fn changes(state: &Path, subject: &Subject) -> Vec<Change> {
    let root = settled(&subject.root);
    let before = accepted(state).unwrap_or_default();
    let before = before.into_iter().find(|it| it.root == root);
    let before = before.filter(|it| it.remote == subject.remote);
    let before = before.map(|it| it.lines).unwrap_or_default();
    let gone = before.iter().filter(|it| !subject.lines.contains(it));
    let gone = gone.cloned().map(Change::Removed);
    let now = subject
        .lines
        .iter()
        .cloned()
        .map(|it| match before.contains(&it) {
            true => Change::Kept(it),
            false => Change::Added(it),
        });
    gone.chain(now).collect()
}

fn settled(root: &Path) -> PathBuf {
    root.canonicalize().unwrap_or_else(|_| root.to_owned())
}
