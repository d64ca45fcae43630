//! Globs over paths and names: `*` and `?` stay within one component, `**` crosses them, `[a-z]`
//! is one letter of a set.
//!
//! INVARIANT: matching takes time proportional to the path times the wildcards of the glob, whose
//! number is bounded; there is no backtracking.

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

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Letter(char),
    One,
    Set {
        others: bool,
        ranges: Vec<(char, char)>,
    },
    Star,
    /// `**`: anything.
    Deep,
    /// `**/`: nothing, or anything that ends with a slash; `Inside` follows it.
    Folders,
    /// Within the folders of `**/`.
    Inside,
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
    tokens: Vec<Token>,
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
        let mut tokens = tokens(body)?;
        let wild = |it: &&Token| !matches!(it, Token::Letter(_) | Token::Inside);
        if tokens.iter().filter(wild).count() > MOST_WILDCARDS {
            return Err("more than 16 wildcards");
        }
        let deep = ends_with_slash || tokens.is_empty() || tokens.last() == Some(&Token::Deep);
        if anchor == Anchor::Anywhere {
            tokens.splice(0..0, [Token::Folders, Token::Inside]);
        }
        Ok(Self {
            anchor,
            deep,
            literal: literal_folders(body),
            tokens,
        })
    }

    /// Tells whether an absolute path is named.
    #[must_use]
    pub fn matches(&self, path: &str, bases: &Bases, want: Want) -> bool {
        let below = want == Want::Suspicion || self.deep;
        let Some(rest) = self.relative(path, bases, want) else {
            return false;
        };
        Run::new(&self.tokens, want).finds(rest, below)
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

fn tokens(body: &str) -> Result<Vec<Token>, &'static str> {
    let mut tokens = Vec::new();
    let mut letters = body.chars().peekable();
    while let Some(letter) = letters.next() {
        let token = match letter {
            '?' => Token::One,
            '[' => set(&mut letters)?,
            '\\' => Token::Letter(letters.next().ok_or("nothing follows the last `\\`")?),
            '*' if letters.next_if_eq(&'*').is_some() => {
                while letters.next_if_eq(&'*').is_some() {}
                if letters.next_if_eq(&'/').is_some() {
                    tokens.push(Token::Folders);
                    Token::Inside
                } else {
                    Token::Deep
                }
            }
            '*' => Token::Star,
            plain => Token::Letter(plain),
        };
        tokens.push(token);
    }
    Ok(tokens)
}

fn set(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<Token, &'static str> {
    const OPEN: &str = "`[` is not closed";
    let others = letters.next_if(|it| matches!(it, '!' | '^')).is_some();
    let mut ranges = Vec::new();
    loop {
        let first = match letters.next().ok_or(OPEN)? {
            ']' if !ranges.is_empty() => return Ok(Token::Set { others, ranges }),
            '\\' => letters.next().ok_or(OPEN)?,
            letter => letter,
        };
        let mut last = first;
        if letters.peek() == Some(&'-') {
            letters.next();
            match letters.peek() {
                Some(']') | None => ranges.push(('-', '-')),
                Some(_) => last = letters.next().ok_or(OPEN)?,
            }
        }
        ranges.push((first, last));
    }
}

/// One walk over a text, with all places in the glob it may be at.
struct Run<'t> {
    tokens: &'t [Token],
    want: Want,
    at: Vec<usize>,
    next: Vec<usize>,
    /// For each place, the step in which it was last entered.
    entered: Vec<usize>,
    step: usize,
}

impl<'t> Run<'t> {
    fn new(tokens: &'t [Token], want: Want) -> Self {
        let mut run = Self {
            tokens,
            want,
            at: Vec::new(),
            next: Vec::new(),
            entered: vec![0; tokens.len() + 1],
            step: 1,
        };
        run.enter(0);
        std::mem::swap(&mut run.at, &mut run.next);
        run
    }

    /// Adds a place, and those that follow it without a letter.
    fn enter(&mut self, mut place: usize) {
        loop {
            if !self.keep(place) {
                return;
            }
            match self.tokens.get(place) {
                Some(Token::Star | Token::Deep) => place += 1,
                Some(Token::Folders) => {
                    self.keep(place + 1);
                    place += 2;
                }
                Some(Token::Letter(_) | Token::One | Token::Set { .. } | Token::Inside) | None => {
                    return;
                }
            }
        }
    }

    fn finds(mut self, text: &str, below: bool) -> bool {
        for letter in text.chars() {
            if below && letter == '/' && self.done() {
                return true;
            }
            self.step += 1;
            let mut at = std::mem::take(&mut self.at);
            for place in at.drain(..) {
                self.pass(place, letter);
            }
            self.at = std::mem::replace(&mut self.next, at);
            if self.at.is_empty() {
                return false;
            }
        }
        self.done()
    }

    fn done(&self) -> bool {
        self.at.contains(&self.tokens.len())
    }

    fn pass(&mut self, place: usize, letter: char) {
        match self.tokens.get(place) {
            None => {}
            Some(Token::Letter(it)) if self.same(*it, letter) => self.enter(place + 1),
            Some(Token::One) if letter != '/' => self.enter(place + 1),
            Some(Token::Set { others, ranges }) if letter != '/' => {
                let inside = |c: char| ranges.iter().any(|(a, z)| (*a..=*z).contains(&c));
                let found = match self.want {
                    Want::Certainty => inside(letter),
                    Want::Suspicion => fold(letter).into_iter().any(inside),
                };
                if found != *others {
                    self.enter(place + 1);
                }
            }
            Some(Token::Star) if letter != '/' => self.enter(place),
            Some(Token::Deep) => self.enter(place),
            Some(Token::Inside) => {
                if letter == '/' {
                    self.enter(place + 1);
                }
                self.keep(place);
            }
            Some(
                Token::Letter(_) | Token::One | Token::Set { .. } | Token::Star | Token::Folders,
            ) => {}
        }
    }

    /// Keeps a place, without those that follow it; tells whether it is new in this step.
    fn keep(&mut self, place: usize) -> bool {
        let new = self.entered.get(place).is_some_and(|it| *it != self.step);
        if let (true, Some(entered)) = (new, self.entered.get_mut(place)) {
            *entered = self.step;
            self.next.push(place);
        }
        new
    }

    fn same(&self, a: char, b: char) -> bool {
        match self.want {
            Want::Certainty => a == b,
            Want::Suspicion => a == b || a.to_lowercase().eq(b.to_lowercase()),
        }
    }
}

fn fold(letter: char) -> [char; 3] {
    let lower = letter.to_lowercase().next().unwrap_or(letter);
    let upper = letter.to_uppercase().next().unwrap_or(letter);
    [letter, lower, upper]
}

/// Tells whether a name is named, where `*` stands for any text.
#[must_use]
pub fn name_matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(rest) = parts.next().and_then(|it| name.strip_prefix(it)) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    let mut rest = rest;
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else {
            return false;
        };
        rest = after;
    }
    rest.len() >= last.len() && rest.ends_with(last)
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
