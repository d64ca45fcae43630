//! Codex runs a hook only when its hash stands in the user's `config.toml`; otherwise it skips it
//! without a word.

use std::fs;
use std::path::{Path, PathBuf};

use belay_journal::json;
use belay_model::Value;
use sha2::{Digest, Sha256};
use toml_edit::{DocumentMut, Item, Table, value};

use super::home;
use crate::Agent;
use crate::answer::object;
use crate::install::registration::{is_ours, leaving};
use crate::install::way::Written;
use crate::install::{Backup, Change, InstallError, Runs, Wish, files, jsonc};

/// One hook of ours and the hash that makes Codex run it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// Which hook: file, event, and its place among the others.
    pub key: String,
    /// `sha256:` and the hash.
    pub hash: String,
}

const EVENTS: [(&str, &str); 2] = [
    ("PreToolUse", "pre_tool_use"),
    ("PermissionRequest", "permission_request"),
];

/// Returns the pins of our hooks in the text of a `hooks.json`.
#[must_use]
pub fn pins(path: &Path, text: &str) -> Vec<Pin> {
    let place = resolved(path);
    let mut pins = Vec::new();
    for (event, snake) in EVENTS {
        let Ok(root) = jsonc::parse(text) else { break };
        let Ok(groups) = jsonc::items(&root, &["hooks", event]) else {
            break;
        };
        for (at, group) in groups.iter().enumerate() {
            let group = text.get(group.span.clone()).unwrap_or_default();
            if !is_ours(Agent::Codex, group) {
                continue;
            }
            let Some(hash) = hash(snake, group) else {
                continue;
            };
            let key = format!("{}:{snake}:{at}:0", place.display());
            pins.push(Pin { key, hash });
        }
    }
    pins
}

/// Returns where the file lies once links are followed, whether or not it is there.
fn resolved(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    let folder = path.parent().map(fs::canonicalize);
    match folder {
        Some(Ok(folder)) => folder.join(name),
        Some(Err(_)) | None => path.to_owned(),
    }
}

/// Returns the hash of a group with one hook, all defaults filled in and all names sorted.
fn hash(event: &str, group: &str) -> Option<String> {
    let group = json::read(group.as_bytes()).ok()?;
    let hook = group.get("hooks")?.items()?.first()?;
    let whole = object([
        ("event_name", event.into()),
        (
            "hooks",
            Value::Array(vec![object([
                ("async", Value::Bool(false)),
                ("command", hook.get("command")?.clone()),
                ("timeout", hook.get("timeout")?.clone()),
                ("type", "command".into()),
            ])]),
        ),
        ("matcher", group.get("matcher")?.clone()),
    ]);
    let digest = Sha256::digest(json::compact(&whole).as_bytes());
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(format!("sha256:{hex}"))
}

fn config_file(wish: &Wish<'_>) -> PathBuf {
    home(wish).join("config.toml")
}

/// Tells whether Codex trusts our hooks as these settings have them.
pub(super) fn stands(wish: &Wish<'_>, settings: &Written<'_>) -> bool {
    let pins = pins(settings.path, settings.text);
    let config = fs::read_to_string(config_file(wish)).unwrap_or_default();
    let stands = |pin: &Pin| config.contains(&pin.key) && config.contains(&pin.hash);
    !pins.is_empty() && pins.iter().all(stands)
}

/// Returns the change that makes Codex trust our hooks.
pub(super) fn addition(
    wish: &Wish<'_>,
    settings: &Written<'_>,
) -> Result<Option<Change>, InstallError> {
    let config = config_file(wish);
    let before = files::text(&config)?;
    let after = pinned(
        &config,
        before.as_deref(),
        &pins(settings.path, settings.text),
    )?;
    Ok((before.as_deref() != Some(&after)).then_some(Change {
        path: config,
        before,
        after: Some(after),
        runs: Runs::No,
        backup: Backup::Make,
    }))
}

/// Returns the change that takes our hooks out of those Codex trusts.
pub(super) fn removal(wish: &Wish<'_>, hooks: &Path) -> Result<Option<Change>, InstallError> {
    let config = config_file(wish);
    let (Some(now), Some(text)) = (files::text(&config)?, files::text(hooks)?) else {
        return Ok(None);
    };
    let pins = pins(hooks, &text);
    let backup = files::text(&files::backup_of(&config))?;
    let restores = pinned(&config, backup.as_deref(), &pins).is_ok_and(|it| it == now);
    let after = if restores {
        backup
    } else {
        Some(unpinned(&config, &now, &pins)?)
    };
    Ok(leaving(config, Some(now), after))
}

fn document(config: &Path, text: &str) -> Result<DocumentMut, InstallError> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        InstallError::NotToml(config.to_owned(), error.message().to_owned())
    })
}

fn pinned(config: &Path, text: Option<&str>, pins: &[Pin]) -> Result<String, InstallError> {
    let mut document = document(config, text.unwrap_or_default())?;
    for pin in pins {
        let hooks = below(document.as_table_mut(), "hooks");
        let state = hooks.and_then(|hooks| below(hooks, "state"));
        let Some(state) = state.and_then(|state| below(state, &pin.key)) else {
            return Err(InstallError::NotToml(
                config.to_owned(),
                "`hooks.state` is not a table".to_owned(),
            ));
        };
        state.set_implicit(false);
        if state.get("trusted_hash").and_then(Item::as_str) != Some(&pin.hash) {
            state.insert("trusted_hash", value(pin.hash.as_str()));
        }
    }
    Ok(document.to_string())
}

/// Returns the table of that name, made if it is missing.
fn below<'a>(table: &'a mut Table, name: &str) -> Option<&'a mut Table> {
    let item = table.entry(name).or_insert_with(|| {
        let mut made = Table::new();
        made.set_implicit(true);
        Item::Table(made)
    });
    item.as_table_mut()
}

fn unpinned(config: &Path, text: &str, pins: &[Pin]) -> Result<String, InstallError> {
    let mut document = document(config, text)?;
    let root = document.as_table_mut();
    if let Some(hooks) = root.get_mut("hooks").and_then(Item::as_table_mut) {
        if let Some(state) = hooks.get_mut("state").and_then(Item::as_table_mut) {
            for pin in pins {
                state.remove(&pin.key);
            }
            if state.is_empty() {
                hooks.remove("state");
            }
        }
        if hooks.is_empty() {
            root.remove("hooks");
        }
    }
    Ok(document.to_string())
}
