//! The index: which files are tracked, and what they looked like when git last saw them.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Id;
use crate::look::Gap;

/// Everything git says of one tracked file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    name: (u32, u32),
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

    /// Returns the kind bits.
    pub const fn kind(&self) -> u32 {
        self.mode & 0o170_000
    }
}

/// All tracked files, in the order of their names.
#[derive(Debug, Default)]
pub struct Index {
    /// The files.
    pub entries: Vec<Entry>,
    /// The trees of folders, as they are written in the index.
    trees: Vec<u8>,
    names: Vec<u8>,
}

impl Index {
    /// Reads an index; one of a kind that we do not know is closed.
    pub fn parse(bytes: &[u8]) -> Result<Self, Gap> {
        parse(bytes).ok_or(Gap::Closed)
    }

    /// Returns the name of an entry, from the top on.
    pub fn name(&self, entry: &Entry) -> &[u8] {
        self.names
            .get(entry.name.0 as usize..entry.name.1 as usize)
            .unwrap_or_default()
    }

    /// Returns the places of a file's entries: one, or one for each side of a conflict.
    pub fn named(&self, name: &[u8]) -> Range<usize> {
        let start = self.entries.partition_point(|it| self.name(it) < name);
        let rest = self.entries.get(start..).unwrap_or_default();
        start..start + rest.partition_point(|it| self.name(it) == name)
    }

    /// Returns the entry of a file; the first side when it is in conflict.
    pub fn find(&self, name: &[u8]) -> Option<&Entry> {
        let at = self.entries.partition_point(|it| self.name(it) < name);
        self.entries.get(at).filter(|it| self.name(it) == name)
    }

    /// Returns the places of all entries below a folder; its name ends with a slash, or is empty.
    pub fn below(&self, folder: &[u8]) -> Range<usize> {
        let start = self.entries.partition_point(|it| self.name(it) < folder);
        let rest = self.entries.get(start..).unwrap_or_default();
        start..start + rest.partition_point(|it| self.name(it).starts_with(folder))
    }

    /// Returns the trees of the folders that were not changed since their tree was last written;
    /// the names have no slash at their end.
    pub fn trees(&self) -> BTreeMap<Vec<u8>, Id> {
        trees(&self.trees).unwrap_or_default()
    }
}

/// Takes numbers and bytes off the front.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
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

fn parse(bytes: &[u8]) -> Option<Index> {
    let body = bytes.len().checked_sub(20)?;
    let mut reader = Reader {
        rest: bytes.get(..body)?,
    };
    if reader.take(4)? != b"DIRC" {
        return None;
    }
    let version = reader.u32()?;
    let count = reader.u32()? as usize;
    // The smallest entry has 63 bytes: a count beyond that is a lie, not a reason to reserve memory.
    if !(2..=4).contains(&version) || count > bytes.len() / 63 {
        return None;
    }
    let mut index = Index {
        entries: Vec::with_capacity(count),
        names: Vec::with_capacity(bytes.len().saturating_sub(count * 62)),
        trees: Vec::new(),
    };
    for _ in 0..count {
        entry(&mut reader, &mut index, version)?;
    }
    extensions(&mut reader, &mut index)?;
    Some(index)
}

fn entry(reader: &mut Reader<'_>, index: &mut Index, version: u32) -> Option<()> {
    let before = reader.rest.len();
    let changed = (reader.u32()?, reader.u32()?);
    let modified = (reader.u32()?, reader.u32()?);
    reader.take(4)?;
    let inode = reader.u32()?;
    let mode = reader.u32()?;
    reader.take(8)?;
    let size = reader.u32()?;
    let id = reader.id()?;
    let flags = reader.u16()?;
    if flags & 0x4000 != 0 {
        if version < 3 {
            return None;
        }
        reader.take(2)?;
    }
    let name = if version == 4 {
        compressed_name(reader, index)?
    } else {
        plain_name(reader, index, (flags & 0x0fff, before))?
    };
    let entry = Entry {
        name,
        changed,
        modified,
        inode,
        mode,
        size,
        id,
        stage: (flags >> 12 & 3) as u8,
    };
    // A folder as an entry means a sparse index, which we do not read.
    let known = matches!(entry.kind(), 0o100_000 | Entry::LINK | Entry::REPOSITORY);
    let ordered = index
        .entries
        .last()
        .is_none_or(|last| (index.name(last), last.stage) < (index.name(&entry), entry.stage));
    (known && ordered).then(|| index.entries.push(entry))
}

fn plain_name(
    reader: &mut Reader<'_>,
    index: &mut Index,
    (length, before): (u16, usize),
) -> Option<(u32, u32)> {
    let name = if length < 0x0fff {
        reader.take(usize::from(length))?
    } else {
        let end = reader.rest.iter().position(|it| *it == 0)?;
        reader.take(end)?
    };
    let used = before - reader.rest.len();
    reader.take(8 - used % 8)?;
    let start = index.names.len();
    index.names.extend_from_slice(name);
    span(start, index.names.len())
}

fn compressed_name(reader: &mut Reader<'_>, index: &mut Index) -> Option<(u32, u32)> {
    let dropped = reader.offset()?;
    let (start, end) = index.entries.last().map_or((0, 0), |it| it.name);
    let kept = (end as usize).checked_sub(dropped)?;
    let suffix = reader.until(0)?;
    let new = index.names.len();
    index
        .names
        .extend_from_within(start as usize..kept.max(start as usize));
    (kept >= start as usize).then(|| index.names.extend_from_slice(suffix))?;
    span(new, index.names.len())
}

fn span(start: usize, end: usize) -> Option<(u32, u32)> {
    Some((u32::try_from(start).ok()?, u32::try_from(end).ok()?))
}

/// Reads what follows the entries; an extension that must be understood and is not ends it.
fn extensions(reader: &mut Reader<'_>, index: &mut Index) -> Option<()> {
    while !reader.rest.is_empty() {
        let name = reader.take(4)?;
        let length = reader.u32()? as usize;
        let body = reader.take(length)?;
        if name == b"TREE" {
            index.trees = body.to_vec();
        } else if !name.first()?.is_ascii_uppercase() {
            return None;
        }
    }
    Some(())
}

/// Reads the known trees, which are written folder by folder, each before what it holds.
fn trees(body: &[u8]) -> Option<BTreeMap<Vec<u8>, Id>> {
    let mut reader = Reader { rest: body };
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
