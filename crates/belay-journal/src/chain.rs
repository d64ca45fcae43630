//! Lines of a day, chained: each holds a hash of itself and of the link before it.
//!
//! INVARIANT: the chain shows what was changed, taken out or put in by somebody who did not rebuild it. Whoever may
//! write the file may rebuild it; only a link that was noted elsewhere shows that.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::Journal;

const START: &str = r#"{"v":2,"#;
const NUMBER: &str = r#"{"v":2,"number":"#;
const CHAIN: &str = r#""chain":""#;

/// So many bytes of the hash are a link.
const BYTES: usize = 16;

/// So much of a file's end is looked at for its last line: at first, and at most.
const FIRST_LOOK: u64 = 4 * 1024;
const LAST_LOOK: u64 = 4 * 1024 * 1024;

/// Where the next line goes on: the number and the link of the last.
pub struct Link {
    /// The last line's number.
    pub number: u64,
    chain: Option<String>,
}

impl Link {
    /// Begins a day.
    pub const fn day_after(number: u64) -> Self {
        Self {
            number,
            chain: None,
        }
    }

    /// Returns the next line, numbered and chained; the first of a day is chained to its date.
    pub fn next(&self, line: &str, date: &str) -> String {
        let Some(rest) = line.strip_prefix(START) else {
            return line.to_owned();
        };
        let number = self.number.saturating_add(1);
        let before = self.chain.as_deref().unwrap_or(date);
        let chain = link(before, &[NUMBER, &number.to_string(), ",", rest.trim_end()]);
        format!("{NUMBER}{number},{CHAIN}{chain}\",{rest}")
    }

    /// Returns the link of the last line of a file that has one, as far as its end tells.
    pub fn last_of(mut file: &File) -> Option<Self> {
        let size = file.metadata().ok()?.len();
        let mut tail = FIRST_LOOK;
        loop {
            let from = size.saturating_sub(tail);
            file.seek(SeekFrom::Start(from)).ok()?;
            let mut bytes = Vec::with_capacity(usize::try_from(tail.min(size)).ok()?);
            file.take(tail).read_to_end(&mut bytes).ok()?;
            // What stands before the first line's end may be half a line.
            let whole = match from {
                0 => bytes.as_slice(),
                _ => after_line(&bytes),
            };
            let mut lines = whole.rsplit(|it| *it == b'\n');
            if let Some(link) = lines.find_map(|it| Some(Chained::read(it)?.link())) {
                return Some(link);
            }
            if from == 0 || tail >= LAST_LOOK {
                return None;
            }
            tail = tail.saturating_mul(16);
        }
    }
}

fn after_line(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().position(|it| *it == b'\n');
    end.and_then(|at| bytes.get(at + 1..)).unwrap_or_default()
}

fn link(before: &str, parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    hash.update(before.as_bytes());
    hash.update(b"\n");
    parts.iter().for_each(|it| hash.update(it.as_bytes()));
    let bytes = hash.finalize();
    let hex = bytes.iter().take(BYTES).map(|it| format!("{it:02x}"));
    hex.collect()
}

/// A line with a number, and maybe a link.
struct Chained<'a> {
    number: u64,
    digits: &'a str,
    chain: Option<&'a str>,
    rest: &'a str,
}

impl<'a> Chained<'a> {
    fn read(line: &'a [u8]) -> Option<Self> {
        let after = line.strip_prefix(NUMBER.as_bytes())?;
        let after = std::str::from_utf8(after).ok()?;
        let (digits, rest) = after.split_once(',')?;
        let number = digits.parse().ok()?;
        let (chain, rest) = match rest.strip_prefix(CHAIN) {
            Some(chained) => {
                let (chain, rest) = chained.split_once("\",")?;
                (Some(chain), rest)
            }
            None => (None, rest),
        };
        // Half a line is nobody's link.
        rest.ends_with('}').then_some(Self {
            number,
            digits,
            chain,
            rest,
        })
    }

    fn link(&self) -> Link {
        Link {
            number: self.number,
            chain: self.chain.map(str::to_owned),
        }
    }

    fn is_linked_to(&self, before: &str) -> bool {
        let linked = link(before, &[NUMBER, self.digits, ",", self.rest]);
        self.chain == Some(&linked)
    }
}

/// What one day's file is found to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Day {
    /// The date.
    pub date: String,
    /// How many lines it has.
    pub lines: u64,
    /// How many of them were written before lines were chained.
    pub unchained: u64,
    /// The first number.
    pub first: Option<u64>,
    /// The last number.
    pub last: Option<u64>,
    /// The last link.
    pub link: Option<String>,
    /// Whether the link that was asked for is in it, and nothing before it is in doubt.
    pub holds_noted: bool,
    /// What is not as it was written.
    pub doubts: Vec<Doubt>,
}

