//! Texts that are numbers, whichever they are.

use crate::machine::value::{DIGITS, NUMBER, Text, Val};

impl Val {
    /// Tells whether it is the shape of a number.
    pub(crate) fn is_number(&self) -> bool {
        matches!(&self.text, Text::Glob(text) if matches!(text.as_str(), DIGITS | NUMBER))
    }
}

impl Text {
    /// Tells whether it is a number without a sign.
    pub(crate) fn is_number(&self) -> bool {
        match self {
            Self::Known(text) => !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()),
            Self::Glob(text) => text == DIGITS,
            Self::Prefix { .. } | Self::Unknown { .. } | Self::OneOf(_) => false,
        }
    }

    /// Tells whether it is a number that may be negative.
    pub(crate) fn is_signed(&self) -> bool {
        match self {
            Self::Known(text) => {
                let digits = text.strip_prefix('-').unwrap_or(text);
                !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
            }
            Self::Glob(text) => matches!(text.as_str(), DIGITS | NUMBER),
            Self::Prefix { .. } | Self::Unknown { .. } | Self::OneOf(_) => false,
        }
    }
}
