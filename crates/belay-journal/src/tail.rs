//! What comes into the journal, as it comes.

use std::path::PathBuf;

use crate::{Journal, Record};

/// So many are given at once at most; a reader that was away longer begins with the newest.
const MOST: usize = 2000;

/// Follows a journal by the numbers of its lines: none is given twice, and none is lost.
#[derive(Debug)]
pub struct Tail {
    journal: Journal,
    last: u64,
    seen: Option<(PathBuf, u64)>,
}

impl Tail {
    /// Follows a journal after a number.
    #[must_use]
    pub const fn after(journal: Journal, number: u64) -> Self {
        Self {
            journal,
            last: number,
            seen: None,
        }
    }

    /// Returns the records that came since, the oldest first. Where nothing was written, nothing is read.
    pub fn more(&mut self) -> Vec<Record> {
        let newest = self.journal.days().next();
        let size = |it: &PathBuf| std::fs::metadata(it).map_or(0, |it| it.len());
        let seen = newest.map(|it| {
            let size = size(&it);
            (it, size)
        });
        if seen == self.seen {
            return Vec::new();
        }
        self.seen = seen;
        let is_new = |it: &Record| it.number.is_none_or(|it| it > self.last);
        let new = self.journal.newest().take_while(is_new).take(MOST);
        let mut new: Vec<Record> = new.filter(|it| it.number.is_some()).collect();
        new.reverse();
        self.last = new
            .iter()
            .filter_map(|it| it.number)
            .fold(self.last, u64::max);
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn every_record_comes_once() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::new(folder.path().to_owned());
        journal.append(&record("before")).unwrap();
        let mut tail = Tail::after(journal.clone(), 1);
        assert_eq!(tail.more().len(), 0);
        let mut numbers = Vec::new();
        for _ in 0..5 {
            journal.append(&record("a")).unwrap();
            journal.append(&record("b")).unwrap();
            numbers.extend(tail.more().iter().filter_map(|it| it.number));
            assert!(tail.more().is_empty());
        }
        assert_eq!(numbers, (2..=11).collect::<Vec<_>>());
    }
}
