//! What the index holds that the last commit does not.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::time::UNIX_EPOCH;

use super::Id;
use super::changes::changes;
use super::compare::{Comparer, State};
use super::index::{Index, Slot};
use super::objects::{ObjectKind, Objects};
use super::repository::Repository;
use super::status::{Known, lossy};
use super::tally::{Loss, Tally};
use crate::limits;
use crate::look::Gap;

impl Repository {
    /// Counts tracked files that differ from the last commit, on disk or staged.
    pub fn working_tree(&self, known: &dyn Known) -> Result<Tally, Gap> {
        let (index, _) = self.index()?;
        self.differing(0..index.slots.len(), known)
    }

    /// Counts files of a range of the index that differ from the last commit, on disk or staged.
    pub fn differing(&self, range: Range<usize>, known: &dyn Known) -> Result<Tally, Gap> {
        let (index, written) = self.index()?;
        let top = self.top.as_deref().ok_or(Gap::Closed)?;
        let within = index.slots.get(range.clone()).unwrap_or_default();
        let mut tally = changes(self, range, known)?;
        let mut comparer = Comparer::new(written);
        for slot in self.staged()? {
            // Slots stand in the order of their places.
            if within.binary_search_by_key(&slot.at(), Slot::at).is_err() {
                continue;
            }
            let (name, entry) = (index.name(slot), index.entry(slot));
            let path = top.join(super::path_of(name));
            // A file that differs on disk too was counted there.
            if matches!(comparer.compare(&path, &entry), State::Differs(_)) {
                continue;
            }
            if known.own(&path) {
                tally.ours += 1;
            } else {
                let modified = fs::symlink_metadata(&path).and_then(|it| it.modified());
                tally.lose(Loss::Changed, lossy(name), modified.unwrap_or(UNIX_EPOCH));
            }
        }
        Ok(tally)
    }

    /// Returns the contents of the entries that are not in the last commit as they are.
    pub(super) fn staged_ids(&self, index: &Index) -> Result<Vec<Id>, Gap> {
        let staged = self.staged()?;
        Ok(staged.into_iter().map(|it| index.entry(it).id).collect())
    }

    /// Returns the entries that are not in the last commit as they are.
    fn staged(&self) -> Result<Vec<&Slot>, Gap> {
        let (index, _) = self.index()?;
        let mut compared = Compared {
            index,
            objects: self.objects(),
            known: index.trees(),
            found: Vec::new(),
        };
        match self.reference("HEAD")? {
            None => Ok(index.slots.iter().collect()),
            Some(head) => {
                let (_, commit) = self.objects().commit(&head)?;
                compared.folder(b"", commit.tree, 0)?;
                Ok(compared.found)
            }
        }
    }
}

/// A comparison of the index with a tree.
struct Compared<'a> {
    index: &'a Index,
    objects: &'a Objects,
    known: BTreeMap<Vec<u8>, Id>,
    found: Vec<&'a Slot>,
}

impl<'a> Compared<'a> {
    /// Compares a folder, whose name ends with a slash or is empty, with its tree.
    fn folder(&mut self, folder: &[u8], tree: Id, depth: usize) -> Result<(), Gap> {
        let path = folder.strip_suffix(b"/").unwrap_or(folder);
        if self.known.get(path) == Some(&tree) {
            return Ok(());
        }
        if depth > limits::DEPTH {
            return Err(Gap::Closed);
        }
        let held = self.tree(&tree)?;
        let mut range = self.index.below(folder);
        while let Some(slot) = self
            .index
            .slots
            .get(range.start)
            .filter(|_| !range.is_empty())
        {
            let below = self
                .index
                .name(slot)
                .get(folder.len()..)
                .unwrap_or_default();
            match below.iter().position(|it| *it == b'/') {
                None => {
                    if held.get(below) != Some(&self.index.entry(slot).id) {
                        self.found.push(slot);
                    }
                    range.start += 1;
                }
                Some(slash) => {
                    let part = below.get(..slash).unwrap_or_default();
                    let inner = [folder, part, b"/"].concat();
                    let inside = self.index.below(&inner);
                    match held.get(part) {
                        Some(tree) => self.folder(&inner, *tree, depth + 1)?,
                        None => self
                            .found
                            .extend(self.index.slots.get(inside.clone()).unwrap_or_default()),
                    }
                    range.start = inside.end.max(range.start + 1);
                }
            }
        }
        Ok(())
    }

    fn tree(&self, id: &Id) -> Result<BTreeMap<Vec<u8>, Id>, Gap> {
        let object = self.objects.read(id)?;
        if object.kind != ObjectKind::Tree {
            // A file where the index has a folder: nothing of the folder is in the commit.
            return Ok(BTreeMap::new());
        }
        parse_tree(&object.bytes).ok_or(Gap::Closed)
    }
}

fn parse_tree(mut bytes: &[u8]) -> Option<BTreeMap<Vec<u8>, Id>> {
    let mut held = BTreeMap::new();
    while !bytes.is_empty() {
        let space = bytes.iter().position(|it| *it == b' ')?;
        let rest = bytes.get(space + 1..)?;
        let end = rest.iter().position(|it| *it == 0)?;
        let (id, after) = rest.get(end + 1..)?.split_first_chunk::<20>()?;
        held.insert(rest.get(..end)?.to_vec(), *id);
        bytes = after;
    }
    Some(held)
}
