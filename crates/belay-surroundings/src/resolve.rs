//! Follows links as the system would, and further: past the first part that is missing.

use std::cell::RefCell;
use std::collections::BTreeMap;
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
    Ways::default().resolve(path)
}

/// The ways that were walked so far: each place on them is looked at once, so that all answers of a world agree.
#[derive(Debug, Default)]
pub struct Ways {
    seen: RefCell<BTreeMap<OsString, Result<Kind, Gap>>>,
    walked: RefCell<BTreeMap<OsString, Result<Led, Gap>>>,
}

impl Ways {
    /// Follows every link on the way, the last one too.
    pub fn resolve(&self, path: &Path) -> Result<Led, Gap> {
        if let Some(known) = self.walked.borrow().get(path.as_os_str()) {
            return known.clone();
        }
        let led = self.walk(path);
        let mut walked = self.walked.borrow_mut();
        if walked.len() < limits::WAYS {
            walked.insert(path.as_os_str().to_owned(), led.clone());
        }
        led
    }

    fn walk(&self, path: &Path) -> Result<Led, Gap> {
        if !path.is_absolute() {
            return Err(Gap::Closed);
        }
        let mut walk = Walk {
            ways: self,
            done: PathBuf::with_capacity(path.as_os_str().len() + 1),
            links: 0,
            missing: false,
        };
        walk.done.push("/");
        walk.along(path)?;
        Ok(if walk.missing {
            Led::Nowhere(walk.done)
        } else {
            Led::There(walk.done)
        })
    }

    /// Follows every link on the way except the last, which is what a deletion would take away.
    pub fn resolve_parent(&self, path: &Path) -> Result<PathBuf, Gap> {
        match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => Ok(self.resolve(parent)?.place().join(name)),
            _ => Ok(self.resolve(path)?.place()),
        }
    }

    /// Returns what is at the path itself, links not followed.
    pub fn kind(&self, path: &Path) -> Result<Kind, Gap> {
        if let Some(known) = self.seen.borrow().get(path.as_os_str()) {
            return *known;
        }
        let found = kind(path);
        let mut seen = self.seen.borrow_mut();
        if seen.len() < limits::WAYS {
            seen.insert(path.as_os_str().to_owned(), found);
        }
        found
    }
}

struct Walk<'a> {
    ways: &'a Ways,
    done: PathBuf,
    links: usize,
    missing: bool,
}

impl Walk<'_> {
    /// Goes on along a path; where a link leads comes before what is left of it.
    fn along(&mut self, path: &Path) -> Result<(), Gap> {
        if path.components().count() > limits::PARTS {
            return Err(Gap::Closed);
        }
        for part in path.components() {
            match part {
                Component::Normal(name) => self.step(name)?,
                Component::ParentDir => {
                    self.done.pop();
                }
                Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
            }
        }
        Ok(())
    }

    fn step(&mut self, name: &OsStr) -> Result<(), Gap> {
        self.done.push(name);
        if self.missing {
            return Ok(());
        }
        match self.ways.kind(&self.done) {
            Ok(Kind::Link) => self.follow(),
            Ok(Kind::File | Kind::Executable | Kind::Folder | Kind::Other) => Ok(()),
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
        self.along(&target)
    }
}
