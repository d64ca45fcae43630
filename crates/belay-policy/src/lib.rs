//! What we think of effects: scopes of paths and hosts, and the rules of `policy/default.toml`.
//!
//! INVARIANT: a rule never names a command, and nothing is safe because no rule spoke: an effect
//! without a rule is unsure.

mod frame;
mod glob;
mod hosts;
mod paths;
mod places;
mod recovery;
mod regions;
mod rules;
mod weigh;

/// Names this version of the policy's rules, places and hosts.
pub const HASH: &str = env!("BELAY_POLICY_HASH");

pub use frame::Frame;
pub use glob::matches_path;
pub use hosts::{host_of, host_scope};
pub use paths::{Path, absolute, shorten};
pub use places::{is_artefact, is_secret, scope_of, scopes_of};
pub use recovery::{Recovery, is_default_branch};
pub use rules::{EffectPattern, Rule, Where, rules};
pub use weigh::{Weighed, weigh};
