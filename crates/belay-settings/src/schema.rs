//! The JSON Schema of the settings, made from the table of keys. Not for the hook.

use belay_model::{Risk, Verdict};
use serde_json::{Map, Value, json};

use crate::keys::{KEYS, Key, Kind, LineKind};
use crate::{Mode, Provider};

/// Returns the JSON Schema of a settings file.
#[must_use]
pub fn schema() -> Value {
    let mut tables: Map<String, Value> = Map::new();
    for key in KEYS {
        match key.name.split_once('.') {
            None => {
                tables.insert(key.name.to_owned(), of_key(key));
            }
            Some((table, name)) => {
                let entry = tables.entry(table).or_insert_with(|| closed(Map::new()));
                if let Some(Value::Object(properties)) = entry.get_mut("properties") {
                    properties.insert(name.to_owned(), of_key(key));
                }
            }
        }
    }
    if let Some(Value::Object(properties)) = tables
        .get_mut("classifier")
        .and_then(|it| it.get_mut("properties"))
    {
        properties.insert(
            "fallback".to_owned(),
            json!({"type": "array", "items": endpoint()}),
        );
    }
    tables.insert(
        "tools".to_owned(),
        json!({"type": "object", "additionalProperties": risk()}),
    );
    let modes = json!({"type": "object", "additionalProperties": {"enum": Mode::WORDS}});
    tables.insert("projects".to_owned(), modes);
    tables.insert("rule".to_owned(), json!({"type": "array", "items": rule()}));
    tables.insert("test".to_owned(), json!({"type": "array", "items": test()}));
    let mut root = closed(tables);
    if let Value::Object(root) = &mut root {
        root.insert(
            "$schema".to_owned(),
            "https://json-schema.org/draft/2020-12/schema".into(),
        );
        root.insert("title".to_owned(), "Autobelay settings".into());
    }
    root
}

fn closed(properties: Map<String, Value>) -> Value {
    json!({"type": "object", "additionalProperties": false, "properties": properties})
}

fn of_key(key: &Key) -> Value {
    let mut schema = match key.kind {
        Kind::Words(words) => json!({"enum": words}),
        Kind::Number { least, most } => {
            json!({"type": "integer", "minimum": least, "maximum": most})
        }
        Kind::Decimal => json!({"type": "number", "minimum": 0, "maximum": 1_000_000}),
        Kind::YesNo => json!({"type": "boolean"}),
        Kind::Text => text(),
        Kind::Lines(LineKind::Words(words)) => json!({"type": "array", "items": {"enum": words}}),
        Kind::Lines(LineKind::Rule | LineKind::Glob | LineKind::Plain | LineKind::Phrase(_)) => {
            lines()
        }
    };
    if let Value::Object(schema) = &mut schema {
        schema.insert("description".to_owned(), key.about.into());
    }
    schema
}

fn text() -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": crate::draft::MOST_BYTES})
}

fn lines() -> Value {
    let most = crate::draft::MOST_ITEMS;
    json!({"oneOf": [text(), {"type": "array", "items": text(), "maxItems": most}]})
}

fn risk() -> Value {
    json!({"oneOf": [{"enum": Risk::WORDS}, {"type": "integer", "minimum": 0, "maximum": 100}]})
}

fn verdict() -> Value {
    json!({"enum": Verdict::WORDS})
}

fn endpoint() -> Value {
    let providers: Vec<&str> = Provider::WORDS
        .iter()
        .copied()
        .filter(|it| *it != "none")
        .collect();
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["provider"],
        "properties": {
            "provider": {"enum": providers},
            "model": text(),
            "base_url": text(),
            "api_key_env": text(),
            "api_key_command": lines(),
            "api_key_file": text(),
            "timeout_ms": {"type": "integer", "minimum": 1, "maximum": 120_000},
        },
    })
}

fn rule() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["verdict"],
        "minProperties": 2,
        "properties": {
            "id": text(),
            "tool": lines(),
            "command": lines(),
            "effect": lines(),
            "scope": {"oneOf": [
                {"enum": crate::tables::scope_words()},
                {"type": "array", "items": {"enum": crate::tables::scope_words()}},
            ]},
            "host": lines(),
            "path": lines(),
            "agent": lines(),
            "project": lines(),
            "verdict": verdict(),
            "because": text(),
            "instead": text(),
            "examples": {
                "type": "object",
                "additionalProperties": false,
                "properties": {"allow": lines(), "ask": lines(), "deny": lines()},
            },
        },
    })
}

fn test() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["verdict"],
        "oneOf": [{"required": ["command"]}, {"required": ["tool"]}],
        "properties": {
            "command": text(),
            "tool": text(),
            "input": text(),
            "verdict": verdict(),
            "headless": {"type": "boolean"},
        },
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_key_is_in_the_schema() {
        let schema = super::schema();
        for key in crate::keys::KEYS {
            let path = format!("/properties/{}", key.name.replace('.', "/properties/"));
            assert!(schema.pointer(&path).is_some(), "{}", key.name);
        }
    }
}
