//! The index: which files are tracked, and what they looked like when git last saw them.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Id;
use crate::look::Gap;

/// Where one tracked file is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    at: u32,
    name: Name,
}

/// Where a name is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Name {
    start: u32,
    end: u32,
}

impl Name {
    fn at(range: Range<usize>) -> Option<Self> {
        Some(Self {
            start: u32::try_from(range.start).ok()?,
            end: u32::try_from(range.end).ok()?,
        })
    }
}

impl Slot {
    /// Returns where it is described: a number that grows with the names.
    pub const fn at(&self) -> u32 {
        self.at
    }
}

/// Everything git says of one tracked file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When its state last changed, in seconds and parts of them.
    pub changed: (u32, u32),
    /// When its contents last changed.
    pub modified: (u32, u32),
    /// Its number on the disk.
    pub inode: u32,
    /// Kind and rights.
    pub mode: u32,
    /// Its length, cut to 32 bits.
    pub size: u32,
    /// Its contents.
    pub id: Id,
    /// Its side of a conflict; 0 when there is none.
    pub stage: u8,
}

impl Entry {
    /// The kind bits of a link.
    pub const LINK: u32 = 0o120_000;
    /// The kind bits of another repository.
    pub const REPOSITORY: u32 = 0o160_000;
    /// What is said of a file of which nothing can be read: it is in conflict with everything.
    const UNREADABLE: Self = Self {
        changed: (0, 0),
        modified: (0, 0),
        inode: 0,
        mode: 0,
        size: 0,
        id: [0; 20],
        stage: 1,
    };

    /// Returns the kind bits.
    pub const fn kind(&self) -> u32 {
        self.mode & 0o170_000
    }

    /// Reads a description; the flags at its end come second.
    fn parse(reader: &mut Reader<'_>) -> Option<(Self, u16)> {
        let changed = (reader.u32()?, reader.u32()?);
        let modified = (reader.u32()?, reader.u32()?);
        reader.take(4)?;
        let inode = reader.u32()?;
        let mode = reader.u32()?;
        reader.take(8)?;
        let size = reader.u32()?;
        let id = reader.id()?;
        let flags = reader.u16()?;
        let stage = (flags >> 12 & 3) as u8;
        let entry = Self {
            changed,
            modified,
            inode,
            mode,
            size,
            id,
            stage,
        };
        Some((entry, flags))
    }
}

/// All tracked files, in the order of their names. Only their places are kept apart: an index can be
/// large, and few of its files are ever asked for.
#[derive(Debug, Default)]
pub struct Index {
    /// The files.
    pub slots: Vec<Slot>,
    bytes: Vec<u8>,
    /// Names put together from parts; the others lie in `bytes`.
    names: Option<Vec<u8>>,
    /// Where the trees of folders are written.
    trees: Range<usize>,
    /// Whether other repositories are among the files.
    pub holds_repositories: bool,
}

impl Index {
    /// Reads an index; one of a kind that we do not know is closed.
    pub fn parse(bytes: Vec<u8>) -> Result<Self, Gap> {
        let mut index = Self::default();
        parse(&bytes, &mut index).ok_or(Gap::Closed)?;
        index.bytes = bytes;
        Ok(index)
    }

    /// Returns the name of a file, from the top on.
    pub fn name(&self, slot: &Slot) -> &[u8] {
        let names = self.names.as_ref().unwrap_or(&self.bytes);
        name_in(names, slot.name)
    }

    /// Returns the name of the file at a place.
    pub fn name_at(&self, place: usize) -> &[u8] {
        self.slots.get(place).map_or(b"", |it| self.name(it))
    }

    /// Returns what git says of a file.
    pub fn entry(&self, slot: &Slot) -> Entry {
        let rest = self.bytes.get(slot.at as usize..).unwrap_or_default();
        Entry::parse(&mut Reader::new(rest)).map_or(Entry::UNREADABLE, |(entry, _)| entry)
    }

    /// Returns the places of a file's entries: one, or one for each side of a conflict.
    pub fn named(&self, name: &[u8]) -> Range<usize> {
        let start = self.slots.partition_point(|it| self.name(it) < name);
        let rest = self.slots.get(start..).unwrap_or_default();
        start..start + rest.partition_point(|it| self.name(it) == name)
    }

    /// Returns the entry of a file; the first side when it is in conflict.
    pub fn find(&self, name: &[u8]) -> Option<Entry> {
        let at = self.slots.partition_point(|it| self.name(it) < name);
        let slot = self.slots.get(at).filter(|it| self.name(it) == name)?;
        Some(self.entry(slot))
    }

    /// Returns the places of all entries below a folder; its name ends with a slash, or is empty.
    pub fn below(&self, folder: &[u8]) -> Range<usize> {
        self.below_in(0..self.slots.len(), folder)
    }

    /// Returns the places of all entries below a folder, when they lie in a range.
    pub fn below_in(&self, range: Range<usize>, folder: &[u8]) -> Range<usize> {
        let within = self.slots.get(range.clone()).unwrap_or_default();
        let start = within.partition_point(|it| self.name(it) < folder);
        let rest = within.get(start..).unwrap_or_default();
        let start = range.start + start;
        start..start + rest.partition_point(|it| self.name(it).starts_with(folder))
    }

