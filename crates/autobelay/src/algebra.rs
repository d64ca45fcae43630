//! Risk, bands, soft rules, grants: from what was seen to a verdict.

use belay_model::{Band, Risk, Verdict};
use belay_settings::grants::Grant;
use belay_settings::{CommandView, Hit, Settings, compile};

use crate::boundaries::View;
use crate::lexicon::OurLexicon;
use crate::sight::Sight;

/// What understanding and rules leave of a call.
pub(crate) struct Standing {
    /// The risk, rules counted in.
    pub(crate) risk: Risk,
    /// The band it falls in.
    pub(crate) band: Band,
    /// A `soft_deny` that matched: only a model may release the call to its own verdict.
    pub(crate) soft_deny: Option<String>,
    /// What lowered the risk, if anything did.
    pub(crate) lowered_by: Option<String>,
}

/// Weighs a sight under the user's rules.
pub(crate) fn stand(
    (settings, grants): (&Settings, &[Grant]),
    (sight, view): (&Sight, &View<'_>),
    base: Risk,
) -> Standing {
    let mut risk = sight.risk().max(base);
    let mut lowered_by = None;
    if !sight.has_floor() {
        if let Some(rule) = exact_allow((settings, grants), view, sight) {
            risk = Risk::NONE;
            lowered_by = Some(rule);
        } else if settings.thresholds.band(risk) < Band::Deny
            && settings.thresholds.band(risk) > Band::Clear
            && let Some(rule) = covered(settings, (sight, view))
        {
            risk = Risk::NONE;
            lowered_by = Some(rule);
        }
    }
    let soft = settings
        .rules
        .soft_deny
        .iter()
        .find(|it| view.suspects(it) != Hit::No);
    Standing {
        risk,
        band: settings.thresholds.band(risk),
        soft_deny: soft.map(|it| it.text.clone()),
        lowered_by,
    }
}

/// An exact allow or a person's grant lowers what it names, also a deny, when every effect that
/// weighs is named.
fn exact_allow(
    (settings, grants): (&Settings, &[Grant]),
    view: &View<'_>,
    sight: &Sight,
) -> Option<String> {
    if sight
        .troubles
        .iter()
        .any(|it| it.kind.risk() >= Risk::UNSURE)
    {
        return None;
    }
    let weighty = sight
        .findings
        .iter()
        .filter(|it| settings.thresholds.band(it.weighed.risk) > Band::Clear)
        .count();
    if weighty == 0 {
        return None;
    }
    let allows: Vec<_> = settings
        .exact
        .iter()
        .filter(|it| it.verdict == Verdict::Allow && it.speaks_of(&view.call))
        .collect();
    let mut named_by = None;
    for (effect, finding) in view.effects().zip(&sight.findings) {
        if settings.thresholds.band(finding.weighed.risk) == Band::Clear {
            continue;
        }
        let rule = allows.iter().find(|rule| {
            rule.looks_at_effects() && rule.command.is_empty() && rule.meets(&effect, &view.call)
        });
        let granted = || grants.iter().find(|it| it.names(&finding.effect));
        named_by = match rule {
            Some(rule) => Some(rule.name()),
            None => Some(format!("grant {}", granted()?.id)),
        };
    }
    named_by
}

/// A line of `allow` lowers unsure and ask when every command is covered or harmless.
fn covered(settings: &Settings, (sight, _): (&Sight, &View<'_>)) -> Option<String> {
    if sight
        .troubles
        .iter()
        .any(|it| it.kind.risk() >= Risk::UNSURE)
        || sight.invocations.is_empty()
    {
        return None;
    }
    let rules: Vec<_> = settings
        .rules
        .allow
        .iter()
        .map(|it| compile(&it.text, &OurLexicon))
        .filter(|it| !it.is_prose())
        .collect();
    let effects = sight.effects();
    let mut by = None;
    let mut settled = vec![false; sight.findings.len()];
    for invocation in &sight.invocations {
        let view = CommandView {
            argv: invocation.argv.clone(),
            effects: effects
                .get(invocation.from..invocation.to)
                .unwrap_or_default(),
        };
        // A command inside another comes later and has its own say over its effects.
        let rule = rules.iter().find(|it| it.covers(&view, &OurLexicon));
        for it in settled.iter_mut().take(invocation.to).skip(invocation.from) {
            *it = rule.is_some();
        }
        by = rule.map(|it| it.text().to_owned()).or(by);
    }
    let harmless = |at: usize| {
        sight
            .findings
            .get(at)
            .is_some_and(|it| settings.thresholds.band(it.weighed.risk) == Band::Clear)
    };
    let all = settled
        .iter()
        .enumerate()
        .all(|(at, done)| *done || harmless(at));
    if all { by } else { None }
}
