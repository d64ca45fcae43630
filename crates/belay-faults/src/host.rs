//! The host of a run: workers that play trials, and what they found.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use belay_oracle::dice::Dice;

use crate::calls::{Call, Kind};
use crate::faults::Fault;
use crate::home::{Ground, SESSION};
use crate::hook::Outcome;
use crate::tally::Tally;
use crate::trial::Trial;

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Run {
    /// So many trials.
    pub trials: u64,
    /// From this seed.
    pub seed: u64,
    /// So many hooks are a crowd.
    pub crowd: usize,
    /// By so many workers.
    pub workers: usize,
    /// Faults whose names contain this, and no others.
    pub only: String,
}

/// What a run found.
#[derive(Debug, Default)]
pub struct Found {
    /// The figures.
    pub tally: Tally,
    /// How much of what must not be was seen, and said.
    pub wrong: usize,
}

/// How a stage is built.
const SETUP: &str = include_str!("../stage/setup.sh");

/// Where it is built.
const STAGE: &str = "/mnt";

const NO_STAGE: &str = "no stage could be built, so nothing was proved
hint: `unshare -r -m -p` and `mount` must work: allow user namespaces, or run as root";

/// Starts this program again on a stage of its own, with these words.
///
/// # Errors
/// When the stage cannot be built, or the run fails.
pub fn staged(words: &[String]) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|why| why.to_string())?;
    let status = Command::new("unshare")
        .args(["-r", "-m", "-p", "-f", "--mount-proc", "--kill-child"])
        .args(["/bin/sh", "-c", SETUP, "setup", STAGE])
        .arg(own.with_file_name("belay"))
        .arg(&own)
        .arg("worker")
        .args(words)
        .stdin(Stdio::null())
        .status()
        .map_err(|why| format!("cannot start `unshare`: {why}\nhint: it is part of util-linux"))?;
    match status.code() {
        Some(0) => Ok(()),
        Some(FAILED) => Err(String::new()),
        Some(_) | None => Err(format!("{NO_STAGE} ({status})")),
    }
}

/// A trial that takes longer is worth a word.
const SLOW: Duration = Duration::from_secs(8);

/// Says something to whoever watches.
pub fn said(what: &str) {
    let _ = writeln!(std::io::stderr(), "{what}");
}

/// How a run ends that was played and failed.
pub const FAILED: i32 = 3;

impl Run {
    /// Plays all trials.
    ///
    /// # Errors
    /// When one cannot be played: then nothing was proved.
    pub fn play(&self) -> Result<Found, String> {
        let (next, found) = (AtomicU64::new(0), Mutex::new(Found::default()));
        let worker = |number: usize| -> Result<(), String> {
            let ground = Ground::new(PathBuf::from(format!("{STAGE}/{number}")))?;
            if number == 0 {
                quiet(&ground)?;
            }
            let own = self.worked(&ground, &next)?;
            if let Ok(mut all) = found.lock() {
                all.tally.add(&own.tally);
                all.wrong += own.wrong;
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let started: Vec<_> = (0..self.workers)
                .map(|number| scope.spawn(move || worker(number)))
                .collect();
            started.into_iter().try_for_each(|it| {
                it.join()
                    .unwrap_or_else(|_| Err("a worker panicked".to_owned()))
            })
        })?;
        found.into_inner().map_err(|why| why.to_string())
    }

    fn worked(&self, ground: &Ground, next: &AtomicU64) -> Result<Found, String> {
        let wanted: Vec<Fault> = Fault::ALL
            .into_iter()
            .filter(|(_, name)| name.contains(&self.only))
            .map(|(it, _)| it)
            .collect();
        let mut found = Found::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let at = usize::try_from(number).unwrap_or(0) % wanted.len().max(1);
            let Some(fault) = wanted.get(at).copied().filter(|_| number < self.trials) else {
                return Ok(found);
            };
            let trial = Trial {
                number,
                fault,
                crowd: self.crowd,
            };
            let mut dice = Dice::part(self.seed, number);
            let begun = Instant::now();
            let report = trial.play(ground, &mut dice)?;
            if begun.elapsed() > SLOW {
                let seconds = begun.elapsed().as_secs();
                said(&format!(
                    "trial {number}: {} took {seconds} s",
                    fault.named()
                ));
            }
            found
                .tally
                .count(fault, &report.outcomes, report.wrong.len());
            for wrong in report.wrong {
                said(&format!("trial {number}: {wrong}"));
                found.wrong += 1;
            }
        }
    }
}

/// Makes sure that every call is answered as it should be when nothing goes wrong: else the trials would show nothing.
fn quiet(ground: &Ground) -> Result<(), String> {
    for (number, call) in Call::all().iter().enumerate() {
        let answer = ground.asked(call, &format!("{SESSION}-{number}"))?;
        let right = match call.kind {
            Kind::Harmless | Kind::Losing => answer.outcome == Outcome::Allow,
            Kind::Harmful | Kind::Unsure => {
                matches!(answer.outcome, Outcome::Ask | Outcome::Deny)
            }
        };
        if !right {
            return Err(format!(
                "nothing went wrong, and yet: {}: {answer:?}",
                call.told()
            ));
        }
    }
    Ok(())
}
