//! What is read on into: scripts, tasks, code inside commands, and edits that will run later.

mod built;
pub(crate) mod code;
pub(crate) mod doings;
pub(crate) mod files;
mod language;
pub(crate) mod literals;
pub(crate) mod loads;
pub(crate) mod modules;
mod named;
pub(crate) mod perl;
pub(crate) mod review;
mod samples;
mod searched;
pub(crate) mod tasks;
mod writes;
pub(crate) mod yaml;

use belay_knowledge::Act;

use crate::effects::called::{Called, Code, Follow, Script};
use crate::machine::flows::{Flows, Pieces};
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::Arg;
use crate::machine::walk::Walker;

impl Follow for Walker<'_> {
    fn run_file(&mut self, script: &Script<'_>, state: &mut State, input: &Stream) -> Stream {
        self.start_file(script, state, input)
    }

    fn run_task(&mut self, called: &Called<'_>, state: &mut State, flows: &mut Flows<'_>) {
        self.start_task(called, state, flows);
    }

    fn eval(&mut self, code: &Code<'_>, state: &mut State, flows: &mut Flows<'_>) {
        self.start_code(code, state, flows);
    }

    fn pieces(&self, acts: &[Act<'_>], args: &[Arg]) -> Pieces {
        self.joined_pieces(acts, args)
    }

    fn loads(&mut self, called: &Called<'_>, state: &State) {
        self.load_outside(called, state);
    }

    fn build(&mut self, script: &Script<'_>, state: &mut State, input: &Stream) {
        self.build_text(script, state, input);
    }

    fn follow_install(&mut self, called: &Called<'_>, state: &State) {
        self.declared_here(called, state);
        self.start_install(called, state);
    }

    fn follow_services(&mut self, called: &Called<'_>, state: &State) {
        self.start_services(called, state);
    }
}
