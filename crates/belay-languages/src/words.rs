//! Lists of words as they lie in the program.

/// Where a text lies in a longer one: its first byte, and how many it has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot(pub(crate) u32, pub(crate) u16);

impl Spot {
    /// Returns the text that lies there.
    pub(crate) fn of(self, pool: &str) -> &str {
        let at = self.0 as usize;
        pool.get(at..at + usize::from(self.1)).unwrap_or_default()
    }
}

/// A sorted list of words.
#[derive(Debug)]
pub(crate) struct Words {
    pub(crate) pool: &'static str,
    pub(crate) words: &'static [Spot],
}

impl Words {
    /// Tells whether a word is on the list.
    pub(crate) fn has(&self, word: &str) -> bool {
        let find = |it: &Spot| it.of(self.pool).cmp(word);
        self.words.binary_search_by(find).is_ok()
    }

    /// Tells whether one of the words is such a one.
    pub(crate) fn any(&self, is: impl Fn(&str) -> bool) -> bool {
        self.words.iter().any(|it| is(it.of(self.pool)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Spot, Words};

    #[test]
    fn a_word_is_found_whole() {
        let words = Words {
            pool: "abcd",
            words: &[Spot(0, 1), Spot(0, 3), Spot(3, 1)],
        };
        for (word, is_there) in [
            ("a", true),
            ("abc", true),
            ("d", true),
            ("ab", false),
            ("", false),
        ] {
            assert_eq!(words.has(word), is_there, "{word}");
        }
    }
}
