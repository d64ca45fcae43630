//! Layer 5: what a person granted, said yes to or wrote in this session. It lowers only what grants, answers and
//! rules name whole, never a floor and never what a soft rule stops. A no is remembered too, and words forbid.

use belay_model::{Band, Judgement, Layer, Opinion, Reason, Verdict};

use super::{Raised, analysis, keep};
use crate::case::Case;
use crate::{consent, lowering, reasons, spoken};

/// Tells whether a person has said anything that may lower a call.
pub(super) fn may_speak(case: &Case<'_>) -> bool {
    !case.heard.grants.is_empty() || !case.answered().yes.is_empty() || spoken::may_lower(case)
}

/// Raises what a person refused, as long as they have said nothing else.
pub(crate) fn raise(case: &Case<'_>, so_far: &Judgement) -> Option<Raised> {
    if let Some(sentence) = spoken::forbids(case) {
        return Some(Raised {
            verdict: Verdict::Deny,
            layer: Layer::Consent,
            reason: Reason {
                because: format!("The user wrote: \u{201c}{sentence}\u{201d}"),
                instead: Some("leave it, or ask the user".to_owned()),
                rule: Some("words".to_owned()),
            },
            risk: so_far.risk,
        });
    }
    let open =
        so_far.verdict == Verdict::Ask || matches!(so_far.layer, Layer::Consent | Layer::Keep);
    let refused = &case.answered().no;
    (open && !refused.is_empty() && refused.contains(&consent::fingerprint(case.call))).then(|| {
        Raised {
            verdict: Verdict::Deny,
            layer: Layer::Consent,
            reason: Reason {
                because: "The user said no to exactly this.".to_owned(),
                instead: Some("ask the user what they want instead".to_owned()),
                rule: Some("refused".to_owned()),
            },
            risk: so_far.risk,
        }
    })
}

/// Lets through what a person granted; settles what analysis left to consent alone.
pub(crate) fn weigh(case: &mut Case<'_>) -> Opinion {
    if !may_speak(case) {
        return Opinion::Pass(None);
    }
    let lowered = lowering::by_grants(case, analysis::base(case));
    let Some(open) = case.open.as_mut() else {
        return Opinion::Pass(None);
    };
    if let Some(lowered) = lowered {
        open.risk = lowered.risk;
        open.band = case.settings.thresholds.band(lowered.risk);
        open.reason = reasons::lowered(&lowered.by);
    }
    if open.soft_deny.is_some() {
        return Opinion::pass("a soft rule comes before what was granted");
    }
    let (band, reason) = (open.band, open.reason.clone());
    if keep::may_speak(case) {
        return Opinion::pass("no grant covers all of it");
    }
    match band {
        Band::Clear => Opinion::Settled(Verdict::Allow, reason),
        Band::Unsure => Opinion::pass("no grant covers all of it"),
        Band::Ask => Opinion::Settled(Verdict::Ask, reason),
        Band::Deny => Opinion::Settled(Verdict::Deny, reason),
    }
}
