//! The one matcher of globs. Each room that has wildcards says in a [`Dialect`] how it writes them; what
//! they match is the same for all.
//!
//! INVARIANT: a match takes at most quadratic time in the length of the text, and nothing is allocated.
//! Two places to go back to are enough: what a later star cannot reach, an earlier one in the same
//! component cannot reach either, and `**` reaches all that one before it does.

/// A step of a glob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'g> {
    /// This letter.
    Letter(char),
    /// One letter, no slash.
    One,
    /// One letter of a set, no slash: what stands between its brackets.
    Set(&'g [u8]),
    /// Any letters but a slash.
    Star,
    /// Any letters.
    Deep,
    /// Nothing, or any folders with the slash behind them; only where a component begins.
    Folders,
    /// Nothing at all: what the dialect cannot read.
    Never,
}

/// How a room writes globs.
pub trait Dialect {
    /// Reads the first token of a glob that is not empty; returns it, and what follows.
    fn token<'g>(&self, glob: &'g [u8], starts: Starts) -> (Token<'g>, &'g [u8]);

    /// Tells whether a letter is in a set.
    fn holds(&self, set: &[u8], letter: char) -> bool;

    /// Tells whether a letter of the glob stands for one of the text.
    fn same(&self, wanted: char, letter: char) -> bool {
        wanted == letter
    }

    /// Parts the first letter from a text.
    fn letter<'t>(&self, text: &'t [u8]) -> Option<(char, &'t [u8])> {
        first_letter(text)
    }
}

/// What stands before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// The beginning of the glob, or a slash.
    Component,
    /// Something else.
    Middle,
}

/// How much of a text a glob must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// All of it, or a folder that it lies in.
    OrAbove,
}

/// Tells whether a pattern in which `*` stands for any text matches a whole text.
#[must_use]
pub fn matches_stars(pattern: impl AsRef<[u8]>, text: impl AsRef<[u8]>) -> bool {
    let (pattern, text) = (pattern.as_ref(), text.as_ref());
    // Most patterns are told from a text by one letter.
    let differs =
        |wanted: Option<&u8>, found| wanted.is_some_and(|it| *it != b'*') && wanted != found;
    if differs(pattern.first(), text.first()) || differs(pattern.last(), text.last()) {
        return false;
    }
    let mut pieces = pattern.split(|it| *it == b'*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let Some(last) = pieces.next_back() else {
        return rest.is_empty();
    };
    // Each piece is taken where it stands first: that leaves most for those behind it.
    for piece in pieces.filter(|it| !it.is_empty()) {
        let Some(at) = rest.windows(piece.len()).position(|it| it == piece) else {
            return false;
        };
        rest = rest.get(at + piece.len()..).unwrap_or_default();
    }
    rest.ends_with(last)
}

/// Parts the first letter from a text; a byte that begins no letter is one by itself.
#[must_use]
pub fn first_letter(text: &[u8]) -> Option<(char, &[u8])> {
    let (first, rest) = text.split_first()?;
    if first.is_ascii() {
        return Some((char::from(*first), rest));
    }
    let most = text.get(..4).unwrap_or(text);
    let valid = match std::str::from_utf8(most) {
        Ok(valid) => valid,
        Err(fault) => {
            let sound = most.get(..fault.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(sound).unwrap_or_default()
        }
    };
    match valid.chars().next() {
        Some(letter) => Some((letter, text.get(letter.len_utf8()..)?)),
        None => Some((char::from(*first), rest)),
    }
}

/// Tells whether a glob matches a text, all of it.
pub fn matches<D: Dialect>(dialect: &D, glob: &[u8], text: &[u8]) -> bool {
    Walk::of(dialect, glob, text).ends_well()
}

/// Tells whether a glob matches a text, or something above it.
pub fn matches_above<D: Dialect>(dialect: &D, glob: &[u8], text: &[u8]) -> bool {
    let mut walk = Walk::of(dialect, glob, text);
    walk.extent = Extent::OrAbove;
    walk.ends_well()
}

/// Where glob and text have come to.
#[derive(Clone, Copy)]
struct Place<'a> {
    glob: &'a [u8],
    text: &'a [u8],
    starts: Starts,
}

/// What a `**` takes when it is asked for more.
#[derive(Clone, Copy)]
enum More {
    Letter,
    Folder,
}

