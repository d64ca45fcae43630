use std::path::Path;
use std::{fs, io};

use crate::blob::{Blob, Level};
use crate::compile::{self, Fault, File};
use crate::kinds::{GUESSES, Guess, ToolKind};
use crate::layout::{
    ALIASES, BUILTINS, COMMANDS, LISTS, PACKAGES, SAME, SCRIPTS, TOOLS, VARIABLES, WORDS,
};
use crate::taught::Layers;
use crate::{Bound, Deed, Example, Tool, Variable};

/// Our own files, packed by `build.rs`.
pub(crate) static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/knowledge.bin"));

/// What is compiled in.
pub static OURS: Knowledge = Knowledge::ours();

/// What is known: our own files, and a fleet's and a user's for what ours do not speak of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knowledge {
    own: Vec<u8>,
    pub(crate) layers: Layers,
    examples: Vec<Example>,
    order: Order,
}

/// Who is heard first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Order {
    /// What was loaded: for who writes files and tries them.
    #[default]
    Loaded,
    /// What is compiled in: nobody's file changes what we say.
    Ours,
}

/// Why a folder of knowledge cannot be used.
#[derive(Debug)]
pub enum LoadError {
    /// A file or folder cannot be read.
    Unreadable(String, io::Error),
    /// Files say what cannot be; all that is wrong with them.
    Faulty(Vec<Fault>),
    /// A file describes what ours describe: its name, and the file.
    Ours(String, String),
    /// The folder holds more than a person would write.
    TooMuch(String),
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unreadable(path, error) => write!(
                f,
                "error: cannot read knowledge: {error}\n  --> {path}\nhint: make it readable, or remove it"
            ),
            Self::Ours(name, path) => write!(
                f,
                "error: belay already knows `{name}`, and your own file cannot change what it does\n  --> {path}\nhint: write a `[[rule]]` or a line of `[rules]` for it"
            ),
            Self::TooMuch(path) => write!(
                f,
                "error: too much knowledge\n  --> {path}\nhint: at most {MOST_FILES} files of {MOST_BYTES} bytes, {DEEPEST} folders deep"
            ),
            Self::Faulty(faults) => {
                for (at, fault) in faults.iter().enumerate() {
                    let gap = if at > 0 { "\n\n" } else { "" };
                    write!(f, "{gap}{fault}")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for LoadError {}

impl Knowledge {
    /// Returns what is compiled in.
    #[must_use]
    pub const fn ours() -> Self {
        Self {
            own: Vec::new(),
            layers: Layers::none(),
            examples: Vec::new(),
            order: Order::Ours,
        }
    }

    /// Reads a user's folder, laid out as ours is. It may speak of what no file of ours speaks of; a
    /// folder that is not there says nothing, and a file that is bound to a program speaks only where that program `holds`.
    ///
    /// # Errors
    /// When a file cannot be read, is refused for the same faults that stop our own build, or describes
    /// what a file of ours describes.
    pub fn load_folder(folder: &Path, holds: &dyn Fn(&Bound) -> bool) -> Result<Self, LoadError> {
        let mut files = Vec::new();
        match collect(
            &Folder {
                folder,
                under: "",
                depth: 0,
            },
            &mut files,
        ) {
            Err(LoadError::Unreadable(_, error))
                if files.is_empty() && error.kind() == io::ErrorKind::NotFound =>
            {
                return Ok(Self::ours());
            }
            Err(error) => return Err(error),
            Ok(()) => {}
        }
        files.retain(|it: &File| Bound::of(&it.text).is_none_or(|it| holds(&it)));
        files.sort_by(|a: &File, b: &File| a.path.cmp(&b.path));
        let loaded = Self::load(&files)?.behind_ours();
        match loaded.clashes().first() {
            Some(name) => Err(LoadError::Ours((*name).to_owned(), naming(name, &files))),
            None => Ok(loaded),
        }
    }

    fn load(files: &[File]) -> Result<Self, LoadError> {
        let compiled = compile::compile(files).map_err(LoadError::Faulty)?;
        let examples = compiled.examples.into_iter().map(|it| Example {
            file: it.file,
            line: it.line,
            command: it.command,
            effects: it.effects,
        });
        Ok(Self {
            own: compiled.bytes,
            layers: Layers::none(),
            examples: examples.collect(),
            order: Order::Loaded,
        })
    }

    /// Lets our own files speak first, so that what was loaded only adds.
    #[must_use]
    pub const fn behind_ours(mut self) -> Self {
        self.order = Order::Ours;
        self
    }

    /// Reads files by their path under a folder of knowledge (`commands/rm.toml`) and their text.
    ///
    /// # Errors
    /// When a file is refused.
    pub fn load_texts(texts: &[(&str, &str)]) -> Result<Self, LoadError> {
        let files: Vec<File> = texts
            .iter()
            .map(|(path, text)| File {
                shown: (*path).to_owned(),
                path: (*path).to_owned(),
                text: (*text).to_owned(),
            })
            .collect();
        Self::load(&files)
    }

    /// Returns the examples of the files that were loaded.
    #[must_use]
    pub fn examples(&self) -> &[Example] {
        &self.examples
    }

    /// Looks a name up in all, in their order.
    fn lookup(&self, table: usize, name: impl AsRef<[u8]>) -> Option<(Blob<'_>, usize)> {
        let name = name.as_ref();
        let find = |blob: Blob<'static>| blob.find(table, name).map(|at| (blob, at));
        let ours = || find(Blob(PACKED));
        let own = || self.own().find(table, name).map(|at| (self.own(), at));
        match self.order {
            Order::Loaded => own().or_else(ours),
            Order::Ours => ours()
                .or_else(|| self.layers.find(table, name))
                .or_else(own),
        }
    }

    /// Returns what was loaded, packed.
    pub(crate) const fn own(&self) -> Blob<'_> {
        Blob(self.own.as_slice())
    }

    /// Looks up two words with a blank between them: this is asked so often that it must not allocate.
    fn lookup_pair(&self, table: usize, first: &str, second: &str) -> Option<(Blob<'_>, usize)> {
        let mut room = [b' '; 96];
        let (head, tail) = (first.as_bytes(), second.as_bytes());
        let whole = head.len() + 1 + tail.len();
        let Some(name) = room.get_mut(..whole) else {
            return self.lookup(table, format!("{first} {second}"));
        };
        let (before, after) = name.split_at_mut(head.len() + 1);
        before.get_mut(..head.len())?.copy_from_slice(head);
        after.copy_from_slice(tail);
        self.lookup(table, name)
    }

    /// Returns the names that a user's files describe and ours do too.
    pub(crate) fn clashes(&self) -> Vec<&str> {
        let (own, ours) = (Blob(&self.own), Blob(PACKED));
        let tables = [COMMANDS, BUILTINS, VARIABLES, TOOLS, WORDS];
        let clash = |table: usize| {
            let names = own.names(table).into_iter();
            names.filter(move |it| ours.find(table, it).is_some())
        };
        let renamed = own.names(ALIASES).into_iter().filter(|it| {
            let known = |table: usize| ours.find(table, it).is_some();
            [COMMANDS, BUILTINS, ALIASES].into_iter().any(known)
        });
        tables.into_iter().flat_map(clash).chain(renamed).collect()
    }

    /// Returns the names of the commands and tools that a user's files describe.
    #[must_use]
    pub fn own_names(&self) -> Vec<&str> {
        let own = Blob(&self.own);
        let tables = [COMMANDS, BUILTINS, TOOLS].into_iter();
        tables.flat_map(|it| own.names(it)).collect()
    }

    /// Returns the one program that a command's file speaks of, where it was drafted from one. Who tries a file tries
    /// what it says, not whom it says it of.
    #[must_use]
    pub fn bound_to(&self, name: &str) -> Option<&str> {
        let counts = self.order == Order::Ours && !self.own.is_empty();
        counts.then(|| self.said("bound-programs", name)).flatten()
    }

    /// Returns what is known of a command by its name, which is the last part of its path.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Command<'_>> {
        let (blob, at) = self.lookup(COMMANDS, name)?;
        let level = Level { blob, at };
        Some(Command { level })
    }

    /// Returns the words that another name of a command stands for: `docker compose` for `docker-compose`.
    pub fn alias(&self, name: &str) -> impl Iterator<Item = &str> + use<'_> {
        let name = if self.is_ours(name) { "" } else { name };
        self.texts(ALIASES, name)
    }

