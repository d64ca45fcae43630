use belay_knowledge::Knowledge;
use belay_model::{At, Effect, How, Place, Scope, Span, Trouble, Verb};
use belay_places::{Frame, Reached};

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
    /// What was looked up on the way.
    pub looked: Looked,
}

/// The scopes of places that are read, as they were looked up to tell whether secrets are in them: whoever weighs the reading
/// asks the same again. Only the first few are kept, and found one after the other.
#[derive(Clone, Debug, Default)]
pub struct Looked(Vec<(Place, How, Reached)>);

/// So many are kept.
const LOOKED: usize = 16;

impl Looked {
    /// Returns the scopes that the target of an effect may lie in, where they were looked up for the very same reading.
    #[must_use]
    pub fn scopes(&self, effect: &Effect) -> Option<&[Scope]> {
        let read = effect.verb == Verb::Read && effect.at == At::Here;
        let reached = self.reached(effect.place().filter(|_| read)?, effect.how)?;
        Some(&reached.scopes)
    }

    /// Returns what was looked up of a place that is read in this way.
    pub(crate) fn reached(&self, place: &Place, how: How) -> Option<&Reached> {
        let mut known = self.0.iter();
        known
            .find(|(it, by, _)| *by == how && it == place)
            .map(|(.., reached)| reached)
    }

    /// Keeps what was looked up of a place that is read in this way.
    pub(crate) fn keep(&mut self, place: &Place, how: How, reached: Reached) {
        if self.0.len() < LOOKED {
            self.0.push((place.clone(), how, reached));
        }
    }
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
