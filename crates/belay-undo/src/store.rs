//! The folder of everything kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};

use crate::copy::{hex, share};
use crate::error::UndoError;
use crate::manifest::{Head, Kind, Manifest};

/// The name of a manifest.
pub const MANIFEST: &str = "manifest.jsonl";
/// How the folder of a keep begins that is still being written.
const DRAFT: &str = ".new-";
/// So many names are made of the work alone, so that the same work is told by the same name.
const SAME: u32 = 16;
/// A draft that old belongs to nobody who still writes.
const STALE: Duration = Duration::from_secs(3600);

/// How much is kept, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one keep.
    pub max_bytes: u64,
    /// Files of one keep.
    pub max_files: u64,
    /// How long keeping may take.
    pub time: Duration,
    /// Nothing younger is ever thrown away, in days.
    pub keep_days: u64,
    /// Bytes of all keeps together.
    pub max_total: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_bytes: 256 << 20,
            max_files: 20_000,
            time: Duration::from_millis(300),
            keep_days: 14,
            max_total: 4 << 30,
        }
    }
}

/// What the doctor wants to know of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Free bytes of the disk.
    pub free: u64,
    /// Whether files on the same disk can share blocks: keeping costs nothing then.
    pub shares: bool,
    /// How many keeps there are.
    pub kept: usize,
}

/// Everything kept, in a folder that only the user may enter.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
    /// How much is kept.
    pub limits: Limits,
}

impl Store {
    /// Names the store below a state folder; looks at nothing yet.
    #[must_use]
    pub fn below(state: &Path, limits: Limits) -> Self {
        Self {
            folder: state.join("undo"),
            limits,
        }
    }

    /// Names a store by its own folder.
    pub(crate) fn below_folder(folder: &Path, limits: Limits) -> Self {
        Self {
            folder: folder.to_owned(),
            limits,
        }
    }

    /// Returns the folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns all keeps, the newest first. What cannot be read is left out.
    #[must_use]
    pub fn list(&self) -> Vec<Head> {
        let mut heads: Vec<Head> = self.names().filter_map(|it| self.head(&it)).collect();
        heads.sort_by(|one, other| (other.when, &other.id).cmp(&(one.when, &one.id)));
        heads
    }

    fn names(&self) -> impl Iterator<Item = String> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries
            .filter_map(|it| it.file_name().into_string().ok())
            .filter(|it| !it.starts_with('.'))
    }

    fn head(&self, id: &str) -> Option<Head> {
        use io::BufRead as _;
        let file = fs::File::open(self.folder.join(id).join(MANIFEST)).ok()?;
        let mut line = String::new();
        io::BufReader::new(file).read_line(&mut line).ok()?;
        Head::from_line(&line).filter(|it| it.id == id)
    }

    /// Reads what is kept under a name.
    ///
    /// # Errors
    /// When nothing is, or its manifest is damaged.
    pub fn manifest(&self, id: &str) -> Result<Manifest, UndoError> {
        let plain = !id.is_empty() && id.bytes().all(|it| it.is_ascii_hexdigit());
        let path = self.folder.join(id).join(MANIFEST);
        let text = match fs::read_to_string(path) {
            Ok(text) if plain => text,
            Ok(_) | Err(_) => return Err(UndoError::Unknown(id.to_owned())),
        };
        let manifest = Manifest::from_text(&text).filter(|it| it.head.id == id);
        manifest.ok_or_else(|| UndoError::Damaged(id.to_owned()))
    }

    /// Returns how many bytes are kept in all.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.list().iter().map(|it| it.bytes).sum()
    }

    /// Says how much could be kept, and how.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn room(&self) -> io::Result<Room> {
        let draft = self.draft()?;
        let from = belay_store::create(&draft.path().join("from"))?;
        let into = belay_store::create(&draft.path().join("into"))?;
        let disk = rustix::fs::fstatvfs(&from)?;
        Ok(Room {
            free: disk.f_bavail.saturating_mul(disk.f_frsize),
            shares: share(&into, &from),
            kept: self.names().count(),
        })
    }

    /// Makes room for so many bytes: only what is older than `keep_days` goes, the oldest first.
    ///
    /// # Errors
    /// Says that there is no room.
    pub(crate) fn make_room(&self, bytes: u64) -> Result<(), String> {
        let mut all = self.list();
        let mut total: u64 = all.iter().map(|it| it.bytes).sum();
        let oldest = now().saturating_sub(self.limits.keep_days.saturating_mul(86_400_000));
        let mut thrown = 0;
        while let Some(last) = all.pop_if(|it| it.when < oldest) {
            // One at a time is enough to keep the store small; more only where room is needed.
            if thrown > 0 && total.saturating_add(bytes) <= self.limits.max_total {
                break;
            }
            self.throw_away(&last.id);
            thrown += 1;
            total = total.saturating_sub(last.bytes);
        }
        if total.saturating_add(bytes) <= self.limits.max_total {
            Ok(())
        } else {
            Err("the store of kept work is full".to_owned())
        }
    }

    fn throw_away(&self, id: &str) {
        // It loses its name first, so that what is half gone never looks whole.
        let Ok(draft) = self.draft_path() else { return };
        if fs::rename(self.folder.join(id), &draft).is_ok() {
            let _ = fs::remove_dir_all(draft);
        }
    }

    fn draft_path(&self) -> io::Result<PathBuf> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let nanos = since.map_err(io::Error::other)?.subsec_nanos();
        let name = format!("{DRAFT}{}-{count}-{nanos:08x}", std::process::id());
        Ok(self.folder.join(name))
    }

    /// Begins a keep.
    pub(crate) fn draft(&self) -> io::Result<Draft> {
        belay_store::make_folder(&self.folder)?;
        self.sweep();
        let path = self.draft_path()?;
        belay_store::make_folder(&path)?;
        Ok(Draft {
            path: Some(path),
            folder: self.folder.clone(),
        })
    }

    /// Throws away what killed processes left behind.
    fn sweep(&self) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for entry in entries {
            if !entry.file_name().to_string_lossy().starts_with(DRAFT) {
                continue;
            }
            let modified = entry.metadata().and_then(|it| it.modified());
            let age = modified.ok().and_then(|it| it.elapsed().ok());
            if age.is_some_and(|it| it > STALE) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

/// Returns the time, in milliseconds since 1970.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    u64::try_from(since.unwrap_or_default().as_millis()).unwrap_or(u64::MAX)
}

