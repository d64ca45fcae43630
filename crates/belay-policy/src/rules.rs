//! The rules, as static data.

use belay_model::{At, Carries, Effect, How, Risk, Scope, Verb};

use crate::Recovery;

/// One clause of `policy/default.toml`.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name in reasons and records.
    pub id: &'static str,
    /// The verbs of its effects, a bit for each.
    pub(crate) verbs: u64,
    /// Which effects it speaks of.
    pub effects: &'static [EffectPattern],
    /// In which scopes; empty: in all.
    pub scopes: &'static [Scope],
    /// With which hope of recovery; empty: with any.
    pub standing: &'static [Recovery],
    /// Labels that must all be there.
    pub carries: Carries,
    /// On which machine.
    pub at: Where,
    /// Globs over the path; empty: any.
    pub paths: &'static [&'static str],
    /// What it thinks of them.
    pub risk: Risk,
    /// Whether nothing may lower it.
    pub floor: bool,
    /// Whether it speaks of work that may be kept before it is lost.
    pub kept: bool,
    /// Why.
    pub because: &'static str,
    /// What to do in its place.
    pub instead: Option<&'static str>,
}

/// On which machine a rule speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// On this machine.
    Here,
    /// On any other.
    Elsewhere,
    /// On others reached in that way.
    By(&'static str),
    /// On all.
    Any,
}

/// A shape of effects.
#[derive(Debug)]
pub struct EffectPattern {
    /// The verb; none: any.
    pub verb: Option<Verb>,
    /// The way; none: any.
    pub how: Option<How>,
    /// The first words of the target; `*` for any word.
    pub words: &'static [&'static str],
}

impl EffectPattern {
    pub(crate) fn matches(&self, effect: &Effect) -> bool {
        self.verb.is_none_or(|it| it == effect.verb)
            && self.how.is_none_or(|it| it == effect.how)
            && self.words.len() <= effect.names().len()
            && self
                .words
                .iter()
                .zip(effect.names())
                .all(|(word, name)| *word == "*" || word == name)
    }
}

impl Rule {
    /// Tells whether the rule speaks of effects with this verb.
    #[inline]
    pub(crate) const fn names(&self, verb: Verb) -> bool {
        self.verbs & (1 << verb as u64) != 0
    }

    /// Tells whether the rule speaks of an effect, leaving scope, path and recovery aside.
    pub(crate) fn is_about(&self, effect: &Effect) -> bool {
        if !self.names(effect.verb) {
            return false;
        }
        let there = match (self.at, &effect.at) {
            (Where::Any, _) | (Where::Here, At::Here) | (Where::Elsewhere, At::Elsewhere(..)) => {
                true
            }
            (Where::By(way), At::Elsewhere(by, _)) => way == by,
            (Where::Here, At::Elsewhere(..)) | (Where::Elsewhere | Where::By(_), At::Here) => false,
        };
        there
            && effect.carries.holds(self.carries)
            && self.effects.iter().any(|it| it.matches(effect))
    }
}

/// Returns all rules, in the order in which they are read.
#[must_use]
pub fn rules() -> &'static [Rule] {
    RULES
}

/// Returns the rules that speak: always our own where belay is built to be used.
#[cfg(not(debug_assertions))]
pub(crate) const fn in_force() -> &'static [Rule] {
    RULES
}

#[cfg(debug_assertions)]
pub use trial::with_rules;

#[cfg(debug_assertions)]
pub(crate) use trial::in_force;

/// Other rules, to ask whether a test would miss one of ours. No build that ships has this.
#[cfg(debug_assertions)]
mod trial {
    use std::cell::Cell;

    use super::{RULES, Rule};

    thread_local! {
        static TRIED: Cell<&'static [Rule]> = const { Cell::new(RULES) };
    }

    pub(crate) fn in_force() -> &'static [Rule] {
        TRIED.get()
    }

    /// Lets these rules speak instead of ours while `work` runs, in this thread.
    pub fn with_rules<T>(rules: &'static [Rule], work: impl FnOnce() -> T) -> T {
        struct Back(&'static [Rule]);
        impl Drop for Back {
            fn drop(&mut self) {
                TRIED.set(self.0);
            }
        }
        let _back = Back(TRIED.replace(rules));
        work()
    }
}

include!(concat!(env!("OUT_DIR"), "/policy.rs"));
