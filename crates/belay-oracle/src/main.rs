//! `belay-oracle`: the host of a run, a worker on its stage, or a stub, by its name and words.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use belay_oracle::testimony::{self, Scribe};
use belay_oracle::worker::{Hole, Job};
use belay_oracle::{Shell, causes, found, host, stub, worker};

const USAGE: &str = "usage: cargo xtask sound [--programs N] [--seed S] [--only I] [--workers N] [--worlds W] [--shell bash|sh|zsh] [--long] [--shrink | --shrunk N] [--keep FOLDER] [--causes N] [--owed N] [--about RULE] [--why] [--twice] [--testimony FILE] [--judge FILE]";

fn main() -> ExitCode {
    let mut words = std::env::args();
    let program = words.next().unwrap_or_default();
    let words: Vec<String> = words.collect();
    if let Some(name) = stub::name(&program) {
        return ExitCode::from(stub::act(name, &words));
    }
    let shown: Vec<&str> = words.iter().map(String::as_str).collect();
    let (outcome, failure) = match shown.as_slice() {
        ["worker", shell, job] => (work(shell, job), host::WORKER_FAILED),
        ["--judge", path] => (judge_again(Path::new(path)), 1),
        words => (Wish::read(words).and_then(|it| it.grant()), 1),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "{why}");
            ExitCode::from(u8::try_from(failure).unwrap_or(1))
        }
    }
}

fn work(shell: &str, job: &str) -> Result<(), String> {
    let shell = Shell::from_word(shell).ok_or(USAGE)?;
    let job: Job = serde_json::from_str(job).map_err(|why| why.to_string())?;
    worker::work(job, shell)
}

/// Judges what shells did in a run before by what the analysis says now.
fn judge_again(path: &Path) -> Result<(), String> {
    let (judged, seed) = testimony::judge(path)?;
    let mut out = std::io::stdout().lock();
    let mut holes = judged.holes.iter();
    let said = holes.try_for_each(|it| writeln!(out, "{}", shown(it, seed)));
    said.and_then(|()| writeln!(out, "{judged}"))
        .map_err(|why| why.to_string())?;
    if judged.holes.is_empty() {
        Ok(())
    } else {
        Err("error: programs did what is not said".to_owned())
    }
}

/// What was asked for.
struct Wish {
    shell: Shell,
    job: Job,
    /// Where holes are kept as files.
    keep: Option<PathBuf>,
    /// Where is written down what each program did.
    testimony: Option<PathBuf>,
    /// So many holes are known to be left: only more of them fail the run.
    owed: u64,
}

impl Wish {
    fn read(words: &[&str]) -> Result<Self, String> {
        let cores = std::thread::available_parallelism().map_or(2, |it| it.get() as u64);
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let mut wish = Self {
            shell: Shell::Bash,
            keep: None,
            testimony: None,
            owed: 0,
            job: Job {
                seed: now.map_or(0, |it| it.as_secs()),
                from: 0,
                to: 20_000,
                // Programs that sleep or wait leave their core to others.
                step: 3 * cores,
                worlds: 3,
                shrunk: 10,
                causes: 0,
                why: false,
                twice: false,
                about: String::new(),
                testify: false,
            },
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut number = || {
                words
                    .next()
                    .and_then(|it| it.parse::<u64>().ok())
                    .ok_or(USAGE)
            };
            match *word {
                "--programs" => wish.job.to = number()?,
                "--seed" => wish.job.seed = number()?,
                "--workers" => wish.job.step = number()?.max(1),
                "--worlds" => wish.job.worlds = number()?,
                "--only" => {
                    wish.job.from = number()?;
                    (wish.job.to, wish.job.step) = (wish.job.from + 1, 1);
                }
                "--keep" => wish.keep = words.next().map(PathBuf::from),
                "--testimony" => wish.testimony = words.next().map(PathBuf::from),
                "--owed" => wish.owed = number()?,
                "--why" => wish.job.why = true,
                "--about" => wish.job.about = (*words.next().ok_or(USAGE)?).to_owned(),
                "--twice" => wish.job.twice = true,
                "--long" => wish.job.to = 500_000,
                "--causes" => wish.job.causes = number()?,
                "--shrunk" => wish.job.shrunk = number()?,
                "--shrink" => wish.job.shrunk = u64::MAX,
                "--shell" => {
                    let name = words.next().and_then(|it| Shell::from_word(it));
                    wish.shell = name.ok_or(USAGE)?;
                }
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(wish)
    }

    fn grant(&self) -> Result<(), String> {
        let Job {
            seed, to, about, ..
        } = &self.job;
        let seed = *seed;
        let shell = self.shell.word();
        let mut out = std::io::stdout().lock();
        // Who asks for one program wants to read it.
        if self.job.from + 1 == *to {
            let text = worker::first_program(&self.job, self.shell)?;
            writeln!(out, "{text}").map_err(|why| why.to_string())?;
        }
        let began = Instant::now();
        let job = Job {
            testify: self.testimony.is_some(),
            ..self.job.clone()
        };
        let begin = |path| Scribe::begin(path, &job, self.shell);
        let scribe = self.testimony.as_deref().map(begin).transpose()?;
        let outcome = host::run(&job, self.shell, scribe)?;
        if let Some(folder) = &self.keep {
            found::keep(folder, &outcome.holes).map_err(|why| why.to_string())?;
        }
        let said = outcome
            .holes
            .iter()
            .try_for_each(|it| writeln!(out, "{}", shown(it, seed)))
            .and_then(|()| write!(out, "{}", causes::shown(&outcome.causes)))
            .and_then(|()| writeln!(out, "{}", outcome.tally))
            .and_then(|()| {
                let seconds = began.elapsed().as_secs();
                let mut again =
                    format!("cargo xtask sound --shell {shell} --programs {to} --seed {seed}");
                if !about.is_empty() {
                    again.push_str(&format!(" --about {about}"));
                }
                writeln!(out, "in {seconds} s; again: {again}")
            });
        said.map_err(|why| why.to_string())?;
        let holes = outcome.holes.len();
        if u64::try_from(holes).is_ok_and(|it| it <= self.owed) {
            Ok(())
        } else {
            let owed = self.owed;
            Err(format!(
                "error: {holes} programs did what was not said; {owed} are owed"
            ))
        }
    }
}

fn shown(hole: &Hole, seed: u64) -> String {
    let Hole {
        index,
        shell,
        program,
        world,
        done,
        said,
    } = hole;
    let (done, said) = (done.join("\n  "), said.join("\n  "));
    format!(
        "--- --shell {shell} --seed {seed} --only {index}\n{program}\nworld: {world}\ndone, not said:\n  {done}\nsaid:\n  {said}\n"
    )
}
