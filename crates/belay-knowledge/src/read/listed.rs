//! Values that a case lists.

use std::borrow::Cow;

use crate::blob::Level;
use crate::{Word, glob, layout};

/// Tells whether a case does more than nothing.
pub(super) fn adds(level: Level<'_>, case: usize) -> bool {
    [layout::case::ALSO, layout::case::INSTEAD]
        .iter()
        .any(|it| level.blob.offset(case + it) != 0)
}

/// Whether a value is one of those a case lists.
pub(super) enum Match {
    Yes,
    No,
    Perhaps,
}

/// Tells whether a value has control characters, line ends among them.
pub(super) fn is_folded(word: Word<'_>) -> bool {
    word.known()
        .is_some_and(|it| it.contains(|c: char| c.is_control()))
}

pub(super) fn listed(level: Level<'_>, case: usize, word: Word<'_>) -> Match {
    let values = level.blob.list(case + layout::case::VALUES, 4);
    let mut patterns = values.iter().map(|it| level.blob.text_bytes(it));
    let hit = match word {
        Word::Known(text) => {
            let plain = match plain_path(text) {
                Cow::Owned(plain) => Some(plain),
                Cow::Borrowed(_) => None,
            };
            let fits = |it: &[u8]| {
                let plainly = || plain.as_ref().is_some_and(|text| glob::matches(it, text));
                glob::matches(it, text) || plainly()
            };
            return if patterns.any(fits) {
                Match::Yes
            } else {
                Match::No
            };
        }
        Word::Prefix(_) | Word::Pattern(_) | Word::Shape(_) => {
            let beginning = word.beginning();
            let sure = |it: &[u8]| it.ends_with(b"*") && glob::matches(it, beginning);
            if patterns.clone().any(sure) {
                return Match::Yes;
            }
            match word {
                Word::Pattern(text) | Word::Shape(text) => {
                    patterns.any(|it| glob::could_meet(it, text))
                }
                Word::Known(_) | Word::Prefix(_) | Word::Unknown => {
                    patterns.any(|it| glob::could_match(it, beginning))
                }
            }
        }
        Word::Unknown => true,
    };
    if hit { Match::Perhaps } else { Match::No }
}

/// Returns a path without what changes nothing in it: `//tmp/./x` is `/tmp/x`, and `./..` is `..`. Other paths that are not
/// absolute stay as they are.
fn plain_path(text: &str) -> Cow<'_, str> {
    if text.starts_with("./") && is_above(text) {
        return Cow::Owned("..".to_owned());
    }
    let spelled = || text.contains("//") || text.contains("/./") || text.ends_with("/.");
    if !text.starts_with('/') || !spelled() {
        return Cow::Borrowed(text);
    }
    let parts = text.split('/').filter(|it| !it.is_empty() && *it != ".");
    Cow::Owned(parts.fold(String::new(), |path, it| path + "/" + it))
}

/// Tells whether a path is the folder above, and no other.
fn is_above(text: &str) -> bool {
    let before = text.strip_suffix("/..");
    before.is_some_and(|it| it.split('/').all(|part| matches!(part, "" | ".")))
}
