//! Layer 6: one question to a fast model, for what is unsure and for what a soft rule stops.

use belay_model::{Band, Opinion, Reason, Verdict};

use crate::case::Case;
use crate::gate::Ruling;

/// Lets a model decide, where there is one and the case is still open.
pub(crate) fn weigh(case: &mut Case<'_>) -> Opinion {
    let Some(model) = case.heard.model else {
        return Opinion::pass("no model is configured");
    };
    if super::keep::may_speak(case) {
        return Opinion::pass("only work that can be kept first, or a person must decide");
    }
    let ruling = model.classify(case.call, case.sight(), case.settings);
    let Some(open) = case.open.as_mut() else {
        return Opinion::Pass(None);
    };
    match (ruling, &open.soft_deny) {
        (Ruling::Pass(why), None) => Opinion::Settled(Verdict::Allow, Reason::new(why)),
        (Ruling::Pass(why), Some(_)) => {
            let mut reason = open.reason.clone();
            reason.because = format!("{} The model lifted the soft rule: {why}", reason.because);
            Opinion::Settled(released(open.band), reason)
        }
        (Ruling::Block(why), None) => {
            let mut reason = Reason::new(why);
            reason.instead.clone_from(&open.reason.instead);
            Opinion::Settled(case.settings.classifier.block_means.verdict(), reason)
        }
        (Ruling::Block(why), Some(_)) => Opinion::Settled(Verdict::Deny, Reason::new(why)),
        (Ruling::NoVerdict(why), _) => {
            open.no_verdict = Some(why.clone());
            Opinion::Pass(Some(why))
        }
    }
}

/// The verdict a call has without the soft rule, once the model has spoken for it.
const fn released(band: Band) -> Verdict {
    match band {
        Band::Clear | Band::Unsure => Verdict::Allow,
        Band::Ask => Verdict::Ask,
        Band::Deny => Verdict::Deny,
    }
}
