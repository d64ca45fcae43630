//! Writes what is given back, below one root.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Timespec, Timestamps, XattrFlags};
use rustix::io::Errno;

use crate::beneath::{self, Spot};
use crate::copy::share;
use crate::manifest::{Contents, Entry, Kind};
use crate::plan::permissions;
use crate::restore::{Deed, plain_name};

/// Bytes moved at once.
const CHUNK: usize = 256 << 10;
/// Where more bytes than this are nothing but zeros, a hole is left.
const HOLE: usize = 4096;

/// Writes below one root from the blobs of one keep.
pub struct Writer<'a> {
    root: &'a OwnedFd,
    blobs: &'a Path,
    /// Folders that were made, to get their own mode and time once they are full.
    made: Vec<(PathBuf, Entry)>,
    count: u32,
}

impl<'a> Writer<'a> {
    /// Begins.
    pub const fn new(root: &'a OwnedFd, blobs: &'a Path) -> Self {
        Self {
            root,
            blobs,
            made: Vec::new(),
            count: 0,
        }
    }

    /// Does to one path what was decided.
    pub fn apply(&mut self, entry: &Entry, deed: &Deed) -> io::Result<()> {
        match deed {
            Deed::Same | Deed::Left(_) => Ok(()),
            Deed::Removed => {
                let spot = Spot::find(self.root, &entry.path)?;
                remove(&spot.folder, &spot.name).map_err(Into::into)
            }
            Deed::Made | Deed::Replaced => self.write(entry),
        }
    }

    /// Gives the folders that were made their own mode and time, the innermost first.
    pub fn finish(self) {
        for (path, entry) in self.made.iter().rev() {
            // What was restored counts; a time that cannot be set does not undo that.
            if let Ok(folder) = beneath::open(self.root, path, beneath::folder_flags()) {
                let _ = mark(&folder, entry);
            }
        }
    }

    fn write(&mut self, entry: &Entry) -> io::Result<()> {
        let spot = Spot::make(self.root, &entry.path)?;
        let there = spot.stat().ok();
        let is_folder = there.is_some_and(|it| FileType::from_raw_mode(it.st_mode).is_dir());
        match &entry.kind {
            Kind::Folder => {
                if there.is_some() && !is_folder {
                    remove(&spot.folder, &spot.name)?;
                }
                if !is_folder {
                    rustix::fs::mkdirat(&spot.folder, spot.name.as_os_str(), Mode::RWXU)?;
                    self.made.push((entry.path.clone(), entry.clone()));
                }
                Ok(())
            }
            Kind::File(contents) => {
                if is_folder {
                    remove(&spot.folder, &spot.name)?;
                }
                self.file(&spot, entry, contents)
            }
            Kind::Link(target) => {
                if there.is_some() {
                    remove(&spot.folder, &spot.name)?;
                }
                rustix::fs::symlinkat(target.as_os_str(), &spot.folder, spot.name.as_os_str())?;
                let flags = AtFlags::SYMLINK_NOFOLLOW;
                let _ = rustix::fs::utimensat(
                    &spot.folder,
                    spot.name.as_os_str(),
                    &times(entry),
                    flags,
                );
                Ok(())
            }
            Kind::Pipe => {
                if there.is_some() {
                    remove(&spot.folder, &spot.name)?;
                }
                pipe(&spot, entry)
            }
            Kind::Other | Kind::Absent => Ok(()),
        }
    }

    /// Writes a file beside its place and moves it there; in place where its folder is closed, or where other names mean
    /// the very file that was kept. One that has other names and is not that file is never written into.
    fn file(&mut self, spot: &Spot, entry: &Entry, contents: &Contents) -> io::Result<()> {
        self.count += 1;
        let there = spot.stat().ok();
        let there = there.filter(|it| FileType::from_raw_mode(it.st_mode).is_file());
        let named_again = there.is_some_and(|it| it.st_nlink > 1);
        let shared = named_again && there.map(|it| it.st_ino) == contents.shared;
        let draft = format!(".belay-undo-{}-{}", std::process::id(), self.count);
        let fresh =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let private = Mode::RUSR | Mode::WUSR;
        let opened = match shared {
            true => Err(Errno::PERM),
            false => rustix::fs::openat(&spot.folder, draft.as_str(), fresh, private),
        };
        match opened {
            Ok(opened) => {
                let filled = self.filled(opened, entry, contents);
                let moved = filled.and_then(|()| {
                    rustix::fs::renameat(
                        &spot.folder,
                        draft.as_str(),
                        &spot.folder,
                        spot.name.as_os_str(),
                    )
                    .map_err(io::Error::from)
                });
                if moved.is_err() {
                    let _ = rustix::fs::unlinkat(&spot.folder, draft.as_str(), AtFlags::empty());
                }
                moved
            }
            Err(Errno::ACCESS | Errno::PERM | Errno::ROFS) if shared || !named_again => {
                let flags = OFlags::WRONLY | OFlags::TRUNC | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                let opened =
                    rustix::fs::openat(&spot.folder, spot.name.as_os_str(), flags, Mode::empty())?;
                self.filled(opened, entry, contents)
            }
            Err(why) => Err(why.into()),
        }
    }

