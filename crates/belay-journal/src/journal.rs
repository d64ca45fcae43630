//! Daily files of records in a private folder.
//!
//! INVARIANT: a record is one `write` to a file opened for appending, so that hooks that answer
//! at the same time do not mix their lines; a reader passes over whatever is not a record.

use std::fmt;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::backwards::Backwards;
use crate::calendar::Moment;
use crate::chain::Link;
use crate::{Answered, Gap, Outcome, Record};

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
    secrets: Secrets,
    keep_days: u64,
    held_by: Option<PathBuf>,
}

/// What becomes of secrets in records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Secrets {
    /// They are taken out.
    #[default]
    Redacted,
    /// They are kept: somebody wants it so.
    Kept,
}

/// So many letters are a date.
const DATE: usize = "2026-11-15".len();

/// The most files that one sweep removes; the rest waits for the next.
const MOST_SWEPT: usize = 1000;

impl Journal {
    /// Uses a folder; it is made when the first record is written.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            secrets: Secrets::Redacted,
            keep_days: 0,
            held_by: None,
        }
    }

    /// Says what becomes of secrets in records to come.
    #[must_use]
    pub const fn with(mut self, secrets: Secrets) -> Self {
        self.secrets = secrets;
        self
    }

    /// Keeps records for so many days; 0 keeps them for ever. Old files go when a new day begins.
    #[must_use]
    pub const fn keeping(mut self, days: u64) -> Self {
        self.keep_days = days;
        self
    }

    /// Keeps every day from the one that a file names on, however old: somebody still has to read it. The file begins with the
    /// date; while it does not, nothing has been read, and nothing goes.
    #[must_use]
    pub fn held_by(mut self, file: PathBuf) -> Self {
        self.held_by = Some(file);
        self
    }

    /// Returns the first day that must stay, whatever its age.
    fn first_held(&self) -> Option<String> {
        let file = self.held_by.as_ref()?;
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let date = text.get(..DATE).filter(|it| Moment::is_date(it));
        Some(date.unwrap_or_default().to_owned())
    }

    /// Removes the files of days that are past keeping, and returns how many; what cannot be removed
    /// stays. Only files of ours are touched: those named after a day.
    pub fn sweep(&self, now: Moment) -> usize {
        if self.keep_days == 0 {
            return 0;
        }
        let Some(first) = now.days_before(self.keep_days) else {
            return 0;
        };
        let first = match self.first_held() {
            Some(held) => held.min(first.date()),
            None => first.date(),
        };
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten();
        let old = entries.filter_map(|entry| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            let day = name
                .strip_suffix(".jsonl")
                .or_else(|| name.strip_suffix(".index"))?;
            (Moment::is_date(day) && *day < *first).then_some(name)
        });
        old.take(MOST_SWEPT)
            .filter(|name| std::fs::remove_file(self.folder.join(name)).is_ok())
            .count()
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
        self.append_line(record.at, &record.line_with(self.secrets))
    }

    /// Appends a person's answer to the file of its day.
    ///
    /// # Errors
    /// Returns what the system said when the folder or file cannot be made or written.
    pub fn append_answer(&self, answered: &Answered) -> Result<(), JournalError> {
        self.append_line(answered.at, &answered.line())
    }

    /// Appends what became of a call to the file of its day.
    ///
    /// # Errors
    /// Returns what the system said when the folder or file cannot be made or written.
    pub fn append_outcome(&self, outcome: &Outcome) -> Result<(), JournalError> {
        self.append_line(outcome.at, &outcome.line())
    }

    /// Appends what is missing, and why, to the file of its day.
    ///
    /// # Errors
    /// Returns what the system said when the folder or file cannot be made or written.
    pub fn append_gap(&self, gap: &Gap) -> Result<(), JournalError> {
        self.append_line(gap.at, &gap.line())
    }

    /// Returns the number of the newest line that has one.
    #[must_use]
    pub fn last_number(&self) -> Option<u64> {
        let newest = self.days().take(DAYS_BACK);
        let mut newest = newest.filter_map(|it| File::open(it).ok());
        newest.find_map(|it| Some(Link::last_of(&it)?.number))
    }

    /// Appends a line with the number after the last one, chained to it. Whoever else appends waits meanwhile, so that
    /// numbers grow from line to line; where no lock is to be had, a line without a number is better than none.
    fn append_line(&self, at: Moment, line: &str) -> Result<(), JournalError> {
        let date = at.date();
        let path = self.folder.join(format!("{date}.jsonl"));
        let written = self.open(&path).and_then(|file| {
            if file.lock().is_err() {
                return write_once(&file, line.as_bytes());
            }
            let length = file.metadata()?.len();
            let line = self.last_link(&file, &path).next(line, &date);
            // Nobody else writes meanwhile, so half a line can be taken back: the next one shall not follow on it.
            write_once(&file, line.as_bytes()).inspect_err(|_| drop(file.set_len(length)))
        });
        written.map_err(|source| JournalError { path, source })
    }

    /// Returns the last line's link; of a day before where this one has none yet, only its number.
    fn last_link(&self, file: &File, path: &Path) -> Link {
        if let Some(link) = Link::last_of(file) {
            return link;
        }
        let before = self.days().filter(|it| it.as_path() < path);
        let before = before.take(DAYS_BACK).filter_map(|it| File::open(it).ok());
        let number = before.into_iter().find_map(|it| Link::last_of(&it));
        Link::day_after(number.map_or(0, |it| it.number))
    }

    /// Returns what a person answered to questions, newest first.
    pub fn answers(&self) -> impl Iterator<Item = Answered> + use<> {
        self.linked(Answered::read)
    }

    /// Returns what became of calls, newest first.
    pub fn outcomes(&self) -> impl Iterator<Item = Outcome> + use<> {
        self.linked(Outcome::read)
    }

    fn linked<Line>(
        &self,
        read: fn(&[u8]) -> Option<Line>,
    ) -> impl Iterator<Item = Line> + use<Line> {
        self.days()
            .flat_map(move |day| Backwards::open(&day).filter_map(move |it| read(&it)))
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        match open(path, New::Refused) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                DirBuilder::new()
                    .recursive(true)
                    .mode(0o700)
                    .create(&self.folder)?;
                let file = open(path, New::Made)?;
                self.sweep(Moment::now());
                Ok(file)
            }
            done => done,
        }
    }

    /// Returns the records, newest first. A folder that is not there has none; what is not a
    /// record is passed over.
    pub fn newest(&self) -> impl Iterator<Item = Record> + use<> {
        self.days()
            .flat_map(|day| Backwards::open(&day).filter_map(|it| lenient(&it)))
    }

    /// Returns the files, newest first.
    pub(crate) fn days(&self) -> impl Iterator<Item = PathBuf> + use<> {
        let mut days: Vec<PathBuf> = std::fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| {
                let entry = entry.ok()?;
                // A pipe would keep a reader waiting, a link would lead it elsewhere.
                entry.file_type().ok()?.is_file().then(|| entry.path())
            })
            .filter(|path| path.extension().is_some_and(|it| it == "jsonl"))
            .collect();
        days.sort_unstable();
        days.into_iter().rev()
    }
}

