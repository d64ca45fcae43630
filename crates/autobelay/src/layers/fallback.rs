//! Layer 7: nobody knew.

use belay_model::{Opinion, Reason, Verdict};

use crate::case::Case;
use crate::reasons;

/// Settles whatever is left: a person is asked, or what the settings want when a model fails.
pub(crate) fn weigh(case: &mut Case<'_>) -> Opinion {
    let Some(open) = &case.open else {
        return Opinion::Settled(
            Verdict::Ask,
            Reason::new("belay cannot tell what this would do."),
        );
    };
    let reason = open.reason.clone();
    match (&open.soft_deny, &open.no_verdict) {
        (Some(rule), _) => Opinion::Settled(Verdict::Deny, reasons::soft(rule)),
        (None, Some(why)) => {
            let because = format!("{} The model gave no verdict: {why}.", reason.because);
            let verdict = case.settings.classifier.on_error.verdict();
            Opinion::Settled(verdict, Reason { because, ..reason })
        }
        (None, None) => Opinion::Settled(Verdict::Ask, reason),
    }
}
