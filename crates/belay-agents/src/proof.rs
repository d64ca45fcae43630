//! What proves that a person answered our question, in the agent's own record of the conversation.
//!
//! INVARIANT: only what the host says of itself counts, whole and without contradiction. An agent that
//! says nothing reliable teaches nothing.

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use belay_journal::json;
use belay_model::{Call, Value};

use crate::Agent;
use crate::install::is_ours;
use crate::reading::Env;
use crate::transcript;

/// How much of a transcript is looked at, from its end.
const MOST_BYTES: u64 = 8 << 20;

/// No agent's settings are longer.
const MOST_SETTINGS: u64 = 1 << 20;

/// Who answered a question of ours, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonSaid {
    /// A person said yes.
    Yes,
    /// A person said no.
    No,
    /// It was settled without a person, or without our question.
    Nothing,
}

/// Who typed a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// A person, these words.
    ByAPerson(String),
    /// A program on somebody's behalf, these words: they may forbid, and grant nothing.
    ByAProgram(String),
    /// The host itself: a schedule, a notification, a summary.
    ByTheHost,
}

/// Returns who typed a prompt, by the agent's own record; `None` while the agent has not told.
#[must_use]
pub fn typed(agent: Agent, transcript: &Path, prompt: &str) -> Option<Typed> {
    let text = tail(transcript)?;
    typed_in(agent, &text, prompt)
}

/// Reads who typed a prompt from the text of a transcript.
pub(crate) fn typed_in(agent: Agent, text: &[u8], prompt: &str) -> Option<Typed> {
    let id = prompt.as_bytes();
    let names_it = |line: &&[u8]| !id.is_empty() && line.windows(id.len()).any(|it| it == id);
    let lines = text.split(|byte| *byte == b'\n').filter(names_it);
    let entries = lines.filter_map(|line| json::read(line).ok());
    let mut typed = entries.filter_map(|it| agent.adapter().typed(&it, prompt));
    let first = typed.next()?;
    // Two lines that differ prove nothing.
    Some(if typed.all(|it| it == first) {
        first
    } else {
        Typed::ByTheHost
    })
}

/// Tells whether an agent says who answered.
#[must_use]
pub fn says_who_answered(agent: Agent) -> bool {
    agent.adapter().says_who_answered()
}

/// Returns what a person said to our question about a call; `None` while the agent has not told.
#[must_use]
pub fn person_said(agent: Agent, transcript: &Path, call_id: &str) -> Option<PersonSaid> {
    if !says_who_answered(agent) {
        return Some(PersonSaid::Nothing);
    }
    let text = tail(transcript)?;
    in_lines(agent, &text, call_id)
}

/// Reads the answer from the text of a transcript.
pub(crate) fn in_lines(agent: Agent, text: &[u8], call_id: &str) -> Option<PersonSaid> {
    let id = call_id.as_bytes();
    let names_it = |line: &&[u8]| !id.is_empty() && line.windows(id.len()).any(|it| it == id);
    let lines = text.split(|byte| *byte == b'\n').filter(names_it);
    let entries = lines.filter_map(|line| json::read(line).ok());
    let mut said = entries.filter_map(|it| agent.adapter().person_said(&it, call_id));
    let first = said.next()?;
    // Two lines that differ prove nothing.
    Some(if said.all(|it| it == first) {
        first
    } else {
        PersonSaid::Nothing
    })
}

fn tail(path: &Path) -> Option<Vec<u8>> {
    let mut file = transcript::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MOST_BYTES)))
        .ok()?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Tells whether ours is the only hook that an agent asks before a tool runs, as far as its settings say:
/// with another one nobody knows whose question a person answered.
#[must_use]
pub fn asks_alone(agent: Agent, call: &Call, env: Env<'_>) -> bool {
    let files = agent.adapter().settings_files(call, env);
    let Some(event) = agent.adapter().shared_event() else {
        return false;
    };
    let mut hooks: Vec<Value> = Vec::new();
    for file in files.iter().filter(|it| it.exists()) {
        let Some(settings) = settings(file) else {
            return false;
        };
        if brings_plugins(&settings) {
            return false;
        }
        let listed = settings.get("hooks").and_then(|it| it.get(event));
        hooks.extend(listed.and_then(Value::items).unwrap_or_default().to_vec());
    }
    hooks.dedup();
    let [only] = hooks.as_slice() else {
        return false;
    };
    is_ours(agent, &json::compact(only))
}

fn settings(path: &PathBuf) -> Option<Value> {
    let about = std::fs::metadata(path).ok()?;
    let readable = about.is_file() && about.len() <= MOST_SETTINGS;
    json::read(&readable.then(|| std::fs::read(path).ok()).flatten()?).ok()
}

/// A plugin may bring hooks that no file of settings names.
fn brings_plugins(settings: &Value) -> bool {
    let enabled = settings.get("enabledPlugins").and_then(Value::members);
    let is_on = |(_, it): &(String, Value)| *it != Value::Bool(false);
    enabled.is_some_and(|it| it.iter().any(is_on))
}