    /// Returns the name that stands for all names of a program: `python` for `python3.12`.
    #[must_use]
    pub fn same_program(&self, name: &str) -> Option<&str> {
        self.texts(SAME, name).next()
    }

    /// Returns the words that stand for all names of a sub-command: `install` for `npm i`, `run` for
    /// `docker container run`. None where the words are the usual ones, or name no sub-command.
    #[must_use]
    pub fn same_subcommand(&self, program: &str, words: &[&str]) -> Option<Vec<&str>> {
        let mut level = self.find(program)?.level;
        let mut path = level.name().to_owned();
        let (last, before) = words.split_last()?;
        for word in before {
            level = level.sub(word)?;
            path = format!("{path} {}", level.name());
        }
        let found: Vec<&str> = self.texts(SAME, &format!("{path} {last}")).collect();
        (!found.is_empty()).then_some(found)
    }

    /// Tells whether a name is a command of ours or of a fleet's that no file of a user may call something else.
    fn is_ours(&self, name: &str) -> bool {
        let ours = Blob(PACKED);
        let known = |table: usize| ours.find(table, name).is_some();
        self.order == Order::Ours
            && !(self.own.is_empty() && self.layers.is_empty())
            && !known(ALIASES)
            && (known(COMMANDS) || known(BUILTINS) || self.layers.describes(name))
    }

