//! Gemini CLI: the `[[rule]]` tables of its policy files.

use belay_model::Verdict;
use toml::{Table, Value};

use super::{ImportError, Imported, Part};

/// Turns a policy file of Gemini CLI into ours.
///
/// # Errors
/// When the text is not TOML.
pub fn gemini(text: &str) -> Result<Imported, ImportError> {
    let policy: Table = text
        .parse()
        .map_err(|it: toml::de::Error| ImportError(it.message().to_owned()))?;
    let mut imported = Imported::default();
    let rules = policy.get("rule").and_then(Value::as_array);
    for rule in rules.into_iter().flatten() {
        if let Some(rule) = rule.as_table() {
            take(&mut imported, rule);
        }
    }
    if rules.is_some_and(|it| it.len() > 1) {
        imported.changed.push(super::Left {
            line: "priority".to_owned(),
            why: "here deny wins over ask and ask over allow, whatever the priority",
        });
    }
    for name in policy.keys().filter(|it| *it != "rule") {
        imported.leave(name, "it has no counterpart in belay");
    }
    Ok(imported)
}

fn texts(value: Option<&Value>) -> Vec<&str> {
    match value {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        Some(_) | None => Vec::new(),
    }
}

fn take(imported: &mut Imported, rule: &Table) {
    let line = rule.to_string().trim().replace('\n', ", ");
    let verdict = match rule.get("decision").and_then(Value::as_str) {
        Some("allow") => Verdict::Allow,
        Some("ask_user") => Verdict::Ask,
        Some("deny") => Verdict::Deny,
        Some(_) | None => return imported.leave(&line, "its decision is not known"),
    };
    if rule.contains_key("commandRegex") || rule.contains_key("argsPattern") {
        return imported.leave(&line, "regular expressions have no counterpart here");
    }
    let narrowing = ["modes", "toolAnnotations", "subagent", "interactive"];
    if narrowing.iter().any(|it| rule.contains_key(*it)) {
        return imported.leave(&line, "its conditions have no counterpart here");
    }
    let because = rule.get("denyMessage").or_else(|| rule.get("deny_message"));
    let because = because.and_then(Value::as_str).map(str::to_owned);
    let prefixes = texts(rule.get("commandPrefix"));
    for prefix in &prefixes {
        let part = Part {
            line: &line,
            text: prefix.trim(),
        };
        imported.command(part, verdict, because.clone());
    }
    if prefixes.is_empty() {
        let every = rule.get("mcpName").and_then(Value::as_str) == Some("*");
        match named_tools(rule) {
            Ok(_) if every && verdict == Verdict::Allow => {
                imported.leave(&line, "too broad: it names every server");
            }
            Ok(names) => {
                for name in &names {
                    let part = Part {
                        line: &line,
                        text: name,
                    };
                    imported.tool(part, verdict);
                }
            }
            Err(why) => imported.leave(&line, why),
        }
    }
}

/// Returns the tools that a rule names: by themselves, of a server, or all of a server's.
fn named_tools(rule: &Table) -> Result<Vec<String>, &'static str> {
    let names = texts(rule.get("toolName"));
    let server = rule.get("mcpName").and_then(Value::as_str);
    match (server, names.as_slice()) {
        (None, []) => Err("it names no tool"),
        (None, names) => Ok(names.iter().map(|it| (*it).to_owned()).collect()),
        (Some(server), []) => Ok(vec![format!("mcp_{server}_*")]),
        (Some(server), names) => Ok(names
            .iter()
            .map(|name| format!("mcp_{server}_{name}"))
            .collect()),
    }
}
