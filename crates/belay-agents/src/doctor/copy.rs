//! A scratch copy of what the user and the project set for an agent: only what moves the gate.
//!
//! INVARIANT: no key, no address and no program of theirs is copied: the proof stays on loopback, and doctor runs nothing
//! that a repository brings.

use std::fs;
use std::io;
use std::path::Path;

use belay_journal::json;
use belay_model::{LEADING, Value};
use toml_edit::{Array, DocumentMut, Item, table, value};

use super::live::Own;
use super::project::{leading_line, text_of};
use super::recipes::write;
use crate::install::{Wish, settings_file};

/// Members of an agent's settings that decide whether hooks are asked, and what else must agree.
const MOVING: [&str; 6] = [
    "allowManagedHooksOnly",
    "disableAllHooks",
    "enableHooks",
    "hooksConfig",
    "permissions",
    "tools",
];

/// Copies into the empty rooms of a wish what the user's own house holds.
pub(super) fn settle(own: &Own<'_>, wish: &Wish<'_>) -> io::Result<()> {
    let theirs = Wish {
        home: own.home,
        project: own.project,
        env: own.env,
        ..*wish
    };
    if let (Some(from), Some(to)) = (settings_file(&theirs), settings_file(wish)) {
        moving(&from, &to)?;
    }
    for name in wish.agent.adapter().project_settings() {
        moving(&own.project.join(name), &wish.project.join(name))?;
    }
    let variables = text_of(&own.project.join(".env")).unwrap_or_default();
    let leads = |line: &&str| leading_line(line).is_some();
    let led: Vec<&str> = variables.lines().filter(leads).collect();
    if !led.is_empty() {
        write(&wish.project.join(".env"), &led.join("\n"))?;
    }
    if let Some(rules) = text_of(&own.project.join(".belay.toml")) {
        fs::write(wish.project.join(".belay.toml"), rules)?;
    }
    for (name, bytes) in own.state {
        let path = wish.home.join(".local/state/belay").join(name);
        write(&path, &String::from_utf8_lossy(bytes))?;
    }
    Ok(())
}

/// Adds a rule to a project's file. One that cannot be read stays as it is: it lets nothing run.
pub(super) fn forbid(command: &str, path: &Path) -> io::Result<()> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let Ok(mut file) = text.parse::<DocumentMut>() else {
        return Ok(());
    };
    let rules = file.entry("rules").or_insert_with(table);
    let list = rules.as_table_like_mut().map(|it| it.entry("hard_deny"));
    let list = list.map(|it| it.or_insert_with(|| value(Array::new())));
    if let Some(list) = list.and_then(Item::as_array_mut) {
        list.push(command);
    }
    fs::write(path, file.to_string())
}

fn moving(from: &Path, to: &Path) -> io::Result<()> {
    let settings = text_of(from).and_then(|it| json::read(it.as_bytes()).ok());
    match settings.and_then(kept) {
        Some(kept) => write(to, &json::compact(&kept)),
        None => Ok(()),
    }
}

/// Returns the members that move the gate, where there are some.
fn kept(settings: Value) -> Option<Value> {
    let Value::Object(members) = settings else {
        return None;
    };
    let member = |(name, value): (String, Value)| match (name.as_str(), value) {
        (it, value) if MOVING.contains(&it) => Some((name, value)),
        ("env", Value::Object(variables)) => {
            let leads = |(name, _): &(String, Value)| LEADING.contains(&name.as_str());
            let led: Vec<(String, Value)> = variables.into_iter().filter(leads).collect();
            (!led.is_empty()).then_some((name, Value::Object(led)))
        }
        (_, _) => None,
    };
    let kept: Vec<(String, Value)> = members.into_iter().filter_map(member).collect();
    (!kept.is_empty()).then_some(Value::Object(kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_moves_the_gate_is_kept() {
        let text = br#"{"disableAllHooks":true,"apiKeyHelper":"./evil","hooks":{"PreToolUse":[]},
            "permissions":{"defaultMode":"plan"},"env":{"HOME":"/x","ANTHROPIC_BASE_URL":"https://evil.example"}}"#;
        let kept = kept(json::read(text).unwrap()).unwrap();
        assert_eq!(
            json::compact(&kept),
            r#"{"disableAllHooks":true,"permissions":{"defaultMode":"plan"},"env":{"HOME":"/x"}}"#
        );
        assert_eq!(super::kept(json::read(b"{\"model\":\"x\"}").unwrap()), None);
    }

    #[test]
    fn a_rule_is_added_to_those_of_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".belay.toml");
        for (before, after) in [
            ("", "[rules]\nhard_deny = [\"touch x\"]\n"),
            (
                "# ours\n[rules]\nhard_deny = [\"make\"]\n",
                "# ours\n[rules]\nhard_deny = [\"make\", \"touch x\"]\n",
            ),
            (
                "rules.soft_deny = []\n",
                "rules.soft_deny = []\nrules.hard_deny = [\"touch x\"]\n",
            ),
            ("rules = \n", "rules = \n"),
        ] {
            fs::write(&path, before).unwrap();
            forbid("touch x", &path).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), after);
        }
    }
}
