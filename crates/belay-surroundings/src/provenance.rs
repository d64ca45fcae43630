//! Answers from the session's memory.

use std::path::{Path, PathBuf};

use belay_model::Answer;

use crate::git::Known;
use crate::look::{self, Gap};
use crate::resolve::resolve;
use crate::session::{Before, Memory, Origin, Places, Session, content_hash};

/// Larger files are not compared by content.
const HASHED: u64 = 4 << 20;
/// Fetched files without a known hash that are looked at.
const LOOKED_AT: usize = 64;

/// Says that only a folder was written to, in which the file lies.
pub(crate) const FILLED: &str = "filled";

/// One file or tree of the session.
#[derive(Clone, Copy)]
struct Remembered<'a> {
    path: &'a str,
    origin: Origin,
    before: Before,
    hash: Option<&'a str>,
}

impl<'a> Remembered<'a> {
    fn of(memory: &'a Memory) -> Option<Self> {
        match memory {
            Memory::File {
                path,
                origin,
                before,
                hash,
            } => Some(Self {
                path,
                origin: *origin,
                before: *before,
                hash: hash.as_deref(),
            }),
            Memory::Began(_)
            | Memory::Remote { .. }
            | Memory::Host(_)
            | Memory::Own(_)
            | Memory::Worktree(_)
            | Memory::Manifest { .. }
            | Memory::Package(..)
            | Memory::Secret(_)
            | Memory::Denied(_)
            | Memory::Allowed
            | Memory::Person
            | Memory::Spoken { .. }
            | Memory::Consent(_) => None,
        }
    }
}

impl Session {
    fn files(&self) -> Option<impl DoubleEndedIterator<Item = Remembered<'_>>> {
        Some(self.memories()?.iter().filter_map(Remembered::of))
    }

    /// Returns what is remembered of a path and of the folders it lies in, in its order.
    fn about(&self, path: &Path) -> Vec<Remembered<'_>> {
        let memories = self.memories().unwrap_or_default();
        let places = self.places.get_or_init(|| {
            let mut places = Places::new();
            for (at, memory) in memories.iter().enumerate() {
                if let Some(file) = Remembered::of(memory) {
                    places.entry(PathBuf::from(file.path)).or_default().push(at);
                }
            }
            places
        });
        let above = path.ancestors().filter_map(|it| places.get(it));
        let mut found: Vec<usize> = above.flatten().copied().collect();
        found.sort_unstable();
        found
            .iter()
            .filter_map(|at| Remembered::of(memories.get(*at)?))
            .collect()
    }

    /// Says how a file came to be: by its path, by a folder it lies in, or by its content.
    ///
    /// What was unpacked over a folder that was there is told from what lay in it by `is_work`: whether git neither
    /// keeps nor ignores the file.
    pub(crate) fn provenance(&self, path: &Path, is_work: &dyn Fn() -> bool) -> Answer {
        let (Some(files), Ok(led)) = (self.files(), resolve(path)) else {
            return Answer::Unknown;
        };
        let files: Vec<Remembered<'_>> = files.collect();
        let place = led.place();
        let of_path = |path: &Path| by_path(&self.about(path), path, is_work);
        // What is a copy of something fetched is fetched, whoever wrote it.
        let origin = match of_path(path).max(of_path(&place)) {
            Some(Origin::Fetched) => Some(Origin::Fetched),
            origin @ (Some(Origin::Built | Origin::Written | Origin::Foreign) | None) => {
                origin.max(by_content(&files, &place))
            }
        };
        // Where others may write, what was built may have been replaced.
        let origin = match origin {
            // A link where something was built leads to whatever somebody put behind it.
            Some(Origin::Built) if of_path(&place) != Some(Origin::Built) => Some(Origin::Written),
            Some(Origin::Built) if !look::is_ours_alone(&place) => Some(Origin::Written),
            Some(Origin::Built) => files
                .iter()
                .filter(|it| Path::new(it.path).starts_with(&place))
                .map(|it| it.origin)
                .max()
                .max(Some(Origin::Built)),
            origin => origin,
        };
        let itself = |it: &Path| it.to_str().is_some_and(|it| self.known_file(it).is_some());
        let by_name = || itself(path) || itself(&place);
        match origin {
            None => Answer::No,
            // A tool wrote into its folder, under names of its own.
            Some(Origin::Written) if !by_name() && by_content(&files, &place).is_none() => {
                Answer::Name(FILLED.to_owned())
            }
            Some(origin) => Answer::Name(origin.word().to_owned()),
        }
    }

    /// Returns what was brought from outside, or written, to places below a folder.
    pub(crate) fn brought(&self, folder: &Path) -> Answer {
        let Some(files) = self.files() else {
            return Answer::Unknown;
        };
        let brought = files.filter(|it| it.origin != Origin::Built);
        let below = brought.filter(|it| Path::new(it.path).starts_with(folder));
        let mut names: Vec<String> = below
            .map(|it| format!("{} {}", it.origin.word(), it.path))
            .collect();
        names.sort();
        names.dedup();
        Answer::Names(names)
    }

    /// Returns what was last remembered of exactly this path: how it came to be, and its hash.
    pub(crate) fn known_file(&self, path: &str) -> Option<(Origin, Option<&str>)> {
        let about = self.about(Path::new(path));
        let last = about.iter().rev().find(|it| it.path == path)?;
        Some((last.origin, last.hash))
    }

    /// Returns the secrets that were read.
    pub(crate) fn secrets(&self) -> Answer {
        let Some(memories) = self.memories() else {
            return Answer::Unknown;
        };
        let mut names: Vec<String> = Vec::new();
        for memory in memories {
            if let Memory::Secret(name) = memory
                && !names.contains(name)
            {
                names.push(name.clone());
            }
        }
        Answer::Names(names)
    }

    /// Tells whether the session has begun: what was known then is remembered.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        let began = |it: &Memory| matches!(it, Memory::Began(_));
        self.memories().is_some_and(|it| it.iter().any(began))
    }

    /// Returns when the session began, in seconds since 1970.
    pub(crate) fn began_at(&self) -> Option<u64> {
        self.memories()?.iter().find_map(|it| match it {
            Memory::Began(at) => Some(*at),
            Memory::Remote { .. }
            | Memory::Host(_)
            | Memory::Own(_)
            | Memory::Worktree(_)
            | Memory::File { .. }
            | Memory::Manifest { .. }
            | Memory::Package(..)
            | Memory::Secret(_)
            | Memory::Denied(_)
            | Memory::Allowed
            | Memory::Person
            | Memory::Spoken { .. }
            | Memory::Consent(_) => None,
        })?
    }
}

