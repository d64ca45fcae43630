//! Our own default rules, as prose for the model.

/// The lists that have defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultList {
    /// What is blocked unless the user asked for it.
    SoftDeny,
    /// What is trusted.
    Allow,
    /// Facts.
    Environment,
}

/// Returns our default lines of a list; lines without a dash are headings of groups.
#[must_use]
pub const fn defaults(list: DefaultList) -> &'static str {
    match list {
        DefaultList::SoftDeny => include_str!("../prompts/soft_deny.md"),
        DefaultList::Allow => include_str!("../prompts/allow.md"),
        DefaultList::Environment => include_str!("../prompts/environment.md"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_rules() {
        let groups = defaults(DefaultList::SoftDeny)
            .lines()
            .filter(|it| !it.starts_with("- "));
        assert_eq!(groups.count(), 6);
    }
}
