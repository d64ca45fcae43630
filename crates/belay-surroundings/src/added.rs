//! What manifests said before this session wrote them. INVARIANT: what the session added declares nothing, neither
//! once it is committed nor under another name of the file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use belay_model::Answer;

use crate::consent::Consent;
use crate::declared::{Notation, REGISTRIES, manifest_files, name_in, notation_of, registry_of};
use crate::look::{self, Gap};
use crate::resolve::resolve;
use crate::session::{Memory, Session};

/// A longer manifest is not kept: what was in it vouches for nothing.
const LONGEST: usize = 256 << 10;

/// So many packages are named; of more it is only said that there are some.
const MOST: usize = 24;

/// Stands for packages that cannot be told apart.
const SOME: &str = "added";

/// Stands for a package that says itself where it comes from.
const FOREIGN: &str = "foreign";

/// Returns what is to be remembered before a file, or what lies in a folder, is written for the first time.
pub(crate) fn before_writing(session: &Session, place: &Path, installing: &[&str]) -> Vec<Memory> {
    let installed: Vec<&str> = installing.iter().map(|it| registry_of(it)).collect();
    let registries = REGISTRIES.iter().filter(|it| !installed.contains(it));
    let paths: BTreeSet<PathBuf> = if look::is_folder(place) {
        let files = registries.flat_map(|it| manifest_files(it));
        files
            .map(|it| place.join(it))
            .filter(|it| look::is_file(it))
            .collect()
    } else {
        let mut registries = registries;
        let is_one = registries.any(|it| notation_of(it, place).is_some());
        is_one.then(|| place.to_owned()).into_iter().collect()
    };
    let new = paths
        .into_iter()
        .filter(|it| session.said_before(it).is_none());
    new.filter_map(|path| {
        let text = look::text(&path).unwrap_or_default();
        Some(Memory::Manifest {
            path: path.to_str()?.to_owned(),
            text: if text.len() > LONGEST {
                String::new()
            } else {
                text
            },
        })
    })
    .collect()
}

impl Session {
    /// Returns each manifest that was written, and what it said before.
    fn manifests(&self) -> impl Iterator<Item = (&Path, &str)> {
        let memories = self.memories().unwrap_or_default().iter();
        memories.filter_map(|it| match it {
            Memory::Manifest { path, text } => Some((Path::new(path), text.as_str())),
            Memory::Began(_)
            | Memory::Remote { .. }
            | Memory::Host(_)
            | Memory::Own(_)
            | Memory::Worktree(_)
            | Memory::File { .. }
            | Memory::Package(..)
            | Memory::Secret(_)
            | Memory::Denied(_)
            | Memory::Allowed
            | Memory::Person
            | Memory::Spoken { .. }
            | Memory::Consent(_) => None,
        })
    }

    /// Returns what a manifest said before this session first wrote it; nothing where it did not.
    pub(crate) fn said_before(&self, path: &Path) -> Option<&str> {
        self.manifests()
            .find(|(it, _)| *it == path)
            .map(|(_, it)| it)
    }

    /// Reads what a manifest said when the session began, as far as the session changed it.
    pub(crate) fn declaring_text(&self, path: &Path) -> Result<String, Gap> {
        let place = resolve(path)?.place();
        match self.said_before(&place) {
            Some(text) => Ok(text.to_owned()),
            None => look::text(path),
        }
    }

    /// Names the packages that manifests of a project name only since this session wrote them.
    pub(crate) fn added(&self, folder: &Path, ecosystem: &str) -> Answer {
        let (Some(_), Ok(led)) = (self.memories(), resolve(folder)) else {
            return Answer::Unknown;
        };
        let place = led.place();
        if look::is_file(&place) {
            return self.added_to(&place, ecosystem);
        }
        let is_top = |it: &&Path| it.join(".git").symlink_metadata().is_ok();
        let top = place.ancestors().find(is_top).unwrap_or(&place);
        let registry = registry_of(ecosystem);
        let mut found = BTreeSet::new();
        for (path, before) in self.manifests().filter(|(it, _)| it.starts_with(top)) {
            let Some(notation) = notation_of(registry, path) else {
                continue;
            };
            match look::text(path) {
                Ok(now) => found.extend(
                    Change {
                        registry,
                        notation,
                        before,
                        now: &now,
                    }
                    .added(),
                ),
                Err(Gap::Absent) => {}
                Err(Gap::Closed) => found.extend([SOME.to_owned()]),
            }
        }
        found.retain(|it| !self.was_installed(registry, it));
        if found.len() > MOST {
            return Answer::Names(vec![SOME.to_owned()]);
        }
        Answer::Names(found.into_iter().collect())
    }

