//! What was said on the way to a judgement.

use belay_model::{Call, Judgement, Layer, Reason, Risk, Step, TroubleKind, Verdict};

use crate::sight::Sight;

/// The way a call takes through the layers.
pub(crate) struct Trail {
    id: Option<String>,
    steps: Vec<Step>,
}

impl Trail {
    pub(crate) fn new(call: &Call) -> Self {
        Self {
            id: call.id.clone(),
            steps: Vec::with_capacity(6),
        }
    }

    pub(crate) fn pass(&mut self, layer: Layer, said: &str) {
        self.steps.push(Step {
            layer,
            said: said.to_owned(),
        });
    }

    pub(crate) fn settle(
        mut self,
        layer: Layer,
        (verdict, risk, reason): (Verdict, Risk, Reason),
        sight: Option<Sight>,
    ) -> Judgement {
        self.steps.push(Step {
            layer,
            said: format!("{verdict}: {}", reason.because),
        });
        let sight = sight.unwrap_or_default();
        let troubles = sight
            .troubles
            .into_iter()
            .filter(|it| it.kind != TroubleKind::Note)
            .collect();
        Judgement {
            id: self.id,
            verdict,
            layer,
            reason,
            risk,
            effects: sight.findings.into_iter().map(|it| it.effect).collect(),
            troubles,
            trail: self.steps,
            micros: 0,
        }
    }
}

/// Raises a judgement to an ask that a hard rule wants.
pub(crate) fn raised(mut judgement: Judgement, reason: Reason) -> Judgement {
    if judgement.verdict == Verdict::Deny {
        return judgement;
    }
    judgement.trail.push(Step {
        layer: Layer::Boundaries,
        said: format!("{}: {}", Verdict::Ask, reason.because),
    });
    Judgement {
        verdict: Verdict::Ask,
        layer: Layer::Boundaries,
        risk: judgement.risk.max(Risk::HIGH),
        reason,
        ..judgement
    }
}
