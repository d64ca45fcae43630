use belay_journal::json;
use belay_model::{Judgement, Value};

use crate::agents;
use crate::wording::{Able, shortened};
use crate::{Agent, Asked, Heard};

/// What a hook says to its agent: the exact bytes and the exit code.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Answer {
    /// Goes to stdout, nothing else may.
    pub stdout: Vec<u8>,
    /// Goes to stderr.
    pub stderr: Vec<u8>,
    /// The exit code.
    pub code: i32,
}

impl Answer {
    /// Says nothing and ends well.
    pub(crate) const fn silent() -> Self {
        Self {
            stdout: Vec::new(),
            stderr: Vec::new(),
            code: 0,
        }
    }

    /// Says JSON and ends well.
    pub(crate) fn json(value: &Value) -> Self {
        Self {
            stdout: json::compact(value).into_bytes(),
            ..Self::silent()
        }
    }

    /// Says why on stderr and ends with the code that blocks.
    pub(crate) fn blocked(reason: &str) -> Self {
        Self {
            stderr: line(reason),
            code: 2,
            ..Self::silent()
        }
    }
}

pub(crate) fn line(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(b'\n');
    bytes
}

/// Makes a JSON object of its members.
pub(crate) fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(
        members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    )
}

/// Returns the answer to what was heard, in the agent's own form.
#[must_use]
pub fn answer(agent: Agent, heard: &Heard, judgement: &Judgement) -> Answer {
    match heard {
        Heard::Judge(asked) => verdict(agent, asked, judgement),
        Heard::Observe(_) | Heard::Ignore => no_opinion(agent, heard),
    }
}

fn verdict(agent: Agent, asked: &Asked, judgement: &Judgement) -> Answer {
    match agent {
        Agent::ClaudeCode => agents::claude_code::answer(asked, judgement),
        Agent::Codex => agents::codex::answer(asked, judgement),
        Agent::Gemini => agents::gemini::answer(asked, judgement),
        Agent::Copilot => agents::copilot::answer(asked, judgement),
        Agent::Qwen => agents::qwen::answer(asked, judgement),
        Agent::OpenCode => agents::opencode::answer(asked, judgement),
        Agent::VsCode => agents::vscode::answer(asked, judgement),
        Agent::Cursor => agents::cursor::answer(asked, judgement),
        Agent::Windsurf => agents::windsurf::answer(asked, judgement),
        Agent::Cline => agents::cline::answer(asked, judgement),
        Agent::Droid => agents::droid::answer(asked, judgement),
        Agent::Kiro => agents::kiro::answer(asked, judgement),
        Agent::Goose => agents::goose::answer(asked, judgement),
        Agent::Amp => agents::amp::answer(asked, judgement),
        Agent::Generic => agents::generic::answer(asked, judgement),
    }
}

/// Returns the agent's "nothing to say": it goes on as if we were not there.
#[must_use]
pub fn no_opinion(agent: Agent, heard: &Heard) -> Answer {
    match agent {
        Agent::ClaudeCode
        | Agent::Codex
        | Agent::Gemini
        | Agent::Copilot
        | Agent::Qwen
        | Agent::VsCode
        | Agent::Cursor
        | Agent::Windsurf
        | Agent::Cline
        | Agent::Droid
        | Agent::Kiro
        | Agent::Goose => Answer::silent(),
        Agent::OpenCode => agents::opencode::no_opinion(),
        Agent::Amp => agents::amp::no_opinion(),
        Agent::Generic => agents::generic::no_opinion(heard),
    }
}

/// Returns the refusal that every agent understands, known or not: exit code 2, a reason on
/// stderr, and on stdout one JSON object that says no in every dialect at once.
#[must_use]
pub fn refuse(agent: Option<Agent>, reason: &str) -> Answer {
    let reason = match reason.trim() {
        "" => "belay: refused".to_owned(),
        reason => shortened(format!("belay: refused: {reason}")),
    };
    match agent {
        Some(Agent::Generic) => agents::generic::refuse(&reason),
        Some(_) | None => Answer {
            stdout: json::compact(&union(&reason)).into_bytes(),
            stderr: line(&reason),
            code: 2,
        },
    }
}

fn union(reason: &str) -> Value {
    let nested = object([
        ("hookEventName", "PreToolUse".into()),
        ("permissionDecision", "deny".into()),
        ("permissionDecisionReason", reason.into()),
    ]);
    object([
        ("decision", "block".into()),
        ("reason", reason.into()),
        ("permission", "deny".into()),
        ("permissionDecision", "deny".into()),
        ("permissionDecisionReason", reason.into()),
        ("cancel", Value::Bool(true)),
        ("errorMessage", reason.into()),
        ("verdict", "deny".into()),
        ("hookSpecificOutput", nested),
    ])
}

/// Returns what an agent can do that asks a person itself, unless nobody is there.
pub(crate) const fn attended(asked: &Asked) -> Able {
    if asked.call.headless {
        Able::NotAsk
    } else {
        Able::All
    }
}
