//! The components of a path, ready to be compared with globs.

use crate::frame::home_like;
use crate::paths::{components, fold, is_within, normal};
use crate::{Frame, Path};

/// A path ready to be compared.
pub(crate) struct Parts<'a> {
    pub(crate) all: Vec<&'a str>,
    /// How many components the home folder has that this path lies in.
    pub(crate) home: Option<usize>,
}

impl<'a> Parts<'a> {
    pub(crate) fn new(path: &'a Path, frame: &Frame<'_>) -> Self {
        let own = normal(frame.home());
        let folded = fold(&own);
        let own = folded.as_deref().unwrap_or(&own);
        let home = if is_within(path.folded(), own) {
            Some(own)
        } else {
            home_like(path.folded())
        };
        Self {
            all: path.parts(),
            home: home.map(|it| components(it).count()),
        }
    }
}

/// Returns so many of a path's last components.
pub(crate) fn ending<'p, 'a>(all: &'p [&'a str], count: usize) -> Option<&'p [&'a str]> {
    all.get(all.len().checked_sub(count)?..)
}

/// Returns a path's last components: all of them, all but the first, down to the last one alone.
pub(crate) fn suffixes<'p, 'a>(all: &'p [&'a str]) -> impl Iterator<Item = &'p [&'a str]> {
    (0..all.len()).filter_map(|at| all.get(at..))
}
