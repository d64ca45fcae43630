use std::fmt;

use belay_model::Verdict;

use crate::Origin;

/// What is wrong with a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The file cannot be read.
    Unreadable(String),
    /// It is a folder, a device, a pipe.
    NotAFile,
    /// It is larger than a settings file may be.
    TooLarge {
        /// The most bytes.
        most: u64,
    },
    /// It is not text.
    NotText,
    /// It is not TOML.
    Syntax(String),
    /// There is no such key.
    UnknownKey {
        /// The key.
        key: String,
        /// The table it stands in; empty at the top.
        table: String,
    },
    /// The value is of another kind.
    WrongKind {
        /// The key.
        key: String,
        /// What belongs there.
        want: &'static str,
        /// What stands there.
        found: &'static str,
    },
    /// The value is none of the words.
    UnknownWord {
        /// The key.
        key: String,
        /// The word.
        word: String,
    },
    /// The number is too small or too large.
    OutOfRange {
        /// The key.
        key: String,
        /// The number as written.
        number: String,
    },
    /// A key is missing.
    Missing {
        /// The key.
        key: &'static str,
        /// The table.
        table: &'static str,
    },
    /// A rule names no condition at all.
    NoCondition,
    /// A line is not an effect pattern.
    BadEffect {
        /// The line.
        line: String,
        /// Why.
        cause: String,
    },
    /// A glob cannot be read.
    BadGlob {
        /// The glob.
        glob: String,
        /// Why.
        cause: &'static str,
    },
    /// A list is longer than it may be.
    TooMany {
        /// The key.
        key: String,
        /// The most items.
        most: usize,
    },
    /// A text is longer than it may be.
    TooLong {
        /// The key.
        key: String,
        /// The most bytes.
        most: usize,
    },
    /// A text is empty.
    Empty {
        /// The key.
        key: String,
    },
    /// The key has no say in a project's file.
    NotForProjects {
        /// The key.
        key: String,
    },
    /// An example of a rule gets another verdict.
    Example {
        /// The rule.
        rule: String,
        /// The example.
        line: String,
        /// The verdict it must get, and the one it gets.
        verdicts: (Verdict, Verdict),
        /// Why it gets that.
        because: String,
    },
    /// A flag's value is out of its bounds.
    NotForFlags {
        /// The key.
        key: String,
        /// The value as sent.
        value: String,
    },
    /// Only the managed file sets the key.
    OnlyManaged {
        /// The key.
        key: String,
    },
    /// A line is not a public key.
    BadKey {
        /// The line.
        line: String,
    },
    /// A line of `[words]` names no class of acts, or says nothing of it.
    BadPhrase {
        /// The line.
        line: String,
    },
    /// A rule set of a bundle could loosen something.
    NotForBundles {
        /// The key, or the table.
        key: String,
    },
    /// No stored bundle can be used: why.
    BadBundle(String),
}

/// One mistake in a settings file: what, where, and the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// What is wrong.
    pub fault: Fault,
    /// Where.
    pub origin: Origin,
    /// What to type instead.
    pub hint: Option<String>,
}

impl SettingsError {
    /// Makes an error at a place; its hint is the usual one for such a fault.
    #[must_use]
    pub const fn at(fault: Fault, origin: Origin) -> Self {
        Self::new(fault, origin)
    }

    /// Tells whether the file can be read as it was meant, and only an example of it does not hold.
    #[must_use]
    pub const fn is_example(&self) -> bool {
        matches!(self.fault, Fault::Example { .. })
    }

    pub(crate) const fn new(fault: Fault, origin: Origin) -> Self {
        Self {
            fault,
            origin,
            hint: None,
        }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Returns the three lines a person reads: what, where, what to type instead.
    #[must_use]
    pub fn render(&self) -> String {
        let mut text = format!("error: {self}\n");
        if !self.origin.file.is_empty() {
            text.push_str("  --> ");
            text.push_str(&self.origin.file);
            if self.origin.line > 0 {
                text.push_str(&format!(":{}:{}", self.origin.line, self.origin.column));
            }
            text.push('\n');
        }
        let hint = self.hint.as_deref().unwrap_or_else(|| self.fault.way_out());
        text.push_str(&format!("hint: {hint}\n"));
        text
    }
}

impl Fault {
    /// Returns what to do about it where nothing more exact is known.
    const fn way_out(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "make the file readable, or remove it",
            Self::NotAFile => "put an ordinary file in its place, or remove it",
            Self::TooLarge { .. } => "keep only settings in it",
            Self::NotText => "save the file as UTF-8",
            Self::Syntax(_) => "strings stand in double quotes, lists in brackets, one key a line",
            Self::WrongKind { .. } => "`belay config --default` shows every key with an example",
            Self::BadGlob { .. } => {
                "write a path with `*`, `**`, `?` or `[a-z]`, such as `~/notes/**`"
            }
            Self::TooMany { .. } => "join lines with `*`, or remove those that are not needed",
            Self::TooLong { .. } => "write it shorter",
            Self::Empty { .. } => "write something, or remove the line",
            Self::Example { .. } => {
                "change the rule or the example; until then nothing is allowed, and every ask and deny holds"
            }
            Self::NotForFlags { .. } => "change it in your own settings",
            Self::OnlyManaged { .. } => "move it to /etc/belay/config.toml",
            Self::BadKey { .. } => {
                "write the second line of minisign.pub, then perhaps `not_after=2027-12-31`"
            }
            Self::BadPhrase { .. } => {
                "write the class, a colon and the words: `push: hands off the remote`"
            }
            Self::NotForBundles { .. } => {
                "`may_loosen = true` in `[fleet]` of the managed settings permits it; to tighten a tool, write a `[[rule]]`"
            }
            Self::BadBundle(_) => "fetch it again with `belay fleet pull`",
            Self::UnknownKey { .. }
            | Self::UnknownWord { .. }
            | Self::OutOfRange { .. }
            | Self::Missing { .. }
            | Self::NoCondition
            | Self::BadEffect { .. }
            | Self::NotForProjects { .. } => "`belay config --default` shows every key",
        }
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.fault, f)
    }
}

