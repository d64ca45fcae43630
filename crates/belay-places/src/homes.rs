//! Patterns whose wildcards may cover a part of the way to a home folder.

use std::iter::zip;

use crate::meets::{is_glob, names_meet};
use crate::paths::{components, normal};
use crate::{Frame, Path};

/// Where homes lie that are not the user's own: `*` stands for anybody.
const OTHERS: &[&str] = &["/home/*", "/Users/*", "/root"];

/// Whose homes count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The user's own.
    Own,
    /// Those of anybody: a secret is one whoever keeps it.
    Anybodys,
}

/// Returns a pattern as it looks from the homes that its wildcards may mean: below each of them, what is left of the
/// pattern there.
pub(crate) fn seen_from_home(glob: &Path, whose: Whose, frame: &Frame<'_>) -> Vec<Path> {
    let own = normal(frame.home());
    let others = match whose {
        Whose::Own => &[],
        Whose::Anybodys => OTHERS,
    };
    let homes = [own.as_ref()].into_iter().chain(others.iter().copied());
    homes.filter_map(|home| below_home(glob, home)).collect()
}

/// Returns what is left of a pattern below a home that its wildcards may mean.
fn below_home(glob: &Path, home: &str) -> Option<Path> {
    let depth = components(home).count();
    let parts: Vec<&str> = components(glob.text()).collect();
    let deep = parts.iter().position(|it| *it == "**");
    let led = deep.unwrap_or(depth).min(depth);
    let (way, rest) = parts.split_at_checked(led)?;
    let is_wild = led < depth || way.iter().any(|it| is_glob(it));
    if !is_wild || rest.is_empty() || !leads(glob, led, home) {
        return None;
    }
    Some(Path::joined(home, &rest.join("/")))
}

/// Tells whether a folder that a path or a pattern names may be a home, or one that homes lie in.
pub(crate) fn may_hold_homes(folder: &Path, frame: &Frame<'_>) -> bool {
    let own = normal(frame.home());
    let depth = folder.parts().len();
    let mut homes = [own.as_ref()].into_iter().chain(OTHERS.iter().copied());
    homes.any(|home| depth <= components(home).count() && leads(folder, depth, home))
}

/// Tells whether so many of the first parts of a pattern may name the way to a home.
fn leads(glob: &Path, count: usize, home: &str) -> bool {
    let home = Path::new(home);
    let mut pairs = zip(glob.parts(), home.parts()).take(count);
    pairs.all(|(theirs, ours)| names_meet(theirs, ours))
}