    /// A list of packages under a name of its own is told as a whole.
    fn added_to(&self, file: &Path, ecosystem: &str) -> Answer {
        let is_usual = notation_of(registry_of(ecosystem), file).is_some();
        let is_written = || self.provenance(file, &|| false) != Answer::No;
        let added = !is_usual && is_written();
        Answer::Names(added.then(|| SOME.to_owned()).into_iter().collect())
    }

    /// Tells whether the package was installed by its name before, without a question or with a person's yes.
    fn was_installed(&self, registry: &str, name: &str) -> bool {
        let words = |key: &str| -> bool {
            let mut words = key.split(|it: char| it.is_whitespace() || it.is_control());
            words.any(|it| name_in(registry, it).as_deref() == Some(name))
        };
        let memories = self.memories().unwrap_or_default();
        memories.iter().any(|it| match it {
            Memory::Package(ecosystem, package) => {
                registry_of(ecosystem) == registry
                    && name_in(registry, package).as_deref() == Some(name)
            }
            Memory::Consent(Consent::Granted(grant)) => {
                grant.key.contains("\u{1f}install\u{1f}") && words(&grant.key)
            }
            Memory::Manifest { .. }
            | Memory::Began(_)
            | Memory::Remote { .. }
            | Memory::Host(_)
            | Memory::Own(_)
            | Memory::Worktree(_)
            | Memory::File { .. }
            | Memory::Secret(_)
            | Memory::Denied(_)
            | Memory::Allowed
            | Memory::Person
            | Memory::Spoken { .. }
            | Memory::Consent(_) => false,
        })
    }
}

/// A manifest as it was and as it is.
struct Change<'a> {
    registry: &'a str,
    notation: Notation,
    before: &'a str,
    now: &'a str,
}

impl Change<'_> {
    fn added(&self) -> BTreeSet<String> {
        let plain = |it: &str| {
            it.split_whitespace()
                .collect::<String>()
                .trim_end_matches(',')
                .to_owned()
        };
        let old: BTreeSet<String> = self.before.lines().map(plain).collect();
        let new = self.now.lines().filter(|it| !old.contains(&plain(it)));
        let mut found = BTreeSet::new();
        for line in new {
            for word in words(line) {
                let Some(name) = name_in(self.registry, word) else {
                    continue;
                };
                if !self.notation.names(self.now, &name) {
                    continue;
                }
                if comes_from_elsewhere(line, word) {
                    found.insert(FOREIGN.to_owned());
                }
                if !self.notation.names(self.before, &name) {
                    found.insert(name);
                }
            }
            if self.is_order(line) {
                found.insert(FOREIGN.to_owned());
            }
        }
        found
    }

    /// A line of a list of requirements that is an address, a path or an option of the installer.
    fn is_order(&self, line: &str) -> bool {
        let line = line.trim();
        match self.notation {
            Notation::Requirements => {
                line.starts_with('-') || (line.contains('/') && !line.starts_with('#'))
            }
            Notation::Json(_)
            | Notation::Toml(_)
            | Notation::LockedToml
            | Notation::Words
            | Notation::Gems
            | Notation::Lock
            | Notation::Strings
            | Notation::Folder => false,
        }
    }
}

/// Returns the words of a line that may be names of packages.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |it: char| it.is_ascii_alphanumeric() || "@/._-".contains(it);
    let words = line.split(move |it: char| !is_part(it));
    words.filter(|it| it.contains(|it: char| it.is_ascii_alphanumeric()))
}

/// Tells whether what follows a package's name says where it comes from; a folder beside is the project's.
fn comes_from_elsewhere(line: &str, name: &str) -> bool {
    let Some((_, rest)) = line.split_once(name) else {
        return false;
    };
    let local = rest.contains("path =") && !rest.contains("://");
    rest.contains('/') && !local
}
