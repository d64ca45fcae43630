use std::path::Path;
use std::{fs, io};

use crate::blob::{Blob, Level};
use crate::compile::{self, Fault, File};
use crate::kinds::{GUESSES, Guess};
use crate::layout::{ALIASES, BUILTINS, COMMANDS, PACKAGES, SCRIPTS, TOOLS, VARIABLES, WORDS};
use crate::{Example, Tool, Variable};

/// Our own files, packed by `build.rs`.
static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/knowledge.bin"));

/// What is compiled in.
pub static OURS: Knowledge = Knowledge::ours();

/// What is known: our own files, with a user's before them.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    own: Vec<u8>,
    examples: Vec<Example>,
}

/// Why a folder of knowledge cannot be used.
#[derive(Debug)]
pub enum LoadError {
    /// A file or folder cannot be read.
    Unreadable(String, io::Error),
    /// Files say what cannot be; all that is wrong with them.
    Faulty(Vec<Fault>),
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unreadable(path, error) => write!(f, "cannot read knowledge `{path}`: {error}"),
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
            examples: Vec::new(),
        }
    }

    /// Reads a user's folder, laid out as ours is; what it says comes before what we say.
    ///
    /// # Errors
    /// When a file cannot be read, or is refused for the same faults that stop our own build.
    pub fn load_folder(folder: &Path) -> Result<Self, LoadError> {
        let mut files = Vec::new();
        collect(folder, "", &mut files)?;
        files.sort_by(|a: &File, b: &File| a.path.cmp(&b.path));
        Self::load(&files)
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
            examples: examples.collect(),
        })
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

    fn lookup(&self, table: usize, name: &str) -> Option<(Blob<'_>, usize)> {
        let own = Blob(&self.own);
        if let Some(at) = own.find(table, name) {
            return Some((own, at));
        }
        let ours = Blob(PACKED);
        ours.find(table, name).map(|at| (ours, at))
    }

    /// Returns what is known of a command by its name, which is the last part of its path.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Command<'_>> {
        let (blob, at) = self.lookup(COMMANDS, name)?;
        let level = Level { blob, at };
        Some(Command { level })
    }

    /// Returns the words that another name of a command stands for: `docker compose` for `docker-compose`.
    pub fn alias(&self, name: &str) -> impl Iterator<Item = &str> {
        self.texts(ALIASES, name)
    }

    /// Returns the command whose words a script of this name takes: `django-admin` for `manage.py`.
    #[must_use]
    pub fn script(&self, name: &str) -> Option<&str> {
        self.texts(SCRIPTS, name).next()
    }

    /// Tells whether the package of this name in a registry is the command of that name that we know.
    #[must_use]
    pub fn is_package(&self, registry: &str, name: &str) -> bool {
        self.lookup(PACKAGES, &format!("{registry} {name}"))
            .is_some()
    }

    fn texts(&self, table: usize, name: &str) -> impl Iterator<Item = &str> {
        let found = self.lookup(table, name);
        found.into_iter().flat_map(|(blob, at)| {
            let list = blob.list_at(at, 4);
            list.iter().map(move |it| blob.text(it))
        })
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

    /// Returns what is known of an agent's tool.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<Tool<'_>> {
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
fn parts(name: &str) -> impl Iterator<Item = String> {
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

/// Reads all files of knowledge below a folder.
#[expect(
    clippy::disallowed_methods,
    reason = "a user's folder is read here, so that it meets the same checks as ours"
)]
fn collect(folder: &Path, under: &str, into: &mut Vec<File>) -> Result<(), LoadError> {
    let broken = |path: &Path| {
        let shown = path.display().to_string();
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
        if path.is_dir() {
            collect(&path, &inside, into)?;
        } else if name.ends_with(".toml") {
            into.push(File {
                shown: path.display().to_string(),
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
