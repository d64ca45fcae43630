//! Globs over paths, as git reads them: `*` stays inside a part, `**` between slashes does not.

use belay_model::glob::{Dialect, Starts, Token, matches};

/// Tells whether the glob covers the whole text.
pub fn covers(glob: &[u8], text: &[u8]) -> bool {
    matches(&Git, glob, text)
}

/// Git's dialect: bytes, not letters; `**` counts only between slashes; sets know names and quotes.
struct Git;

impl Dialect for Git {
    fn token<'g>(&self, glob: &'g [u8], starts: Starts) -> (Token<'g>, &'g [u8]) {
        let letter = |it: u8| Token::Letter(char::from(it));
        match glob {
            [b'*', ..] => stars(glob, starts),
            [b'?', rest @ ..] => (Token::One, rest),
            // What is in the set does not matter to where it ends.
            [b'[', rest @ ..] => match class(rest, 0) {
                Some((_, after)) => {
                    let length = rest.len().saturating_sub(after.len());
                    (Token::Set(rest.get(..length).unwrap_or_default()), after)
                }
                None => (Token::Never, rest),
            },
            [b'\\', quoted, rest @ ..] => (letter(*quoted), rest),
            [b'\\'] | [] => (Token::Never, &[]),
            [other, rest @ ..] => (letter(*other), rest),
        }
    }

    fn holds(&self, set: &[u8], letter: char) -> bool {
        let byte = u8::try_from(letter).ok();
        byte.and_then(|it| class(set, it)).is_some_and(|(it, _)| it)
    }

    fn letter<'t>(&self, text: &'t [u8]) -> Option<(char, &'t [u8])> {
        let (first, rest) = text.split_first()?;
        Some((char::from(*first), rest))
    }
}

fn stars(glob: &[u8], starts: Starts) -> (Token<'_>, &[u8]) {
    let run = glob.iter().take_while(|letter| **letter == b'*').count();
    let after = glob.get(run..).unwrap_or_default();
    match after {
        [] if run > 1 && starts == Starts::Component => (Token::Deep, after),
        [b'/', rest @ ..] if run > 1 && starts == Starts::Component => (Token::Folders, rest),
        _ => (Token::Star, after),
    }
}

/// Reads a class behind its bracket; says whether the letter is in it, and what follows.
fn class(glob: &[u8], letter: u8) -> Option<(bool, &[u8])> {
    let (negated, mut rest) = match glob.split_first() {
        Some((b'!' | b'^', rest)) => (true, rest),
        _ => (false, glob),
    };
    let mut found = false;
    let mut first = true;
    loop {
        let (&item, mut after) = rest.split_first()?;
        if item == b']' && !first {
            return Some((found != negated, after));
        }
        first = false;
        if let (b'[', Some(named)) = (item, after.strip_prefix(b":")) {
            let end = named.windows(2).position(|it| it == b":]")?;
            found |= is_named(named.get(..end)?, letter)?;
            rest = named.get(end + 2..)?;
            continue;
        }
        let low = quoted(item, &mut after)?;
        let high = match after {
            [b'-', next, tail @ ..] if *next != b']' => {
                after = tail;
                quoted(*next, &mut after)?
            }
            _ => low,
        };
        found |= (low..=high).contains(&letter);
        rest = after;
    }
}

fn quoted(item: u8, after: &mut &[u8]) -> Option<u8> {
    if item != b'\\' {
        return Some(item);
    }
    let (&next, rest) = after.split_first()?;
    *after = rest;
    Some(next)
}

fn is_named(name: &[u8], letter: u8) -> Option<bool> {
    Some(match name {
        b"alnum" => letter.is_ascii_alphanumeric(),
        b"alpha" => letter.is_ascii_alphabetic(),
        b"blank" => matches!(letter, b' ' | b'\t'),
        b"cntrl" => letter.is_ascii_control(),
        b"digit" => letter.is_ascii_digit(),
        b"graph" => letter.is_ascii_graphic(),
        b"lower" => letter.is_ascii_lowercase(),
        b"print" => letter.is_ascii_graphic() || letter == b' ',
        b"punct" => letter.is_ascii_punctuation(),
        b"space" => letter.is_ascii_whitespace() || letter == 0x0b,
        b"upper" => letter.is_ascii_uppercase(),
        b"xdigit" => letter.is_ascii_hexdigit(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::covers;

    fn yes(glob: &str, text: &str) {
        assert!(covers(glob.as_bytes(), text.as_bytes()), "{glob} {text}");
    }

    fn no(glob: &str, text: &str) {
        assert!(!covers(glob.as_bytes(), text.as_bytes()), "{glob} {text}");
    }

    #[test]
    fn stars_stay_inside_a_part() {
        yes("*.o", "a.o");
        no("*.o", "d/a.o");
        yes("a*b*c", "axxbxbc");
        no("a**b", "a/b");
        no("foo*bar", "foo/bar");
    }

    #[test]
    fn double_stars_cross_folders() {
        yes("**/foo", "foo");
        yes("**/foo", "a/b/foo");
        yes("a/**/b", "a/b");
        yes("a/**/b", "a/x/y/b");
        yes("a/**", "a/x/y");
        no("a/**", "a");
        no("a/**/b", "axb");
        yes("**", "a/b");
    }

    #[test]
    fn classes_hold_ranges_names_and_quotes() {
        yes("[a-c]x", "bx");
        no("[!a-c]x", "bx");
        yes("[]x]", "]");
        yes("[[:digit:]_]", "7");
        yes("[\\]]", "]");
        no("[a/]b", "/b");
        no("[a", "[a");
        yes("[a-]", "-");
    }

    #[test]
    fn quotes_take_their_meaning_away() {
        yes("\\*", "*");
        no("\\*", "a");
        yes("?", "x");
        no("?", "/");
    }

    #[test]
    fn a_hard_glob_ends() {
        let glob = "a*".repeat(30) + "b";
        assert!(!covers(glob.as_bytes(), "a".repeat(60).as_bytes()));
    }
}
