//! Opens things below a folder without ever following a link.

use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{AtFlags, Mode, OFlags, Stat};
use rustix::io::{Errno, Result};

/// Opens a folder to start from; its own path is followed, for it is recorded with all links followed.
pub fn root(path: &Path) -> Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    rustix::fs::open(path, flags, Mode::empty())
}

/// Opens what lies at a path below a folder. INVARIANT: no part of the path is a link.
pub fn open(root: &OwnedFd, path: &Path, flags: OFlags) -> Result<OwnedFd> {
    let flags = flags | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    if path.as_os_str().is_empty() {
        return rustix::fs::openat(root, ".", flags, Mode::empty());
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::ResolveFlags;
        let stay = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        match rustix::fs::openat2(root, path, flags, Mode::empty(), stay) {
            Err(Errno::NOSYS | Errno::PERM | Errno::INVAL) => {}
            opened => return opened,
        }
    }
    by_parts(root, path, flags)
}

/// Goes down one part at a time, where the system cannot promise more.
fn by_parts(root: &OwnedFd, path: &Path, flags: OFlags) -> Result<OwnedFd> {
    let mut parts = plain_parts(path)?.into_iter().peekable();
    let mut at: Option<OwnedFd> = None;
    while let Some(part) = parts.next() {
        let from = at.as_ref().unwrap_or(root);
        let next = match parts.peek() {
            Some(_) => rustix::fs::openat(from, part, folder_flags(), Mode::empty())?,
            None => return rustix::fs::openat(from, part, flags, Mode::empty()),
        };
        at = Some(next);
    }
    Err(Errno::NOENT)
}

/// Returns the flags that open a folder and nothing else.
pub fn folder_flags() -> OFlags {
    OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK
}

fn plain_parts(path: &Path) -> Result<Vec<&std::ffi::OsStr>> {
    path.components()
        .map(|it| match it {
            Component::Normal(part) => Ok(part),
            Component::CurDir
            | Component::ParentDir
            | Component::RootDir
            | Component::Prefix(_) => Err(Errno::XDEV),
        })
        .collect()
}

/// A folder below the root, and the last part of a path in it.
pub struct Spot {
    /// The folder.
    pub folder: OwnedFd,
    /// The name in it.
    pub name: std::ffi::OsString,
}

impl Spot {
    /// Finds the folder of a path; it must be there.
    pub fn find(root: &OwnedFd, path: &Path) -> Result<Self> {
        plain_parts(path)?;
        let name = path.file_name().ok_or(Errno::INVAL)?.to_owned();
        let folder = open(
            root,
            path.parent().unwrap_or_else(|| Path::new("")),
            folder_flags(),
        )?;
        Ok(Self { folder, name })
    }

    /// Finds the folder of a path and makes what is missing on the way, for the user alone until it gets its own mode.
    pub fn make(root: &OwnedFd, path: &Path) -> Result<Self> {
        let parts = plain_parts(path)?;
        let (name, above) = parts.split_last().ok_or(Errno::INVAL)?;
        let mut folder = rustix::fs::openat(root, ".", folder_flags(), Mode::empty())?;
        for part in above {
            folder = match rustix::fs::openat(&folder, *part, folder_flags(), Mode::empty()) {
                Err(Errno::NOENT) => {
                    rustix::fs::mkdirat(&folder, *part, Mode::RWXU)?;
                    rustix::fs::openat(&folder, *part, folder_flags(), Mode::empty())?
                }
                opened => opened?,
            };
        }
        Ok(Self {
            folder,
            name: (*name).to_owned(),
        })
    }

    /// Says what lies there, links not followed.
    pub fn stat(&self) -> Result<Stat> {
        rustix::fs::statat(
            self.folder.as_fd(),
            self.name.as_os_str(),
            AtFlags::SYMLINK_NOFOLLOW,
        )
    }
}
