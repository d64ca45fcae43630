//! Where programs run: namespaces of their own, in which nothing outlives a program.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;

use crate::Shell;
use crate::acts::{self, Act};
use crate::world::{HOME, PROJECT, Sets, World};

/// Where the stubs write down what they were told.
const ACTS: &str = "/stub/acts";
/// What bash reads before each program, so that stubs cost no process.
const STUBS_BASH: &str = "/stub/stubs.bash";
/// What a waiting bash reads before it plays a program: the program, and the world's variables.
const SCENE: &str = "/stub/scene";
/// What a waiting bash is told to do.
const PLAY: &[u8] = b"( . /stub/scene; cd /home/dev/p; unset OLDPWD; eval \"$__text\"; exit 77 ) </dev/null >/dev/null 2>&1; echo $?\n";
/// What it answers when a program was played to its last line.
const PLAYED: &str = "77\n";
/// Where programs are found when strangers are among them.
const STRANGERS: &str = "/stub/bin:/usr/bin:/bin:/stub/strangers";
/// How long a program may run.
const LONGEST: Duration = Duration::from_millis(1500);

/// The stage of one worker, which is the first process of its namespace.
pub struct Stage {
    watch: Watch,
    sets: Sets,
    waiting: Option<Waiting>,
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
        Ok(Self {
            watch: Watch::new(),
            sets: Sets::build(),
            waiting: None,
        })
    }

    /// Runs a program in a world and returns what it did.
    #[must_use]
    pub fn play(&mut self, text: &str, shell: Shell, world: &World) -> Vec<Act> {
        let plain =
            leaves_others(text) || traces(text) || names_itself(text) || stops_reading(text);
        if shell != Shell::Bash || plain {
            return self.play_plainly(text, shell, world);
        }
        // Some errors end a copied shell, but only one line in a shell of its own: then all is played again.
        let mut ended = false;
        let done = self.watched(text, world, |stage| {
            ended = stage.play_forked(text, world);
        });
        if ended {
            done
        } else {
            self.play_plainly(text, shell, world)
        }
    }

    /// Runs a program in a shell of its own.
    #[must_use]
    pub fn play_plainly(&mut self, text: &str, shell: Shell, world: &World) -> Vec<Act> {
        let beside = leaves_others(text);
        if beside {
            self.waiting = None;
            kill_all();
        }
        self.watched(text, world, |_| {
            let Some(mut child) = started_alone(text, shell, world) else {
                return;
            };
            if beside {
                while waitpid(Pid::from_raw(-1), None).is_ok() {}
            } else {
                let _ = child.wait();
            }
        })
    }

    fn watched(&mut self, text: &str, world: &World, play: impl FnOnce(&mut Self)) -> Vec<Act> {
        self.sets.enter(world);
        self.watch.begin();
        play(self);
        self.watch.end();
        let mut done = recorded();
        if changes_files(text) {
            done.extend(self.sets.changes(world));
        }
        self.sets.leave(world, changes_files(text));
        done
    }

    /// Runs a program in a copy of a bash that waits; tells whether it came to its last line.
    fn play_forked(&mut self, text: &str, world: &World) -> bool {
        let mut scene = format!("__text={}\nexport LUCK={}\n", quoted(text), world.luck);
        for (name, value) in &world.variables {
            scene.push_str(&format!("export {name}={}\n", quoted(value)));
        }
        if world.strangers {
            scene.push_str("PATH=$PATH:/stub/strangers\n");
        }
        let words: Vec<String> = world.words.iter().map(|it| quoted(it)).collect();
        scene.push_str(&format!("set -- {}\n", words.join(" ")));
        if fs::write(SCENE, scene).is_err() {
            return false;
        }
        if self.waiting.is_none() {
            self.waiting = Waiting::new();
        }
        let answer = self.waiting.as_mut().and_then(Waiting::play);
        if answer.is_none() {
            self.waiting = None;
        }
        answer.is_some_and(|it| it == PLAYED)
    }
}

