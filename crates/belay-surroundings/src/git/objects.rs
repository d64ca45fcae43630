//! Commits and trees, wherever git keeps them.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::pack::{Pack, Packed};
use super::{Id, id_text, parse_id};
use crate::limits;
use crate::look::{self, Gap};

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// A state of the project, with its past.
    Commit,
    /// A folder.
    Tree,
    /// A file.
    Blob,
    /// A name with a message.
    Tag,
}

impl ObjectKind {
    /// Returns the word that git writes for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Commit => "commit",
            Self::Tree => "tree",
            Self::Blob => "blob",
            Self::Tag => "tag",
        }
    }

    fn from_word(word: &[u8]) -> Option<Self> {
        match word {
            b"commit" => Some(Self::Commit),
            b"tree" => Some(Self::Tree),
            b"blob" => Some(Self::Blob),
            b"tag" => Some(Self::Tag),
            _ => None,
        }
    }
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// A commit, as far as its past goes.
#[derive(Clone, Debug)]
pub struct Commit {
    /// The project's folder.
    pub tree: Id,
    /// What it was made from.
    pub parents: Vec<Id>,
    /// When, in seconds.
    pub date: i64,
    /// The first line of its message.
    pub subject: String,
}

/// All objects of a repository.
#[derive(Debug)]
pub struct Objects {
    folders: Vec<PathBuf>,
    packs: OnceCell<Result<Vec<Pack>, Gap>>,
}

impl Objects {
    /// Names the objects of a repository, and those it borrows from others.
    pub fn of(common: &Path) -> Self {
        let mut folders = vec![common.join("objects")];
        let mut at = 0;
        while let Some(folder) = folders.get(at).cloned() {
            at += 1;
            let borrowed = look::text(&folder.join("info/alternates")).unwrap_or_default();
            let borrowed = borrowed
                .lines()
                .filter(|it| !it.is_empty() && !it.starts_with('#'));
            for other in borrowed.map(|it| folder.join(it)) {
                if folders.len() < limits::NESTED * 4 && !folders.contains(&other) {
                    folders.push(other);
                }
            }
        }
        Self {
            folders,
            packs: OnceCell::new(),
        }
    }

    /// Returns an object.
    pub fn read(&self, id: &Id) -> Result<Object, Gap> {
        for folder in &self.folders {
            match look::whole(&loose_path(folder, id), limits::OBJECT) {
                Ok(bytes) => return loose(&bytes).ok_or(Gap::Closed),
                Err(Gap::Absent) => {}
                Err(Gap::Closed) => return Err(Gap::Closed),
            }
        }
        self.packed(id)
    }

    fn packs(&self) -> Result<&[Pack], Gap> {
        let packs = self.packs.get_or_init(|| {
            let mut packs = Vec::new();
            for folder in &self.folders {
                packs.extend(Pack::all_in(&folder.join("pack"))?);
            }
            Ok(packs)
        });
        packs.as_deref().map_err(|gap| *gap)
    }

    fn packed(&self, id: &Id) -> Result<Object, Gap> {
        for pack in self.packs()? {
            if let Some(offset) = pack.find(id)? {
                return self.unpack(pack, offset);
            }
        }
        Err(Gap::Absent)
    }

    /// Follows an object through what it was made from, then makes it again.
    fn unpack(&self, pack: &Pack, mut offset: u64) -> Result<Object, Gap> {
        let mut deltas = Vec::new();
        let mut object = loop {
            if deltas.len() > limits::DELTAS {
                return Err(Gap::Closed);
            }
            match pack.read(offset)? {
                Packed::Whole(object) => break object,
                Packed::From(base, delta) => {
                    offset = base;
                    deltas.push(delta);
                }
                Packed::Of(base, delta) => {
                    deltas.push(delta);
                    match pack.find(&base)? {
                        Some(base) => offset = base,
                        None => break self.read_elsewhere(&base)?,
                    }
                }
            }
        };
        for delta in deltas.iter().rev() {
            object.bytes = super::pack::apply(&object.bytes, delta).ok_or(Gap::Closed)?;
        }
        Ok(object)
    }

