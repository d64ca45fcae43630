//! Links that a pattern meets on its way: where they lead.
//!
//! INVARIANT: who cannot see everything says so, and never that no link is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use belay_model::Answer;
use belay_model::glob::{Dialect, Starts, Token, first_letter, matches};

use crate::limits;
use crate::resolve::Ways;

/// A search for links.
pub struct Search<'a> {
    ways: &'a Ways,
    /// The folder that the pattern begins in, with its links followed.
    base: PathBuf,
    led: BTreeSet<String>,
    seen: usize,
}

/// There is too much to look at.
struct TooMuch;

impl<'a> Search<'a> {
    /// Returns where the links lead that a pattern meets, each with what is left of the pattern behind it; `No` where
    /// there is too much to look at.
    pub fn along(pattern: &Path, ways: &'a Ways) -> Answer {
        let Some(text) = pattern.to_str() else {
            return Answer::Unknown;
        };
        let parts: Vec<&str> = text.split('/').filter(|it| !it.is_empty()).collect();
        let plain = parts.iter().take_while(|it| !is_wild(it)).count();
        let (base, rest) = parts.split_at_checked(plain).unwrap_or_default();
        let base = Path::new("/").join(base.join("/"));
        let Ok(base) = ways.resolve(&base).map(crate::resolve::Led::place) else {
            return Answer::Unknown;
        };
        let mut search = Self {
            ways,
            base: base.clone(),
            led: BTreeSet::new(),
            seen: 0,
        };
        match search.walk(&base, rest, 0) {
            Ok(()) => Answer::Names(search.led.into_iter().collect()),
            Err(TooMuch) => Answer::No,
        }
    }

    /// Looks at what the first part of a pattern finds in a folder.
    fn walk(&mut self, folder: &Path, parts: &[&str], depth: usize) -> Result<(), TooMuch> {
        let Some((part, rest)) = parts.split_first() else {
            return Ok(());
        };
        if depth > limits::DEPTH {
            return Err(TooMuch);
        }
        let deep = is_deep(part);
        if deep && !rest.is_empty() {
            self.walk(folder, rest, depth + 1)?;
        }
        if !deep && !is_wild(part) {
            return self.meet(&folder.join(part), parts, depth);
        }
        // What is no folder, or cannot be read, is no way to anywhere.
        let Ok(entries) = fs::read_dir(folder) else {
            return Ok(());
        };
        for entry in entries.flatten() {
            self.seen += 1;
            if self.seen > limits::ENTRIES {
                return Err(TooMuch);
            }
            let name = entry.file_name();
            let found = deep || name.to_str().is_none_or(|it| matches_name(part, it));
            let is_way = entry
                .file_type()
                .is_ok_and(|it| it.is_dir() || it.is_symlink());
            if found && is_way {
                self.meet(&entry.path(), parts, depth)?;
            }
        }
        Ok(())
    }

    /// Goes on behind a place that the first part of a pattern names: into the folder, or where the link leads.
    fn meet(&mut self, path: &Path, parts: &[&str], depth: usize) -> Result<(), TooMuch> {
        let first = parts.first().copied().unwrap_or_default();
        let behind = parts.get(1..).unwrap_or_default();
        let rest = if is_deep(first) { parts } else { behind };
        match fs::symlink_metadata(path) {
            // A search that follows no links still names them.
            Ok(it) if it.is_symlink() && first == UNFOLLOWED => match behind {
                [] => self.follow(path, behind, depth),
                [_, ..] => Ok(()),
            },
            Ok(it) if it.is_symlink() => self.follow(path, rest, depth),
            Ok(it) if it.is_dir() => self.walk(path, rest, depth + 1),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Notes where a link leads, and goes on there with what is left of the pattern.
    fn follow(&mut self, link: &Path, rest: &[&str], depth: usize) -> Result<(), TooMuch> {
        let Ok(led) = self.ways.resolve(link).map(crate::resolve::Led::place) else {
            return Ok(());
        };
        let deep = rest.first() == Some(&"**");
        // In what is no folder lies nothing.
        if rest.iter().any(|it| !is_deep(it)) && !led.is_dir() {
            return Ok(());
        }
        // What lies in a tree that is walked as a whole is met there anyway.
        if deep && led.starts_with(&self.base) {
            return Ok(());
        }
        let Some(text) = led.join(rest.join("/")).to_str().map(str::to_owned) else {
            return Err(TooMuch);
        };
        self.led.insert(text.trim_end_matches('/').to_owned());
        if self.led.len() > limits::LOSSES {
            return Err(TooMuch);
        }
        match deep {
            true => Ok(()),
            false => self.walk(&led, rest, depth + 1),
        }
    }
}

/// Stands for any folders that are no links, and at its end for a link too.
const UNFOLLOWED: &str = "***";

/// Tells whether a part of a pattern may stand for several folders in each other.
fn is_deep(part: &str) -> bool {
    part == "**" || part == UNFOLLOWED
}

/// Tells whether a part of a pattern may stand for more than one name.
fn is_wild(part: &str) -> bool {
    part.contains(['*', '?', '['])
}

/// Tells whether a part of a pattern matches a name. A set may hold any letter.
fn matches_name(part: &str, name: &str) -> bool {
    part.contains(['[', '(', '\\']) || matches(&Names, part.as_bytes(), name.as_bytes())
}

/// Names of files, as far as the shells agree.
struct Names;

impl Dialect for Names {
    fn token<'g>(&self, glob: &'g [u8], _starts: Starts) -> (Token<'g>, &'g [u8]) {
        match first_letter(glob) {
            Some(('*', rest)) => (Token::Star, rest),
            Some(('?', rest)) => (Token::One, rest),
            Some((letter, rest)) => (Token::Letter(letter), rest),
            None => (Token::Never, glob),
        }
    }

    fn holds(&self, _set: &[u8], _letter: char) -> bool {
        true
    }
}
