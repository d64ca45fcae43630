//! What starting the hook costs, beside programs everybody knows.
//!
//! All programs run in each round, in rotating order, so that a busy machine slows them alike; the
//! numbers that count are ratios of medians.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use crate::{Outcome, bench_model, dist, run};

const ROUNDS: usize = 400;
const WARM: usize = 20;

/// The most the hook may cost on an allowlisted call, as a multiple of an empty program.
const MOST_RATIO: f64 = 1.5;

/// The most CPU time of a whole hook process, in microseconds.
const MOST_CPU: f64 = 1000.0;

/// What to do with the numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Job {
    /// Show them.
    Print,
    /// Show them, and fail past the budget.
    Check,
}

struct Program {
    name: &'static str,
    words: Vec<String>,
    input: Option<PathBuf>,
    runs: Vec<Run>,
}

struct Run {
    wall: Duration,
    cpu: Duration,
}

/// Builds what is needed, measures and prints.
pub fn run(job: Job) -> Outcome {
    let belay = match std::env::var_os("BELAY_DIST") {
        Some(built) => PathBuf::from(built),
        None => dist::run()?,
    };
    let empty = dist::empty()?;
    let place = Place::make()?;
    let mut programs = programs(&belay, &empty, &place)?;
    for round in 0..WARM + ROUNDS {
        for turn in 0..programs.len() {
            let at = (round + turn) % programs.len();
            let run = programs[at].once(&place)?;
            if round >= WARM {
                programs[at].runs.push(run);
            }
        }
    }
    print(&programs);
    bench_model::run(&belay, job)?;
    if job == Job::Check {
        check(&programs)
    } else {
        Ok(())
    }
}

/// A home and a project of its own, so that the bench neither reads nor writes the user's.
struct Place {
    home: PathBuf,
    project: PathBuf,
}

impl Place {
    fn make() -> Outcome<Self> {
        let root = run::target().join("bench");
        let place = Self {
            home: root.join("home"),
            project: root.join("home/project"),
        };
        std::fs::create_dir_all(place.project.join("src"))
            .map_err(|why| format!("cannot make `{}`: {why}", root.display()))?;
        Ok(place)
    }

    fn input(&self, name: &str, tool: &str, input: &str) -> Outcome<PathBuf> {
        let path = self.home.join(name);
        let text = format!(
            r#"{{"session_id":"7e2de15c-0000-4000-8000-000000000000","transcript_path":"/nowhere.jsonl","cwd":"{}","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"{tool}","tool_input":{input},"tool_use_id":"toolu_1"}}"#,
            self.project.display()
        );
        std::fs::write(&path, text)
            .map_err(|why| format!("cannot write `{}`: {why}", path.display()))?;
        Ok(path)
    }
}

fn programs(belay: &Path, empty: &Path, place: &Place) -> Outcome<Vec<Program>> {
    let look = place.input("read.json", "Read", r#"{"file_path":"src/main.rs"}"#)?;
    let shell = place.input(
        "shell.json",
        "Bash",
        r#"{"command":"cargo build 2>&1 | tail -n 20; for f in src/*.rs; do wc -l \"$f\"; done > target/lines.txt","description":"count"}"#,
    )?;
    let home = place.home.display().to_string();
    let belay = belay.display().to_string();
    let hook = [&belay, "hook", "claude-code", "--home", &home];
    Ok(vec![
        Program::new("/bin/true", &["/bin/true"], None),
        Program::new("bash -c :", &["bash", "-c", ":"], None),
        Program::new(
            "empty static program",
            &[&empty.display().to_string()],
            None,
        ),
        Program::new("belay hook, allowlisted", &hook, Some(look)),
        Program::new("belay hook, shell", &hook, Some(shell)),
    ])
}

impl Program {
    fn new(name: &'static str, words: &[&str], input: Option<PathBuf>) -> Self {
        let words = words.iter().map(|it| (*it).to_owned()).collect();
        Self {
            name,
            words,
            input,
            runs: Vec::new(),
        }
    }

    fn once(&self, place: &Place) -> Outcome<Run> {
        let fault = |why| format!("cannot run `{}`: {why}", self.name);
        let input = match &self.input {
            Some(path) => File::open(path).map_err(fault)?.into(),
            None => Stdio::null(),
        };
        let mut command = Command::new(&self.words[0]);
        command
            .args(&self.words[1..])
            .current_dir(&place.project)
            .env_clear()
            .env("HOME", &place.home);
        command
            .env("PATH", "/usr/bin:/bin")
            .stdin(input)
            // As agents have it: an answer that nobody can read is refused.
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let before = children_cpu()?;
        let begun = Instant::now();
        let status = command.status().map_err(fault)?;
        let wall = begun.elapsed();
        if !status.success() {
            return Err(format!("`{}` failed: {status}", self.name));
        }
        Ok(Run {
            wall,
            cpu: children_cpu()?.saturating_sub(before),
        })
    }

    fn wall(&self, share: f64) -> f64 {
        quantile(self.runs.iter().map(|it| it.wall), share)
    }

    fn cpu(&self, share: f64) -> f64 {
        quantile(self.runs.iter().map(|it| it.cpu), share)
    }
}

/// Returns the CPU time of all children that ended so far.
fn children_cpu() -> Outcome<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|why| format!("getrusage: {why}"))?;
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(Duration::from_micros(micros.unsigned_abs()))
}

/// Returns a quantile in microseconds.
pub fn quantile(values: impl Iterator<Item = Duration>, share: f64) -> f64 {
    let mut sorted: Vec<f64> = values.map(|it| it.as_secs_f64() * 1e6).collect();
    sorted.sort_by(f64::total_cmp);
    let at = (share * (sorted.len().saturating_sub(1)) as f64).round() as usize;
    sorted.get(at).copied().unwrap_or(f64::NAN)
}

fn print(programs: &[Program]) {
    let named = |name: &str| {
        programs
            .iter()
            .find(|it| it.name == name)
            .map_or(f64::NAN, |it| it.wall(0.5))
    };
    let (truth, empty) = (named("/bin/true"), named("empty static program"));
    println!(
        "{:<26} {:>9} {:>9} {:>9} {:>8} {:>8}",
        "program", "median us", "p95 us", "cpu us", "x true", "x empty"
    );
    for it in programs {
        let median = it.wall(0.5);
        println!(
            "{:<26} {:>9.0} {:>9.0} {:>9.0} {:>8.2} {:>8.2}",
            it.name,
            median,
            it.wall(0.95),
            it.cpu(0.5),
            median / truth,
            median / empty
        );
    }
    println!(
        "{ROUNDS} rounds, interleaved; cpu is the median of user and system time of the whole process"
    );
}

fn check(programs: &[Program]) -> Outcome {
    let find = |name: &str| {
        programs
            .iter()
            .find(|it| it.name == name)
            .ok_or("no such program")
    };
    let (empty, look) = (
        find("empty static program")?,
        find("belay hook, allowlisted")?,
    );
    let ratio = look.wall(0.5) / empty.wall(0.5);
    if ratio > MOST_RATIO {
        return Err(format!(
            "the hook takes {ratio:.2} times an empty program, more than {MOST_RATIO}"
        ));
    }
    if look.cpu(0.5) > MOST_CPU {
        return Err(format!(
            "the hook takes {:.0} us of CPU, more than {MOST_CPU}",
            look.cpu(0.5)
        ));
    }
    Ok(())
}
