//! Lexical paths: normalised, compared by components.

/// An absolute path, normalised, with its components also folded for comparing protected names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    text: String,
    folded: String,
}

impl Path {
    /// Normalises an absolute path: no `.`, no `..`, no doubled or final slash.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut parts: Vec<&str> = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        let mut text = String::with_capacity(text.len());
        for part in &parts {
            text.push('/');
            text.push_str(part);
        }
        if text.is_empty() {
            text.push('/');
        }
        let folded = fold(&text);
        Self { text, folded }
    }

    /// Returns the path as text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the folded components.
    pub(crate) fn parts(&self) -> Vec<&str> {
        self.folded.split('/').filter(|it| !it.is_empty()).collect()
    }

    /// Tells whether this path is that one or lies below it, by components.
    #[must_use]
    pub fn is_within(&self, root: &str) -> bool {
        below(&self.text, root).is_some()
    }
}

/// Returns what is left of a path below a root: empty for the root itself.
fn below<'a>(path: &'a str, root: &str) -> Option<&'a str> {
    let root = root.strip_suffix('/').unwrap_or(root);
    let rest = path.strip_prefix(root)?;
    if rest.is_empty() {
        Some(rest)
    } else {
        rest.strip_prefix('/')
    }
}

/// Folds case and drops characters that some file systems do not see, so that protected names
/// cannot be spelled around.
fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars()
        .filter(|c| !is_ignorable(*c))
        .flat_map(char::to_lowercase)
        .map(narrow)
        .collect()
}

const fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{ad}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e007f}')
}

/// Maps the compatibility forms of ASCII to ASCII.
fn narrow(c: char) -> char {
    match c {
        'ſ' => 's',
        'ı' => 'i',
        '․' => '.',
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(c) - 0xfee0).map_or(c, |it| it.to_ascii_lowercase())
        }
        c => c,
    }
}

/// Makes a path in short form (`./x`, `~/x`, `/x`) absolute; `None` when it cannot be known.
#[must_use]
pub fn absolute(short: &str, cwd: &str, home: &str) -> Option<Path> {
    if short.starts_with('/') {
        return Some(Path::new(short));
    }
    if short == "~" {
        return Some(Path::new(home));
    }
    if let Some(rest) = short.strip_prefix("~/") {
        return Some(Path::new(&format!("{home}/{rest}")));
    }
    if let Some(rest) = short.strip_prefix('~') {
        let (user, rest) = rest.split_once('/').unwrap_or((rest, ""));
        return Some(Path::new(&format!("/home/{user}/{rest}")));
    }
    if cwd.is_empty() {
        return None;
    }
    Some(Path::new(&format!("{cwd}/{short}")))
}

/// Writes an absolute path in short form.
#[must_use]
pub fn shorten(path: &str, cwd: &str, home: &str) -> String {
    if !cwd.is_empty()
        && cwd != "/"
        && let Some(rest) = below(path, cwd)
    {
        return if rest.is_empty() {
            ".".to_owned()
        } else {
            format!("./{rest}")
        };
    }
    if home.len() > 1
        && let Some(rest) = below(path, home)
    {
        return if rest.is_empty() {
            "~".to_owned()
        } else {
            format!("~/{rest}")
        };
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Path, absolute, shorten};

    #[test]
    fn normalised_by_components() {
        for (text, expected) in [
            ("/a//b/./c/", "/a/b/c"),
            ("/a/../../b", "/b"),
            ("/", "/"),
            ("//", "/"),
            ("/a/b/..", "/a"),
        ] {
            assert_eq!(Path::new(text).text(), expected);
        }
    }

    #[test]
    fn siblings_with_the_same_prefix_are_outside() {
        assert!(Path::new("/w/app/x").is_within("/w/app"));
        assert!(Path::new("/w/app").is_within("/w/app/"));
        assert!(!Path::new("/w/app-evil/x").is_within("/w/app"));
        assert!(Path::new("/w").is_within("/"));
    }

    #[test]
    fn short_forms_go_both_ways() {
        for (short, long) in [
            (".", "/w/app"),
            ("./a", "/w/app/a"),
            ("~", "/home/me"),
            ("~/x", "/home/me/x"),
            ("/etc/x", "/etc/x"),
        ] {
            let path = absolute(short, "/w/app", "/home/me").map(|it| it.text().to_owned());
            assert_eq!(path.as_deref(), Some(long));
            assert_eq!(shorten(long, "/w/app", "/home/me"), short);
        }
        assert_eq!(absolute("a", "", "/home/me"), None);
    }

    #[test]
    fn names_fold() {
        assert_eq!(Path::new("/w/.GIT").parts(), ["w", ".git"]);
        assert_eq!(Path::new("/w/.g\u{200c}it").parts(), ["w", ".git"]);
        assert_eq!(Path::new("/w/．git").parts(), ["w", ".git"]);
    }
}
