//! What one session of an agent did, remembered from call to call. INVARIANT: the file is only ever
//! appended to, whole lines at a time, by one process at a time; it is ours alone and never a link.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use belay_model::{Answer, Standing};
use sha2::{Digest, Sha256};

use crate::limits;
pub use crate::memory::Memory;

/// How a file came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A tool built it from the project's sources.
    Built,
    /// The agent wrote it.
    Written,
    /// It came from outside with a tree: a clone, an archive, a patch.
    Foreign,
    /// The agent got it from a host.
    Fetched,
}

impl Origin {
    /// Returns the word of the answer.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Built => "built",
            Self::Written => "written",
            Self::Foreign => "foreign",
            Self::Fetched => "fetched",
        }
    }

    /// Reads it from its word; what nobody knows came from a host.
    pub(crate) fn from_word(word: &str) -> Self {
        match word {
            "built" => Self::Built,
            "written" => Self::Written,
            "foreign" => Self::Foreign,
            _ => Self::Fetched,
        }
    }

    /// Tells whether it came from outside.
    pub(crate) const fn is_outside(self) -> bool {
        match self {
            Self::Built | Self::Written => false,
            Self::Foreign | Self::Fetched => true,
        }
    }
}

/// Whether something was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// Nothing was: the session made it.
    Nothing,
    /// What was there is kept by the repository.
    Kept,
    /// Something was, or may have been, that is kept nowhere.
    Something,
}

impl Before {
    const ALL: [(Self, &'static str); 3] = [
        (Self::Nothing, "new"),
        (Self::Kept, "kept"),
        (Self::Something, "old"),
    ];

    /// Reads it from the answer to `Question::Standing`, asked before the file is written.
    #[must_use]
    pub const fn of(answer: &Answer) -> Self {
        match answer {
            Answer::Standing(Standing::Absent) => Self::Nothing,
            Answer::Standing(Standing::Kept) => Self::Kept,
            Answer::Standing(Standing::Ignored | Standing::Ours | Standing::Lost { .. })
            | Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..) => Self::Something,
        }
    }

    pub(crate) fn word(self) -> &'static str {
        Self::ALL
            .into_iter()
            .find(|(it, _)| *it == self)
            .map_or("old", |(_, word)| word)
    }

    pub(crate) fn from_word(word: &str) -> Self {
        Self::ALL
            .into_iter()
            .find(|(_, it)| *it == word)
            .map_or(Self::Something, |(it, _)| it)
    }
}

/// Why a session's memory cannot be used.
#[derive(Debug)]
pub enum SessionError {
    /// The system refused.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Others may write there, or it is no ordinary file.
    Unsafe {
        /// The file or folder.
        path: PathBuf,
    },
    /// There is no room for more.
    Full {
        /// The file.
        path: PathBuf,
    },
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, source } => write!(
                f,
                "cannot use session memory `{}`: {source}",
                path.display()
            ),
            Self::Unsafe { path } => {
                write!(
                    f,
                    "session memory `{}` is not private to belay",
                    path.display()
                )
            }
            Self::Full { path } => write!(f, "session memory `{}` is full", path.display()),
        }
    }
}

impl std::error::Error for SessionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Unsafe { .. } | Self::Full { .. } => None,
        }
    }
}

/// Where the memories of each path stand.
pub(crate) type Places = BTreeMap<PathBuf, Vec<usize>>;

/// The memory of one session. Nothing is read or made before it is needed.
#[derive(Debug)]
pub struct Session {
    folder: PathBuf,
    path: PathBuf,
    seen: OnceCell<Option<Vec<Memory>>>,
    pub(crate) places: OnceCell<Places>,
}

impl Session {
    /// Names the memory of a session in a state folder.
    #[must_use]
    pub fn open(state: &Path, id: &str) -> Self {
        let folder = state.join("sessions");
        let path = folder.join(file_name(id));
        Self {
            folder,
            path,
            seen: OnceCell::new(),
            places: OnceCell::new(),
        }
    }

    /// Returns the memories of all sessions in a state folder, as far as they can be listed.
    #[must_use]
    pub fn all(state: &Path) -> Vec<Self> {
        let folder = state.join("sessions");
        let entries = fs::read_dir(&folder).into_iter().flatten();
        let paths = entries.take(limits::SWEPT).flatten().map(|it| it.path());
        let mut paths: Vec<PathBuf> = paths.collect();
        paths.sort_unstable();
        let session = |path: PathBuf| Self {
            folder: folder.clone(),
            path,
            seen: OnceCell::new(),
            places: OnceCell::new(),
        };
        paths.into_iter().map(session).collect()
    }