/// What is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// These numbers are missing: lines were taken out.
    Gap(u64, u64),
    /// The line of this number was changed, or put in.
    Changed(u64),
    /// The line of this number does not come after the one before it.
    OutOfOrder(u64),
    /// The line of this number has no link, though lines before it have.
    Unlinked(u64),
    /// The line at this place of the file, counted from 1, is no line of ours or half of one.
    Unreadable(u64),
}

impl Journal {
    /// Reads every day, the oldest first, and says what is not as it was written. A link that was noted earlier is
    /// looked for.
    ///
    /// # Errors
    /// Returns why a file could not be read.
    pub fn verify(&self, noted: Option<&str>) -> io::Result<Vec<Day>> {
        let mut paths: Vec<_> = self.days().collect();
        paths.reverse();
        let mut days: Vec<Day> = Vec::new();
        for path in paths {
            let before = Before {
                number: days.iter().rev().find_map(|it| it.last),
                chained: days.iter().any(|it| it.link.is_some()),
            };
            days.push(verify_day(&path, &before, noted)?);
        }
        Ok(days)
    }
}

/// What the days before tell of one.
struct Before {
    /// The last number.
    number: Option<u64>,
    /// Whether lines were chained by then: whoever takes all links out of a day must not have it pass for an older one.
    chained: bool,
}

fn verify_day(path: &Path, before: &Before, noted: Option<&str>) -> io::Result<Day> {
    let mut file = File::open(path)?;
    // Where no lock is to be had, a line may be half written.
    let _ = file.lock_shared();
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let date = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut walk = Walk {
        before: before.number,
        chained: before.chained,
        chain: None,
        noted,
        day: Day {
            date: date.into_owned(),
            ..Day::default()
        },
    };
    for (place, line) in (1..).zip(bytes.split(|it| *it == b'\n')) {
        if !line.is_empty() {
            walk.step(place, line);
        }
    }
    Ok(walk.day)
}

struct Walk<'a> {
    before: Option<u64>,
    chained: bool,
    chain: Option<String>,
    noted: Option<&'a str>,
    day: Day,
}

