//! The façade: the layers in order. One call in, one judgement out.
//!
//! INVARIANT: an allow is only ever the outcome of understanding, of a rule that covers every
//! command, or of a model inside its band; whatever is unknown, broken or late ends as ask or deny.
//!
//! ```
//! use autobelay::{Call, Gate, Settings, Verdict};
//! let gate = Gate::new(Settings::default());
//! let call = Call { tool: "Read".into(), cwd: "/work/app".into(), ..Call::default() };
//! assert_eq!(gate.judge(&call).verdict, Verdict::Allow);
//! ```

mod address;
mod brought;
mod case;
mod cluster;
mod consent;
mod examples;
mod gate;
mod known;
mod layers;
mod lexicon;
mod losses;
mod lowering;
mod patch;
mod program;
mod prompt;
mod prose;
mod queries;
mod readings;
mod reasons;
mod request;
mod sight;
mod spoken;
mod staged;
mod stand;
mod trail;
mod unlisted;
mod words;

/// Names this version of policy and knowledge, for records.
#[must_use]
pub fn tables() -> String {
    let (policy, places) = (belay_policy::HASH, belay_places::HASH);
    format!("{policy}-{places}-{}", belay_knowledge::HASH)
}

pub use belay_analysis::{Analysis, Invocation};
pub use belay_knowledge::{Bound, Knowledge, Lint, LoadError, ToolKind};
pub use belay_model::*;
pub use belay_policy::never_covered;
pub use belay_settings::Settings;
pub use belay_undo::{Keeper, Keeping, Measure, Store};
pub use consent::{fingerprint, key_told};
pub use examples::{MOST_EXAMPLES, has_examples};
pub use gate::{Classify, Gate, Ruling};
pub use lexicon::OurLexicon;
pub use sight::{Finding, Sight};
