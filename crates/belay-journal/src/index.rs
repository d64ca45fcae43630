//! The index beside each day's file: a row for each line, so that a million records are counted without reading them.
//!
//! INVARIANT: readers make it, hooks never do. It holds nothing that the day's file does not say, so it may be lost at any
//! time; what proves something reads the day's file itself.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use belay_model::Verdict;

use crate::calendar::Moment;
use crate::journal::{New, lenient, open};
use crate::rows::{Kind, Name, Row, Rows};
use crate::{Journal, Record};

/// The beginning of each block; another version is another word.
const MAGIC: &[u8; 8] = b"belayix1";

/// Less than this is read anew each time; more is kept.
const WORTH_KEEPING: u64 = 512 * 1024;

/// So many bytes before the end of what is covered must be as they were.
const CHECKED: u64 = 512;

/// How many bytes a row takes.
const ROW: usize = 8 * 3 + 4 * 12 + 2;

/// How many bytes stand before the names of a block.
const HEAD: usize = 8 * 3 + 4 * 2;

impl Journal {
    /// Returns a glance at every line since a moment, the oldest first. What is not indexed yet is read, and kept
    /// where that is worth it.
    #[must_use]
    pub fn rows(&self, since: Moment) -> Rows {
        let first = since.date();
        let mut days: Vec<PathBuf> = self.days().collect();
        days.retain(|it| {
            it.file_stem()
                .is_some_and(|it| *it.to_string_lossy() >= *first)
        });
        days.reverse();
        let mut all = Rows::default();
        days.iter().for_each(|it| all.join(rows_of(it)));
        all.begin_at(since);
        all
    }

    /// Returns the records whose row is wanted, newest first; only their lines are read.
    pub fn newest_of<'a>(
        &self,
        wanted: impl Fn(&Rows, &Row) -> bool + 'a,
    ) -> impl Iterator<Item = Record> + 'a {
        let wanted = Rc::new(wanted);
        self.days().flat_map(move |day| {
            let wanted = Rc::clone(&wanted);
            let kept = Kept::of(&day);
            let mut file = File::open(&day).ok();
            let mut places = kept.newest_first();
            // Row by row: who wants the newest twenty looks at no more than it takes to find them.
            std::iter::from_fn(move || {
                places.find_map(|place| {
                    let row = kept.row(place)?;
                    wanted(&kept.rows, &row).then_some(())?;
                    read_at(file.as_mut()?, &row)
                })
            })
        })
    }
}

fn read_at(file: &mut File, row: &Row) -> Option<Record> {
    file.seek(SeekFrom::Start(row.offset)).ok()?;
    let mut line = Vec::with_capacity(usize::try_from(row.length).ok()?);
    file.take(row.length.into()).read_to_end(&mut line).ok()?;
    lenient(&line)
}

/// Returns the rows of a day.
fn rows_of(day: &Path) -> Rows {
    let kept = Kept::of(day);
    let old: Vec<Row> = kept.tables().flatten().filter_map(row_from).collect();
    let mut rows = kept.rows;
    rows.put_before(old);
    rows
}

/// An index as it was kept, and what came since.
#[derive(Default)]
struct Kept {
    /// The names of all rows, and those rows that no block holds.
    rows: Rows,
    /// The file.
    bytes: Vec<u8>,
    /// Where the rows of each block stand in it.
    blocks: Vec<Range<usize>>,
    /// Where the last whole block ends.
    whole: usize,
    covered: u64,
    check: u64,
}

/// Where a row is.
enum Place {
    /// In the file, at this byte.
    Kept(usize),
    /// Among those that came since.
    Fresh(usize),
}

impl Kept {
    /// Reads the index of a day, and the lines that came since; they are kept where that is worth it.
    fn of(day: &Path) -> Self {
        let path = day.with_extension("index");
        let Ok(mut file) = File::open(day) else {
            return Self::default();
        };
        let size = file.metadata().map_or(0, |it| it.len());
        let mut kept = Self::read(&path);
        if !kept.fits(&mut file, size) {
            kept = Self::default();
        }
        let names = kept.rows.names().len();
        let Some(covered) = kept.go_on(&mut file) else {
            return kept;
        };
        if covered.saturating_sub(kept.covered) >= WORTH_KEEPING {
            kept.check = check(&mut file, covered).unwrap_or_default();
            kept.covered = covered;
            // What cannot be kept is read again next time.
            let _ = keep(&path, kept.whole as u64, &kept.block_since(names));
        }
        kept
    }

