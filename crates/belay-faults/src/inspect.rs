//! The journal after an accident: what was in it is still there, and what was answered is in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use belay_journal::{Doubt, Journal};
use belay_model::Verdict;

use crate::hook::Outcome;

/// The bytes of a journal at one moment.
pub struct Before {
    folder: PathBuf,
    files: BTreeMap<PathBuf, Vec<u8>>,
    doubts: usize,
}

/// An answer that the agent got.
pub struct Answered<'a> {
    /// The agent's name for the call.
    pub id: &'a str,
    /// What it got.
    pub outcome: Outcome,
}

impl Before {
    /// Remembers a journal.
    #[must_use]
    pub fn of(folder: PathBuf) -> Self {
        let (files, doubts) = (files(&folder), doubts(&folder).len());
        Self {
            folder,
            files,
            doubts,
        }
    }

    /// Says what is wrong with the journal now, if so many hooks may have died while writing.
    #[must_use]
    pub fn faults(&self, answers: &[Answered<'_>], torn: usize) -> Vec<String> {
        let mut faults = self.lost();
        faults.extend(self.unrecorded(answers));
        faults.extend(self.in_doubt(torn));
        faults
    }

    /// Lines may be added, and nothing else may happen.
    fn lost(&self) -> Vec<String> {
        let now = files(&self.folder);
        let is_lost = |(path, bytes): &(&PathBuf, &Vec<u8>)| {
            !now.get(*path).is_some_and(|it| it.starts_with(bytes))
        };
        let lost = self.files.iter().filter(is_lost);
        lost.map(|(path, _)| format!("records of {} were lost", path.display()))
            .collect()
    }

    /// Each answered verdict is a record that a reader finds.
    fn unrecorded(&self, answers: &[Answered<'_>]) -> Vec<String> {
        let records: BTreeMap<String, Verdict> = Journal::new(self.folder.clone())
            .newest()
            .filter_map(|it| Some((it.call.id?, it.judgement.verdict)))
            .collect();
        let recorded = |it: &&Answered<'_>| {
            let verdict = match it.outcome {
                Outcome::Allow => Verdict::Allow,
                Outcome::Ask => Verdict::Ask,
                Outcome::Deny => Verdict::Deny,
                Outcome::Refused | Outcome::Gone | Outcome::Open => return true,
            };
            records.get(it.id) == Some(&verdict)
        };
        let missing = answers.iter().filter(|it| !recorded(it));
        missing
            .map(|it| {
                format!(
                    "{:?} was answered to {} without a record",
                    it.outcome, it.id
                )
            })
            .collect()
    }

    /// A hook that dies may leave one torn line, which doubts nothing else.
    fn in_doubt(&self, torn: usize) -> Option<String> {
        let doubts = doubts(&self.folder);
        if doubts.len() <= self.doubts {
            return None;
        }
        let fresh = doubts.len() - self.doubts;
        let worse = self.doubts == 0 && doubts.iter().any(|it| !is_torn(it));
        (fresh > torn || worse).then(|| format!("the chain of the journal is broken: {doubts:?}"))
    }
}

const fn is_torn(doubt: &Doubt) -> bool {
    match doubt {
        Doubt::Unreadable(_) => true,
        Doubt::Gap(..) | Doubt::Changed(_) | Doubt::OutOfOrder(_) | Doubt::Unlinked(_) => false,
    }
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let plain = |path: &PathBuf| {
        path.extension().is_some_and(|it| it == "jsonl")
            && path.symlink_metadata().is_ok_and(|it| it.is_file())
    };
    let read = |path: PathBuf| Some((path.clone(), std::fs::read(path).ok()?));
    entries
        .map(|it| it.path())
        .filter(plain)
        .filter_map(read)
        .collect()
}

fn doubts(folder: &Path) -> Vec<Doubt> {
    // What is no plain file would be read for ever.
    let strange = std::fs::read_dir(folder).into_iter().flatten().flatten();
    if strange
        .filter_map(|it| it.file_type().ok())
        .any(|it| !it.is_file())
    {
        return Vec::new();
    }
    let days = Journal::new(folder.to_owned()).verify(None);
    let days = days.into_iter().flatten();
    days.flat_map(|it| it.doubts).collect()
}
