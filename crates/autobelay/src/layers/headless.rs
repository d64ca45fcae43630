//! Where nobody can be asked, an ask is a deny, with the same reason.

use belay_model::{Judgement, Reason, Verdict};

use super::Raised;
use crate::case::{Attended, Case};

/// Raises an ask that nobody would answer.
pub(crate) fn raise(case: &Case<'_>, so_far: &Judgement) -> Option<Raised> {
    let unanswered = case.attended == Attended::ByNobody && so_far.verdict == Verdict::Ask;
    unanswered.then(|| Raised {
        verdict: so_far.verdict.unattended(),
        layer: so_far.layer,
        reason: Reason {
            because: format!("{} Nobody is there to ask.", so_far.reason.because),
            ..so_far.reason.clone()
        },
        risk: so_far.risk,
    })
}
