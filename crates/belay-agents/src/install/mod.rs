//! Connects and disconnects agents: first a plan that shows the exact change, then the change.
//!
//! INVARIANT: foreign settings stay as they are, every write is whole or not at all, and what was
//! there before is kept beside it until we leave.

mod diff;
pub(crate) mod files;
pub(crate) mod jsonc;
mod members;
pub(crate) mod registration;
pub(crate) mod shapes;
mod tables;
pub(crate) mod way;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

pub use diff::diff;
pub use files::apply;
pub use jsonc::EditError;
pub use registration::{foreign, is_ours};

pub use crate::adapters::{Pin, pins};
use crate::{Agent, Env};

/// What shall be connected, and where.
#[derive(Clone, Copy)]
pub struct Wish<'a> {
    /// The agent.
    pub agent: Agent,
    /// For whom.
    pub reach: Reach,
    /// Whether our failure may stop the agent.
    pub stance: Stance,
    /// The absolute path of our program.
    pub belay: &'a Path,
    /// The user's home folder; registered, so that no variable moves it.
    pub home: &'a Path,
    /// The settings that the registration names, likewise.
    pub settings: Option<&'a Path>,
    /// The folder for journal and memory that the registration names, likewise.
    pub state: Option<&'a Path>,
    /// The project's folder.
    pub project: &'a Path,
    /// The environment, where agents let their folders be moved.
    pub env: Env<'a>,
    /// Whether the user agreed that we enter our hook among those Codex trusts.
    pub trust: Consent,
    /// Where the daemon answers, when it shall be asked instead of a program of ours being started.
    pub door: Option<Door<'a>>,
    /// Whether the agent's bar shall show what we do.
    pub bar: Bar,
}

/// Where the daemon answers on 127.0.0.1, and what it wants to hear first.
#[derive(Clone, Copy)]
pub struct Door<'a> {
    /// The port.
    pub port: u16,
    /// The token.
    pub token: &'a str,
}

/// For whom an agent is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The user, in every project.
    User,
    /// One project.
    Project,
    /// Every user of the machine, in settings that no repository and no user can switch off.
    Managed,
}

/// Whether the agent's bar shall show what the gate does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bar {
    /// It shall, unless it shows something else already.
    Shown,
    /// It stays as it is.
    Untouched,
}

/// Whether a failure of ours may stop the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// It must: what was not judged does not run.
    Gate,
    /// It must not: we only look on.
    Observe,
}

/// Whether the user agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consent {
    /// Yes.
    Given,
    /// Not, or not asked.
    Missing,
}

/// The exact change, in the order in which it is made; the last one switches the gate on or off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The files that change.
    pub changes: Vec<Change>,
    /// What the user still has to do or know, one line each.
    pub notes: Vec<String>,
}

/// One file that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which.
    pub path: PathBuf,
    /// What is in it now; `None` when it is not there.
    pub before: Option<String>,
    /// What will be; `None` when it goes.
    pub after: Option<String>,
    /// Whether the user may run it.
    pub runs: Runs,
    /// What becomes of the copy of what was there before us.
    pub backup: Backup,
}

/// Whether a file may be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// It may.
    Yes,
    /// It may not.
    No,
    /// It may not, and it holds something that only the user may read.
    Private,
    /// It may not, and every user must be able to read it.
    ForAll,
}

/// What becomes of the copy of what was there before us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backup {
    /// It is made, unless there is one.
    Make,
    /// It is no longer needed.
    Drop,
}

/// Why an agent cannot be connected or disconnected.
#[derive(Debug)]
pub enum InstallError {
    /// A file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// A file cannot be written; everything is as it was.
    Unwritable(PathBuf, io::Error),
    /// A settings file cannot be edited safely.
    Uneditable(PathBuf, EditError),
    /// A TOML file cannot be edited safely.
    NotToml(PathBuf, String),
    /// A file of that name is there and not ours.
    Foreign(PathBuf),
    /// The path of our program cannot be written into settings.
    OddPath(PathBuf),
    /// The agent has no settings of that reach.
    NoSuchReach(Agent),
    /// The agent is connected in another way.
    ByHand(Agent),
    /// The agent has no bar that a program fills.
    NoBar(Agent),
    /// The agent cannot ask a daemon.
    NoDoor(Agent),
    /// A header cannot carry the name of the home folder, so the daemon would not learn it.
    FarHome(PathBuf),
    /// The file changed between plan and change.
    Changed(PathBuf),
}

