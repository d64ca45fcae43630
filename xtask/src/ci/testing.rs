//! Runs a test runner, shows what it says and counts.
//!
//! INVARIANT: a test that did not say that it holds is never counted as one that does.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use belay_needs::SKIPPED;

use super::tally::Tally;
use crate::Outcome;
use crate::run::shown;

/// Runs a command that speaks as `cargo test` does, to its end, and counts its tests.
pub fn counted(command: &mut Command) -> Outcome<Tally> {
    let shown = shown(command);
    let fault = |why| format!("cannot start `{shown}`: {why}");
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(fault)?;
    let stdout = child.stdout.take().ok_or("no standard output")?;
    let stderr = child.stderr.take().ok_or("no standard error")?;
    let beside = std::thread::spawn(move || listen(stderr));
    let mut count = listen(stdout);
    count.add(&beside.join().map_err(|_| "the listener failed")?);
    let status = child.wait().map_err(|why| why.to_string())?;
    count
        .settled(status.success())
        .map_err(|why| format!("`{shown}`: {why}"))
}

/// Shows every line but those of tests that hold, and counts.
fn listen(stream: impl Read) -> Count {
    let mut count = Count::default();
    for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        count.hear(&line);
        if !is_dull(&line) {
            eprintln!("{line}");
        }
    }
    count
}

fn is_dull(line: &str) -> bool {
    let holds = line.starts_with("test ") && line.ends_with(" ... ok");
    let long = line.contains(LONG);
    holds || long || line.is_empty() || line.starts_with("running ")
}

/// How the runner writes a test that only the long run has.
const LONG: &str = " ... ignored, long: ";

/// What was heard so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    announced: usize,
    passed: usize,
    failed: usize,
    ignored: usize,
    long: usize,
    skipped: usize,
}

impl Count {
    fn hear(&mut self, line: &str) {
        if let Some(number) = announced(line) {
            self.announced += number;
        } else if let Some((_, result)) = line.split_once("test result: ") {
            self.passed += number_before(result, " passed");
            self.failed += number_before(result, " failed");
            self.ignored += number_before(result, " ignored");
        } else if line.contains(LONG) {
            self.long += 1;
        } else if line.starts_with(SKIPPED) {
            self.skipped += 1;
        }
    }

    fn add(&mut self, other: &Self) {
        self.announced += other.announced;
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
        self.long += other.long;
        self.skipped += other.skipped;
    }

    /// Returns what holds now that the runner has ended, well or not.
    fn settled(self, well: bool) -> Outcome<Tally> {
        let heard = self.passed + self.failed + self.ignored;
        let silent = self.announced.saturating_sub(heard);
        let broken = usize::from(!well && self.failed + silent == 0);
        if heard + silent + broken == 0 {
            return Err("no test ran".to_owned());
        }
        let long = self.long.min(self.ignored);
        Ok(Tally {
            passed: self.passed.saturating_sub(self.skipped),
            failed: self.failed + silent + broken,
            skipped: self.skipped + self.ignored - long,
            long,
        })
    }
}

/// Reads `running 7 tests`.
fn announced(line: &str) -> Option<usize> {
    let rest = line.strip_prefix("running ")?;
    let (number, unit) = rest.split_once(' ')?;
    unit.starts_with("test")
        .then(|| number.parse().ok())
        .flatten()
}

/// Reads the number before a word: `ok. 7 passed; 0 failed`.
fn number_before(text: &str, word: &str) -> usize {
    let before = text.split(word).next().unwrap_or_default();
    let digits = before.rsplit(|it: char| !it.is_ascii_digit()).next();
    digits.and_then(|it| it.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(lines: &[&str], well: bool) -> Outcome<Tally> {
        let mut count = Count::default();
        lines.iter().for_each(|it| count.hear(it));
        count.settled(well)
    }

    fn tally(passed: usize, failed: usize, skipped: usize, long: usize) -> Outcome<Tally> {
        Ok(Tally {
            passed,
            failed,
            skipped,
            long,
        })
    }

    #[test]
    fn every_test_is_counted_once() {
        let said = [
            "running 3 tests",
            "test a ... ok",
            "test b ... ok",
            "test c ... ok",
            "",
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "running 0 tests",
            "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.00s",
        ];
        assert_eq!(count(&said, true), tally(3, 0, 0, 0));
    }

    #[test]
    fn what_is_left_out_is_not_passed() {
        let said = [
            "running 4 tests",
            "SKIPPED clients: Codex",
            "test a ... ignored",
            "test b ... ignored, long: the client is slow",
            "test result: ok. 2 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out",
        ];
        assert_eq!(count(&said, true), tally(1, 0, 2, 1));
    }

    #[test]
    fn a_runner_that_dies_is_a_failure() {
        let said = ["running 4 tests", "test a ... ok"];
        assert_eq!(count(&said, false), tally(0, 4, 0, 0));
        assert_eq!(
            count(&["error: could not compile"], false),
            tally(0, 1, 0, 0)
        );
    }

    #[test]
    fn a_runner_without_tests_is_an_error() {
        assert!(count(&["all is well"], true).is_err());
        let none = "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
        assert!(count(&["running 0 tests", none], true).is_err());
    }
}