/// A keep that is still being written; dropped unfinished, it is removed.
pub struct Draft {
    path: Option<PathBuf>,
    folder: PathBuf,
}

impl Draft {
    /// Returns its folder.
    pub fn path(&self) -> &Path {
        self.path.as_deref().unwrap_or(&self.folder)
    }

    /// Gives it its name: from here on it is kept.
    pub fn finish(mut self, mut manifest: Manifest) -> io::Result<String> {
        let Some(path) = self.path.clone() else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let mut seed = seed(&manifest);
        for attempt in 0..64_u32 {
            if attempt == SAME {
                // The same work was kept so often by the same call that its names are taken.
                seed.extend(path.as_os_str().as_encoded_bytes());
                seed.extend(now().to_le_bytes());
            }
            let id = name(&seed, attempt);
            if self.folder.join(&id).symlink_metadata().is_ok() {
                continue;
            }
            manifest.head.id.clone_from(&id);
            belay_store::replace(
                &path.join(MANIFEST),
                manifest.to_text().as_bytes(),
                belay_store::Lasts::WhileItMay,
            )?;
            match fs::rename(&path, self.folder.join(&id)) {
                Ok(()) => {
                    self.path = None;
                    return Ok(id);
                }
                // Somebody else took the name in the same moment.
                Err(why) if is_taken(&why) => {}
                Err(why) => return Err(why),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(path) = self.path.take() {
            let _ = fs::remove_dir_all(path);
        }
    }
}

fn is_taken(why: &io::Error) -> bool {
    matches!(
        why.kind(),
        io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists
    )
}

/// Returns what makes a keep the one it is: who takes what away, wherever and whenever that is.
fn seed(manifest: &Manifest) -> Vec<u8> {
    let mut hasher = Sha256::new();
    let told = &manifest.head.told;
    for text in [&told.session, &told.call].into_iter().flatten() {
        hasher.update(text.as_bytes());
        hasher.update([0]);
    }
    hasher.update(told.command.as_bytes());
    for entry in &manifest.entries {
        hasher.update([0]);
        hasher.update(entry.path.as_os_str().as_encoded_bytes());
        // The index holds times: the same work would get another name.
        let of_git = entry.path.components().any(|it| it.as_os_str() == ".git");
        if let (Kind::File(contents), false) = (&entry.kind, of_git) {
            hasher.update(contents.hash.as_bytes());
        }
    }
    hasher.finalize().to_vec()
}

/// Returns a short name; a longer one after a few tries.
fn name(seed: &[u8], attempt: u32) -> String {
    let mut hasher = Sha256::new();
    hasher.update(seed);
    hasher.update(attempt.to_le_bytes());
    let digits = hex(&hasher.finalize());
    let length = 3 + usize::try_from(attempt / 4).unwrap_or_default();
    digits.get(..length).unwrap_or(&digits).to_owned()
}
