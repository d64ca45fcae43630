//! Small private files that processes share.
//!
//! INVARIANT: nobody but the user may read them, a reader sees the old text or the new one and never half of it,
//! and what is in them is not known here.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
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
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let draft = path.with_file_name(format!(".{name}.{}.{count}", std::process::id()));
    let written = create(&draft).and_then(|mut file| {
        file.write_all(bytes)?;
        match lasts {
            Lasts::ThroughCrashes => file.sync_all(),
            Lasts::WhileItMay => Ok(()),
        }
    });
    let moved = written.and_then(|()| fs::rename(&draft, path));
    if moved.is_err() {
        let _ = fs::remove_file(&draft);
    }
    moved
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
    use super::{Lasts, create, make_folder, replace};

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
