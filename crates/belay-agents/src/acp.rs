//! A proxy between an editor and an agent that speak the Agent Client Protocol on stdio. It
//! answers the agent's `session/request_permission` itself where the verdict is clear, and hands
//! it on where a person must decide.
//!
//! INVARIANT: every other line passes as it came, and an answer is chosen by the kind of an
//! option, never by its name.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::sync::{Mutex, PoisonError};

use belay_journal::json;
use belay_model::{Call, Judgement, Value, Verdict};

use crate::answer::object;
use crate::reading::roots;

/// What the proxy knows of the sessions: the folder of each.
#[derive(Debug, Default)]
pub struct Sessions {
    opening: Mutex<BTreeMap<String, String>>,
    folders: Mutex<BTreeMap<String, String>>,
}

/// Where a line goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Passage {
    /// On, as it came.
    On,
    /// Back to where it came from, with this answer.
    Back(Value),
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sessions {
    /// Looks at a line from the editor to the agent: which folder will a session have?
    pub fn from_editor(&self, line: &[u8]) {
        let Ok(message) = json::read(line) else {
            return;
        };
        let Some(cwd) = param(&message, "cwd") else {
            return;
        };
        match message.get("method").and_then(Value::text) {
            Some("session/new") => {
                let id = message.get("id").map(json::compact).unwrap_or_default();
                lock(&self.opening).insert(id, cwd.to_owned());
            }
            Some("session/load" | "session/resume") => {
                if let Some(session) = param(&message, "sessionId") {
                    lock(&self.folders).insert(session.to_owned(), cwd.to_owned());
                }
            }
            Some(_) | None => {}
        }
    }

    /// Looks at a line from the agent to the editor, and answers it where the verdict is clear.
    pub fn from_agent(&self, line: &[u8], judge: &mut dyn FnMut(&Call) -> Judgement) -> Passage {
        let Ok(message) = json::read(line) else {
            return Passage::On;
        };
        self.opened(&message);
        if message.get("method").and_then(Value::text) != Some("session/request_permission") {
            return Passage::On;
        }
        let (Some(id), Some(call)) = (message.get("id"), self.call(&message)) else {
            return Passage::On;
        };
        let verdict = judge(&call).verdict;
        // "Always" would let through what nobody has seen yet: never ours to say.
        let wanted: &[&str] = match verdict {
            Verdict::Allow if shows_more(&message, &call) => return Passage::On,
            Verdict::Allow => &["allow_once"],
            Verdict::Deny => &["reject_once", "reject_always"],
            Verdict::Ask => return Passage::On,
        };
        match option(&message, wanted) {
            Some(chosen) => Passage::Back(selected(id, chosen)),
            None if verdict == Verdict::Deny => Passage::Back(cancelled(id)),
            None => Passage::On,
        }
    }

    /// Notes the folder of a session once the agent says its name.
    fn opened(&self, message: &Value) {
        let Some(session) = message.get("result").and_then(|it| it.get("sessionId")) else {
            return;
        };
        let id = message.get("id").map(json::compact).unwrap_or_default();
        let folder = lock(&self.opening).remove(&id);
        if let (Some(session), Some(folder)) = (session.text(), folder) {
            lock(&self.folders).insert(session.to_owned(), folder);
        }
    }

    fn call(&self, message: &Value) -> Option<Call> {
        let session = param(message, "sessionId")?;
        let asked = message.get("params")?.get("toolCall")?;
        let cwd = lock(&self.folders).get(session).cloned();
        let cwd = cwd.unwrap_or_default();
        let text = |name| asked.get(name).and_then(Value::text);
        Some(Call {
            id: text("toolCallId").map(str::to_owned),
            tool: tool(asked)?,
            input: asked.get("rawInput").cloned().unwrap_or_else(|| object([])),
            project_roots: roots(&cwd),
            cwd,
            agent: Some("acp".to_owned()),
            session: Some(session.to_owned()),
            ..Call::default()
        })
    }
}

/// Tells whether a request shows the editor a diff that its raw input does not say: another file, or
/// another text. What was judged is then not what a person would see, so they shall see it.
fn shows_more(message: &Value, call: &Call) -> bool {
    let asked = message.get("params").and_then(|it| it.get("toolCall"));
    let shown = asked.and_then(|it| it.get("content")?.items());
    let is_diff = |it: &&Value| it.get("type").and_then(Value::text) == Some("diff");
    let diffs = shown.unwrap_or_default().iter().filter(is_diff);
    diffs.into_iter().any(|it| !says_the_same(it, &call.input))
}

