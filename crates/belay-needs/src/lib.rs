//! What a test needs of the machine is there, or the test fails.
//!
//! INVARIANT: no test passes because something is missing. Leaving tests out takes a word in `BELAY_SKIP`
//! (`cargo xtask ci --skip WORD` sets it), and each one left out says so in a line that CI counts.

use std::env;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

/// Names what is left out, separated by commas.
pub const SKIP: &str = "BELAY_SKIP";

/// Begins the line of a test that was left out; its word and what it needed follow.
pub const SKIPPED: &str = "SKIPPED ";

/// Something the machine must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The agents' own clients.
    Clients,
    /// Other readers of shell text: bash, dash, zsh, shfmt.
    Shells,
    /// A real, very small model.
    SmallModel,
    /// Servers of databases.
    Databases,
    /// A signer of files that is not ours.
    Minisign,
    /// The right to mount a file system in a namespace of one's own.
    Mounts,
    /// A user whom permissions bind.
    OtherUser,
    /// Two users at once.
    SecondUser,
    /// A file system whose files can share blocks: the one need that a kernel may refuse.
    Reflinks,
}

impl Need {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Clients,
        Self::Shells,
        Self::SmallModel,
        Self::Databases,
        Self::Minisign,
        Self::Mounts,
        Self::OtherUser,
        Self::SecondUser,
        Self::Reflinks,
    ];

    /// Returns the word that leaves out the tests with this need.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Clients => "clients",
            Self::Shells => "shells",
            Self::SmallModel => "small-model",
            Self::Databases => "databases",
            Self::Minisign => "minisign",
            Self::Mounts => "mounts",
            Self::OtherUser => "other-user",
            Self::SecondUser => "second-user",
            Self::Reflinks => "reflinks",
        }
    }

    /// Returns how to get it.
    const fn hint(self) -> &'static str {
        match self {
            Self::Clients => "run scripts/install-clients",
            Self::Shells => "run scripts/install-oracles",
            Self::SmallModel => "run scripts/install-small-model",
            Self::Databases => "run scripts/install-oracles",
            Self::Minisign => "run scripts/install-oracles",
            Self::Mounts => "allow user namespaces, or run as root with the right to mount",
            Self::OtherUser => "run as an ordinary user, or as root with the right to become one",
            Self::SecondUser => "run as root",
            Self::Reflinks => "run scripts/install-oracles",
        }
    }

    /// Tells whether a test must be left out, and says so where nobody can miss it.
    #[must_use]
    pub fn is_skipped(self, what: &str) -> bool {
        let words = env::var(SKIP).unwrap_or_default();
        let skipped = words.split(',').any(|it| it.trim() == self.word());
        if skipped {
            self.is_left_out(what);
        }
        skipped
    }

    /// Says that a test does not run, where nobody can miss it and CI counts it.
    pub fn is_left_out(self, what: &str) {
        // Not a macro: what macros print, a test that passes keeps to itself.
        let line = format!("{SKIPPED}{}: {what}\n", self.word());
        drop(std::io::stderr().write_all(line.as_bytes()));
    }

    /// Returns what was found; `None` only when tests with this need are left out on purpose.
    ///
    /// # Panics
    /// When it is missing.
    #[must_use]
    #[expect(clippy::panic, reason = "a test without what it needs fails")]
    pub fn met<T>(self, what: &str, found: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.is_skipped(what) {
            return None;
        }
        let Some(found) = found() else {
            panic!(
                "{what} is missing: {}, or leave the tests that need it out with {SKIP}={}",
                self.hint(),
                self.word()
            );
        };
        Some(found)
    }
}

/// Returns the program of that name in the usual folders or the search path.
#[must_use]
pub fn program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let usual = ["/bin", "/usr/bin", "/usr/local/bin"].map(PathBuf::from);
    let mut folders = usual.into_iter().chain(env::split_paths(&path));
    folders.find_map(|it| Some(it.join(name)).filter(|it| it.is_file()))
}

/// The user whom nothing belongs to.
const NOBODY: u32 = 65534;

/// Runs a test in which permissions must bind: at once, or, where they do not bind us because we are root, this very test
/// again as a user who is not.
///
/// # Panics
/// When the test fails there, or nobody can become that user.
#[expect(clippy::panic, reason = "a test without what it needs fails")]
pub fn as_ordinary_user(name: &str, test: impl FnOnce()) {
    if permissions_bind(name) {
        return test();
    }
    let Some(done) = Need::OtherUser.met("another user", || again(name).ok()) else {
        return;
    };
    let said = String::from_utf8_lossy(&done.stdout);
    if !done.status.success() || !said.contains("1 passed") {
        panic!("`{name}` as an ordinary user: {}\n{said}", done.status);
    }
}

/// Runs a program with these words as a user who is not the one who runs us.
#[must_use]
pub fn as_second_user(program: &Path, words: &[&str]) -> Option<Output> {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new(program);
    command.args(words).uid(NOBODY).gid(NOBODY).current_dir("/");
    let done = command.output().ok();
    done.filter(|it| it.status.success())
}

/// Tells whether permissions bind this process: a file nobody may read cannot be read.
fn permissions_bind(name: &str) -> bool {
    let path = room(name).with_extension("closed");
    let closed = std::fs::write(&path, "").and_then(|()| mode(&path, 0o000));
    let bound = closed.is_ok() && std::fs::read(&path).is_err();
    drop(std::fs::remove_file(&path));
    bound
}

fn room(name: &str) -> PathBuf {
    let name = name.replace("::", "-");
    env::temp_dir().join(format!("belay-needs-{}-{name}", std::process::id()))
}

fn mode(path: &Path, mode: u32) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, PermissionsExt::from_mode(mode))
}

/// So often a program that is still open for writing is started again.
const TRIES: usize = 100;

/// Runs a copy of this test program, which that user may read, with this test only.
fn again(name: &str) -> std::io::Result<Output> {
    use std::os::unix::process::CommandExt;
    let room = room(name);
    std::fs::create_dir_all(&room)?;
    mode(&room, 0o777)?;
    let program = room.join("test");
    std::fs::copy(env::current_exe()?, &program)?;
    mode(&program, 0o755)?;
    let mut command = Command::new(&program);
    command.args([name, "--exact", "--nocapture"]);
    command.uid(NOBODY).gid(NOBODY).current_dir(&room);
    command.env("TMPDIR", &room).env("HOME", &room);
    let mut done = command.output();
    // A test beside us that starts a program holds our copy open for a moment, and what is open for writing does not run.
    for _ in 0..TRIES {
        if !done
            .as_ref()
            .is_err_and(|it| it.kind() == ErrorKind::ExecutableFileBusy)
        {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
        done = command.output();
    }
    drop(std::fs::remove_dir_all(&room));
    done
}