impl Walk<'_> {
    fn step(&mut self, place: u64, line: &[u8]) {
        self.day.lines += 1;
        let Some(line) = Chained::read(line) else {
            let is_of_the_first_version = line.starts_with(br#"{"v":1,"#);
            match is_of_the_first_version && !self.chained {
                true => self.day.unchained += 1,
                false => self.day.doubts.push(Doubt::Unreadable(place)),
            }
            return;
        };
        let follows = self.follows(line.number);
        match line.chain {
            None if self.chained => self.day.doubts.push(Doubt::Unlinked(line.number)),
            None => self.day.unchained += 1,
            Some(chain) => {
                let linked = line.is_linked_to(self.chain.as_deref().unwrap_or(&self.day.date));
                // A gap says already why nothing links.
                if follows && !linked {
                    self.day.doubts.push(Doubt::Changed(line.number));
                }
                self.day.holds_noted |= self.day.doubts.is_empty() && self.noted == Some(chain);
                self.day.link = Some(chain.to_owned());
                self.chain = Some(chain.to_owned());
                self.chained = true;
            }
        }
        self.day.first = self.day.first.or(Some(line.number));
        self.day.last = Some(line.number);
        self.before = Some(line.number);
    }

    /// Tells whether a number comes right after the one before it; what does not is a doubt.
    fn follows(&mut self, number: u64) -> bool {
        let Some(before) = self.before else {
            return true;
        };
        if number == before.saturating_add(1) {
            return true;
        }
        self.day.doubts.push(match number > before {
            true => Doubt::Gap(before.saturating_add(1), number.saturating_sub(1)),
            false => Doubt::OutOfOrder(number),
        });
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;
    use std::path::PathBuf;

    struct Kept {
        _folder: tempfile::TempDir,
        journal: Journal,
        file: PathBuf,
    }

    fn kept() -> Kept {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::new(folder.path().join("journal"));
        let mut first = record("ls");
        first.at = crate::calendar::Moment::parse("2026-03-02T10:00:00.000Z").unwrap();
        for command in ["a", "b", "c", "d", "e"] {
            let mut next = record(command);
            next.at = first.at;
            journal.append(&next).unwrap();
        }
        let file = journal.folder().join("2026-03-02.jsonl");
        Kept {
            _folder: folder,
            journal,
            file,
        }
    }

    fn doubts(change: impl Fn(&mut Vec<String>)) -> Vec<Doubt> {
        let kept = kept();
        let text = std::fs::read_to_string(&kept.file).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        change(&mut lines);
        std::fs::write(&kept.file, lines.join("\n") + "\n").unwrap();
        let mut days = kept.journal.verify(None).unwrap();
        days.remove(0).doubts
    }

    #[test]
    fn what_was_written_is_whole() {
        assert_eq!(doubts(|_| {}), []);
        let day = kept().journal.verify(None).unwrap().remove(0);
        assert_eq!((day.lines, day.first, day.last), (5, Some(1), Some(5)));
        assert_eq!(day.link.map(|it| it.len()), Some(2 * BYTES));
    }

    #[test]
    fn a_changed_line_is_named_and_no_other() {
        let change = |lines: &mut Vec<String>| lines[2] = lines[2].replace("\"ask\"", "\"allow\"");
        assert_eq!(doubts(change), [Doubt::Changed(3)]);
    }

    #[test]
    fn a_line_taken_out_is_a_gap() {
        assert_eq!(doubts(|lines| drop(lines.remove(1))), [Doubt::Gap(2, 2)]);
        assert_eq!(doubts(|lines| drop(lines.drain(1..4))), [Doubt::Gap(2, 4)]);
    }

    #[test]
    fn a_line_put_in_or_moved_is_seen() {
        let twice = |lines: &mut Vec<String>| lines.insert(2, lines[1].clone());
        assert_eq!(doubts(twice), [Doubt::OutOfOrder(2)]);
        assert!(!doubts(|lines| lines.swap(1, 2)).is_empty());
        let torn = |lines: &mut Vec<String>| lines.insert(1, "{\"v\":2,\"num".to_owned());
        assert_eq!(doubts(torn), [Doubt::Unreadable(2)]);
    }

    #[test]
    fn a_renumbered_day_is_seen() {
        let hide = |lines: &mut Vec<String>| {
            lines.remove(1);
            for line in lines.iter_mut().skip(1) {
                let number = Chained::read(line.as_bytes()).unwrap().number;
                let (was, is) = (format!("\"number\":{number},"), number - 1);
                *line = line.replace(&was, &format!("\"number\":{is},"));
            }
        };
        assert!(!doubts(hide).is_empty());
    }

    #[test]
    fn a_noted_link_is_found_again_while_nothing_before_it_changed() {
        let kept = kept();
        let noted = kept.journal.verify(None).unwrap().remove(0).link.unwrap();
        let holds = || kept.journal.verify(Some(&noted)).unwrap().remove(0);
        assert!(holds().holds_noted);
        let text = std::fs::read_to_string(&kept.file).unwrap();
        std::fs::write(&kept.file, text.replacen("\"ask\"", "\"allow\"", 1)).unwrap();
        assert!(!holds().holds_noted);
    }

    /// Without its links a day looks like one from before there were any; a chained day before it tells.
    #[test]
    fn a_day_whose_links_were_taken_out_is_seen() {
        let kept = kept();
        let mut next = record("later");
        next.at = crate::calendar::Moment::parse("2026-03-03T10:00:00.000Z").unwrap();
        kept.journal.append(&next).unwrap();
        let bare = |file: &Path| {
            let text = std::fs::read_to_string(file).unwrap();
            let lines = text.lines().map(|it| {
                let (head, rest) = it.split_once(CHAIN).unwrap();
                let (_, rest) = rest.split_once("\",").unwrap();
                format!("{head}{rest}\n").replace("\"ask\"", "\"allow\"")
            });
            std::fs::write(file, lines.collect::<String>()).unwrap();
        };
        bare(&kept.journal.folder().join("2026-03-03.jsonl"));
        let days = kept.journal.verify(None).unwrap();
        assert_eq!(days[0].doubts, []);
        assert_eq!(days[1].doubts, [Doubt::Unlinked(6)]);
        std::fs::write(
            kept.journal.folder().join("2026-03-04.jsonl"),
            "{\"v\":1,\"id\":\"x\"}\n",
        )
        .unwrap();
        let days = kept.journal.verify(None).unwrap();
        assert_eq!(days[2].doubts, [Doubt::Unreadable(1)]);
    }

    #[test]
    fn lines_of_before_are_counted_and_doubt_nothing() {
        let kept = kept();
        let old = kept.journal.folder().join("2026-03-01.jsonl");
        std::fs::write(&old, "{\"v\":1,\"id\":\"x\"}\n").unwrap();
        let day = kept.journal.verify(None).unwrap().remove(0);
        assert_eq!((day.lines, day.unchained, day.doubts), (1, 1, vec![]));
    }
}