fn says_the_same(diff: &Value, input: &Value) -> bool {
    let text = |name: &str| input.get(name).and_then(Value::text);
    let path = diff.get("path").and_then(Value::text);
    let named = text("file_path").or_else(|| text("path"));
    let same_path = path.zip(named).is_some_and(|(path, named)| {
        path == named || (!named.starts_with('/') && path.ends_with(&format!("/{named}")))
    });
    let new = diff.get("newText").and_then(Value::text);
    let same_text = match (text("content"), text("new_string")) {
        (Some(content), _) => new == Some(content),
        (None, Some(part)) => new.is_some_and(|it| it.contains(part)),
        (None, None) => false,
    };
    same_path && same_text
}

/// Returns the tool's name; where the agent tells only a kind, the tool that kind stands for.
fn tool(asked: &Value) -> Option<String> {
    let input = asked.get("rawInput");
    let has = |name: &str| input.and_then(|it| it.get(name)).is_some();
    let named = asked
        .get("_meta")
        .and_then(|it| it.get("claudeCode"))
        .and_then(|it| it.get("toolName"))
        .and_then(Value::text);
    if let Some(named) = named {
        return Some(named.to_owned());
    }
    let kind = asked.get("kind").and_then(Value::text).unwrap_or_default();
    let name = match kind {
        "execute" if has("command") => "Bash",
        "read" if has("file_path") => "Read",
        "edit" if has("file_path") && has("old_string") => "Edit",
        "edit" if has("file_path") && has("content") => "Write",
        "fetch" if has("url") => "WebFetch",
        // Unknown to every table, and judged as that.
        other => return Some(format!("acp:{other}")),
    };
    Some(name.to_owned())
}

fn param<'a>(message: &'a Value, name: &str) -> Option<&'a str> {
    message.get("params")?.get(name)?.text()
}

/// Returns the option of the first kind that is offered.
fn option<'a>(message: &'a Value, kinds: &[&str]) -> Option<&'a Value> {
    let options = message.get("params")?.get("options")?.items()?;
    let of = |kind: &str| {
        let mut offered = options.iter();
        offered.find(|it| it.get("kind").and_then(Value::text) == Some(kind))
    };
    kinds.iter().find_map(|kind| of(kind))?.get("optionId")
}

/// Refuses where no option does.
fn cancelled(id: &Value) -> Value {
    outcome(id, object([("outcome", "cancelled".into())]))
}

fn selected(id: &Value, option: &Value) -> Value {
    let chosen = [("outcome", "selected".into()), ("optionId", option.clone())];
    outcome(id, object(chosen))
}

fn outcome(id: &Value, outcome: Value) -> Value {
    object([
        ("jsonrpc", "2.0".into()),
        ("id", id.clone()),
        ("result", object([("outcome", outcome)])),
    ])
}

/// Carries the editor's lines to the agent until they end.
///
/// # Errors
/// Returns why a line could not be read or written.
pub fn to_agent(
    mut editor: impl BufRead,
    agent: &Mutex<impl Write>,
    sessions: &Sessions,
) -> io::Result<()> {
    let mut line = Vec::new();
    while editor.read_until(b'\n', &mut line)? > 0 {
        sessions.from_editor(&line);
        sent(agent, &line)?;
        line.clear();
    }
    Ok(())
}

/// The ways between agent and editor.
#[derive(Debug)]
pub struct Wires<'a, A, B, E> {
    /// What the agent says.
    pub agent: A,
    /// What the agent hears.
    pub back: &'a Mutex<B>,
    /// What the editor hears.
    pub editor: E,
}

/// Carries the agent's lines to the editor until they end, and answers for the person where the
/// verdict is clear.
///
/// # Errors
/// Returns why a line could not be read or written.
pub fn to_editor(
    wires: Wires<'_, impl BufRead, impl Write, impl Write>,
    sessions: &Sessions,
    judge: &mut dyn FnMut(&Call) -> Judgement,
) -> io::Result<()> {
    let Wires {
        mut agent,
        back,
        mut editor,
    } = wires;
    let mut line = Vec::new();
    while agent.read_until(b'\n', &mut line)? > 0 {
        match sessions.from_agent(&line, judge) {
            Passage::On => {
                editor.write_all(&line)?;
                editor.flush()?;
            }
            Passage::Back(answer) => sent(back, (json::compact(&answer) + "\n").as_bytes())?,
        }
        line.clear();
    }
    Ok(())
}

fn sent(to: &Mutex<impl Write>, line: &[u8]) -> io::Result<()> {
    let mut to = lock(to);
    to.write_all(line)?;
    to.flush()
}
