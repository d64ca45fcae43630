//! A message of every agent that must not run.

use std::path::Path;

use belay_agents::Agent;
use serde_json::{Value, json};

/// Denied for what it deletes, and unknown besides: nothing here may let it run.
pub const HARM: &str = "rm -rf ~ && frobnicate --all";

/// A message of each agent that carries the harm.
pub fn message(agent: Agent, project: &Path) -> Value {
    facts(agent)
        .get("message")
        .map_or(Value::Null, |it| filled(it, project))
}

/// Returns what `tests/agents/AGENT/hostile.json` says: a message that carries the harm, and the ways in which the agent
/// is told not to run it, as measured or documented.
pub fn facts(agent: Agent) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/agents");
    let path = folder.join(agent.word()).join("hostile.json");
    let text = std::fs::read_to_string(&path).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Returns the message with the harm and the project in their places.
pub fn filled(message: &Value, project: &Path) -> Value {
    let text = message.to_string();
    let text = text.replace("\"HARM\"", &json!(HARM).to_string());
    let text = text.replace("\"PROJECT\"", &json!(project).to_string());
    serde_json::from_str(&text).unwrap_or_default()
}
