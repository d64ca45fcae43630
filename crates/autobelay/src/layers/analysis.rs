//! Layer 4: what the call would do, weighed; the user's own rules count here.

use belay_knowledge::ToolKind;
use belay_model::{Band, Effect, Opinion, Reason, Risk, Scope, Target, Turn, Verdict};
use belay_settings::Hit;

use super::{consent, keep};
use crate::case::{Case, Open};
use crate::lowering::{self, Lowered};
use crate::{brought, prose, reasons};

/// Settles what is understood; leaves open what a person's consent or a model may still decide.
pub(crate) fn weigh(case: &mut Case<'_>) -> Opinion {
    let open = opened(case);
    let verdict = match open.band {
        Band::Clear => Some(Verdict::Allow),
        Band::Unsure => None,
        Band::Ask => Some(Verdict::Ask),
        Band::Deny => Some(Verdict::Deny),
    };
    let reason = open.reason.clone();
    let soft_deny = open.soft_deny.clone();
    case.open = Some(open);
    if case.sight().has_floor() {
        return Opinion::Settled(Verdict::Deny, reason);
    }
    if let Some(rule) = soft_deny {
        return match case.heard.model {
            Some(_) => Opinion::Pass(Some(reason.because)),
            None => Opinion::Settled(Verdict::Deny, reasons::soft(&rule)),
        };
    }
    match verdict {
        Some(Verdict::Allow) => Opinion::Settled(Verdict::Allow, reason),
        // Where a person granted something, consent has the next word; an answer lowers no deny.
        Some(Verdict::Deny) if case.heard.grants.is_empty() => {
            Opinion::Settled(Verdict::Deny, reason)
        }
        Some(verdict) if !consent::may_speak(case) && !keep::may_speak(case) => {
            Opinion::Settled(verdict, reason)
        }
        Some(_) | None => Opinion::Pass(Some(reason.because)),
    }
}

fn opened(case: &Case<'_>) -> Open {
    let sight = case.sight();
    let base = base(case);
    let lowered = lowering::by_rules(case, base);
    let soft_deny = case
        .settings
        .rules
        .soft_deny
        .iter()
        .find(|it| case.suspects(it) != Hit::No);
    let unseen = base > sight.risk();
    let risk = match &lowered {
        Some(Lowered { risk, .. }) => *risk,
        None => sight.risk().max(base),
    };
    let band = case.settings.thresholds.band(risk);
    let reason = match &lowered {
        Some(lowered) => reasons::lowered(&lowered.by),
        None if unseen => Reason::new(format!(
            "The tool `{}` may change things that belay cannot see.",
            case.call.tool
        )),
        None => brought::named(case, reasons::seen(sight, band)),
    };
    let doubt = match band {
        Band::Clear => prose::doubt(case),
        Band::Unsure | Band::Ask | Band::Deny => None,
    };
    let (band, reason) = match doubt {
        Some(doubt) => (Band::Unsure, doubt),
        None => (band, reason),
    };
    Open {
        risk,
        band,
        reason,
        soft_deny: soft_deny.map(|it| it.text.clone()),
        no_verdict: None,
    }
}

/// The risk of the tool itself.
pub(super) fn base(case: &Case<'_>) -> Risk {
    let request = &case.request;
    let usual = match request.kind {
        // All that these do is in their effects.
        Some(
            ToolKind::Shell
            | ToolKind::Edit
            | ToolKind::Delete
            | ToolKind::Patch
            | ToolKind::Notebook
            | ToolKind::ReadFile
            | ToolKind::Search
            | ToolKind::List
            | ToolKind::Fetch,
        ) => Risk::NONE,
        Some(_) | None => request.risk,
    };
    let tool = case.settings.tool_risk(&case.call.tool, usual);
    tool.max(fetch_risk(case))
}

/// A page on a private network is for the user to name.
fn fetch_risk(case: &Case<'_>) -> Risk {
    if case.request.kind != Some(ToolKind::Fetch) {
        return Risk::NONE;
    }
    let named = |host: &str| {
        case.call.transcript.iter().any(|turn| match turn {
            Turn::User(text) => text.contains(host),
            Turn::Action(_) => false,
        })
    };
    let private = |effect: &Effect| match &effect.target {
        Target::Host(host) => {
            belay_places::host_scope(host, &case.frame) == Scope::PrivateHost && !named(host)
        }
        Target::Place(_) | Target::Names(_) => false,
    };
    if case.request.effects.iter().any(private) {
        Risk::HIGH
    } else {
        Risk::NONE
    }
}
