//! Small files in our own folder, changed under a lock and replaced whole.

use std::path::{Path, PathBuf};

use belay_store::Lasts;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::load::read_file;

/// The most bytes of such a file.
const MOST_BYTES: u64 = 4 << 20;

/// Why a file of ours could not be read or changed.
#[derive(Debug)]
pub struct StoreError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub cause: String,
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot use `{}`: {}", self.path.display(), self.cause)
    }
}

impl std::error::Error for StoreError {}

/// One file of ours.
pub(crate) struct Store {
    path: PathBuf,
}

impl Store {
    pub(crate) fn new(state: &Path, name: &str) -> Self {
        Self {
            path: state.join(name),
        }
    }

    fn failed(&self, cause: impl ToString) -> StoreError {
        StoreError {
            path: self.path.clone(),
            cause: cause.to_string(),
        }
    }

    /// Reads the file; what is not there is empty.
    pub(crate) fn read<T: DeserializeOwned + Default>(&self) -> Result<T, StoreError> {
        match read_file(&self.path, MOST_BYTES) {
            Ok(None) => Ok(T::default()),
            Ok(Some(text)) => serde_json::from_str(&text).map_err(|it| self.failed(it)),
            Err(fault) => Err(self.failed(fault)),
        }
    }

    /// Changes the file: nobody else changes it meanwhile, and readers see the old or the new.
    pub(crate) fn change<T, R>(&self, change: impl FnOnce(&mut T) -> R) -> Result<R, StoreError>
    where
        T: Serialize + DeserializeOwned + Default,
    {
        if let Some(folder) = self.path.parent() {
            belay_store::make_folder(folder).map_err(|it| self.failed(it))?;
        }
        let lock = belay_store::open_lock(&self.path.with_extension("lock"));
        let lock = lock.map_err(|it| self.failed(it))?;
        lock.lock().map_err(|it| self.failed(it))?;
        let mut value: T = self.read()?;
        let answer = change(&mut value);
        let text = serde_json::to_string_pretty(&value).map_err(|it| self.failed(it))?;
        belay_store::replace(&self.path, text.as_bytes(), Lasts::ThroughCrashes)
            .map_err(|it| self.failed(it))?;
        Ok(answer)
    }
}
