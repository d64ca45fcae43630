use std::process::ExitCode;

use belay_model::Verdict;

/// How the process ends. No accident looks like a verdict: what failed is never 0, 10 or 20.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It was done; or the verdict is allow.
    Done,
    /// The verdict is ask.
    Ask,
    /// The verdict is deny.
    Deny,
    /// Something failed.
    Failed,
    /// The arguments make no sense.
    Usage,
}

impl Exit {
    /// Returns the number the shell sees.
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Ask => 10,
            Self::Deny => 20,
            Self::Failed => 1,
            Self::Usage => 64,
        }
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Allow => Self::Done,
            Verdict::Ask => Self::Ask,
            Verdict::Deny => Self::Deny,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
