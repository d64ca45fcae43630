//! Rules that are missing, or think less of what they speak of.

use std::collections::BTreeMap;
use std::path::Path;

use belay_model::Risk;
use belay_policy::{Rule, rules, with_rules};

use crate::changes::{Fates, shared};
use crate::labelled::{Labelled, all, gate};

/// Changes every rule in turn.
pub fn run(root: &Path) -> Result<BTreeMap<&'static str, Fates>, String> {
    let gate = gate();
    let labelled = all(root)?.into_iter();
    let labelled: Vec<Labelled> = labelled.filter_map(|it| it.heard(&gate)).collect();
    let removed = fates(&labelled, |rule| Some(without(rule)));
    let lowered = fates(&labelled, |rule| lower(rule.risk).map(|it| with(rule, it)));
    Ok(BTreeMap::from([
        ("rules removed", removed),
        ("rules lowered", lowered),
    ]))
}

/// Returns what became of one change to each rule; `None` where it has none.
fn fates(labelled: &[Labelled], change: impl Fn(&Rule) -> Option<&'static [Rule]> + Sync) -> Fates {
    shared(rules(), |rule| match change(rule) {
        None => Fates::default(),
        Some(changed) => Fates {
            all: 1,
            survivors: survives(rule, changed, labelled)
                .then(|| rule.id.to_owned())
                .into_iter()
                .collect(),
        },
    })
}

/// Tells whether every call still gets what it should; a rule's own examples come first.
fn survives(rule: &Rule, changed: &'static [Rule], labelled: &[Labelled]) -> bool {
    let gate = gate();
    let own = |it: &&Labelled| it.of.as_deref() == Some(rule.id);
    let first = labelled.iter().filter(own);
    let others = labelled.iter().filter(|it| !own(it));
    with_rules(changed, || first.chain(others).all(|it| it.holds(&gate)))
}

/// Returns a risk with a milder verdict.
fn lower(risk: Risk) -> Option<Risk> {
    match risk {
        it if it >= Risk::CRITICAL => Some(Risk::HIGH),
        it if it >= Risk::UNSURE => Some(Risk::LOW),
        _ => None,
    }
}

fn without(rule: &Rule) -> &'static [Rule] {
    let others = rules().iter().filter(|it| it.id != rule.id);
    Vec::leak(others.cloned().collect())
}

fn with(rule: &Rule, risk: Risk) -> &'static [Rule] {
    let mut changed = rules().to_vec();
    for it in changed.iter_mut().filter(|it| it.id == rule.id) {
        it.risk = risk;
        it.floor = false;
    }
    Vec::leak(changed)
}
