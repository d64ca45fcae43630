//! What moves through one invocation: its input, what it read, what its payload said.

use std::cell::OnceCell;

use belay_knowledge::{Deeds, Reading, Source, What};
use belay_model::Carries;

use crate::machine::stream::Stream;
use crate::machine::value::Arg;

/// Whether several words of one invocation make up one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pieces {
    /// Each is a program of its own.
    #[default]
    Apart,
    /// They are one program, still to be read.
    Joined(String),
    /// They are one program, which was read.
    Read,
}

/// What a search acts on, and what it lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sought {
    /// The names of what it acts on; `None` when they may be any.
    pub(crate) names: Option<Vec<String>>,
    /// Whether it acts only on what is no link.
    pub(crate) real: bool,
    /// Whether it acts only on what is empty.
    pub(crate) empty: bool,
    /// Patterns of paths that it does not act on.
    pub(crate) away: Vec<String>,
    /// The names of what it lists; `None` when they may be any.
    pub(crate) listed: Option<Vec<String>>,
    /// Whether it lists only what is no link.
    pub(crate) listed_real: bool,
}

/// What moves through one invocation.
pub(crate) struct Flows<'a> {
    /// Standard input.
    pub(crate) input: &'a Stream,
    /// The words of the invocation.
    pub(crate) args: &'a [Arg],
    /// Labels of what was read so far.
    pub(crate) carries: Carries,
    /// What a payload said.
    pub(crate) output: Option<Stream>,
    /// The command and its sub-commands.
    pub(crate) path: &'a [&'a str],
    /// What else is known of it.
    pub(crate) deeds: Deeds,
    /// Whether it is known to read code from standard input.
    pub(crate) reads_code: bool,
    /// The program that its pieces make up, until it was read.
    pub(crate) pieces: Pieces,
    /// What it looks for, once somebody asked.
    pub(crate) sought: OnceCell<Sought>,
    /// Whether it goes where links lead, once somebody asked: a search may run a thousand commands, and each asks.
    pub(crate) follows: OnceCell<bool>,
    /// Whether it prints what it finds, once somebody asked.
    pub(crate) lists: OnceCell<bool>,
}

static TERMINAL: Stream = Stream {
    text: None,
    carries: Carries::NOTHING,
    paths: Vec::new(),
    first: None,
    parted: Vec::new(),
};

impl Default for Flows<'_> {
    fn default() -> Self {
        Self {
            input: &TERMINAL,
            args: &[],
            carries: Carries::NOTHING,
            output: None,
            path: &[],
            deeds: Deeds::default(),
            reads_code: false,
            pieces: Pieces::Apart,
            sought: OnceCell::new(),
            follows: OnceCell::new(),
            lists: OnceCell::new(),
        }
    }
}

impl<'a> Flows<'a> {
    pub(crate) fn new(input: &'a Stream, reading: &'a Reading<'_>, args: &'a [Arg]) -> Self {
        Self {
            input,
            args,
            carries: if reading.reads_input {
                input.carries
            } else {
                Carries::NOTHING
            },
            path: &reading.path,
            deeds: reading.deeds,
            reads_code: reading.acts.iter().any(|act| {
                matches!(
                    act.what,
                    What::Eval {
                        source: Source::Input,
                        ..
                    }
                )
            }),
            ..Self::default()
        }
    }
}
