use super::Span;

/// Something that could not be read or has more than one meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// What sort of trouble.
    pub kind: TroubleKind,
    /// Where in the original text.
    pub span: Span,
    /// One line for a person, lowercase, without a full stop.
    pub what: &'static str,
}

/// Sorts of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TroubleKind {
    /// The shell rejects the line; complete lines before it are in the tree, because bash runs them.
    Syntax,
    /// Too long or too deep; what was read before the limit is in the tree.
    Limit,
    /// The meaning depends on the state of the shell at run time; the readings are in the tree where they can be.
    Ambiguous,
    /// Control, bidirectional, zero-width or other unseen characters outside quotes.
    Invisible,
    /// Another dialect would read this differently from bash.
    Dialect,
}

impl TroubleKind {
    /// Every sort of trouble.
    pub const ALL: [Self; 5] = [
        Self::Syntax,
        Self::Limit,
        Self::Ambiguous,
        Self::Invisible,
        Self::Dialect,
    ];
}
