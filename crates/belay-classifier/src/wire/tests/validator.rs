//! As much of JSON Schema as our schemas use, and every object is closed unless it says otherwise.

use serde_json::Value as Json;

/// Lists where a value does not fit a schema.
pub(super) fn violations(schema: &Json, value: &Json) -> Vec<String> {
    let mut found = Vec::new();
    look(schema, value, "", &mut found);
    found
}

fn look(schema: &Json, value: &Json, place: &str, found: &mut Vec<String>) {
    if let Some(ways) = schema.get("oneOf").and_then(Json::as_array) {
        let fitting = ways.iter().filter(|it| violations(it, value).is_empty());
        if fitting.count() != 1 {
            found.push(format!("{place}: fits not exactly one of the ways"));
        }
        return;
    }
    if schema.get("const").is_some_and(|it| it != value) {
        found.push(format!("{place}: is not {}", schema["const"]));
    }
    if let Some(words) = schema.get("enum").and_then(Json::as_array)
        && !words.contains(value)
    {
        found.push(format!("{place}: `{value}` is none of the words"));
    }
    if let Some(kind) = schema.get("type").and_then(Json::as_str)
        && !is_a(kind, value)
    {
        found.push(format!("{place}: is no {kind}"));
        return;
    }
    let least = schema.get("minimum").and_then(Json::as_f64);
    if least.is_some_and(|least| value.as_f64().is_none_or(|it| it < least)) {
        found.push(format!("{place}: is too small"));
    }
    if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
        for (at, item) in values.iter().enumerate() {
            look(items, item, &format!("{place}/{at}"), found);
        }
    }
    if let (Some(properties), Some(members)) = (schema.get("properties"), value.as_object()) {
        for name in schema
            .get("required")
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
        {
            let name = name.as_str().unwrap();
            if !members.contains_key(name) {
                found.push(format!("{place}: no `{name}`"));
            }
        }
        for (name, member) in members {
            match properties.get(name) {
                Some(schema) => look(schema, member, &format!("{place}/{name}"), found),
                None => found.push(format!("{place}: `{name}` is not known")),
            }
        }
    }
}

fn is_a(kind: &str, value: &Json) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        other => panic!("unknown type {other}"),
    }
}
