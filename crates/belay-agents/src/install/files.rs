//! Writes files whole or not at all.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io;
use std::path::{Path, PathBuf};

use belay_store::{Access, Draft, Lasts};

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
    let staged: Vec<Staged> = plan.changes.iter().map(stage).collect::<Result<_, _>>()?;
    for (at, new) in staged.iter().enumerate() {
        if let Err(error) = new.place() {
            let path = new.change.path.clone();
            staged.iter().take(at).rev().for_each(Staged::put_back);
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
    new: Option<Draft>,
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
        self.draft(&backup, before)?.replace()
    }

    fn write(&self, after: &str) -> io::Result<Draft> {
        if let Some(folder) = self.place.parent() {
            self.make(folder)?;
        }
        self.draft(&self.place, after)
    }

    fn draft(&self, place: &Path, text: &str) -> io::Result<Draft> {
        let access = self.permissions().map_or(Access::Usual, Access::Exactly);
        let mut draft = Draft::new(place, access)?;
        draft.fill(text.as_bytes(), Lasts::ThroughCrashes)?;
        Ok(draft)
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
            Some(new) => new.replace(),
            None => {
                fs::remove_file(&self.place)?;
                self.place.parent().map_or(Ok(()), belay_store::sync_folder)
            }
        }
    }

    /// Undoes [`Self::place`], as well as it can be undone.
    fn put_back(&self) {
        match &self.change.before {
            Some(before) => {
                if let Ok(old) = self.write(before) {
                    drop(old.replace());
                }
            }
            None => drop(fs::remove_file(&self.place)),
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

#[cfg(unix)]
fn mode(mode: u32) -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn mode(_: u32) -> Option<Permissions> {
    None
}
