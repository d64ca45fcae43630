//! Reads an agent's own record of the conversation: the user's words and the tool calls, nothing
//! the model said and nothing a tool returned.
//!
//! INVARIANT: lenient and bounded. What cannot be read is left out; only the end of a long file
//! is looked at; a transcript can never make a call fail.

pub(crate) mod entries;
mod file;
pub(crate) mod words;

pub(crate) use file::open;

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use belay_journal::json;
use belay_model::{Turn, Value};

use crate::Agent;

/// How much of a transcript is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// At most so many bytes from its end.
    pub bytes: u64,
    /// At most so many turns, the newest.
    pub turns: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            bytes: 1 << 20,
            turns: 40,
        }
    }
}

/// Reads the newest turns of the transcript at this path, oldest first.
///
/// # Errors
/// Returns why the file cannot be read.
pub fn load(agent: Agent, path: &Path, bounds: Bounds) -> io::Result<Vec<Turn>> {
    let mut file = file::open(path)?;
    let length = file.metadata()?.len();
    let start = length.saturating_sub(bounds.bytes);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(bounds.bytes).read_to_end(&mut bytes)?;
    // A line that was cut at its beginning is no line.
    let whole = match (start, bytes.iter().position(|byte| *byte == b'\n')) {
        (0, _) => bytes.as_slice(),
        (_, Some(at)) => bytes.get(at + 1..).unwrap_or_default(),
        (_, None) => &[],
    };
    Ok(turns(agent, whole, bounds.turns))
}

/// Reads the newest turns of a transcript's text, oldest first.
#[must_use]
pub fn turns(agent: Agent, text: &[u8], most: usize) -> Vec<Turn> {
    let mut seen = Vec::new();
    let mut newest_first = Vec::new();
    for line in text.rsplit(|byte| *byte == b'\n') {
        if newest_first.len() >= most {
            break;
        }
        let Ok(entry) = json::read(line) else {
            continue;
        };
        if is_replaced(agent, &entry, &mut seen) {
            continue;
        }
        let mut of_line = agent.adapter().turns(&entry);
        of_line.reverse();
        newest_first.extend(of_line);
    }
    newest_first.truncate(most);
    newest_first.reverse();
    newest_first
}

/// Tells whether a later line said the same entry again.
fn is_replaced(agent: Agent, entry: &Value, seen: &mut Vec<String>) -> bool {
    if !agent.adapter().lines_replace() {
        return false;
    }
    let Some(id) = entry.get("id").and_then(Value::text) else {
        return false;
    };
    let replaced = seen.iter().any(|it| it == id);
    if !replaced {
        seen.push(id.to_owned());
    }
    replaced
}
