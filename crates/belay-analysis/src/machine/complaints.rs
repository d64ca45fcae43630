//! What is said on standard error: by programs, by builtins that fail, and by a shell that tells what it does.

use belay_model::Carries;

use crate::machine::descriptors::End;
use crate::machine::state::{Ends, State};
use crate::machine::stream::Stream;
use crate::machine::value::Arg;
use crate::machine::variables::is_name;
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
    pub(crate) fn fails_aloud(&mut self, name: &str, args: &[Arg], ends: Ends) -> Ends {
        let prints = matches!(name, "echo" | "printf" | "pwd");
        let strange = name == "printf" && !prints_quietly(args.get(1..).unwrap_or_default());
        if prints {
            return ends.map(|state| {
                // Output that is closed cannot be written to.
                if !strange && !closed(&state) {
                    return state;
                }
                let mut loud = state.clone();
                self.complains(&mut loud);
                state.or(loud)
            });
        }
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

/// Tells whether standard output may be closed.
fn closed(state: &State) -> bool {
    matches!(
        state.descriptors.get(1),
        End::Nothing | End::Unknown | End::OneOf(_)
    )
}

/// Tells whether `printf` finds nothing to complain of, by its words without its name: it sets no strange name, reads no numbers, and
/// ends no escape early.
fn prints_quietly(words: &[Arg]) -> bool {
    let texts: Vec<Option<&str>> = words.iter().map(Arg::text).collect();
    let format = match texts.as_slice() {
        [Some("-v"), Some(name), Some("--"), format, ..] | [Some("-v"), Some(name), format, ..] => {
            format.filter(|_| is_name(name))
        }
        [Some("--"), format, ..] | [format, ..] => *format,
        [] => None,
    };
    let digits = |it: &str| it.contains(['x', 'u', 'U']);
    format.is_some_and(|it| {
        let mut parts = it.split('%').skip(1).peekable();
        let mut quiet = !it.starts_with('-') && !it.split('\\').skip(1).any(digits);
        while let Some(part) = parts.next() {
            // `%%` prints one.
            if part.is_empty() && parts.next().is_some() {
                continue;
            }
            let slot = part.trim_start_matches(|c: char| c.is_ascii_digit() || "-.".contains(c));
            quiet &= slot.starts_with(['s', 'c', 'q']);
        }
        quiet
    })
}

/// Tells whether a builtin says nothing itself when it fails.
fn is_silent(name: &str) -> bool {
    matches!(
        name,
        ":" | "true" | "false" | "eval" | "command" | "builtin"
    )
}
