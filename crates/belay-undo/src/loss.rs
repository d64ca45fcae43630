//! What a call would take away.

use std::path::{Path, PathBuf};

/// One thing that a call would take away. Paths are absolute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// What lies at a path, with everything below it.
    Place {
        /// The path.
        path: PathBuf,
        /// In which way it goes.
        taken: Taken,
    },
    /// Everything that a glob may match.
    Pattern {
        /// The glob, absolute.
        glob: String,
        /// In which way it goes.
        taken: Taken,
    },
    /// What the repository of a folder holds and nothing else does.
    Repository {
        /// The folder.
        folder: PathBuf,
        /// What of it.
        doom: Doom,
    },
}

/// What a repository would lose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doom {
    /// What differs from commits in the working tree and the index.
    Tree {
        /// At or below these paths; everywhere where there is none.
        below: Vec<PathBuf>,
        /// Words of the command that may name what it goes to.
        towards: Vec<String>,
    },
    /// The commits that the branch leaves when it goes to this one, and what differs between them.
    Behind(String),
    /// Files that git does not know, also those that it ignores.
    Untracked {
        /// Whether ignored files go too.
        ignored: bool,
    },
    /// All stashes.
    Stash,
    /// A branch or tag.
    Reference(String),
}

/// In which way something is taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// Its name goes; a link is not followed.
    Unlinked,
    /// Its contents go; a link leads to them.
    Written,
    /// It goes with everything below it.
    Tree,
}

/// Who takes it away, for the manifest and for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// The agent's own name for the call.
    pub call: Option<String>,
    /// The agent's session.
    pub session: Option<String>,
    /// Which agent.
    pub agent: Option<String>,
    /// The command or the tool, without secrets.
    pub command: String,
    /// The folder it runs in.
    pub cwd: String,
    /// The effects that would lose something.
    pub effects: Vec<String>,
}

/// Tells which files are never kept.
pub trait Sieve {
    /// Tells whether programs make the path and can make it again: it need not be kept.
    fn is_artefact(&self, path: &Path) -> bool;
    /// Tells whether the path holds secrets, or settings of an agent or of ours: it must not be copied.
    fn is_secret(&self, path: &Path) -> bool;
    /// Tells whether the path is an ordinary one of the project: what is named by a pattern must be.
    fn is_ordinary(&self, path: &Path) -> bool;
}

/// What shall be kept.
pub struct Wish<'a> {
    /// Who takes it away.
    pub told: Told,
    /// The project's roots: nothing outside is kept.
    pub roots: &'a [PathBuf],
    /// The user's home folder, where git has settings.
    pub home: Option<&'a str>,
    /// What would be lost.
    pub losses: &'a [Loss],
    /// Which files are never kept.
    pub sieve: &'a dyn Sieve,
}
