//! What a run counted.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// The figures of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Lines that were judged.
    pub judged: u64,
    /// Lines that were run.
    pub run: u64,
    /// Lines that were run and are allowed.
    pub allowed: u64,
    /// Allowed lines that ended well.
    pub well: u64,
    /// Acts that were seen of allowed lines.
    pub acts: u64,
    /// Allowed lines that did what was not said.
    pub uncovered: u64,
    /// Allowed lines that ended well and did less than was said.
    pub over: u64,
    /// Stopped lines that were run, ended well and did nothing.
    pub friction: u64,
    /// Programs of which some line ended well.
    pub programs: BTreeSet<String>,
}

impl Tally {
    /// Adds what another worker counted.
    pub fn add(&mut self, other: &Self) {
        self.judged += other.judged;
        self.run += other.run;
        self.allowed += other.allowed;
        self.well += other.well;
        self.acts += other.acts;
        self.uncovered += other.uncovered;
        self.over += other.over;
        self.friction += other.friction;
        self.programs.extend(other.programs.iter().cloned());
    }

    /// Tells the figures in one line.
    #[must_use]
    pub fn told(&self) -> String {
        format!(
            "{} lines judged, {} run, {} of them allowed ({} ended well, {} acts seen), {} uncovered; {} said more than they did; {} stopped lines did nothing; {} programs witnessed",
            self.judged,
            self.run,
            self.allowed,
            self.well,
            self.acts,
            self.uncovered,
            self.over,
            self.friction,
            self.programs.len()
        )
    }
}
