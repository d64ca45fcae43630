//! The shipper's own folder beside the journal's days: who this journal is, how far it was shipped, and what nobody took.

use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use belay_store::{Access, Draft, Lasts, create, make_folder, open_lock, replace};

use crate::cursor::Cursor;

/// The folder, inside the journal's.
#[derive(Clone, Debug)]
pub struct Outbox {
    folder: PathBuf,
}

/// The right to ship a journal, given back when dropped or when the process ends.
#[derive(Debug)]
pub struct Seat {
    _lock: File,
}

impl Outbox {
    /// Uses the folder of a journal.
    #[must_use]
    pub fn of(journal: &Path) -> Self {
        Self {
            folder: journal.join("fleet"),
        }
    }

    /// Returns the file whose first word is the day that is still being shipped.
    #[must_use]
    pub fn cursor_file(&self) -> PathBuf {
        self.folder.join("cursor")
    }

    /// Takes the right to ship; nothing when somebody else has it.
    ///
    /// # Errors
    /// Returns why the folder cannot be used.
    pub fn take(&self) -> io::Result<Option<Seat>> {
        make_folder(&self.folder)?;
        let lock = open_lock(&self.folder.join("lock"))?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(Seat { _lock: lock })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(why)) => Err(why),
        }
    }

    /// Returns the name of this journal's machine, made by chance when it is first asked for. It lies beside the days, so that two
    /// homes are two machines, and a journal that begins anew is a new one.
    ///
    /// # Errors
    /// Returns why there is none.
    pub fn machine(&self) -> io::Result<String> {
        let file = self.folder.join("machine");
        if let Some(known) = name_in(&file) {
            return Ok(known);
        }
        make_folder(&self.folder)?;
        let half = || RandomState::new().hash_one(std::process::id());
        let fresh = format!("{:016x}{:016x}", half(), half());
        let mut draft = Draft::new(&file, Access::Private)?;
        draft.fill(fresh.as_bytes(), Lasts::ThroughCrashes)?;
        draft.settle_first()?;
        name_in(&file).ok_or_else(|| io::Error::other("the machine's name is not readable"))
    }

    /// Returns the machine's name where it has one already.
    #[must_use]
    pub fn known_machine(&self) -> Option<String> {
        name_in(&self.folder.join("machine"))
    }

    /// Returns how far the journal was shipped.
    #[must_use]
    pub fn cursor(&self) -> Cursor {
        Cursor::read(&fs::read_to_string(self.cursor_file()).unwrap_or_default())
    }

    /// Remembers how far the journal was shipped.
    ///
    /// # Errors
    /// Returns why the old place stays.
    pub fn remember(&self, cursor: &Cursor) -> io::Result<()> {
        let text = cursor.text();
        replace(&self.cursor_file(), text.as_bytes(), Lasts::WhileItMay)
    }

    /// Sets aside a line that nobody takes, and why.
    ///
    /// # Errors
    /// Returns why it could not be kept.
    pub fn set_aside(&self, line: &[u8], why: &str) -> io::Result<()> {
        let folder = self.aside();
        make_folder(&folder)?;
        let name = crate::cursor::hash_of(line);
        let text = [line, b"\n", why.as_bytes(), b"\n"].concat();
        match create(&folder.join(&name)) {
            Ok(_) => replace(&folder.join(name), &text, Lasts::ThroughCrashes),
            // It was set aside before a crash.
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(why) => Err(why),
        }
    }

    /// Returns how many lines were set aside.
    #[must_use]
    pub fn count_aside(&self) -> u64 {
        let entries = fs::read_dir(self.aside()).into_iter().flatten();
        entries.flatten().count() as u64
    }

    fn aside(&self) -> PathBuf {
        self.folder.join("unshipped")
    }

    /// Returns when something was last done, in milliseconds since 1970; 0 is never.
    #[must_use]
    pub fn last(&self, what: &str) -> u64 {
        let text = fs::read_to_string(self.folder.join(what)).unwrap_or_default();
        text.trim().parse().unwrap_or(0)
    }

    /// Notes when something was done.
    ///
    /// # Errors
    /// Returns why that could not be noted.
    pub fn done(&self, what: &str, at: u64) -> io::Result<()> {
        let text = format!("{at}\n");
        replace(&self.folder.join(what), text.as_bytes(), Lasts::WhileItMay)
    }
}

fn name_in(file: &Path) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let is_name = text.len() == 32 && text.bytes().all(|it| it.is_ascii_hexdigit());
    is_name.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outbox() -> (tempfile::TempDir, Outbox) {
        let folder = tempfile::tempdir().unwrap();
        let outbox = Outbox::of(folder.path());
        (folder, outbox)
    }

    #[test]
    fn a_journal_keeps_its_name_and_another_has_another() {
        let ((_a, one), (_b, other)) = (outbox(), outbox());
        let name = one.machine().unwrap();
        assert_eq!(one.machine().unwrap(), name);
        assert_ne!(other.machine().unwrap(), name);
    }

    #[test]
    fn one_at_a_time_ships_a_journal() {
        let (_folder, outbox) = outbox();
        let seat = outbox.take().unwrap();
        assert!(seat.is_some() && outbox.take().unwrap().is_none());
        drop(seat);
        assert!(outbox.take().unwrap().is_some());
    }

    #[test]
    fn a_line_is_set_aside_once() {
        let (_folder, outbox) = outbox();
        outbox.set_aside(b"{}", "status 400").unwrap();
        outbox.set_aside(b"{}", "status 400").unwrap();
        assert_eq!(outbox.count_aside(), 1);
    }
}
