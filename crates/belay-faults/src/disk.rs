//! Disks that are full, read-only or out of names, mounted where the gate keeps what it remembers.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use belay_oracle::dice::Dice;
use nix::errno::Errno;
use nix::mount::{MntFlags, MsFlags, mount, umount2};

use crate::home::copied;

/// What is wrong with a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// No room, or next to none.
    Full,
    /// Nothing can be written.
    ReadOnly,
    /// No file can be made, or next to none.
    NoInodes,
}

/// A disk over a folder, gone when dropped.
pub struct Disk {
    at: PathBuf,
}

/// A page of memory, the unit in which such a disk counts.
const PAGE: u64 = 4096;

impl Disk {
    /// Mounts a disk over a folder, with what was in it.
    ///
    /// # Errors
    /// When it cannot be mounted: then nothing was proved.
    pub fn over(at: &Path, wrong: Wrong, dice: &mut Dice) -> Result<Self, String> {
        let before = at.with_extension("before");
        let fault = |why: &dyn std::fmt::Display| format!("cannot make a disk: {why}");
        copied(at, &before).map_err(|why| fault(&why))?;
        let (files, pages) = measured(&before);
        let options = match wrong {
            Wrong::Full => format!("size={},mode=700", (pages + 2) * PAGE),
            Wrong::ReadOnly => "mode=700".to_owned(),
            Wrong::NoInodes => format!("nr_inodes={},mode=700", files + 1 + dice.below(4)),
        };
        mount(
            Some("disk"),
            at,
            Some("tmpfs"),
            MsFlags::empty(),
            Some(options.as_str()),
        )
        .map_err(|why| fault(&why))?;
        let disk = Self { at: at.to_owned() };
        copied(&before, at).map_err(|why| fault(&why))?;
        let _ = std::fs::remove_dir_all(&before);
        match wrong {
            Wrong::Full => fill(at, dice.below(3)),
            Wrong::ReadOnly => read_only(at).map_err(|why| fault(&why))?,
            Wrong::NoInodes => {}
        }
        Ok(disk)
    }

    /// Makes the disk well again, with what is on it.
    pub fn mend(&self) {
        let none: Option<&str> = None;
        let options = "size=16m,nr_inodes=0";
        let _ = mount(none, &self.at, none, MsFlags::MS_REMOUNT, Some(options));
        let _ = std::fs::remove_file(self.at.join("filler"));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = umount2(&self.at, MntFlags::MNT_DETACH);
    }
}

/// Lets nothing be written any more. Another thread that starts a program holds our files open for a moment.
fn read_only(at: &Path) -> Result<(), Errno> {
    let none: Option<&str> = None;
    let flags = MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY;
    let mut tries = 0;
    loop {
        match mount(none, at, none, flags, none) {
            Err(Errno::EBUSY) if tries < 200 => {
                tries += 1;
                std::thread::sleep(Duration::from_millis(5));
            }
            done => return done,
        }
    }
}

/// Counts files and folders, and the pages their contents take.
fn measured(folder: &Path) -> (u64, u64) {
    let mut counted = (1, 0);
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(found) = entry.metadata() else {
            continue;
        };
        let (files, pages) = match found.is_dir() {
            true => measured(&entry.path()),
            false => (1, found.len().div_ceil(PAGE)),
        };
        counted = (counted.0 + files, counted.1 + pages);
    }
    counted
}

/// Fills a disk until so many pages are left.
fn fill(at: &Path, left: u64) {
    let path = at.join("filler");
    let file = OpenOptions::new().create(true).append(true).open(path);
    let Ok(mut file) = file else { return };
    let page = [b'x'; PAGE as usize];
    let mut written = 0;
    while file.write_all(&page).is_ok() {
        written += PAGE;
    }
    let _ = file.set_len(written.saturating_sub(left * PAGE));
}
