//! Texts that are numbers, whichever they are, and how many words or letters there are.

use crate::machine::cuts::is_made_up;
use crate::machine::params::Found;
use crate::machine::value::{DIGITS, NUMBER, Text, Val};
use crate::machine::variable::Held;
use crate::machine::walk::Walker;
use crate::scene::Shell;

impl Walker<'_> {
    /// Returns how many words a list has. In zsh the same letters may ask for something else.
    pub(crate) fn count_of(&self, held: &Held) -> Val {
        match held {
            Held::List(vals) if self.scene.shell != Shell::Zsh => {
                Val::known(vals.len().to_string())
            }
            Held::Any(it) if it.pairs.closed && self.scene.shell != Shell::Zsh => {
                Val::known(it.pairs.all.len().to_string())
            }
            Held::One(_) | Held::List(_) | Held::Any(_) => Val::digits(),
        }
    }
}

impl Found {
    /// Returns how many letters it has: of those that are one byte in every locale.
    pub(crate) fn length(&self) -> Val {
        match self.val.text() {
            Some(text) if self.set.must() && text.is_ascii() && !is_made_up(text) => {
                Val::known(text.len().to_string())
            }
            Some(_) | None => Val::digits(),
        }
    }
}

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
