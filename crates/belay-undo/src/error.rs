use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why something could not be given back.
#[derive(Debug)]
pub enum UndoError {
    /// Nothing is kept under that name.
    Unknown(String),
    /// The manifest cannot be read.
    Damaged(String),
    /// A file of the store is not what was kept.
    Altered(PathBuf),
    /// The folder that it belongs into is gone.
    RootGone(PathBuf),
    /// What lies there now cannot be kept first.
    NewerNotKept(String),
    /// The system refused.
    System {
        /// What was worked on.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
}

impl UndoError {
    pub(crate) fn at(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::System { path, source }
    }
}

impl fmt::Display for UndoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(id) => write!(
                f,
                "nothing is kept as `{id}`\nhint: `belay undo --list` shows what is kept"
            ),
            Self::Damaged(id) => write!(f, "the manifest of `{id}` cannot be read"),
            Self::Altered(path) => write!(
                f,
                "the copy of `{}` has changed since it was made; nothing was restored",
                path.display()
            ),
            Self::RootGone(path) => write!(
                f,
                "the folder `{}` is gone\nhint: create it again, or give another with `--into`",
                path.display()
            ),
            Self::NewerNotKept(why) => write!(
                f,
                "the files there now are newer and cannot be kept first: {why}\nhint: restore with `--into DIR`, or move the newer files away"
            ),
            Self::System { path, source } => {
                write!(f, "cannot restore `{}`: {source}", path.display())
            }
        }
    }
}

impl std::error::Error for UndoError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::System { source, .. } => Some(source),
            Self::Unknown(_)
            | Self::Damaged(_)
            | Self::Altered(_)
            | Self::RootGone(_)
            | Self::NewerNotKept(_) => None,
        }
    }
}
