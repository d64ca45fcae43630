//! Gives back what was kept. INVARIANT: no link is followed below the root, what lies there now is kept before it is
//! replaced, and nothing is touched before all that will be written was found unaltered.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::FileType;
use rustix::io::Errno;
use sha2::{Digest, Sha256};

use crate::beneath::{self, Spot};
use crate::copy::hex;
use crate::error::UndoError;
use crate::loss::{Loss, Sieve, Taken, Told, Wish};
use crate::manifest::{Contents, Entry, Kind, Manifest};
use crate::plan::Seen;
use crate::store::{Limits, Store};
use crate::write::Writer;

/// Whoever waits for an undo has more time than a hook.
const PATIENCE: Duration = Duration::from_secs(120);

/// What shall be given back, and where.
#[derive(Clone, Debug, Default)]
pub struct Undo {
    /// Which keep.
    pub id: String,
    /// Only this path, below the root or absolute, and what is below it.
    pub only: Option<PathBuf>,
    /// Into this folder instead of where it was.
    pub into: Option<PathBuf>,
    /// Whether it is only shown.
    pub only_shown: bool,
}

/// What becomes of one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// It is as it was.
    Same,
    /// It was gone and is made again.
    Made,
    /// Something newer lies there: that is kept, then replaced.
    Replaced,
    /// It was not there before: what is there now is kept, then removed.
    Removed,
    /// It cannot be made again: why.
    Left(String),
}

/// One path and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The path below the root.
    pub path: PathBuf,
    /// What becomes of it.
    pub deed: Deed,
}

/// What an undo did, or would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The folder that it was restored into.
    pub root: PathBuf,
    /// Path by path.
    pub changes: Vec<Change>,
    /// As what the newer work is kept, where there was any.
    pub newer: Option<String>,
}

impl Store {
    /// Gives back what is kept.
    ///
    /// # Errors
    /// When it is not known, altered, or cannot be written.
    pub fn undo(&self, undo: &Undo) -> Result<Report, UndoError> {
        let manifest = self.manifest(&undo.id)?;
        let root = self.place(undo, &manifest)?;
        let chosen = chosen(undo, &manifest);
        let blobs = self.folder().join(&undo.id);
        if undo.only_shown && !root.is_dir() {
            let made = chosen.iter().map(|it| made(it)).collect();
            return Ok(Report {
                root,
                changes: made,
                newer: None,
            });
        }
        let opened = beneath::root(&root).map_err(|why| UndoError::at(&root)(why.into()))?;
        let look = Look { root: &opened };
        let changes: Vec<Change> = chosen.iter().map(|it| look.change(it)).collect();
        let mut report = Report {
            root,
            changes,
            newer: None,
        };
        if undo.only_shown {
            return Ok(report);
        }
        let todo = || chosen.iter().zip(&report.changes);
        for (entry, change) in todo() {
            if let (Kind::File(contents), Deed::Made | Deed::Replaced) = (&entry.kind, &change.deed)
            {
                unaltered(&blobs, contents)
                    .ok_or_else(|| UndoError::Altered(entry.path.clone()))?;
            }
        }
        report.newer = self.keep_newer(&report, &manifest)?;
        let mut writer = Writer::new(&opened, &blobs);
        for (entry, change) in chosen.iter().zip(&report.changes) {
            let written = writer.apply(entry, &change.deed);
            written.map_err(UndoError::at(report.root.join(&entry.path)))?;
        }
        writer.finish();
        Ok(report)
    }

    fn place(&self, undo: &Undo, manifest: &Manifest) -> Result<PathBuf, UndoError> {
        let root = match &undo.into {
            Some(folder) if undo.only_shown => return Ok(folder.clone()),
            Some(folder) => {
                fs::create_dir_all(folder).map_err(UndoError::at(folder))?;
                fs::canonicalize(folder).map_err(UndoError::at(folder))?
            }
            None => manifest.head.root.clone(),
        };
        match root.is_dir() {
            true => Ok(root),
            false => Err(UndoError::RootGone(root)),
        }
    }

    /// Keeps what will be replaced, so that an undo can be undone.
    fn keep_newer(
        &self,
        report: &Report,
        manifest: &Manifest,
    ) -> Result<Option<String>, UndoError> {
        let newer = report.changes.iter().filter(|it| match it.deed {
            Deed::Replaced | Deed::Removed => true,
            Deed::Same | Deed::Made | Deed::Left(_) => false,
        });
        let losses: Vec<Loss> = newer
            .map(|it| Loss::Place {
                path: report.root.join(&it.path),
                taken: Taken::Unlinked,
            })
            .collect();
        if losses.is_empty() {
            return Ok(None);
        }
        let store = Self::below_folder(
            self.folder(),
            Limits {
                time: PATIENCE,
                max_files: u64::MAX,
                max_bytes: u64::MAX,
                ..self.limits
            },
        );
        let wish = Wish {
            told: Told {
                command: format!("belay undo {}", manifest.head.id),
                cwd: report.root.display().to_string(),
                ..Told::default()
            },
            roots: std::slice::from_ref(&report.root),
            home: None,
            losses: &losses,
            sieve: &Everything,
        };
        store.kept(&wish).map(Some).map_err(UndoError::NewerNotKept)
    }
}

