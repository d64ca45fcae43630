//! Small files in our own folder, changed under a lock and replaced whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
            make_private_folder(folder).map_err(|it| self.failed(it))?;
        }
        let lock = private(&self.path.with_extension("lock"), Existing::Keep);
        let lock = lock.map_err(|it| self.failed(it))?;
        lock.lock().map_err(|it| self.failed(it))?;
        let mut value: T = self.read()?;
        let answer = change(&mut value);
        let text = serde_json::to_string_pretty(&value).map_err(|it| self.failed(it))?;
        self.replace(text.as_bytes())
            .map_err(|it| self.failed(it))?;
        Ok(answer)
    }

    fn replace(&self, bytes: &[u8]) -> io::Result<()> {
        let draft = self
            .path
            .with_extension(format!("{}.new", std::process::id()));
        let mut file = private(&draft, Existing::Truncate)?;
        let written = file.write_all(bytes).and_then(|()| file.sync_all());
        let moved = written.and_then(|()| fs::rename(&draft, &self.path));
        if moved.is_err() {
            let _ = fs::remove_file(&draft);
        }
        moved
    }
}

enum Existing {
    Keep,
    Truncate,
}

fn private(path: &Path, existing: Existing) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).write(true);
    options.truncate(matches!(existing, Existing::Truncate));
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn make_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