struct Walk<'a, D> {
    dialect: &'a D,
    extent: Extent,
    at: Place<'a>,
    /// Behind the last star, and what it has not taken.
    star: Option<Place<'a>>,
    /// The same of the last `**`.
    deep: Option<(Place<'a>, More)>,
}

impl<'a, D: Dialect> Walk<'a, D> {
    const fn of(dialect: &'a D, glob: &'a [u8], text: &'a [u8]) -> Self {
        Self {
            dialect,
            extent: Extent::Whole,
            at: Place {
                glob,
                text,
                starts: Starts::Component,
            },
            star: None,
            deep: None,
        }
    }

    fn ends_well(mut self) -> bool {
        loop {
            match self.step() {
                Some(true) => return true,
                Some(false) if !self.go_back() => return false,
                Some(false) | None => {}
            }
        }
    }

    /// Takes one token; tells whether that is the end of the way, and which.
    fn step(&mut self) -> Option<bool> {
        if self.at.glob.is_empty() {
            let above = self.extent == Extent::OrAbove && self.at.text.starts_with(b"/");
            return Some(self.at.text.is_empty() || above);
        }
        let (token, glob) = self.dialect.token(self.at.glob, self.at.starts);
        let here = Place {
            glob,
            starts: Starts::Middle,
            ..self.at
        };
        match token {
            Token::Star => self.star = Some(here),
            Token::Deep => (self.star, self.deep) = (None, Some((here, More::Letter))),
            Token::Folders => {
                let here = Place {
                    starts: Starts::Component,
                    ..here
                };
                (self.star, self.deep) = (None, Some((here, More::Folder)));
                self.at = here;
                return None;
            }
            Token::Letter(_) | Token::One | Token::Set(_) | Token::Never => {
                return self.letter(token, here);
            }
        }
        self.at = here;
        None
    }

    /// Takes a token that stands for one letter.
    fn letter(&mut self, token: Token<'a>, after: Place<'a>) -> Option<bool> {
        let Some((letter, text)) = self.dialect.letter(self.at.text) else {
            return Some(false);
        };
        let fits = match token {
            Token::Letter(wanted) => self.dialect.same(wanted, letter),
            Token::One => letter != '/',
            Token::Set(set) => letter != '/' && self.dialect.holds(set, letter),
            Token::Star | Token::Deep | Token::Folders | Token::Never => false,
        };
        if !fits {
            return Some(false);
        }
        let starts = if letter == '/' {
            Starts::Component
        } else {
            Starts::Middle
        };
        self.at = Place {
            text,
            starts,
            ..after
        };
        None
    }

    /// Lets the last star take a letter more, or else the last `**`; tells whether one could.
    fn go_back(&mut self) -> bool {
        if let Some(star) = self.star.take()
            && let Some((letter, text)) = self.dialect.letter(star.text)
            && letter != '/'
        {
            let more = Place { text, ..star };
            (self.star, self.at) = (Some(more), more);
            return true;
        }
        let Some((deep, more)) = self.deep.take() else {
            return false;
        };
        let text = match more {
            More::Letter => self.dialect.letter(deep.text).map(|(_, rest)| rest),
            More::Folder => {
                let slash = deep.text.iter().position(|it| *it == b'/');
                slash.and_then(|at| deep.text.get(at + 1..))
            }
        };
        let Some(text) = text else {
            return false;
        };
        let taken = Place { text, ..deep };
        (self.deep, self.at) = (Some((taken, more)), taken);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::matches_stars;

    #[test]
    fn stars_stand_for_any_text() {
        for (pattern, text) in [
            ("a*", "abc"),
            ("*", ""),
            ("*://*", "https://x"),
            ("+*", "+main"),
            ("*_KEY", "API_KEY"),
            ("*a*b", "aabab"),
            ("*.tar.gz", "a.tar.tar.gz"),
            ("ü*", "über"),
        ] {
            assert!(matches_stars(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("a*b", "ac"), ("ab*b", "ab"), ("a", "ab"), ("", "a")] {
            assert!(!matches_stars(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_matched() {
        assert!(matches_stars(b"a\xff*", b"a\xffb"));
        assert!(!matches_stars(b"a\xff", b"a\xfe"));
    }

    #[test]
    fn many_stars_stay_quick() {
        assert!(!matches_stars("*a".repeat(200) + "b", "a".repeat(2000)));
    }
}
