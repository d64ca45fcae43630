//! How far a rule set has come, and for whom.

use std::fmt;

/// How far a rule set has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// What it would change is recorded, and nothing changes.
    Observe,
    /// What it would deny is asked.
    Ask,
    /// It holds.
    Enforce,
}

impl Stage {
    /// All stages, mildest first.
    pub const ALL: [Self; 3] = [Self::Observe, Self::Ask, Self::Enforce];

    /// Returns the word for the stage.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Observe => "observe",
            Self::Ask => "ask",
            Self::Enforce => "enforce",
        }
    }

    /// Reads a stage from its word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.word() == word)
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// For whom a rule set is meant: each list names what fits, and an empty one fits all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Where {
    /// Teams, as `[fleet] team` names them.
    pub team: Vec<String>,
    /// Systems: `linux`, `macos`.
    pub os: Vec<String>,
    /// Agents: `claude-code`, `codex`.
    pub agent: Vec<String>,
}

/// One who might be meant.
#[derive(Clone, Copy, Debug, Default)]
pub struct Member<'a> {
    /// The team.
    pub team: Option<&'a str>,
    /// The system.
    pub os: &'a str,
    /// The agent, where a call of one is judged.
    pub agent: Option<&'a str>,
}

impl Where {
    /// Tells whether somebody is meant. Who does not say his team is in none; where nobody says which agent calls, every
    /// agent is meant, so that a person sees the rules that would hold.
    #[must_use]
    pub fn fits(&self, member: &Member<'_>) -> bool {
        let any = |list: &[String], word: Option<&str>| {
            list.is_empty() || word.is_some_and(|word| list.iter().any(|it| it == word))
        };
        let agent = member.agent.is_none() || any(&self.agent, member.agent);
        any(&self.team, member.team) && any(&self.os, Some(member.os)) && agent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_meant() {
        let list = |it: &[&str]| it.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let member = Member {
            team: Some("core"),
            os: "linux",
            agent: Some("codex"),
        };
        let fits = |team: &[&str], os: &[&str], agent: &[&str]| {
            let meant = Where {
                team: list(team),
                os: list(os),
                agent: list(agent),
            };
            meant.fits(&member)
        };
        assert!(fits(&[], &[], &[]));
        assert!(fits(&["web", "core"], &["linux"], &["codex"]));
        assert!(!fits(&["web"], &[], &[]));
        assert!(!fits(&[], &["macos"], &[]));
        assert!(!fits(&[], &[], &["gemini"]));
        let nobody = Member {
            os: "linux",
            ..Member::default()
        };
        let core = Where {
            team: list(&["core"]),
            ..Where::default()
        };
        assert!(!core.fits(&nobody));
    }
}
