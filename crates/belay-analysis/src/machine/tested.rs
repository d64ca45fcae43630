//! What tests answer, where their words are known.

use crate::machine::constants::decimal;
use crate::machine::cuts::is_made_up;
use crate::machine::options::Tri;
use crate::machine::state::{Ends, State};
use crate::machine::value::{Arg, Val};
use crate::machine::walk::Walker;
use crate::scene::Shell;

impl Walker<'_> {
    /// Answers a test where its words are known.
    pub(crate) fn tests(&mut self, rest: &[Arg], mut state: State) -> Ends {
        self.test_words(rest, &mut state);
        let words = match rest.split_last() {
            Some((last, words)) if last.text() == Some("]") => words,
            _ => rest,
        };
        let (words, negated) = match words.split_first() {
            Some((first, more)) if first.text() == Some("!") && more.len() > 1 => (more, true),
            _ => (words, false),
        };
        let known = !words.iter().any(|it| it.many || it.is_pattern());
        let texts: Vec<Option<&str>> = words.iter().map(Arg::text).collect();
        let answer = match texts.as_slice() {
            _ if !known => Tri::Perhaps,
            [] => Tri::No,
            [Some(text)] => Tri::of(!text.is_empty()),
            [Some("-n"), Some(text)] => Tri::of(!text.is_empty()),
            [Some("-z"), Some(text)] => Tri::of(text.is_empty()),
            // A plain `sh` does not know this one.
            [_, Some("=="), _] if self.scene.shell == Shell::Sh => Tri::Perhaps,
            // Of a name that a program made up no letter is known.
            [Some(a), Some("=" | "==" | "!="), Some(b)] if is_made_up(a) || is_made_up(b) => {
                Tri::Perhaps
            }
            [Some(a), Some("=" | "=="), Some(b)] => Tri::of(a == b),
            [Some(a), Some("!="), Some(b)] => Tri::of(a != b),
            [Some(a), Some(operator), Some(b)] => compared(operator, a, b),
            _ => Tri::Perhaps,
        };
        let ends = Ends::by(answer, state);
        if negated { ends.inverted() } else { ends }
    }
}

/// Tells whether a text is any but the empty one.
pub(crate) fn is_something(val: &Val) -> Tri {
    match val.text() {
        Some(text) => Tri::of(!text.is_empty()),
        None if val.may_be_empty() => Tri::Perhaps,
        None => Tri::Yes,
    }
}

/// Compares two numbers that every shell reads as the same. Of anything else nobody knows: it may be no number, or one of
/// another base.
pub(crate) fn compared(operator: &str, a: &str, b: &str) -> Tri {
    let (Some(a), Some(b)) = (decimal(a), decimal(b)) else {
        return Tri::Perhaps;
    };
    Tri::of(match operator {
        "-eq" => a == b,
        "-ne" => a != b,
        "-lt" => a < b,
        "-le" => a <= b,
        "-gt" => a > b,
        "-ge" => a >= b,
        _ => return Tri::Perhaps,
    })
}
