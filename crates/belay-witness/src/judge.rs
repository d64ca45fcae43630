//! What `belay` says of lines, asked on the stage itself: it sees the files that the lines will see.

use belay_model::{Effect, parse_effect};
use belay_oracle::world::{HOME, PROJECT};
use serde_json::{Value, json};

use crate::lines::Line;
use crate::stage::Stage;

/// What was said of a line.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// Whether it is allowed.
    pub allowed: bool,
    /// What it would do.
    pub effects: Vec<Effect>,
    /// The same, as it was printed.
    pub shown: Vec<String>,
    /// Why.
    pub reason: String,
}

/// Asks about lines.
///
/// # Errors
/// When not every line was answered.
pub fn judged(stage: &mut Stage, lines: &[Line]) -> Result<Vec<Said>, String> {
    let input: String = lines.iter().map(|it| question(&it.text)).collect();
    let words = [
        "env",
        "BELAY_CONFIG=/run/belay.toml",
        "/run/belay",
        "check",
        "--jsonl",
        "--static",
    ];
    let answers = stage.ask(&words, input.into_bytes())?;
    let said: Vec<Said> = answers.lines().filter_map(answer).collect();
    if said.len() == lines.len() {
        return Ok(said);
    }
    Err(format!("{} answers to {} lines", said.len(), lines.len()))
}

fn question(line: &str) -> String {
    let call = json!({
        "tool": "Bash",
        "input": { "command": line },
        "cwd": PROJECT,
        "project_root": PROJECT,
        "home": HOME,
    });
    format!("{call}\n")
}

fn answer(line: &str) -> Option<Said> {
    let answer: Value = serde_json::from_str(line).ok()?;
    let shown: Vec<String> = answer
        .get("effects")?
        .as_array()?
        .iter()
        .filter_map(|it| it.as_str().map(str::to_owned))
        .collect();
    Some(Said {
        allowed: answer.get("verdict")?.as_str()? == "allow",
        effects: shown
            .iter()
            .filter_map(|it| parse_effect(it).ok())
            .collect(),
        reason: answer.get("reason")?.as_str()?.to_owned(),
        shown,
    })
}
