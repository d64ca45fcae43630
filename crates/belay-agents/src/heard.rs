use std::fmt;

use belay_journal::CallError;
use belay_journal::json::JsonError;
use belay_model::Call;

/// What an agent told us.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// A call that waits for a verdict.
    Judge(Box<Asked>),
    /// Something worth remembering; nobody waits for a verdict.
    Observe(Box<Seen>),
    /// Nothing for us.
    Ignore,
}

/// A call that waits for a verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The call.
    pub call: Call,
    /// At which of the agent's moments it was put to us.
    pub event: Event,
    /// How the agent spells its members, where it has two ways.
    pub spelling: Spelling,
    /// Whether the agent would ask a person by itself.
    pub approvals: Approvals,
    /// What the agent itself lets happen at the moment.
    pub host: HostMode,
}

/// The moments at which a verdict is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Before a tool runs.
    BeforeTool,
    /// When the agent is about to ask a person.
    Approval,
}

/// How an agent spells its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `tool_name`.
    Snake,
    /// `toolName`.
    Camel,
}

/// Whether the agent asks a person before what it thinks needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approvals {
    /// It does.
    On,
    /// It runs everything.
    Off,
}

/// What the agent itself lets happen, by its own permission mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostMode {
    /// What it would do anyway, or what somebody agrees to.
    Ordinary,
    /// The person wants nothing changed, or wants only what they allowed before: the mode's name.
    /// An allow of ours would speak in their place.
    LooksOnly(String),
}

/// Something worth remembering.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// What happened.
    pub moment: Moment,
    /// Session, folders and, after a tool, the tool and its input.
    pub call: Call,
    /// The user's own words, where they were told.
    pub prompt: Option<String>,
}

/// What happens in a session besides calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A session begins or is taken up again.
    SessionStart,
    /// A session ends.
    SessionEnd,
    /// The user says something.
    Prompt,
    /// A tool ran.
    AfterTool,
    /// A tool ran and failed.
    AfterFailure,
    /// The agent's own judge refused a call.
    Refused,
}

/// Why what an agent sent could not be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// It is not JSON.
    NotJson(JsonError),
    /// It is JSON, but no object.
    NotAnObject,
    /// A member that must be there is missing or of another type.
    Missing(&'static str),
    /// A member is named twice: readers differ on which counts.
    Twice(String),
    /// An event nobody here knows.
    UnknownEvent(String),
    /// It is no call in our own form.
    NotACall(CallError),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(error) => write!(f, "cannot read what the agent sent: {error}"),
            Self::NotAnObject => f.write_str("what the agent sent is not a JSON object"),
            Self::Missing(name) => write!(f, "what the agent sent has no usable `{name}`"),
            Self::Twice(name) => write!(f, "what the agent sent names `{name}` twice"),
            Self::NotACall(error) => error.fmt(f),
            Self::UnknownEvent(name) => write!(f, "the agent sent the unknown event `{name}`"),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<JsonError> for ReadError {
    fn from(error: JsonError) -> Self {
        Self::NotJson(error)
    }
}
