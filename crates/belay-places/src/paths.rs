//! Paths: normalised and compared by components, and as the system would walk them.

use std::borrow::Cow;
use std::cell::OnceCell;

use belay_model::{Answer, Question, Surroundings};

use crate::foreign::{Form, form};

/// An absolute path: normalised by its text, as many programs read it, and with every `..` kept, as
/// the system walks it.
#[derive(Clone, Debug)]
pub struct Path {
    text: String,
    /// The folded text, where it differs; few paths are ever compared with names.
    folded: OnceCell<Option<String>>,
    /// The text as it was written, where a `..` stands behind a name: that name may be a link.
    walked: Option<String>,
}

impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.walked == other.walked
    }
}

impl Eq for Path {}

impl Path {
    /// Normalises an absolute path: no `.`, no `..`, no doubled or final slash.
    #[must_use]
    pub fn new(text: &str) -> Self {
        match normal(text) {
            Cow::Borrowed(text) => Self::of(text.to_owned()),
            Cow::Owned(normal) => Self {
                walked: climbs(text).then(|| text.to_owned()),
                ..Self::of(normal)
            },
        }
    }

    /// Returns the path of a name in a folder.
    #[must_use]
    pub fn joined(folder: &str, name: &str) -> Self {
        if name == "." {
            return Self::new(folder);
        }
        let folder = folder.trim_end_matches('/');
        let mut text = String::with_capacity(folder.len() + 1 + name.len());
        text.push_str(folder);
        text.push('/');
        text.push_str(name);
        if is_normal(&text) {
            Self::of(text)
        } else {
            Self::new(&text)
        }
    }

    /// Takes a text that is normal.
    const fn of(text: String) -> Self {
        Self {
            text,
            folded: OnceCell::new(),
            walked: None,
        }
    }

    /// Returns the path as the system would walk it: the text, or what was written where a `..` may
    /// lead out of a link.
    #[must_use]
    pub fn walked(&self) -> &str {
        self.walked.as_deref().unwrap_or(&self.text)
    }

    /// Forgets how the path was written unless one of its `..` leads out of a link.
    #[must_use]
    pub fn settled(mut self, world: &dyn Surroundings) -> Self {
        if self
            .walked
            .as_ref()
            .is_some_and(|it| !leaves_link(it, world))
        {
            self.walked = None;
        }
        self
    }

    /// Returns the path as text, its own.
    #[must_use]
    pub fn into_text(self) -> String {
        self.text
    }

    /// Returns the path as text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text without regard to case and to characters that some file systems do not see.
    pub(crate) fn folded(&self) -> &str {
        let folded = self.folded.get_or_init(|| fold(&self.text));
        folded.as_ref().unwrap_or(&self.text)
    }

    /// Returns the folded components.
    pub(crate) fn parts(&self) -> Vec<&str> {
        let folded = self.folded();
        let slashes = folded.bytes().enumerate().filter(|(_, it)| *it == b'/');
        let ends = slashes.map(|(at, _)| at).chain([folded.len()]);
        let mut parts = Vec::with_capacity(8);
        let mut from = 0;
        for to in ends {
            parts.extend(folded.get(from..to).filter(|it| !it.is_empty()));
            from = to + 1;
        }
        parts
    }

    /// Tells whether this path is that one or lies below it, by components.
    #[must_use]
    pub fn is_within(&self, root: &str) -> bool {
        below(&self.text, root).is_some()
    }
}

/// Returns the components of a path.
pub(crate) fn components(path: &str) -> impl Iterator<Item = &str> + Clone {
    path.split('/').filter(|it| !it.is_empty())
}

