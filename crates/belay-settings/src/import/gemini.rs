//! Gemini CLI: the `[[rule]]` tables of its policy files.

use belay_model::Verdict;
use toml::{Table, Value};

use super::{ImportError, Imported};

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
        imported.leave(name, "it has no counterpart here");
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
        imported.command((&line, prefix.trim()), verdict, because.clone());
    }
    if prefixes.is_empty() {
        tools(imported, (&line, rule), verdict);
    }
}

fn tools(imported: &mut Imported, (line, rule): (&str, &Table), verdict: Verdict) {
    let names = texts(rule.get("toolName"));
    let server = rule.get("mcpName").and_then(Value::as_str);
    match (server, names.as_slice()) {
        (None, []) => imported.leave(line, "it names no tool"),
        (None, names) => {
            for name in names {
                imported.tool((line, name), verdict);
            }
        }
        (Some("*"), _) if verdict == Verdict::Allow => {
            imported.leave(line, "too broad: it names every server");
        }
        (Some(server), []) => imported.tool((line, &format!("mcp_{server}_*")), verdict),
        (Some(server), names) => {
            for name in names {
                imported.tool((line, &format!("mcp_{server}_{name}")), verdict);
            }
        }
    }
}