/// A person's own undo keeps everything.
struct Everything;

impl Sieve for Everything {
    fn is_artefact(&self, _: &Path) -> bool {
        false
    }

    fn is_secret(&self, _: &Path) -> bool {
        false
    }

    fn is_ordinary(&self, _: &Path) -> bool {
        true
    }
}

fn made(entry: &Entry) -> Change {
    Change {
        path: entry.path.clone(),
        deed: Deed::Made,
    }
}

/// Returns the entries that are wanted; with a single path also the folders it lies in.
fn chosen<'m>(undo: &Undo, manifest: &'m Manifest) -> Vec<&'m Entry> {
    let Some(only) = &undo.only else {
        return manifest.entries.iter().collect();
    };
    let only = only.strip_prefix(&manifest.head.root).unwrap_or(only);
    let only = only.strip_prefix(".").unwrap_or(only);
    let wanted = |it: &&Entry| it.path.starts_with(only);
    if !manifest.entries.iter().any(|it| wanted(&it)) {
        return Vec::new();
    }
    let above = |it: &&Entry| it.kind == Kind::Folder && only.starts_with(&it.path);
    let all = manifest.entries.iter();
    all.filter(|it| wanted(it) || above(it)).collect()
}

/// Returns the contents of a kept file when they are what they were.
fn unaltered(blobs: &Path, contents: &Contents) -> Option<()> {
    let mut file = File::open(blobs.join(plain_name(&contents.blob)?)).ok()?;
    file.seek(io::SeekFrom::Start(contents.at)).ok()?;
    let hash = hashed(&mut file.take(contents.size), contents.size).ok()?;
    (hash == contents.hash).then_some(())
}

/// Returns the name of a blob, if it is one: no manifest leads out of its folder.
pub fn plain_name(name: &str) -> Option<&str> {
    let plain = !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric());
    plain.then_some(name)
}

fn hashed(file: &mut dyn Read, size: u64) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; 64 << 10];
    let mut left = size;
    while left > 0 {
        match file.read(&mut chunk)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                hasher.update(chunk.get(..count).unwrap_or_default());
                left = left.saturating_sub(count as u64);
            }
        }
    }
    Ok(hex(&hasher.finalize()))
}

/// A look at what lies there now.
struct Look<'a> {
    root: &'a OwnedFd,
}

impl Look<'_> {
    fn change(&self, entry: &Entry) -> Change {
        Change {
            path: entry.path.clone(),
            deed: self.deed(entry),
        }
    }

    fn deed(&self, entry: &Entry) -> Deed {
        let spot = match Spot::find(self.root, &entry.path) {
            Ok(spot) => spot,
            Err(Errno::NOENT) => return missing(entry),
            Err(Errno::NOTDIR | Errno::LOOP) => {
                // What lies on the way is listed itself where it was a folder, and is replaced first.
                return missing(entry);
            }
            Err(why) => return Deed::Left(why.to_string()),
        };
        match spot.stat() {
            Err(Errno::NOENT) => missing(entry),
            Err(why) => Deed::Left(why.to_string()),
            Ok(_) if entry.kind == Kind::Absent => Deed::Removed,
            Ok(seen) => {
                let kind = FileType::from_raw_mode(seen.st_mode);
                let same_mode = entry.mode == 0 || Seen(seen).mode() & 0o777 == entry.mode & 0o777;
                let same = match &entry.kind {
                    Kind::Folder => kind.is_dir(),
                    Kind::Link(target) => {
                        kind.is_symlink() && {
                            let now = rustix::fs::readlinkat(
                                &spot.folder,
                                spot.name.as_os_str(),
                                Vec::new(),
                            );
                            now.is_ok_and(|it| {
                                std::ffi::OsString::from_vec(it.into_bytes()) == *target
                            })
                        }
                    }
                    Kind::Pipe => kind.is_fifo(),
                    Kind::Other => true,
                    Kind::Absent => false,
                    Kind::File(contents) => {
                        kind.is_file() && same_mode && self.holds(&entry.path, contents)
                    }
                };
                if same { Deed::Same } else { Deed::Replaced }
            }
        }
    }

    fn holds(&self, path: &Path, contents: &Contents) -> bool {
        let flags = rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::NONBLOCK;
        let Ok(opened) = beneath::open(self.root, path, flags) else {
            return false;
        };
        let mut file = File::from(opened);
        let same_size = file.metadata().is_ok_and(|it| it.len() == contents.size);
        same_size && hashed(&mut file, contents.size).is_ok_and(|it| it == contents.hash)
    }
}

fn missing(entry: &Entry) -> Deed {
    match &entry.kind {
        Kind::Absent => Deed::Same,
        Kind::Other => Deed::Left("a socket or device cannot be restored".to_owned()),
        Kind::File(_) | Kind::Folder | Kind::Link(_) | Kind::Pipe => Deed::Made,
    }
}
