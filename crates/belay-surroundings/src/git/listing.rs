//! What stands in a folder, by one pass over it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::CStr;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};

use super::ignore::Shape;
use super::index::Index;
use super::parts;

/// From so many folders on, several processors read them faster than one.
const WORTH_A_THREAD: usize = 24;

/// A name in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed<'a> {
    /// The name alone.
    pub own: &'a [u8],
    /// What it is.
    pub shape: Shape,
}

/// What a folder holds beside its tracked files. The names lie in one text: there may be many, and few are looked at twice.
#[derive(Debug, Default)]
pub struct Listing {
    names: Vec<u8>,
    /// Where each name ends, and what it is.
    ends: Vec<(usize, Shape)>,
    /// How many names the folder has, those of tracked files included.
    pub count: usize,
    /// Not all could be read.
    pub doubtful: bool,
    /// Another repository may begin here.
    pub may_be_repository: bool,
    /// It may have ignore rules of its own.
    pub may_have_rules: bool,
}

/// The tracked files of one folder.
#[derive(Clone, Debug)]
pub struct Tracked<'a> {
    /// All tracked files.
    pub index: &'a Index,
    /// The folder's name from the top on, with its slash; empty for the top.
    pub folder: &'a [u8],
    /// Where the files below it stand in the index.
    pub range: Range<usize>,
}

impl Tracked<'_> {
    fn has(&self, own: &[u8]) -> bool {
        self.index.has(self.range.clone(), self.folder, own)
    }
}

impl Listing {
    /// Reads a folder, and no more than so many names and one; nothing where it cannot be opened.
    pub fn of(path: &Path, tracked: &Tracked<'_>, most: usize) -> Option<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let folder = rustix::fs::open(path, flags, Mode::empty()).ok()?;
        let mut folder = Dir::new(folder).ok()?;
        let mut found = Self::default();
        while let Some(entry) = folder.read() {
            let Ok(entry) = entry else {
                found.doubtful = true;
                break;
            };
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let kind = match entry.file_type() {
                FileType::Unknown => kind_of(&folder, name),
                kind @ (FileType::RegularFile
                | FileType::Directory
                | FileType::Symlink
                | FileType::Fifo
                | FileType::Socket
                | FileType::CharacterDevice
                | FileType::BlockDevice) => kind,
            };
            match kind {
                FileType::Unknown => found.doubtful = true,
                FileType::Directory => found.push(name.to_bytes(), Shape::Folder, tracked),
                FileType::RegularFile
                | FileType::Symlink
                | FileType::Fifo
                | FileType::Socket
                | FileType::CharacterDevice
                | FileType::BlockDevice => found.push(name.to_bytes(), Shape::File, tracked),
            }
            if found.count > most {
                found.doubtful = true;
                break;
            }
        }
        Some(found)
    }

    fn push(&mut self, name: &[u8], shape: Shape, tracked: &Tracked<'_>) {
        self.count += 1;
        // Some file systems read a name in more ways than one: only the system can tell then.
        let may_be = |it: &[u8]| name.eq_ignore_ascii_case(it) || !name.is_ascii();
        self.may_be_repository |= may_be(b".git");
        self.may_have_rules |= may_be(b".gitignore");
        // Tracked files are compared together, when all others are known.
        if shape == Shape::Folder || !tracked.has(name) {
            self.names.extend_from_slice(name);
            self.ends.push((self.names.len(), shape));
        }
    }

    /// Returns each name and what it is.
    pub fn iter(&self) -> impl Iterator<Item = Listed<'_>> {
        let mut from = 0;
        self.ends.iter().map(move |(to, shape)| {
            let own = self.names.get(from..*to).unwrap_or_default();
            from = *to;
            Listed { own, shape: *shape }
        })
    }
}

/// The folders of one working tree that were read: a judgement walks it more than once, and looks at one world.
#[derive(Debug, Default)]
pub struct Folders(RefCell<BTreeMap<Vec<u8>, Rc<Listing>>>);

