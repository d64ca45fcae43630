//! Globs over components, in place and at worst in quadratic time in the length of one name.

use std::str::Chars;

/// Tells whether a glob (`*`, `?`, `[..]`) matches a whole name.
pub(crate) fn matches_name(glob: &str, name: &str) -> bool {
    let wild = |it: u8| matches!(it, b'*' | b'?' | b'[');
    match glob.as_bytes() {
        [b'*', end @ ..] if !end.iter().copied().any(wild) => {
            return name.as_bytes().ends_with(end);
        }
        [first, ..] if !wild(*first) && name.as_bytes().first() != Some(first) => return false,
        _ => {}
    }
    let (mut glob, mut name) = (glob.chars(), name.chars());
    let mut star: Option<(Chars<'_>, Chars<'_>)> = None;
    loop {
        let mut ahead = glob.clone();
        let wanted = ahead.next();
        if wanted == Some('*') {
            star = Some((ahead.clone(), name.clone()));
            glob = ahead;
            continue;
        }
        let mut rest = name.clone();
        let Some(c) = rest.next() else {
            return wanted.is_none();
        };
        if let Some(next) = wanted.and_then(|wanted| one(wanted, ahead, c)) {
            (glob, name) = (next, rest);
            continue;
        }
        let Some((after, from)) = &mut star else {
            return false;
        };
        from.next();
        (glob, name) = (after.clone(), from.clone());
    }
}

/// Matches one character against one of the glob; returns where the glob goes on.
fn one(wanted: char, rest: Chars<'_>, c: char) -> Option<Chars<'_>> {
    match wanted {
        '?' => Some(rest),
        '[' => class(rest, c),
        wanted => (wanted == c).then_some(rest),
    }
}

/// Matches one character against the class that begins here; without an end it is a bracket.
fn class(rest: Chars<'_>, c: char) -> Option<Chars<'_>> {
    let text = rest.as_str();
    let close = text
        .char_indices()
        .skip(1)
        .find_map(|(at, it)| (it == ']').then_some(at));
    let Some((body, after)) = close.and_then(|at| text.split_at_checked(at)) else {
        return (c == '[').then_some(rest);
    };
    let (negated, body) = match body.strip_prefix(['!', '^']) {
        Some(body) => (true, body),
        None => (false, body),
    };
    let mut hit = false;
    let mut body = body.chars();
    while let Some(low) = body.next() {
        let mut ahead = body.clone();
        if let (Some('-'), Some(high)) = (ahead.next(), ahead.next()) {
            hit |= (low..=high).contains(&c);
            body = ahead;
        } else {
            hit |= low == c;
        }
    }
    let mut after = after.chars();
    after.next();
    (hit != negated).then_some(after)
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
