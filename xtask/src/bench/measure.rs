//! One program, run again and again: its time, CPU, page faults and system calls.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use super::rows::Pace;
use crate::{Outcome, run};

/// A program of the bench, or the reason why it is not there.
pub struct Program {
    /// What the table calls it.
    pub name: String,
    /// How often it runs.
    pub pace: Pace,
    /// What was measured.
    pub runs: Vec<Run>,
    /// System calls of one run, where strace could count them.
    pub calls: Option<u64>,
    /// Why it does not run.
    pub missing: Option<String>,
    words: Vec<String>,
    input: Option<PathBuf>,
    home: Option<PathBuf>,
    before: Before,
}

/// What happens to the binary before each run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// Nothing: it ran a moment ago.
    Nothing,
    /// It is copied to a new file: no page of it was ever mapped.
    Copied,
    /// Its pages are dropped: they are read from the disk.
    Dropped,
}

/// One run.
pub struct Run {
    wall: Duration,
    usage: Usage,
}

/// What children of this process used.
#[derive(Clone, Copy)]
struct Usage {
    cpu: Duration,
    minor: i64,
    major: i64,
}

impl Usage {
    /// Returns the usage of all children that ended so far.
    fn of_children() -> Outcome<Self> {
        let all =
            getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|why| format!("getrusage: {why}"))?;
        let micros = all.user_time().num_microseconds() + all.system_time().num_microseconds();
        Ok(Self {
            cpu: Duration::from_micros(micros.unsigned_abs()),
            minor: all.minor_page_faults(),
            major: all.major_page_faults(),
        })
    }

    fn since(self, before: Self) -> Self {
        Self {
            cpu: self.cpu.saturating_sub(before.cpu),
            minor: self.minor - before.minor,
            major: self.major - before.major,
        }
    }
}

/// A home and a project of its own, so that the bench neither reads nor writes the user's.
pub struct Place {
    /// The home folder.
    pub home: PathBuf,
    /// The project.
    pub project: PathBuf,
}

impl Place {
    /// Makes a fresh home with a repository in it.
    pub fn make() -> Outcome<Self> {
        Self::at(&run::target().join("bench"))
    }

    /// Makes a fresh home with a repository in it below a folder.
    pub fn at(root: &Path) -> Outcome<Self> {
        let fault = |why: std::io::Error| format!("cannot make `{}`: {why}", root.display());
        if root.exists() {
            std::fs::remove_dir_all(root).map_err(fault)?;
        }
        let place = Self {
            home: root.join("home"),
            project: root.join("home/project"),
        };
        std::fs::create_dir_all(place.project.join("src")).map_err(fault)?;
        std::fs::write(place.project.join("src/main.rs"), "fn main() {}\n").map_err(fault)?;
        place.git(&["init", "--quiet"])?;
        place.git(&["add", "--all"])?;
        Ok(place)
    }

    /// Runs git in the project, as nobody in particular.
    pub fn git(&self, words: &[&str]) -> Outcome {
        let mut git = Command::new("git");
        git.args([
            "-c",
            "user.name=bench",
            "-c",
            "user.email=bench@example.test",
        ]);
        git.args(words).current_dir(&self.project);
        git.env("HOME", &self.home).env("GIT_CONFIG_NOSYSTEM", "1");
        run::must(git.stdout(Stdio::null()))
    }

    /// Returns what an agent sends for a call.
    pub fn call(&self, tool: &str, input: &serde_json::Value) -> serde_json::Value {
        serde_json::json!({"session_id": "7e2de15c-0000-4000-8000-000000000000", "transcript_path": "/nowhere.jsonl",
            "cwd": self.project, "permission_mode": "default", "hook_event_name": "PreToolUse",
            "tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1"})
    }

    /// Returns what an agent sends for a shell call.
    pub fn shell(&self, command: &str) -> serde_json::Value {
        let input = serde_json::json!({"command": command, "description": "work"});
        self.call("Bash", &input)
    }

    /// Makes a home folder that nobody used yet.
    pub fn another_home(&self) -> Outcome<PathBuf> {
        let fault = |why: std::io::Error| format!("cannot make a home: {why}");
        let homes = self.home.join("homes");
        std::fs::create_dir_all(&homes).map_err(fault)?;
        let next = std::fs::read_dir(&homes).map_err(fault)?.count();
        let home = homes.join(next.to_string());
        std::fs::create_dir(&home).map_err(fault)?;
        Ok(home)
    }

    /// Writes a call to a file.
    pub fn written(path: &Path, call: &serde_json::Value) -> Outcome<PathBuf> {
        std::fs::write(path, call.to_string())
            .map_err(|why| format!("cannot write `{}`: {why}", path.display()))?;
        Ok(path.to_owned())
    }
}

impl Program {
    /// A program and its arguments.
    pub fn new(name: impl Into<String>, words: &[&str]) -> Self {
        Self {
            name: name.into(),
            pace: Pace::Quick,
            runs: Vec::new(),
            calls: None,
            missing: None,
            words: words.iter().map(|it| (*it).to_owned()).collect(),
            input: None,
            home: None,
            before: Before::Nothing,
        }
    }

    /// A program that is not there.
    pub fn missing(name: impl Into<String>, why: impl Into<String>) -> Self {
        let mut it = Self::new(name, &[]);
        it.missing = Some(why.into());
        it
    }

    /// Gives it something to read.
    pub fn reading(mut self, input: PathBuf) -> Self {
        self.input = Some(input);
        self
    }

    /// Gives it a home of its own.
    pub fn at_home(mut self, home: PathBuf) -> Self {
        self.home = Some(home);
        self
    }

