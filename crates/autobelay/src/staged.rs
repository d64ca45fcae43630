//! Stages of the fleet's policy that are not enforced: a call is judged once more, under the settings of the stage.
//!
//! INVARIANT: what is only observed changes nothing, and what is only asked about never denies by itself.

use belay_model::{Judgement, Layer, Verdict};
use belay_undo::{Keeper, Keeping, Wish};

use crate::case::Attended;
use crate::layers::Raised;
use crate::trail;

/// Raises a judgement by what the rule sets that only ask would have said.
pub(crate) fn asked(so_far: Judgement, said: Judgement, attended: Attended) -> Judgement {
    if said.verdict <= so_far.verdict {
        return so_far;
    }
    let verdict = match attended {
        Attended::ByNobody => Verdict::Ask.unattended(),
        Attended::ByAPerson => Verdict::Ask,
    };
    let raised = Raised {
        verdict: verdict.min(said.verdict).max(so_far.verdict),
        layer: said.layer,
        reason: said.reason,
        risk: said.risk,
    };
    trail::raised(so_far, Layer::Boundaries, raised)
}

/// Stands in for who keeps work: what was kept for the judgement in force could be kept for another.
pub(crate) struct Supposed(Keeping);

impl Supposed {
    /// Supposes what a judgement says.
    pub(crate) fn of(judgement: &Judgement) -> Self {
        let rule = judgement.reason.rule.as_deref().unwrap_or_default();
        Self(match rule.split_whitespace().next() {
            Some("kept") => Keeping::CouldBe,
            Some(_) | None => Keeping::Nothing,
        })
    }
}

impl Keeper for Supposed {
    fn keep(&self, _: &Wish<'_>) -> Keeping {
        self.0.clone()
    }

    fn is_there(&self, _: &[std::path::PathBuf]) -> bool {
        self.0 == Keeping::CouldBe
    }
}
