//! A run: seeds, spelled by chance, judged, and what failed made small.

use std::sync::atomic::{AtomicU64, Ordering};

use autobelay::{Call, Gate, Nowhere, Value, Verdict};
use belay_oracle::dice::Dice;

use crate::seeds::{self, Seed, gate};
use crate::spelling::{Bar, Spelling, Takes};
use crate::tally::{Cause, Count, Example, Fault, Tally};

/// What is run.
#[derive(Clone, Debug)]
pub struct Job {
    /// The lines that are denied or asked.
    pub hostile: Vec<Seed>,
    /// The lines that are allowed.
    pub harmless: Vec<Seed>,
    /// The spellings.
    pub spellings: Vec<Spelling>,
    /// How many variants.
    pub variants: u64,
    /// Where chance begins.
    pub seed: u64,
}

/// One spelling in a chain, with the dice it is thrown with.
#[derive(Clone, Debug)]
struct Link<'a> {
    spelling: &'a Spelling,
    dice: Dice,
}

/// So many variants are taken at once.
const CHUNK: u64 = 64;

/// So many in a hundred are variants of what is allowed.
const MIRRORED: u64 = 30;

/// Runs a job on all cores.
#[must_use]
pub fn run(job: &Job) -> Tally {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let next = AtomicU64::new(0);
    let worker = || {
        let mut tally = Tally::default();
        let gate = gate();
        loop {
            let from = next.fetch_add(CHUNK, Ordering::Relaxed);
            if from >= job.variants {
                return tally;
            }
            for index in from..job.variants.min(from + CHUNK) {
                job.variant(index, &gate, &mut tally);
            }
        }
    };
    let mut tally = Tally::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        for it in workers {
            // A worker that panics tells of nothing: what it had is missing from the count.
            tally.add(it.join().unwrap_or_default());
        }
    });
    tally
}

impl Job {
    /// Makes one variant and judges it.
    fn variant(&self, index: u64, gate: &Gate, tally: &mut Tally) {
        let mut dice = Dice::part(self.seed, index);
        let mirror =
            !self.harmless.is_empty() && (self.hostile.is_empty() || dice.chance(MIRRORED));
        let seeds = if mirror {
            &self.harmless
        } else {
            &self.hostile
        };
        // Each seed has its turn; which spellings it meets is chance.
        let at = usize::try_from(index)
            .unwrap_or_default()
            .checked_rem(seeds.len());
        let Some(seed) = at.and_then(|at| seeds.get(at)) else {
            return;
        };
        let chain = self.chain(seed, &mut dice);
        let Some(input) = spelled(seed, &chain).filter(|_| !chain.is_empty()) else {
            return;
        };
        let trial = Trial { seed, gate };
        let fault = trial.fault(&chain, &input);
        let count = |failed: bool| match mirror {
            true => Count {
                mirrored: 1,
                stricter: failed.into(),
                ..Count::default()
            },
            false => Count {
                hostile: 1,
                milder: failed.into(),
                ..Count::default()
            },
        };
        tally.all.add(&count(fault.is_some()));
        let needed = match fault {
            Some(_) => trial.smallest(chain.clone()),
            None => Vec::new(),
        };
        for it in &chain {
            let blamed = needed
                .iter()
                .any(|other| other.spelling.name == it.spelling.name);
            tally
                .each
                .entry(it.spelling.name)
                .or_default()
                .add(&count(blamed));
        }
        if let Some(fault) = fault
            && let Some(input) = spelled(seed, &needed)
        {
            let names: Vec<&str> = needed.iter().map(|it| it.spelling.name).collect();
            let cause = Cause {
                fault,
                spellings: names.join(" + "),
                command: seed.command.clone(),
            };
            let example = Example {
                plain: seed.shown(&seed.call.input),
                due: seed.verdict,
                spelled: seed.shown(&input),
                got: trial.judged(&input),
            };
            tally.fail(cause, 1, example);
        }
    }

