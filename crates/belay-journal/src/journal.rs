//! Daily files of records in a private folder.
//!
//! INVARIANT: a record is one `write` to a file opened for appending, so that hooks that answer
//! at the same time do not mix their lines; a reader passes over whatever is not a record.

use std::fmt;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::Record;

/// Why a record could not be written.
#[derive(Debug)]
pub struct JournalError {
    /// Which file or folder.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "cannot write journal `{}`: {}",
            self.path.display(),
            self.source
        )
    }
}

impl std::error::Error for JournalError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// A folder with one file of records for each day.
#[derive(Clone, Debug)]
pub struct Journal {
    folder: PathBuf,
}

impl Journal {
    /// Uses a folder; it is made when the first record is written.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Returns the folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Appends a record to the file of its day.
    ///
    /// # Errors
    /// Returns what the system said when the folder or file cannot be made or written.
    pub fn append(&self, record: &Record) -> Result<(), JournalError> {
        let path = self.folder.join(format!("{}.jsonl", record.at.date()));
        let written = self
            .open(&path)
            .and_then(|file| write_once(file, record.line().as_bytes()));
        written.map_err(|source| JournalError { path, source })
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        match open(path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                DirBuilder::new()
                    .recursive(true)
                    .mode(0o700)
                    .create(&self.folder)?;
                open(path)
            }
            done => done,
        }
    }

    /// Returns the records, newest first. A folder that is not there has none; what is not a
    /// record is passed over.
    pub fn newest(&self) -> impl Iterator<Item = Record> + use<> {
        let mut days: Vec<PathBuf> = std::fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|it| it == "jsonl"))
            .collect();
        days.sort_unstable();
        days.into_iter()
            .rev()
            .flat_map(|day| records(&day).into_iter().rev())
    }
}

/// Links are not followed: who could plant one in the folder could redirect the record.
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC)
        .open(path)
}

/// Writes all bytes with one call; half a record is a failure.
fn write_once(mut file: impl Write, bytes: &[u8]) -> io::Result<()> {
    let count = file.write(bytes)?;
    if count == bytes.len() {
        return Ok(());
    }
    // A line of its own ends the torn one, so that the next record can be read.
    let _ = file.write(b"\n");
    Err(io::Error::new(
        io::ErrorKind::StorageFull,
        "only a part was written",
    ))
}

fn records(path: &Path) -> Vec<Record> {
    let bytes = std::fs::read(path).unwrap_or_default();
    bytes
        .split(|byte| *byte == b'\n')
        .filter_map(lenient)
        .collect()
}

/// Reads a line; a torn record before a whole one on the same line is passed over.
fn lenient(line: &[u8]) -> Option<Record> {
    const START: &[u8] = br#"{"v":"#;
    if line.is_empty() {
        return None;
    }
    Record::read(line).or_else(|| {
        let at = line
            .windows(START.len())
            .rposition(|it| it == START)
            .filter(|at| *at > 0)?;
        Record::read(line.get(at..)?)
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::record::tests::record;

    fn journal() -> (tempfile::TempDir, Journal) {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::new(folder.path().join("state/journal"));
        (folder, journal)
    }

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn only_file(journal: &Journal) -> PathBuf {
        std::fs::read_dir(journal.folder())
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .path()
    }

    #[test]
    fn records_come_back_newest_first() {
        let (_folder, journal) = journal();
        let (first, second) = (record("ls"), record("pwd"));
        journal.append(&first).unwrap();
        journal.append(&second).unwrap();
        assert_eq!(journal.newest().collect::<Vec<_>>(), [second, first]);
    }

    #[test]
    fn folder_and_file_are_private() {
        let (_folder, journal) = journal();
        journal.append(&record("ls")).unwrap();
        assert_eq!(
            (mode(journal.folder()), mode(&only_file(&journal))),
            (0o700, 0o600)
        );
    }

    #[test]
    fn a_torn_line_hides_no_other() {
        let (_folder, journal) = journal();
        journal.append(&record("ls")).unwrap();
        let path = only_file(&journal);
        let line = std::fs::read(&path).unwrap();
        let torn = [b"\x00\n", &line[..40], &line[..], b"garbage\n", &line[..60]].concat();
        std::fs::write(&path, torn).unwrap();
        assert_eq!(journal.newest().count(), 1);
    }

    #[test]
    fn a_link_is_not_followed() {
        let (folder, journal) = journal();
        journal.append(&record("ls")).unwrap();
        let path = only_file(&journal);
        let elsewhere = folder.path().join("elsewhere");
        std::fs::rename(&path, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        assert!(journal.append(&record("ls")).is_err());
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let full = OpenOptions::new().append(true).open("/dev/full").unwrap();
        assert!(write_once(full, b"a record\n").is_err());
    }

    #[test]
    fn half_a_record_is_an_error() {
        let mut room = [0_u8; 4];
        assert!(write_once(&mut room[..], b"a record\n").is_err());
    }

    #[test]
    fn hooks_at_the_same_time_do_not_mix() {
        let (_folder, journal) = journal();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    (0..50).for_each(|_| journal.append(&record(&"x".repeat(9000))).unwrap())
                });
            }
        });
        assert_eq!(journal.newest().count(), 400);
    }
}
