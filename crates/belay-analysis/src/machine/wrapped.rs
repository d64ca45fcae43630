//! Commands in front of commands, past so many that they are not followed one by one.

use belay_knowledge::{What, Word};

use crate::machine::state::{Ends, State};
use crate::machine::value::Arg;
use crate::machine::walk::{WRAPPERS, Walker};

/// So many words all commands may have that stand in front of one another, each with all that follow it.
const CARRIED: usize = 300_000;

/// The commands we are in.
#[derive(Default)]
pub(crate) struct Wrapped {
    /// How many words they have together.
    pub(crate) words: usize,
    /// Whether what too many of them start was looked at.
    peeled: bool,
}

impl Walker<'_> {
    /// Tells whether too many commands stand in front of one with these words.
    pub(crate) fn is_too_deep(&self, args: &[Arg]) -> bool {
        let heavy = self.inside > 0 && self.wrapped.words + args.len() > CARRIED;
        self.inside >= WRAPPERS || heavy
    }

    /// Says that too many commands stand in front of this one, and looks once at what they start in the end.
    pub(crate) fn too_deep(&mut self, mut args: Vec<Arg>, mut state: State) -> Ends {
        let at = args.first().map(|it| it.span).unwrap_or_default();
        self.limit("too many commands in front of a command", at);
        state.forget();
        if self.wrapped.peeled {
            return Ends::Either(state);
        }
        let inner = args.split_off(self.started_in_the_end(&args));
        let inside = std::mem::take(&mut self.inside);
        let around = std::mem::take(&mut self.wrapped);
        self.wrapped.peeled = true;
        let ends = self.started(inner, state.clone());
        self.inside = inside;
        self.wrapped = around;
        ends.or(Ends::Either(state))
    }

    /// Returns where the command begins that stands behind all that do nothing but start what follows them.
    fn started_in_the_end(&self, args: &[Arg]) -> usize {
        let knowledge = self.scene.knowledge;
        let words: Vec<Word<'_>> = args.iter().map(Arg::word).collect();
        let mut at = 0;
        while let Some([Word::Known(name), rest @ ..]) = words.get(at..) {
            let known = knowledge.builtin(name).or_else(|| knowledge.find(name));
            let Some(command) = known.filter(|_| !rest.is_empty()) else {
                break;
            };
            let here = words.get(at..).unwrap_or_default();
            let reading = belay_knowledge::read(command, here);
            let [act] = reading.acts.as_slice() else {
                break;
            };
            let What::RunWords { from, to, .. } = act.what else {
                break;
            };
            if from == 0 || to != here.len() || !reading.unknown.is_empty() {
                break;
            }
            at += from;
        }
        at
    }
}
