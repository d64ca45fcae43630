//! Globs over names and, component by component, over paths.

use belay_model::glob::{Dialect, Starts, Token, first_letter, matches};

use crate::paths::{components, lowered};

/// Tells whether a glob (`*`, `?`, `[..]`) matches a whole name.
#[must_use]
pub fn matches_name(glob: &str, name: &str) -> bool {
    let wild = |it: u8| matches!(it, b'*' | b'?' | b'[');
    // Nearly every name of the lists is settled by its first letter or its ending.
    match glob.as_bytes() {
        [b'*', end @ ..] if !end.iter().copied().any(wild) => {
            return name.as_bytes().ends_with(end);
        }
        [first, ..] if !wild(*first) && name.as_bytes().first() != Some(first) => return false,
        _ => {}
    }
    matches(&Names, glob.as_bytes(), name.as_bytes())
}

/// Names of files as the shell writes them: no backslash, and a bracket without an end is a letter.
struct Names;

impl Dialect for Names {
    fn token<'g>(&self, glob: &'g [u8], _starts: Starts) -> (Token<'g>, &'g [u8]) {
        match first_letter(glob) {
            Some(('*', rest)) => (Token::Star, rest),
            Some(('?', rest)) => (Token::One, rest),
            Some(('[', rest)) => set(rest).unwrap_or((Token::Letter('['), rest)),
            Some((letter, rest)) => (Token::Letter(letter), rest),
            None => (Token::Never, glob),
        }
    }

    fn holds(&self, set: &[u8], letter: char) -> bool {
        let (negated, mut body) = match set {
            [b'!' | b'^', body @ ..] => (true, body),
            body => (false, body),
        };
        let mut hit = false;
        while let Some((low, rest)) = first_letter(body) {
            if let Some((class, rest)) = class(body) {
                hit |= is_of(class, letter);
                body = rest;
                continue;
            }
            let range = rest.strip_prefix(b"-").and_then(first_letter);
            let (high, rest) = range.unwrap_or((low, rest));
            hit |= (low..=high).contains(&letter);
            body = rest;
        }
        hit != negated
    }
}

/// Parts a class by name, `[:word:]`, from what follows it in a set.
fn class(body: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = body.strip_prefix(b"[:")?;
    let end = rest.windows(2).position(|it| it == b":]")?;
    Some((rest.get(..end)?, rest.get(end + 2..)?))
}

/// Tells whether a letter is of a class; who compares without regard to case has no letters that are small or large.
fn is_of(class: &[u8], letter: char) -> bool {
    match class {
        b"word" => letter.is_alphanumeric() || letter == '_',
        b"alnum" => letter.is_alphanumeric(),
        b"alpha" | b"upper" | b"lower" => letter.is_alphabetic(),
        b"digit" => letter.is_ascii_digit(),
        b"xdigit" => letter.is_ascii_hexdigit(),
        b"space" | b"blank" => letter.is_whitespace(),
        b"punct" => letter.is_ascii_punctuation(),
        // What a class holds that nobody here knows may be anything.
        _ => true,
    }
}

/// Parts a set from what follows it; its first letter may be a bracket.
fn set(rest: &[u8]) -> Option<(Token<'_>, &[u8])> {
    let mut close = 0;
    loop {
        let body = rest.get(close..)?;
        match class(body) {
            Some((_, after)) => close = rest.len() - after.len(),
            None if close > 0 && body.first() == Some(&b']') => break,
            None if body.is_empty() => return None,
            None => close += 1,
        }
    }
    let (body, after) = rest.split_at_checked(close)?;
    Some((Token::Set(body), after.get(1..)?))
}

/// Tells whether a glob's parts (`**` for any number of components) match a path's components.
pub(crate) fn matches_parts(glob: &[&str], path: &[&str]) -> bool {
    let (mut g, mut p) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while p < path.len() {
        match (glob.get(g), path.get(p)) {
            (Some(&"**"), _) => {
                star = Some((g, p));
                g += 1;
            }
            (Some(part), Some(name)) if matches_name(part, name) => {
                g += 1;
                p += 1;
            }
            _ => {
                let Some((star_g, star_p)) = star else {
                    return false;
                };
                star = Some((star_g, star_p + 1));
                g = star_g + 1;
                p = star_p + 1;
            }
        }
    }
    glob.iter().skip(g).all(|part| *part == "**")
}

