use std::fmt;
use std::sync::Arc;

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Source {
    /// Nobody: it is ours.
    #[default]
    Default,
    /// The project's own file.
    Project,
    /// The user's file.
    User,
    /// A feature flag.
    Flag,
    /// The command line of this run.
    CommandLine,
    /// The machine's owner.
    Managed,
}

impl Source {
    /// Returns the word that stands for the source in JSON and on the terminal.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Project => "project",
            Self::User => "user",
            Self::Flag => "flag",
            Self::CommandLine => "command-line",
            Self::Managed => "managed",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Where a value comes from: who said it, in which file, on which line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Origin {
    /// Who said it.
    pub source: Source,
    /// In which file or under which flag; empty for defaults.
    pub file: Arc<str>,
    /// The line, from 1; 0 when there is none.
    pub line: u32,
    /// The column, from 1; 0 when there is none.
    pub column: u32,
}

impl Origin {
    /// Makes an origin that is no place in a file.
    #[must_use]
    pub fn of(source: Source, file: &str) -> Self {
        Self {
            source,
            file: file.into(),
            line: 0,
            column: 0,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.source.word())?;
        if !self.file.is_empty() {
            write!(f, " {}", self.file)?;
        }
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        Ok(())
    }
}

/// Turns byte offsets of one text into lines and columns.
#[derive(Clone, Debug)]
pub(crate) struct Offsets {
    source: Source,
    file: Arc<str>,
    starts: Vec<usize>,
}

impl Offsets {
    pub(crate) fn new(source: Source, file: &str, text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1));
        Self {
            source,
            file: file.into(),
            starts: starts.collect(),
        }
    }

    pub(crate) fn at(&self, offset: usize) -> Origin {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts.get(line.saturating_sub(1)).copied();
        let column = offset.saturating_sub(start.unwrap_or_default()) + 1;
        Origin {
            source: self.source,
            file: self.file.clone(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }
}
