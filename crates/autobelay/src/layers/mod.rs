//! The layers, in their order. Each settles a case or passes it on; some may only raise what was
//! settled. INVARIANT: nothing changes a verdict but these.

mod allowlist;
mod analysis;
mod boundaries;
mod breaker;
mod classifier;
mod consent;
mod edits;
mod fallback;
mod headless;
mod keep;

use belay_model::{Judgement, Layer, Opinion, Reason, Risk, Verdict};

use crate::case::Case;

/// A layer that settles a case or passes it on.
pub(crate) struct Settling {
    /// Its name.
    pub(crate) layer: Layer,
    /// What it says.
    pub(crate) weigh: fn(&mut Case<'_>) -> Opinion,
}

/// A layer that may only raise what was settled.
pub(crate) struct Raising {
    /// Its name.
    pub(crate) layer: Layer,
    /// What it demands, if anything.
    pub(crate) raise: fn(&Case<'_>, &Judgement) -> Option<Raised>,
}

/// What a raising layer demands.
pub(crate) struct Raised {
    /// The verdict, never below the one before.
    pub(crate) verdict: Verdict,
    /// Whose reason it is.
    pub(crate) layer: Layer,
    /// Why.
    pub(crate) reason: Reason,
    /// The least risk.
    pub(crate) risk: Risk,
}

/// The first layer that settles ends the walk; the last always does.
pub(crate) const SETTLING: [Settling; 8] = [
    settling(Layer::Boundaries, boundaries::weigh),
    settling(Layer::Allowlist, allowlist::weigh),
    settling(Layer::Edits, edits::weigh),
    settling(Layer::Analysis, analysis::weigh),
    settling(Layer::Consent, consent::weigh),
    settling(Layer::Classifier, classifier::weigh),
    settling(Layer::Keep, keep::weigh),
    settling(Layer::Fallback, fallback::weigh),
];

/// What was settled passes all of these.
pub(crate) const RAISING: [Raising; 4] = [
    raising(Layer::Boundaries, boundaries::raise),
    raising(Layer::Consent, consent::raise),
    raising(Layer::Breaker, breaker::raise),
    raising(Layer::Headless, headless::raise),
];

const fn settling(layer: Layer, weigh: fn(&mut Case<'_>) -> Opinion) -> Settling {
    Settling { layer, weigh }
}

const fn raising(layer: Layer, raise: fn(&Case<'_>, &Judgement) -> Option<Raised>) -> Raising {
    Raising { layer, raise }
}
