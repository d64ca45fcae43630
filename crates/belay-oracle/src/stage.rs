//! Where programs run: namespaces of their own, in which nothing outlives a program.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;

use crate::Shell;
use crate::acts::{self, Act};
use crate::world::{PROJECT, World};

/// Where the stubs write down what they were told.
const ACTS: &str = "/stub/acts";
/// What bash reads before each program, so that stubs cost no process.
const STUBS_BASH: &str = "/stub/stubs.bash";
/// How long a program may run.
const LONGEST: Duration = Duration::from_millis(1500);

/// The stage of one worker, which is the first process of its namespace.
pub struct Stage {
    started: Instant,
    /// When all that runs is to be killed, in milliseconds since the start; zero for never.
    deadline: Arc<AtomicU64>,
}

impl Stage {
    /// Writes the stubs, and starts the watch over programs that do not end.
    ///
    /// # Errors
    /// When this is no stage: not the first process of a namespace of its own.
    pub fn new() -> Result<Self, String> {
        if std::process::id() != 1 {
            return Err("a worker must be the first process of its namespace".to_owned());
        }
        let stubs = include_str!("../stage/stubs.bash");
        fs::write(STUBS_BASH, stubs).map_err(|why| format!("cannot write the stubs: {why}"))?;
        let stage = Self {
            started: Instant::now(),
            deadline: Arc::new(AtomicU64::new(0)),
        };
        let (started, deadline) = (stage.started, Arc::clone(&stage.deadline));
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(LONGEST / 8);
                let at = deadline.load(Ordering::Relaxed);
                if at > 0 && milliseconds(started.elapsed()) > at {
                    kill_all();
                }
            }
        });
        Ok(stage)
    }

    /// Runs a program in a world and returns what it did.
    #[must_use]
    pub fn play(&self, text: &str, shell: Shell, world: &World) -> Vec<Act> {
        world.make();
        let end = milliseconds(self.started.elapsed() + LONGEST);
        self.deadline.store(end, Ordering::Relaxed);
        let mut command = Command::new(shell.program());
        command
            .args(shell.flags())
            .arg(text)
            .env_clear()
            .env("PATH", "/stub/bin:/usr/bin:/bin")
            .env("HOME", crate::world::HOME)
            .env("LC_ALL", "C")
            .env("BASH_ENV", STUBS_BASH)
            .env("LUCK", &world.luck)
            .envs(world.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(PROJECT)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if command.spawn().is_ok() {
            while waitpid(Pid::from_raw(-1), None).is_ok() {}
        }
        self.deadline.store(0, Ordering::Relaxed);
        recorded()
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Ends every process of the namespace but this.
fn kill_all() {
    let _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
}

/// Reads what was written down, and forgets it.
fn recorded() -> Vec<Act> {
    let mut done = Vec::new();
    for entry in fs::read_dir(ACTS).into_iter().flatten().flatten() {
        let path = entry.path();
        done.extend(acts::read(&fs::read(&path).unwrap_or_default()));
        let _ = fs::remove_file(&path);
    }
    done.sort();
    done.dedup();
    done
}
