//! Whose processes a signal would reach. INVARIANT: a process counts as the session's own only if it is
//! proved to be: this user's, begun after the session, at work inside the project, none of those that
//! people keep running, and no ancestor of ours. Where a pattern is not understood, it reaches them all.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use belay_knowledge::OURS;

use crate::limits;
use crate::look::{self, Gap};

const ALL: &str = "/proc";

/// Clock ticks of a second in what the kernel tells: fixed for programs, whatever it counts in itself.
const TICKS: u64 = 100;

/// Which processes are asked about, and what makes them the session's own.
pub struct Meant<'a> {
    /// The project's folder.
    pub root: &'a Path,
    /// By what they are chosen: `pid`, `name`, `pattern` or `port`.
    pub by: &'a str,
    /// The number, the name, the pattern.
    pub which: &'a str,
    /// When the session began, in seconds since 1970.
    pub since: Option<u64>,
}

impl Meant<'_> {
    /// Tells whether every process that is meant is the session's own; where there is none, it is.
    pub fn all_own(&self) -> Result<bool, Gap> {
        let chosen = self.choice()?;
        // Without a session nothing is its own, and nobody would know what starts in between.
        let since = self.since.ok_or(Gap::Closed)?;
        if names_kept(self.which) {
            return Ok(false);
        }
        let me = user()?;
        let mut meant = Vec::new();
        for process in processes()? {
            // Nobody but root can signal the processes of others.
            let reached = me == 0 || process.user == me;
            if reached && chosen.takes(&process) {
                meant.push(process);
            }
        }
        if meant.is_empty() {
            return Ok(true);
        }
        let (root, boot, above) = (fs::canonicalize(self.root)?, boot()?, ancestors()?);
        let own = |it: &Process| {
            it.user == me
                && boot + it.ticks / TICKS >= since
                && !above.contains(&it.number)
                && !it.is_kept()
                && it.works_in(&root)
        };
        Ok(meant.iter().all(own))
    }

    fn choice(&self) -> Result<Choice, Gap> {
        match self.by {
            "pid" => match self.which.parse() {
                Ok(number) if number > 1 => Ok(Choice::Number(number)),
                _ => Err(Gap::Closed),
            },
            "name" | "pattern" => Ok(Choice::Text(pieces(self.which))),
            "port" => {
                let port = self.which.split_once('/');
                let (port, _) = port
                    .filter(|(_, kind)| ["tcp", "udp"].contains(kind))
                    .ok_or(Gap::Closed)?;
                let port = port.parse().map_err(|_| Gap::Closed)?;
                Ok(Choice::Sockets(sockets(port, Ends::Any)?))
            }
            _ => Err(Gap::Closed),
        }
    }
}

/// What a process must be like to be meant.
enum Choice {
    Number(u32),
    /// These texts, one after the other, in its name or its command line; none of them: anything.
    Text(Vec<Vec<char>>),
    /// One of these sockets is open in it.
    Sockets(BTreeSet<u64>),
}

impl Choice {
    fn takes(&self, process: &Process) -> bool {
        match self {
            Self::Number(number) => *number == process.number,
            Self::Text(pieces) => {
                holds(&process.name, pieces) || holds(&process.words.join(" "), pieces)
            }
            Self::Sockets(sockets) => process.has_open(sockets),
        }
    }
}

/// One process, as far as choosing needs it.
struct Process {
    number: u32,
    parent: u32,
    user: u32,
    /// When it began, in clock ticks since the machine did.
    ticks: u64,
    name: String,
    words: Vec<String>,
}

impl Process {
    fn read(number: u32) -> Result<Self, Gap> {
        let folder = folder(number);
        let stat = look::told(&folder.join("stat"), limits::PROCESS)?;
        let stat = String::from_utf8_lossy(&stat).into_owned();
        // The name stands in parentheses and may hold some itself.
        let (before, rest) = stat.rsplit_once(')').ok_or(Gap::Closed)?;
        let name = before.split_once('(').map_or("", |(_, name)| name);
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        let field = |at: usize| fields.get(at).ok_or(Gap::Closed);
        let words = look::told(&folder.join("cmdline"), limits::PROCESS)?;
        let words = words.split(|it| *it == 0).filter(|it| !it.is_empty());
        Ok(Self {
            number,
            parent: field(1)?.parse().map_err(|_| Gap::Closed)?,
            user: fs::metadata(&folder)?.uid(),
            ticks: field(19)?.parse().map_err(|_| Gap::Closed)?,
            name: name.to_owned(),
            words: words
                .map(|it| String::from_utf8_lossy(it).into_owned())
                .collect(),
        })
    }

    /// Tells whether it is one that people keep running: an editor, an agent, a database, a shell somebody types into.
    fn is_kept(&self) -> bool {
        let mut words = self.words.iter();
        let program = words.next().map_or("", |it| base(it));
        let first = words.next().map_or("", String::as_str);
        let is_shell = [program, &self.name]
            .iter()
            .any(|it| OURS.lists("shells", it.trim_start_matches('-')));
        if is_shell {
            let job = first.starts_with('-') && !first.starts_with("--") && first.contains('c');
            return first.is_empty() || (first.starts_with('-') && !job);
        }
        [program, base(first), &self.name]
            .iter()
            .any(|it| names_kept(it))
    }

    fn works_in(&self, root: &Path) -> bool {
        let cwd = fs::read_link(folder(self.number).join("cwd"));
        cwd.is_ok_and(|it| it.starts_with(root))
    }

