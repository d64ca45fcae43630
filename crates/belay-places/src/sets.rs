//! Sets of globs that name places, and how a path is found in them.

use std::iter::zip;

use belay_model::Scope;

use crate::glob::{matches_name, matches_parts};
use crate::lists::{PLACE_KEYS, PLACE_SHAPES, PLACE_STARTS, PLACES};
use crate::meets::names_meet;
use crate::parts::{Parts, ending, suffixes};

/// What a glob of `policy/places.toml` is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Home,
    Root,
    Anywhere,
}

/// One glob of `policy/places.toml`.
#[derive(Debug)]
pub(crate) struct PathGlob {
    pub(crate) anchor: Anchor,
    pub(crate) takes_back: bool,
    pub(crate) parts: &'static [&'static str],
    /// How many parts stand before the first `**`.
    pub(crate) depth: usize,
    /// Whether everything below what it names is meant too: its last part is `**`.
    pub(crate) folder: bool,
}

/// A part of a glob by which it is found; an index by keys is sorted by the names they stand for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) glob: u16,
    pub(crate) part: u16,
}

/// Which lengths names have that begin alike: a row for the low bits of the first letter, a bit for each length. Most names of
/// a path are told from all that a list names by this alone.
#[derive(Debug)]
pub(crate) struct Shapes(pub(crate) [u32; 32]);

impl Shapes {
    /// Tells whether a name may be one of them.
    fn may_hold(&self, name: &str) -> bool {
        let first = name.as_bytes().first().copied().unwrap_or_default();
        let row = self.0.get(usize::from(first % 32));
        row.is_some_and(|it| it >> name.len().min(31) & 1 == 1)
    }
}

/// Keys, sorted by the names they stand for.
#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) shapes: Shapes,
    pub(crate) keys: &'static [Key],
}

/// The globs of one scope, with an index by their last plain component.
#[derive(Debug)]
pub(crate) struct PlaceSet {
    pub(crate) scope: Scope,
    pub(crate) globs: &'static [PathGlob],
    pub(crate) keyed: Index,
    pub(crate) loose: &'static [usize],
    /// The globs that a folder may lie above, by its name.
    pub(crate) above: Index,
    /// Those that a folder of any name may lie above.
    pub(crate) above_loose: &'static [usize],
}

impl PathGlob {
    /// Returns the parts before the first `**`.
    fn plain(&self) -> &'static [&'static str] {
        self.parts.get(..self.depth).unwrap_or_default()
    }

    pub(crate) fn matches(&self, path: &Parts<'_>) -> bool {
        match self.anchor {
            Anchor::Root => matches_parts(self.parts, &path.all),
            Anchor::Home => path
                .home
                .and_then(|at| path.all.get(at..))
                .is_some_and(|rest| matches_parts(self.parts, rest)),
            // Most are one name, whatever stands before it.
            Anchor::Anywhere if self.depth == 1 && self.parts.len() == 1 => {
                let last = path.all.last().zip(self.parts.first());
                last.is_some_and(|(name, glob)| matches_name(glob, name))
            }
            Anchor::Anywhere if self.plain().len() == self.parts.len() => {
                ending(&path.all, self.parts.len())
                    .is_some_and(|rest| matches_parts(self.parts, rest))
            }
            Anchor::Anywhere => suffixes(&path.all).any(|rest| matches_parts(self.parts, rest)),
        }
    }

    /// Tells whether the path is a folder above what the glob names.
    pub(crate) fn lies_below(&self, path: &Parts<'_>) -> bool {
        let leads = |rest: &[&str]| {
            !rest.is_empty()
                && rest.len() < self.parts.len()
                && rest
                    .iter()
                    .zip(self.parts)
                    .all(|(name, part)| *part != "**" && matches_name(part, name))
        };
        match self.anchor {
            Anchor::Root => leads(&path.all),
            Anchor::Home => path
                .home
                .and_then(|at| path.all.get(at..))
                .is_some_and(leads),
            Anchor::Anywhere if self.parts.len() > 1 => suffixes(&path.all).any(leads),
            Anchor::Anywhere => false,
        }
    }

    /// Tells whether a folder that the given glob matches may hold something this glob names.
    pub(crate) fn lies_below_glob(&self, glob: &Parts<'_>) -> bool {
        let leads = |rest: &[&str]| {
            rest.len() < self.plain().len()
                && zip(rest, self.plain()).all(|(theirs, ours)| names_meet(theirs, ours))
        };
        match self.anchor {
            Anchor::Root => leads(&glob.all),
            Anchor::Home => glob
                .home
                .and_then(|at| glob.all.get(at..))
                .is_some_and(|rest| !rest.is_empty() && leads(rest)),
            Anchor::Anywhere => false,
        }
    }

    /// Tells whether one file that this glob names may bear a name that the given one matches.
    pub(crate) fn may_be_named(&self, theirs: &str) -> bool {
        // A star of ours stands for no ending: `credentials*` is no `*.txt`.
        let own = self.plain().last().filter(|_| !self.folder);
        own.is_some_and(|ours| names_meet(theirs, &ours.replace('*', "x")))
    }

    /// Tells whether what this glob names may lie in a folder that bears a name the given one matches.
    pub(crate) fn may_lie_in(&self, theirs: &str) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|ours| *ours != "**" && names_meet(theirs, &ours.replace('*', "x")))
    }

    /// Tells whether something the given glob matches may be something this glob names.
    pub(crate) fn meets(&self, glob: &Parts<'_>) -> bool {
        let meet = |rest: &[&str]| {
            (rest.len() == self.plain().len() || self.folder && rest.len() > self.plain().len())
                && zip(rest, self.plain()).all(|(theirs, ours)| names_meet(theirs, ours))
                && zip(rest, self.plain())
                    .any(|(theirs, ours)| theirs.starts_with('.') || theirs == ours)
        };
        match self.anchor {
            Anchor::Root => meet(&glob.all),
            Anchor::Home => glob
                .home
                .and_then(|at| glob.all.get(at..))
                .is_some_and(meet),
            Anchor::Anywhere if self.folder => suffixes(&glob.all).any(meet),
            Anchor::Anywhere => ending(&glob.all, self.plain().len()).is_some_and(meet),
        }
    }
}