impl fmt::Display for InstallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path, error) => write!(f, "cannot read `{}`: {error}", path.display()),
            Self::Unwritable(path, error) => write!(
                f,
                "cannot write `{}`, nothing was changed: {error}",
                path.display()
            ),
            Self::Uneditable(path, EditError::NotJson(at)) => {
                write!(f, "`{}` is not JSON at byte {at}", path.display())
            }
            Self::Uneditable(path, EditError::OtherType) => write!(
                f,
                "`{}` does not look like the agent's settings",
                path.display()
            ),
            Self::Uneditable(path, EditError::Twice) => {
                write!(f, "`{}` names the same member twice", path.display())
            }
            Self::NotToml(path, error) => {
                write!(f, "`{}` is not TOML: {error}", path.display())
            }
            Self::Foreign(path) => write!(
                f,
                "`{}` already exists and is not belay's; merge it by hand",
                path.display()
            ),
            Self::OddPath(path) => write!(
                f,
                "the path of belay, `{}`, is not absolute or holds a quote or a line break",
                path.display()
            ),
            Self::NoSuchReach(agent) => {
                write!(f, "{} has no settings of that kind", agent.title())
            }
            Self::ByHand(agent) => write!(
                f,
                "{} needs no settings: call `belay hook {}`",
                agent.title(),
                agent.word()
            ),
            Self::NoBar(agent) => write!(
                f,
                "{} has no status line for programs; connect it without `--statusline`",
                agent.title()
            ),
            Self::NoDoor(agent) => write!(
                f,
                "{} cannot talk to the daemon; connect it without `--http`",
                agent.title()
            ),
            Self::FarHome(path) => write!(
                f,
                "a request cannot carry the home folder `{}`; connect without `--http`",
                path.display()
            ),
            Self::Changed(path) => write!(
                f,
                "`{}` changed in the meantime, nothing was written",
                path.display()
            ),
        }
    }
}

impl std::error::Error for InstallError {}

/// Returns what connecting the agent would change; empty when it is connected already.
///
/// # Errors
/// Returns why it cannot be connected.
pub fn install(wish: &Wish<'_>) -> Result<Plan, InstallError> {
    registration::install(wish)
}

/// Returns what disconnecting the agent would change; empty when it is not connected.
///
/// # Errors
/// Returns why it cannot be disconnected.
pub fn uninstall(wish: &Wish<'_>) -> Result<Plan, InstallError> {
    registration::uninstall(wish)
}

/// Returns the file that registers us with the agent; the first in an installation's plan may be
/// another one.
#[must_use]
pub fn settings_file(wish: &Wish<'_>) -> Option<PathBuf> {
    registration::settings_file(wish)
}

/// Returns the port of the daemon that the agent was told to ask, if it was.
#[must_use]
pub fn registered_port(wish: &Wish<'_>) -> Option<u16> {
    registration::registered_port(wish)
}

/// The paths that a registration fixes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// The user's settings.
    pub settings: Option<PathBuf>,
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// The folder for journal and memory.
    pub state: Option<PathBuf>,
}

/// Returns what the agent's registration fixes, where it is connected.
#[must_use]
pub fn fixed(wish: &Wish<'_>) -> Option<Fixed> {
    registration::fixed(wish)
}

/// Tells whether the agent has settings for the whole machine, which nobody else can switch off.
#[must_use]
pub fn can_be_managed(agent: Agent) -> bool {
    agent.adapter().managed_folder().is_some()
}

/// Tells whether the agent has a bar in which we can show something.
#[must_use]
pub fn has_bar(agent: Agent) -> bool {
    agent.adapter().has_bar()
}

/// Tells whether the agent seems to be used here: its own folder is there.
#[must_use]
pub fn is_present(wish: &Wish<'_>) -> bool {
    wish.agent.adapter().is_present(wish)
}
