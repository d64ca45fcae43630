use belay_knowledge::Knowledge;
use belay_model::{Effect, Span, Trouble};
use belay_places::Frame;

/// What the analysis stands on: the frame of the call, and which shell would run the text.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// Where the call stands, and whom to ask about the world.
    pub frame: &'a Frame<'a>,
    /// The shell that would run the text.
    pub shell: Shell,
    /// What is known of commands that no file of ours speaks of.
    pub knowledge: &'a Knowledge,
}

/// The shell that would run a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Shell {
    /// GNU bash.
    #[default]
    Bash,
    /// A POSIX shell.
    Sh,
    /// zsh.
    Zsh,
}

/// What a text would do.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The effects, in the order in which they were met.
    pub effects: Vec<Effect>,
    /// What could not be read or known.
    pub troubles: Vec<Trouble>,
    /// The commands that would run, wrappers removed.
    pub invocations: Vec<Invocation>,
}

/// One command that would run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// Its words; `None` for a word that is not known.
    pub argv: Vec<Option<String>>,
    /// Where its effects begin in the analysis.
    pub from: usize,
    /// Where they end.
    pub to: usize,
    /// Its place in the text.
    pub span: Span,
    /// The places of its words; none where they stand in words of another.
    pub words: Vec<Span>,
    /// The folder it runs in; `None` when not known.
    pub folder: Option<String>,
    /// Whether its words say all: no variable set in the call reaches it, and no text is fed to it.
    pub plain: bool,
}
