//! Layer 1: hard rules. They may only raise.

use belay_model::{Judgement, Layer, Opinion, Reason, Risk, Verdict};
use belay_settings::{ExactRule, Hit, Reach, RuleText, Settings, Source};

use super::Raised;
use crate::case::Case;

/// Settles what a hard rule forbids; remembers where a person must be asked whatever else is said.
pub(crate) fn weigh(case: &mut Case<'_>) -> Opinion {
    let mut said = Said::default();
    if exist(case.settings) {
        texts(case, &mut said);
        exact(case, &mut said);
        tools(case, &mut said);
        paths(case, &mut said);
    }
    match said.0 {
        Some((Verdict::Deny, reason)) => return Opinion::Settled(Verdict::Deny, reason),
        Some((Verdict::Ask | Verdict::Allow, reason)) => case.at_least_ask = Some(reason),
        None => case.at_least_ask = case.broken.map(broken),
    }
    Opinion::pass(match case.at_least_ask {
        Some(_) => "at least ask",
        None => "no hard rule applies",
    })
}

/// Raises to the ask that a hard rule wants: what is denied without it stays denied.
pub(crate) fn raise(case: &Case<'_>, so_far: &Judgement) -> Option<Raised> {
    let reason = case.at_least_ask.clone()?;
    (so_far.verdict != Verdict::Deny).then_some(Raised {
        verdict: Verdict::Ask,
        layer: Layer::Boundaries,
        reason,
        risk: Risk::HIGH,
    })
}

fn broken(why: &str) -> Reason {
    Reason::new(format!(
        "The settings have an error, so nothing is allowed: {why}"
    ))
}

/// The strictest that was said; of equals the first.
#[derive(Default)]
struct Said(Option<(Verdict, Reason)>);

impl Said {
    fn say(&mut self, verdict: Verdict, reason: Reason) {
        if self.0.as_ref().is_none_or(|(before, _)| *before < verdict) {
            self.0 = Some((verdict, reason));
        }
    }
}

/// Tells whether there are hard rules at all.
fn exist(settings: &Settings) -> bool {
    !settings.rules.hard_deny.is_empty()
        || settings.exact.iter().any(|it| it.verdict != Verdict::Allow)
        || !settings.paths.deny.is_empty()
        || !settings.paths.ask.is_empty()
        || settings
            .tools
            .iter()
            .any(|it| it.origin.source == Source::Project)
}

/// The lines of `hard_deny`.
fn texts(case: &Case<'_>, said: &mut Said) {
    for rule in &case.settings.rules.hard_deny {
        let name = format!("hard_deny: {}", rule.text);
        match case.suspects(rule) {
            Hit::No => {}
            Hit::Maybe => {
                let text = format!("The rule `{}` may apply to this.", rule.text);
                said.say(Verdict::Ask, because(text, &name));
            }
            Hit::Yes => {
                let text = format!("The rule `{}` forbids this.", rule.text);
                said.say(Verdict::Deny, because(text, &name));
            }
        }
    }
}

/// The `[[rule]]` tables that do not allow.
fn exact(case: &Case<'_>, said: &mut Said) {
    let strict = |it: &&ExactRule| it.verdict != Verdict::Allow && it.speaks_of(&case.call_view());
    for rule in case.settings.exact.iter().filter(strict) {
        if exact_speaks(rule, case) {
            let text = rule
                .because
                .clone()
                .unwrap_or_else(|| format!("The rule `{}` applies to this.", rule.name()));
            let mut reason = because(text, &rule.name());
            reason.instead.clone_from(&rule.instead);
            said.say(rule.verdict, reason);
        }
    }
}

/// The risk that the project gives a tool.
fn tools(case: &Case<'_>, said: &mut Said) {
    if let Some(line) = case.settings.raised_tool(&case.call.tool) {
        let text = format!(
            "The project rates the tool `{}` as risk {}.",
            line.tool, line.risk
        );
        let verdict = case.settings.thresholds.band(line.risk).verdict();
        said.say(verdict, because(text, &format!("tools.{}", line.tool)));
    }
}

/// The lines of `[paths]` that do not allow.
fn paths(case: &Case<'_>, said: &mut Said) {
    let paths = &case.settings.paths;
    for (list, verdict) in [(&paths.deny, Verdict::Deny), (&paths.ask, Verdict::Ask)] {
        for line in list {
            let name = format!("paths.{verdict}: {}", line.text);
            match case.reach(std::slice::from_ref(line)) {
                Reach::Misses => {}
                Reach::Unclear => {
                    let text = format!(
                        "belay cannot tell which path this touches; it may match `{}` in `[paths]`.",
                        line.text
                    );
                    said.say(Verdict::Ask, because(text, &name));
                }
                Reach::Touches | Reach::Covers => {
                    let text = format!(
                        "This touches `{}`, which is listed in `[paths] {verdict}`.",
                        line.text
                    );
                    said.say(verdict, because(text, &name));
                }
            }
        }
    }
}

/// Tells whether an exact rule that raises speaks of the call.
fn exact_speaks(rule: &ExactRule, case: &Case<'_>) -> bool {
    let commands = rule.command.is_empty()
        || rule.command.iter().any(|text| {
            let line = RuleText {
                text: text.clone(),
                ..RuleText::default()
            };
            case.suspects(&line) != Hit::No
        });
    let view = case.call_view();
    commands && (!rule.looks_at_effects() || case.effects().any(|it| rule.meets(&it, &view)))
}

fn because(text: String, rule: &str) -> Reason {
    Reason {
        because: text,
        instead: None,
        rule: Some(rule.to_owned()),
    }
}
