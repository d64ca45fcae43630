//! Reads git's configuration files, one into another.

use std::path::{Path, PathBuf};

use super::glob::covers;
use crate::limits;
use crate::look::{self, Gap};

/// Whose file a setting comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The machine's.
    System,
    /// The user's.
    User,
    /// The repository's own.
    Repository,
}

impl Level {
    /// Returns the word of the answer.
    pub const fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Repository => "repository",
        }
    }
}

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Whose.
    pub level: Level,
    /// `section.name` or `section.sub.name`; all in lower case but `sub`.
    pub key: String,
    /// The value; nothing for a bare name, which means true.
    pub value: Option<String>,
}

impl Setting {
    /// Returns section, sub-section and name of the key.
    pub fn parts(&self) -> (&str, Option<&str>, &str) {
        let (section, rest) = self.key.split_once('.').unwrap_or((&self.key, ""));
        match rest.rsplit_once('.') {
            Some((sub, name)) => (section, Some(sub), name),
            None => (section, None, rest),
        }
    }
}

/// What decides whether a file is included.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// The repository's folder, links followed.
    pub git_dir: PathBuf,
    /// The branch that is checked out.
    pub branch: Option<String>,
}

/// All settings in their order; the last of a name counts.
#[derive(Debug, Default)]
pub struct Config {
    /// The settings.
    pub settings: Vec<Setting>,
    /// Some file could not be read or understood.
    pub doubtful: bool,
}

impl Config {
    /// Returns the last value of a name; the empty text for a bare name.
    pub fn get(&self, key: &str) -> Option<&str> {
        let found = self.settings.iter().rev().find(|it| it.key == key)?;
        Some(found.value.as_deref().unwrap_or_default())
    }

    /// Tells whether a name is switched on.
    pub fn is_on(&self, key: &str) -> bool {
        self.settings
            .iter()
            .rev()
            .find(|it| it.key == key)
            .is_some_and(|it| it.value.as_deref().is_none_or(is_true))
    }

    /// Adds a file and all that it includes; one that is not there adds nothing.
    pub fn add(&mut self, path: &Path, level: Level, setup: &Setup) {
        self.add_at(
            path,
            Place {
                level,
                setup,
                depth: 0,
            },
        );
    }

    /// Adds settings that were read before.
    pub fn join(&mut self, other: &Self) {
        self.settings.extend_from_slice(&other.settings);
        self.doubtful |= other.doubtful;
    }

    fn add_at(&mut self, path: &Path, place: Place<'_>) {
        let text = match look::text(path) {
            Ok(text) => text,
            Err(Gap::Absent) => return,
            Err(Gap::Closed) => return self.doubtful = true,
        };
        let Some(settings) = parse(&text) else {
            return self.doubtful = true;
        };
        for (key, value) in settings {
            let setting = Setting {
                level: place.level,
                key,
                value,
            };
            if let Some(included) = included(&setting, path, place.setup) {
                if place.depth == limits::INCLUDES {
                    return self.doubtful = true;
                }
                self.add_at(
                    &included,
                    Place {
                        depth: place.depth + 1,
                        ..place
                    },
                );
            }
            self.settings.push(setting);
        }
    }
}

/// Where a file is read.
#[derive(Clone, Copy)]
struct Place<'a> {
    level: Level,
    setup: &'a Setup,
    depth: usize,
}

/// Tells whether a value means yes.
pub fn is_true(value: &str) -> bool {
    ["true", "yes", "on"]
        .iter()
        .any(|it| it.eq_ignore_ascii_case(value))
        || value.parse::<i64>().is_ok_and(|number| number != 0)
}

/// Tells whether a value means no.
pub fn is_false(value: &str) -> bool {
    value.is_empty()
        || ["false", "no", "off"]
            .iter()
            .any(|it| it.eq_ignore_ascii_case(value))
        || value.parse::<i64>().is_ok_and(|number| number == 0)
}

/// Returns the file that a setting includes.
fn included(setting: &Setting, file: &Path, setup: &Setup) -> Option<PathBuf> {
    let holds = match setting.parts() {
        ("include", None, "path") => true,
        ("includeif", Some(condition), "path") => holds(condition, file, setup),
        _ => false,
    };
    let path = holds.then_some(setting.value.as_deref()?)?;
    expand(path, file, setup)
}

/// Returns the path a setting names: under home, or beside the file that names it.
fn expand(path: &str, file: &Path, setup: &Setup) -> Option<PathBuf> {
    match path.strip_prefix("~/") {
        Some(rest) => Some(setup.home.as_ref()?.join(rest)),
        None => Some(file.parent()?.join(path)),
    }
}

