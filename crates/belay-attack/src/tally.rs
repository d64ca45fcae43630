//! What a run counted, and what did not hold, by cause.

use std::collections::BTreeMap;

use autobelay::Verdict;

/// Which way a verdict moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// Somebody who spells it so gets more than he should.
    Milder,
    /// Somebody who spells it so is stopped for nothing.
    Stricter,
}

impl Fault {
    const fn word(self) -> &'static str {
        match self {
            Self::Milder => "MILDER",
            Self::Stricter => "stricter",
        }
    }
}

/// What variants that fail for the same reason have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cause {
    /// Which way.
    pub fault: Fault,
    /// The spellings that are needed, innermost first.
    pub spellings: String,
    /// What is called.
    pub command: String,
}

/// One that failed.
#[derive(Clone, Debug)]
pub struct Example {
    /// The plain form.
    pub plain: String,
    /// What it gets.
    pub due: Verdict,
    /// The other form.
    pub spelled: String,
    /// What it gets.
    pub got: Verdict,
}

/// How often one spelling was used, and how often it was needed for a failure.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// Variants of denied and asked lines.
    pub hostile: u64,
    /// Those judged milder.
    pub milder: u64,
    /// Variants of allowed lines.
    pub mirrored: u64,
    /// Those judged stricter.
    pub stricter: u64,
}

impl Count {
    /// Adds other figures.
    pub const fn add(&mut self, other: &Self) {
        self.hostile += other.hostile;
        self.milder += other.milder;
        self.mirrored += other.mirrored;
        self.stricter += other.stricter;
    }
}

/// Figures of a run.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Of all variants.
    pub all: Count,
    /// Of each spelling.
    pub each: BTreeMap<&'static str, Count>,
    /// What failed, how often, and the shortest of each.
    pub causes: BTreeMap<Cause, (u64, Example)>,
}

impl Tally {
    /// Adds the figures of another worker.
    pub fn add(&mut self, other: Self) {
        self.all.add(&other.all);
        for (name, count) in other.each {
            self.each.entry(name).or_default().add(&count);
        }
        for (cause, (count, example)) in other.causes {
            self.fail(cause, count, example);
        }
    }

    /// Notes failures.
    pub fn fail(&mut self, cause: Cause, count: u64, example: Example) {
        let known = self
            .causes
            .entry(cause)
            .or_insert_with(|| (0, example.clone()));
        known.0 += count;
        if example.spelled.len() < known.1.spelled.len() {
            known.1 = example;
        }
    }

    /// Returns a table of all spellings.
    #[must_use]
    pub fn table(&self) -> String {
        let mut out = String::from(
            "| spelling | hostile | milder | mirrored | stricter |\n|---|---:|---:|---:|---:|\n",
        );
        for (name, it) in &self.each {
            out.push_str(&format!(
                "| {name} | {} | {} | {} | {} |\n",
                it.hostile, it.milder, it.mirrored, it.stricter
            ));
        }
        out
    }

    /// Returns the causes of failure, the most frequent first.
    #[must_use]
    pub fn shown(&self, most: usize) -> String {
        let mut all: Vec<_> = self.causes.iter().collect();
        all.sort_by_key(|(cause, (count, _))| (cause.fault, std::cmp::Reverse(*count)));
        let mut out = String::new();
        for fault in [Fault::Milder, Fault::Stricter] {
            for (cause, (count, it)) in all.iter().filter(|it| it.0.fault == fault).take(most) {
                out.push_str(&format!(
                    "{} {count} × {} × {}\n  {} {}\n  {} {}\n",
                    fault.word(),
                    cause.spellings,
                    cause.command,
                    it.due,
                    it.plain.replace('\n', "⏎"),
                    it.got,
                    it.spelled.replace('\n', "⏎"),
                ));
            }
        }
        out
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Count {
            hostile,
            milder,
            mirrored,
            stricter,
        } = self.all;
        writeln!(
            f,
            "milder:   {} of what is denied or asked",
            share(milder, hostile)
        )?;
        write!(
            f,
            "stricter: {} of what is allowed",
            share(stricter, mirrored)
        )
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "shares are shown with four digits"
)]
fn share(part: u64, whole: u64) -> String {
    let percent = part as f64 * 100.0 / whole.max(1) as f64;
    format!("{part} of {whole} ({percent:.4} %)")
}