    /// Reads an index; blocks after one that is not whole do not count.
    fn read(path: &Path) -> Self {
        // A pipe would keep us waiting, and a link may lead to what has no end.
        let plain = path.symlink_metadata().is_ok_and(|it| it.is_file());
        let bytes = plain.then(|| std::fs::read(path).unwrap_or_default());
        let bytes = bytes.unwrap_or_default();
        let mut kept = Self::default();
        while let Some(end) = kept.take_block(&bytes) {
            kept.whole = end;
        }
        kept.bytes = bytes;
        kept
    }

    /// Takes the block at the end of those that were taken, and returns where it ends. It counts whole or not at all: what
    /// was half taken would be counted again when its lines are read.
    fn take_block(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut head = Taken(bytes.get(self.whole..)?.strip_prefix(MAGIC)?);
        let (covered, check) = (head.u64()?, head.u64()?);
        let (names, rows) = (head.u32()? as usize, head.u32()? as usize);
        let begin = self.whole.checked_add(HEAD)?;
        let table = begin.checked_add(names)?;
        let end = table.checked_add(rows.checked_mul(ROW)?)?;
        let named = std::str::from_utf8(bytes.get(begin..table)?).ok()?;
        let mut kinds = bytes.get(table..end)?.chunks_exact(ROW);
        kinds.all(is_row).then_some(())?;
        named.split_terminator('\0').for_each(|it| {
            self.rows.named(it);
        });
        self.blocks.push(table..end);
        (self.covered, self.check) = (covered, check);
        Some(end)
    }

    fn tables(&self) -> impl Iterator<Item = std::slice::ChunksExact<'_, u8>> {
        let table = |it: &Range<usize>| self.bytes.get(it.clone()).unwrap_or_default();
        self.blocks
            .iter()
            .map(move |it| table(it).chunks_exact(ROW))
    }

    /// Returns where the rows are, the newest first.
    fn newest_first(&self) -> impl Iterator<Item = Place> + use<> {
        let fresh = (0..self.rows.all().len()).rev().map(Place::Fresh);
        let blocks = self.blocks.clone().into_iter().rev();
        fresh.chain(blocks.flat_map(|it| it.step_by(ROW).rev().map(Place::Kept)))
    }

    fn row(&self, place: Place) -> Option<Row> {
        match place {
            Place::Kept(at) => row_from(self.bytes.get(at..at + ROW)?),
            Place::Fresh(at) => self.rows.all().get(at).copied(),
        }
    }

    /// Tells whether the day's file still begins with what is covered, as far as its end tells.
    fn fits(&self, file: &mut File, size: u64) -> bool {
        self.covered <= size && (self.covered == 0 || check(file, self.covered) == Some(self.check))
    }

    /// Reads the lines that came since; returns where the last whole one ends.
    fn go_on(&mut self, file: &mut File) -> Option<u64> {
        file.seek(SeekFrom::Start(self.covered)).ok()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        let end = bytes.iter().rposition(|it| *it == b'\n')? + 1;
        let mut offset = self.covered;
        for line in bytes.get(..end)?.split_inclusive(|it| *it == b'\n') {
            self.rows.read(line.trim_ascii_end(), offset);
            offset += line.len() as u64;
        }
        Some(offset)
    }

    /// Returns the block of what came since, with the names after so many.
    fn block_since(&self, names: usize) -> Vec<u8> {
        let rows = &self.rows;
        let fresh = rows.names().get(names..).unwrap_or_default();
        let names: String = fresh.iter().flat_map(|it| [it, "\0"]).collect();
        let fresh = rows.all();
        let mut bytes = Vec::with_capacity(HEAD + names.len() + fresh.len() * ROW);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&self.covered.to_le_bytes());
        bytes.extend_from_slice(&self.check.to_le_bytes());
        for count in [names.len(), fresh.len()] {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            bytes.extend_from_slice(&count.to_le_bytes());
        }
        bytes.extend_from_slice(names.as_bytes());
        fresh.iter().for_each(|it| row_into(&mut bytes, it));
        bytes
    }
}

