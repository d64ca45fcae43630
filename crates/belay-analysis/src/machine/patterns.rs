//! The shell's patterns, on texts that are known.

/// The longest text that is cut or searched by a pattern.
const LONGEST: usize = 1024;

/// One letter of a pattern.
enum Letter {
    This(char),
    Any,
    Star,
    /// One of these, or none of them.
    Class {
        members: Vec<char>,
        negated: bool,
    },
}

impl Letter {
    fn fits(&self, c: char) -> bool {
        match self {
            Self::This(letter) => *letter == c,
            Self::Any => true,
            Self::Star => false,
            Self::Class { members, negated } => members.contains(&c) != *negated,
        }
    }
}

/// Reads a pattern for a text; `None` also where it counts letters beyond ASCII: how many there are depends on the locale.
fn read_for(pattern: &str, text: &str) -> Option<Vec<Letter>> {
    let counts = |it: &Letter| matches!(it, Letter::Any | Letter::Class { .. });
    read(pattern).filter(|it| text.is_ascii() || !it.iter().any(counts))
}

/// Reads a pattern; `None` when it has forms we do not read: alternatives, named classes, ranges of letters, whose
/// members depend on the locale.
fn read(pattern: &str) -> Option<Vec<Letter>> {
    let mut out = Vec::new();
    let mut letters = pattern.chars();
    while let Some(c) = letters.next() {
        out.push(match c {
            '*' => Letter::Star,
            '?' => Letter::Any,
            '\\' => Letter::This(letters.next()?),
            '[' => class(&mut letters)?,
            // Some shells have alternatives and ranges of numbers.
            '(' | '<' => return None,
            c => Letter::This(c),
        });
    }
    Some(out)
}

fn class(letters: &mut std::str::Chars<'_>) -> Option<Letter> {
    let mut members = Vec::new();
    let mut negated = false;
    let mut first = true;
    loop {
        let c = letters.next()?;
        match c {
            '!' | '^' if first && !negated => {
                negated = true;
                continue;
            }
            ']' if !first => return Some(Letter::Class { members, negated }),
            '[' | '\\' | '/' => return None,
            '-' if !first && !letters.as_str().starts_with(']') => {
                let low = members.last().copied().filter(char::is_ascii_digit)?;
                let high = letters.next().filter(char::is_ascii_digit)?;
                members.extend(low..=high);
            }
            c => members.push(c),
        }
        first = false;
    }
}

/// Tells whether a text matches a pattern; `None` when the pattern has forms we do not read.
pub(crate) fn matches(pattern: &str, text: &str) -> Option<bool> {
    if text.len() > LONGEST || pattern.len() > LONGEST {
        return None;
    }
    let pattern = read_for(pattern, text)?;
    let text: Vec<char> = text.chars().collect();
    Some(walk(&pattern, &text))
}

/// Writes a text so that nothing in it is a wildcard.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '?' | '[' | '\\' | '(') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Goes through both once, and back to the last star where it does not fit.
fn walk(pattern: &[Letter], text: &[char]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(c) = text.get(t) {
        match pattern.get(p) {
            Some(Letter::Star) => {
                star = Some((p, t));
                p += 1;
            }
            Some(letter) if letter.fits(*c) => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    p = at + 1;
                    t = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(p).all(|it| matches!(it, Letter::Star))
}

/// Which of the matches of a pattern are replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    First,
    All,
    Start,
    End,
}

/// The longest text in which something is looked for that is no plain text.
const SEARCHED: usize = 256;

/// What takes the place of a match, and of which.
#[derive(Clone, Copy)]
pub(crate) struct New<'a> {
    pub(crate) to: &'a str,
    pub(crate) which: Which,
}

