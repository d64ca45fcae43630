//! Trees of commits, read and compared with the index.

use std::collections::{BTreeMap, BTreeSet};

use super::Id;
use super::index::Index;
use super::objects::{ObjectKind, Objects};
use crate::limits;
use crate::look::Gap;

/// What one name in a tree stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    /// Its mode, as git has it.
    pub mode: u32,
    /// What it leads to.
    pub id: Id,
}

impl Leaf {
    /// Tells whether it is a folder.
    pub const fn is_tree(&self) -> bool {
        self.mode & 0o170_000 == 0o040_000
    }
}

/// What a tree holds, by name.
pub type Leaves = BTreeMap<Vec<u8>, Leaf>;

/// Reads the names of a tree.
pub fn leaves(objects: &Objects, id: &Id) -> Result<Leaves, Gap> {
    let object = objects.read(id)?;
    match object.kind {
        ObjectKind::Tree => parsed(&object.bytes).ok_or(Gap::Closed),
        ObjectKind::Commit | ObjectKind::Blob | ObjectKind::Tag => Err(Gap::Closed),
    }
}

fn parsed(mut bytes: &[u8]) -> Option<Leaves> {
    let mut held = Leaves::new();
    while !bytes.is_empty() {
        let space = bytes.iter().position(|it| *it == b' ')?;
        let mode = std::str::from_utf8(bytes.get(..space)?).ok()?;
        let mode = u32::from_str_radix(mode, 8).ok()?;
        let rest = bytes.get(space + 1..)?;
        let end = rest.iter().position(|it| *it == 0)?;
        let (id, after) = rest.get(end + 1..)?.split_first_chunk::<20>()?;
        held.insert(rest.get(..end)?.to_vec(), Leaf { mode, id: *id });
        bytes = after;
    }
    Some(held)
}

/// Compares the index with a tree, both ways.
pub struct Unlike<'a> {
    /// The index.
    pub index: &'a Index,
    /// Where trees are read.
    pub objects: &'a Objects,
    /// Trees that are known to be like the index, by folder.
    pub known: BTreeMap<Vec<u8>, Id>,
    /// What differs.
    pub paths: &'a mut BTreeSet<Vec<u8>>,
}

impl Unlike<'_> {
    /// Compares a folder of the index with a tree.
    pub fn folder(&mut self, folder: &[u8], tree: Id, depth: usize) -> Result<(), Gap> {
        let path = folder.strip_suffix(b"/").unwrap_or(folder);
        if self.known.get(path) == Some(&tree) {
            return Ok(());
        }
        if depth > limits::DEPTH {
            return Err(Gap::Closed);
        }
        let mut held = leaves(self.objects, &tree)?;
        let mut range = self.index.below(folder);
        while let Some(slot) = self
            .index
            .slots
            .get(range.start)
            .filter(|_| !range.is_empty())
        {
            let name = self.index.name(slot);
            let below = name.get(folder.len()..).unwrap_or_default();
            match below.iter().position(|it| *it == b'/') {
                None => {
                    let entry = self.index.entry(slot);
                    let there = held.remove(below);
                    if there.is_none_or(|it| it.id != entry.id || it.mode != entry.mode) {
                        self.paths.insert(name.to_vec());
                    }
                    range.start += 1;
                }
                Some(slash) => {
                    let part = below.get(..slash).unwrap_or_default();
                    let inner = [folder, part, b"/"].concat();
                    let inside = self.index.below(&inner);
                    match held.remove(part) {
                        Some(leaf) if leaf.is_tree() => self.folder(&inner, leaf.id, depth + 1)?,
                        Some(_) | None => {
                            self.paths.insert([folder, part].concat());
                        }
                    }
                    range.start = inside.end.max(range.start + 1);
                }
            }
        }
        // What the tree has and the index has not: it would be made, whatever lies there.
        self.paths
            .extend(held.into_keys().map(|it| [folder, &it].concat()));
        Ok(())
    }
}
