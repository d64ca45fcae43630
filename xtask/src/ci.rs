//! Everything that must hold before a change joins the house.
//!
//! INVARIANT: nothing is left out in silence. What a step needs is installed by its script or the step fails; a skip
//! takes `--skip`, is counted, and stands in the table at the end.

mod options;
mod steps;
mod tally;
mod testing;

use std::process::Command;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

pub use options::Options;
pub use tally::Tally;

use crate::run::{cargo, shown};
use crate::{Outcome, anywhere};
pub use steps::BUILT;
use steps::{Job, STEPS, Step, When};
use tally::{Done, table};

/// Reads what was asked for and runs it: in a copy of the tree at a place that is hard on paths, or here.
pub fn run(words: &[&str]) -> Outcome {
    let options = Options::read(words, &STEPS.map(|it| it.name))?;
    if options.here {
        Run::new(options).all()
    } else {
        anywhere::again(words)
    }
}

/// One run: what was asked for, and the seed of everything random in it.
pub struct Run {
    options: Options,
    seed: u64,
}

impl Run {
    fn new(options: Options) -> Self {
        Self {
            options,
            seed: seed(),
        }
    }

    /// Runs every step, whatever became of those before it, and ends with the table.
    fn all(&self) -> Outcome {
        eprintln!(
            "ci: everything random grows from {SEED}={0}; to repeat this run: {SEED}={0} cargo xtask ci",
            self.seed
        );
        let steps = STEPS.iter().filter(|it| self.has(it));
        let done: Vec<Done> = steps.map(|it| self.done(it)).collect();
        let faults = done
            .iter()
            .filter_map(|it| Some((it.name, it.fault.as_ref()?)));
        for (name, fault) in faults {
            eprintln!("\nci: {name} failed\n{}", fault.trim_end());
        }
        println!("\n{}", table(&done).trim_end());
        if done.iter().all(|it| it.tally.failed == 0) {
            Ok(())
        } else {
            Err(String::new())
        }
    }

    /// Tells whether a step belongs to this run, be it to be left out.
    fn has(&self, step: &Step) -> bool {
        step.when == When::Always || self.options.long
    }

    fn done(&self, step: &Step) -> Done {
        let name = step.name;
        if !self.options.runs(name) {
            return Done::skipped(name);
        }
        eprintln!("ci: {name}");
        let begun = Instant::now();
        let outcome = self.settle(&step.job);
        let took = begun.elapsed();
        let (tally, fault) = match outcome {
            Ok(tally) if tally.failed == 0 => (tally, None),
            Ok(tally) => (tally, Some(format!("{} tests failed", tally.failed))),
            Err(why) => (Tally::FAILS, Some(why)),
        };
        let word = if fault.is_none() { "holds" } else { "fails" };
        eprintln!("ci: {name} {word} ({:.0} s)", took.as_secs_f64());
        Done {
            name,
            tally,
            took,
            fault,
        }
    }

    fn settle(&self, job: &Job) -> Outcome<Tally> {
        match job {
            Job::Check(check) => check().map(|()| Tally::HOLDS),
            Job::Count(count) => count(self),
            Job::Tests(words) => self.tests(words, Rolls::Fresh),
        }
    }

    /// Runs `cargo test` with these words and counts.
    fn tests(&self, words: &[&str], rolls: Rolls) -> Outcome<Tally> {
        let (options, filters) = match words.iter().position(|it| *it == "--") {
            Some(at) => words.split_at(at),
            None => (words, &[] as &[&str]),
        };
        let mut command = cargo(&["test", "--no-fail-fast"]);
        command.args(options).args(filters);
        self.seeded(&mut command, rolls);
        command.env(belay_needs::SKIP, self.options.needs());
        testing::counted(&mut command)
    }

    /// Gives a command the seed of this run, and says how to repeat it.
    fn seeded(&self, command: &mut Command, rolls: Rolls) {
        let seed = self.seed.to_string();
        command.env(PROPERTIES, &seed);
        let mut set = format!("{PROPERTIES}={seed}");
        match rolls {
            Rolls::Fresh => {
                command.env(SEED, &seed);
                set = format!("{SEED}={seed} {set}");
            }
            Rolls::Usual => {
                command.env_remove(SEED);
            }
        }
        eprintln!("ci: {set} {}", shown(command));
    }
}

/// Whether texts made by chance are other ones in each run, or the usual ones, to which a stricter measure applies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rolls {
    /// Other ones.
    Fresh,
    /// The usual ones.
    Usual,
}

/// The seed of whatever our own tests make by chance, and of a whole run.
pub const SEED: &str = "BELAY_SEED";

/// The seed of properties.
const PROPERTIES: &str = "PROPTEST_RNG_SEED";

/// Returns the seed the environment gives, or one that differs in each run, short enough to type.
pub fn seed() -> u64 {
    let given = std::env::var(SEED).ok().and_then(|it| it.parse().ok());
    given.unwrap_or_else(fresh_seed)
}

fn fresh_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = since.map_or(0, |it| u64::from(it.subsec_nanos()) ^ it.as_secs());
    nanos.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
}