    /// Tells whether a folder has a tracked file of that name; the range is that of all below the folder.
    pub fn has(&self, range: Range<usize>, folder: &[u8], own: &[u8]) -> bool {
        let within = self.slots.get(range).unwrap_or_default();
        let below = |it: &Slot| self.name(it).get(folder.len()..).unwrap_or_default();
        let at = within.partition_point(|it| below(it) < own);
        within.get(at).is_some_and(|it| below(it) == own)
    }

    /// Returns the trees of the folders that were not changed since their tree was last written;
    /// the names have no slash at their end.
    pub fn trees(&self) -> BTreeMap<Vec<u8>, Id> {
        let body = self.bytes.get(self.trees.clone()).unwrap_or_default();
        trees(body).unwrap_or_default()
    }
}

fn name_in(names: &[u8], name: Name) -> &[u8] {
    names
        .get(name.start as usize..name.end as usize)
        .unwrap_or_default()
}

/// Takes numbers and bytes off the front.
struct Reader<'a> {
    rest: &'a [u8],
    /// How many bytes there were.
    whole: usize,
}

impl<'a> Reader<'a> {
    const fn new(rest: &'a [u8]) -> Self {
        Self {
            rest,
            whole: rest.len(),
        }
    }

    /// Returns how many bytes were taken.
    const fn at(&self) -> usize {
        self.whole - self.rest.len()
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        let (taken, rest) = self.rest.split_first_chunk::<4>()?;
        self.rest = rest;
        Some(u32::from_be_bytes(*taken))
    }

    fn u16(&mut self) -> Option<u16> {
        let (taken, rest) = self.rest.split_first_chunk::<2>()?;
        self.rest = rest;
        Some(u16::from_be_bytes(*taken))
    }

    fn id(&mut self) -> Option<Id> {
        let (taken, rest) = self.rest.split_first_chunk::<20>()?;
        self.rest = rest;
        Some(*taken)
    }

    fn until(&mut self, end: u8) -> Option<&'a [u8]> {
        let at = self.rest.iter().position(|it| *it == end)?;
        let taken = self.take(at)?;
        self.take(1)?;
        Some(taken)
    }

    /// The number of bytes to drop from the name before, as version 4 writes it.
    fn offset(&mut self) -> Option<usize> {
        let mut byte = *self.take(1)?.first()?;
        let mut value = usize::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            byte = *self.take(1)?.first()?;
            value = value
                .checked_add(1)?
                .checked_mul(128)?
                .checked_add(usize::from(byte & 0x7f))?;
        }
        Some(value)
    }
}

fn parse(bytes: &[u8], index: &mut Index) -> Option<()> {
    let body = bytes.get(..bytes.len().checked_sub(20)?)?;
    let mut reader = Reader::new(body);
    if reader.take(4)? != b"DIRC" {
        return None;
    }
    let version = reader.u32()?;
    let count = reader.u32()? as usize;
    // The smallest entry has 63 bytes: a count beyond that is a lie, not a reason to reserve memory.
    if !(2..=4).contains(&version) || count > bytes.len() / 63 {
        return None;
    }
    index.slots.reserve_exact(count);
    index.names = (version == 4).then(Vec::new);
    let mut last_stage = 0;
    for _ in 0..count {
        let stage = slot(&mut reader, index, version)?;
        let stages = Stages {
            last: last_stage,
            this: stage,
        };
        ordered(body, index, stages)?;
        last_stage = stage;
    }
    extensions(&mut reader, index)
}

/// Reads one entry; returns its side of a conflict.
fn slot(reader: &mut Reader<'_>, index: &mut Index, version: u32) -> Option<u8> {
    let at = reader.at();
    // Of most entries only the name is ever asked for; the rest is read then.
    reader.take(24)?;
    let kind = reader.u32()? & 0o170_000;
    reader.take(32)?;
    let flags = reader.u16()?;
    // A folder as an entry means a sparse index, which we do not read.
    if !matches!(kind, 0o100_000 | Entry::LINK | Entry::REPOSITORY) {
        return None;
    }
    index.holds_repositories |= kind == Entry::REPOSITORY;
    if flags & 0x4000 != 0 {
        if version < 3 {
            return None;
        }
        reader.take(2)?;
    }
    let name = match &mut index.names {
        Some(names) => compressed_name(reader, names, index.slots.last())?,
        None => plain_name(reader, flags & 0x0fff, at)?,
    };
    index.slots.push(Slot {
        at: u32::try_from(at).ok()?,
        name,
    });
    Some((flags >> 12 & 3) as u8)
}

/// The stages of two neighbours.
struct Stages {
    last: u8,
    this: u8,
}