/// A hash (FNV-1a) of the bytes before a place: a file that was cut and grew again is another.
fn check(file: &mut File, end: u64) -> Option<u64> {
    let start = end.saturating_sub(CHECKED);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut bytes = Vec::new();
    file.take(end - start).read_to_end(&mut bytes).ok()?;
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    Some(bytes.iter().fold(0xcbf2_9ce4_8422_2325, step))
}

/// Appends a block after so many bytes, unless somebody else was faster; what is left of a torn or old index goes.
fn keep(path: &Path, before: u64, block: &[u8]) -> io::Result<()> {
    let mut file = open(path, New::Made)?;
    file.try_lock().map_err(io::Error::other)?;
    let size = file.metadata()?.len();
    if before == 0 || size > before {
        // Another reader may have kept the same lines: one of both is right, and ours is.
        file.set_len(before)?;
    } else if size < before {
        return Ok(());
    }
    file.write_all(block)
}

struct Taken<'a>(&'a [u8]);

impl Taken<'_> {
    fn u64(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*first))
    }

    fn u32(&mut self) -> Option<u32> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*first))
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn name(&mut self) -> Option<Name> {
        self.u32().map(Name)
    }
}

/// Tells whether the bytes of a row are one of this version.
fn is_row(bytes: &[u8]) -> bool {
    let kind = bytes.len().checked_sub(2).and_then(|at| bytes.get(at));
    kind.is_some_and(|it| kind_from(*it).is_some())
}

fn row_from(bytes: &[u8]) -> Option<Row> {
    let mut from = Taken(bytes);
    Some(Row {
        offset: from.u64()?,
        at: Moment(from.u64()?),
        same: from.u64()?,
        length: from.u32()?,
        layer: from.name()?,
        agent: from.name()?,
        tool: from.name()?,
        project: from.name()?,
        session: from.name()?,
        rule: from.name()?,
        micros: from.u32()?,
        model_millis: from.u32()?,
        input_tokens: from.u32()?,
        output_tokens: from.u32()?,
        micro_dollars: from.u32()?,
        kind: kind_from(from.byte()?)?,
        enforced: from.byte()? == 1,
    })
}

