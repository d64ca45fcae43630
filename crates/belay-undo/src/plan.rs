//! Finds what must be kept, and how much it is; nothing is read but names and sizes.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::Instant;

use belay_surroundings::{Doomed, Standpoint};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::beneath;
use crate::loss::{Doom, Loss, Taken, Wish};
use crate::pattern;
use crate::store::Limits;

/// How deep folders may lie in one another.
const DEEPEST: usize = 128;

/// What must be kept: everything below one root, by path.
pub struct Plan {
    /// The project's root, links followed.
    pub root: PathBuf,
    /// The same, open.
    pub opened: OwnedFd,
    /// What stands there.
    pub items: BTreeMap<PathBuf, Item>,
    /// Bytes of all files.
    pub bytes: u64,
}

/// What stands at a path.
#[derive(Clone, Debug)]
pub enum Item {
    /// Something.
    There(Seen),
    /// Nothing: whatever comes there is not what was.
    Nothing,
    /// What stands among others in another file: it is kept as a file of its own.
    Given(Vec<u8>),
}

/// What the system says of a thing.
#[derive(Clone, Copy, Debug)]
pub struct Seen(pub Stat);

impl Seen {
    /// Returns the kind.
    pub fn kind(&self) -> FileType {
        FileType::from_raw_mode(self.0.st_mode)
    }

    /// Returns who may do what with it. How wide the number is differs from system to system.
    pub fn mode(&self) -> u32 {
        wide(self.0.st_mode) & 0o7777
    }

    /// Returns how many bytes it takes on the disk, or would take without holes where that is less.
    pub fn weight(&self) -> u64 {
        let size = u64::try_from(self.0.st_size).unwrap_or_default();
        let stored = u64::try_from(self.0.st_blocks).unwrap_or_default();
        // A file system that tells nothing of blocks stores small files elsewhere.
        if stored == 0 {
            size.min(64 << 10)
        } else {
            size.min(stored.saturating_mul(512))
        }
    }

    /// Tells whether both are the same file in the same state.
    pub fn is_same(&self, other: &Self) -> bool {
        let state = |it: &Stat| {
            (
                (it.st_dev, it.st_ino, it.st_mode, it.st_size),
                (it.st_mtime, it.st_mtime_nsec, it.st_ctime, it.st_ctime_nsec),
            )
        };
        state(&self.0) == state(&other.0)
    }
}

fn wide(bits: impl Into<u32>) -> u32 {
    bits.into()
}

/// Returns permissions as the system takes them.
pub fn permissions(bits: u32) -> Mode {
    Mode::from_raw_mode(narrow(bits & 0o777))
}

/// Nine bits fit into whatever a system takes.
fn narrow<T: TryFrom<u32> + Default>(bits: u32) -> T {
    T::try_from(bits).unwrap_or_default()
}

/// Makes a plan, or says why there is none.
pub struct Planner<'a> {
    wish: &'a Wish<'a>,
    limits: Limits,
    until: Instant,
    plan: Option<Plan>,
}

impl<'a> Planner<'a> {
    /// Plans to keep all that a wish names.
    ///
    /// # Errors
    /// Says why that cannot be kept whole.
    pub fn plan(wish: &'a Wish<'a>, limits: Limits, until: Instant) -> Result<Plan, String> {
        let mut planner = Self {
            wish,
            limits,
            until,
            plan: None,
        };
        for loss in wish.losses {
            planner.add(loss)?;
        }
        let found = planner.plan.filter(|it| !it.items.is_empty());
        found.ok_or_else(|| "belay found none of it".to_owned())
    }

    fn add(&mut self, loss: &Loss) -> Result<(), String> {
        match loss {
            Loss::Place { path, taken } => self.place(path, *taken),
            Loss::Pattern { glob, taken } => {
                let sieve = self.wish.sieve;
                let found = pattern::expand(glob, &|it| sieve.is_artefact(it));
                let found = found.ok_or_else(|| format!("`{glob}` may match too much"))?;
                // A pattern that matches nothing is handed on as it is, and names nothing.
                found.iter().try_for_each(|it| self.place(it, *taken))
            }
            Loss::Repository { folder, doom } => self.repository(folder, doom),
        }
    }

