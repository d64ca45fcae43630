//! The hook, started as an agent starts it, and what the agent would make of the answer.

use std::fs::File;
use std::io::PipeWriter;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

/// What an agent would make of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It runs the call.
    Allow,
    /// It asks a person.
    Ask,
    /// It is told no.
    Deny,
    /// It is told no by the refusal that every agent understands.
    Refused,
    /// There was nobody to answer: the line of shell itself was killed, or the daemon.
    Gone,
    /// None of these: agents run the call.
    Open,
}

impl Outcome {
    /// All, in the order of the table.
    pub const ALL: [Self; 6] = [
        Self::Allow,
        Self::Ask,
        Self::Deny,
        Self::Refused,
        Self::Gone,
        Self::Open,
    ];

    /// Tells whether a verdict was answered, which must then be in the journal.
    #[must_use]
    pub const fn is_answered(self) -> bool {
        matches!(self, Self::Allow | Self::Ask | Self::Deny)
    }
}

/// Who is killed, and when.
#[derive(Clone, Copy, Debug)]
pub struct Blow {
    /// After so long.
    pub after: Duration,
    /// Whether the line of shell dies too, as when the machine ends everything.
    pub with_shell: bool,
}

/// How the hook is started.
#[derive(Clone, Debug)]
pub struct Start {
    /// The gate.
    pub belay: PathBuf,
    /// The home that the registration names; without it the user database says.
    pub home: Option<PathBuf>,
    /// Where it stands.
    pub project: PathBuf,
    /// Shell text before it: limits.
    pub before: String,
    /// Shell text behind it: redirections.
    pub around: String,
    /// Its environment, whole.
    pub env: Vec<(String, String)>,
    /// Who is killed.
    pub blow: Option<Blow>,
    /// Whether nobody reads the answer.
    pub deaf: bool,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What the agent makes of it.
    pub outcome: Outcome,
    /// What it printed.
    pub stdout: String,
    /// What it said besides.
    pub stderr: String,
    /// How it ended.
    pub ended: String,
}

/// No hook may take longer: the host would have run the command.
const LONGEST: Duration = Duration::from_secs(90);

/// How often a hook is looked at.
const TICK: Duration = Duration::from_millis(1);

/// A hook that runs.
pub struct Running {
    child: Child,
    folder: PathBuf,
    name: String,
    blow: Option<Blow>,
    begun: Instant,
}

impl Start {
    /// Starts the hook on a message; files of the run go below a folder, under a name of their own.
    ///
    /// # Errors
    /// When it cannot be started: then nothing was proved.
    pub fn hears(&self, message: &str, folder: &Path, name: &str) -> Result<Running, String> {
        let fault = |what: &str, why: std::io::Error| format!("cannot {what}: {why}");
        let file = |end: &str| folder.join(format!("{name}.{end}"));
        std::fs::write(file("in"), message).map_err(|why| fault("write a message", why))?;
        let open = File::open(file("in")).map_err(|why| fault("open a message", why))?;
        let make = |end: &str| File::create(file(end)).map_err(|why| fault("make a file", why));
        let out = make("out")?;
        let stdout: Stdio = match self.deaf {
            true => unread().map_err(|why| fault("make a pipe", why))?.into(),
            false => out.into(),
        };
        let child = Command::new("/bin/sh")
            .args(["-c", &self.line()])
            .stdin(open)
            .stdout(stdout)
            .stderr(make("err")?)
            .current_dir(&self.project)
            .env_clear()
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .process_group(0)
            .spawn()
            .map_err(|why| fault("start the shell", why))?;
        Ok(Running {
            child,
            folder: folder.to_owned(),
            name: name.to_owned(),
            blow: self.blow,
            begun: Instant::now(),
        })
    }

    /// Returns the line that agents register.
    fn line(&self) -> String {
        let belay = self.belay.display();
        let home = self.home.as_ref();
        let home = home.map_or_else(String::new, |it| format!(" --home '{}'", it.display()));
        let (before, around) = (&self.before, &self.around);
        format!(
            "{before} {{ '{belay}' hook claude-code{home} || {{ echo 'belay: refused' >&2; exit 2; }}; }} {around}"
        )
    }
}

impl Running {
    /// Waits for the end, and strikes on the way.
    ///
    /// # Errors
    /// When the system does not tell how it ended.
    pub fn ended(mut self) -> Result<Answer, String> {
        loop {
            if let Some(status) = self.child.try_wait().map_err(|why| why.to_string())? {
                return Ok(self.answer(status));
            }
            if let Some(blow) = self.blow.filter(|it| self.begun.elapsed() >= it.after) {
                self.blow = None;
                self.strike(blow);
            }
            if self.begun.elapsed() > LONGEST {
                self.strike(Blow {
                    after: LONGEST,
                    with_shell: true,
                });
                let _ = self.child.wait();
                return Ok(self.read(Outcome::Open, "never"));
            }
            std::thread::sleep(TICK.min(self.until_blow()));
        }
    }

    fn until_blow(&self) -> Duration {
        let left = |it: Blow| it.after.saturating_sub(self.begun.elapsed());
        self.blow.map_or(TICK, left)
    }

    fn strike(&self, blow: Blow) {
        let shell = self.child.id();
        if blow.with_shell {
            if let Ok(group) = i32::try_from(shell) {
                let _ = kill(Pid::from_raw(-group), Signal::SIGKILL);
            }
            return;
        }
        let children = std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children"));
        for child in children.unwrap_or_default().split_whitespace() {
            if let Ok(child) = child.parse() {
                let _ = kill(Pid::from_raw(child), Signal::SIGKILL);
            }
        }
    }

    fn answer(&self, status: ExitStatus) -> Answer {
        let stdout = self.file("out");
        let outcome = match status.code() {
            Some(2) => Outcome::Refused,
            Some(0) => said(&stdout),
            Some(_) => Outcome::Open,
            None => match said(&stdout) {
                outcome if outcome.is_answered() => outcome,
                Outcome::Allow
                | Outcome::Ask
                | Outcome::Deny
                | Outcome::Refused
                | Outcome::Gone
                | Outcome::Open => Outcome::Gone,
            },
        };
        self.read(outcome, &status.to_string())
    }

    fn read(&self, outcome: Outcome, ended: &str) -> Answer {
        Answer {
            outcome,
            stdout: self.file("out"),
            stderr: self.file("err"),
            ended: ended.to_owned(),
        }
    }

    fn file(&self, end: &str) -> String {
        let path = self.folder.join(format!("{}.{end}", self.name));
        let bytes = std::fs::read(path).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Returns a pipe that nobody reads any more.
fn unread() -> std::io::Result<PipeWriter> {
    let (reader, writer) = std::io::pipe()?;
    drop(reader);
    Ok(writer)
}

/// Returns what whole JSON says to the agent; anything else is open.
#[must_use]
pub fn said(stdout: &str) -> Outcome {
    let answer: Value = serde_json::from_str(stdout).unwrap_or_default();
    let word = answer.pointer("/hookSpecificOutput/permissionDecision");
    match word.and_then(Value::as_str) {
        Some("allow") => Outcome::Allow,
        Some("ask") => Outcome::Ask,
        Some("deny") => Outcome::Deny,
        Some(_) | None => Outcome::Open,
    }
}
