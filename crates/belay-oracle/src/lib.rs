//! Real shells as witnesses: random programs are run in small worlds, and all they did must have been said.
//!
//! INVARIANT: nothing here ships, and no program runs outside namespaces of its own. A hole that is reported was
//! seen: a real shell did what the analysis neither named nor doubted.

pub mod acts;
pub mod causes;
pub mod cover;
pub mod dice;
pub mod found;
pub mod grammar;
pub mod host;
pub mod hostile;
pub mod predict;
pub mod shrink;
pub mod stage;
pub mod stub;
pub mod tally;
pub mod testimony;
pub mod worker;
pub mod world;

/// The shells that witness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shell {
    /// GNU bash.
    #[default]
    Bash,
    /// `sh`, run by dash.
    Sh,
    /// zsh.
    Zsh,
}

impl Shell {
    /// Reads the name of a shell.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "bash" => Some(Self::Bash),
            "sh" | "dash" => Some(Self::Sh),
            "zsh" => Some(Self::Zsh),
            _ => None,
        }
    }

    /// Returns its name.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Sh => "sh",
            Self::Zsh => "zsh",
        }
    }

    /// Returns the mark of alternatives that only some shells understand.
    pub(crate) const fn letter(self) -> char {
        match self {
            Self::Bash => 'b',
            Self::Sh => 's',
            Self::Zsh => 'z',
        }
    }

    pub(crate) const fn program(self) -> &'static str {
        match self {
            Self::Bash => "/bin/bash",
            Self::Sh => "/bin/dash",
            Self::Zsh => "/bin/zsh",
        }
    }

    pub(crate) const fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Bash | Self::Sh => &["-c"],
            Self::Zsh => &["-f", "-c"],
        }
    }
}