    fn filled(&self, opened: OwnedFd, entry: &Entry, contents: &Contents) -> io::Result<()> {
        let name = plain_name(&contents.blob).ok_or(io::ErrorKind::InvalidData)?;
        let mut from = File::open(self.blobs.join(name))?;
        let mut into = File::from(opened);
        let whole = contents.at == 0 && from.metadata()?.len() == contents.size;
        if !(whole && share(&into, &from)) {
            from.seek(io::SeekFrom::Start(contents.at))?;
            poured(&mut from.take(contents.size), &mut into)?;
            into.set_len(contents.size)?;
        }
        mark(&into.into(), entry)
    }
}

/// Copies all bytes; long rows of zeros become holes.
fn poured(from: &mut dyn Read, into: &mut File) -> io::Result<()> {
    let mut chunk = vec![0; CHUNK];
    loop {
        let count = from.read(&mut chunk)?;
        let read = chunk.get(..count).unwrap_or_default();
        if count == 0 {
            return Ok(());
        }
        for part in read.chunks(HOLE) {
            if part.len() == HOLE && part.iter().all(|it| *it == 0) {
                into.seek(io::SeekFrom::Current(
                    i64::try_from(HOLE).unwrap_or_default(),
                ))?;
            } else {
                into.write_all(part)?;
            }
        }
    }
}

/// Sets mode, attributes and times. Rights that a program would run with are not given back.
fn mark(file: &OwnedFd, entry: &Entry) -> io::Result<()> {
    for attribute in &entry.attributes {
        // A file system without them is no reason to lose the file.
        let _ = rustix::fs::fsetxattr(
            file,
            attribute.name.as_str(),
            &attribute.value,
            XattrFlags::empty(),
        );
    }
    if entry.mode == 0 {
        // A file of the repository that stood among others: as git writes them.
        return rustix::fs::fchmod(file, Mode::from_raw_mode(0o644)).map_err(Into::into);
    }
    rustix::fs::fchmod(file, permissions(entry.mode))?;
    rustix::fs::futimens(file, &times(entry)).map_err(Into::into)
}

fn times(entry: &Entry) -> Timestamps {
    let time = Timespec {
        tv_sec: entry.modified.seconds,
        tv_nsec: entry.modified.parts as _,
    };
    Timestamps {
        last_access: time,
        last_modification: time,
    }
}

#[cfg(target_os = "linux")]
fn pipe(spot: &Spot, entry: &Entry) -> io::Result<()> {
    let mode = permissions(entry.mode);
    rustix::fs::mknodat(&spot.folder, spot.name.as_os_str(), FileType::Fifo, mode, 0)
        .map_err(Into::into)
}

#[cfg(not(target_os = "linux"))]
fn pipe(_: &Spot, _: &Entry) -> io::Result<()> {
    Ok(())
}

/// Removes what lies there, with everything below it; no link is followed.
fn remove(folder: &OwnedFd, name: &std::ffi::OsStr) -> rustix::io::Result<()> {
    match rustix::fs::unlinkat(folder, name, AtFlags::empty()) {
        Err(Errno::ISDIR | Errno::PERM) => {}
        done => return done,
    }
    let inner = rustix::fs::openat(folder, name, beneath::folder_flags(), Mode::empty())?;
    for entry in Dir::read_from(&inner)? {
        let entry = entry?;
        let below = entry.file_name().to_bytes();
        if below != b"." && below != b".." {
            let below = std::os::unix::ffi::OsStrExt::from_bytes(below);
            remove(&inner, below)?;
        }
    }
    rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR)
}
