use belay_journal::json;
use belay_model::{Judgement, Value, Verdict};

use crate::wording::{Able, shortened};
use crate::{Agent, Asked, Heard, PersonSaid};

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
        Heard::Judge(asked) => agent.adapter().answer(asked, judgement),
        Heard::Observe(_) | Heard::Ignore => no_opinion(agent, heard),
    }
}

/// Returns what the host is to hear of a question that a person has answered elsewhere. The judgement stays the gate's: only a
/// question can be answered, and what is not one is told as it is.
#[must_use]
pub fn as_answered(judgement: &Judgement, said: PersonSaid) -> Judgement {
    let mut told = judgement.clone();
    if judgement.verdict != Verdict::Ask {
        return told;
    }
    let (verdict, because) = match said {
        PersonSaid::Yes => (
            Verdict::Allow,
            "The user allowed this call on belay's page.",
        ),
        PersonSaid::No => (
            Verdict::Deny,
            "The user said no to this call on belay's page.",
        ),
        PersonSaid::Nothing => return told,
    };
    told.verdict = verdict;
    because.clone_into(&mut told.reason.because);
    told
}

/// Returns the agent's "nothing to say": it goes on as if we were not there.
#[must_use]
pub fn no_opinion(agent: Agent, heard: &Heard) -> Answer {
    agent.adapter().no_opinion(heard)
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
        Some(agent) => agent.adapter().refuse(&reason),
        None => refuse_all(&reason),
    }
}

/// Refuses in every dialect at once.
pub(crate) fn refuse_all(reason: &str) -> Answer {
    Answer {
        stdout: json::compact(&union(reason)).into_bytes(),
        stderr: line(reason),
        code: 2,
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
