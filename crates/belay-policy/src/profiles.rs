//! Other ways to weigh the same rules: `policy/profiles.toml` as static data.
//!
//! INVARIANT: a profile touches no floor and nothing that is denied, and makes no denial.

use belay_model::Risk;

/// One rule that a profile weighs otherwise.
#[derive(Debug)]
pub struct Change {
    /// The profile.
    pub profile: &'static str,
    /// The rule.
    pub rule: &'static str,
    /// What the rule weighs there.
    pub risk: Risk,
    /// A call that shows it.
    pub call: &'static str,
}

/// Returns what a profile changes.
pub fn changes(profile: &str) -> impl Iterator<Item = &'static Change> {
    CHANGES.iter().filter(move |it| it.profile == profile)
}

/// Returns what a rule weighs in a profile, where that differs.
#[must_use]
pub fn risk_in(profile: &str, rule: &str) -> Option<Risk> {
    changes(profile)
        .find(|it| it.rule == rule)
        .map(|it| it.risk)
}

include!(concat!(env!("OUT_DIR"), "/profiles.rs"));
