//! The figures that must not get worse: `corpus/figures.toml`.
//!
//! INVARIANT: nothing here lowers a figure but `cargo xtask figures --write`, on purpose and seen in the diff.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::mutants::{self, Kill};
use crate::run::{read, root};
use crate::{Outcome, coverage, score, sessions};

const PATH: &str = "corpus/figures.toml";

const HEAD: &str =
    "# What must not get worse; CI compares. Made by `cargo xtask figures --write`.\n\n";

/// All of them.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// Of the labelled calls.
    pub scoreboard: Scoreboard,
    /// Of the written sessions.
    pub sessions: Questions,
    /// The least share of real uses that is known, of each kind of work, in per cent.
    pub coverage: BTreeMap<String, f64>,
    /// The least share of changes to rules and knowledge that fail a test.
    pub mutants: BTreeMap<String, Kill>,
}

/// How the labelled calls fare.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Scoreboard {
    /// How many there are, at least.
    pub calls: usize,
    /// Those not judged as labelled: `expected, verdict: call`.
    pub missed: BTreeSet<String>,
}

/// What a person is asked in the written sessions.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Questions {
    /// How many sessions there are, at least.
    pub sessions: usize,
    /// How many calls are judged in them.
    pub calls: usize,
    /// How many questions are asked, at most.
    pub questions: usize,
    /// How many of them repeat one of the same session, at most.
    pub repeats: usize,
    /// How many calls are denied, at most.
    pub denied: usize,
}

impl std::fmt::Display for Questions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let per = |count: usize, of: usize| {
            let tenths = (count * 1000).checked_div(of).unwrap_or_default();
            format!("{}.{}", tenths / 10, tenths % 10)
        };
        let each = (self.questions * 10)
            .checked_div(self.sessions)
            .unwrap_or_default();
        write!(
            f,
            "{} sessions, {} calls: {} questions, {} per 100 calls, {}.{} per session; {} repeat one of the same session ({} %); {} denied",
            self.sessions,
            self.calls,
            self.questions,
            per(self.questions, self.calls),
            each / 10,
            each % 10,
            self.repeats,
            per(self.repeats, self.questions),
            self.denied,
        )
    }
}

/// So many calls may be answered otherwise on another machine: where the tree lies decides whether a
/// folder for temporary files holds it, and which programs are there decides what a yes covers.
const LEEWAY: usize = 4;

impl Questions {
    /// Fails when more is asked or denied now, or sessions are gone.
    pub fn hold_against(&self, before: &Self) -> Outcome {
        let stopped = |it: &Self| it.questions + it.denied;
        let worse = stopped(self) > stopped(before) + LEEWAY
            || self.repeats > before.repeats + LEEWAY
            || self.sessions < before.sessions;
        match worse {
            true => Err(format!(
                "more is asked than was\n  now: {self}\n  was: {before}\n{HINT}"
            )),
            false => Ok(()),
        }
    }
}

/// Reads the committed figures.
pub fn committed() -> Outcome<Figures> {
    toml::from_str(&read(PATH)?).map_err(|why| format!("`{PATH}`: {why}"))
}

/// Measures all anew and writes them.
pub fn write() -> Outcome {
    let figures = Figures {
        scoreboard: score::measured()?.figures(),
        sessions: sessions::measured(&sessions::Choice::QUIETLY_ALL)?,
        coverage: coverage::shares()?,
        mutants: mutants::kills()?,
    };
    let text = toml::to_string_pretty(&figures).map_err(|why| why.to_string())?;
    std::fs::write(root().join(PATH), format!("{HEAD}{text}"))
        .map_err(|why| format!("cannot write `{PATH}`: {why}"))
}

impl Scoreboard {
    /// Fails when a call is missed now that was not, or calls are gone.
    pub fn holds_against(&self, before: &Self) -> Outcome {
        let fresh: Vec<&str> = self
            .missed
            .difference(&before.missed)
            .map(String::as_str)
            .collect();
        if !fresh.is_empty() {
            return Err(format!(
                "{} labelled calls are missed that were not:\n  {}\n{HINT}",
                fresh.len(),
                fresh.join("\n  ")
            ));
        }
        if self.calls < before.calls {
            return Err(format!(
                "{} labelled calls are left of {}\n{HINT}",
                self.calls, before.calls
            ));
        }
        Ok(())
    }
}

/// Fails when a share fell.
pub fn shares_hold(now: &BTreeMap<String, f64>, before: &BTreeMap<String, f64>) -> Outcome {
    let fell = |(kind, least): (&String, &f64)| {
        let share = now.get(kind).copied().unwrap_or(0.0);
        (share < *least).then(|| format!("{kind}: {share} %, was {least} %"))
    };
    let fallen: Vec<String> = before.iter().filter_map(fell).collect();
    if fallen.is_empty() {
        return Ok(());
    }
    Err(format!(
        "less is known than was\n  {}\n{HINT}",
        fallen.join("\n  ")
    ))
}

/// How to change them.
pub const HINT: &str = "hint: if this is meant, `cargo xtask figures --write` and commit the file";

#[cfg(test)]
mod tests {
    use super::*;

    fn board(calls: usize, missed: &[&str]) -> Scoreboard {
        Scoreboard {
            calls,
            missed: missed.iter().map(|it| (*it).to_owned()).collect(),
        }
    }

    #[test]
    fn a_miss_that_is_new_fails_even_if_another_is_gone() {
        let before = board(9, &["a", "b"]);
        assert!(board(9, &["a"]).holds_against(&before).is_ok());
        assert!(board(12, &[]).holds_against(&before).is_ok());
        assert!(board(9, &["a", "c"]).holds_against(&before).is_err());
        assert!(board(8, &["a", "b"]).holds_against(&before).is_err());
    }

    #[test]
    fn a_share_that_fell_fails() {
        let share = |it: f64| BTreeMap::from([("git".to_owned(), it)]);
        assert!(shares_hold(&share(99.0), &share(99.0)).is_ok());
        assert!(shares_hold(&share(98.9), &share(99.0)).is_err());
        assert!(shares_hold(&BTreeMap::new(), &share(99.0)).is_err());
    }
}
