//! What a person's words let through and forbid: `policy/words.toml` as static data.

use belay_model::{At, Effect, Verb};

use crate::EffectPattern;

/// How far words reach that let something through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaches {
    /// The branch that was named, or the one that is checked out.
    Branch,
    /// The package that was named.
    Package,
    /// The port that was named.
    Port,
    /// The host that was named.
    Host,
    /// The machine that was named, looking only.
    Machine,
    /// The effect itself.
    Any,
}

/// One clause of `policy/words.toml`.
#[derive(Debug)]
pub(crate) struct Spoken {
    pub(crate) word: &'static str,
    pub(crate) rules: &'static [&'static str],
    pub(crate) grants: &'static [EffectPattern],
    pub(crate) reaches: Reaches,
    pub(crate) limits: &'static [EffectPattern],
    pub(crate) elsewhere: bool,
}

fn class(word: &str) -> Option<&'static Spoken> {
    SPOKEN.iter().find(|it| it.word == word)
}

/// Returns how far words of that class reach where that rule asked for that effect; nothing where they do not.
#[must_use]
pub fn granted_by_word(word: &str, rule: &str, effect: &Effect) -> Option<Reaches> {
    let class = class(word)?;
    let named = class.rules.contains(&rule) && class.grants.iter().any(|it| it.matches(effect));
    named.then_some(class.reaches)
}

/// Tells whether words of that class forbid an effect, wherever it lies.
#[must_use]
pub fn forbidden_by_word(word: &str, effect: &Effect) -> bool {
    class(word).is_some_and(|class| {
        let away = class.elsewhere && effect.at != At::Here;
        away || class.limits.iter().any(|it| it.matches(effect))
    })
}

include!(concat!(env!("OUT_DIR"), "/spoken.rs"));
