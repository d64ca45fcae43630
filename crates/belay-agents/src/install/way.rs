//! How an agent is told of us: the words that run us, and the files they stand in.

use std::path::{Path, PathBuf};

use belay_model::Value;

use super::jsonc;
use super::shapes::Entry;
use super::{Bar, InstallError, Reach, Runs, Stance, Wish};
use crate::Agent;

pub(crate) type Planned<T> = Result<T, InstallError>;

/// How an agent is told of us.
pub(crate) enum Way {
    /// By items in lists of its settings; the last file switches us on.
    Merge(Vec<Settings>),
    /// By files of our own; the last one switches us on.
    Own(Vec<OwnFile>),
}

/// A file of the agent's, and what of it is ours.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) path: PathBuf,
    pub(crate) form: Form,
    pub(crate) entries: Vec<Entry>,
    pub(crate) members: Vec<Member>,
}

/// What settings are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Json,
    Toml,
}

/// A single member of the settings.
#[derive(Clone)]
pub(crate) struct Member {
    pub(crate) path: Vec<&'static str>,
    pub(crate) value: Value,
    pub(crate) claim: Claim,
}

/// How far we insist on a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// The file needs some value; it stays when we leave.
    AnyValue,
    /// Ours, unless somebody else has it; it leaves with us.
    IfFree,
    /// This value and no other; it leaves with us, unless it was there before.
    Exactly,
}

/// A file of ours.
pub(crate) struct OwnFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) runs: Runs,
}

/// Settings as they are or will be.
pub(crate) struct Written<'a> {
    pub(crate) path: &'a Path,
    pub(crate) text: &'a str,
}

/// What an agent is told.
pub(crate) struct Hook<'a> {
    pub(crate) wish: &'a Wish<'a>,
    /// The folder of the agent's settings.
    pub(crate) folder: PathBuf,
    /// The line of shell that gates.
    pub(crate) line: String,
    /// The line of shell that only looks on.
    pub(crate) looks: String,
}

impl Hook<'_> {
    /// Makes a way of items in one file of settings.
    pub(crate) fn merge(&self, name: &str, entries: Vec<Entry>) -> Way {
        Way::Merge(vec![self.settings(name, entries)])
    }

    /// Names one of several files of settings.
    pub(crate) fn settings(&self, name: &str, entries: Vec<Entry>) -> Settings {
        Settings {
            path: self.folder.join(name),
            form: Form::Json,
            entries,
            members: Vec::new(),
        }
    }

    /// Makes a file of ours that holds JSON.
    pub(crate) fn file(&self, name: &str, value: &Value) -> OwnFile {
        let mut text = String::new();
        let indent = jsonc::Indent {
            unit: "  ",
            depth: 0,
        };
        jsonc::pretty(value, indent, &mut text);
        text.push('\n');
        OwnFile {
            path: self.folder.join(name),
            text,
            runs: self.wish.reach.runs(),
        }
    }
}

/// Returns the folder that a variable names, if it names one.
pub(crate) fn moved(wish: &Wish<'_>, variable: &str) -> Option<PathBuf> {
    let named = (wish.env)(variable).filter(|it| !it.is_empty());
    named.map(PathBuf::from)
}

/// Returns the folder that a variable names, or this one at home.
pub(crate) fn moved_or(wish: &Wish<'_>, variable: &str, at_home: &str) -> PathBuf {
    moved(wish, variable).unwrap_or_else(|| wish.home.join(at_home))
}

/// Returns the user's folder or the project's, by the reach that is wished.
pub(crate) fn by_reach(wish: &Wish<'_>, user: PathBuf, project: &str) -> PathBuf {
    match wish.reach {
        Reach::User | Reach::Managed => user,
        Reach::Project => wish.project.join(project),
    }
}

/// Returns a folder of the same name at home and in the project.
pub(crate) fn same_name(wish: &Wish<'_>, name: &str) -> PathBuf {
    by_reach(wish, wish.home.join(name), name)
}

/// Returns how the wished agent is told of us.
pub(super) fn way(wish: &Wish<'_>) -> Planned<Way> {
    let adapter = wish.agent.adapter();
    if wish.door.is_some() && !adapter.asks_daemon() {
        return Err(InstallError::NoDoor(wish.agent));
    }
    let latin = |path: &Path| path.to_string_lossy().chars().all(|it| it <= '\u{ff}');
    if wish.door.is_some() && !latin(wish.home) {
        return Err(InstallError::FarHome(wish.home.to_owned()));
    }
    if wish.bar == Bar::Shown && !adapter.has_bar() {
        return Err(InstallError::NoBar(wish.agent));
    }
    adapter.registration(&Hook {
        wish,
        line: guarded(wish, wish.stance)?,
        looks: guarded(wish, Stance::Observe)?,
        folder: folder(wish)?,
    })
}

fn folder(wish: &Wish<'_>) -> Planned<PathBuf> {
    let adapter = wish.agent.adapter();
    match wish.reach {
        Reach::User | Reach::Project => adapter.folder(wish),
        Reach::Managed => {
            let folder = adapter.managed_folder().map(PathBuf::from);
            folder.ok_or(InstallError::NoSuchReach(wish.agent))
        }
    }
}

impl Reach {
    /// Returns who may do what with a new file of this reach.
    pub(crate) const fn runs(self) -> Runs {
        match self {
            Self::User | Self::Project => Runs::No,
            Self::Managed => Runs::ForAll,
        }
    }
}

/// Returns the path of the daemon's address that answers for an agent.
pub(crate) fn hook_path(agent: Agent) -> String {
    format!("/belay/hook/{}", agent.word())
}

pub(super) fn hook_words(agent: Agent) -> String {
    format!("hook {}", agent.word())
}

/// Returns the line of shell that runs us and refuses when we cannot be run or are killed.
pub(crate) fn guarded(wish: &Wish<'_>, stance: Stance) -> Planned<String> {
    let run = format!(
        "{} {}{}",
        program(wish)?,
        hook_words(wish.agent),
        anchor_words(wish)?
    );
    Ok(match stance {
        Stance::Gate => format!("{run} || {{ echo 'belay: refused' >&2; exit 2; }}"),
        Stance::Observe => format!("{run} || true"),
    })
}

/// Returns the options that fix settings, home and state, each with the path it names. Where many users
/// are meant there are none, and the user database is asked.
pub(crate) fn anchored<'a>(wish: &Wish<'a>) -> Vec<(&'static str, &'a Path)> {
    let named = [
        ("--settings", wish.settings),
        ("--home", Some(wish.home)),
        ("--state", wish.state),
    ];
    if wish.reach == Reach::Managed {
        return Vec::new();
    }
    let given = |(name, path): (_, Option<_>)| Some((name, path?));
    named.into_iter().filter_map(given).collect()
}

/// Returns these options for a line of shell.
pub(crate) fn anchor_words(wish: &Wish<'_>) -> Planned<String> {
    let mut words = String::new();
    for (name, path) in anchored(wish) {
        words.push_str(&format!(" {name} {}", quoted(path)?));
    }
    Ok(words)
}

/// Returns our program for a line of shell.
pub(crate) fn program(wish: &Wish<'_>) -> Planned<String> {
    quoted(wish.belay)
}

fn quoted(path: &Path) -> Planned<String> {
    let odd = || InstallError::OddPath(path.to_owned());
    let text = path.to_str().ok_or_else(odd)?;
    if !path.is_absolute() || text.contains(['\'', '\n', '"', '\\']) {
        return Err(odd());
    }
    Ok(format!("'{text}'"))
}
