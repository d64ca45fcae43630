//! Tools' examples hold: kind, parts of the input, and what their names say.
#![expect(clippy::expect_used, reason = "a test may fail")]

use belay_knowledge::{Guess, Knowledge, Part, ToolKind};
use belay_model::Value;
use serde_json::Value as Json;

const FILES: &[(&str, &str)] = &[
    (
        "tools/files.toml",
        include_str!("../../../knowledge/tools/files.toml"),
    ),
    (
        "tools/looks.toml",
        include_str!("../../../knowledge/tools/looks.toml"),
    ),
    (
        "tools/net.toml",
        include_str!("../../../knowledge/tools/net.toml"),
    ),
    (
        "tools/servers.toml",
        include_str!("../../../knowledge/tools/servers.toml"),
    ),
    (
        "tools/servers-files.toml",
        include_str!("../../../knowledge/tools/servers-files.toml"),
    ),
    (
        "tools/shell.toml",
        include_str!("../../../knowledge/tools/shell.toml"),
    ),
];

const PARTS: &[(&str, Part)] = &[
    ("path", Part::Path),
    ("command", Part::Command),
    ("url", Part::Url),
    ("content", Part::Content),
    ("cwd", Part::Cwd),
    ("patch", Part::Patch),
    ("input", Part::Input),
    ("code", Part::Code),
    ("pattern", Part::Pattern),
    ("mode", Part::Mode),
    ("saves", Part::Saves),
];

fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(it) => Value::Bool(*it),
        Json::Number(it) => Value::Number(it.to_string()),
        Json::String(it) => Value::String(it.clone()),
        Json::Array(it) => Value::Array(it.iter().map(value).collect()),
        Json::Object(it) => Value::Object(
            it.iter()
                .map(|(key, it)| (key.clone(), value(it)))
                .collect(),
        ),
    }
}

fn text(value: &Value) -> String {
    match value.items() {
        Some(items) => items.iter().map(text).collect::<Vec<_>>().join(" "),
        None => value.text().unwrap_or("?").to_owned(),
    }
}

fn lines(knowledge: &Knowledge, call: &str) -> Vec<String> {
    let (name, input) = call.split_once(' ').expect("a name and an input");
    let input = value(&serde_json::from_str(input).expect("JSON"));
    let tool = knowledge.tool(name).expect("a known tool");
    let mut out = vec![tool.kind().word().to_owned()];
    for (word, part) in PARTS {
        out.extend(
            tool.get(*part, &input)
                .into_iter()
                .map(|it| format!("{word} {}", text(it))),
        );
    }
    if tool.kind() == ToolKind::Mcp {
        out.extend(knowledge.guess(name).map(|it| match it {
            Guess::Looks => "looks".to_owned(),
            Guess::Changes => "changes".to_owned(),
            Guess::Acts => "acts".to_owned(),
        }));
    }
    out
}

#[test]
fn examples_hold() {
    let knowledge = Knowledge::load_texts(FILES).unwrap_or_else(|error| panic!("{error}"));
    for example in knowledge.examples() {
        assert_eq!(
            lines(&knowledge, &example.command),
            example.effects,
            "{}:{}",
            example.file,
            example.line
        );
    }
}

#[test]
fn members_named_twice_all_count() {
    let input = Value::Object(vec![
        ("command".to_owned(), Value::from("ls")),
        ("command".to_owned(), Value::from("rm x")),
    ]);
    let knowledge = Knowledge::load_texts(FILES).unwrap_or_else(|error| panic!("{error}"));
    let tool = knowledge.tool("Bash").expect("a known tool");
    assert_eq!(tool.get(Part::Command, &input).len(), 2);
}
