//! `belay-witness`: the host of a run, or a worker on its stage, by its words.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use belay_oracle::dice::Dice;
use belay_witness::lines::{Line, Source};
use belay_witness::tools::Cache;
use belay_witness::worker::{Found, Job};
use belay_witness::{host, scripts, worker};

/// One line in so many is a program of awk or sed.
const SCRIPTS: usize = 8;

const USAGE: &str = "usage: cargo xtask witness [--lines N] [--seed S] [--only PROGRAM] [--line TEXT] [--examples] [--workers N] [--seconds S] [--owed N] [--friction]";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let shown: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match shown.as_slice() {
        ["worker"] => worker::work(),
        words => Wish::read(words).and_then(|it| it.grant()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "{why}");
            ExitCode::FAILURE
        }
    }
}

/// What was asked for.
struct Wish {
    lines: usize,
    seed: u64,
    only: Option<String>,
    /// Lines that a person wants tried, instead of all others.
    typed: Vec<String>,
    workers: usize,
    seconds: u64,
    /// So many holes are known to be left: only more of them fail the run.
    owed: usize,
    friction: bool,
}

impl Wish {
    fn read(words: &[&str]) -> Result<Self, String> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let mut wish = Self {
            lines: 20_000,
            seed: now.map_or(0, |it| it.as_secs()),
            only: None,
            typed: Vec::new(),
            workers: std::thread::available_parallelism().map_or(2, Into::into),
            seconds: 3600,
            owed: 0,
            friction: false,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if *word == "--friction" {
                wish.friction = true;
                continue;
            }
            if *word == "--examples" {
                wish.lines = 0;
                continue;
            }
            let value = words.next().ok_or(USAGE)?;
            let number = || value.parse::<u64>().map_err(|_| USAGE.to_owned());
            let size = || value.parse::<usize>().map_err(|_| USAGE.to_owned());
            match *word {
                "--lines" => wish.lines = size()?,
                "--seed" => wish.seed = number()?,
                "--only" => wish.only = Some((*value).to_owned()),
                "--line" => wish.typed.push((*value).to_owned()),
                "--workers" => wish.workers = size()?.max(1),
                "--seconds" => wish.seconds = number()?,
                "--owed" => wish.owed = size()?,
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(wish)
    }

    fn grant(&self) -> Result<(), String> {
        let root = root()?;
        let cache = Cache::of(&root);
        let has = |program: &str| cache.has(program);
        let source = Source::read(&root.join("knowledge/commands"), &has)?;
        let only = self.only.as_deref();
        let mut lines = source.typed(&self.typed);
        if self.typed.is_empty() {
            lines = source.examples(only);
            lines.extend(source.made(self.lines, self.seed, only));
            let scripts = scripts::made(self.lines / SCRIPTS, self.seed);
            lines.extend(
                scripts
                    .into_iter()
                    .filter(|it| only.is_none_or(|only| it.program == only)),
            );
        }
        let missing = cache.missing();
        said(&format!(
            "witness: seed {}, {} programs known and there, {} lines; {} programs of tools.txt are missing{}{}",
            self.seed,
            source.programs(),
            lines.len(),
            missing.len(),
            if missing.is_empty() { "" } else { ": " },
            missing.join(" ")
        ));
        let job = Job {
            root: root.clone(),
            lines: shuffled(lines, self.seed),
            stopped: self.friction,
            seconds: self.seconds,
        };
        let belay = std::env::current_exe().map_err(|why| why.to_string())?;
        let began = Instant::now();
        let outcome = host::run(&job, self.workers, &belay.with_file_name("belay"))?;
        if self.friction {
            outcome.friction.iter().for_each(stopped);
        }
        said(&format!(
            "witness: {}; {} s\n  again: cargo xtask witness --seed {} --lines {}",
            outcome.tally.told(),
            began.elapsed().as_secs(),
            self.seed,
            self.lines
        ));
        if outcome.holes.len() > self.owed {
            return Err(format!(
                "witness: {} allowed lines did what was not said, {} are owed",
                outcome.holes.len(),
                self.owed
            ));
        }
        Ok(())
    }
}

/// Puts lines into an order by chance, so that a run which ends early saw others than the last.
fn shuffled(mut lines: Vec<Line>, seed: u64) -> Vec<Line> {
    let mut dice = Dice::new(seed);
    for at in (1..lines.len()).rev() {
        let other = dice.below(at as u64 + 1);
        lines.swap(at, usize::try_from(other).unwrap_or_default());
    }
    lines
}

fn stopped(found: &Found) {
    said(&format!(
        "stopped: {}\n  because: {}",
        found.line, found.reason
    ));
}

/// Returns the tree of sources that this program was built from.
fn root() -> Result<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize()
        .map_err(|why| format!("cannot find the tree: {why}"))
}

fn said(what: &str) {
    let _ = writeln!(std::io::stderr(), "{what}");
}