    /// A base outside its pack is a whole object; anything else is not written by git.
    fn read_elsewhere(&self, id: &Id) -> Result<Object, Gap> {
        let bytes = self
            .folders
            .iter()
            .find_map(|it| look::whole(&loose_path(it, id), limits::OBJECT).ok());
        bytes.and_then(|it| loose(&it)).ok_or(Gap::Closed)
    }

    /// Returns a commit; a tag leads to what it names.
    pub fn commit(&self, id: &Id) -> Result<(Id, Commit), Gap> {
        let mut id = *id;
        for _ in 0..limits::NESTED {
            let object = self.read(&id)?;
            match object.kind {
                ObjectKind::Commit => {
                    return Ok((id, parse_commit(&object.bytes).ok_or(Gap::Closed)?));
                }
                ObjectKind::Tag => id = tagged(&object.bytes).ok_or(Gap::Closed)?,
                ObjectKind::Tree | ObjectKind::Blob => return Err(Gap::Closed),
            }
        }
        Err(Gap::Closed)
    }

    /// Returns the object whose name begins so; nothing when there is none.
    pub fn abbreviated(&self, start: &str) -> Result<Option<Id>, Gap> {
        let mut found: Vec<Id> = Vec::new();
        let (folder_name, rest) = start.split_at_checked(2).ok_or(Gap::Closed)?;
        for folder in &self.folders {
            let names = match look::names(&folder.join(folder_name)) {
                Ok(names) => names,
                Err(Gap::Absent) => Vec::new(),
                Err(Gap::Closed) => return Err(Gap::Closed),
            };
            let names = names.iter().filter(|it| it.starts_with(rest));
            found.extend(names.filter_map(|it| parse_id(&format!("{folder_name}{it}"))));
        }
        for pack in self.packs()? {
            found.extend(pack.abbreviated(start)?);
        }
        found.sort_unstable();
        found.dedup();
        match found.as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(*only)),
            _ => Err(Gap::Closed),
        }
    }
}

fn loose_path(folder: &Path, id: &Id) -> PathBuf {
    let name = id_text(id);
    let (first, rest) = name.split_at_checked(2).unwrap_or_default();
    folder.join(first).join(rest)
}

fn loose(bytes: &[u8]) -> Option<Object> {
    let limit = usize::try_from(limits::OBJECT).ok()?;
    let mut bytes = decompress_to_vec_zlib_with_limit(bytes, limit).ok()?;
    let end = bytes.iter().position(|it| *it == 0)?;
    let kind = bytes.get(..end)?.split(|it| *it == b' ').next()?;
    let kind = ObjectKind::from_word(kind)?;
    bytes.drain(..=end);
    Some(Object { kind, bytes })
}

fn header<'a>(line: &'a [u8], name: &str) -> Option<&'a str> {
    std::str::from_utf8(line).ok()?.strip_prefix(name)
}

fn parse_commit(bytes: &[u8]) -> Option<Commit> {
    let mut lines = bytes.split(|it| *it == b'\n');
    let tree = parse_id(header(lines.next()?, "tree ")?)?;
    let mut parents = Vec::new();
    let mut date = None;
    for line in lines.by_ref().take_while(|it| !it.is_empty()) {
        if let Some(parent) = line.strip_prefix(b"parent ") {
            parents.push(parse_id(std::str::from_utf8(parent).ok()?)?);
        } else if line.starts_with(b"committer ") {
            let mut words = line.rsplit(|it| *it == b' ').skip(1);
            date = std::str::from_utf8(words.next()?).ok()?.parse().ok();
        }
    }
    let subject = lines
        .next()
        .map(|it| String::from_utf8_lossy(it).into_owned());
    Some(Commit {
        tree,
        parents,
        date: date.unwrap_or_default(),
        subject: subject.unwrap_or_default(),
    })
}

fn tagged(bytes: &[u8]) -> Option<Id> {
    parse_id(header(bytes.split(|it| *it == b'\n').next()?, "object ")?)
}
