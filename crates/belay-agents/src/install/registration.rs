//! Puts our hook among those of an agent, and takes it out again.

use std::path::{Path, PathBuf};

use belay_journal::json;

use super::jsonc;
use super::shapes::Entry;
use super::way::{OwnFile, Planned, Settings, Way, Written, hook_path, hook_words, way};
use super::{Backup, Change, InstallError, Plan, Runs, Wish, files};
use crate::Agent;

pub(super) fn install(wish: &Wish<'_>) -> Planned<Plan> {
    let mut plan = Plan::default();
    match way(wish)? {
        Way::Own(files) => {
            for file in files {
                plan.changes.extend(own(file)?);
            }
        }
        Way::Merge(files) => {
            for settings in files {
                into(wish, settings, &mut plan)?;
            }
        }
    }
    let note = wish.agent.adapter().note(wish.reach);
    plan.notes.extend(note.map(str::to_owned));
    plan.notes.extend(wish.door.map(|_| {
        "a daemon that is gone refuses every call, from version 2.1.295 on (`onFailure`); a session \
         starts it, and `belay serve --http` does"
            .to_owned()
    }));
    Ok(plan)
}

/// Plans the change of one file of settings, and what must be there before it.
fn into(wish: &Wish<'_>, settings: Settings, plan: &mut Plan) -> Planned<()> {
    let Settings { path, entries } = settings;
    let before = files::text(&path)?;
    let after = merged(wish.agent, before.as_deref(), &entries)
        .map_err(|error| InstallError::Uneditable(path.clone(), error))?;
    let written = Written {
        path: &path,
        text: &after,
    };
    wish.agent.adapter().prepare(wish, &written, plan)?;
    let mut settings = change(path, before, Some(after));
    if let (Some(change), Some(_)) = (&mut settings, wish.door) {
        change.runs = Runs::Private;
    }
    plan.changes.extend(settings);
    Ok(())
}

pub(super) fn uninstall(wish: &Wish<'_>) -> Planned<Plan> {
    let mut plan = Plan::default();
    match way(wish)? {
        Way::Own(files) => {
            for file in files.into_iter().rev() {
                plan.changes.extend(gone(file.path)?);
            }
        }
        Way::Merge(files) => {
            for Settings { path, entries } in files.into_iter().rev() {
                let before = files::text(&path)?;
                let after = without(wish.agent, &path, &entries)?;
                plan.changes.extend(leaving(path.clone(), before, after));
                wish.agent.adapter().clear(wish, &path, &mut plan)?;
            }
        }
    }
    Ok(plan)
}

pub(super) fn settings_file(wish: &Wish<'_>) -> Option<PathBuf> {
    match way(wish).ok()? {
        Way::Merge(files) => files.into_iter().next_back().map(|it| it.path),
        Way::Own(files) => files.into_iter().next_back().map(|it| it.path),
    }
}

/// Returns the settings with our items in them, as they are when all are there.
fn merged(
    agent: Agent,
    before: Option<&str>,
    entries: &[Entry],
) -> Result<String, jsonc::EditError> {
    let mut text = match before {
        Some(text) if !text.trim().is_empty() => text.to_owned(),
        Some(_) | None => "{}\n".to_owned(),
    };
    if let Some((name, value)) = agent.adapter().required_member() {
        text = jsonc::default_member(&text, name, &value)?;
    }
    for entry in entries {
        if holds(&text, entry)? {
            continue;
        }
        let ours = |item: &str| is_ours(agent, item);
        text = jsonc::remove(&text, &entry.path, &ours)?;
        text = {
            let item = jsonc::Item {
                value: &entry.item,
                end: entry.end,
            };
            jsonc::add(&text, &entry.path, item)?
        };
    }
    Ok(text)
}

fn holds(text: &str, entry: &Entry) -> Result<bool, jsonc::EditError> {
    let root = jsonc::parse(text)?;
    let items = jsonc::items(&root, &entry.path)?;
    Ok(items.iter().any(|item| {
        let text = text.get(item.span.clone()).unwrap_or_default();
        json::read(text.as_bytes()).is_ok_and(|value| value == entry.item)
    }))
}

/// Returns the settings without our items: exactly what was there before us, if nobody else
/// changed them since.
fn without(agent: Agent, path: &Path, entries: &[Entry]) -> Planned<Option<String>> {
    let Some(now) = files::text(path)? else {
        return Ok(None);
    };
    let wrong = |error| InstallError::Uneditable(path.to_owned(), error);
    let backup = files::text(&files::backup_of(path))?;
    if merged(agent, backup.as_deref(), entries).is_ok_and(|text| text == now) {
        return Ok(backup);
    }
    let mut text = now;
    for entry in entries {
        let ours = |item: &str| is_ours(agent, item);
        text = jsonc::remove(&text, &entry.path, &ours).map_err(wrong)?;
    }
    Ok(Some(text))
}

fn change(path: PathBuf, before: Option<String>, after: Option<String>) -> Option<Change> {
    (before != after).then_some(Change {
        path,
        before,
        after,
        runs: Runs::No,
        backup: Backup::Make,
    })
}

pub(crate) fn leaving(
    path: PathBuf,
    before: Option<String>,
    after: Option<String>,
) -> Option<Change> {
    let mut change = change(path, before, after)?;
    change.backup = Backup::Drop;
    Some(change)
}

/// Plans a file of ours, unless one of that name is there that is not.
pub(crate) fn own(file: OwnFile) -> Planned<Option<Change>> {
    let OwnFile { path, text, runs } = file;
    let before = files::text(&path)?;
    if let Some(there) = &before
        && !there.contains("belay")
    {
        return Err(InstallError::Foreign(path));
    }
    let mut change = change(path, before, Some(text));
    if let Some(change) = &mut change {
        change.runs = runs;
        change.backup = Backup::Drop;
    }
    Ok(change)
}

/// Plans that a file of ours goes.
pub(crate) fn gone(path: PathBuf) -> Planned<Option<Change>> {
    let before = files::text(&path)?;
    match &before {
        Some(there) if !there.contains("belay") => Err(InstallError::Foreign(path)),
        Some(_) => Ok(leaving(path, before, None)),
        None => Ok(None),
    }
}

/// Tells whether an item of an agent's settings is ours.
#[must_use]
pub fn is_ours(agent: Agent, item: &str) -> bool {
    let told = [hook_words(agent), hook_path(agent), "belay-gate".to_owned()];
    item.contains("belay") && told.iter().any(|it| item.contains(it))
}

pub(super) fn registered_port(wish: &Wish<'_>) -> Option<u16> {
    let text = files::text(&settings_file(wish)?).ok()??;
    let (before, _) = text.split_once(&hook_path(wish.agent))?;
    let (_, port) = before.rsplit_once("http://127.0.0.1:")?;
    port.parse().ok()
}

/// Counts the hooks of others in the list of that event.
#[must_use]
pub fn foreign(agent: Agent, text: &str, event: &str) -> usize {
    let Ok(root) = jsonc::parse(text) else {
        return 0;
    };
    let items = jsonc::items(&root, &["hooks", event]).unwrap_or_default();
    let theirs = |span: std::ops::Range<usize>| {
        let item = text.get(span).unwrap_or_default();
        !is_ours(agent, item)
    };
    items.iter().filter(|it| theirs(it.span.clone())).count()
}
