//! Follows links as the system would, and further: past the first part that is missing.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::limits;
use crate::look::{Gap, Kind, kind};

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Led {
    /// To something.
    There(PathBuf),
    /// To nothing; where it would be.
    Nowhere(PathBuf),
}

impl Led {
    /// Returns the place, whether something is there or not.
    pub fn place(self) -> PathBuf {
        match self {
            Self::There(path) | Self::Nowhere(path) => path,
        }
    }
}

/// Follows every link on the way, the last one too.
pub fn resolve(path: &Path) -> Result<Led, Gap> {
    let mut walk = Walk::new(path)?;
    while let Some(part) = walk.ahead.pop_front() {
        walk.step(&part)?;
    }
    Ok(if walk.missing {
        Led::Nowhere(walk.done)
    } else {
        Led::There(walk.done)
    })
}

/// Follows every link on the way except the last, which is what a deletion would take away.
pub fn resolve_parent(path: &Path) -> Result<PathBuf, Gap> {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => Ok(resolve(parent)?.place().join(name)),
        _ => Ok(resolve(path)?.place()),
    }
}

struct Walk {
    done: PathBuf,
    ahead: VecDeque<OsString>,
    links: usize,
    missing: bool,
}

impl Walk {
    fn new(path: &Path) -> Result<Self, Gap> {
        let mut walk = Self {
            done: PathBuf::from("/"),
            ahead: VecDeque::new(),
            links: 0,
            missing: false,
        };
        walk.prepend(path)?;
        if path.is_absolute() {
            Ok(walk)
        } else {
            Err(Gap::Closed)
        }
    }

    fn prepend(&mut self, path: &Path) -> Result<(), Gap> {
        for part in path.components().rev() {
            match part {
                Component::Normal(name) => self.ahead.push_front(name.to_owned()),
                Component::ParentDir => self.ahead.push_front(OsString::from("..")),
                Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
            }
        }
        if self.ahead.len() > limits::PARTS {
            return Err(Gap::Closed);
        }
        Ok(())
    }

    fn step(&mut self, part: &OsStr) -> Result<(), Gap> {
        if part == ".." {
            self.done.pop();
            return Ok(());
        }
        self.done.push(part);
        if self.missing {
            return Ok(());
        }
        match kind(&self.done) {
            Ok(Kind::Link) => self.follow(),
            Ok(_) => Ok(()),
            Err(Gap::Absent) => {
                self.missing = true;
                Ok(())
            }
            Err(Gap::Closed) => Err(Gap::Closed),
        }
    }

    fn follow(&mut self) -> Result<(), Gap> {
        self.links += 1;
        // Links below `/proc` lead elsewhere for us than for the program that would follow them.
        if self.links > limits::LINKS || self.done.starts_with("/proc") {
            return Err(Gap::Closed);
        }
        let target = fs::read_link(&self.done)?;
        self.done.pop();
        if target.is_absolute() {
            self.done = PathBuf::from("/");
        }
        self.prepend(&target)
    }
}
