//! Globs over paths and names: `*` and `?` stay within one component, `**` crosses them, `[a-z]`
//! is one letter of a set.
//!
//! INVARIANT: a glob that was read is sound, and its wildcards are few.

use belay_model::glob::{
    Dialect, Starts, Token, first_letter, matches, matches_above, matches_stars,
};

/// The most bytes of a glob.
pub const MOST_BYTES: usize = 512;
/// The most wildcards of a glob.
pub const MOST_WILDCARDS: usize = 16;

/// Where paths of globs and calls hang.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Bases {
    /// The user's home folder, absolute; `~` in globs.
    pub home: Option<String>,
    /// The project's root, absolute; where relative globs hang.
    pub root: Option<String>,
}

/// How sure a match must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// Any suspicion counts: letters of either case, and what lies below a match. For ask and deny.
    Suspicion,
    /// Only certainty counts: the very path, in the very case. For allow.
    Certainty,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    Absolute,
    Home,
    Root,
    /// A bare name: at any depth.
    Anywhere,
}

/// One glob, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    anchor: Anchor,
    /// What it says below the anchor.
    body: String,
    /// The folders before the first wildcard, relative to the anchor, without a slash at the ends.
    literal: String,
    /// Tells whether everything below is named too: the glob ends with `/` or `/**`.
    deep: bool,
}

impl Glob {
    /// Reads a glob.
    ///
    /// # Errors
    /// Says why the text is not a glob.
    pub fn new(text: &str) -> Result<Self, &'static str> {
        if text.len() > MOST_BYTES {
            return Err("longer than 512 bytes");
        }
        let (anchor, rest) = anchor(text)?;
        if rest.split('/').any(|it| it == "..") {
            return Err("`..` has no place in a glob");
        }
        let rest: String = rest
            .split('/')
            .filter(|it| *it != ".")
            .collect::<Vec<_>>()
            .join("/");
        let ends_with_slash = rest.ends_with('/');
        let body = rest.trim_matches('/');
        let read = read(body)?;
        if read.wildcards > MOST_WILDCARDS {
            return Err("more than 16 wildcards");
        }
        let deep = ends_with_slash || body.is_empty() || read.ends_deep;
        let anywhere = if anchor == Anchor::Anywhere {
            "**/"
        } else {
            ""
        };
        Ok(Self {
            anchor,
            deep,
            literal: literal_folders(body),
            body: format!("{anywhere}{body}"),
        })
    }

    /// Tells whether an absolute path is named.
    #[must_use]
    pub fn matches(&self, path: &str, bases: &Bases, want: Want) -> bool {
        let Some(rest) = self.relative(path, bases, want) else {
            return false;
        };
        let (body, rest) = (self.body.as_bytes(), rest.as_bytes());
        if want == Want::Suspicion || self.deep {
            matches_above(&want, body, rest)
        } else {
            matches(&want, body, rest)
        }
    }

    /// Tells whether a folder and everything below it is named.
    #[must_use]
    pub fn covers_tree(&self, folder: &str, bases: &Bases) -> bool {
        let below = format!("{}/\u{1}/\u{1}", folder.trim_end_matches('/'));
        self.deep && self.matches(&below, bases, Want::Certainty)
    }

    /// Tells whether something below a folder is named for sure to be there: the fixed part of the
    /// glob lies at or below the folder.
    #[must_use]
    pub fn lies_below(&self, folder: &str, bases: &Bases) -> bool {
        let base = match self.anchor {
            Anchor::Absolute => Some(""),
            Anchor::Home => bases.home.as_deref(),
            Anchor::Root => bases.root.as_deref(),
            Anchor::Anywhere => None,
        };
        let Some(base) = base else {
            return false;
        };
        let start = format!("{}/{}", base.trim_end_matches('/'), self.literal);
        strip_folder(start.trim_end_matches('/'), folder, Want::Suspicion).is_some()
    }

    fn relative<'p>(&self, path: &'p str, bases: &Bases, want: Want) -> Option<&'p str> {
        let folder = match (self.anchor, want) {
            (Anchor::Absolute, _) | (Anchor::Anywhere, Want::Suspicion) => "/",
            (Anchor::Home, _) => bases.home.as_deref()?,
            (Anchor::Root, _) | (Anchor::Anywhere, Want::Certainty) => bases.root.as_deref()?,
        };
        strip_folder(path, folder, want)
    }
}

/// Takes a folder off the front of a path, by whole components.
fn strip_folder<'p>(path: &'p str, folder: &str, want: Want) -> Option<&'p str> {
    let folder = folder.trim_end_matches('/');
    let (head, rest) = path.split_at_checked(folder.len())?;
    let same = match want {
        Want::Suspicion => head.eq_ignore_ascii_case(folder),
        Want::Certainty => head == folder,
    };
    if !same {
        return None;
    }
    if rest.is_empty() {
        return Some("");
    }
    rest.strip_prefix('/')
}

