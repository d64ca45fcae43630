//! The real answers.

use std::path::{Path, PathBuf};

use belay_model::{Answer, Question, Surroundings};

use crate::limits;
use crate::look::{self, Gap};
use crate::program::SearchPath;
use crate::resolve::{Led, resolve};

/// From where the world is looked at. Nothing of it is checked or read before a question needs it.
#[derive(Clone, Debug, Default)]
pub struct Standpoint {
    /// The folder the call runs in.
    pub cwd: String,
    /// The user's home folder.
    pub home: Option<String>,
    /// Where commands are looked for: folders parted by colons.
    pub search_path: String,
    /// The folder of the user's settings (`XDG_CONFIG_HOME`), if it is not the usual one.
    pub config_home: Option<String>,
    /// Files of the machine's own git configuration; empty for the usual ones.
    pub system_config: Vec<String>,
}

/// Answers by looking at the disk.
#[derive(Debug, Default)]
pub struct World {
    from: Standpoint,
}

impl World {
    /// Makes a world seen from there; looks at nothing yet.
    #[must_use]
    pub fn new(from: Standpoint) -> Self {
        Self { from }
    }

    fn program(&self, name: &str) -> Answer {
        if name.is_empty() || name.contains(['/', '\0']) {
            return Answer::Unknown;
        }
        let search = SearchPath {
            folders: &self.from.search_path,
            cwd: Path::new(&self.from.cwd),
        };
        match search.find(name) {
            Some(path) => path_answer(Answer::Path, path),
            None => Answer::Missing(name.to_owned()),
        }
    }
}

impl Surroundings for World {
    fn ask(&self, question: &Question) -> Answer {
        match question {
            Question::Resolve(path) => at(path, resolved),
            Question::Kind(path) => at(path, kind),
            Question::Text(path, limit) => at(path, |it| text(it, *limit)),
            Question::Entries(path, limit) => at(path, |it| entries(it, *limit)),
            Question::Program(name) => self.program(name),
            _ => Answer::Unknown,
        }
    }
}

/// Answers about a path, if it is one that can be looked at.
fn at(path: &str, look: impl Fn(&Path) -> Answer) -> Answer {
    if path.starts_with('/') && !path.contains('\0') {
        look(Path::new(path))
    } else {
        Answer::Unknown
    }
}

fn resolved(path: &Path) -> Answer {
    match resolve(path) {
        Ok(Led::There(place)) => path_answer(Answer::Path, place),
        Ok(Led::Nowhere(place)) => path_answer(Answer::Missing, place),
        Err(_) => Answer::Unknown,
    }
}

fn kind(path: &Path) -> Answer {
    match look::kind(path) {
        Ok(kind) => Answer::Name(kind.word().to_owned()),
        Err(gap) => gap_answer(gap, path),
    }
}

fn text(path: &Path, limit: u32) -> Answer {
    // The place behind all links is opened, so that none can lead to what a look must not open.
    let place = match resolve(path) {
        Ok(led) => led.place(),
        Err(gap) => return gap_answer(gap, path),
    };
    match look::beginning(&place, u64::from(limit).min(limits::TEXT)) {
        Ok((bytes, whole)) => Answer::Text(bytes, whole),
        Err(gap) => gap_answer(gap, &place),
    }
}

fn entries(path: &Path, limit: u32) -> Answer {
    match look::names(path) {
        Ok(mut names) => {
            names.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
            Answer::Names(names)
        }
        Err(gap) => gap_answer(gap, path),
    }
}

fn gap_answer(gap: Gap, path: &Path) -> Answer {
    match gap {
        Gap::Absent => path_answer(Answer::Missing, path.to_owned()),
        Gap::Closed => Answer::Unknown,
    }
}

/// A path that is no text cannot be spoken of.
fn path_answer(kind: fn(String) -> Answer, path: PathBuf) -> Answer {
    path.into_os_string()
        .into_string()
        .map_or(Answer::Unknown, kind)
}
