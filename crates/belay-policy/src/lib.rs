//! What we think of effects: the rules of `policy/default.toml`, weighing, the hope of recovery, and what
//! a person's yes and words cover.
//!
//! INVARIANT: a rule never names a command, and nothing is safe because no rule spoke: an effect
//! without a rule is unsure.

mod consent;
mod distance;
mod profiles;
mod recovery;
mod rules;
mod sentence;
mod spoken;
mod weigh;

/// Names this version of the policy's rules.
pub const HASH: &str = env!("BELAY_POLICY_HASH");

pub use consent::{
    CONTEXTS, Cover, PRIVILEGES, PUSHED_JOBS, WORKLOADS, covered_by_yes, is_shared_host,
    is_way_of_reaching, leaves_package_as_it_is, names_its_target, never_covered,
};
pub use distance::counted;
pub use profiles::{Change, changes, risk_in};
pub use recovery::{Recovery, is_default_branch};
#[cfg(debug_assertions)]
pub use rules::with_rules;
pub use rules::{EffectPattern, HARMFUL, Rule, Where, rules};
pub use sentence::{Story, capitalised, in_words};
pub use spoken::{Reaches, forbidden_by_word, granted_by_word};
pub use weigh::{Weighed, weigh, weigh_among};