/// What was fetched stays so until its whole content is written anew.
fn by_path(files: &[Remembered<'_>], path: &Path, is_work: &dyn Fn() -> bool) -> Option<Origin> {
    let mut origin = None;
    let mut itself = false;
    for file in files {
        let exact = Path::new(file.path) == path;
        let was_there = matches!(file.before, Before::Kept | Before::Something);
        if !exact && file.origin.is_outside() && was_there && !is_work() {
            continue;
        }
        // A file that was not there when it was written did not come with its folder.
        let made = !itself && file.before == Before::Nothing;
        let rewritten = exact && (file.hash.is_some() || made);
        itself |= exact;
        origin = match (origin, file.origin) {
            (Some(_), Origin::Written) if rewritten => Some(Origin::Written),
            (before, now) => before.max(Some(now)),
        };
    }
    origin
}

fn by_content(files: &[Remembered<'_>], place: &Path) -> Option<Origin> {
    if files.is_empty() {
        return None;
    }
    let hash = content_hash(&look::whole(place, HASHED).ok()?);
    let known = |origin| {
        files
            .iter()
            .filter(|it| it.origin == origin)
            .any(|it| it.hash == Some(hash.as_str()))
    };
    if known(Origin::Fetched) || is_copy(files, &hash) {
        return Some(Origin::Fetched);
    }
    let origins = [Origin::Foreign, Origin::Written];
    origins.into_iter().find(|it| known(*it))
}

/// Tells whether a fetched file that lies there now has that content.
fn is_copy(files: &[Remembered<'_>], hash: &str) -> bool {
    let unhashed = files
        .iter()
        .rev()
        .filter(|it| it.origin == Origin::Fetched && it.hash.is_none());
    unhashed.take(LOOKED_AT).any(|it| {
        look::whole(Path::new(it.path), HASHED).is_ok_and(|bytes| content_hash(&bytes) == hash)
    })
}

impl Known for Session {
    fn own(&self, path: &Path) -> bool {
        let of_path = self.about(path);
        // Once git kept all of it, every later change is one that this session saw begin.
        of_path
            .iter()
            .any(|it| matches!(it.before, Before::Nothing | Before::Kept))
            && of_path.last().is_some_and(|last| is_as_left(last, path))
    }

    fn ignore_files(&self) -> Vec<PathBuf> {
        let files = self.files().into_iter().flatten();
        files
            .filter(|it| it.path.ends_with("/.gitignore"))
            .map(|it| PathBuf::from(it.path))
            .collect()
    }
}

/// What somebody changed since the session wrote it is not the session's any more.
fn is_as_left(last: &Remembered<'_>, path: &Path) -> bool {
    match last.hash {
        Some(hash) if Path::new(last.path) == path => match look::whole(path, HASHED) {
            Ok(bytes) => content_hash(&bytes) == hash,
            Err(Gap::Absent) => true,
            Err(Gap::Closed) => false,
        },
        Some(_) | None => true,
    }
}

/// Knows of no session.
pub struct NoSession;

impl Known for NoSession {
    fn own(&self, _: &Path) -> bool {
        false
    }

    fn ignore_files(&self) -> Vec<PathBuf> {
        Vec::new()
    }
}