    fn home<'a>(&'a self, place: &'a Place) -> &'a Path {
        self.home.as_deref().unwrap_or(&place.home)
    }

    /// Says that it takes long.
    pub const fn slow(mut self) -> Self {
        self.pace = Pace::Slow;
        self
    }

    /// Says what happens to the binary before each run.
    pub const fn after(mut self, before: Before) -> Self {
        self.before = before;
        self
    }

    /// Runs it once; what is not there does not run.
    pub fn once(&self, place: &Place) -> Outcome<Option<Run>> {
        if self.missing.is_some() {
            return Ok(None);
        }
        let program = self.prepared(place)?;
        let mut command = self.command(place, &program)?;
        let before = Usage::of_children()?;
        let begun = Instant::now();
        let status = command.status().map_err(|why| self.fault(&why))?;
        let wall = begun.elapsed();
        // An ask and a deny are answers too; only a death is none.
        if status.code().is_none() {
            return Err(format!("`{}` failed: {status}", self.name));
        }
        let usage = Usage::of_children()?.since(before);
        Ok(Some(Run { wall, usage }))
    }

    fn fault(&self, why: &dyn std::fmt::Display) -> String {
        format!("cannot run `{}`: {why}", self.name)
    }

    /// Returns the binary as this row wants it.
    fn prepared(&self, place: &Place) -> Outcome<PathBuf> {
        let own = PathBuf::from(&self.words[0]);
        match self.before {
            Before::Nothing => Ok(own),
            Before::Copied => {
                let copy = self.home(place).join("fresh");
                let _ = std::fs::remove_file(&copy);
                std::fs::copy(&own, &copy).map_err(|why| self.fault(&why))?;
                Ok(copy)
            }
            Before::Dropped => {
                let copy = self.home(place).join("dropped");
                if !copy.exists() {
                    std::fs::copy(&own, &copy).map_err(|why| self.fault(&why))?;
                }
                let file = File::open(&copy).map_err(|why| self.fault(&why))?;
                file.sync_all().map_err(|why| self.fault(&why))?;
                posix_fadvise(&file, 0, 0, PosixFadviseAdvice::POSIX_FADV_DONTNEED)
                    .map_err(|why| self.fault(&why))?;
                Ok(copy)
            }
        }
    }

    fn command(&self, place: &Place, program: &Path) -> Outcome<Command> {
        let input = match &self.input {
            Some(path) => File::open(path).map_err(|why| self.fault(&why))?.into(),
            None => Stdio::null(),
        };
        let mut command = Command::new(program);
        command.args(&self.words[1..]).current_dir(&place.project);
        command.env_clear().env("HOME", self.home(place));
        command.env("PATH", "/usr/bin:/bin").stdin(input);
        // As agents have it: an answer that nobody can read is refused.
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        Ok(command)
    }

    /// Counts the system calls of one run with strace.
    pub fn count_calls(&mut self, place: &Place) -> Outcome {
        if self.missing.is_some() || !has_strace() {
            return Ok(());
        }
        let counted = place.home.join("strace.txt");
        let plain = self.command(place, Path::new(&self.words[0]))?;
        let mut strace = Command::new("strace");
        strace
            .args(["-f", "-qq", "-c", "-U", "calls", "-o"])
            .arg(&counted);
        strace.arg(plain.get_program()).args(plain.get_args());
        strace
            .current_dir(&place.project)
            .env_clear()
            .env("HOME", self.home(place));
        strace.env("PATH", "/usr/bin:/bin").stderr(Stdio::null());
        if let Some(path) = &self.input {
            strace.stdin(File::open(path).map_err(|why| self.fault(&why))?);
        }
        strace.output().map_err(|why| self.fault(&why))?;
        let text = std::fs::read_to_string(&counted).unwrap_or_default();
        // The last line is the sum of the others: `100.00 12 total`, or `12 total`.
        let last = text.lines().rfind(|it| it.ends_with("total"));
        let number = |it: &str| it.split_whitespace().rev().nth(1)?.parse().ok();
        self.calls = last.and_then(number);
        Ok(())
    }

    /// Returns a quantile of the wall time, in microseconds.
    pub fn wall(&self, share: f64) -> f64 {
        quantile(self.runs.iter().map(|it| it.wall), share)
    }

    /// Returns a quantile of the CPU time, in microseconds.
    pub fn cpu(&self, share: f64) -> f64 {
        quantile(self.runs.iter().map(|it| it.usage.cpu), share)
    }

    /// Returns the median of page faults that needed no disk, and of those that did.
    pub fn faults(&self) -> [i64; 2] {
        let middle = |of: &dyn Fn(&Usage) -> i64| {
            let mut all: Vec<i64> = self.runs.iter().map(|it| of(&it.usage)).collect();
            all.sort_unstable();
            all.get(all.len() / 2).copied().unwrap_or(0)
        };
        [middle(&|it| it.minor), middle(&|it| it.major)]
    }
}

/// Tells whether system calls can be counted.
pub fn has_strace() -> bool {
    let mut strace = Command::new("strace");
    strace.arg("-V").stdout(Stdio::null()).stderr(Stdio::null());
    strace.status().is_ok_and(|it| it.success())
}

/// Returns a quantile in microseconds.
pub fn quantile(values: impl Iterator<Item = Duration>, share: f64) -> f64 {
    let mut sorted: Vec<f64> = values.map(|it| it.as_secs_f64() * 1e6).collect();
    sorted.sort_by(f64::total_cmp);
    let at = (share * (sorted.len().saturating_sub(1)) as f64).round() as usize;
    sorted.get(at).copied().unwrap_or(f64::NAN)
}
