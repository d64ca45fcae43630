//! What a run counted.

use serde::{Deserialize, Serialize};

/// Figures of a run.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// How many programs were run.
    pub programs: u64,
    /// In how many worlds, all together.
    pub worlds: u64,
    /// How many acts were seen.
    pub acts: u64,
    /// How many programs did something.
    pub acting: u64,
    /// How many programs did something that was not said.
    pub holes: u64,
    /// How many programs were predicted without any doubt.
    pub exact: u64,
    /// How many programs stayed inside the project in every world.
    pub harmless: u64,
    /// How many of those are said to stay inside, without any doubt.
    pub allowed: u64,
    /// How many of a part of them stay inside in hostile worlds too.
    pub proved: u64,
    /// How many of those are said to stay inside, without any doubt.
    pub granted: u64,
    /// How many that are not were made small.
    pub explained: u64,
}

impl Tally {
    /// Adds the figures of another worker.
    pub const fn add(&mut self, other: &Self) {
        self.programs += other.programs;
        self.worlds += other.worlds;
        self.acts += other.acts;
        self.acting += other.acting;
        self.holes += other.holes;
        self.exact += other.exact;
        self.harmless += other.harmless;
        self.allowed += other.allowed;
        self.proved += other.proved;
        self.granted += other.granted;
        self.explained += other.explained;
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            programs,
            worlds,
            acts,
            acting,
            ..
        } = self;
        writeln!(
            f,
            "{programs} programs ({acting} acted) in {worlds} worlds did {acts} different things"
        )?;
        writeln!(f, "uncovered: {}", share(self.holes, self.programs))?;
        writeln!(f, "exact:     {}", share(self.exact, self.acting))?;
        writeln!(
            f,
            "allowed:   {} of the harmless",
            share(self.allowed, self.harmless)
        )?;
        write!(
            f,
            "granted:   {} of those that are harmless in hostile worlds too",
            share(self.granted, self.proved)
        )
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "shares are shown with two digits"
)]
fn share(part: u64, whole: u64) -> String {
    let percent = part as f64 * 100.0 / whole.max(1) as f64;
    format!("{part} of {whole} ({percent:.2} %)")
}
