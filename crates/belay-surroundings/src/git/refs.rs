//! References: branches, tags, remote-tracking branches, `HEAD`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{Id, Repository, parse_id};
use crate::limits;
use crate::look::{self, Gap, Kind};

/// What a reference holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// Another reference.
    Name(String),
    /// An object.
    Id(Id),
}

/// How many references may lead to one another.
const CHAIN: usize = 5;

/// References by name, as packed together in one file.
pub type Packed = BTreeMap<String, Id>;

impl Repository {
    /// Returns what a reference holds; nothing when there is none.
    pub fn held(&self, name: &str) -> Result<Option<Held>, Gap> {
        if !is_name(name) {
            return Err(Gap::Closed);
        }
        match look::whole(&self.place_of(name), 4096) {
            Ok(text) => parse_held(&text).map(Some).ok_or(Gap::Closed),
            Err(Gap::Absent) => Ok(self.packed_refs()?.get(name).copied().map(Held::Id)),
            // A folder of references is no reference.
            Err(Gap::Closed) if look::is_folder(&self.place_of(name)) => {
                Ok(self.packed_refs()?.get(name).copied().map(Held::Id))
            }
            Err(Gap::Closed) => Err(Gap::Closed),
        }
    }

    /// Returns the object a reference leads to; nothing when there is none.
    pub fn reference(&self, name: &str) -> Result<Option<Id>, Gap> {
        let mut name = name.to_owned();
        for _ in 0..CHAIN {
            match self.held(&name)? {
                None => return Ok(None),
                Some(Held::Id(id)) => return Ok(Some(id)),
                Some(Held::Name(next)) => name = next,
            }
        }
        Err(Gap::Closed)
    }

    /// Returns the branch that is checked out; nothing when none is.
    pub fn branch(&self) -> Result<Option<String>, Gap> {
        match self.held("HEAD")? {
            Some(Held::Name(name)) => Ok(name.strip_prefix("refs/heads/").map(str::to_owned)),
            Some(Held::Id(_)) => Ok(None),
            None => Err(Gap::Closed),
        }
    }

    /// Returns all references whose name begins so; the prefix ends with a slash.
    pub fn references(&self, prefix: &str) -> Result<BTreeMap<String, Id>, Gap> {
        let mut found: BTreeMap<String, Id> = self
            .packed_refs()?
            .range(prefix.to_owned()..)
            .take_while(|(name, _)| name.starts_with(prefix))
            .map(|(name, id)| (name.clone(), *id))
            .collect();
        let mut folders = vec![prefix.to_owned()];
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            for name in self.loose_names(&folder)? {
                seen += 1;
                if seen > limits::REFERENCES {
                    return Err(Gap::Closed);
                }
                let name = format!("{folder}{name}");
                match look::kind(&self.common.join(&name))? {
                    Kind::Folder => folders.push(name + "/"),
                    Kind::File | Kind::Executable | Kind::Link => {
                        if let Some(id) = self.reference(&name)? {
                            found.insert(name, id);
                        }
                    }
                    Kind::Other => return Err(Gap::Closed),
                }
            }
        }
        Ok(found)
    }

    fn loose_names(&self, folder: &str) -> Result<Vec<String>, Gap> {
        match look::names(&self.common.join(folder)) {
            Ok(names) => Ok(names
                .into_iter()
                .filter(|it| !it.ends_with(".lock"))
                .collect()),
            Err(Gap::Absent) => Ok(Vec::new()),
            Err(Gap::Closed) => Err(Gap::Closed),
        }
    }

    fn place_of(&self, name: &str) -> PathBuf {
        let own = !name.starts_with("refs/")
            || ["refs/bisect/", "refs/worktree/", "refs/rewritten/"]
                .iter()
                .any(|it| name.starts_with(it));
        if own {
            self.git_dir.join(name)
        } else {
            self.common.join(name)
        }
    }

    fn packed_refs(&self) -> Result<&Packed, Gap> {
        self.packed
            .get_or_init(|| self.read_packed())
            .as_ref()
            .map_err(|gap| *gap)
    }

    fn read_packed(&self) -> Result<Packed, Gap> {
        if !self.has_plain_refs() {
            return Err(Gap::Closed);
        }
        let text = match look::whole(&self.common.join("packed-refs"), limits::PACKED_REFS) {
            Ok(bytes) => String::from_utf8(bytes).map_err(|_| Gap::Closed)?,
            Err(Gap::Absent) => return Ok(Packed::new()),
            Err(Gap::Closed) => return Err(Gap::Closed),
        };
        let lines = text.lines().filter(|it| !it.starts_with(['#', '^']));
        lines
            .map(|line| parse_packed(line).ok_or(Gap::Closed))
            .collect()
    }
}

fn parse_packed(line: &str) -> Option<(String, Id)> {
    let (id, name) = line.split_once(' ')?;
    Some((name.to_owned(), parse_id(id)?))
}

fn parse_held(text: &[u8]) -> Option<Held> {
    let text = std::str::from_utf8(text).ok()?.trim_end();
    match text.strip_prefix("ref:") {
        Some(name) => Some(Held::Name(name.trim().to_owned())),
        None => parse_id(text).map(Held::Id),
    }
}

/// Tells whether a name can be one of a reference, so that no other file is ever read as one.
pub fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .split('/')
            .all(|part| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock"))
        && !name.contains("..")
        && !name.contains("@{")
        && !name.contains(|it: char| it.is_ascii_control() || " ~^:?*[\\".contains(it))
}
