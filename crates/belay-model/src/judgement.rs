use std::fmt;

use crate::{Effect, Risk, Trouble, Verdict};

/// The stages a call passes, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Hard rules; may only raise.
    Boundaries,
    /// Tools that only look.
    Allowlist,
    /// Edits inside the project.
    Edits,
    /// What the call would do, weighed.
    Analysis,
    /// What a person granted.
    Consent,
    /// One question to a fast model.
    Classifier,
    /// What would be lost is kept first.
    Keep,
    /// Nobody knew.
    Fallback,
    /// The session runs against a wall; may only raise.
    Breaker,
    /// Nobody is there to ask; may only raise.
    Headless,
}

impl Layer {
    /// All layers, first to last.
    pub const ALL: [Self; 10] = [
        Self::Boundaries,
        Self::Allowlist,
        Self::Edits,
        Self::Analysis,
        Self::Consent,
        Self::Classifier,
        Self::Keep,
        Self::Fallback,
        Self::Breaker,
        Self::Headless,
    ];

    /// Returns the word that stands for the layer in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Boundaries => "boundaries",
            Self::Allowlist => "allowlist",
            Self::Edits => "edits",
            Self::Analysis => "analysis",
            Self::Consent => "consent",
            Self::Classifier => "classifier",
            Self::Keep => "keep",
            Self::Fallback => "fallback",
            Self::Breaker => "breaker",
            Self::Headless => "headless",
        }
    }

    /// Reads a layer from its word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.word() == word)
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Why, for a person; and what to do in its place.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Reason {
    /// The effect and why it matters.
    pub because: String,
    /// What would settle it, or do the job another way.
    pub instead: Option<String>,
    /// The rule that spoke, by its id.
    pub rule: Option<String>,
}

impl Reason {
    /// Makes a reason without a rule.
    pub fn new(because: impl Into<String>) -> Self {
        Self {
            because: because.into(),
            instead: None,
            rule: None,
        }
    }
}

/// What a layer says of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// This layer settles it.
    Settled(Verdict, Reason),
    /// The next layer must look: why, where there is anything to say.
    Pass(Option<String>),
}

impl Opinion {
    /// Passes, and says why.
    pub fn pass(why: impl Into<String>) -> Self {
        Self::Pass(Some(why.into()))
    }
}

/// One opinion on the way to the judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Who spoke.
    pub layer: Layer,
    /// What was said, one line.
    pub said: String,
}

/// The answer to a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The caller's own name for the call.
    pub id: Option<String>,
    /// What may happen.
    pub verdict: Verdict,
    /// Which layer settled it.
    pub layer: Layer,
    /// Why.
    pub reason: Reason,
    /// The greatest risk found.
    pub risk: Risk,
    /// What the call would do.
    pub effects: Vec<Effect>,
    /// What could not be read or known.
    pub troubles: Vec<Trouble>,
    /// What each layer said.
    pub trail: Vec<Step>,
    /// How long it took, in microseconds.
    pub micros: u64,
}
