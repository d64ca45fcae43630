//! What a fleet's signed policy says of commands and tools.
//!
//! INVARIANT: our own files speak first, so nothing here changes what we say; a fleet's files speak before a user's. Whether they
//! were heard at all is noted, because who may not loosen judges once more without them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Bound;
use crate::blob::Blob;
use crate::compile::Fault;
use crate::glob;
use crate::knowledge::{Knowledge, LoadError, PACKED};
use crate::layout::{ALIASES, BUILTINS, COMMANDS};

/// Layers of packed knowledge, and whether one of them was heard.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    packed: Vec<Arc<Knowledge>>,
    heard: AtomicBool,
}

impl Layers {
    pub(crate) const fn none() -> Self {
        Self {
            packed: Vec::new(),
            heard: AtomicBool::new(false),
        }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// Tells whether a name is a command here, and not another name of one.
    pub(crate) fn describes(&self, name: &str) -> bool {
        self.find(ALIASES, name).is_none() && self.find(COMMANDS, name).is_some()
    }

    /// Looks a name up, the last layer first.
    pub(crate) fn find(
        &self,
        table: usize,
        name: impl AsRef<[u8]> + Copy,
    ) -> Option<(Blob<'_>, usize)> {
        let blobs = self.packed.iter().rev().map(|it| it.own());
        let found = blobs
            .into_iter()
            .find_map(|it| it.find(table, name).map(|at| (it, at)))?;
        self.heard.store(true, Ordering::Relaxed);
        Some(found)
    }
}

impl Clone for Layers {
    fn clone(&self) -> Self {
        Self {
            packed: self.packed.clone(),
            heard: AtomicBool::new(self.heard.load(Ordering::Relaxed)),
        }
    }
}

impl PartialEq for Layers {
    fn eq(&self, other: &Self) -> bool {
        self.packed == other.packed
    }
}

impl Eq for Layers {}

impl Knowledge {
    /// Reads the knowledge files of a rule set: paths under a folder of knowledge, and texts.
    ///
    /// # Errors
    /// When a file is refused for the same faults that stop our own build, or is bound to a program of one machine.
    pub fn taught(files: &[(&str, &str)]) -> Result<Self, LoadError> {
        let bound = |(path, text): &(&str, &str)| Bound::of(text).map(|_| bound_to_one(path));
        let faults: Vec<Fault> = files.iter().filter_map(bound).collect();
        match faults.is_empty() {
            true => Ok(Self::load_texts(files)?.behind_ours()),
            false => Err(LoadError::Faulty(faults)),
        }
    }

    /// Reads the knowledge files of a rule set that must speak only of what ours do not.
    ///
    /// # Errors
    /// As [`Knowledge::taught`], and when a file describes what ours describe.
    pub fn taught_only_new(files: &[(&str, &str)]) -> Result<Self, LoadError> {
        let taught = Self::taught(files)?;
        let clash = taught.clashes().first().map(|it| (*it).to_owned());
        match clash.or_else(|| taught.covered()) {
            Some(name) => {
                let file = files.iter().find(|(path, text)| {
                    path.contains(&format!("/{name}.")) || text.contains(&format!("\"{name}\""))
                });
                let file = file.or_else(|| files.first());
                Err(LoadError::Ours(
                    name,
                    file.map(|it| it.0.to_owned()).unwrap_or_default(),
                ))
            }
            None => Ok(taught),
        }
    }

    /// Returns a name of ours that a pattern of these files would fit.
    fn covered(&self) -> Option<String> {
        let ours = Blob(PACKED);
        let names = [COMMANDS, BUILTINS].map(|it| ours.names(it)).concat();
        let patterns = self.own().names(COMMANDS).into_iter();
        let mut patterns = patterns.filter(|it| it.contains(['*', '?', '[']));
        patterns.find_map(|pattern| {
            let fits = |it: &&&str| glob::matches(pattern.as_bytes(), it);
            names.iter().find(fits).map(|it| (*it).to_owned())
        })
    }

    /// Adds what rule sets of a fleet say, the last of them first. Ours speak before them, whatever was loaded before.
    #[must_use]
    pub fn with_taught(self, layers: &[Arc<Self>]) -> Self {
        let mut with = self.behind_ours();
        with.layers.packed.extend(layers.iter().cloned());
        with
    }

    /// Tells whether anything that a fleet says was asked for so far.
    #[must_use]
    pub fn was_taught_heard(&self) -> bool {
        self.layers.heard.load(Ordering::Relaxed)
    }
}

fn bound_to_one(path: &str) -> Fault {
    Fault {
        file: path.to_owned(),
        line: 1,
        column: 1,
        what: "`[bound]` names a program of one machine".to_owned(),
        hint: "remove `[bound]`: a file in a bundle speaks for every machine".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RM: &str = r#"
about = "Looks."
usage = "rm"
[examples]
"rm"    = []
"rm a"  = ["unknown operand a"]
"rm -x" = ["unknown flag -x"]
"#;

    #[test]
    fn only_what_is_new_is_taught() {
        let texts: [(&str, &str, &str); 4] = [
            ("commands/rm.toml", RM, "already knows `rm`"),
            (
                "commands/frob.toml",
                "[bound]\npath = \"/bin/frob\"\n",
                "one machine",
            ),
            ("commands/frob.toml", "about = ", "-->"),
            ("commands/frob.toml", "effects = [\"allow\"]\n", "-->"),
        ];
        for (path, text, says) in texts {
            let said = Knowledge::taught_only_new(&[(path, text)]).unwrap_err();
            assert!(said.to_string().contains(says), "{path}: {said}");
        }
    }
}
