//! Claude Code: `permissions.allow`, `ask`, `deny` and `autoMode` of `settings.json`.

use belay_knowledge::{OURS, Tool, ToolKind};
use belay_model::Verdict;
use serde_json::Value;

use super::{ImportError, Imported, ImportedRule, Left, Part, add};

/// Turns the settings of Claude Code into ours.
///
/// # Errors
/// When the text is not JSON.
pub fn claude(text: &str) -> Result<Imported, ImportError> {
    let settings: Value = serde_json::from_str(text).map_err(|it| ImportError(it.to_string()))?;
    let mut imported = Imported::default();
    if let Some(permissions) = settings.get("permissions") {
        for verdict in Verdict::ALL {
            for line in texts(permissions.get(verdict.word())) {
                rule(&mut imported, line, verdict);
            }
        }
        for folder in texts(permissions.get("additionalDirectories")) {
            if folder.starts_with(['/', '~']) {
                add(&mut imported.roots, folder);
            } else {
                imported.leave(folder, "a folder must be absolute or in home");
            }
        }
        if let Some(mode) = permissions.get("defaultMode").and_then(Value::as_str) {
            imported.leave(mode, "`defaultMode` is the agent's own; ours is `mode`");
        }
    }
    if let Some(auto) = settings.get("autoMode") {
        auto_mode(&mut imported, auto);
    }
    Ok(imported)
}

fn texts(list: Option<&Value>) -> impl Iterator<Item = &str> {
    let items = list.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str)
}

fn auto_mode(imported: &mut Imported, auto: &Value) {
    let Some(members) = auto.as_object() else {
        return imported.leave("autoMode", "it is not a table");
    };
    for (name, value) in members {
        let list = match name.as_str() {
            "allow" => &mut imported.allow,
            "soft_deny" => &mut imported.soft_deny,
            "hard_deny" => &mut imported.hard_deny,
            "environment" => &mut imported.environment,
            other => {
                imported.leave(other, "this key of `autoMode` has no counterpart in belay");
                continue;
            }
        };
        for line in texts(Some(value)) {
            add(list, line);
        }
    }
}

fn rule(imported: &mut Imported, line: &str, verdict: Verdict) {
    let parts = line.strip_suffix(')').and_then(|it| it.split_once('('));
    let Some((tool, inside)) = parts else {
        let tool = if line.starts_with("mcp__") && line.matches("__").count() == 1 {
            format!("{line}__*")
        } else {
            line.to_owned()
        };
        return imported.tool(Part { line, text: &tool }, verdict);
    };
    let part = Part { line, text: inside };
    if inside.trim_matches(['*', ':', ' ']).is_empty() {
        return imported.tool(Part { line, text: tool }, verdict);
    }
    match OURS.tool(tool).map(Tool::kind) {
        Some(ToolKind::Shell) => bash(imported, part, verdict),
        Some(ToolKind::ReadFile) => path(imported, part, on(&["read"], verdict)),
        Some(ToolKind::Edit | ToolKind::Notebook) => {
            path(imported, part, on(&["write", "delete", "move"], verdict));
        }
        Some(ToolKind::Fetch) => host(imported, part, on(&["fetch"], verdict)),
        Some(_) | None => imported.leave(
            line,
            "what stands in the parentheses has no counterpart here",
        ),
    }
}

/// Returns a rule about these effects that still lacks what they are done to.
fn on(effects: &[&'static str], verdict: Verdict) -> ImportedRule {
    ImportedRule {
        effect: effects.to_vec(),
        verdict: verdict.word(),
        ..ImportedRule::default()
    }
}

fn bash(imported: &mut Imported, part: Part<'_>, verdict: Verdict) {
    let Part { line, text: inside } = part;
    let open = inside
        .strip_suffix(":*")
        .or_else(|| inside.strip_suffix(" *"));
    let words = open.unwrap_or(inside);
    if words.contains('*') {
        return imported.leave(line, "a `*` in the middle has no counterpart here");
    }
    let taken = imported.left.len();
    imported.command(Part { line, text: words }, verdict, None);
    let exact = open.is_none() && verdict == Verdict::Allow;
    if exact && imported.left.len() == taken {
        imported.changed.push(Left {
            line: line.to_owned(),
            why: "here it also covers further words of the same command",
        });
    }
}

fn path(imported: &mut Imported, part: Part<'_>, rule: ImportedRule) {
    let Part { line, text: inside } = part;
    let glob = match inside.strip_prefix("//") {
        Some(rest) => format!("/{rest}"),
        None => inside
            .strip_prefix('/')
            .map_or_else(|| inside.to_owned(), |it| format!("./{it}")),
    };
    if crate::glob::Glob::new(&glob).is_err() {
        return imported.leave(line, "the path cannot be read as a glob");
    }
    let everything = glob.trim_matches(['/', '*', '.', '~']).is_empty();
    if everything && rule.verdict == Verdict::Allow.word() {
        return imported.leave(line, "too broad: it names every path");
    }
    imported.rules.push(ImportedRule {
        path: Some(glob),
        ..rule
    });
}

fn host(imported: &mut Imported, part: Part<'_>, rule: ImportedRule) {
    let Part { line, text: inside } = part;
    let Some(host) = inside
        .strip_prefix("domain:")
        .filter(|it| !it.trim_matches(['*', '.']).is_empty())
    else {
        return imported.leave(line, "only `domain:` with a name has a counterpart here");
    };
    imported.rules.push(ImportedRule {
        host: Some(host.to_owned()),
        ..rule
    });
}
