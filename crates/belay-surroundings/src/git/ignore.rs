//! Which paths the repository ignores.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::glob::covers;
use crate::limits;
use crate::look::{self, Kind};

/// Whether a path is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ignored {
    /// It is not.
    No,
    /// It is.
    Yes,
    /// It is, but by a rule that this session wrote.
    Lately,
}

/// What kind of thing a path is, as far as ignore rules care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A folder.
    Folder,
    /// Anything else.
    File,
}

/// One line of an ignore file.
#[derive(Debug, PartialEq, Eq)]
struct Pattern {
    glob: Vec<u8>,
    negated: bool,
    folders_only: bool,
    /// It names a path from its folder on, not just a last part.
    anchored: bool,
}

/// The patterns of one file, last first.
#[derive(Debug, Default)]
pub struct Patterns {
    list: Vec<Pattern>,
    /// The folder they speak of, with its slash; empty for the top.
    base: Vec<u8>,
    lately: bool,
}

impl Patterns {
    fn parse(text: &[u8]) -> Self {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let mut list: Vec<Pattern> = text
            .split(|it| *it == b'\n')
            .filter_map(parse_line)
            .collect();
        list.reverse();
        Self {
            list,
            ..Self::default()
        }
    }

    /// Returns whether the last pattern that matches ignores the path.
    fn say(&self, path: &[u8], shape: Shape) -> Option<bool> {
        let below = path.strip_prefix(self.base.as_slice())?;
        let found = self.list.iter().find(|it| it.matches(below, shape))?;
        Some(!found.negated)
    }
}

impl Pattern {
    fn matches(&self, path: &[u8], shape: Shape) -> bool {
        if self.folders_only && shape == Shape::File {
            return false;
        }
        let text = if self.anchored {
            path
        } else {
            path.rsplit(|it| *it == b'/').next().unwrap_or(path)
        };
        covers(&self.glob, text)
    }
}

fn parse_line(line: &[u8]) -> Option<Pattern> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.starts_with(b"#") {
        return None;
    }
    let line = without_trailing_spaces(line);
    let (negated, line) = match line.strip_prefix(b"!") {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let (folders_only, line) = match line.strip_suffix(b"/") {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let anchored = line.contains(&b'/');
    let glob = line.strip_prefix(b"/").unwrap_or(line);
    (!glob.is_empty()).then(|| Pattern {
        glob: glob.to_vec(),
        negated,
        folders_only,
        anchored,
    })
}

fn without_trailing_spaces(line: &[u8]) -> &[u8] {
    let mut line = line;
    while let Some(shorter) = line.strip_suffix(b" ") {
        if shorter.ends_with(b"\\") {
            break;
        }
        line = shorter;
    }
    line
}

/// The ignore rules of one working tree, read as they are needed.
#[derive(Debug)]
pub struct Ignores {
    top: PathBuf,
    /// Rules outside the tree, the weakest first.
    outer: Vec<Rc<Patterns>>,
    folders: RefCell<BTreeMap<Vec<u8>, Rc<Patterns>>>,
    lately: Vec<PathBuf>,
}

/// The rules that hold in one folder, the weakest first.
pub type Rules = Vec<Rc<Patterns>>;

impl Ignores {
    /// Makes the rules of a tree; the outer files are named the weakest first, `lately` those files
    /// of rules that this session wrote.
    pub fn new(top: &Path, outer: &[PathBuf], lately: Vec<PathBuf>) -> Self {
        let read = |path: &PathBuf| look::whole(path, limits::SETTINGS).unwrap_or_default();
        let outer = outer
            .iter()
            .map(|it| Rc::new(Patterns::parse(&read(it))))
            .collect();
        Self {
            top: top.to_owned(),
            outer,
            folders: RefCell::default(),
            lately,
        }
    }

    /// Returns the rules that hold at the top.
    pub fn at_top(&self) -> Rules {
        self.inside(&self.outer, b"")
    }

    /// Returns the rules that hold inside a folder, which ends with a slash.
    pub fn inside(&self, outside: &Rules, folder: &[u8]) -> Rules {
        let mut rules = outside.clone();
        let own = self.own(folder);
        if !own.list.is_empty() {
            rules.push(own);
        }
        rules
    }

    fn own(&self, folder: &[u8]) -> Rc<Patterns> {
        if let Some(known) = self.folders.borrow().get(folder) {
            return Rc::clone(known);
        }
        let path = self.top.join(super::path_of(folder)).join(".gitignore");
        // Git does not follow a link here, and neither do we.
        let text = match look::kind(&path) {
            Ok(Kind::File | Kind::Executable) => {
                look::whole(&path, limits::SETTINGS).unwrap_or_default()
            }
            _ => Vec::new(),
        };
        let lately = self.lately.contains(&path);
        let own = Rc::new(Patterns {
            base: folder.to_vec(),
            lately,
            ..Patterns::parse(&text)
        });
        self.folders
            .borrow_mut()
            .insert(folder.to_vec(), Rc::clone(&own));
        own
    }

    /// Says whether a path below the top is ignored, itself or by a folder it lies in.
    pub fn path(&self, path: &[u8], shape: Shape) -> Ignored {
        let mut rules = self.at_top();
        for slash in path
            .iter()
            .enumerate()
            .filter(|(_, it)| **it == b'/')
            .map(|(at, _)| at)
        {
            let folder = path.get(..slash).unwrap_or_default();
            match say(&rules, folder, Shape::Folder) {
                Ignored::No => rules = self.inside(&rules, path.get(..=slash).unwrap_or_default()),
                ignored @ Ignored::Yes | ignored @ Ignored::Lately => return ignored,
            }
        }
        say(&rules, path, shape)
    }
}

/// Says whether the rules of the folder it lies in ignore a path.
pub fn say(rules: &Rules, path: &[u8], shape: Shape) -> Ignored {
    let spoken = rules
        .iter()
        .rev()
        .find_map(|it| Some((it.say(path, shape)?, it.lately)));
    match spoken {
        None | Some((false, _)) => Ignored::No,
        Some((true, false)) => Ignored::Yes,
        Some((true, true)) => Ignored::Lately,
    }
}