    /// Adds what a repository would lose.
    fn repository(&mut self, folder: &Path, doom: &Doom) -> Result<(), String> {
        let from = Standpoint {
            home: self.wish.home.map(str::to_owned),
            ..Standpoint::default()
        };
        let doomed = match doom {
            Doom::Tree { below, towards } => Doomed::Tree { below, towards },
            Doom::Behind(towards) => Doomed::Behind(towards),
            Doom::Untracked { ignored } => Doomed::Untracked { ignored: *ignored },
            Doom::Stash => Doomed::Stash,
            Doom::Reference(name) => Doomed::Reference(name),
        };
        let work = belay_surroundings::work(&from, folder, doomed)?;
        for path in &work.paths {
            self.tree(path)?;
            self.nothing(path)?;
        }
        work.files.iter().try_for_each(|it| self.tree(it))?;
        for (path, bytes) in work.made {
            let path = self.below_root(&path)?;
            if let Some(plan) = &mut self.plan {
                plan.bytes = plan.bytes.saturating_add(bytes.len() as u64);
                plan.items.insert(path, Item::Given(bytes));
            }
            self.within_limits()?;
        }
        Ok(())
    }

    /// Notes that nothing is at a place, where nothing is.
    fn nothing(&mut self, place: &Path) -> Result<(), String> {
        let path = self.below_root(place)?;
        if let (Some(plan), Err(_)) = (&mut self.plan, place.symlink_metadata()) {
            plan.items.entry(path).or_insert(Item::Nothing);
        }
        Ok(())
    }

    /// Adds what lies at a path; where it is a link whose target goes too, that as well.
    fn place(&mut self, path: &Path, taken: Taken) -> Result<(), String> {
        let place = real(path)?;
        if !self.wish.sieve.is_ordinary(&place) {
            return Err(format!("`{}` is guarded", path.display()));
        }
        self.tree(&place)?;
        let is_link = place.symlink_metadata().is_ok_and(|it| it.is_symlink());
        match taken {
            Taken::Unlinked => Ok(()),
            Taken::Written | Taken::Tree if !is_link => Ok(()),
            Taken::Written | Taken::Tree => match fs::canonicalize(&place) {
                Ok(target) => self.tree(&target),
                Err(_) => Err(format!(
                    "`{}` points to something belay cannot see",
                    path.display()
                )),
            },
        }
    }

    /// Adds a place and everything below it.
    fn tree(&mut self, place: &Path) -> Result<(), String> {
        let path = self.below_root(place)?;
        if path.as_os_str().is_empty() {
            return Err("it is the project itself".to_owned());
        }
        let Some(plan) = &self.plan else {
            return Ok(());
        };
        let spot = match beneath::Spot::find(&plan.opened, &path) {
            Ok(spot) => spot,
            Err(Errno::NOENT | Errno::NOTDIR) => return Ok(()),
            Err(why) => return Err(unseen(place, why)),
        };
        match spot.stat() {
            Ok(seen) => {
                self.above(&path)?;
                self.thing(path, Seen(seen), 0)
            }
            Err(Errno::NOENT | Errno::NOTDIR) => Ok(()),
            Err(why) => Err(unseen(place, why)),
        }
    }

    /// Notes the folders that a thing lies in: they may have to be made again.
    fn above(&mut self, path: &Path) -> Result<(), String> {
        let Some(plan) = &mut self.plan else {
            return Ok(());
        };
        for folder in path.ancestors().skip(1) {
            if folder.as_os_str().is_empty() || plan.items.contains_key(folder) {
                continue;
            }
            let spot = beneath::Spot::find(&plan.opened, folder);
            let seen = spot.and_then(|it| it.stat());
            let seen = seen.map_err(|why| unseen(folder, why))?;
            plan.items
                .insert(folder.to_owned(), Item::There(Seen(seen)));
        }
        Ok(())
    }

