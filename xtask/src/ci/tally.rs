//! What a run counts, and the table it ends with.

use std::ops::AddAssign;
use std::time::Duration;

/// How many tests of a step passed, failed and were left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Those that ran and hold.
    pub passed: usize,
    /// Those that ran and do not.
    pub failed: usize,
    /// Those that were left out.
    pub skipped: usize,
    /// Those that belong to the long run only.
    pub long: usize,
}

impl Tally {
    /// One check that holds.
    pub const HOLDS: Self = Self {
        passed: 1,
        failed: 0,
        skipped: 0,
        long: 0,
    };

    /// One check that does not.
    pub const FAILS: Self = Self {
        passed: 0,
        failed: 1,
        skipped: 0,
        long: 0,
    };

    /// One check that was left out.
    pub const SKIPPED: Self = Self {
        passed: 0,
        failed: 0,
        skipped: 1,
        long: 0,
    };
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.long += other.long;
    }
}

/// A step that is over.
pub struct Done {
    /// Its name.
    pub name: &'static str,
    /// What it counted.
    pub tally: Tally,
    /// How long it took.
    pub took: Duration,
    /// Why it failed.
    pub fault: Option<String>,
}

impl Done {
    /// A step that was left out.
    pub fn skipped(name: &'static str) -> Self {
        Self {
            name,
            tally: Tally::SKIPPED,
            took: Duration::ZERO,
            fault: None,
        }
    }
}

/// Writes the table of all steps, the faults, and the line that says it all.
pub fn table(steps: &[Done]) -> String {
    let mut text = format!(
        "{:<14} {:>7} {:>7} {:>8} {:>8}\n",
        "step", "tests", "failed", "skipped", "seconds"
    );
    let mut all = Tally::default();
    let mut took = Duration::ZERO;
    for it in steps {
        all += it.tally;
        took += it.took;
        text.push_str(&row(it.name, it.tally, it.took));
    }
    text.push_str(&row("in all", all, took));
    if all.long > 0 {
        let long = all.long;
        text.push_str(&format!(
            "{long} tests belong to the long run: cargo xtask ci --long\n"
        ));
    }
    text.push_str(&format!(
        "{} passed, {} failed, {} skipped\n",
        all.passed, all.failed, all.skipped
    ));
    text
}

fn row(name: &str, tally: Tally, took: Duration) -> String {
    format!(
        "{name:<14} {:>7} {:>7} {:>8} {:>8.0}\n",
        tally.passed + tally.failed,
        tally.failed,
        tally.skipped,
        took.as_secs_f64()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_says_it_all() {
        let step = |name, tally| Done {
            name,
            tally,
            took: Duration::from_secs(2),
            fault: None,
        };
        let many = Tally {
            passed: 40,
            failed: 0,
            skipped: 2,
            long: 3,
        };
        let text = table(&[step("format", Tally::HOLDS), step("tests", many)]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "step             tests  failed  skipped  seconds",
                "format               1       0        0        2",
                "tests               40       0        2        2",
                "in all              41       0        2        4",
                "3 tests belong to the long run: cargo xtask ci --long",
                "41 passed, 0 failed, 2 skipped",
            ]
        );
    }
}
