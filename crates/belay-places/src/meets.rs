//! Whether two patterns may name one thing.

use crate::glob::matches_name;

/// Tells whether a shell glob may match a protected name, which may be a glob itself.
pub(crate) fn names_meet(theirs: &str, ours: &str) -> bool {
    let (first, second) = (theirs.bytes().next(), ours.bytes().next());
    let wild = |it| matches!(it, Some(b'*' | b'?' | b'['));
    if theirs == "**" || first != second && !wild(first) && !wild(second) {
        return false;
    }
    if is_glob(theirs) {
        let hidden = ours.starts_with('.') && !theirs.starts_with(['.', '[']);
        return !hidden
            && if is_glob(ours) {
                globs_meet(theirs, ours)
            } else {
                matches_name(theirs, ours)
            };
    }
    matches_name(ours, theirs)
}

/// Tells whether two globs may match one name, by what they begin and end with.
fn globs_meet(one: &str, other: &str) -> bool {
    let wild = ['*', '?', '['];
    let head = |it: &str| it.split(wild).next().unwrap_or_default().to_owned();
    let tail = |it: &str| {
        it.rsplit(['*', '?', ']'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let (a, b) = (head(one), head(other));
    let (c, d) = (tail(one), tail(other));
    (a.starts_with(&b) || b.starts_with(&a)) && (c.ends_with(&d) || d.ends_with(&c))
}

/// Tells whether a name is a pattern.
pub(crate) fn is_glob(name: &str) -> bool {
    name.contains(['*', '?', '['])
}
