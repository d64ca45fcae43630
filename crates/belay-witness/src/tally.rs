//! What a run counted.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

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
    /// Lines that were stopped because they took too long: what they would have done later nobody saw.
    pub cut: u64,
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
    /// How many milliseconds the lines of each program took.
    pub spent: BTreeMap<String, u64>,
}

/// So many programs are named that took most of the time.
const SLOWEST: usize = 12;

impl Tally {
    /// Adds what another worker counted.
    pub fn add(&mut self, other: &Self) {
        self.judged += other.judged;
        self.run += other.run;
        self.allowed += other.allowed;
        self.well += other.well;
        self.cut += other.cut;
        self.acts += other.acts;
        self.uncovered += other.uncovered;
        self.over += other.over;
        self.friction += other.friction;
        self.programs.extend(other.programs.iter().cloned());
        for (program, spent) in &other.spent {
            *self.spent.entry(program.clone()).or_default() += spent;
        }
    }

    /// Adds the time of one line.
    pub fn took(&mut self, program: &str, time: Duration) {
        let time = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        *self.spent.entry(program.to_owned()).or_default() += time;
    }

    /// Names the programs that took most of the time, with their seconds.
    #[must_use]
    pub fn slowest(&self) -> String {
        let mut all: Vec<(&String, &u64)> = self.spent.iter().collect();
        all.sort_by_key(|it| std::cmp::Reverse(it.1));
        let first = all.into_iter().take(SLOWEST);
        let told: Vec<String> = first
            .map(|(program, spent)| format!("{program} {} s", spent / 1000))
            .collect();
        told.join(", ")
    }

    /// Tells the figures in one line.
    #[must_use]
    pub fn told(&self) -> String {
        format!(
            "{} lines judged, {} run ({} cut off), {} of them allowed ({} ended well, {} acts seen), {} uncovered; {} said more than they did; {} stopped lines did nothing; {} programs witnessed",
            self.judged,
            self.run,
            self.cut,
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
