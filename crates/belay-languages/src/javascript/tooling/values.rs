//! What expressions of such programs stand for.

use belay_model::Value;

use super::super::tree::Function;

/// Members of an input whose value may be a result: numbers by which the host finds a running program again.
const HANDLES: [&str; 4] = [
    "cell_id",
    "max_output_tokens",
    "session_id",
    "yield_time_ms",
];

/// Members that lead from a value to code.
pub(super) const LEADING: [&str; 9] = [
    "__proto__",
    "apply",
    "bind",
    "call",
    "caller",
    "constructor",
    "defineProperty",
    "prototype",
    "setPrototypeOf",
];

/// What an expression stands for.
#[derive(Clone)]
pub(super) enum Known<'a> {
    Literal(Value),
    List(Vec<Known<'a>>),
    Object(Vec<(String, Known<'a>)>),
    Function(&'a Function),
    /// `tools`, and one of them.
    Tools,
    Tool(String),
    /// A harmless function or object of the host.
    Host,
    Unknown,
}

/// Returns a member; `None` for one that leads to code.
pub(super) fn member<'a>(value: Known<'a>, name: &str) -> Option<Known<'a>> {
    if LEADING.contains(&name) {
        return None;
    }
    match value {
        Known::Tools => Some(Known::Tool(name.to_owned())),
        Known::Tool(_) => None,
        Known::Object(members) => {
            let found = members.into_iter().rev().find(|(it, _)| it == name);
            Some(found.map_or(Known::Unknown, |(_, it)| it))
        }
        Known::Host => Some(Known::Host),
        Known::Literal(_) | Known::List(_) | Known::Function(_) | Known::Unknown => {
            Some(Known::Unknown)
        }
    }
}

pub(super) fn text_of(value: &Known<'_>) -> Option<String> {
    match value {
        Known::Literal(Value::String(text)) => Some(text.clone()),
        // Other spellings of a number are printed in another way.
        Known::Literal(Value::Number(text)) => {
            let number: u32 = text.parse().ok()?;
            (number.to_string() == *text).then(|| text.clone())
        }
        Known::Literal(Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_))
        | Known::List(_)
        | Known::Object(_)
        | Known::Function(_)
        | Known::Tools
        | Known::Tool(_)
        | Known::Host
        | Known::Unknown => None,
    }
}

/// Returns the input that a value is; a number by which the host finds a program again may be left out.
pub(super) fn input_of(value: Known<'_>) -> Option<Value> {
    match value {
        Known::Literal(it) => Some(it),
        Known::List(items) => items
            .into_iter()
            .map(input_of)
            .collect::<Option<_>>()
            .map(Value::Array),
        Known::Object(members) => {
            let mut found = Vec::new();
            for (name, value) in members {
                match input_of(value) {
                    Some(value) => found.push((name, value)),
                    None if HANDLES.contains(&name.as_str()) => {}
                    None => return None,
                }
            }
            Some(Value::Object(found))
        }
        Known::Function(_) | Known::Tools | Known::Tool(_) | Known::Host | Known::Unknown => None,
    }
}

pub(super) fn holds_function(value: &Known<'_>) -> bool {
    match value {
        Known::Function(_) => true,
        Known::List(items) => items.iter().any(holds_function),
        Known::Object(members) => members.iter().any(|(_, it)| holds_function(it)),
        Known::Literal(_) | Known::Tools | Known::Tool(_) | Known::Host | Known::Unknown => false,
    }
}
