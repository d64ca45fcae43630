//! A harness of one's own: our JSON in, our JSON out, and the exit codes of `belay check`.

use belay_model::{Call, Judgement, Turn, Value, Verdict};

use crate::answer::{Answer, attended, line, object};
use crate::reading::{Env, Wire, judge, roots};
use crate::wording::said;
use crate::{Asked, Event, Heard, ReadError};

pub(crate) fn read(stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
    let mut wire = Wire::new(stdin, env)?;
    let tool = wire.must("tool")?;
    let input = wire.object("input")?;
    let cwd = wire.text("cwd").unwrap_or_default();
    let mut folders = wire.texts("project_roots");
    if let Some(root) = wire.text("project_root") {
        folders.insert(0, root);
    }
    if folders.is_empty() {
        folders = roots(&cwd);
    }
    let call = Call {
        id: wire.text("id"),
        tool,
        input,
        cwd,
        project_roots: folders,
        home: wire.text("home"),
        agent: wire.text("agent"),
        session: wire.text("session"),
        headless: wire.take("headless") == Some(Value::Bool(true)),
        transcript: turns(wire.take("transcript").unwrap_or_default()),
        transcript_path: wire.text("transcript_path"),
    };
    Ok(judge(call, Event::BeforeTool))
}

fn turns(transcript: Value) -> Vec<Turn> {
    let items = transcript.items().unwrap_or_default();
    items.iter().filter_map(turn).collect()
}

fn turn(item: &Value) -> Option<Turn> {
    if let Some(action) = item.get("action").and_then(Value::text) {
        return Some(Turn::Action(action.to_owned()));
    }
    let content = item.get("content").and_then(Value::text)?;
    match item.get("role").and_then(Value::text)? {
        "user" => Some(Turn::User(content.to_owned())),
        "tool_use" | "action" => Some(Turn::Action(content.to_owned())),
        _ => None,
    }
}

pub(crate) fn answer(asked: &Asked, judgement: &Judgement) -> Answer {
    let said = said(judgement, attended(asked));
    let text = |value: &Option<String>| value.as_deref().map_or(Value::Null, Value::from);
    let reason = &judgement.reason;
    let mut told = Answer::json(&object([
        ("id", text(&asked.call.id)),
        ("verdict", said.verdict.word().into()),
        ("layer", judgement.layer.word().into()),
        ("rule", text(&reason.rule)),
        ("risk", Value::Number(judgement.risk.number().to_string())),
        ("reason", said.reason.into()),
        ("instead", text(&reason.instead)),
        ("effects", Value::Array(lines(judgement.effects.iter()))),
        ("troubles", Value::Array(lines(judgement.troubles.iter()))),
    ]));
    told.stdout.push(b'\n');
    told.code = code(said.verdict);
    told
}

fn lines<T: ToString>(items: impl Iterator<Item = T>) -> Vec<Value> {
    items.map(|it| Value::String(it.to_string())).collect()
}

const fn code(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Allow => 0,
        Verdict::Ask => 10,
        Verdict::Deny => 20,
    }
}

/// Says that there is no verdict; the harness then does as it would without us.
pub(crate) fn no_opinion(heard: &Heard) -> Answer {
    let id = match heard {
        Heard::Judge(asked) => asked.call.id.as_deref(),
        Heard::Observe(_) | Heard::Ignore => None,
    };
    let mut told = Answer::json(&object([
        ("id", id.map_or(Value::Null, Value::from)),
        ("verdict", Value::Null),
    ]));
    told.stdout.push(b'\n');
    told
}

/// Denies, in our own form.
pub(crate) fn refuse(reason: &str) -> Answer {
    let mut told = Answer::json(&object([
        ("id", Value::Null),
        ("verdict", "deny".into()),
        ("reason", reason.into()),
    ]));
    told.stdout.push(b'\n');
    told.stderr = line(reason);
    told.code = code(Verdict::Deny);
    told
}
