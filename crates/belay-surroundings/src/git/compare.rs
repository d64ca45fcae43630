//! Tells whether a tracked file is what git last saw.

use std::fs::{self, Metadata};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

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
        let seen = match fs::symlink_metadata(path).map_err(Gap::from) {
            Ok(seen) => seen,
            Err(Gap::Absent) => return State::Gone,
            Err(Gap::Closed) => return State::Unclear,
        };
        let modified = seen.modified().unwrap_or(UNIX_EPOCH);
        let same_kind = match entry.kind() {
            Entry::LINK => seen.is_symlink(),
            _ => seen.is_file(),
        };
        if !same_kind || entry.stage != 0 {
            return State::Differs(modified);
        }
        if is_untouched(&seen, entry) && !self.is_racy(entry) {
            return State::Same;
        }
        match self.hash(path, &seen) {
            Ok(id) if id == entry.id => State::Same,
            Ok(_) => State::Differs(modified),
            Err(_) => State::Unclear,
        }
    }

    /// A file written when the index was, or later, may have changed without a trace.
    fn is_racy(&self, entry: &Entry) -> bool {
        (u64::from(entry.modified.0), entry.modified.1) >= self.written
    }

    fn hash(&mut self, path: &Path, seen: &Metadata) -> Result<Id, Gap> {
        if seen.is_symlink() {
            let target = fs::read_link(path)?;
            return Ok(blob(target.as_os_str().as_bytes()));
        }
        self.hashes_left = self
            .hashes_left
            .checked_sub(seen.len())
            .ok_or(Gap::Closed)?;
        let mut hasher = Sha1::new();
        hasher.update(format!("blob {}\0", seen.len()));
        let mut file = look::open(path)?.take(seen.len());
        let mut chunk = [0; 16 << 10];
        loop {
            match file.read(&mut chunk)? {
                0 => return Ok(hasher.finalize().into()),
                count => hasher.update(chunk.get(..count).unwrap_or_default()),
            }
        }
    }
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
fn is_untouched(seen: &Metadata, entry: &Entry) -> bool {
    let same = |(seconds, parts): (i64, i64), known: (u32, u32)| {
        seconds as u32 == known.0 && (parts as u32 == known.1 || known.1 == 0)
    };
    seen.len() as u32 == entry.size
        && same((seen.mtime(), seen.mtime_nsec()), entry.modified)
        && same((seen.ctime(), seen.ctime_nsec()), entry.changed)
        && (entry.inode == 0 || seen.ino() as u32 == entry.inode)
}
