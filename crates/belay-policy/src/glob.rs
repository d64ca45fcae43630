//! Globs over components, in linear space and at worst quadratic time in the length of one name.

/// Tells whether a glob (`*`, `?`, `[..]`) matches a whole name.
pub(crate) fn matches_name(glob: &str, name: &str) -> bool {
    let glob: Vec<char> = glob.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut g, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match glob.get(g) {
            Some('*') => {
                star = Some((g, n));
                g += 1;
                continue;
            }
            Some(&c) => {
                if let Some(next) = one(&glob, g, c, name.get(n).copied()) {
                    g = next;
                    n += 1;
                    continue;
                }
            }
            None => {}
        }
        let Some((star_g, star_n)) = star else {
            return false;
        };
        star = Some((star_g, star_n + 1));
        g = star_g + 1;
        n = star_n + 1;
    }
    glob.iter().skip(g).all(|&c| c == '*')
}

/// Matches one character against the glob at `g`; returns where the glob goes on.
fn one(glob: &[char], g: usize, c: char, name: Option<char>) -> Option<usize> {
    let name = name?;
    match c {
        '?' => Some(g + 1),
        '[' => class(glob, g, name),
        c => (c == name).then_some(g + 1),
    }
}

fn class(glob: &[char], g: usize, name: char) -> Option<usize> {
    let close = glob
        .iter()
        .skip(g + 2)
        .position(|&c| c == ']')
        .map(|at| at + g + 2);
    let Some(close) = close else {
        return (name == '[').then_some(g + 1);
    };
    let body = glob.get(g + 1..close)?;
    let (negated, body) = match body.split_first() {
        Some(('!' | '^', rest)) => (true, rest),
        _ => (false, body),
    };
    let mut hit = false;
    let mut at = 0;
    while let Some(&low) = body.get(at) {
        if let (Some('-'), Some(&high)) = (body.get(at + 1), body.get(at + 2)) {
            hit |= low <= name && name <= high;
            at += 3;
        } else {
            hit |= low == name;
            at += 1;
        }
    }
    (hit != negated).then_some(close + 1)
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