/// A bash that waits with the stubs read, to be copied for each program.
struct Waiting {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Waiting {
    fn new() -> Option<Self> {
        let mut child = Command::new(Shell::Bash.program())
            .arg("-s")
            .env_clear()
            .envs(variables())
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let lines = BufReader::new(child.stdout.take()?);
        Some(Self { child, lines })
    }

    /// Plays what is in the scene; returns the status, or nothing when the shell is gone.
    fn play(&mut self) -> Option<String> {
        self.child.stdin.as_mut()?.write_all(PLAY).ok()?;
        let mut line = String::new();
        let length = self.lines.read_line(&mut line).ok()?;
        (length > 0).then_some(line)
    }
}

/// Tells whether what waits for a signal may run inside the stubs, where these are functions, or whether they may lack
/// a builtin.
fn traces(text: &str) -> bool {
    let inherits = ["set -E", "set -T", "errtrace", "functrace", "extdebug"];
    text.contains("enable") || text.contains("trap") && inherits.iter().any(|it| text.contains(it))
}

/// Tells whether a program may tell its shell to read no further: in a copy, more than the program would be left out.
fn stops_reading(text: &str) -> bool {
    ["set -t", "set -n", "onecmd", "noexec"]
        .iter()
        .any(|it| text.contains(it))
}

/// Tells whether a program speaks of its own process: in a copy, that is the shell it was copied from.
fn names_itself(text: &str) -> bool {
    text.contains("$$")
}

/// Starts a program in a shell of its own.
fn started_alone(text: &str, shell: Shell, world: &World) -> Option<Child> {
    let mut command = Command::new(shell.program());
    command
        .args(shell.flags())
        .arg(text)
        .arg(shell.program())
        .args(&world.words)
        .env_clear()
        .envs(variables())
        .env("LUCK", &world.luck)
        .envs(world.variables.iter().map(|(name, value)| (name, value)))
        .envs(world.strangers.then_some(("PATH", STRANGERS)))
        .current_dir(PROJECT)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if traces(text) {
        command.env_remove("BASH_ENV");
    }
    command.spawn().ok()
}

/// Returns the variables that are set in every world.
const fn variables() -> [(&'static str, &'static str); 4] {
    [
        ("PATH", "/stub/bin:/usr/bin:/bin"),
        ("HOME", HOME),
        ("LC_ALL", "C"),
        ("BASH_ENV", STUBS_BASH),
    ]
}

/// Tells whether a program may leave processes behind: those beside it, or the rest of a pipe whose shell a signal ended.
fn leaves_others(text: &str) -> bool {
    if text.contains("kill") {
        return true;
    }
    let joined = ["&&", ">&", "<&", "|&", "&>"];
    let rest = joined
        .iter()
        .fold(text.to_owned(), |text, it| text.replace(it, ""));
    ["&", "coproc", "<(", ">("]
        .iter()
        .any(|it| rest.contains(it))
}

/// Tells whether a program may change files.
fn changes_files(text: &str) -> bool {
    let words = [
        ">", "put", "mk", "rm", "mv", "ln", "touch", "cp", "tee", "delete", "dd ", "sed -i",
    ];
    words.iter().any(|it| text.contains(it))
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Ends what runs too long.
struct Watch {
    started: Instant,
    /// When all that runs is to be killed, in milliseconds since the start; zero for never.
    deadline: Arc<AtomicU64>,
}

impl Watch {
    fn new() -> Self {
        let watch = Self {
            started: Instant::now(),
            deadline: Arc::new(AtomicU64::new(0)),
        };
        let (started, deadline) = (watch.started, Arc::clone(&watch.deadline));
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(LONGEST / 8);
                let at = deadline.load(Ordering::Relaxed);
                if at > 0 && milliseconds(started.elapsed()) > at {
                    kill_all();
                }
            }
        });
        watch
    }

    fn begin(&self) {
        let end = milliseconds(self.started.elapsed() + LONGEST);
        self.deadline.store(end, Ordering::Relaxed);
    }

    fn end(&self) {
        self.deadline.store(0, Ordering::Relaxed);
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Ends every process of the namespace but this, and forgets those that ended.
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
