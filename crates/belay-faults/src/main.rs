//! `belay-faults`: the host of a run, or the run on its stage, by its words.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use belay_faults::host::{self, FAILED, Run, said};

const USAGE: &str = "usage: cargo xtask faults [--trials N] [--seed S] [--only TEXT] [--workers N] [--crowd N] [--long] [--write]";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match words.split_first() {
        Some((first, rest)) if first == "worker" => match played(rest) {
            Ok(()) => return ExitCode::SUCCESS,
            Err(why) => {
                said(&why);
                return ExitCode::from(u8::try_from(FAILED).unwrap_or(1));
            }
        },
        _ => staged(words),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            said(&why);
            ExitCode::FAILURE
        }
    }
}

/// Fixes the seed and goes on to the stage.
fn staged(mut words: Vec<String>) -> Result<(), String> {
    if !words.iter().any(|it| it == "--seed") {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let seed = now.map_or(0, |it| it.as_secs());
        words.extend(["--seed".to_owned(), seed.to_string()]);
    }
    read(&words)?;
    host::staged(&words)
}

fn read(words: &[String]) -> Result<Run, String> {
    let mut run = Run {
        trials: 300,
        seed: 0,
        crowd: 50,
        workers: std::thread::available_parallelism().map_or(2, Into::into),
        only: String::new(),
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--long" {
            (run.trials, run.crowd) = (10_000, 1_000);
            continue;
        }
        let value = words.next().ok_or(USAGE)?;
        let number = || value.parse::<u64>().map_err(|_| USAGE.to_owned());
        let size = || value.parse::<usize>().map_err(|_| USAGE.to_owned());
        match word.as_str() {
            "--trials" => run.trials = number()?,
            "--seed" => run.seed = number()?,
            "--only" => run.only.clone_from(value),
            "--workers" => run.workers = size()?.max(1),
            "--crowd" => run.crowd = size()?,
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok(run)
}

/// Plays a run; the table goes to stdout, everything else to stderr.
fn played(words: &[String]) -> Result<(), String> {
    let run = read(words)?;
    let begun = Instant::now();
    let found = run.play()?;
    let [trials, hooks] = found.tally.sums();
    let _ = write!(std::io::stdout(), "{}", found.tally.table());
    said(&format!(
        "faults: {trials} trials, {hooks} hooks, {} wrong, {} s\n  again: cargo xtask faults --seed {} --trials {}",
        found.wrong,
        begun.elapsed().as_secs(),
        run.seed,
        run.trials
    ));
    match found.wrong {
        0 => Ok(()),
        many => Err(format!("faults: {many} things must not be")),
    }
}
