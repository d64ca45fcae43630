//! Numbers and bits that stand for kinds of things.

use belay_model::{How, Verb};

use super::model::{Arity, Effect, EffectKind, Flow, Level};
use crate::layout::{ASSIGNMENTS, HARMS, HARMS_GLUED, INHERIT, MATTERS, OPEN, PARENT, RUNS};

/// Returns the packed kind, verb and way of an effect.
pub fn kind(kind: EffectKind) -> (u8, u8, u8) {
    match kind {
        EffectKind::Effect(verb, how) => (0, place(Verb::ALL, verb), place(How::ALL, how)),
        EffectKind::RunWords => (1, 0, 0),
        EffectKind::RunFile => (2, 0, 0),
        EffectKind::RunShellFile => (3, 0, 0),
        EffectKind::Task => (4, 0, 0),
        EffectKind::Eval => (5, 0, 0),
        EffectKind::EvalInput => (6, 0, 0),
        EffectKind::Cd => (7, 0, 0),
    }
}

fn place<T: PartialEq>(all: &[T], one: T) -> u8 {
    all.iter()
        .position(|it| *it == one)
        .and_then(|at| u8::try_from(at).ok())
        .unwrap_or(u8::MAX)
}

/// Returns the bits of a level.
pub fn bits(level: &Level) -> u8 {
    let mut bits = 0;
    let mut set = |on: bool, bit: u8| bits |= if on { bit } else { 0 };
    set(level.inherit, INHERIT);
    set(level.open, OPEN);
    set(level.assignments, ASSIGNMENTS);
    set(!level.subs.is_empty(), PARENT);
    let runs = level
        .forms
        .iter()
        .flat_map(|it| &it.items)
        .any(|it| it.payload);
    set(runs, RUNS);
    for flag in &level.flags {
        let effects = || flag.cases.iter().flat_map(|it| it.actions.effects());
        let harms = effects().any(|it| !reads(it));
        set(
            effects().next().is_some() || !flag.slots.is_empty(),
            MATTERS,
        );
        set(harms, HARMS);
        let glued = effects().any(|it| !reads(it) && !keeps(it));
        set(glued && flag.arity != Arity::None, HARMS_GLUED);
    }
    bits
}

/// Tells whether an effect only keeps what was there, under a name that the value ends: a value that a search found names nothing
/// beyond the place that is written anyway.
fn keeps(effect: &Effect) -> bool {
    let ends = |it: &Flow| matches!(it, Flow::Ending(_));
    matches!(effect.kind, EffectKind::Effect(Verb::Write, _)) && effect.with.iter().any(ends)
}

const fn reads(effect: &Effect) -> bool {
    matches!(effect.kind, EffectKind::Effect(Verb::Read | Verb::Probe, _))
}
