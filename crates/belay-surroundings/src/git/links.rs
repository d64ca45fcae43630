//! Links that a commit holds: where they would lead once it is checked out.

use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use belay_model::Answer;

use super::objects::ObjectKind;
use super::repository::Repository;
use super::trees::leaves;
use super::{Id, path_of};
use crate::limits;
use crate::look::Gap;

/// The mode of a link.
const LINK: u32 = 0o120_000;

/// What kind of thing a mode speaks of.
const KIND: u32 = 0o170_000;

/// A walk through the trees of a commit that the working tree has not.
struct Walk<'a> {
    repository: &'a Repository,
    top: &'a Path,
    /// The trees that the working tree has, which need no look.
    known: Vec<Id>,
    /// How many trees were read.
    read: usize,
    /// Each link and where it leads, parted by a NUL.
    found: Vec<String>,
}

/// Stands for what is tracked now.
const INDEX: &str = ":";

/// So many trees are read.
const TREES: usize = 4_000;

impl Repository {
    /// Says which links of a commit lead out of the working tree; `No` where there is too much to look at.
    pub fn links_of(&self, revision: &str) -> Result<Answer, Gap> {
        let top = self.top.as_deref().ok_or(Gap::Closed)?;
        let mut walk = Walk {
            repository: self,
            top,
            known: Vec::new(),
            read: 0,
            found: Vec::new(),
        };
        if revision == INDEX {
            walk.index()?;
            return Ok(Answer::Names(walk.found));
        }
        let Some(id) = self.revision(revision)? else {
            return Ok(Answer::Unknown);
        };
        let (_, commit) = self.objects().commit(&id)?;
        let known = self.index().map(|(index, _)| index.trees());
        walk.known = known.unwrap_or_default().into_values().collect();
        walk.known.sort_unstable();
        Ok(match walk.tree(&commit.tree, Path::new(""), 0)? {
            true => Answer::Names(walk.found),
            false => Answer::No,
        })
    }
}

impl Walk<'_> {
    /// Looks at all tracked files.
    fn index(&mut self) -> Result<(), Gap> {
        let repository = self.repository;
        let (index, _) = repository.index()?;
        for slot in &index.slots {
            let entry = index.entry(slot);
            if entry.mode & KIND == LINK {
                self.link(&entry.id, path_of(index.name(slot)))?;
            }
        }
        Ok(())
    }

    /// Walks a tree; returns whether all of it was seen.
    fn tree(&mut self, id: &Id, folder: &Path, depth: usize) -> Result<bool, Gap> {
        if self.known.binary_search(id).is_ok() {
            return Ok(true);
        }
        self.read += 1;
        let many = self.read > TREES || self.found.len() > limits::LOSSES;
        if many || depth > limits::DEPTH {
            return Ok(false);
        }
        for (name, leaf) in leaves(self.repository.objects(), id)? {
            let path = folder.join(path_of(&name));
            if leaf.is_tree() {
                if !self.tree(&leaf.id, &path, depth + 1)? {
                    return Ok(false);
                }
            } else if leaf.mode & KIND == LINK {
                self.link(&leaf.id, &path)?;
            }
        }
        Ok(true)
    }

    /// Notes a link that leads out of the working tree.
    fn link(&mut self, id: &Id, path: &Path) -> Result<(), Gap> {
        let object = self.repository.objects().read(id)?;
        if object.kind != ObjectKind::Blob {
            return Err(Gap::Closed);
        }
        let from = self.top.join(path);
        let to = from
            .parent()
            .unwrap_or(self.top)
            .join(path_of(&object.bytes));
        let to = plain(&to);
        if to.starts_with(self.top) {
            return Ok(());
        }
        let text = [
            from.as_os_str().as_bytes(),
            b"\0",
            to.as_os_str().as_bytes(),
        ]
        .concat();
        self.found
            .push(String::from_utf8(text).map_err(|_| Gap::Closed)?);
        Ok(())
    }
}

/// Returns a path without `.` and `..`, as its text says.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::Normal(name) => plain.push(name),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    plain
}