/// Tells whether a glob over whole paths matches an absolute path. A glob that does not begin
/// with `/` matches at any depth; `x/**` matches `x` itself too.
#[must_use]
pub fn matches_path(glob: &str, path: &str) -> bool {
    if lies_apart(glob, path) {
        return false;
    }
    let (glob, path) = (lowered(glob), lowered(path));
    let anywhere = (!glob.starts_with('/')).then_some("**");
    in_row(anywhere.into_iter().chain(components(&glob)), |parts| {
        in_row(components(&path), |path| matches_parts(parts, path))
    })
}

/// Tells whether a path surely is not what a glob names, because it already leaves its way before the first wildcard. In a long
/// chain of commands each place is compared with each pattern that was written to, and nearly all of them end here.
fn lies_apart(glob: &str, path: &str) -> bool {
    if !glob.starts_with('/') {
        return false;
    }
    // Letters of other scripts may become several when they are made small.
    let is_plain = |it: &&str| it.is_ascii() && !it.contains(['*', '?', '[']);
    let mut names = components(path);
    let mut plain = components(glob).take_while(is_plain);
    plain.any(|part| match names.next() {
        Some(name) => name.is_ascii() && !part.eq_ignore_ascii_case(name),
        None => true,
    })
}

/// Hands on the items of a row; most rows are short, and need no memory of their own.
fn in_row<'t, T>(row: impl Iterator<Item = &'t str> + Clone, work: impl FnOnce(&[&str]) -> T) -> T {
    let mut room = [""; 16];
    let mut count = 0;
    for item in row.clone() {
        let Some(place) = room.get_mut(count) else {
            return work(&row.collect::<Vec<_>>());
        };
        *place = item;
        count += 1;
    }
    work(room.get(..count).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{matches_name, matches_path};

    #[test]
    fn names() {
        for (glob, name, expected) in [
            ("*.rs", "a.rs", true),
            ("*.rs", "a.r", false),
            ("a?c", "abc", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("*a*b*c*", "xxaxxbxxcxx", true),
            ("*", "", true),
            ("", "", true),
            ("a", "", false),
            ("[", "[", true),
            ("[]a]x", "]x", true),
            ("[[:word:]]*", "dev", true),
            ("[[:word:]]*", ".dev", false),
            ("[![:digit:]x]", "a", true),
            ("[![:digit:]x]", "7", false),
        ] {
            assert_eq!(matches_name(glob, name), expected, "{glob} {name}");
        }
    }

    #[test]
    fn many_stars_stay_quick() {
        assert!(!matches_name(&"*a".repeat(200), &"a".repeat(150)));
    }

    #[test]
    fn whole_paths() {
        assert!(matches_path("**/.git/*.lock", "/w/.git/index.lock"));
        assert!(matches_path("src/**", "/w/src"));
        assert!(matches_path("src/**", "/w/src/a/b"));
        assert!(!matches_path("/src/**", "/w/src/a"));
        assert!(!matches_path("src", "/w/src/a"));
    }

    #[test]
    fn whole_paths_are_told_apart_without_regard_to_case() {
        for (glob, path, expected) in [
            ("/W/App/**", "/w/app/a", true),
            ("/w/app/**", "/W/APP", true),
            ("/w/app/**", "/w/other/a", false),
            ("/w/app/a*", "/w/app/Ab", true),
            ("/w/app/a*", "/w", false),
            ("/w/app", "/w/app/a", false),
            ("/w/\u{c4}/**", "/w/\u{e4}/x", true),
            ("/w/i/**", "/w/\u{130}/x", false),
            ("/", "/", true),
            ("/**", "/", true),
        ] {
            assert_eq!(matches_path(glob, path), expected, "{glob} {path}");
        }
    }

    #[test]
    fn deep_paths_have_room() {
        let deep = "/a".repeat(40);
        assert!(matches_path(&deep, &deep) && matches_path("/a/**/a", &deep));
        assert!(!matches_path(&deep, &"/a".repeat(39)));
    }
}