fn row_into(bytes: &mut Vec<u8>, row: &Row) {
    for number in [row.offset, row.at.0, row.same] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    let numbers = [
        row.length,
        row.layer.0,
        row.agent.0,
        row.tool.0,
        row.project.0,
        row.session.0,
        row.rule.0,
        row.micros,
        row.model_millis,
        row.input_tokens,
        row.output_tokens,
        row.micro_dollars,
    ];
    for number in numbers {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(&[kind_into(row.kind), u8::from(row.enforced)]);
}

const fn kind_into(kind: Kind) -> u8 {
    match kind {
        Kind::Call(Verdict::Allow) => 0,
        Kind::Call(Verdict::Ask) => 1,
        Kind::Call(Verdict::Deny) => 2,
        Kind::Yes => 3,
        Kind::No => 4,
        Kind::Outcome => 5,
    }
}

const fn kind_from(byte: u8) -> Option<Kind> {
    Some(match byte {
        0 => Kind::Call(Verdict::Allow),
        1 => Kind::Call(Verdict::Ask),
        2 => Kind::Call(Verdict::Deny),
        3 => Kind::Yes,
        4 => Kind::No,
        5 => Kind::Outcome,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    fn journal() -> (tempfile::TempDir, Journal) {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::new(folder.path().join("journal"));
        (folder, journal)
    }

    fn index(journal: &Journal) -> PathBuf {
        let day = journal.days().next().unwrap();
        day.with_extension("index")
    }

    fn glance(rows: &Rows) -> Vec<(String, u64, u32)> {
        let row = |it: &Row| (rows.name(it.tool).to_owned(), it.offset, it.micros);
        rows.all().iter().map(row).collect()
    }

    /// Appends so much that it is worth an index.
    fn fill(journal: &Journal) {
        for _ in 0..70 {
            journal.append(&record(&"x".repeat(9000))).unwrap();
        }
    }

    #[test]
    fn what_is_kept_says_what_the_lines_say() {
        let (_folder, journal) = journal();
        fill(&journal);
        let anew = journal.rows(Moment(0));
        assert!(index(&journal).exists());
        assert_eq!(glance(&journal.rows(Moment(0))), glance(&anew));
        journal.append(&record("ls")).unwrap();
        let more = journal.rows(Moment(0));
        assert_eq!(more.all().len(), 71);
        fill(&journal);
        assert_eq!(journal.rows(Moment(0)).all().len(), 141);
        let known = glance(&journal.rows(Moment(0)));
        std::fs::remove_file(index(&journal)).unwrap();
        assert_eq!(glance(&journal.rows(Moment(0))), known);
    }

    #[test]
    fn an_index_of_another_file_or_a_torn_one_is_made_anew() {
        let (_folder, journal) = journal();
        fill(&journal);
        let known = glance(&journal.rows(Moment(0)));
        let path = index(&journal);
        let whole = std::fs::read(&path).unwrap();
        for torn in [&whole[..whole.len() / 2], b"x", b""] {
            std::fs::write(&path, torn).unwrap();
            assert_eq!(glance(&journal.rows(Moment(0))), known);
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        assert_eq!(glance(&journal.rows(Moment(0))), known);
        let day = journal.days().next().unwrap();
        std::fs::write(&day, "").unwrap();
        assert_eq!(journal.rows(Moment(0)).all().len(), 0);
    }

    /// A name that an agent chose must not move the names of others.
    #[test]
    fn names_that_the_index_would_take_for_one_move_no_others() {
        let (_folder, journal) = journal();
        for tool in ["a b", "a\0b", "a\u{fffd}b", "Read", "Write"] {
            let mut next = record("ls");
            next.call.tool = tool.to_owned();
            journal.append(&next).unwrap();
        }
        fill(&journal);
        let names = |rows: &Rows| -> Vec<String> {
            let all = rows.all().iter();
            all.map(|it| rows.name(it.tool).to_owned()).collect()
        };
        let anew = names(&journal.rows(Moment(0)));
        assert!(index(&journal).exists());
        assert_eq!(names(&journal.rows(Moment(0))), anew);
        assert_eq!(anew[3..5], ["Read", "Write"]);
    }

    #[test]
    fn a_block_with_a_row_of_another_version_counts_nothing_twice() {
        let (_folder, journal) = journal();
        fill(&journal);
        let known = glance(&journal.rows(Moment(0)));
        let path = index(&journal);
        let mut bytes = std::fs::read(&path).unwrap();
        let last_kind = bytes.len() - 2;
        bytes[last_kind] = 99;
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(glance(&journal.rows(Moment(0))), known);
    }

    #[test]
    fn half_a_record_before_a_whole_one_hides_it_from_no_filter() {
        let (_folder, journal) = journal();
        journal.append(&record("ls")).unwrap();
        let day = journal.days().next().unwrap();
        let line = std::fs::read(&day).unwrap();
        std::fs::write(&day, [&line[..40], &line[..]].concat()).unwrap();
        assert_eq!(journal.newest().count(), 1);
        let found = journal.newest_of(|rows, row| rows.name(row.tool) == "Bash");
        assert_eq!(found.count(), 1);
    }

    #[test]
    fn a_chosen_record_is_found_by_its_row() {
        let (_folder, journal) = journal();
        fill(&journal);
        journal.append(&record("pwd")).unwrap();
        let found =
            journal.newest_of(|rows, row| rows.name(row.tool) == "Bash" && row.length < 5000);
        let found: Vec<Record> = found.collect();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].number, Some(71));
    }
}
