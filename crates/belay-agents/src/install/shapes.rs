//! The shapes that hooks have in the settings of more than one agent.

use belay_model::Value;

use super::jsonc::End;
use crate::answer::object;

/// How long hosts may wait for us, in seconds. Our own deadline lies far below.
pub(crate) const HOST_WAITS: u32 = 60;

/// One item of ours in a list of an agent's settings.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) path: Vec<&'static str>,
    pub(crate) item: Value,
    pub(crate) end: End,
}

pub(crate) fn entry(event: &'static str, item: Value) -> Entry {
    Entry {
        path: vec!["hooks", event],
        item,
        end: End::Last,
    }
}

pub(crate) fn number(number: u32) -> Value {
    Value::Number(number.to_string())
}

/// Makes a group of Claude Code's shape with one command in it.
pub(crate) fn group(matcher: Option<&str>, hook: Value) -> Value {
    let hooks = ("hooks", Value::Array(vec![hook]));
    match matcher {
        Some(matcher) => object([("matcher", matcher.into()), hooks]),
        None => object([hooks]),
    }
}

pub(crate) fn command(line: &str, timeout: u32) -> Value {
    object([
        ("type", "command".into()),
        ("command", line.into()),
        ("timeout", number(timeout)),
    ])
}

pub(crate) fn with(mut value: Value, name: &str, member: Value) -> Value {
    if let Value::Object(members) = &mut value {
        members.push((name.to_owned(), member));
    }
    value
}

/// Makes a whole file of hooks with these items in it, one for each event.
pub(crate) fn hooks_of(entries: Vec<Entry>) -> Value {
    let list = |it: Entry| {
        let event = it.path.last().copied().unwrap_or_default();
        (event.to_owned(), Value::Array(vec![it.item]))
    };
    object([(
        "hooks",
        Value::Object(entries.into_iter().map(list).collect()),
    )])
}

/// Makes a whole file of hooks with one hook in it.
pub(crate) fn hooks_file(event: &str, hook: Value) -> Value {
    object([("hooks", object([(event, Value::Array(vec![hook]))]))])
}
