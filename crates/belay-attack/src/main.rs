//! `belay-attack`: spells every example by chance, and fails where a spelling changes the verdict.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use autobelay::Verdict;
use belay_attack::run::{Job, run};
use belay_attack::seeds::{self, Seed};
use belay_attack::spelling;

const USAGE: &str = "usage: cargo xtask attack [--variants N] [--seed S] [--only SPELLING] [--line TEXT] [--long] [--table] [--shown N] [--owed N] [--stricter-owed N]";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match Wish::read(&words).and_then(|it| it.grant()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "{why}");
            ExitCode::FAILURE
        }
    }
}

/// What was asked for.
struct Wish {
    variants: u64,
    seed: u64,
    only: Option<String>,
    line: Option<String>,
    table: bool,
    shown: usize,
    /// So many variants are known to be judged milder: only more of them fail the run.
    owed: u64,
    /// The same of those judged stricter.
    stricter_owed: u64,
}

impl Wish {
    fn read(words: &[String]) -> Result<Self, String> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let mut wish = Self {
            variants: 200_000,
            seed: now.map_or(0, |it| it.as_secs()),
            only: None,
            line: None,
            table: false,
            shown: 40,
            owed: 0,
            stricter_owed: 0,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut text = || words.next().cloned().ok_or(USAGE);
            let number = |it: Result<String, &'static str>| it?.parse::<u64>().map_err(|_| USAGE);
            match word.as_str() {
                "--variants" => wish.variants = number(text())?,
                "--seed" => wish.seed = number(text())?,
                "--owed" => wish.owed = number(text())?,
                "--stricter-owed" => wish.stricter_owed = number(text())?,
                "--shown" => wish.shown = usize::try_from(number(text())?).unwrap_or(usize::MAX),
                "--only" => wish.only = Some(text()?),
                "--line" => wish.line = Some(text()?),
                "--long" => wish.variants = 10_000_000,
                "--table" => wish.table = true,
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(wish)
    }

    fn job(&self) -> Result<Job, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let gate = seeds::gate();
        let all = match &self.line {
            Some(line) => vec![Seed::of_line(line, &gate)],
            None => seeds::all(&root, &gate)?,
        };
        let (harmless, hostile) = all.into_iter().partition(|it| it.verdict == Verdict::Allow);
        let mut spellings = spelling::all();
        if let Some(name) = &self.only {
            spellings.retain(|it| it.name == name);
        }
        if spellings.is_empty() {
            let names: Vec<&str> = spelling::all().iter().map(|it| it.name).collect();
            return Err(format!("no such spelling; there are: {}", names.join(", ")));
        }
        Ok(Job {
            hostile,
            harmless,
            spellings,
            variants: self.variants,
            seed: self.seed,
        })
    }

    fn grant(&self) -> Result<(), String> {
        let began = Instant::now();
        let job = self.job()?;
        let tally = run(&job);
        let mut out = std::io::stdout().lock();
        let mut say = |text: String| writeln!(out, "{text}").map_err(|why| why.to_string());
        say(tally.shown(self.shown))?;
        if self.table {
            say(tally.table())?;
        }
        let (hostile, harmless) = (job.hostile.len(), job.harmless.len());
        say(format!(
            "{} spellings of {hostile} examples that are denied or asked, {harmless} that are allowed",
            job.spellings.len()
        ))?;
        say(tally.to_string())?;
        let Self { variants, seed, .. } = self;
        let seconds = began.elapsed().as_secs();
        say(format!(
            "in {seconds} s; again: cargo xtask attack --variants {variants} --seed {seed}"
        ))?;
        match tally.all.milder <= self.owed && tally.all.stricter <= self.stricter_owed {
            true => Ok(()),
            false => Err(format!(
                "error: {} are owed that are milder, {} that are stricter",
                self.owed, self.stricter_owed
            )),
        }
    }
}
