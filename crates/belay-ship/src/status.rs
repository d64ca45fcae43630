//! How a machine fares: what somebody who looks after many of them has to know of each.

use belay_journal::calendar::Moment;
use belay_model::Value;

use crate::event::STATUS;
use crate::otlp::{Attribute, LogRecord, object};

/// An agent on this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentStatus {
    /// Its name.
    pub name: String,
    /// Whether belay is registered with it.
    pub hooked: bool,
    /// Whether a recent call of it was judged here: its hook is called.
    pub proven: bool,
}

/// How a machine fares at a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// When.
    pub at: Moment,
    /// The machine, as the trail names it.
    pub machine: String,
    /// Its own name, where settings want it said.
    pub host: Option<String>,
    /// The team.
    pub team: Option<String>,
    /// The version of belay.
    pub version: String,
    /// How the gate is set: `auto`, `observe` or `off`.
    pub mode: String,
    /// Its agents.
    pub agents: Vec<AgentStatus>,
    /// The serial of the bundle in force.
    pub bundle: Option<u64>,
    /// The bundle's stage here.
    pub stage: Option<String>,
    /// How many seconds ago the bundle was signed.
    pub bundle_age: Option<u64>,
    /// How many records wait to be shipped.
    pub unshipped: u64,
    /// How many records nobody took.
    pub set_aside: u64,
    /// Whether this machine lives as long as one job.
    pub passing: bool,
    /// What is wrong.
    pub troubles: Vec<String>,
}

fn whole(number: u64) -> Attribute {
    Attribute::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

impl Status {
    /// Returns it as a record to ship.
    #[must_use]
    pub fn record(&self) -> LogRecord {
        let mut record = LogRecord::new(STATUS, if self.is_protected() { 9 } else { 13 });
        record.at = self.at;
        let named = |wanted: fn(&AgentStatus) -> bool| {
            let agents = self.agents.iter().filter(|it| wanted(it));
            agents.map(|it| it.name.clone()).collect()
        };
        record.maybe("host.name", self.host.as_deref());
        record.text("belay.mode", &self.mode);
        record.texts("belay.agents", named(|_| true));
        record.texts("belay.agents.hooked", named(|it| it.hooked));
        record.texts("belay.agents.proven", named(|it| it.proven));
        record.texts("belay.troubles", self.troubles.clone());
        record.maybe("belay.stage", self.stage.as_deref());
        record.put("belay.unshipped", whole(self.unshipped));
        record.put("belay.set_aside", whole(self.set_aside));
        record.put("belay.passing", Attribute::Flag(self.passing));
        if let Some(serial) = self.bundle {
            record.put("belay.bundle.serial", whole(serial));
        }
        record
    }

    /// Tells whether every agent on this machine is held by a hook, in force, without trouble.
    #[must_use]
    pub fn is_protected(&self) -> bool {
        let held = self.agents.iter().all(|it| it.hooked);
        self.mode == "auto" && !self.agents.is_empty() && held && self.troubles.is_empty()
    }

    /// Returns it as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let number = |it: u64| Value::Number(it.to_string());
        let maybe = |it: Option<&str>| it.map_or(Value::Null, Value::from);
        let agent = |it: &AgentStatus| {
            object(vec![
                ("name", Value::from(it.name.as_str())),
                ("hooked", Value::Bool(it.hooked)),
                ("proven", Value::Bool(it.proven)),
            ])
        };
        let troubles = self.troubles.iter().map(|it| Value::from(it.as_str()));
        object(vec![
            ("at", Value::from(self.at.stamp().as_str())),
            ("machine", Value::from(self.machine.as_str())),
            ("host", maybe(self.host.as_deref())),
            ("team", maybe(self.team.as_deref())),
            ("version", Value::from(self.version.as_str())),
            ("mode", Value::from(self.mode.as_str())),
            (
                "agents",
                Value::Array(self.agents.iter().map(agent).collect()),
            ),
            ("bundle", self.bundle.map_or(Value::Null, number)),
            ("stage", maybe(self.stage.as_deref())),
            ("bundle_age", self.bundle_age.map_or(Value::Null, number)),
            ("unshipped", number(self.unshipped)),
            ("set_aside", number(self.set_aside)),
            ("passing", Value::Bool(self.passing)),
            ("protected", Value::Bool(self.is_protected())),
            ("troubles", Value::Array(troubles.collect())),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_protected_when_every_agent_is_held() {
        let hooked = AgentStatus {
            name: "codex".to_owned(),
            hooked: true,
            proven: false,
        };
        let mut status = Status {
            mode: "auto".to_owned(),
            agents: vec![hooked.clone()],
            ..Status::default()
        };
        assert!(status.is_protected());
        status.agents.push(AgentStatus {
            hooked: false,
            ..hooked
        });
        assert!(!status.is_protected());
        status.agents.clear();
        assert!(!status.is_protected());
    }
}
