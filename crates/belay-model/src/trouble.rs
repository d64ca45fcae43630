use std::fmt;

use crate::{Risk, Span};

/// Something that could not be read or known. A trouble can only make a verdict stricter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// What kind of thing went wrong.
    pub kind: TroubleKind,
    /// The detail for a person, one line in lower case without a full stop.
    pub what: String,
    /// Where in the command's text, if anywhere.
    pub span: Option<Span>,
}

/// The kinds of trouble and with them how much they weigh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TroubleKind {
    /// A note that raises nothing: said for the record.
    Note,
    /// The text has a reading that depends on state we cannot see.
    Ambiguous,
    /// The text is not valid in its language.
    Syntax,
    /// A word or fact that matters is not known.
    Unknown,
    /// A limit on bytes or depth was reached; the rest was not read.
    Limit,
    /// Something of ours failed.
    Failure,
}

impl TroubleKind {
    /// Returns the least risk a call with such a trouble has.
    #[must_use]
    pub const fn risk(self) -> Risk {
        match self {
            Self::Note => Risk::NONE,
            Self::Ambiguous | Self::Syntax | Self::Unknown => Risk::UNSURE,
            Self::Limit | Self::Failure => Risk::HIGH,
        }
    }

    /// Returns the word that stands for the kind in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Ambiguous => "ambiguous",
            Self::Syntax => "syntax",
            Self::Unknown => "unknown",
            Self::Limit => "limit",
            Self::Failure => "failure",
        }
    }
}

impl Trouble {
    /// Makes a trouble that belongs to no place in the text.
    pub fn new(kind: TroubleKind, what: impl Into<String>) -> Self {
        Self {
            kind,
            what: what.into(),
            span: None,
        }
    }

    /// Makes a trouble at a place in the text.
    pub fn at(kind: TroubleKind, what: impl Into<String>, span: Span) -> Self {
        Self {
            kind,
            what: what.into(),
            span: Some(span),
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.word(), self.what)
    }
}
