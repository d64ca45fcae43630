use std::fmt;

/// What may happen to a call. Ordered by strictness: `Allow < Ask < Deny`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The call may run.
    Allow,
    /// A person decides.
    Ask,
    /// The call must not run.
    Deny,
}

impl Verdict {
    /// All verdicts, mildest first.
    pub const ALL: [Self; 3] = [Self::Allow, Self::Ask, Self::Deny];

    /// Their words, mildest first.
    pub const WORDS: [&'static str; 3] = [Self::Allow.word(), Self::Ask.word(), Self::Deny.word()];

    /// Returns the word that stands for the verdict in JSON and on the terminal.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }

    /// Reads a verdict from its word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.word() == word)
    }

    /// Returns the verdict where nobody can be asked: ask becomes deny.
    #[must_use]
    pub const fn unattended(self) -> Self {
        match self {
            Self::Allow => Self::Allow,
            Self::Ask | Self::Deny => Self::Deny,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
