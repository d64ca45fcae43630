//! Finds commands as a shell does.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Where to look for commands.
#[derive(Clone, Copy, Debug)]
pub struct SearchPath<'a> {
    /// Folders, parted by colons.
    pub folders: &'a str,
    /// The folder that an empty or relative part means.
    pub cwd: &'a Path,
}

impl SearchPath<'_> {
    /// Returns the first executable file of that name.
    pub fn find(self, name: &str) -> Option<PathBuf> {
        self.folders
            .split(':')
            .map(|folder| self.cwd.join(folder).join(name))
            .find(|path| is_program(path))
    }
}

fn is_program(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|seen| seen.is_file() && seen.mode() & 0o111 != 0)
}
