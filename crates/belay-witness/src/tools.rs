//! Which programs there are to witness, and which are missing.

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

    /// Names the programs of the list that are not there.
    #[must_use]
    pub fn missing(&self) -> Vec<&'static str> {
        listed().filter(|it| !self.has(it)).collect()
    }
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
