//! What is known of a text before anything runs.

use belay_knowledge::Word;
use belay_model::{Carries, Span};

/// A text as far as it is known, and what flows in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Val {
    pub(crate) text: Text,
    pub(crate) carries: Carries,
}

/// How much of a text is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// All of it.
    Known(String),
    /// A glob: any text it matches; what is unknown in it holds no slash.
    Glob(String),
    /// A beginning; and what the whole is when the unknown parts are empty.
    Prefix { known: String, empty: String },
    /// Nothing; and what the whole is when the unknown parts are empty.
    Unknown { empty: String },
}

impl Text {
    /// A text with this beginning, if it has one, and an unknown rest.
    fn open(known: &str, empty: String) -> Self {
        if known.is_empty() {
            Self::Unknown { empty }
        } else {
            let known = known.to_owned();
            Self::Prefix { known, empty }
        }
    }
}

impl Val {
    pub(crate) fn known(text: impl Into<String>) -> Self {
        Self {
            text: Text::Known(text.into()),
            carries: Carries::NOTHING,
        }
    }

    pub(crate) const fn unknown() -> Self {
        Self {
            text: Text::Unknown {
                empty: String::new(),
            },
            carries: Carries::UNKNOWN,
        }
    }

    /// A short text without blanks and slashes: a number, a name.
    pub(crate) fn segment() -> Self {
        Self {
            text: Text::Glob("*".to_owned()),
            carries: Carries::NOTHING,
        }
    }

    /// A name that is no flag: a hash, a branch, the number of a process.
    pub(crate) fn name() -> Self {
        Self::glob("[!-]*")
    }

    /// A name that is no flag and may have slashes: a branch nobody can know.
    pub(crate) fn branch() -> Self {
        Self::glob("[!-]**")
    }

    pub(crate) fn glob(text: impl Into<String>) -> Self {
        Self {
            text: Text::Glob(text.into()),
            carries: Carries::NOTHING,
        }
    }

    pub(crate) fn carrying(mut self, carries: Carries) -> Self {
        self.carries = self.carries.and(carries);
        self
    }

    /// Returns the text when all of it is known.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.text {
            Text::Known(text) => Some(text),
            Text::Glob(_) | Text::Prefix { .. } | Text::Unknown { .. } => None,
        }
    }

    /// Returns the value as the knowledge reads it.
    pub(crate) fn word(&self) -> Word<'_> {
        match &self.text {
            Text::Known(text) => Word::Known(text),
            Text::Glob(text) => Word::Pattern(text),
            Text::Prefix { known, .. } => Word::Prefix(known),
            Text::Unknown { .. } => Word::Unknown,
        }
    }

    /// Returns what the text is when all unknown parts are empty.
    fn empty(&self) -> &str {
        match &self.text {
            Text::Known(text) | Text::Glob(text) => text,
            Text::Prefix { empty, .. } | Text::Unknown { empty } => empty,
        }
    }

    /// Returns this text with another behind it.
    pub(crate) fn then(mut self, next: &Self) -> Self {
        self.carries = self.carries.and(next.carries);
        match (&mut self.text, &next.text) {
            (Text::Known(a), Text::Known(b)) | (Text::Glob(a), Text::Glob(b)) => a.push_str(b),
            (Text::Glob(a), Text::Known(b)) => a.push_str(&escape(b)),
            (Text::Prefix { empty, .. } | Text::Unknown { empty }, _) => {
                empty.push_str(next.empty());
            }
            (Text::Known(a), Text::Glob(b)) => self.text = Text::Glob(escape(a) + b),
            (Text::Known(a), Text::Prefix { known, empty }) => {
                self.text = Text::Prefix {
                    known: format!("{a}{known}"),
                    empty: format!("{a}{empty}"),
                }
            }
            (Text::Known(a), Text::Unknown { empty }) => {
                self.text = Text::open(a, format!("{a}{empty}"));
            }
            (Text::Glob(a), Text::Prefix { empty, .. } | Text::Unknown { empty }) => {
                let known = a.split(['*', '?', '[']).next().unwrap_or_default();
                self.text = Text::open(known, format!("{a}{empty}"));
            }
        }
        self
    }

    /// Returns a value that may be either.
    pub(crate) fn or(&self, other: &Self) -> Self {
        if self.text == other.text {
            return self.clone().carrying(other.carries);
        }
        if self.is_plain() && other.is_plain() {
            return Self::segment().carrying(self.carries.and(other.carries));
        }
        Self::unknown().carrying(self.carries.and(other.carries))
    }

    /// Tells whether it is a number or a plain name, or one of which nothing else is known.
    fn is_plain(&self) -> bool {
        match &self.text {
            Text::Known(text) => {
                !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            }
            Text::Glob(text) => matches!(text.as_str(), "*" | "[!-]*"),
            Text::Prefix { .. } | Text::Unknown { .. } => false,
        }
    }

    /// Returns the text from a byte on, as far as it is known.
    pub(crate) fn from(&self, at: usize) -> Self {
        if at == 0 {
            return self.clone();
        }
        let cut = |text: &str| text.get(at..).unwrap_or_default().to_owned();
        let text = match &self.text {
            Text::Known(text) => Text::Known(cut(text)),
            Text::Glob(text) => Text::Glob(cut(text)),
            Text::Prefix { known, empty } if known.len() > at => Text::Prefix {
                known: cut(known),
                empty: cut(empty),
            },
            Text::Prefix { empty, .. } | Text::Unknown { empty } => {
                Text::Unknown { empty: cut(empty) }
            }
        };
        Self {
            text,
            carries: self.carries,
        }
    }
}

/// Writes literal text so that nothing in it is a wildcard.
pub(crate) fn escape(text: &str) -> String {
    if !text.contains(['*', '?', '[']) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '*' | '?' | '[' => {
                out.push('[');
                out.push(c);
                out.push(']');
            }
            c => out.push(c),
        }
    }
    out
}

/// One word of a command, expanded.
#[derive(Clone, Debug)]
pub(crate) struct Arg {
    pub(crate) val: Val,
    pub(crate) span: Span,
    /// Whether it may be several words, or none: an unknown that was not quoted.
    pub(crate) many: bool,
}

impl Arg {
    pub(crate) fn known(text: impl Into<String>, span: Span) -> Self {
        Self::one(Val::known(text), span)
    }

    /// One word, however little is known of it.
    pub(crate) const fn one(val: Val, span: Span) -> Self {
        Self {
            val,
            span,
            many: false,
        }
    }

    /// Any number of words.
    pub(crate) const fn many(val: Val, span: Span) -> Self {
        Self {
            val,
            span,
            many: true,
        }
    }

    /// Returns the word as the knowledge reads it.
    pub(crate) fn word(&self) -> Word<'_> {
        match (&self.val.text, self.many) {
            (Text::Unknown { .. }, false) => Word::Prefix(""),
            _ => self.val.word(),
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        self.val.text()
    }
}
