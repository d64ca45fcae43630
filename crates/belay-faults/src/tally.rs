//! What came of all trials, as a table.

use std::collections::BTreeMap;

use crate::faults::Fault;
use crate::hook::Outcome;

/// What came of the trials of one fault.
#[derive(Clone, Debug, Default)]
pub struct Row {
    trials: u64,
    hooks: u64,
    outcomes: BTreeMap<Outcome, u64>,
    wrong: u64,
}

/// What came of all trials.
#[derive(Clone, Debug, Default)]
pub struct Tally(BTreeMap<Fault, Row>);

impl Tally {
    /// Counts a trial.
    pub fn count(&mut self, fault: Fault, outcomes: &[Outcome], wrong: usize) {
        let row = self.0.entry(fault).or_default();
        row.trials += 1;
        row.hooks += outcomes.len() as u64;
        row.wrong += wrong as u64;
        for outcome in outcomes {
            *row.outcomes.entry(*outcome).or_default() += 1;
        }
    }

    /// Adds what somebody else counted.
    pub fn add(&mut self, other: &Self) {
        for (fault, more) in &other.0 {
            let row = self.0.entry(*fault).or_default();
            row.trials += more.trials;
            row.hooks += more.hooks;
            row.wrong += more.wrong;
            for (outcome, count) in &more.outcomes {
                *row.outcomes.entry(*outcome).or_default() += count;
            }
        }
    }

    /// Returns how many trials there were, and how many hooks.
    #[must_use]
    pub fn sums(&self) -> [u64; 2] {
        let sum = |of: fn(&Row) -> u64| self.0.values().map(of).sum();
        [sum(|it| it.trials), sum(|it| it.hooks)]
    }

    /// Returns the table, in Markdown that also reads well in a terminal.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = format!(
            "| {:<25} | trials | hooks | allow |  ask | deny | refused | gone | open | wrong |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
            "what goes wrong"
        );
        for (fault, row) in &self.0 {
            let count = |it| row.outcomes.get(&it).copied().unwrap_or_default();
            let [allow, ask, deny, refused, gone, open] = Outcome::ALL.map(count);
            text += &format!(
                "| {:<25} | {:>6} | {:>5} | {allow:>5} | {ask:>4} | {deny:>4} | {refused:>7} | {gone:>4} | {open:>4} | {:>5} |\n",
                fault.named(),
                row.trials,
                row.hooks,
                row.wrong
            );
        }
        text
    }
}
