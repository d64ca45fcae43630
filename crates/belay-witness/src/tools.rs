//! Which programs there are to witness, and which are missing.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The programs that should witness, each with its source and package.
const LIST: &str = include_str!("../tools.txt");

/// Where programs that the machine lacks were put.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// Makes the cache of a tree of sources.
    #[must_use]
    pub fn of(root: &Path) -> Self {
        let folder = root.join(".cache/witness");
        Self {
            // A copy of the tree shares it by a link.
            folder: folder.canonicalize().unwrap_or(folder),
        }
    }

    /// Returns its folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the layer of unpacked Debian packages.
    #[must_use]
    pub fn layer(&self) -> PathBuf {
        self.folder.join("debian")
    }

    /// Returns where lines look for programs.
    #[must_use]
    pub fn path(&self) -> String {
        let below = |it: &str| self.folder.join(it).display().to_string();
        [
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin".to_owned(),
            below("npm/node_modules/.bin"),
            below("pypi/bin"),
        ]
        .join(":")
    }

    /// Tells whether a program is there.
    #[must_use]
    pub fn has(&self, program: &str) -> bool {
        let layer = self.layer();
        let path = self.path();
        !program.is_empty()
            && !program.contains(['/', '*'])
            && path.split(':').any(|folder| {
                let inside = folder.trim_start_matches('/');
                Path::new(folder).join(program).exists() || is_there(&layer.join(inside), program)
            })
    }

    /// Tells whether a program takes long to start: an interpreter reads it before it does anything.
    #[must_use]
    pub fn is_slow(&self, program: &str) -> bool {
        let brought = ["npm/node_modules/.bin", "pypi/bin"];
        let layer = self.layer();
        let system = ["usr/local/bin", "usr/bin", "usr/sbin"];
        let found = system
            .iter()
            .flat_map(|it| [Path::new("/").join(it), layer.join(it)])
            .map(|it| it.join(program))
            .find(|it| it.exists());
        match found {
            Some(file) => is_interpreted(&file),
            None => brought
                .iter()
                .any(|it| self.folder.join(it).join(program).exists()),
        }
    }

    /// Names the programs of the list that are not there.
    #[must_use]
    pub fn missing(&self) -> Vec<&'static str> {
        listed().filter(|it| !self.has(it)).collect()
    }
}

/// Tells whether a file begins with the name of an interpreter that takes long.
fn is_interpreted(file: &Path) -> bool {
    let mut start = [0; 64];
    let read = File::open(file).and_then(|mut it| it.read(&mut start));
    let first = start.split(|it| *it == b'\n').next().unwrap_or_default();
    let first = String::from_utf8_lossy(first);
    let slow = ["node", "python", "ruby", "java"];
    read.is_ok() && first.starts_with("#!") && slow.iter().any(|it| first.contains(it))
}

/// A link may lead out of the layer, so that it is there without leading anywhere here.
fn is_there(folder: &Path, program: &str) -> bool {
    folder.join(program).symlink_metadata().is_ok()
}

/// Returns the programs of the list.
pub fn listed() -> impl Iterator<Item = &'static str> {
    LIST.lines()
        .filter(|it| !it.starts_with('#'))
        .flat_map(|it| it.split_whitespace().skip(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enough_programs_witness() {
        assert!(listed().count() >= 150);
    }
}
