//! What a pipe leaves of the environment, by what its filters did to the lines that came in.

use belay_model::{At, Effect, How, Target, Verb};
use belay_shell::{Command, CommandKind, Tree};

use crate::machine::state::State;
use crate::machine::walk::Walker;

/// How many programs ran, and what they did to the lines that came in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Filters {
    pub(crate) ran: usize,
    /// Programs that print the variables, one on a line.
    pub(crate) listed: usize,
    /// Filters that hand lines on as they are.
    pub(crate) passed: usize,
    /// Filters that let no value of a secret through.
    pub(crate) hid: usize,
}

impl Filters {
    /// Tells whether one program ran since then, and no other.
    const fn ran_one(self, before: Self) -> bool {
        self.ran == before.ran + 1
    }
}

/// What a command of a pipe found.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    effects: usize,
    filters: Filters,
    /// Whether nothing but one program, with its plain words, works there.
    alone: bool,
}

impl Walker<'_> {
    /// Says what a command of a pipe finds before it runs.
    pub(crate) fn found_here(&self, tree: &Tree<'_>, command: &Command, state: &State) -> Found {
        let simple = matches!(
            command.kind,
            CommandKind::Simple { assignments, .. } if tree.many(assignments).is_empty()
        );
        let plain = tree.many(command.redirects).is_empty() && state.functions.is_empty();
        Found {
            effects: self.out.effects.len(),
            filters: self.fuel.filters,
            alone: simple && plain,
        }
    }

    /// Takes back that the environment was shown where the filter that just ran hid its values; returns where the effect
    /// lies that shows it to the next.
    pub(crate) fn narrow(&mut self, shown: Option<usize>, found: Found) -> Option<usize> {
        let (now, before) = (self.fuel.filters, found.filters);
        if !found.alone || !now.ran_one(before) {
            return None;
        }
        let added = self.out.effects.len() - found.effects;
        if now.listed > before.listed {
            let mut shown = found.effects..self.out.effects.len();
            return shown.find(|it| self.shows_variables(*it));
        }
        let at = shown.filter(|_| added == 0)?;
        if now.hid > before.hid
            && let Some(effect) = self.out.effects.get_mut(at)
        {
            effect.verb = Verb::Probe;
            return None;
        }
        (now.passed > before.passed).then_some(at)
    }

    /// Tells whether an effect shows variables, and the one before it is none that shows anything else.
    fn shows_variables(&self, at: usize) -> bool {
        let shows = |it: &Effect| match &it.target {
            Target::Names(names) if it.verb == Verb::Read && it.at == At::Here => {
                names == &["environment"] || it.how == How::Secret && names == &["container"]
            }
            Target::Names(_) | Target::Place(_) | Target::Host(_) => false,
        };
        self.out.effects.get(at).is_some_and(shows)
    }
}