    /// Returns the command whose words a script of this name takes: `django-admin` for `manage.py`.
    #[must_use]
    pub fn script(&self, name: &str) -> Option<&str> {
        self.texts(SCRIPTS, name).next()
    }

    /// Tells whether the package of this name in a registry is the command of that name that we know.
    #[must_use]
    pub fn is_package(&self, registry: &str, name: &str) -> bool {
        self.lookup_pair(PACKAGES, registry, name).is_some()
    }

    /// Tells whether a word stands on a list of `lists/`.
    #[must_use]
    pub fn lists(&self, list: &str, word: &str) -> bool {
        self.lookup_pair(LISTS, list, word).is_some()
    }

    /// Returns what a list says of a word: the owner that `gh` is short for.
    #[must_use]
    pub fn said(&self, list: &str, word: &str) -> Option<&str> {
        self.all_said(list, word).next()
    }

    /// Returns all that a list says of a word.
    pub fn all_said(&self, list: &str, word: &str) -> impl Iterator<Item = &str> + use<'_> {
        texts_of(self.lookup_pair(LISTS, list, word))
    }

    /// Returns the words of a list, ours and a user's.
    pub fn words_of(&self, list: &str) -> impl Iterator<Item = &str> {
        [Blob(PACKED), Blob(&self.own)]
            .into_iter()
            .flat_map(move |blob| blob.below(LISTS, &format!("{list} ")))
    }

    fn texts(&self, table: usize, name: &str) -> impl Iterator<Item = &str> + use<'_> {
        texts_of(self.lookup(table, name))
    }

    /// Returns what is known of a builtin of the shell.
    #[must_use]
    pub fn builtin(&self, name: &str) -> Option<Command<'_>> {
        let (blob, at) = self.lookup(BUILTINS, name)?;
        let level = Level { blob, at };
        Some(Command { level })
    }

    /// Returns what setting a variable does; nothing when it is inert.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<Variable<'_>> {
        let (blob, at) = self.lookup(VARIABLES, name)?;
        Some(Variable { blob, at })
    }

    /// Returns what is known of an agent's tool, or of a server's, by any name that agents give it.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<Tool<'_>> {
        let named = self.tool_named(name);
        match named.map(Tool::kind) {
            None | Some(ToolKind::Mcp) => self.served(name).or(named),
            Some(_) => named,
        }
    }

    /// Returns what is known of a tool by the name that a file gives it.
    pub(crate) fn tool_named(&self, name: &str) -> Option<Tool<'_>> {
        let (blob, at) = self.lookup(TOOLS, name)?;
        Some(Tool { blob, at })
    }
}

