//! Small private files that processes share: changed under a lock, replaced whole.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use belay_store::Lasts;
use serde_json::Value as Json;

use crate::Fault;
use crate::clock::Deadline;

/// The most bytes of such a file.
const MOST_BYTES: u64 = 1 << 20;

/// How often a lock is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// A folder of ours.
#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Opens the classifier's folder in the state folder, making it private.
    pub(crate) fn open(state: &Path) -> Result<Self, Fault> {
        let folder = state.join("classifier");
        belay_store::make_folder(&folder).map_err(|why| fault(&folder, &why))?;
        Ok(Self(folder))
    }

    /// Returns a folder inside this one.
    pub(crate) fn inner(&self, name: &str) -> Result<Self, Fault> {
        let folder = self.0.join(name);
        belay_store::make_folder(&folder).map_err(|why| fault(&folder, &why))?;
        Ok(Self(folder))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Takes a lock; it is given back when the file is dropped or the process ends.
    pub(crate) fn lock(&self, name: &str, deadline: Deadline) -> Result<Option<File>, Fault> {
        let path = self.path(name);
        let file = belay_store::open_lock(&path).map_err(|why| fault(&path, &why))?;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(file)),
                Err(fs::TryLockError::WouldBlock) => {
                    if !deadline.wait(LOOK) {
                        return Ok(None);
                    }
                }
                Err(fs::TryLockError::Error(why)) => return Err(fault(&path, &why)),
            }
        }
    }

    /// Reads a file; what is not there, or makes no sense, is nothing.
    pub(crate) fn read(&self, name: &str) -> Option<Json> {
        let mut bytes = Vec::new();
        let file = File::open(self.path(name)).ok()?;
        file.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Replaces a file whole.
    pub(crate) fn write(&self, name: &str, value: &Json) -> Result<(), Fault> {
        let path = self.path(name);
        belay_store::replace(&path, value.to_string().as_bytes(), Lasts::WhileItMay)
            .map_err(|why| fault(&path, &why))
    }

    /// Changes a file while nobody else does.
    pub(crate) fn change<R>(
        &self,
        name: &str,
        change: impl FnOnce(&mut Json) -> R,
    ) -> Result<R, Fault> {
        let patience = Deadline::after(Duration::from_millis(500));
        let lock = self.lock(&format!("{name}.lock"), patience)?;
        if lock.is_none() {
            return Err(Fault::State(format!("`{name}` stays locked")));
        }
        let mut value = self
            .read(name)
            .unwrap_or_else(|| Json::Object(Default::default()));
        let answer = change(&mut value);
        self.write(name, &value)?;
        Ok(answer)
    }
}

fn fault(path: &Path, why: &io::Error) -> Fault {
    Fault::State(format!("`{}`: {why}", path.display()))
}