/// Normalises an absolute path; most come as they should be.
pub(crate) fn normal(text: &str) -> Cow<'_, str> {
    if is_normal(text) {
        return Cow::Borrowed(text);
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in components(text) {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let mut normal = String::with_capacity(text.len());
    for part in &parts {
        normal.push('/');
        normal.push_str(part);
    }
    if normal.is_empty() {
        normal.push('/');
    }
    Cow::Owned(normal)
}

/// Tells whether a path is absolute and has neither empty components nor `.` nor `..`.
fn is_normal(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('/') else {
        return false;
    };
    // Most paths have no slash before a slash or a dot, and none at the end. Looking at all letters is faster than stopping
    // at one.
    let odd = |this: u8, next: u8| (this == b'/') & ((next == b'/') | (next == b'.'));
    let pairs = text.bytes().zip(rest.bytes());
    if !pairs.fold(false, |sum, (this, next)| sum | odd(this, next)) {
        return rest.is_empty() || !rest.ends_with('/');
    }
    let (mut length, mut dots) = (0, 0);
    let is_name = |length: u32, dots: u32| length > 2 || length > dots;
    for byte in rest.bytes() {
        if byte != b'/' {
            length += 1;
            dots += u32::from(byte == b'.');
        } else if is_name(length, dots) {
            (length, dots) = (0, 0);
        } else {
            return false;
        }
    }
    rest.is_empty() || is_name(length, dots)
}

/// Tells whether a `..` stands behind a name.
fn climbs(text: &str) -> bool {
    components(text)
        .skip_while(|it| *it == ".." || *it == ".")
        .any(|it| it == "..")
}

/// Tells whether a `..` leads out of a link: the system goes on from where the link leads.
fn leaves_link(text: &str, world: &dyn Surroundings) -> bool {
    let mut so_far: Vec<&str> = Vec::new();
    for part in components(text) {
        match part {
            "." => {}
            ".." if so_far.is_empty() => {}
            ".." => {
                let path = format!("/{}", so_far.join("/"));
                // What a glob matches may be a link, or several folders deep.
                let wild = so_far.pop().is_some_and(|it| it.contains(['*', '?', '[']));
                if wild || is_link(path, world) {
                    return true;
                }
            }
            name => so_far.push(name),
        }
    }
    false
}

fn is_link(path: String, world: &dyn Surroundings) -> bool {
    matches!(world.ask(&Question::Kind(path)), Answer::Name(it) if it == "link")
}

/// Tells whether a normal path is that one or lies below it, by components.
pub(crate) fn is_within(path: &str, root: &str) -> bool {
    below(path, root).is_some()
}

/// Returns what is left of a path below a root: empty for the root itself.
fn below<'a>(path: &'a str, root: &str) -> Option<&'a str> {
    let root = match root.as_bytes() {
        [.., b'/'] => root.get(..root.len() - 1)?,
        _ => root,
    };
    // The next letter is looked at first: it is no slash where the path is another.
    match path.as_bytes().get(root.len()) {
        None => (path == root).then_some(""),
        Some(b'/') => path.strip_prefix(root)?.get(1..),
        Some(_) => None,
    }
}

/// Folds case and drops characters that some file systems do not see, so that protected names
/// cannot be spelled around.
pub(crate) fn fold(text: &str) -> Option<String> {
    if text.is_ascii() {
        // Looking at all letters is faster than stopping at one.
        let upper = text
            .bytes()
            .fold(false, |sum, it| sum | it.is_ascii_uppercase());
        return upper.then(|| text.to_ascii_lowercase());
    }
    let folded = text
        .chars()
        .filter(|c| !is_ignorable(*c))
        .flat_map(char::to_lowercase)
        .map(narrow)
        .collect();
    Some(folded)
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

/// Writes a text in small letters; most are so written.
pub(crate) fn lowered(text: &str) -> Cow<'_, str> {
    let small = |it: u8| it.is_ascii() && !it.is_ascii_uppercase();
    if text.bytes().all(small) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.to_lowercase())
}

/// Makes a path in short form (`./x`, `~/x`, `/x`) absolute; `None` when it cannot be known.
#[must_use]
pub fn absolute(short: &str, cwd: &str, home: &str) -> Option<Path> {
    let short = match form(short, home) {
        Form::Ours => Cow::Borrowed(short),
        Form::Means(path) => Cow::Owned(path),
        Form::Nothing => return None,
    };
    let short = short.as_ref();
    if short.starts_with('/') {
        return Some(Path::new(short));
    }
    if short == "~" {
        return Some(Path::new(home));
    }
    if let Some(rest) = short.strip_prefix("~/") {
        return Some(Path::joined(home, rest));
    }
    if let Some(rest) = short.strip_prefix('~') {
        let (user, rest) = rest.split_once('/').unwrap_or((rest, ""));
        return Some(Path::new(&format!("/home/{user}/{rest}")));
    }
    if cwd.is_empty() {
        return None;
    }
    Some(Path::joined(cwd, short.strip_prefix("./").unwrap_or(short)))
}

/// Makes a path that a command was given absolute, where no shell is left to read `~`; `None` when it
/// cannot be known.
#[must_use]
pub fn written(text: &str, cwd: &str, home: &str) -> Option<Path> {
    let path = match form(text, home) {
        // What is no path elsewhere is a plain name here: a shell hands over what stands there.
        Form::Nothing if !text.starts_with(['%', '\\']) => Cow::Borrowed(text),
        Form::Nothing => return None,
        Form::Ours => Cow::Borrowed(text),
        Form::Means(path) => Cow::Owned(path),
    };
    if path.starts_with('/') {
        return Some(Path::new(&path));
    }
    (!cwd.is_empty()).then(|| Path::joined(cwd, &path))
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
            ["./", rest].concat()
        };
    }
    if home.len() > 1
        && let Some(rest) = below(path, home)
    {
        return if rest.is_empty() {
            "~".to_owned()
        } else {
            ["~/", rest].concat()
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
            ("/a/...", "/a/..."),
            ("/a/..b/.c", "/a/..b/.c"),
            ("/..", "/"),
            ("a/b", "/a/b"),
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

    #[test]
    fn what_the_system_walks_is_kept_behind_names() {
        for (text, walked) in [
            ("/w/s/../x", "/w/s/../x"),
            ("/../x", "/x"),
            ("/w//x/.", "/w/x"),
            ("/w/x", "/w/x"),
        ] {
            assert_eq!(Path::new(text).walked(), walked);
        }
        let settled = Path::new("/w/s/../x").settled(&belay_model::Nowhere);
        assert_eq!(settled.walked(), "/w/x");
    }
}