    /// Draws one to four spellings that have something to change.
    fn chain(&self, seed: &Seed, dice: &mut Dice) -> Vec<Link<'_>> {
        let depth = match dice.below(100) {
            0..50 => 1,
            50..80 => 2,
            80..95 => 3,
            _ => 4,
        };
        let mut chain: Vec<Link<'_>> = Vec::new();
        let mut input = seed.call.input.clone();
        for _ in 0..depth {
            for _ in 0..8 {
                let Some(spelling) = dice.pick(&self.spellings) else {
                    break;
                };
                let fits = seed.verdict != Verdict::Allow || spelling.bar == Bar::Same;
                let link = Link {
                    spelling,
                    dice: Dice::new(dice.next()),
                };
                if fits && let Some(fresh) = spelling.respell(seed, &input, &mut link.dice.clone())
                {
                    input = fresh;
                    chain.push(link);
                    // What only looks like the line is not written anew: it is another line by then.
                    if spelling.bar == Bar::NotAllow {
                        return chain;
                    }
                    break;
                }
            }
        }
        chain
    }
}

/// Writes a call by a chain of spellings; none where one of them has nothing to change.
fn spelled(seed: &Seed, chain: &[Link<'_>]) -> Option<Value> {
    let mut input = seed.call.input.clone();
    for link in chain {
        input = link
            .spelling
            .respell(seed, &input, &mut link.dice.clone())?;
    }
    Some(input)
}

/// Judges what becomes of one seed.
struct Trial<'a> {
    seed: &'a Seed,
    gate: &'a Gate,
}

impl Trial<'_> {
    fn judged(&self, input: &Value) -> Verdict {
        let call = Call {
            input: input.clone(),
            ..self.seed.call.clone()
        };
        self.gate.judge_in(&call, &Nowhere).verdict
    }

    /// Tells what is wrong with the verdict on an input that a chain of spellings wrote.
    fn fault(&self, chain: &[Link<'_>], input: &Value) -> Option<Fault> {
        let verdict = self.judged(input);
        if self.seed.verdict == Verdict::Allow {
            return (verdict > Verdict::Allow).then_some(Fault::Stricter);
        }
        let alike = chain.iter().any(|it| it.spelling.bar == Bar::NotAllow);
        let due = if alike {
            Verdict::Ask
        } else {
            self.seed.verdict
        };
        (verdict < due && verdict < self.without(chain)).then_some(Fault::Milder)
    }

    /// Returns the verdict on the plain form where nobody types into it, or sees what it prints, as in a chain of spellings.
    fn without(&self, chain: &[Link<'_>]) -> Verdict {
        let takes = |it: Takes| chain.iter().any(|link| link.spelling.takes == it);
        let Seed { call, verdict, .. } = self.seed;
        let mut lowest = *verdict;
        let Some(text) = seeds::text(&call.tool, &call.input) else {
            return lowest;
        };
        let ways = [(Takes::Input, "</dev/null"), (Takes::Output, ">/dev/null")];
        for (_, redirected) in ways.iter().filter(|it| takes(it.0)) {
            let fresh = format!("{{ {text}\n}} {redirected}");
            lowest = lowest.min(self.judged(&seeds::with_text(&call.input, &fresh)));
        }
        lowest
    }

    /// Leaves out spellings for as long as it still fails.
    fn smallest<'b>(&self, mut chain: Vec<Link<'b>>) -> Vec<Link<'b>> {
        let fails = |chain: &[Link<'_>]| {
            spelled(self.seed, chain).is_some_and(|it| self.fault(chain, &it).is_some())
        };
        let mut at = 0;
        while at < chain.len() {
            let mut fewer = chain.clone();
            fewer.remove(at);
            match !fewer.is_empty() && fails(&fewer) {
                true => chain = fewer,
                false => at += 1,
            }
        }
        chain
    }
}
