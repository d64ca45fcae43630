//! `belay-witness`: the host of a run, or a worker on its stage, by its words.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use belay_oracle::dice::Dice;
use belay_witness::lines::{Line, Source, shuffle};
use belay_witness::tools::Cache;
use belay_witness::worker::{Found, Job};
use belay_witness::{host, scripts, worker};

/// One line in so many is a program of awk or sed.
const SCRIPTS: usize = 8;

/// So many workers run on each core: some of their lines only wait.
const PER_CORE: usize = 3;

const USAGE: &str = "usage: cargo xtask witness [--lines N] [--seed S] [--only PROGRAM] [--line TEXT] [--examples] [--part K/N] [--workers N] [--seconds S] [--owed N] [--friction] [--names] [--ends]";

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
    /// Which part of the lines is tried, of how many: a long run is made of short ones.
    part: (usize, usize),
    workers: usize,
    seconds: u64,
    /// So many holes are known to be left: only more of them fail the run.
    owed: usize,
    friction: bool,
    /// Whether the programs are named of which some line ended well.
    names: bool,
    /// Whether each line is told with how it ended.
    ends: bool,
}

impl Wish {
    fn read(words: &[&str]) -> Result<Self, String> {
        let mut wish = Self::usual();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if *word == "--friction" {
                wish.friction = true;
                continue;
            }
            if *word == "--ends" {
                wish.ends = true;
                continue;
            }
            if *word == "--names" {
                wish.names = true;
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
                "--part" => wish.part = part(value).ok_or(USAGE)?,
                "--workers" => wish.workers = size()?.max(1),
                "--seconds" => wish.seconds = number()?,
                "--owed" => wish.owed = size()?,
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(wish)
    }

    /// Returns what is tried where nothing is asked for.
    fn usual() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            lines: 20_000,
            seed: now.map_or(0, |it| it.as_secs()),
            only: None,
            typed: Vec::new(),
            part: (1, 1),
            workers: cores * PER_CORE,
            seconds: 3600,
            owed: 0,
            friction: false,
            names: false,
            ends: false,
        }
    }

    /// Returns the lines to try, none of them twice.
    fn chosen(&self, source: &Source) -> Vec<Line> {
        if !self.typed.is_empty() {
            return source.typed(&self.typed);
        }
        let only = self.only.as_deref();
        let mut lines = source.examples(only);
        lines.extend(source.made(self.lines, self.seed, only));
        let scripts = scripts::made(self.lines / SCRIPTS, self.seed).into_iter();
        lines.extend(scripts.filter(|it| only.is_none_or(|only| it.program == only)));
        let mut seen = BTreeSet::new();
        lines.retain(|it| seen.insert(it.text.clone()));
        // A run that ends early, or is one part of many, saw lines of all programs.
        shuffle(&mut lines, &mut Dice::new(self.seed));
        let (part, parts) = self.part;
        lines.into_iter().skip(part - 1).step_by(parts).collect()
    }

    fn grant(&self) -> Result<(), String> {
        let root = root()?;
        let cache = Cache::of(&root);
        let source = Source::read(&root.join("knowledge/commands"), &cache)?;
        let lines = self.chosen(&source);
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
            lines,
            stopped: self.friction,
            ends: self.ends,
            seconds: self.seconds,
        };
        let belay = std::env::current_exe().map_err(|why| why.to_string())?;
        let began = Instant::now();
        let outcome = host::run(&job, self.workers, &belay.with_file_name("belay"))?;
        if self.friction {
            outcome.friction.iter().for_each(stopped);
        }
        said(&format!(
            "witness: {}; {} s\n  most time: {}\n  again: cargo xtask witness --seed {} --lines {} --part {}/{}",
            outcome.tally.told(),
            began.elapsed().as_secs(),
            outcome.tally.slowest(),
            self.seed,
            self.lines,
            self.part.0,
            self.part.1
        ));
        if self.names {
            let names: Vec<&str> = outcome.tally.programs.iter().map(String::as_str).collect();
            said(&format!("  ended well: {}", names.join(" ")));
        }
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

/// Reads which part of how many.
fn part(text: &str) -> Option<(usize, usize)> {
    let (part, parts) = text.split_once('/')?;
    let (part, parts) = (part.parse().ok()?, parts.parse().ok()?);
    (1..=parts).contains(&part).then_some((part, parts))
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