impl std::error::Error for SettingsError {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(cause) => write!(f, "cannot read settings: {cause}"),
            Self::NotAFile => f.write_str("the settings are not an ordinary file"),
            Self::TooLarge { most } => write!(f, "the settings are larger than {most} bytes"),
            Self::NotText => f.write_str("the settings are not UTF-8 text"),
            Self::Syntax(cause) => write!(f, "not valid TOML: {cause}"),
            Self::UnknownKey { key, table } if table.is_empty() => {
                write!(f, "unknown key `{}`", short(key))
            }
            Self::UnknownKey { key, table } => {
                write!(f, "unknown key `{}` in `[{table}]`", short(key))
            }
            Self::WrongKind { key, want, found } => {
                write!(f, "`{key}` must be {want}, found {found}")
            }
            Self::UnknownWord { key, word } => {
                write!(f, "unknown word `{}` for `{key}`", short(word))
            }
            Self::OutOfRange { key, number } => write!(f, "`{number}` is out of range for `{key}`"),
            Self::Missing { key, table } => write!(f, "`{key}` is missing in `[[{table}]]`"),
            Self::NoCondition => f.write_str("the rule names no condition"),
            Self::BadEffect { line, cause } => {
                write!(f, "`{}` is not an effect pattern: {cause}", short(line))
            }
            Self::BadGlob { glob, cause } => write!(f, "`{}` is not a glob: {cause}", short(glob)),
            Self::TooMany { key, most } => write!(f, "`{key}` has more than {most} items"),
            Self::TooLong { key, most } => write!(f, "`{key}` is longer than {most} bytes"),
            Self::Empty { key } => write!(f, "`{key}` is empty"),
            Self::NotForProjects { key } => {
                write!(f, "`{key}` is never read from a project's file")
            }
            Self::Example {
                rule,
                line,
                verdicts: (wanted, found),
                because,
            } => write!(
                f,
                "the example `{}` of rule `{rule}` is {found}, not {wanted}: {because}",
                short(line)
            ),
            Self::NotForFlags { key, value } => {
                write!(f, "a feature flag may not set `{key}` to `{value}`")
            }
            Self::OnlyManaged { key } => write!(f, "only the managed settings may set `{key}`"),
            Self::BadKey { line } => write!(f, "`{}` is not a minisign public key", short(line)),
            Self::BadPhrase { line } => {
                write!(f, "`{}` is not a class of acts and a phrase", short(line))
            }
            Self::NotForBundles { key } => {
                write!(
                    f,
                    "a bundle may not set `{key}` like this: it could loosen belay"
                )
            }
            Self::BadBundle(why) => write!(f, "the stored bundle cannot be used: {why}"),
        }
    }
}

/// Returns a text that somebody wrote, cut where nobody would read on.
fn short(text: &str) -> std::borrow::Cow<'_, str> {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}...", text.get(..at).unwrap_or_default()).into(),
        None => text.into(),
    }
}

/// Returns the candidate nearest to a word, if one is near.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 64;
    if word.len() > LONGEST {
        return None;
    }
    let letters = word.chars().count();
    let most = (letters / 3).max(if letters < 4 { 1 } else { 2 });
    candidates
        .into_iter()
        .map(|it| (distance(word, it), it))
        .filter(|(far, _)| *far <= most)
        .min_by_key(|(far, _)| *far)
        .map(|(_, it)| it)
}

/// Counts the letters to change, add, drop or swap to get from one word to the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().flat_map(char::to_lowercase).collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, c) in from.chars().flat_map(char::to_lowercase).enumerate() {
        let mut diagonal = at;
        let mut left = at + 1;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (cell, d) in row.iter_mut().skip(1).zip(&to) {
            let above = *cell;
            left = (diagonal + usize::from(c != *d))
                .min(above + 1)
                .min(left + 1);
            diagonal = above;
            *cell = left;
        }
    }
    row.last().copied().unwrap_or(usize::MAX)
}

/// Writes words as a list for a hint.
pub(crate) fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|it| format!("`{it}`")).collect();
    quoted.join(", ")
}

/// Writes the hint for a wrong word: the right ones, and the nearest of them.
pub(crate) fn word_hint(word: &str, words: &[&str]) -> String {
    let all = format!("the words are {}", listed(words));
    match nearest(word, words.iter().copied()) {
        Some(near) => format!("{all}; did you mean `{near}`?"),
        None => all,
    }
}
