//! The only place that opens files. INVARIANT: nothing but regular files is opened, no open waits,
//! and no more is read than was asked for.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use crate::limits;

/// Why there was nothing to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Nothing is there.
    Absent,
    /// Something is there, or may be; it cannot be read, is no file, or is too large.
    Closed,
}

impl From<io::Error> for Gap {
    fn from(error: io::Error) -> Self {
        if let ErrorKind::NotFound | ErrorKind::NotADirectory = error.kind() {
            Self::Absent
        } else {
            Self::Closed
        }
    }
}

/// What is at a path itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A regular file that may be executed.
    Executable,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A device, socket or pipe.
    Other,
}

impl Kind {
    /// Returns the word of the answer.
    pub const fn word(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Executable => "executable",
            Self::Folder => "folder",
            Self::Link => "link",
            Self::Other => "other",
        }
    }

    /// Reads the kind from what the system says of a path.
    pub fn of(seen: &Metadata) -> Self {
        let kind = seen.file_type();
        if kind.is_symlink() {
            Self::Link
        } else if kind.is_dir() {
            Self::Folder
        } else if !kind.is_file() {
            Self::Other
        } else if seen.mode() & 0o111 != 0 {
            Self::Executable
        } else {
            Self::File
        }
    }
}

/// Returns what is at the path itself, links not followed.
pub fn kind(path: &Path) -> Result<Kind, Gap> {
    Ok(Kind::of(&fs::symlink_metadata(path)?))
}

/// Tells whether the path leads to a folder.
pub fn is_folder(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|seen| seen.is_dir())
}

/// Tells whether the path leads to a regular file.
pub fn is_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|seen| seen.is_file())
}

/// Tells whether a file or folder belongs to this user and nobody else may write to it.
pub fn is_ours_alone(path: &Path) -> bool {
    const GROUP: u32 = 0o020;
    const OTHERS: u32 = 0o002;
    let own = fs::metadata("/proc/self");
    let there = fs::symlink_metadata(path);
    match (own, there) {
        (Ok(own), Ok(there)) => {
            // Many users have a group of their own.
            let group = there.mode() & GROUP == 0 || there.gid() == own.gid();
            there.uid() == own.uid() && there.mode() & OTHERS == 0 && group
        }
        (Err(_), _) | (_, Err(_)) => false,
    }
}

/// Tells whether neither a file nor a link to it changed since a moment, in seconds since 1970. Times of content can
/// be set at will; the time at which the file itself changed cannot.
pub fn stands_since_before(path: &Path, moment: u64) -> bool {
    let before = |it: io::Result<Metadata>| {
        it.is_ok_and(|it| u64::try_from(it.ctime()).is_ok_and(|it| it < moment))
    };
    before(fs::symlink_metadata(path)) && before(fs::metadata(path))
}

/// Opens a regular file without waiting; what it is counts once it is open.
pub fn open(path: &Path) -> Result<File, Gap> {
    opened(path).map(|(file, _)| file)
}

/// Opens a regular file, and returns what the system says of it.
fn opened(path: &Path) -> Result<(File, Metadata), Gap> {
    if !fs::metadata(path)?.is_file() || is_made_up(path) {
        return Err(Gap::Closed);
    }
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path)?;
    let seen = file.metadata()?;
    if seen.is_file() {
        Ok((file, seen))
    } else {
        Err(Gap::Closed)
    }
}

/// Returns the first bytes of a file, and whether that is all of it.
pub fn beginning(path: &Path, limit: u64) -> Result<(Vec<u8>, bool), Gap> {
    let (file, seen) = opened(path)?;
    let size = seen.len().min(limit);
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    file.take(limit + 1).read_to_end(&mut bytes)?;
    let whole = bytes.len() as u64 <= limit;
    bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok((bytes, whole))
}

/// Returns what the system makes up when it is read: what it tells of processes and sockets.
pub fn told(path: &Path, limit: u64) -> Result<Vec<u8>, Gap> {
    if !path.starts_with("/proc") {
        return Err(Gap::Closed);
    }
    let mut bytes = Vec::new();
    let read = File::open(path)?.take(limit + 1).read_to_end(&mut bytes);
    // A process that ends while it is read is gone.
    read.map_err(|error| match error.raw_os_error() {
        Some(libc::ESRCH) => Gap::Absent,
        _ => Gap::from(error),
    })?;
    if bytes.len() as u64 > limit {
        return Err(Gap::Closed);
    }
    Ok(bytes)
}

/// Returns all of a file; one that is larger than the limit is closed.
pub fn whole(path: &Path, limit: u64) -> Result<Vec<u8>, Gap> {
    match beginning(path, limit)? {
        (bytes, true) => Ok(bytes),
        (_, false) => Err(Gap::Closed),
    }
}

/// Returns all of a settings file as text; bytes that are no text are replaced.
pub fn text(path: &Path) -> Result<String, Gap> {
    Ok(String::from_utf8_lossy(&whole(path, limits::SETTINGS)?).into_owned())
}

/// Returns the names in a folder in their order; more than we can hold is closed.
pub fn names(folder: &Path) -> Result<Vec<String>, Gap> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        if names.len() == limits::ENTRIES {
            return Err(Gap::Closed);
        }
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort_unstable();
    Ok(names)
}

/// Tells whether the system makes up the contents while one reads.
fn is_made_up(path: &Path) -> bool {
    ["/proc", "/sys", "/dev"]
        .iter()
        .any(|it| path.starts_with(it))
}