/// Returns the text with what the pattern matches replaced, the longest match first.
pub(crate) fn replaced(text: &str, pattern: &str, new: New<'_>) -> Option<String> {
    let New { to, which } = new;
    match (pattern, which) {
        ("", Which::Start) => return Some(format!("{to}{text}")),
        ("", Which::End) => return Some(format!("{text}{to}")),
        ("", Which::First | Which::All) => return Some(text.to_owned()),
        _ => {}
    }
    if text.len() > SEARCHED || pattern.len() > SEARCHED {
        return None;
    }
    let pattern = read_for(pattern, text)?;
    let letters: Vec<char> = text.chars().collect();
    let longest = |from: usize| {
        let ends = (from..=letters.len()).rev();
        let mut ends = ends.filter(|end| which != Which::End || *end == letters.len());
        ends.find(|end| letters.get(from..*end).is_some_and(|it| walk(&pattern, it)))
    };
    if letters.is_empty() {
        // What becomes of nothing, shells do not agree on.
        return (!walk(&pattern, &letters)).then(String::new);
    }
    let mut out = String::new();
    let mut at = 0;
    while at < letters.len() {
        let wanted = which != Which::Start || at == 0;
        if let Some(end) = longest(at).filter(|_| wanted) {
            // Nor do they where nothing is found.
            if end == at {
                return None;
            }
            out.push_str(to);
            if which != Which::All {
                out.extend(letters.get(end..).unwrap_or_default());
                return Some(out);
            }
            at = end;
            continue;
        }
        out.extend(letters.get(at));
        at += 1;
    }
    Some(out)
}

/// Returns the text without what the pattern matches at its beginning.
pub(crate) fn without_start(text: &str, pattern: &str, longest: bool) -> Option<String> {
    let mut cuts: Vec<usize> = ends(text)?;
    if longest {
        cuts.reverse();
    }
    for at in cuts {
        let (before, after) = text.split_at_checked(at)?;
        if matches(pattern, before)? {
            return Some(after.to_owned());
        }
    }
    Some(text.to_owned())
}

/// Returns the text without what the pattern matches at its end.
pub(crate) fn without_end(text: &str, pattern: &str, longest: bool) -> Option<String> {
    let mut cuts: Vec<usize> = ends(text)?;
    if !longest {
        cuts.reverse();
    }
    for at in cuts {
        let (before, after) = text.split_at_checked(at)?;
        if matches(pattern, after)? {
            return Some(before.to_owned());
        }
    }
    Some(text.to_owned())
}

/// Returns every place where a text can be cut.
fn ends(text: &str) -> Option<Vec<usize>> {
    if text.len() > LONGEST {
        return None;
    }
    let mut all: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    all.push(text.len());
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::New;
    use super::{Which, matches, replaced, without_end, without_start};

    #[test]
    fn matches_are_replaced_as_in_the_shell() {
        let all = |text, pattern, to| {
            replaced(
                text,
                pattern,
                New {
                    to,
                    which: Which::All,
                },
            )
        };
        assert_eq!(all("a-b.c", "[-.]", "_").as_deref(), Some("a_b_c"));
        assert_eq!(all("aXbXc", "X*", "").as_deref(), Some("a"));
        assert_eq!(all("abc", "*", "x").as_deref(), Some("x"));
        let end = replaced(
            "a",
            "",
            New {
                to: ".o",
                which: Which::End,
            },
        );
        assert_eq!(end.as_deref(), Some("a.o"));
        let start = replaced(
            "ab",
            "[ab]",
            New {
                to: "x",
                which: Which::Start,
            },
        );
        assert_eq!(start.as_deref(), Some("xb"));
        let end = replaced(
            "abab",
            "b",
            New {
                to: "x",
                which: Which::End,
            },
        );
        assert_eq!(end.as_deref(), Some("abax"));
    }

    #[test]
    fn patterns_match_as_in_the_shell() {
        assert_eq!(matches("*.tar", "a.tar"), Some(true));
        assert_eq!(matches("a?c*", "abcdef"), Some(true));
        assert_eq!(matches("a*b", "acc"), Some(false));
        assert_eq!(matches("[ab]", "a"), Some(true));
        assert_eq!(matches("[!ab]*", "a"), Some(false));
        assert_eq!(matches("v[0-9].[0-9]", "v1.2"), Some(true));
        assert_eq!(matches("[a-z]", "B"), None);
        assert_eq!(matches("@(a|b)", "a"), None);
        assert_eq!(matches(r"\*", "a"), Some(false));
        assert_eq!(matches("?", "é"), None);
        assert_eq!(matches("é*", "éa"), Some(true));
    }

    #[test]
    fn ends_are_cut_off() {
        assert_eq!(
            without_end("a.tar.gz", ".*", false).as_deref(),
            Some("a.tar")
        );
        assert_eq!(without_end("a.tar.gz", ".*", true).as_deref(), Some("a"));
        assert_eq!(without_start("a/b/c", "*/", true).as_deref(), Some("c"));
        assert_eq!(without_start("a/b/c", "*/", false).as_deref(), Some("b/c"));
        assert_eq!(without_start("abc", "x", false).as_deref(), Some("abc"));
    }
}
