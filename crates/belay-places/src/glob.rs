//! Globs over names and, component by component, over paths.

use belay_model::glob::{Dialect, Starts, Token, first_letter, matches};

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
            let range = rest.strip_prefix(b"-").and_then(first_letter);
            let (high, rest) = range.unwrap_or((low, rest));
            hit |= (low..=high).contains(&letter);
            body = rest;
        }
        hit != negated
    }
}

/// Parts a set from what follows it; its first letter may be a bracket.
fn set(rest: &[u8]) -> Option<(Token<'_>, &[u8])> {
    let close = rest.iter().skip(1).position(|it| *it == b']')? + 1;
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
    let glob = glob.to_lowercase();
    let path = path.to_lowercase();
    let path: Vec<&str> = path.split('/').filter(|it| !it.is_empty()).collect();
    let mut parts: Vec<&str> = glob.split('/').filter(|it| !it.is_empty()).collect();
    if !glob.starts_with('/') {
        parts.insert(0, "**");
    }
    matches_parts(&parts, &path)
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
}