/// Says whether an `includeIf` holds; one that we cannot weigh does.
fn holds(condition: &str, file: &Path, setup: &Setup) -> bool {
    let Some((kind, pattern)) = condition.split_once(':') else {
        return false;
    };
    match kind {
        "gitdir" => folder_holds(pattern, file, setup),
        "gitdir/i" => folder_holds(
            &pattern.to_lowercase(),
            file,
            &Setup {
                git_dir: PathBuf::from(setup.git_dir.to_string_lossy().to_lowercase()),
                ..setup.clone()
            },
        ),
        "onbranch" => setup
            .branch
            .as_ref()
            .is_some_and(|branch| covers(open_ended(pattern).as_bytes(), branch.as_bytes())),
        "hasconfig" => true,
        _ => false,
    }
}

fn folder_holds(pattern: &str, file: &Path, setup: &Setup) -> bool {
    let pattern = if pattern.starts_with("~/") || pattern.starts_with("./") {
        let rest = pattern.strip_prefix("./").unwrap_or(pattern);
        expand(rest, file, setup).map(|it| it.to_string_lossy().into_owned())
    } else if pattern.starts_with('/') {
        Some(pattern.to_owned())
    } else {
        Some(format!("**/{pattern}"))
    };
    let text = setup.git_dir.to_string_lossy();
    pattern.is_some_and(|it| covers(open_ended(&it).as_bytes(), text.as_bytes()))
}

/// A pattern that ends with a slash means everything below.
fn open_ended(pattern: &str) -> String {
    if pattern.ends_with('/') {
        format!("{pattern}**")
    } else {
        pattern.to_owned()
    }
}

/// Parses a file; nothing when git would refuse it.
pub fn parse(text: &str) -> Option<Vec<(String, Option<String>)>> {
    let mut reader = Reader {
        rest: text.strip_prefix('\u{feff}').unwrap_or(text),
    };
    let mut section = None;
    let mut settings = Vec::new();
    loop {
        reader.skip_blank();
        match reader.peek() {
            None => return Some(settings),
            Some('#' | ';') => reader.skip_line(),
            Some('[') => section = Some(reader.section()?),
            Some(_) => {
                let (name, value) = reader.setting()?;
                settings.push((format!("{}.{name}", section.as_ref()?), value));
            }
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let mut letters = self.rest.chars();
        let letter = letters.next()?;
        self.rest = letters.as_str();
        Some(letter)
    }

    fn skip_blank(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r']);
    }

    fn skip_line(&mut self) {
        self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
    }

    /// Reads letters while they belong to a name, in lower case.
    fn name(&mut self, more: &[char]) -> String {
        let mut name = String::new();
        while let Some(letter) = self.peek() {
            if !letter.is_ascii_alphanumeric() && letter != '-' && !more.contains(&letter) {
                break;
            }
            name.push(letter.to_ascii_lowercase());
            self.next();
        }
        name
    }

    fn section(&mut self) -> Option<String> {
        self.next();
        let mut name = self.name(&['.']);
        self.skip_spaces();
        if self.peek() == Some('"') {
            self.next();
            name.push('.');
            loop {
                match self.next()? {
                    '"' => break,
                    '\\' => name.push(self.next()?),
                    '\n' => return None,
                    letter => name.push(letter),
                }
            }
        }
        (self.next() == Some(']')).then_some(name)
    }

    fn setting(&mut self) -> Option<(String, Option<String>)> {
        let name = self.name(&[]);
        if !name.starts_with(|it: char| it.is_ascii_alphabetic()) {
            return None;
        }
        self.skip_spaces();
        match self.peek() {
            Some('=') => {
                self.next();
                Some((name, Some(self.value()?)))
            }
            None | Some('\n') => Some((name, None)),
            Some('#' | ';') => {
                self.skip_line();
                Some((name, None))
            }
            Some(_) => None,
        }
    }

    fn value(&mut self) -> Option<String> {
        self.skip_spaces();
        let mut value = String::new();
        let mut kept = 0;
        let mut quoted = false;
        while let Some(letter) = self.next() {
            match letter {
                '\n' if quoted => return None,
                '\n' => break,
                '#' | ';' if !quoted => {
                    self.skip_line();
                    break;
                }
                '"' => quoted = !quoted,
                '\\' => match self.next()? {
                    '\n' => continue,
                    '\r' if self.peek() == Some('\n') => {
                        self.next();
                        continue;
                    }
                    'n' => value.push('\n'),
                    't' => value.push('\t'),
                    'b' => value.push('\u{8}'),
                    same @ ('\\' | '"') => value.push(same),
                    _ => return None,
                },
                _ => value.push(letter),
            }
            if quoted || !letter.is_whitespace() {
                kept = value.len();
            }
        }
        value.truncate(kept);
        (!quoted).then_some(value)
    }
}
