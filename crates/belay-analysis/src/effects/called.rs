//! What a command starts and does not read itself: scripts, tasks, code. The tier above follows it.

use belay_knowledge::{Act, Source};
use belay_model::Span;

use crate::machine::flows::{Flows, Pieces};
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Val};

/// A task of the project, as it was called.
#[derive(Clone, Copy)]
pub(crate) struct Called<'a> {
    pub(crate) tool: &'a str,
    pub(crate) name: &'a str,
    pub(crate) args: &'a [Arg],
    pub(crate) span: Span,
}

/// A file that is run.
pub(crate) struct Script<'a> {
    pub(crate) file: &'a Val,
    /// The words of the command that runs it.
    pub(crate) args: &'a [Arg],
    /// Whether a shell runs it, whatever it is called.
    pub(crate) shell: bool,
}

impl<'a> Script<'a> {
    /// A file that is run by its own name, and says itself who reads it.
    pub(crate) const fn named(file: &'a Val, args: &'a [Arg]) -> Self {
        Self {
            file,
            args,
            shell: false,
        }
    }
}

/// Code that stands in a command.
pub(crate) struct Code<'a> {
    pub(crate) language: &'a str,
    pub(crate) source: &'a Source<'a>,
    pub(crate) span: Span,
}

/// What commands leave to those who read on.
pub(crate) trait Follow {
    /// Runs a file: names it, and reads it when it is a script; returns what it prints.
    fn run_file(&mut self, script: &Script<'_>, state: &mut State, input: &Stream) -> Stream;

    /// Runs a task of the project.
    fn run_task(&mut self, called: &Called<'_>, state: &mut State, flows: &mut Flows<'_>);

    /// Runs code.
    fn eval(&mut self, code: &Code<'_>, state: &mut State, flows: &mut Flows<'_>);

    /// Returns the program that several words make up: a preparation, and what is measured.
    fn pieces(&self, acts: &[Act<'_>], args: &[Arg]) -> Pieces;

    /// Looks into a text of this session that a program is built of.
    fn build(&mut self, script: &Script<'_>, state: &mut State, input: &Stream);

    /// Says what a tool runs that came from outside: its own files, and those that the call names.
    fn loads(&mut self, called: &Called<'_>, state: &State);

    /// Follows what a package manager runs by itself when it installs what is declared.
    fn follow_install(&mut self, called: &Called<'_>, state: &State);

    /// Reads the compose file that services are started from.
    fn follow_services(&mut self, called: &Called<'_>, state: &State);
}
