//! Adds up what would be lost.

use std::time::SystemTime;

use belay_model::{Answer, Standing};

use crate::limits;

/// Why something would be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Git never saw it.
    Untracked,
    /// Git saw other contents.
    Changed,
    /// It holds the history itself.
    Repository,
}

/// What was found in a look at files.
#[derive(Debug, Default)]
pub struct Tally {
    untracked: u64,
    changed: u64,
    repositories: u64,
    names: Vec<(SystemTime, String)>,
    /// Made in this session.
    pub ours: u64,
    /// Ignored by the repository.
    pub ignored: u64,
    /// Something could not be seen, or there was too much to see.
    pub doubtful: bool,
    /// Enough was lost to stop counting.
    pub cut: bool,
}

impl Tally {
    /// Counts something that would be lost.
    pub fn lose(&mut self, why: Loss, name: String, modified: SystemTime) {
        match why {
            Loss::Untracked => self.untracked += 1,
            Loss::Changed => self.changed += 1,
            Loss::Repository => self.repositories += 1,
        }
        self.keep_newest(name, modified);
    }

    fn keep_newest(&mut self, name: String, modified: SystemTime) {
        self.names.push((modified, name));
        if self.names.len() > limits::NAMES * 32 {
            self.trim();
        }
    }

    /// Keeps the newest names, each once, by name where they are of one age.
    fn trim(&mut self) {
        self.names
            .sort_unstable_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        self.names.truncate(limits::NAMES);
    }

    /// Adds what another look found.
    pub fn add(&mut self, other: Self) {
        self.untracked += other.untracked;
        self.changed += other.changed;
        self.repositories += other.repositories;
        self.ours += other.ours;
        self.ignored += other.ignored;
        self.doubtful |= other.doubtful;
        self.cut |= other.cut;
        self.names.extend(other.names);
        self.trim();
    }

    /// Returns how much would be lost.
    pub const fn lost(&self) -> u64 {
        self.untracked + self.changed + self.repositories
    }

    /// Returns what would be lost, as far as it was seen.
    pub fn answer(mut self) -> Answer {
        let count = self.lost();
        if count > 0 {
            self.trim();
            let newest = self
                .names
                .first()
                .and_then(|(modified, _)| modified.elapsed().ok());
            return Answer::Standing(Standing::Lost {
                count,
                what: if self.cut {
                    format!("or more {}", self.what())
                } else {
                    self.what().to_owned()
                },
                newest: newest.map(|it| it.as_secs()),
                names: self.names.into_iter().map(|(_, name)| name).collect(),
            });
        }
        if self.doubtful {
            return Answer::Unknown;
        }
        Answer::Standing(if self.ours > 0 {
            Standing::Ours
        } else if self.ignored > 0 {
            Standing::Ignored
        } else {
            Standing::Kept
        })
    }

    const fn what(&self) -> &'static str {
        match (self.untracked, self.changed, self.repositories) {
            (_, 0, 0) => "untracked files",
            (0, _, 0) => "changed files",
            (0, 0, _) => "repositories",
            (_, _, 0) => "untracked or changed files",
            _ => "files and repositories",
        }
    }
}
