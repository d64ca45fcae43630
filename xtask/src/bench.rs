//! What starting the hook costs, beside programs everybody knows and beside other gates.
//!
//! All programs run in each round, in rotating order, so that a busy machine slows them alike; the
//! numbers that count are ratios of medians, and the baseline is an empty static C program.

mod asking;
mod measure;
mod peers;
mod rows;
mod table;
mod trees;

use std::path::PathBuf;

use crate::{Outcome, dist};

use measure::Program;
pub use measure::{Place, quantile};
pub use rows::calls;

/// The most the hook may cost, as a multiple of an empty C program: what holds today and a little room, so that a
/// change for the worse is seen and a busy machine is not blamed. The targets are in `docs/design/speed.md`.
const MOST: [(&str, f64); 2] = [(rows::LOOK, 1.6), (rows::STATUS, 1.9)];

/// The most CPU time of a whole hook process, in microseconds.
const MOST_CPU: f64 = 1000.0;

/// What to do with the numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Job {
    /// Show them.
    Print,
    /// Show them, and fail past the budget.
    Check,
    /// Show them, and write them down.
    Write,
}

/// How long to measure.
#[derive(Clone, Copy)]
pub struct Length {
    /// Rounds of the small programs.
    pub rounds: usize,
    /// Rounds of what takes long: peers, long texts, whole trees.
    pub slow: usize,
}

impl Length {
    /// A minute or two.
    pub const USUAL: Self = Self {
        rounds: 400,
        slow: 40,
    };
    /// For the 99th of a hundred.
    pub const LONG: Self = Self {
        rounds: 3000,
        slow: 200,
    };
}

/// Reads the words after `bench`.
pub fn read(words: &[&str]) -> Outcome {
    let (mut job, mut length) = (Job::Print, Length::USUAL);
    for word in words {
        match *word {
            "--check" => job = Job::Check,
            "--write" => job = Job::Write,
            "--long" => length = Length::LONG,
            _ => {
                return Err(format!(
                    "bench has no option `{word}`\nhint: cargo xtask bench [--long] [--check | --write]"
                ));
            }
        }
    }
    run(job, length)
}

/// Builds what is needed, measures and prints.
pub fn run(job: Job, length: Length) -> Outcome {
    let belay = match std::env::var_os("BELAY_DIST") {
        Some(built) => PathBuf::from(built),
        None => dist::run()?,
    };
    let place = Place::make()?;
    let mut programs = rows::all(&belay, &place)?;
    measured(&mut programs, &place, length)?;
    for it in &mut programs {
        it.count_calls(&place)?;
    }
    let trees = trees::rows(&belay, length.slow.min(20))?;
    let table = table::render(&programs, &trees, length);
    println!("{table}");
    asking::run(&belay, job)?;
    match job {
        Job::Print => Ok(()),
        Job::Check => check(&programs),
        Job::Write => table::write(&table),
    }
}

/// Runs every program in every round, each round beginning with another one.
fn measured(programs: &mut [Program], place: &Place, length: Length) -> Outcome {
    let warm = 5.max(length.rounds / 20);
    for round in 0..warm + length.rounds {
        for turn in 0..programs.len() {
            let at = (round + turn) % programs.len();
            let slow = programs[at].pace == rows::Pace::Slow;
            if slow && round % (length.rounds / length.slow).max(1) != 0 {
                continue;
            }
            let run = programs[at].once(place)?;
            if round >= warm {
                programs[at].runs.extend(run);
            }
        }
    }
    Ok(())
}

fn check(programs: &[Program]) -> Outcome {
    let find = |name: &str| {
        let found = programs.iter().find(|it| it.name == name);
        found.ok_or_else(|| format!("no row `{name}`"))
    };
    let base = find(rows::BASE)?.wall(0.5);
    if base.is_nan() {
        return Err("there is no empty C program to measure by: install a C compiler".to_owned());
    }
    for (name, most) in MOST {
        let row = find(name)?;
        let ratio = row.wall(0.5) / base;
        if ratio > most {
            return Err(format!(
                "`{name}` takes {ratio:.2} times an empty C program, more than {most}"
            ));
        }
        if row.cpu(0.5) > MOST_CPU {
            let cpu = row.cpu(0.5);
            return Err(format!(
                "`{name}` takes {cpu:.0} µs of CPU, more than {MOST_CPU}"
            ));
        }
    }
    Ok(())
}
