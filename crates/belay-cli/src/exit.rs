use std::process::ExitCode;

/// How the process ends. No accident looks like a verdict: what failed is never 0, 10 or 20.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It was done.
    Done,
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
            Self::Failed => 1,
            Self::Usage => 64,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
