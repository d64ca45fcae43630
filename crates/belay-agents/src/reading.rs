use belay_journal::json;
use belay_model::{Call, Value};

use crate::folders;
use crate::{
    Agent, Approvals, Asked, Event, Heard, HostMode, HostRules, Moment, ReadError, Seen, Spelling,
};

/// How the process environment is asked: by name.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Reads what an agent sent on stdin.
///
/// `BELAY_HEADLESS=1` in the environment says that nobody can be asked, whatever the agent lets us
/// guess.
///
/// # Errors
/// Returns why it could not be understood; the caller must then [`refuse`](crate::refuse).
pub fn read(agent: Agent, stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
    let mut heard = agent.adapter().read(stdin, env)?;
    if let Heard::Judge(asked) = &mut heard {
        folders::settle(agent, &mut asked.call);
        settle(agent, &mut asked.call, env);
    } else if let Heard::Observe(seen) = &mut heard {
        settle(agent, &mut seen.call, env);
    }
    Ok(heard)
}

/// Returns the person's own rules in the agent's settings: what they want to be asked about, and
/// what they forbid.
#[must_use]
pub fn host_rules(agent: Agent, call: &Call, env: Env<'_>) -> HostRules {
    agent.adapter().host_rules(call, env)
}

fn settle(agent: Agent, call: &mut Call, env: Env<'_>) {
    call.agent.get_or_insert_with(|| agent.word().to_owned());
    if call.home.is_none() {
        call.home = env("HOME").filter(|home| !home.is_empty());
    }
    // A repository may write the environment: it can say that nobody is there, never that somebody is.
    call.headless |= env("BELAY_HEADLESS").as_deref() == Some("1");
}

/// A JSON object an agent sent, with its members to be taken out one by one.
pub(crate) struct Wire<'a> {
    members: Vec<(String, Value)>,
    env: Env<'a>,
}

impl<'a> Wire<'a> {
    pub(crate) fn new(stdin: &[u8], env: Env<'a>) -> Result<Self, ReadError> {
        let whole = json::read(stdin)?;
        if let Some(name) = twice(&whole) {
            return Err(ReadError::Twice(name.to_owned()));
        }
        match whole {
            Value::Object(members) => Ok(Self { members, env }),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => Err(ReadError::NotAnObject),
        }
    }

    pub(crate) fn env(&self, name: &str) -> Option<String> {
        (self.env)(name).filter(|value| !value.is_empty())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        let (_, value) = self.members.iter().find(|(key, _)| key == name)?;
        Some(value)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(crate) fn peek(&self, name: &str) -> Option<&str> {
        self.get(name)?.text()
    }

    /// Reads the permission mode. A mode that nobody here knows may forbid what we would allow.
    pub(crate) fn host_mode(&self) -> HostMode {
        const ORDINARY: [&str; 13] = [
            "default",
            "acceptEdits",
            "auto",
            "bypassPermissions",
            "auto_edit",
            "auto-edit",
            "yolo",
            "normal",
            "off",
            "auto-low",
            "auto-medium",
            "auto-high",
            "autopilot",
        ];
        match self.peek("permission_mode") {
            Some(mode) if !ORDINARY.contains(&mode) => HostMode::LooksOnly(mode.to_owned()),
            Some(_) | None => HostMode::Ordinary,
        }
    }

    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.members.iter().position(|(key, _)| key == name)?;
        Some(self.members.swap_remove(at).1)
    }

    pub(crate) fn text(&mut self, name: &str) -> Option<String> {
        match self.take(name)? {
            Value::String(text) => Some(text),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_) => None,
        }
    }

    pub(crate) fn must(&mut self, name: &'static str) -> Result<String, ReadError> {
        self.text(name)
            .filter(|text| !text.is_empty())
            .ok_or(ReadError::Missing(name))
    }

    /// Takes a list of texts; anything else in it is left out.
    pub(crate) fn texts(&mut self, name: &str) -> Vec<String> {
        let items = match self.take(name) {
            Some(Value::Array(items)) => items,
            Some(_) | None => Vec::new(),
        };
        items
            .iter()
            .filter_map(Value::text)
            .map(str::to_owned)
            .collect()
    }

    /// Takes an object that some versions send as its JSON text.
    pub(crate) fn object(&mut self, name: &'static str) -> Result<Value, ReadError> {
        unpacked(self.take(name).unwrap_or_default()).ok_or(ReadError::Missing(name))
    }

    /// Makes a call of the members most agents share.
    pub(crate) fn call(&mut self, tool: String, input: Value) -> Call {
        let cwd = self.text("cwd").unwrap_or_default();
        Call {
            id: self.text("tool_use_id"),
            tool,
            input,
            project_roots: roots(&cwd),
            cwd,
            session: self.text("session_id"),
            prompt: self.text("prompt_id"),
            transcript_path: self.text("transcript_path"),
            ..Call::default()
        }
    }
}

/// Returns the object itself, or the one a string holds.
pub(crate) fn unpacked(value: Value) -> Option<Value> {
    match value {
        Value::Object(_) => Some(value),
        Value::String(text) => match json::read(text.as_bytes()) {
            Ok(object @ Value::Object(_)) => Some(object),
            Ok(_) | Err(_) => None,
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }
}

/// Finds a member that some object names twice, at any depth: adapters that take a message apart
/// would lose one of them.
fn twice(value: &Value) -> Option<&str> {
    match value {
        Value::Object(members) => {
            let mut names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
            names.sort_unstable();
            let pair = names.windows(2).find(|pair| pair.first() == pair.last());
            pair.and_then(|pair| pair.first().copied())
                .or_else(|| members.iter().find_map(|(_, it)| twice(it)))
        }
        Value::Array(items) => items.iter().find_map(twice),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// Returns the folder as the only root, if there is one.
pub(crate) fn roots(folder: &str) -> Vec<String> {
    if folder.is_empty() {
        Vec::new()
    } else {
        vec![folder.to_owned()]
    }
}

pub(crate) fn judge(call: Call, event: Event) -> Heard {
    Heard::Judge(Box::new(Asked {
        call,
        event,
        spelling: Spelling::Snake,
        approvals: Approvals::On,
        host: HostMode::Ordinary,
    }))
}

pub(crate) fn seen(call: Call, moment: Moment, prompt: Option<String>) -> Heard {
    Heard::Observe(Box::new(Seen {
        moment,
        call,
        prompt,
    }))
}
