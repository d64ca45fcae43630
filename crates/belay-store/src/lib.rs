//! Small files that processes share, private unless somebody says otherwise.
//!
//! INVARIANT: a reader sees the old text or the new one and never half of it, what must last is on the disk before
//! anybody sees it, and what is in a file is not known here.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Whether a text must outlive a crash of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasts {
    /// It is on the disk before anybody sees it.
    ThroughCrashes,
    /// It may be lost, for it can be made again.
    WhileItMay,
}

/// Makes a folder that only the user may enter.
///
/// # Errors
/// Returns why it could not be made.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes a new file that only the user may read; one that is there already is not touched.
///
/// # Errors
/// Returns why it could not be made.
pub fn create(path: &Path) -> io::Result<File> {
    private().create_new(true).open(path)
}

/// Opens a file to take its lock, which is given back when the file is dropped or the process ends.
///
/// # Errors
/// Returns why it could not be opened.
pub fn open_lock(path: &Path) -> io::Result<File> {
    private().create(true).truncate(false).open(path)
}

/// Replaces a file whole.
///
/// # Errors
/// Returns why the old text stays.
pub fn replace(path: &Path, bytes: &[u8], lasts: Lasts) -> io::Result<()> {
    let mut draft = Draft::new(path, Access::Private)?;
    draft.fill(bytes, lasts)?;
    draft.replace()
}

/// Who may read a file, and run it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// The user alone.
    Private,
    /// Whoever may read the user's new files.
    Usual,
    /// Exactly these.
    Exactly(Permissions),
}

/// A file beside the one whose place it will take; when that does not happen, it is removed.
#[derive(Debug)]
pub struct Draft {
    place: PathBuf,
    path: PathBuf,
    file: File,
    lasts: Lasts,
}

impl Draft {
    /// Makes an empty draft.
    ///
    /// # Errors
    /// Returns why it could not be made.
    pub fn new(place: &Path, access: Access) -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let path = place.with_file_name(format!(".{name}.{}.{count}", std::process::id()));
        let file = match &access {
            Access::Usual => File::create_new(&path),
            Access::Private | Access::Exactly(_) => create(&path),
        }?;
        let draft = Self {
            place: place.to_owned(),
            path,
            file,
            lasts: Lasts::WhileItMay,
        };
        if let Access::Exactly(permissions) = access {
            draft.file.set_permissions(permissions)?;
        }
        Ok(draft)
    }

    /// Writes the text.
    ///
    /// # Errors
    /// Returns why it could not be written.
    pub fn fill(&mut self, bytes: &[u8], lasts: Lasts) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.lasts = lasts;
        match lasts {
            Lasts::ThroughCrashes => self.file.sync_all(),
            Lasts::WhileItMay => Ok(()),
        }
    }

    /// Takes the place of what was there.
    ///
    /// # Errors
    /// Returns why the old text stays.
    pub fn replace(&self) -> io::Result<()> {
        fs::rename(&self.path, &self.place)?;
        self.settle()
    }

    /// Takes the place if nothing is there; else what is there stays.
    ///
    /// # Errors
    /// Returns why nothing is there yet.
    pub fn settle_first(&self) -> io::Result<()> {
        match fs::hard_link(&self.path, &self.place) {
            Err(why) if why.kind() != io::ErrorKind::AlreadyExists => Err(why),
            Ok(()) | Err(_) => self.settle(),
        }
    }

    /// A name that must last is on the disk like the text.
    fn settle(&self) -> io::Result<()> {
        match (self.lasts, self.place.parent()) {
            (Lasts::ThroughCrashes, Some(folder)) => sync_folder(folder),
            (Lasts::ThroughCrashes | Lasts::WhileItMay, _) => Ok(()),
        }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // One that took its place is not here any more.
        let _ = fs::remove_file(&self.path);
    }
}

/// Makes what happened to the names in a folder outlive a crash of the machine.
///
/// # Errors
/// Returns why that is not sure.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    // `x` lies in the folder without a name.
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    if cfg!(unix) {
        return File::open(folder)?.sync_all();
    }
    Ok(())
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(test)]
mod tests {
    use super::{Access, Draft, Lasts, create, make_folder, replace};

    #[test]
    fn a_file_is_replaced_whole_and_leaves_no_draft() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        make_folder(&inner).unwrap();
        let path = inner.join("x.json");
        replace(&path, b"one", Lasts::WhileItMay).unwrap();
        replace(&path, b"two", Lasts::ThroughCrashes).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(&inner).unwrap().count(), 1);
        assert!(create(&path).is_err());
    }

    #[test]
    fn a_draft_takes_its_place_or_goes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let draft = |text: &[u8]| {
            let mut draft = Draft::new(&path, Access::Usual).unwrap();
            draft.fill(text, Lasts::WhileItMay).unwrap();
            draft
        };
        drop(draft(b"never"));
        assert!(!path.exists());
        draft(b"first").settle_first().unwrap();
        draft(b"late").settle_first().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"first");
        draft(b"new").replace().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_draft_is_as_open_as_it_is_told() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let open = std::fs::Permissions::from_mode(0o755);
        let draft = Draft::new(&path, Access::Exactly(open)).unwrap();
        draft.replace().unwrap();
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_may_read() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        replace(&path, b"", Lasts::WhileItMay).unwrap();
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
