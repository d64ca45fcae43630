//! What the machine leaves to the tiers above it: it says here what it needs, and they say how that is done.

use belay_knowledge::Variable;

use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::Arg;

/// A program as the shell starts it.
pub(crate) struct Program<'a> {
    /// The name or path it was found by.
    pub(crate) name: &'a str,
    /// Its words, its name among them.
    pub(crate) args: Vec<Arg>,
}

/// What programs do, which the shell starts and does not know.
pub(crate) trait Programs {
    /// Runs a program of the system, of the project, or one nobody knows; returns what it prints.
    fn program(&mut self, program: Program<'_>, state: &mut State, input: &Stream) -> Stream;

    /// Does what setting a variable does to later programs.
    fn sets_up(&mut self, variable: Variable, args: &[Arg], state: &mut State);
}

/// What texts mean that others will run.
pub(crate) trait Reviews {
    /// Reviews a text that a command writes to a file.
    fn reviewed(&mut self, path: &str, output: &Stream);
}
