use crate::Value;

/// What an agent wants to do.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Call {
    /// The caller's own name for this call, echoed in the judgement.
    pub id: Option<String>,
    /// The tool, as the agent spells it.
    pub tool: String,
    /// The tool's input.
    pub input: Value,
    /// The folder the tool would run in; empty when the agent did not say.
    pub cwd: String,
    /// The folders the agent works in; the first is the main one. Never named by the model.
    pub project_roots: Vec<String>,
    /// The user's home folder.
    pub home: Option<String>,
    /// What `HOME` says around the call where it is not `home`: `~` may mean either.
    pub env_home: Option<String>,
    /// Which agent asks, in our spelling (`claude-code`, `codex` ...).
    pub agent: Option<String>,
    /// The agent's session.
    pub session: Option<String>,
    /// Tells that nobody can be asked.
    pub headless: bool,
    /// Tells that a sub-agent of the agent asks.
    pub sub_agent: bool,
    /// The conversation so far, oldest first: user turns and tool calls only.
    pub transcript: Vec<Turn>,
    /// The agent's own name of the prompt that the call belongs to.
    pub prompt: Option<String>,
    /// Where the agent keeps the conversation, if it said so.
    pub transcript_path: Option<String>,
}

/// One entry of the conversation that a judge may see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The user's own words.
    User(String),
    /// A tool call the agent made.
    Action(String),
}
