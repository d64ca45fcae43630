//! Layer 5: what a person granted. It lowers only what grants and rules name whole, never a floor and
//! never what a soft rule stops.

use belay_model::{Band, Opinion, Verdict};

use super::analysis;
use crate::case::Case;
use crate::{lowering, reasons};

/// Lets through what a person granted; settles what analysis left to consent alone.
pub(crate) fn weigh(case: &mut Case<'_>) -> Opinion {
    if case.heard.grants.is_empty() {
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
        return Opinion::pass("a soft rule stands before what was granted");
    }
    match open.band {
        Band::Clear => Opinion::Settled(Verdict::Allow, open.reason.clone()),
        Band::Unsure => Opinion::pass("no grant names all of it"),
        Band::Ask => Opinion::Settled(Verdict::Ask, open.reason.clone()),
        Band::Deny => Opinion::Settled(Verdict::Deny, open.reason.clone()),
    }
}
