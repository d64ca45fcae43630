//! Tells whether a tracked file is what git last saw.

use std::fs;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use sha1::{Digest, Sha1};

use super::Id;
use super::index::Entry;
use crate::limits;
use crate::look::{self, Gap};

/// How a tracked file compares with the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The contents are kept.
    Same,
    /// Nothing is there.
    Gone,
    /// The contents are others; when they were written.
    Differs(SystemTime),
    /// It could not be seen.
    Unclear,
}

/// What the system says of a file.
#[derive(Clone, Copy, Debug)]
struct Seen {
    kind: FileType,
    size: u64,
    inode: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Seen {
    fn at(path: &Path) -> Result<Self, Gap> {
        rustix::fs::lstat(path).map(Self::of).map_err(gap)
    }

    fn in_folder(folder: &OwnedFd, name: &[u8]) -> Result<Self, Gap> {
        let seen = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
        seen.map(Self::of).map_err(gap)
    }

    fn of(seen: Stat) -> Self {
        let parts = |it| i64::try_from(it).unwrap_or_default();
        Self {
            kind: FileType::from_raw_mode(seen.st_mode),
            size: u64::try_from(seen.st_size).unwrap_or_default(),
            inode: seen.st_ino,
            modified: (seen.st_mtime, parts(seen.st_mtime_nsec)),
            changed: (seen.st_ctime, parts(seen.st_ctime_nsec)),
        }
    }

    fn when(&self) -> SystemTime {
        let seconds = u64::try_from(self.modified.0).unwrap_or_default();
        let parts = u32::try_from(self.modified.1).unwrap_or_default();
        UNIX_EPOCH + Duration::new(seconds, parts.min(999_999_999))
    }
}

fn gap(error: rustix::io::Errno) -> Gap {
    Gap::from(std::io::Error::from(error))
}

/// The folder whose files are being compared: a look from there is shorter than one from the root.
#[derive(Debug)]
pub struct Near<'a> {
    top: &'a Path,
    name: Option<Vec<u8>>,
    folder: Option<OwnedFd>,
}

impl<'a> Near<'a> {
    /// Begins nowhere below the top.
    pub const fn below(top: &'a Path) -> Self {
        Self {
            top,
            name: None,
            folder: None,
        }
    }

    /// Goes to the folder of a file, unless it is there.
    fn go(&mut self, folder: &[u8]) {
        if self.name.as_deref() == Some(folder) {
            return;
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let path = self.top.join(super::path_of(folder));
        self.folder = rustix::fs::open(path, flags, Mode::empty()).ok();
        self.name = Some(folder.to_vec());
    }
}

/// Compares files with one index.
#[derive(Clone, Copy, Debug)]
pub struct Comparer {
    /// When the index was written, in seconds and parts of them.
    written: (u64, u32),
    /// Bytes that may still be hashed.
    hashes_left: u64,
}

impl Comparer {
    /// Makes one for an index written at that time.
    pub fn new(written: SystemTime) -> Self {
        let since = written.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            written: (since.as_secs(), since.subsec_nanos()),
            hashes_left: limits::HASHED,
        }
    }

    /// Compares a file with its entry.
    pub fn compare(&mut self, path: &Path, entry: &Entry) -> State {
        self.judged(Seen::at(path), || path.to_owned(), entry)
    }

    /// Compares one of many files with its entry, each near the one before.
    pub fn compare_near(&mut self, near: &mut Near<'_>, name: &[u8], entry: &Entry) -> State {
        let slash = name.iter().rposition(|it| *it == b'/');
        let (folder, own) = match slash.and_then(|at| name.split_at_checked(at)) {
            Some((folder, own)) => (folder, own.strip_prefix(b"/").unwrap_or(own)),
            None => (b"".as_slice(), name),
        };
        near.go(folder);
        let top = near.top;
        let path = || top.join(super::path_of(name));
        let seen = match &near.folder {
            Some(folder) => Seen::in_folder(folder, own),
            None => Seen::at(&path()),
        };
        self.judged(seen, path, entry)
    }

