//! Effect in, risk out.

use std::borrow::Cow;

use belay_model::{At, Effect, Risk, Scope, Target};
use belay_places::{Frame, absolute, host_scope, matches_path, scopes_of, secret_elsewhere};

use crate::recovery::{Outlook, outlook};
use crate::rules::{Rule, in_force};

/// What policy thinks of one effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weighed {
    /// The risk.
    pub risk: Risk,
    /// The rule that spoke; `unruled` when none did.
    pub rule: &'static str,
    /// Whether nothing may lower it.
    pub floor: bool,
    /// Whether all it says is that work would be lost, which may be kept first.
    pub kept: bool,
    /// The scope in which the rule spoke, where the target has one.
    pub scope: Option<Scope>,
    /// Why.
    pub because: Cow<'static, str>,
    /// What to do in its place.
    pub instead: Option<&'static str>,
}

/// Weighs an effect: the first rule that matches speaks for each scope, the strictest counts.
#[must_use]
pub fn weigh(effect: &Effect, frame: &Frame<'_>) -> Weighed {
    weigh_among(effect, &scopes(effect, frame), frame)
}

/// Weighs an effect whose target may lie in these scopes, as whoever analysed it looked them up already.
#[must_use]
pub fn weigh_among(effect: &Effect, scopes: &[Scope], frame: &Frame<'_>) -> Weighed {
    let mut hope = Hope {
        effect,
        frame,
        known: None,
    };
    if scopes.is_empty() {
        return speak(effect, None, &mut hope);
    }
    let mut worst: Option<Weighed> = None;
    for scope in scopes {
        let said = speak(effect, Some(*scope), &mut hope);
        if worst
            .as_ref()
            .is_none_or(|it| (it.risk, it.floor) < (said.risk, said.floor))
        {
            worst = Some(said);
        }
    }
    worst.unwrap_or_else(|| unruled(None))
}

fn scopes(effect: &Effect, frame: &Frame<'_>) -> Vec<Scope> {
    if effect.at != At::Here {
        let secret = |place| secret_elsewhere(effect, place, frame);
        let secret = effect.place().and_then(secret);
        return [Scope::Remote].into_iter().chain(secret).collect();
    }
    match &effect.target {
        Target::Place(place) => scopes_of(effect, place, frame),
        Target::Host(host) => vec![host_scope(host, frame)],
        Target::Names(_) => Vec::new(),
    }
}

/// The hope of recovery, looked up once and only when a rule depends on it.
struct Hope<'a> {
    effect: &'a Effect,
    frame: &'a Frame<'a>,
    known: Option<Outlook>,
}

impl Hope<'_> {
    fn look(&mut self) -> &Outlook {
        let (effect, frame) = (self.effect, self.frame);
        self.known.get_or_insert_with(|| outlook(effect, frame))
    }
}

fn speak(effect: &Effect, scope: Option<Scope>, hope: &mut Hope<'_>) -> Weighed {
    for rule in in_force().iter().filter(|it| it.names(effect.verb)) {
        if !rule.is_about(effect) || !fits(rule, scope, hope) {
            continue;
        }
        return Weighed {
            risk: rule.risk,
            rule: rule.id,
            floor: rule.floor,
            kept: rule.kept,
            scope,
            because: because(rule, hope),
            instead: rule.instead,
        };
    }
    unruled(scope)
}

fn fits(rule: &Rule, scope: Option<Scope>, hope: &mut Hope<'_>) -> bool {
    let in_scope = rule.scopes.is_empty() || scope.is_some_and(|it| rule.scopes.contains(&it));
    in_scope
        && (rule.paths.is_empty() || on_path(rule, hope))
        && (rule.standing.is_empty() || rule.standing.contains(&hope.look().recovery))
}

fn on_path(rule: &Rule, hope: &Hope<'_>) -> bool {
    let frame = hope.frame;
    let known = hope.effect.place().and_then(|it| it.known());
    let Some(path) = known.and_then(|it| absolute(it, frame.cwd, frame.home())) else {
        return false;
    };
    rule.paths
        .iter()
        .any(|glob| matches_path(glob, path.text()))
}

fn because(rule: &Rule, hope: &mut Hope<'_>) -> Cow<'static, str> {
    if rule.standing.is_empty() {
        return rule.because.into();
    }
    match &hope.look().lost {
        Some(lost) => format!("{} ({lost})", rule.because).into(),
        None => rule.because.into(),
    }
}

fn unruled(scope: Option<Scope>) -> Weighed {
    Weighed {
        risk: Risk::UNSURE,
        rule: "unruled",
        floor: false,
        kept: false,
        scope,
        because: "no rule covers it".into(),
        instead: None,
    }
}