    /// Returns everything remembered when this was first asked; nothing when it cannot be read.
    #[must_use]
    pub fn memories(&self) -> Option<&[Memory]> {
        self.seen.get_or_init(|| self.read().ok()).as_deref()
    }

    /// Remembers; what is already the last thing known in the same words is not written again.
    ///
    /// # Errors
    /// When the memory cannot be written, is not ours alone, or is full.
    pub fn remember(&self, memories: &[Memory]) -> Result<(), SessionError> {
        let mut text = String::new();
        for memory in memories {
            text.push_str(&memory.line());
            text.push('\n');
        }
        if text.is_empty() {
            return Ok(());
        }
        self.make_folder()?;
        let mut file = self.file(
            OpenOptions::new()
                .read(true)
                .append(true)
                .create(true)
                .mode(0o600),
        )?;
        file.lock().map_err(|source| self.io(source))?;
        self.append(&mut file, text)
    }

    /// Removes memories of sessions that nobody spoke in for long; what cannot be removed stays.
    pub(crate) fn sweep(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        for entry in entries.take(limits::SWEPT).flatten() {
            let path = entry.path();
            let Ok(seen) = path.symlink_metadata() else {
                continue;
            };
            let age = seen.modified().ok().and_then(|it| it.elapsed().ok());
            let old = age.is_some_and(|it| it.as_secs() > limits::KEPT);
            if old && seen.is_file() && path != self.path {
                // Somebody else may have been faster.
                let _ = fs::remove_file(path);
            }
        }
    }

    fn append(&self, file: &mut File, text: String) -> Result<(), SessionError> {
        let length = file.metadata().map_err(|source| self.io(source))?.len();
        if length + text.len() as u64 > limits::MEMORY {
            return Err(SessionError::Full {
                path: self.path.clone(),
            });
        }
        // A writer that died in the middle of a line leaves it to us to end it.
        let text = if length > 0 && !self.ends_line(file)? {
            format!("\n{text}")
        } else {
            text
        };
        file.write_all(text.as_bytes())
            .map_err(|source| self.io(source))
    }

    fn ends_line(&self, file: &mut File) -> Result<bool, SessionError> {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))
            .and_then(|_| file.read_exact(&mut last))
            .map_err(|source| self.io(source))?;
        Ok(last == [b'\n'])
    }

    fn read(&self) -> Result<Vec<Memory>, SessionError> {
        let file = match self.file(OpenOptions::new().read(true)) {
            Err(SessionError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                return Ok(Vec::new());
            }
            file => file?,
        };
        let mut bytes = Vec::new();
        file.take(limits::MEMORY + 1)
            .read_to_end(&mut bytes)
            .map_err(|source| self.io(source))?;
        if bytes.len() as u64 > limits::MEMORY {
            return Err(SessionError::Full {
                path: self.path.clone(),
            });
        }
        let text = String::from_utf8_lossy(&bytes);
        Ok(text.lines().filter_map(Memory::parse).collect())
    }

    fn make_folder(&self) -> Result<(), SessionError> {
        let made = DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.folder);
        let seen = made
            .and_then(|()| self.folder.symlink_metadata())
            .map_err(|source| SessionError::Io {
                path: self.folder.clone(),
                source,
            })?;
        if seen.is_dir() && seen.mode() & 0o077 == 0 {
            Ok(())
        } else {
            Err(SessionError::Unsafe {
                path: self.folder.clone(),
            })
        }
    }

    fn file(&self, options: &mut OpenOptions) -> Result<File, SessionError> {
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
        let file = options
            .custom_flags(flags)
            .open(&self.path)
            .map_err(|source| self.io(source))?;
        let seen = file.metadata().map_err(|source| self.io(source))?;
        if seen.is_file() && seen.mode() & 0o077 == 0 && seen.nlink() == 1 {
            Ok(file)
        } else {
            Err(SessionError::Unsafe {
                path: self.path.clone(),
            })
        }
    }

    fn io(&self, source: io::Error) -> SessionError {
        SessionError::Io {
            path: self.path.clone(),
            source,
        }
    }
}

/// Returns a file name for a session: its own where that is plain, else a hash of it.
fn file_name(id: &str) -> String {
    let plain = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-';
    if !id.is_empty() && id.len() <= 64 && !id.starts_with('-') && id.bytes().all(plain) {
        id.to_owned()
    } else {
        // The underscore keeps hashes and plain names apart.
        format!("_{}", content_hash(id.as_bytes()))
    }
}

/// Returns the hash by which contents are remembered.
#[must_use]
pub fn content_hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|it| format!("{it:02x}"))
        .collect()
}