    fn judged(
        &mut self,
        seen: Result<Seen, Gap>,
        path: impl Fn() -> PathBuf,
        entry: &Entry,
    ) -> State {
        let seen = match seen {
            Ok(seen) => seen,
            Err(Gap::Absent) => return State::Gone,
            Err(Gap::Closed) => return State::Unclear,
        };
        let same_kind = match entry.kind() {
            Entry::LINK => seen.kind.is_symlink(),
            _ => seen.kind.is_file(),
        };
        if !same_kind || entry.stage != 0 {
            return State::Differs(seen.when());
        }
        if is_untouched(&seen, entry) && !self.is_racy(entry) {
            return State::Same;
        }
        match self.hash(&path(), &seen) {
            Ok(id) if id == entry.id => State::Same,
            Ok(_) if self.is_same_filtered(&path(), &seen, entry) => State::Same,
            Ok(_) => State::Differs(seen.when()),
            Err(_) => State::Unclear,
        }
    }

    /// Tells whether git keeps the contents in another form: with other ends of lines, or as a pointer to a large
    /// file. Only what is exactly so counts, whatever the settings say: then nothing would be lost.
    fn is_same_filtered(&mut self, path: &Path, seen: &Seen, entry: &Entry) -> bool {
        if !seen.kind.is_file() || seen.size > limits::FILTERED {
            return false;
        }
        let Some(left) = self.hashes_left.checked_sub(seen.size) else {
            return false;
        };
        self.hashes_left = left;
        let Ok(bytes) = look::whole(path, limits::FILTERED) else {
            return false;
        };
        blob(&with_plain_ends(&bytes)) == entry.id || blob(pointer(&bytes).as_bytes()) == entry.id
    }

    /// A file written when the index was, or later, may have changed without a trace.
    fn is_racy(&self, entry: &Entry) -> bool {
        (u64::from(entry.modified.0), entry.modified.1) >= self.written
    }

    fn hash(&mut self, path: &Path, seen: &Seen) -> Result<Id, Gap> {
        if seen.kind.is_symlink() {
            let target = fs::read_link(path)?;
            return Ok(blob(target.as_os_str().as_bytes()));
        }
        self.hashes_left = self.hashes_left.checked_sub(seen.size).ok_or(Gap::Closed)?;
        let mut hasher = Sha1::new();
        hasher.update(format!("blob {}\0", seen.size));
        let mut file = look::open(path)?.take(seen.size);
        let mut chunk = [0; 16 << 10];
        loop {
            match file.read(&mut chunk)? {
                0 => return Ok(hasher.finalize().into()),
                count => hasher.update(chunk.get(..count).unwrap_or_default()),
            }
        }
    }
}

/// Writes every end of a line as git keeps it.
fn with_plain_ends(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            plain.push(*byte);
        }
    }
    plain
}

/// Writes the pointer that is kept in place of a large file.
fn pointer(bytes: &[u8]) -> String {
    format!(
        "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize {}\n",
        crate::session::content_hash(bytes),
        bytes.len()
    )
}

fn blob(bytes: &[u8]) -> Id {
    let mut hasher = Sha1::new();
    hasher.update(format!("blob {}\0", bytes.len()));
    hasher.update(bytes);
    hasher.finalize().into()
}

/// Tells whether the system says of a file what it said when git last saw it.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the index holds the low 32 bits of each number"
)]
#[expect(
    clippy::cast_sign_loss,
    reason = "the index holds the low 32 bits of each number"
)]
fn is_untouched(seen: &Seen, entry: &Entry) -> bool {
    let same = |(seconds, parts): (i64, i64), known: (u32, u32)| {
        seconds as u32 == known.0 && (parts as u32 == known.1 || known.1 == 0)
    };
    seen.size as u32 == entry.size
        && same(seen.modified, entry.modified)
        && same(seen.changed, entry.changed)
        && (entry.inode == 0 || seen.inode as u32 == entry.inode)
}