fn anchor(text: &str) -> Result<(Anchor, &str), &'static str> {
    if text.is_empty() {
        return Err("it is empty");
    }
    if let Some(rest) = text.strip_prefix("~/") {
        return Ok((Anchor::Home, rest));
    }
    if text == "~" {
        return Ok((Anchor::Home, ""));
    }
    if text.starts_with('~') {
        return Err("`~user` is not known; write the path");
    }
    if let Some(rest) = text.strip_prefix('/') {
        return Ok((Anchor::Absolute, rest));
    }
    if text.trim_end_matches('/').contains('/') || text == "." {
        return Ok((Anchor::Root, text));
    }
    Ok((Anchor::Anywhere, text))
}

fn literal_folders(body: &str) -> String {
    let wild = |part: &&str| part.contains(['*', '?', '[', '\\']);
    let fixed: Vec<&str> = body.split('/').take_while(|it| !wild(it)).collect();
    fixed.join("/")
}

/// What a glob says of itself.
struct Outline {
    wildcards: usize,
    /// Whether its last token takes everything.
    ends_deep: bool,
}

/// Reads a whole glob once, so that a match meets nothing that cannot be read.
fn read(body: &str) -> Result<Outline, &'static str> {
    let mut outline = Outline {
        wildcards: 0,
        ends_deep: false,
    };
    let (mut rest, mut starts) = (body.as_bytes(), Starts::Component);
    while !rest.is_empty() {
        let (token, after) = first(rest, starts)?;
        starts = match token {
            Token::Letter('/') | Token::Folders => Starts::Component,
            Token::Letter(_)
            | Token::One
            | Token::Set(_)
            | Token::Star
            | Token::Deep
            | Token::Never => Starts::Middle,
        };
        outline.wildcards += usize::from(!matches!(token, Token::Letter(_)));
        outline.ends_deep = token == Token::Deep;
        rest = after;
    }
    Ok(outline)
}

