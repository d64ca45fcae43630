//! What was said on the way to a judgement.

use belay_model::{Judgement, Layer, Reason, Risk, Step, TroubleKind, Verdict};

use crate::case::Case;
use crate::layers::Raised;
use crate::sight::Sight;

/// The opinions so far, in order.
pub(crate) struct Trail(Vec<Step>);

/// What a layer settled.
pub(crate) struct Settled {
    pub(crate) layer: Layer,
    pub(crate) verdict: Verdict,
    pub(crate) reason: Reason,
}

impl Trail {
    pub(crate) fn new() -> Self {
        Self(Vec::with_capacity(6))
    }

    pub(crate) fn pass(&mut self, layer: Layer, said: Option<String>) {
        self.0.extend(said.map(|said| Step { layer, said }));
    }

    /// Ends the trail with what a layer settled.
    pub(crate) fn settle(mut self, settled: Settled, case: &mut Case<'_>) -> Judgement {
        self.0
            .push(step(settled.layer, settled.verdict, &settled.reason));
        let risk = match settled.layer {
            Layer::Boundaries => Risk::CRITICAL,
            Layer::Edits => Risk::LOW,
            Layer::Allowlist
            | Layer::Analysis
            | Layer::Consent
            | Layer::Classifier
            | Layer::Keep
            | Layer::Fallback
            | Layer::Breaker
            | Layer::Headless => case.risk(),
        };
        let Sight {
            findings, troubles, ..
        } = case.take_sight().unwrap_or_default();
        let worth_telling = troubles
            .into_iter()
            .filter(|it| it.kind != TroubleKind::Note);
        Judgement {
            id: case.call.id.clone(),
            verdict: settled.verdict,
            layer: settled.layer,
            reason: settled.reason,
            risk,
            effects: findings.into_iter().map(|it| it.effect).collect(),
            troubles: worth_telling.collect(),
            trail: self.0,
            micros: 0,
        }
    }
}

/// Raises a judgement. INVARIANT: it never becomes milder.
pub(crate) fn raised(mut judgement: Judgement, by: Layer, raised: Raised) -> Judgement {
    judgement
        .trail
        .push(step(by, raised.verdict, &raised.reason));
    Judgement {
        verdict: raised.verdict.max(judgement.verdict),
        layer: raised.layer,
        risk: judgement.risk.max(raised.risk),
        reason: raised.reason,
        ..judgement
    }
}

fn step(layer: Layer, verdict: Verdict, reason: &Reason) -> Step {
    Step {
        layer,
        said: [verdict.word(), ": ", &reason.because].concat(),
    }
}
