use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use belay_model_server::{Script, Server, Step};

use super::copy;
use super::recipes::{self, Ground, Scene};
use crate::install::{self, Bar, Consent, Reach, Stance, Wish};
use crate::{Agent, Env};

/// Variables of the user's environment that the client gets too: they must move nothing. Those that would lead the client
/// itself to the user's own settings stay out.
const LEADING: [&str; 2] = ["BELAY_CONFIG", "BELAY_STATE"];

const ALLOWED: &str = "belay-doctor-allowed";
const DENIED: &str = "belay-doctor-denied";

/// Which client is tried, and with what.
#[derive(Clone, Copy)]
pub struct Trial<'a> {
    /// The agent.
    pub agent: Agent,
    /// Its program.
    pub client: &'a Path,
    /// Our program.
    pub belay: &'a Path,
    /// Where programs are looked for.
    pub path: &'a str,
    /// The user's settings, where there are some.
    pub settings: Option<&'a Path>,
    /// The house that the scratch rooms are a copy of; without it they are empty.
    pub own: Option<Own<'a>>,
}

/// What the user and the project have set up, of which a copy is made.
#[derive(Clone, Copy)]
pub struct Own<'a> {
    /// The user's home folder.
    pub home: &'a Path,
    /// The project.
    pub project: &'a Path,
    /// The environment.
    pub env: Env<'a>,
    /// Files of our own state folder.
    pub state: &'a [(&'static str, Vec<u8>)],
}

/// What became of two harmless commands, one allowed and one denied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The allowed one ran.
    pub allowed_ran: bool,
    /// The denied one ran all the same.
    pub denied_ran: bool,
    /// The client asked the model at least twice: it really made the calls.
    pub tried: bool,
    /// What the client wrote, for a person to look at.
    pub said: String,
}

impl Proof {
    /// Tells whether the gate really blocks, and only what it should.
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.allowed_ran && !self.denied_ran && self.tried
    }
}

/// Runs the client once in an empty folder below `room`, which must be there and empty.
///
/// # Errors
/// Returns why it could not be run.
pub fn prove(trial: &Trial<'_>, room: &Path) -> io::Result<Proof> {
    let (home, project) = rooms(room)?;
    settle(trial, &home, &project)?;
    let shell = |name: &str| Step::Shell(format!("touch {name}"));
    let server = Server::start(Script::of([
        shell(ALLOWED),
        shell(DENIED),
        Step::Text("done".to_owned()),
    ]))?;
    let scene = Scene {
        home: &home,
        project: &project,
        url: &server.url(),
        path: trial.path,
        ground: Ground::Open,
    };
    let mut command = recipes::command(trial.agent, trial.client, &scene)?;
    if let Some(own) = trial.own {
        let led = LEADING.map(|it| (it, (own.env)(it)));
        command.envs(led.into_iter().filter_map(|(name, it)| Some((name, it?))));
    }
    let said = ended(&mut command, Duration::from_secs(120))?;
    Ok(Proof {
        allowed_ran: project.join(ALLOWED).exists(),
        denied_ran: project.join(DENIED).exists(),
        tried: server.heard().len() > 2,
        said,
    })
}

fn rooms(room: &Path) -> io::Result<(PathBuf, PathBuf)> {
    let room = fs::canonicalize(room)?;
    let (home, project) = (room.join("home"), room.join("project"));
    for folder in ["objects", "refs"] {
        fs::create_dir_all(project.join(".git").join(folder))?;
    }
    fs::write(project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
    fs::create_dir_all(home.join(".config/belay"))?;
    Ok((home, project))
}

/// Installs us in the empty home, with the user's settings and one more rule of the project: the second command is
/// denied. Clients stop what is harmful by themselves, which would prove nothing.
fn settle(trial: &Trial<'_>, home: &Path, project: &Path) -> io::Result<()> {
    let wish = Wish {
        agent: trial.agent,
        reach: Reach::User,
        stance: Stance::Gate,
        belay: trial.belay,
        home,
        settings: trial.settings,
        state: None,
        project,
        env: &|_| None,
        trust: Consent::Given,
        door: None,
        bar: Bar::Untouched,
    };
    if let Some(own) = &trial.own {
        copy::settle(own, &wish)?;
    }
    copy::forbid(&format!("touch {DENIED}"), &project.join(".belay.toml"))?;
    let plan = install::install(&wish).map_err(io::Error::other)?;
    install::apply(&plan).map_err(io::Error::other)
}

/// Runs a command until it ends or the time is over, and returns what it wrote.
///
/// # Errors
/// Returns why it could not be started.
pub fn ended(command: &mut Command, longest: Duration) -> io::Result<String> {
    let mut child: Child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let out = child.stdout.take().map(|pipe| thread::spawn(|| text(pipe)));
    let err = child.stderr.take().map(|pipe| thread::spawn(|| text(pipe)));
    let begun = Instant::now();
    while matches!(child.try_wait(), Ok(None)) && begun.elapsed() < longest {
        thread::sleep(Duration::from_millis(20));
    }
    drop(child.kill());
    drop(child.wait());
    let read = |it: Option<thread::JoinHandle<String>>| it.and_then(|it| it.join().ok());
    Ok(format!(
        "stdout: {}\nstderr: {}",
        read(out).unwrap_or_default(),
        read(err).unwrap_or_default()
    ))
}

fn text(mut pipe: impl Read) -> String {
    let mut bytes = Vec::new();
    drop(pipe.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// An empty folder that only we may enter, gone when dropped.
#[derive(Debug)]
pub struct Room(PathBuf);

impl Room {
    /// Makes one below the folder for temporary files.
    ///
    /// # Errors
    /// Returns why it could not be made.
    pub fn new(agent: Agent) -> io::Result<Self> {
        let name = format!("belay-doctor-{}-{agent}", std::process::id());
        let path = std::env::temp_dir().join(name);
        private_folder(&path)?;
        Ok(Self(path))
    }

    /// Returns where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

#[cfg(unix)]
fn private_folder(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn private_folder(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

/// Finds the agent's program on the search path.
#[must_use]
pub fn client(agent: Agent, path: &str) -> Option<PathBuf> {
    let name = recipes::program(agent)?;
    std::env::split_paths(path)
        .map(|folder| folder.join(name))
        .find(|it| it.is_file())
}

/// Asks the client for its version.
#[must_use]
pub fn version(client: &Path) -> Option<String> {
    let said = ended(
        Command::new(client).arg("--version"),
        Duration::from_secs(20),
    );
    let said = said.ok()?;
    let is_version = |word: &&str| {
        let digits = word.starts_with(|first: char| first.is_ascii_digit());
        digits && word.contains('.')
    };
    said.split_whitespace()
        .map(|word| word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric()))
        .find(is_version)
        .map(str::to_owned)
}
