use std::fmt;
use std::time::Duration;

use serde_json::{Map, Value};

/// What the model does, step by step.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The conversation, one entry per reply.
    pub steps: Vec<Step>,
    /// Other conversations, each chosen when the first user message contains its text: a
    /// sub-agent follows its own.
    pub routes: Vec<(String, Vec<Step>)>,
    /// Inputs for tools that a request forces, by the tool's name: stands in for a classifier.
    pub forced: Vec<(String, Value)>,
    /// How long every reply waits.
    pub delay: Duration,
    /// What goes wrong instead of a reply.
    pub fault: Option<Fault>,
}

/// One reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Runs a command with whatever shell tool the client offers.
    Shell(String),
    /// Writes a file (path, content) with whatever tool the client offers.
    Write(String, String),
    /// Reads a file with whatever tool the client offers.
    Read(String),
    /// Hands this errand to a sub-agent with whatever tool the client offers.
    Delegate(String),
    /// Calls exactly this tool.
    Tool {
        /// Its name.
        name: String,
        /// Its input.
        input: Value,
        /// Whether it is called even where the request does not offer it.
        force: bool,
        /// A text in the last tool result; the word after it replaces every `"$1"` in the input.
        capture: Option<String>,
    },
    /// Makes several calls at once.
    Batch(Vec<Step>),
    /// Says something and ends the turn.
    Text(String),
}

/// What goes wrong instead of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An error with this HTTP status.
    Status(u16),
    /// A success whose body is not JSON.
    Garbage,
    /// The connection is closed without a word.
    Hangup,
}

/// Why a script cannot be read.
#[derive(Debug)]
pub enum ScriptError {
    /// It is not JSON.
    NotJson(serde_json::Error),
    /// A step is none of the known ones.
    UnknownStep(String),
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(error) => write!(f, "cannot read the script: {error}"),
            Self::UnknownStep(step) => write!(
                f,
                "unknown step `{step}`; steps have `shell`, `write`, `read`, `delegate`, `tool`, `batch` or `text`"
            ),
        }
    }
}

impl std::error::Error for ScriptError {}

impl Script {
    /// Makes a script of these steps.
    #[must_use]
    pub fn of(steps: impl IntoIterator<Item = Step>) -> Self {
        Self {
            steps: steps.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Makes a script that only answers a forced tool.
    #[must_use]
    pub fn forcing(tool: &str, input: Value) -> Self {
        Self {
            forced: vec![(tool.to_owned(), input)],
            ..Self::default()
        }
    }

    /// Adds a conversation for those whose first user message contains the text.
    #[must_use]
    pub fn route(mut self, contains: &str, steps: impl IntoIterator<Item = Step>) -> Self {
        self.routes
            .push((contains.to_owned(), steps.into_iter().collect()));
        self
    }

    /// Reads a script from JSON: a list of steps, or an object with `steps`, `routes`
    /// (`contains`, `steps`), `forced` (tool to input), `delay_ms`, `status`.
    ///
    /// # Errors
    /// Returns what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let value: Value = serde_json::from_str(text).map_err(ScriptError::NotJson)?;
        let mut script = Self::default();
        let Value::Object(members) = &value else {
            script.steps = steps(&value)?;
            return Ok(script);
        };
        script.steps = steps(members.get("steps").unwrap_or(&Value::Null))?;
        for route in list(members, "routes") {
            let contains = route.get("contains").and_then(Value::as_str);
            let below = steps(route.get("steps").unwrap_or(&Value::Null))?;
            script
                .routes
                .push((contains.unwrap_or_default().to_owned(), below));
        }
        if let Some(Value::Object(forced)) = members.get("forced") {
            script.forced = forced.clone().into_iter().collect();
        }
        let delay = members.get("delay_ms").and_then(Value::as_u64);
        script.delay = Duration::from_millis(delay.unwrap_or_default());
        let status = members.get("status").and_then(Value::as_u64);
        script.fault = status
            .and_then(|it| u16::try_from(it).ok())
            .map(Fault::Status);
        Ok(script)
    }
}

fn list<'a>(members: &'a Map<String, Value>, name: &str) -> &'a [Value] {
    members
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn steps(value: &Value) -> Result<Vec<Step>, ScriptError> {
    let items = value.as_array().map_or(&[][..], Vec::as_slice);
    items.iter().map(step).collect()
}

fn step(value: &Value) -> Result<Step, ScriptError> {
    known_step(value).unwrap_or_else(|| Err(ScriptError::UnknownStep(value.to_string())))
}

fn known_step(value: &Value) -> Option<Result<Step, ScriptError>> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    if let Some(batch) = value.get("batch") {
        return Some(steps(batch).map(Step::Batch));
    }
    if let Some(name) = text("tool") {
        return Some(Ok(Step::Tool {
            name,
            input: value.get("input").cloned().unwrap_or_default(),
            force: value.get("force") == Some(&Value::Bool(true)),
            capture: text("capture"),
        }));
    }
    if let Some(Value::Array(parts)) = value.get("write") {
        let part = |at: usize| parts.get(at).and_then(Value::as_str).map(str::to_owned);
        return Some(Ok(Step::Write(part(0)?, part(1)?)));
    }
    let plain = text("shell").map(Step::Shell);
    let plain = plain.or_else(|| text("read").map(Step::Read));
    let plain = plain.or_else(|| text("delegate").map(Step::Delegate));
    plain.or_else(|| text("text").map(Step::Text)).map(Ok)
}
