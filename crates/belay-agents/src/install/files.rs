//! Writes files whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Backup, Change, InstallError, Plan, Runs};

/// Returns what is in a file, `None` when there is none.
pub(crate) fn text(path: &Path) -> Result<Option<String>, InstallError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(InstallError::Unreadable(path.to_owned(), error)),
    }
}

/// Returns where the copy of what was there before us lies.
pub(crate) fn backup_of(path: &Path) -> PathBuf {
    beside(&place_of(path), ".belay-backup")
}

/// Returns where a file really lies, links followed.
fn place_of(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(ending);
    path.with_file_name(name)
}

/// Makes the change. All new files are written beside the old ones first, so a full disk or a
/// crash leaves everything as it was; then each takes its place in one step.
///
/// # Errors
/// Returns what could not be written; what had been changed is put back.
pub fn apply(plan: &Plan) -> Result<(), InstallError> {
    let mut staged = Vec::new();
    for change in &plan.changes {
        match stage(change) {
            Ok(new) => staged.push(new),
            Err(error) => {
                staged.iter().for_each(Staged::forget);
                return Err(error);
            }
        }
    }
    for (at, new) in staged.iter().enumerate() {
        if let Err(error) = new.place() {
            let path = new.change.path.clone();
            staged.iter().take(at).rev().for_each(Staged::put_back);
            staged.iter().for_each(Staged::forget);
            return Err(InstallError::Unwritable(path, error));
        }
    }
    staged.iter().for_each(Staged::finish);
    Ok(())
}

struct Staged<'a> {
    change: &'a Change,
    /// Where the file really lies, links followed.
    place: PathBuf,
    new: Option<PathBuf>,
}

fn stage(change: &Change) -> Result<Staged<'_>, InstallError> {
    let place = place_of(&change.path);
    if text(&place)? != change.before {
        return Err(InstallError::Changed(change.path.clone()));
    }
    let wrong = |error| InstallError::Unwritable(change.path.clone(), error);
    let mut staged = Staged {
        change,
        place,
        new: None,
    };
    if let (Backup::Make, Some(before)) = (change.backup, &change.before) {
        staged.keep(before).map_err(wrong)?;
    }
    if let Some(after) = &change.after {
        staged.new = Some(staged.write(after).map_err(wrong)?);
    }
    Ok(staged)
}

impl Staged<'_> {
    fn keep(&self, before: &str) -> io::Result<()> {
        let backup = backup_of(&self.place);
        if backup.exists() {
            return Ok(());
        }
        let new = beside(&backup, ".new");
        written(&new, before, self.permissions())?;
        fs::rename(&new, &backup)
    }

    fn write(&self, after: &str) -> io::Result<PathBuf> {
        if let Some(folder) = self.place.parent() {
            self.make(folder)?;
        }
        let new = beside(&self.place, &format!(".belay-{}", std::process::id()));
        written(&new, after, self.permissions()).inspect_err(|_| drop(fs::remove_file(&new)))?;
        Ok(new)
    }

    /// Makes a folder; one that every user must enter, whatever our own mask says.
    fn make(&self, folder: &Path) -> io::Result<()> {
        if folder.is_dir() {
            return Ok(());
        }
        if let Some(above) = folder.parent() {
            self.make(above)?;
        }
        fs::create_dir(folder)?;
        match (self.change.runs, mode(0o755)) {
            (Runs::ForAll, Some(open)) => fs::set_permissions(folder, open),
            (Runs::ForAll | Runs::Yes | Runs::No | Runs::Private, _) => Ok(()),
        }
    }

    fn permissions(&self) -> Option<Permissions> {
        let there = fs::metadata(&self.place).ok().map(|it| it.permissions());
        match self.change.runs {
            Runs::No => there,
            Runs::Yes => there.or_else(|| mode(0o755)),
            Runs::Private => mode(0o600),
            Runs::ForAll => there.or_else(|| mode(0o644)),
        }
    }

    fn place(&self) -> io::Result<()> {
        match &self.new {
            Some(new) => fs::rename(new, &self.place)?,
            None => fs::remove_file(&self.place)?,
        }
        self.place.parent().map_or(Ok(()), synced)
    }

    /// Undoes [`Self::place`], as well as it can be undone.
    fn put_back(&self) {
        match &self.change.before {
            Some(before) => {
                if let Ok(old) = self.write(before) {
                    drop(fs::rename(old, &self.place));
                }
            }
            None => drop(fs::remove_file(&self.place)),
        }
    }

    fn forget(&self) {
        if let Some(new) = &self.new {
            drop(fs::remove_file(new));
        }
    }

    fn finish(&self) {
        if self.change.backup == Backup::Drop {
            drop(fs::remove_file(backup_of(&self.place)));
        }
        if let (None, Some(folder)) = (&self.change.after, self.place.parent()) {
            // Only an empty folder goes.
            drop(fs::remove_dir(folder));
        }
    }
}

fn written(path: &Path, text: &str, permissions: Option<Permissions>) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(path)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn synced(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(unix)]
fn mode(mode: u32) -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn mode(_: u32) -> Option<Permissions> {
    None
}