/// Reads the first token of a glob.
fn first(glob: &[u8], starts: Starts) -> Result<(Token<'_>, &[u8]), &'static str> {
    Ok(match first_letter(glob) {
        Some(('?', rest)) => (Token::One, rest),
        Some(('[', rest)) => set(rest).ok_or("`[` is not closed")?,
        Some(('\\', rest)) => {
            let (letter, rest) = first_letter(rest).ok_or("nothing follows the last `\\`")?;
            (Token::Letter(letter), rest)
        }
        Some(('*', _)) => stars(glob, starts),
        Some((letter, rest)) => (Token::Letter(letter), rest),
        None => (Token::Never, glob),
    })
}

fn stars(glob: &[u8], starts: Starts) -> (Token<'_>, &[u8]) {
    let run = glob.iter().take_while(|it| **it == b'*').count();
    let after = glob.get(run..).unwrap_or_default();
    match after {
        [b'/', rest @ ..] if run > 1 && starts == Starts::Component => (Token::Folders, rest),
        _ if run > 1 => (Token::Deep, after),
        _ => (Token::Star, after),
    }
}

/// Parts a set from what follows it: its first letter may be a bracket, and a backslash quotes one.
fn set(rest: &[u8]) -> Option<(Token<'_>, &[u8])> {
    let mut at = usize::from(matches!(rest.first(), Some(b'!' | b'^')));
    let first = at;
    loop {
        match rest.get(at)? {
            b']' if at > first => {
                let (body, after) = rest.split_at_checked(at)?;
                return Some((Token::Set(body), after.get(1..)?));
            }
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// How sure a match must be says which letters are the same.
impl Dialect for Want {
    fn token<'g>(&self, glob: &'g [u8], starts: Starts) -> (Token<'g>, &'g [u8]) {
        first(glob, starts).unwrap_or((Token::Never, &[]))
    }

    fn holds(&self, set: &[u8], letter: char) -> bool {
        let (others, mut body) = match set {
            [b'!' | b'^', body @ ..] => (true, body),
            body => (false, body),
        };
        let letters = match self {
            Self::Certainty => [letter; 3],
            Self::Suspicion => fold(letter),
        };
        let mut found = false;
        while let Some((low, rest)) = quoted(body) {
            let range = rest.strip_prefix(b"-").and_then(quoted);
            let (high, rest) = range.unwrap_or((low, rest));
            found |= letters.iter().any(|it| (low..=high).contains(it));
            body = rest;
        }
        found != others
    }

    fn same(&self, wanted: char, letter: char) -> bool {
        match self {
            Self::Certainty => wanted == letter,
            Self::Suspicion => wanted == letter || wanted.to_lowercase().eq(letter.to_lowercase()),
        }
    }
}

/// Parts the first letter of a set from the rest; a backslash quotes it.
fn quoted(body: &[u8]) -> Option<(char, &[u8])> {
    first_letter(body.strip_prefix(b"\\").unwrap_or(body))
}

fn fold(letter: char) -> [char; 3] {
    let lower = letter.to_lowercase().next().unwrap_or(letter);
    let upper = letter.to_uppercase().next().unwrap_or(letter);
    [letter, lower, upper]
}

/// Tells whether a name is named, where `*` stands for any text.
#[must_use]
pub fn name_matches(pattern: &str, name: &str) -> bool {
    matches_stars(pattern, name)
}

#[cfg(test)]
mod tests {
    use super::{Bases, Glob, Want, name_matches};

    fn bases() -> Bases {
        Bases {
            home: Some("/home/me".to_owned()),
            root: Some("/home/me/app".to_owned()),
        }
    }

    fn suspects(glob: &str, path: &str) -> bool {
        Glob::new(glob)
            .unwrap()
            .matches(path, &bases(), Want::Suspicion)
    }

    fn is_sure(glob: &str, path: &str) -> bool {
        Glob::new(glob)
            .unwrap()
            .matches(path, &bases(), Want::Certainty)
    }

    #[test]
    fn a_bare_name_is_found_at_any_depth() {
        assert!(suspects("*.pem", "/srv/keys/a.pem"));
        assert!(suspects("*.pem", "/a.PEM"));
        assert!(!suspects("*.pem", "/a.pem.txt"));
        assert!(suspects("secrets", "/x/secrets/deep/file"));
    }

    #[test]
    fn a_bare_name_allows_only_in_the_project() {
        assert!(is_sure("*.log", "/home/me/app/a/b.log"));
        assert!(!is_sure("*.log", "/var/log/b.log"));
        assert!(!is_sure("*.log", "/home/me/app/a/B.LOG"));
    }

    #[test]
    fn home_and_root_anchor() {
        assert!(suspects("~/notes/**", "/home/me/notes/a/b"));
        assert!(!suspects("~/notes/**", "/home/you/notes/a"));
        assert!(is_sure("src/**/*.rs", "/home/me/app/src/lib.rs"));
        assert!(is_sure("./src/**/*.rs", "/home/me/app/src/a/b/lib.rs"));
        assert!(!is_sure("src/*.rs", "/home/me/app/src/a/lib.rs"));
        assert!(!is_sure("src/**", "/home/me/apps/src/a"));
    }

    #[test]
    fn what_lies_below_counts_for_suspicion_only() {
        assert!(suspects("/etc", "/etc/passwd"));
        assert!(!is_sure("/etc", "/etc/passwd"));
        assert!(is_sure("/etc/", "/etc/passwd"));
        assert!(!suspects("/etc", "/etcetera"));
    }

    #[test]
    fn sets_and_escapes() {
        assert!(is_sure("/[a-c]x", "/bx"));
        assert!(!is_sure("/[!a-c]x", "/bx"));
        assert!(is_sure("/\\*", "/*"));
        assert!(!is_sure("/\\*", "/a"));
        assert!(is_sure("/[]]", "/]"));
    }

    #[test]
    fn trees() {
        let glob = Glob::new("build/**").unwrap();
        assert!(glob.covers_tree("/home/me/app/build/x", &bases()));
        assert!(glob.covers_tree("/home/me/app/build", &bases()));
        assert!(!glob.covers_tree("/home/me/app", &bases()));
        assert!(glob.lies_below("/home/me/app", &bases()));
        assert!(glob.lies_below("/", &bases()));
        assert!(!glob.lies_below("/home/me/app/src", &bases()));
        assert!(!Glob::new("*.pem").unwrap().lies_below("/", &bases()));
    }

    #[test]
    fn nonsense_is_refused() {
        for glob in [
            "",
            "[a",
            "a/../b",
            "~you/x",
            "a\\",
            &"*?".repeat(20),
            &"a".repeat(600),
        ] {
            assert!(Glob::new(glob).is_err(), "{glob}");
        }
    }

    #[test]
    fn many_stars_take_bounded_time() {
        let path = format!("/{}", "a".repeat(20_000));
        assert!(!suspects("/*a*a*a*a*a*a*a*b", &path));
        assert!(!suspects("/**a**a**a**a**a**a**a**b", &path));
        assert!(!suspects(&format!("*{}b", "a".repeat(400)), &path));
        let path = "/a".repeat(20_000);
        assert!(!suspects("**a**a**b", &path));
        assert!(!suspects("*b", &path));
    }

    #[test]
    fn names() {
        assert!(name_matches("mcp__github__*", "mcp__github__get"));
        assert!(name_matches("*", ""));
        assert!(name_matches("a*b*c", "aXbYc"));
        assert!(!name_matches("a*b", "ab_"));
        assert!(!name_matches("aa*a", "aa"));
        assert!(!name_matches("Bash", "BashOutput"));
    }
}