    fn has_open(&self, sockets: &BTreeSet<u64>) -> bool {
        let entries = fs::read_dir(folder(self.number).join("fd"));
        let mut entries = entries.into_iter().flatten().flatten();
        entries.any(|it| {
            let target = fs::read_link(it.path()).unwrap_or_default();
            let inode = target
                .to_str()
                .and_then(|it| it.strip_prefix("socket:[")?.strip_suffix(']'));
            inode.is_some_and(|it| it.parse().is_ok_and(|it| sockets.contains(&it)))
        })
    }
}

fn folder(number: u32) -> PathBuf {
    Path::new(ALL).join(number.to_string())
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Tells whether a word of a text is the name of a program that people keep running.
fn names_kept(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let parts = |it: char| !it.is_alphanumeric() && it != '-' && it != '_';
    let kept = |it: &str| OURS.lists("kept-running", it) || OURS.lists("editors", it);
    let mut words = text.split(parts);
    words.any(|it| kept(it.trim_matches('-')))
}

fn processes() -> Result<Vec<Process>, Gap> {
    let names = look::names(Path::new(ALL))?;
    let numbers = names.iter().filter_map(|it| it.parse().ok());
    let mut found = Vec::new();
    for number in numbers {
        if found.len() == limits::PROCESSES {
            return Err(Gap::Closed);
        }
        match Process::read(number) {
            Ok(process) => found.push(process),
            // It has ended.
            Err(Gap::Absent) => {}
            Err(Gap::Closed) => return Err(Gap::Closed),
        }
    }
    Ok(found)
}

/// Which sockets of a port are meant.
#[derive(Clone, Copy)]
enum Ends {
    /// All that have it on one side.
    Any,
    /// Those that wait there for others.
    Listening,
}

/// How the kernel writes that a socket waits for others.
const LISTENING: &str = "0A";

/// Returns the names of this user's processes that listen at a port.
pub fn listening_at(port: u16) -> Result<Vec<String>, Gap> {
    let sockets = sockets(port, Ends::Listening)?;
    if sockets.is_empty() {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for process in processes()? {
        if process.has_open(&sockets) {
            names.push(process.name);
        }
    }
    Ok(names)
}

/// Returns our own number and those of all that started us.
fn ancestors() -> Result<BTreeSet<u32>, Gap> {
    let mut all = BTreeSet::new();
    let mut number = std::process::id();
    while number > 0 && all.insert(number) {
        number = Process::read(number)?.parent;
    }
    Ok(all)
}

fn user() -> Result<u32, Gap> {
    Ok(fs::metadata(folder(std::process::id()))?.uid())
}

/// Returns when the machine started, in seconds since 1970.
fn boot() -> Result<u64, Gap> {
    let stat = look::told(&Path::new(ALL).join("stat"), limits::SETTINGS)?;
    let stat = String::from_utf8_lossy(&stat).into_owned();
    let line = stat.lines().find_map(|it| it.strip_prefix("btime "));
    line.and_then(|it| it.trim().parse().ok())
        .ok_or(Gap::Closed)
}

/// Returns the sockets that have a port at either end.
fn sockets(port: u16, ends: Ends) -> Result<BTreeSet<u64>, Gap> {
    let mut all = BTreeSet::new();
    for table in ["tcp", "tcp6", "udp", "udp6"] {
        let path = Path::new(ALL).join("self/net").join(table);
        let text = match look::told(&path, limits::SETTINGS) {
            Ok(text) => text,
            Err(Gap::Absent) => continue,
            Err(Gap::Closed) => return Err(Gap::Closed),
        };
        for line in String::from_utf8_lossy(&text).lines().skip(1) {
            let fields: Vec<&str> = line.split_ascii_whitespace().collect();
            let at = |at: usize| fields.get(at).copied().unwrap_or_default();
            let is_there = |end: &str| {
                let port_there = end.rsplit_once(':').map(|(_, it)| it);
                port_there.is_some_and(|it| u16::from_str_radix(it, 16) == Ok(port))
            };
            let there = match ends {
                Ends::Any => is_there(at(1)) || is_there(at(2)),
                Ends::Listening => is_there(at(1)) && at(3) == LISTENING,
            };
            if there {
                all.extend(at(9).parse::<u64>().ok().filter(|it| *it > 0));
            }
        }
    }
    Ok(all)
}

/// Parts a pattern at `.*` into texts that must follow one another; what is not understood may be any text.
fn pieces(pattern: &str) -> Vec<Vec<char>> {
    if pattern.contains(['[', ']', '(', ')', '{', '}', '|', '\\', '+', '?']) {
        return Vec::new();
    }
    let lower = pattern.to_lowercase();
    let parts = lower.trim_matches(['^', '$']).split(".*");
    let parts: Vec<Vec<char>> = parts.map(|it| it.chars().collect()).collect();
    if parts.iter().flatten().any(|it| *it == '*') {
        return Vec::new();
    }
    parts.into_iter().filter(|it| !it.is_empty()).collect()
}

/// Tells whether a text holds all pieces in their order; a dot is any letter.
fn holds(text: &str, pieces: &[Vec<char>]) -> bool {
    let text: Vec<char> = text.to_lowercase().chars().collect();
    let mut rest = text.as_slice();
    for piece in pieces {
        let fits = |window: &[char]| {
            let mut both = window.iter().zip(piece);
            both.all(|(letter, wanted)| *wanted == '.' || letter == wanted)
        };
        let Some(at) = rest.windows(piece.len()).position(fits) else {
            return false;
        };
        rest = rest.get(at + piece.len()..).unwrap_or_default();
    }
    true
}
