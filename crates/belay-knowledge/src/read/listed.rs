//! Values that a case lists.

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

/// Tells whether no file that a glob stands for can match: none is named `..` or has `//` in its name
/// unless the glob itself says so.
fn is_out_of_reach(pattern: &[u8], word: Word<'_>) -> bool {
    let Word::Pattern(glob) = word else {
        return false;
    };
    let dots = pattern.windows(2).any(|it| it == b"..");
    let slashes = pattern.windows(2).any(|it| it == b"//");
    let hidden = glob
        .split('/')
        .any(|it| it.starts_with(".") && it.contains(['*', '?', '[']));
    (dots && !glob.contains("..") && !hidden) || (slashes && !glob.contains("//"))
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
            return if patterns.any(|it| glob::matches(it, text)) {
                Match::Yes
            } else {
                Match::No
            };
        }
        Word::Prefix(_) | Word::Pattern(_) => {
            let beginning = word.beginning();
            let mut patterns = patterns.filter(|it| !is_out_of_reach(it, word));
            let sure = |it: &[u8]| it.ends_with(b"*") && glob::matches(it, beginning);
            if patterns.clone().any(sure) {
                return Match::Yes;
            }
            patterns.any(|it| glob::could_match(it, beginning))
        }
        Word::Unknown => true,
    };
    if hit { Match::Perhaps } else { Match::No }
}