impl PlaceSet {
    /// Returns the globs that add to the set.
    pub(crate) fn named(&self) -> impl Iterator<Item = &'static PathGlob> {
        self.globs.iter().filter(|it| !it.takes_back)
    }

    /// Returns the name that a key stands for.
    fn name_of(&self, key: Key) -> &'static str {
        let glob = self.globs.get(usize::from(key.glob));
        let name = glob.and_then(|it| it.parts.get(usize::from(key.part)));
        name.copied().unwrap_or_default()
    }

    /// Returns the globs that an index names under a name.
    fn under(&self, index: &'static Index, name: &str) -> impl Iterator<Item = usize> {
        let keys = match index.shapes.may_hold(name) {
            true => index.keys,
            false => &[],
        };
        let from = keys.partition_point(|it| self.name_of(*it) < name);
        let rest = keys.get(from..).unwrap_or_default();
        let count = rest.partition_point(|it| self.name_of(*it) == name);
        rest.iter().take(count).map(|it| usize::from(it.glob))
    }

    /// Tells whether the path is a folder above what the set names.
    pub(crate) fn lies_below(&'static self, path: &Parts<'_>) -> bool {
        let Some(name) = path.all.last() else {
            return false;
        };
        let keyed = self.under(&self.above, name);
        let mut globs = keyed.chain(self.above_loose.iter().copied());
        globs.any(|at| self.globs.get(at).is_some_and(|it| it.lies_below(path)))
    }

    pub(crate) fn holds(&'static self, path: &Parts<'_>) -> bool {
        let mut found = false;
        let parts = path.all.iter();
        let keyed = parts.flat_map(|part| self.under(&self.keyed, part));
        for at in keyed.chain(self.loose.iter().copied()) {
            let Some(glob) = self.globs.get(at) else {
                continue;
            };
            if glob.matches(path) {
                if glob.takes_back {
                    return false;
                }
                found = true;
            }
        }
        found
    }
}

/// A key of one of all sets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaceKey {
    pub(crate) set: u16,
    pub(crate) key: Key,
}

impl PlaceKey {
    /// Returns the name that it stands for.
    fn name(self) -> &'static str {
        let set = PLACES.get(usize::from(self.set));
        set.map(|it| it.name_of(self.key)).unwrap_or_default()
    }
}

/// Returns the sets whose names the path bears, first to last.
pub(crate) fn named(path: &Parts<'_>) -> impl Iterator<Item = Scope> {
    let (mut yes, mut no) = (0_u32, 0_u32);
    let mut note = |set: usize, glob: &PathGlob| {
        if glob.matches(path) {
            if glob.takes_back {
                no |= 1 << set;
            } else {
                yes |= 1 << set;
            }
        }
    };
    for part in path.all.iter().filter(|it| PLACE_SHAPES.may_hold(it)) {
        // Where names of the same first letter stand; most parts of a path share it with few.
        let first = usize::from(part.as_bytes().first().copied().unwrap_or_default());
        let bounds = (PLACE_STARTS.get(first), PLACE_STARTS.get(first + 1));
        let alike = match bounds {
            (Some(from), Some(to)) => PLACE_KEYS.get(usize::from(*from)..usize::from(*to)),
            (None, _) | (_, None) => None,
        };
        let alike = alike.unwrap_or_default();
        let from = alike.partition_point(|it| it.name() < *part);
        let rest = alike.get(from..).unwrap_or_default();
        for PlaceKey { set, key } in rest.iter().take_while(|it| it.name() == *part) {
            let set = usize::from(*set);
            let globs = PLACES.get(set).map(|it| it.globs);
            if let Some(glob) = globs.and_then(|it| it.get(usize::from(key.glob))) {
                note(set, glob);
            }
        }
    }
    for (set, places) in PLACES.iter().enumerate() {
        for glob in places.loose.iter().filter_map(|at| places.globs.get(*at)) {
            note(set, glob);
        }
    }
    let hit = yes & !no;
    PLACES
        .iter()
        .enumerate()
        .filter(move |(set, _)| hit & (1 << set) != 0)
        .map(|(_, it)| it.scope)
}