impl Knowledge {
    /// Guesses from the words of a tool's name what it does; the strictest word counts. Nothing when no
    /// word says anything.
    #[must_use]
    pub fn guess(&self, name: &str) -> Option<Guess> {
        let last = name.rsplit("__").next().unwrap_or(name);
        parts(last)
            .filter_map(|word| {
                let (_, number) = self.lookup(WORDS, &word)?;
                let (_, guess) = GUESSES.get(number.checked_sub(1)?)?;
                Some(*guess)
            })
            .max()
    }
}

/// Parts a name at punctuation and before capitals, in lower case.
pub(crate) fn parts(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && small) {
            words.push(String::new());
        }
        small = c.is_lowercase();
        if let Some(last) = words.last_mut()
            && c.is_alphanumeric()
        {
            last.extend(c.to_lowercase());
        }
    }
    words.into_iter().filter(|it| !it.is_empty())
}

/// Returns the file that describes a name: the one called so, else one that says it.
fn naming(name: &str, files: &[File]) -> String {
    let called = |it: &&File| {
        let mut parts = it.path.rsplit('/');
        parts.any(|part| part == name || part.strip_suffix(".toml") == Some(name))
    };
    let said = format!("\"{name}\"");
    let saying = || files.iter().find(|it| it.text.contains(&said));
    let file = files.iter().find(called).or_else(saying);
    file.map(|it| it.shown.clone()).unwrap_or_default()
}

/// The most files of a user.
const MOST_FILES: usize = 500;
/// The most bytes of one.
const MOST_BYTES: u64 = 64 * 1024;
/// The most folders below each other; a link may lead in a circle.
const DEEPEST: usize = 6;

/// A folder of knowledge, and where it lies below the first.
struct Folder<'a> {
    folder: &'a Path,
    under: &'a str,
    depth: usize,
}

/// Reads all files of knowledge below a folder.
#[expect(
    clippy::disallowed_methods,
    reason = "a user's folder is read here, so that it meets the same checks as ours"
)]
fn collect(from: &Folder<'_>, into: &mut Vec<File>) -> Result<(), LoadError> {
    let Folder {
        folder,
        under,
        depth,
    } = *from;
    let shown = |path: &Path| path.display().to_string();
    let broken = |path: &Path| {
        let shown = shown(path);
        move |error| LoadError::Unreadable(shown, error)
    };
    for entry in fs::read_dir(folder).map_err(broken(folder))? {
        let entry = entry.map_err(broken(folder))?;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        let inside = if under.is_empty() {
            name.to_string()
        } else {
            format!("{under}/{name}")
        };
        let kind = fs::metadata(&path).map_err(broken(&path))?;
        let too_much = || LoadError::TooMuch(shown(&path));
        if kind.is_dir() {
            if depth >= DEEPEST {
                return Err(too_much());
            }
            let below = Folder {
                folder: &path,
                under: &inside,
                depth: depth + 1,
            };
            collect(&below, into)?;
        } else if name.ends_with(".toml") {
            if into.len() >= MOST_FILES || kind.len() > MOST_BYTES || !kind.is_file() {
                return Err(too_much());
            }
            into.push(File {
                shown: shown(&path),
                path: inside,
                text: fs::read_to_string(&path).map_err(broken(&path))?,
            });
        }
    }
    Ok(())
}

/// What is known of a command.
#[derive(Clone, Copy, Debug)]
pub struct Command<'k> {
    pub(crate) level: Level<'k>,
}

impl<'k> Command<'k> {
    /// Tells whether a fact holds of it, or of the sub-command that the words name.
    #[must_use]
    pub fn has(self, words: &[&str], deed: Deed) -> bool {
        let mut level = self.level;
        for word in words {
            let Some(sub) = level.sub(word) else { break };
            level = sub;
        }
        level.deeds().has(deed)
    }

    /// Returns its first name.
    #[must_use]
    pub fn name(self) -> &'k str {
        self.level.name()
    }

    /// Returns one sentence on what it does.
    #[must_use]
    pub fn about(self) -> &'k str {
        self.level.about()
    }
}

fn texts_of<'k>(found: Option<(Blob<'k>, usize)>) -> impl Iterator<Item = &'k str> + use<'k> {
    found.into_iter().flat_map(|(blob, at)| {
        let list = blob.list_at(at, 4);
        list.iter().map(move |it| blob.text(it))
    })
}
