//! What is said on standard error: by programs, by builtins that fail, and by a shell that tells what it does.

use belay_model::Carries;

use crate::machine::descriptors::End;
use crate::machine::state::{Ends, State};
use crate::machine::stream::Stream;
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Programs and failing builtins say what they like on standard error.
    pub(crate) fn complains(&mut self, state: &mut State) {
        let heard = match state.descriptors.get(2) {
            End::Terminal | End::Nothing => false,
            End::Unknown
            | End::Out(_)
            | End::In(_)
            | End::File(_)
            | End::Host(_)
            | End::OneOf(_) => true,
        };
        if heard {
            self.deliver(2, Stream::labelled(Carries::UNKNOWN), state);
        }
    }

    /// Tells what is done, where the shell was told to.
    pub(crate) fn traced(&mut self, state: &mut State) {
        let options = &state.options;
        if !options.traces.may() && !options.verbose.may() {
            return;
        }
        if state.variables.contains_key("BASH_XTRACEFD") {
            state.descriptors.spill(Carries::UNKNOWN);
            state.files.anything();
        }
        self.complains(state);
    }

    /// Returns how a builtin ends, with what it says where it fails.
    pub(crate) fn fails_aloud(&mut self, name: &str, ends: Ends) -> Ends {
        if is_silent(name) {
            return ends;
        }
        let mut aloud = |mut state: State| {
            self.complains(&mut state);
            state
        };
        match ends {
            Ends::Either(state) => Ends::Either(aloud(state)),
            Ends::Bad(state) => Ends::Bad(aloud(state)),
            Ends::Both(ok, bad) => Ends::Both(ok, aloud(bad)),
            ends @ (Ends::Ok(_) | Ends::Never) => ends,
        }
    }

    /// Returns the state of a command whose redirection failed: the shell complains as it was before, or as it is led by then.
    pub(crate) fn refused(&mut self, mut before: State, led: Option<State>) -> State {
        if let Some(mut led) = led {
            self.complains(&mut led);
            before
                .descriptors
                .take_flow(std::mem::take(&mut led.descriptors));
        }
        self.complains(&mut before);
        before
    }
}

/// Tells whether a builtin says nothing itself when it fails.
fn is_silent(name: &str) -> bool {
    matches!(
        name,
        ":" | "true" | "false" | "echo" | "printf" | "pwd" | "eval" | "command" | "builtin"
    )
}