/// The names must stand in their order, or no search would find them.
fn ordered(body: &[u8], index: &Index, stages: Stages) -> Option<()> {
    let names = index.names.as_deref().unwrap_or(body);
    match index.slots.as_slice() {
        [.., last, this] => {
            let (last, this) = (name_in(names, last.name), name_in(names, this.name));
            ((last, stages.last) < (this, stages.this)).then_some(())
        }
        _ => Some(()),
    }
}

fn plain_name(reader: &mut Reader<'_>, length: u16, at: usize) -> Option<Name> {
    let start = reader.at();
    let length = if length < 0x0fff {
        usize::from(length)
    } else {
        reader.rest.iter().position(|it| *it == 0)?
    };
    reader.take(length)?;
    let used = start + length - at;
    reader.take(8 - used % 8)?;
    Name::at(start..start + length)
}

fn compressed_name(
    reader: &mut Reader<'_>,
    names: &mut Vec<u8>,
    last: Option<&Slot>,
) -> Option<Name> {
    let dropped = reader.offset()?;
    let Name { start, end } = last.map(|it| it.name).unwrap_or_default();
    let kept = (end as usize)
        .checked_sub(dropped)
        .filter(|it| *it >= start as usize)?;
    let suffix = reader.until(0)?;
    let new = names.len();
    names.extend_from_within(start as usize..kept);
    names.extend_from_slice(suffix);
    Name::at(new..names.len())
}

/// Reads what follows the entries; an extension that must be understood and is not ends it.
fn extensions(reader: &mut Reader<'_>, index: &mut Index) -> Option<()> {
    while !reader.rest.is_empty() {
        let name = reader.take(4)?;
        let length = reader.u32()? as usize;
        let start = reader.at();
        reader.take(length)?;
        if name == b"TREE" {
            index.trees = start..start + length;
        } else if !name.first()?.is_ascii_uppercase() {
            return None;
        }
    }
    Some(())
}

/// Reads the known trees, which are written folder by folder, each before what it holds.
fn trees(body: &[u8]) -> Option<BTreeMap<Vec<u8>, Id>> {
    let mut reader = Reader::new(body);
    let mut found = BTreeMap::new();
    let mut open: Vec<(Vec<u8>, usize)> = Vec::new();
    while !reader.rest.is_empty() {
        let part = reader.until(0)?;
        let count: i64 = text(reader.until(b' ')?)?;
        let inner: usize = text(reader.until(b'\n')?)?;
        let path = match open.last_mut() {
            Some((outer, left)) => {
                *left = left.checked_sub(1)?;
                let slash: &[u8] = if outer.is_empty() { b"" } else { b"/" };
                [outer.as_slice(), slash, part].concat()
            }
            None => part.to_vec(),
        };
        if count >= 0 {
            found.insert(path.clone(), reader.id()?);
        }
        open.push((path, inner));
        while open.last().is_some_and(|(_, left)| *left == 0) {
            open.pop();
        }
    }
    Some(found)
}

fn text<N: std::str::FromStr>(bytes: &[u8]) -> Option<N> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An index of version 2 with these names, in their order.
    fn index(names: &[&str]) -> Vec<u8> {
        let mut bytes = b"DIRC\0\0\0\x02".to_vec();
        bytes.extend(u32::try_from(names.len()).unwrap().to_be_bytes());
        for name in names {
            let start = bytes.len();
            bytes.extend([0; 24]);
            bytes.extend(0o100_644_u32.to_be_bytes());
            bytes.extend([0; 12 + 20]);
            bytes.extend(u16::try_from(name.len()).unwrap().to_be_bytes());
            bytes.extend(name.as_bytes());
            bytes.resize(bytes.len() + 8 - (bytes.len() - start) % 8, 0);
        }
        bytes.extend(b"TREE\0\0\0\x19\x000 0\n");
        bytes.extend([7; 20]);
        bytes.extend([0; 20]);
        bytes
    }

    #[test]
    fn names_are_found() {
        let index = Index::parse(index(&["a", "d/b", "d/c", "d0", "e"])).unwrap();
        assert!(index.find(b"d/c").is_some() && index.find(b"d").is_none());
        assert_eq!(index.below(b"d/"), 1..3);
        assert_eq!(index.named(b"d0"), 3..4);
        assert_eq!(index.trees().get(b"".as_slice()), Some(&[7; 20]));
    }

    #[test]
    fn names_out_of_order_are_refused() {
        assert!(Index::parse(index(&["b", "a"])).is_err());
        assert!(Index::parse(index(&["a", "a"])).is_err());
    }

    proptest! {
        #[test]
        fn a_damaged_index_does_no_harm(at in 0_usize..600, byte: u8, cut in 0_usize..600) {
            let mut bytes = index(&["a", "d/b", "d/c", "d0", "e", "f/g/h"]);
            let length = bytes.len();
            bytes[at % length] = byte;
            bytes.truncate(length - cut.min(length) / 4);
            bytes.splice(7..8, [[2, 3, 4][cut % 3]]);
            if let Ok(index) = Index::parse(bytes) {
                for slot in &index.slots {
                    index.entry(slot);
                    index.name(slot);
                }
                index.trees();
            }
        }
    }
}
