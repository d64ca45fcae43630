//! Whether a test would miss a rule, a file of knowledge, or a line of one.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::run::{build, output, target};
use crate::{Outcome, figures};

/// What became of the changes of one kind.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Fates {
    all: usize,
    survivors: BTreeSet<String>,
}

/// What must not get worse of one kind.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Kill {
    /// The least share of changes that fail a test, in per cent.
    pub killed: f64,
    /// Changes that fail none, where they are few enough to name.
    pub survivors: BTreeSet<String>,
}

/// The most survivors that are named.
const FEW: usize = 50;

impl Fates {
    #[expect(clippy::cast_precision_loss, reason = "counts of a small table")]
    fn killed(&self) -> f64 {
        let killed = self.all.saturating_sub(self.survivors.len());
        (1000.0 * killed as f64 / self.all.max(1) as f64).floor() / 10.0
    }

    fn figure(&self) -> Kill {
        let few = self.survivors.len() <= FEW;
        Kill {
            // Where they are many, one line more or less is not worth a word.
            killed: if few {
                self.killed()
            } else {
                self.killed().floor()
            },
            survivors: if few {
                self.survivors.clone()
            } else {
                BTreeSet::new()
            },
        }
    }
}

/// Changes everything in turn.
fn measured() -> Outcome<BTreeMap<String, Fates>> {
    build(&["belay-mutants"])?;
    let program = target().join("debug/belay-mutants");
    let said = output(&mut std::process::Command::new(program))?;
    serde_json::from_str(&said).map_err(|why| format!("belay-mutants: {why}\n{said}"))
}

/// Returns what is compared.
pub fn kills() -> Outcome<BTreeMap<String, Kill>> {
    let measured = measured()?;
    Ok(measured
        .into_iter()
        .map(|(kind, it)| (kind, it.figure()))
        .collect())
}

/// Prints what became of all changes, and fails when tests miss more than they did.
pub fn run() -> Outcome {
    let measured = measured()?;
    for (kind, fates) in &measured {
        println!(
            "{kind:<14} {:>5.1} % of {} fail a test, {} survive",
            fates.killed(),
            fates.all,
            fates.survivors.len()
        );
        for it in fates.survivors.iter().take(FEW) {
            println!("  {it}");
        }
    }
    let before = figures::committed()?.mutants;
    let faults: Vec<String> = before
        .iter()
        .filter_map(|(kind, it)| fault(kind, it, measured.get(kind)))
        .collect();
    if faults.is_empty() {
        return Ok(());
    }
    Err(format!("{}\n{}", faults.join("\n"), figures::HINT))
}

/// Returns what got worse.
fn fault(kind: &str, before: &Kill, now: Option<&Fates>) -> Option<String> {
    let Some(now) = now else {
        return Some(format!("{kind}: nothing was changed"));
    };
    let fresh: Vec<&str> = now
        .survivors
        .difference(&before.survivors)
        .map(String::as_str)
        .collect();
    if !before.survivors.is_empty() && !fresh.is_empty() {
        return Some(format!("{kind}: no test misses {}", fresh.join(", ")));
    }
    let killed = now.killed();
    (killed < before.killed)
        .then(|| format!("{kind}: {killed} % fail a test, were {} %", before.killed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fates(all: usize, survivors: &[&str]) -> Fates {
        let survivors = survivors.iter().map(|it| (*it).to_owned()).collect();
        Fates { all, survivors }
    }

    #[test]
    fn a_survivor_that_is_new_fails() {
        let before = fates(10, &["a", "b"]).figure();
        let fails = |now: &Fates| fault("rules", &before, Some(now)).is_some();
        assert!(!fails(&fates(10, &["a", "b"])));
        assert!(!fails(&fates(12, &["a"])));
        assert!(fails(&fates(10, &["a", "c"])));
        assert!(fails(&fates(8, &["a", "b"])));
        assert!(fault("rules", &before, None).is_some());
    }

    #[test]
    fn where_all_are_killed_none_may_survive() {
        let before = fates(10, &[]).figure();
        assert!(fault("files", &before, Some(&fates(10, &["a"]))).is_some());
        assert!(fault("files", &before, Some(&fates(11, &[]))).is_none());
    }
}
