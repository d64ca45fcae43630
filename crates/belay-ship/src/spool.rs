//! Lines of the journal after a cursor, the oldest first.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use belay_journal::calendar::Moment;

use crate::batch::Bounds;
use crate::cursor::{Cursor, hash_of};

/// A line, and where the cursor stands once it has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line without its end.
    pub bytes: Vec<u8>,
    /// The day's file it is from.
    pub day: String,
    /// Where it ends in that file.
    pub end: u64,
}

/// The days of a journal.
#[derive(Clone, Debug)]
pub struct Spool {
    folder: PathBuf,
}

impl Spool {
    /// Reads the days in a folder.
    #[must_use]
    pub fn of(journal: &Path) -> Self {
        Self {
            folder: journal.to_owned(),
        }
    }

    /// Returns the dates of all days, the oldest first.
    #[must_use]
    pub fn days(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let dates = entries.filter_map(|it| {
            let is_file = it.file_type().is_ok_and(|it| it.is_file());
            let name = it.file_name().into_string().ok().filter(|_| is_file)?;
            let date = name.strip_suffix(".jsonl")?;
            Moment::is_date(date).then(|| date.to_owned())
        });
        let mut dates: Vec<String> = dates.collect();
        dates.sort_unstable();
        dates
    }

    /// Returns the file of a day.
    #[must_use]
    pub fn file(&self, day: &str) -> PathBuf {
        self.folder.join(format!("{day}.jsonl"))
    }

    /// Returns the cursor as it holds for what is there: where the line before it is another one than it was, the day begins anew,
    /// which sends some lines again and loses none.
    #[must_use]
    pub fn checked(&self, cursor: &Cursor) -> Cursor {
        let path = self.file(&cursor.day);
        if cursor.offset == 0 || !path.exists() || ends_with(&path, cursor).unwrap_or(false) {
            return cursor.clone();
        }
        Cursor {
            offset: 0,
            hash: "-".to_owned(),
            ..cursor.clone()
        }
    }

    /// Returns the lines after a cursor, as many as a batch may have. A line without its end is still being written.
    ///
    /// # Errors
    /// Returns why a file could not be read.
    pub fn after(&self, cursor: &Cursor, bounds: Bounds) -> io::Result<Vec<Line>> {
        let days = self.days();
        let mut lines = Vec::new();
        let mut bytes = 0;
        let newest = days.last().cloned().unwrap_or_default();
        for day in days.into_iter().filter(|it| *it >= cursor.day) {
            let from = if day == cursor.day { cursor.offset } else { 0 };
            let mut reader = DayReader::open(&self.file(&day), from)?;
            while lines.len() < bounds.records && bytes < bounds.bytes {
                let Some(line) = reader.next()? else { break };
                // Half a line that will be taken back looks so, and only at the end of the newest day.
                if !line.ends_with(b"}") && day == newest && reader.is_at_end() {
                    return Ok(lines);
                }
                bytes += line.len();
                lines.push(Line {
                    bytes: line,
                    day: day.clone(),
                    end: reader.at,
                });
            }
        }
        Ok(lines)
    }

    /// Returns how many bytes each day still has to ship, the oldest first.
    #[must_use]
    pub fn left(&self, cursor: &Cursor) -> Vec<(String, u64)> {
        let sized = |day: String| {
            let size = fs::metadata(self.file(&day)).map_or(0, |it| it.len());
            let done = if day == cursor.day { cursor.offset } else { 0 };
            (day, size.saturating_sub(done))
        };
        let days = self.days().into_iter().filter(|it| *it >= cursor.day);
        days.map(sized).collect()
    }
}

fn ends_with(path: &Path, cursor: &Cursor) -> io::Result<bool> {
    const MOST: u64 = 4 * 1024 * 1024;
    let mut file = File::open(path)?;
    let from = cursor.offset.saturating_sub(MOST);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(cursor.offset - from).read_to_end(&mut bytes)?;
    if bytes.pop() != Some(b'\n') {
        return Ok(false);
    }
    let start = bytes.iter().rposition(|it| *it == b'\n');
    let line = bytes.get(start.map_or(0, |it| it + 1)..);
    Ok(line.is_some_and(|it| hash_of(it) == cursor.hash))
}

/// So much of a file is read at once.
const BLOCK: usize = 256 * 1024;

/// Whole lines of a file, from a place on.
struct DayReader {
    file: File,
    /// Where the next line begins.
    at: u64,
    held: Vec<u8>,
    given: usize,
    ended: bool,
}

impl DayReader {
    fn open(path: &Path, from: u64) -> io::Result<Self> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(from))?;
        Ok(Self {
            file,
            at: from,
            held: Vec::new(),
            given: 0,
            ended: false,
        })
    }

    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            let rest = self.held.get(self.given..).unwrap_or_default();
            if let Some(end) = rest.iter().position(|it| *it == b'\n') {
                let line = rest.get(..end).unwrap_or_default().to_vec();
                self.given += end + 1;
                self.at += end as u64 + 1;
                return Ok(Some(line));
            }
            if self.ended {
                return Ok(None);
            }
            self.held.drain(..self.given);
            self.given = 0;
            let mut block = Vec::with_capacity(BLOCK);
            let read = (&self.file).take(BLOCK as u64).read_to_end(&mut block)?;
            self.held.append(&mut block);
            self.ended = read < BLOCK;
        }
    }

    fn is_at_end(&self) -> bool {
        self.ended && self.given == self.held.len()
    }
}