/// Whether a file that is not there is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum New {
    Made,
    Refused,
}

/// Links are not followed: who could plant one in the folder could redirect the record. Nor is anything but a plain file
/// written to: what goes into a pipe or a device is no record.
pub(crate) fn open(path: &Path, new: New) -> io::Result<File> {
    let file = OpenOptions::new()
        .append(true)
        .read(true)
        .create(new == New::Made)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC)
        .open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("it is not a plain file")),
    }
}

/// So many days are looked at for the last number.
const DAYS_BACK: usize = 8;

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

/// Reads a line; a torn record before a whole one on the same line is passed over.
pub(crate) fn lenient(line: &[u8]) -> Option<Record> {
    if line.is_empty() {
        return None;
    }
    Record::read(line).or_else(|| Record::read(line.get(last_start(line)?..)?))
}

/// Returns where the last record of a line begins, if that is not at its beginning.
pub(crate) fn last_start(line: &[u8]) -> Option<usize> {
    const START: &[u8] = br#"{"v":"#;
    let mut places = line.windows(START.len());
    places.rposition(|it| it == START).filter(|at| *at > 0)
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
        let numbered = |number, it: Record| Record {
            number: Some(number),
            ..it
        };
        assert_eq!(
            journal.newest().collect::<Vec<_>>(),
            [numbered(2, second), numbered(1, first)]
        );
    }

    #[test]
    fn numbers_grow_over_days_and_over_what_is_torn() {
        let (_folder, journal) = journal();
        std::fs::create_dir_all(journal.folder()).unwrap();
        let old = journal.folder().join("2020-01-01.jsonl");
        std::fs::write(
            &old,
            "{\"v\":1,\"id\":\"x\"}\n{\"v\":2,\"number\":41,\"kind\":\"answer\"}\n",
        )
        .unwrap();
        let first = record("echo '{\"v\":2,\"number\":900,'");
        journal.append(&first).unwrap();
        let today = journal.folder().join(format!("{}.jsonl", first.at.date()));
        let mut text = std::fs::read_to_string(&today).unwrap();
        text.push_str("{\"v\":2,\"num");
        text.push_str(&"x".repeat(70_000));
        text.push('\n');
        std::fs::write(&today, text).unwrap();
        journal.append(&record("pwd")).unwrap();
        let numbers: Vec<_> = journal.newest().filter_map(|it| it.number).collect();
        assert_eq!(numbers, [43, 42]);
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
    fn old_days_go_and_nothing_else() {
        let (_folder, journal) = journal();
        std::fs::create_dir_all(journal.folder()).unwrap();
        let now = Moment::parse("2026-03-02T10:00:00.000Z").unwrap();
        let names = [
            "2026-02-26.jsonl",
            "2026-02-27.jsonl",
            "2026-02-28.jsonl",
            "2026-03-02.jsonl",
            "2020-01-01.txt",
            "1.jsonl",
            "notes.jsonl",
        ];
        for name in names {
            std::fs::write(journal.folder().join(name), "").unwrap();
        }
        assert_eq!(journal.sweep(now), 0);
        assert_eq!(journal.clone().keeping(2).sweep(now), 2);
        let mut left: Vec<String> = std::fs::read_dir(journal.folder())
            .unwrap()
            .map(|it| it.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(
            left,
            [
                "1.jsonl",
                "2020-01-01.txt",
                "2026-02-28.jsonl",
                "2026-03-02.jsonl",
                "notes.jsonl"
            ]
        );
    }

    #[test]
    fn the_first_record_of_a_day_sweeps() {
        let (_folder, journal) = journal();
        let journal = journal.keeping(1);
        std::fs::create_dir_all(journal.folder()).unwrap();
        let old = journal.folder().join("2020-01-01.jsonl");
        std::fs::write(&old, "").unwrap();
        journal.append(&record("ls")).unwrap();
        assert!(!old.exists());
        std::fs::write(&old, "").unwrap();
        journal.append(&record("ls")).unwrap();
        assert!(old.exists());
    }

    #[test]
    fn secrets_are_kept_where_somebody_wants_it() {
        let (_folder, journal) = journal();
        let secret = "Authorization: Bearer abcdefgh12345678";
        journal.append(&record(secret)).unwrap();
        journal
            .clone()
            .with(Secrets::Kept)
            .append(&record(secret))
            .unwrap();
        let text = std::fs::read_to_string(only_file(&journal)).unwrap();
        assert_eq!(text.matches("abcdefgh12345678").count(), 1);
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
    fn a_pipe_in_the_place_of_a_day_takes_no_record_and_keeps_no_reader() {
        let (_folder, journal) = journal();
        journal.append(&record("ls")).unwrap();
        let path = only_file(&journal);
        std::fs::remove_file(&path).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        assert!(journal.append(&record("ls")).is_err());
        assert_eq!(journal.newest().count(), 0);
        assert_eq!(journal.verify(None).unwrap(), []);
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