    /// Returns a place below the root of the plan, which the first place chooses.
    fn below_root(&mut self, place: &Path) -> Result<PathBuf, String> {
        if self.plan.is_none() {
            let roots = self.wish.roots.iter();
            let real = roots.filter_map(|it| fs::canonicalize(it).ok());
            let root = real
                .filter(|it| place.starts_with(it))
                .max_by_key(|it| it.as_os_str().len());
            let root =
                root.ok_or_else(|| format!("`{}` is outside the project", place.display()))?;
            let opened = beneath::root(&root).map_err(|why| unseen(&root, why))?;
            self.plan = Some(Plan {
                root,
                opened,
                items: BTreeMap::new(),
                bytes: 0,
            });
        }
        let root = self.plan.as_ref().map(|it| it.root.as_path());
        let path = place.strip_prefix(root.unwrap_or(Path::new("/")));
        path.map(Path::to_owned)
            .map_err(|_| format!("`{}` is outside the project", place.display()))
    }

    fn thing(&mut self, path: PathBuf, seen: Seen, depth: usize) -> Result<(), String> {
        let Some(plan) = &mut self.plan else {
            return Ok(());
        };
        let whole = plan.root.join(&path);
        let kind = seen.kind();
        if kind.is_dir() && self.wish.sieve.is_artefact(&whole) {
            return Ok(());
        }
        if self.wish.sieve.is_secret(&whole) {
            return Err(format!(
                "`{}` holds secrets or settings that are never copied",
                path.display()
            ));
        }
        if plan.items.insert(path.clone(), Item::There(seen)).is_none() && kind.is_file() {
            plan.bytes = plan.bytes.saturating_add(seen.weight());
        }
        self.within_limits()?;
        if kind.is_dir() {
            self.folder(&path, depth)
        } else {
            Ok(())
        }
    }

    fn folder(&mut self, path: &Path, depth: usize) -> Result<(), String> {
        let Some(plan) = &self.plan else {
            return Ok(());
        };
        if depth > DEEPEST {
            return Err(format!("`{}` is too deep", path.display()));
        }
        let opened = beneath::open(&plan.opened, path, beneath::folder_flags() | OFlags::RDONLY);
        let opened = opened.map_err(|why| unseen(path, why))?;
        let names = names(&opened).map_err(|why| unseen(path, why))?;
        for name in names {
            let seen = rustix::fs::statat(&opened, name.as_os_str(), AtFlags::SYMLINK_NOFOLLOW);
            let path = path.join(&name);
            let seen = seen.map_err(|why| unseen(&path, why))?;
            self.thing(path, Seen(seen), depth + 1)?;
        }
        Ok(())
    }

    fn within_limits(&self) -> Result<(), String> {
        let Some(plan) = &self.plan else {
            return Ok(());
        };
        let Limits {
            max_bytes,
            max_files,
            ..
        } = self.limits;
        if plan.items.len() as u64 > max_files {
            return Err(format!("more than {max_files} files are too many to keep"));
        }
        if plan.bytes > max_bytes {
            let most = max_bytes >> 20;
            return Err(format!("more than {most} MB are too much to keep"));
        }
        in_time(self.until)
    }
}

/// Says so when there is no time left.
///
/// # Errors
/// When the time is over.
pub fn in_time(until: Instant) -> Result<(), String> {
    match Instant::now() <= until {
        true => Ok(()),
        false => Err("keeping it would take too long".to_owned()),
    }
}

/// Returns the names in a folder, sorted.
fn names(folder: &OwnedFd) -> rustix::io::Result<BTreeSet<std::ffi::OsString>> {
    let mut names = BTreeSet::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.insert(std::ffi::OsString::from_vec(name.to_vec()));
        }
    }
    Ok(names)
}

/// Follows the links on the way to a path, not the last part of it.
fn real(path: &Path) -> Result<PathBuf, String> {
    let name = path
        .file_name()
        .filter(|it| *it != OsStr::from_bytes(b".."))
        .map(OsStr::to_owned);
    let above = path.parent().and_then(existing);
    match (above, name) {
        (Some(above), Some(name)) => Ok(above.join(name)),
        (_, None) | (None, _) => Err(format!("`{}` cannot be looked at", path.display())),
    }
}

/// Follows all links of a folder; below a folder that is not there nothing is.
fn existing(folder: &Path) -> Option<PathBuf> {
    match fs::canonicalize(folder) {
        Ok(real) => Some(real),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => {
            Some(existing(folder.parent()?)?.join(folder.file_name()?))
        }
        Err(_) => None,
    }
}

fn unseen(path: &Path, why: Errno) -> String {
    format!("`{}` cannot be looked at: {why}", path.display())
}
