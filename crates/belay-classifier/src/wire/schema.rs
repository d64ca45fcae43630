//! The schemas a model fills in, in the order in which it fills them in.

use belay_model::Value;

use crate::json::{list, object};
use crate::verdict::ORDER;

/// The schema of the verdict.
pub(super) fn verdict() -> Value {
    let [thinking, should_block, reason] = ORDER;
    closed(&[
        (thinking, "string", "One or two short sentences."),
        (should_block, "boolean", "True to block the call."),
        (reason, "string", "One sentence for the user."),
    ])
}

/// The schema of the first look.
pub(super) fn look() -> Value {
    closed(&[(
        crate::verdict::CLOSER,
        "boolean",
        "True unless no BLOCK rule could cover the call.",
    )])
}

/// An object of exactly these members: name, type and what it is.
fn closed(members: &[(&str, &str, &str)]) -> Value {
    let property = |(name, kind, about): &(&str, &str, &str)| {
        let schema = object([
            ("type", Value::from(*kind)),
            ("description", Value::from(*about)),
        ]);
        ((*name).to_owned(), schema)
    };
    object([
        ("type", Value::from("object")),
        (
            "properties",
            Value::Object(members.iter().map(property).collect()),
        ),
        ("required", list(members.iter().map(|(name, ..)| *name))),
        ("additionalProperties", Value::Bool(false)),
    ])
}