impl Folders {
    /// Reads folders below a top, and about so many names; nothing stands for one that is not wanted or cannot be opened.
    pub fn all(
        &self,
        top: &Path,
        wanted: &[Option<Tracked<'_>>],
        most: usize,
    ) -> Vec<Option<Rc<Listing>>> {
        let known = |it: &Tracked<'_>| self.0.borrow().get(it.folder).cloned();
        let new = wanted
            .iter()
            .map(|it| it.as_ref().filter(|it| known(it).is_none()));
        let new: Vec<Option<&Tracked<'_>>> = new.collect();
        let read = read(top, &new, most);
        for (folder, listing) in new.iter().zip(read) {
            if let (Some(folder), Some(listing)) = (folder, listing) {
                let name = folder.folder.to_vec();
                self.0.borrow_mut().insert(name, Rc::new(listing));
            }
        }
        wanted.iter().map(|it| known(it.as_ref()?)).collect()
    }
}

/// Reads folders, on several processors where there are many.
fn read(top: &Path, folders: &[Option<&Tracked<'_>>], most: usize) -> Vec<Option<Listing>> {
    let left = AtomicUsize::new(most);
    let list = |it: &Option<&Tracked<'_>>| {
        let it = (*it)?;
        let most = left.load(Ordering::Relaxed);
        let found = Listing::of(&top.join(super::path_of(it.folder)), it, most)?;
        left.fetch_min(most.saturating_sub(found.count), Ordering::Relaxed);
        Some(found)
    };
    let work = |part: &[_]| part.iter().map(list).collect::<Vec<_>>();
    let done = parts::each(folders, WORTH_A_THREAD, work).into_iter();
    done.flat_map(|(part, found)| found.unwrap_or_else(|| part.iter().map(|_| None).collect()))
        .collect()
}

/// Asks what a name is where the folder does not say.
fn kind_of(folder: &Dir, name: &CStr) -> FileType {
    let seen = folder
        .fd()
        .and_then(|it| rustix::fs::statat(it, name, AtFlags::SYMLINK_NOFOLLOW));
    seen.map_or(FileType::Unknown, |it| FileType::from_raw_mode(it.st_mode))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Index, Listing, Shape, Tracked};

    fn listed(path: &Path, most: usize) -> Option<Listing> {
        let tracked = Tracked {
            index: &Index::default(),
            folder: b"",
            range: 0..0,
        };
        Listing::of(path, &tracked, most)
    }

    #[test]
    fn a_folder_is_read_once_with_the_shape_of_each_name() {
        let keep = tempfile::TempDir::new().unwrap();
        std::fs::write(keep.path().join("a"), "").unwrap();
        std::fs::create_dir(keep.path().join("b")).unwrap();
        let found = listed(keep.path(), 10).unwrap();
        let mut names: Vec<_> = found.iter().map(|it| (it.own, it.shape)).collect();
        names.sort_by_key(|it| it.0);
        assert_eq!(
            names,
            [(b"a".as_slice(), Shape::File), (b"b", Shape::Folder)]
        );
        assert!(listed(&keep.path().join("a"), 10).is_none());
        assert_eq!(listed(keep.path(), 0).unwrap().count, 1);
    }

    #[test]
    fn a_name_that_a_file_system_may_read_as_another_is_looked_up() {
        let keep = tempfile::TempDir::new().unwrap();
        let marks = || {
            let found = listed(keep.path(), 10).unwrap();
            (found.may_be_repository, found.may_have_rules)
        };
        std::fs::write(keep.path().join("git"), "").unwrap();
        assert_eq!(marks(), (false, false));
        std::fs::write(keep.path().join(".GIT"), "").unwrap();
        assert_eq!(marks(), (true, false));
        std::fs::write(keep.path().join(".g\u{200c}itignore"), "").unwrap();
        assert_eq!(marks(), (true, true));
    }
}
