//! Puts our hook among those of an agent, and takes it out again.

use std::path::{Path, PathBuf};

use belay_journal::json;

use super::jsonc;
use super::shapes::Entry;
use super::way::{
    Claim, Form, OwnFile, Planned, Settings, Way, Written, hook_path, hook_words, way,
};
use super::{
    Backup, Bar, Change, Fixed, InstallError, Plan, Reach, Runs, Wish, files, members, tables,
};
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
    if wish.reach == Reach::Managed && can_be_replaced(wish.belay) {
        plan.notes.push(format!(
            "users other than root can replace `{}`: put belay where only root can write, such as \
             /usr/local/bin, and install from there",
            wish.belay.display()
        ));
    }
    let note = wish.agent.adapter().note(wish.reach);
    plan.notes.extend(note.map(str::to_owned));
    plan.notes.extend(wish.door.map(|_| {
        "when the daemon is not running, every call is refused, from version 2.1.295 on (`onFailure`); a session \
         starts it, and so does `belay serve --http`"
            .to_owned()
    }));
    Ok(plan)
}

/// Tells whether somebody else than root may put another program in the place of ours.
#[cfg(unix)]
fn can_be_replaced(program: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = std::fs::canonicalize(program).unwrap_or_else(|_| program.to_owned());
    let open = |it: &Path| match std::fs::metadata(it) {
        Ok(about) => about.uid() != 0 || about.mode() & 0o022 != 0,
        Err(_) => true,
    };
    place.ancestors().any(open)
}

#[cfg(not(unix))]
fn can_be_replaced(_: &Path) -> bool {
    false
}

/// Plans the change of one file of settings, and what must be there before it.
fn into(wish: &Wish<'_>, settings: Settings, plan: &mut Plan) -> Planned<()> {
    let before = files::text(&settings.path)?;
    let after = merged(wish.agent, before.as_deref(), &settings)?;
    let written = Written {
        path: &settings.path,
        text: &after,
    };
    wish.agent.adapter().prepare(wish, &written, plan)?;
    let mut change = change(settings.path, before, Some(after));
    if let Some(change) = &mut change {
        change.runs = match wish.door {
            Some(_) => Runs::Private,
            None => wish.reach.runs(),
        };
    }
    plan.changes.extend(change);
    Ok(())
}

pub(super) fn uninstall(wish: &Wish<'_>) -> Planned<Plan> {
    let mut plan = Plan::default();
    let bar = match wish.agent.adapter().has_bar() {
        true => Bar::Shown,
        false => Bar::Untouched,
    };
    match way(&Wish { bar, ..*wish })? {
        Way::Own(files) => {
            for file in files.into_iter().rev() {
                plan.changes.extend(gone(file.path)?);
            }
        }
        Way::Merge(files) => {
            for settings in files.into_iter().rev() {
                let before = files::text(&settings.path)?;
                let after = without(wish.agent, before.as_deref(), &settings)?;
                let path = settings.path;
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

/// Returns the settings with all that is ours in them.
fn merged(agent: Agent, before: Option<&str>, ours: &Settings) -> Planned<String> {
    match ours.form {
        Form::Json => merged_json(agent, before, ours)
            .map_err(|error| InstallError::Uneditable(ours.path.clone(), error)),
        Form::Toml => tables::with(agent, before, ours),
    }
}

fn merged_json(
    agent: Agent,
    before: Option<&str>,
    ours: &Settings,
) -> Result<String, jsonc::EditError> {
    let text = match before {
        Some(text) if !text.trim().is_empty() => text,
        Some(_) | None => "{}\n",
    };
    let mut text = members::with(text, &ours.members)?;
    for entry in &ours.entries {
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

/// Returns the settings without all that is ours: exactly what was there before us, if nobody else
/// changed them since.
fn without(agent: Agent, now: Option<&str>, ours: &Settings) -> Planned<Option<String>> {
    let Some(now) = now else { return Ok(None) };
    let backup = files::text(&files::backup_of(&ours.path))?;
    let is_ours_alone =
        |ours: &Settings| merged(agent, backup.as_deref(), ours).is_ok_and(|text| text == now);
    if is_ours_alone(ours) || is_ours_alone(&least(ours)) {
        return Ok(backup);
    }
    let texts = Texts {
        now,
        before: backup.as_deref(),
    };
    Ok(Some(match ours.form {
        Form::Json => unmerged_json(agent, texts, ours)
            .map_err(|error| InstallError::Uneditable(ours.path.clone(), error))?,
        Form::Toml => tables::without(agent, texts, ours)?,
    }))
}

/// Settings as they are, and as they were before us.
#[derive(Clone, Copy)]
pub(super) struct Texts<'a> {
    pub(super) now: &'a str,
    pub(super) before: Option<&'a str>,
}

/// Leaves out what not everybody wished to have.
fn least(ours: &Settings) -> Settings {
    let mut least = ours.clone();
    least.members.retain(|it| it.claim != Claim::IfFree);
    least
}

fn unmerged_json(
    agent: Agent,
    texts: Texts<'_>,
    ours: &Settings,
) -> Result<String, jsonc::EditError> {
    let mut text = texts.now.to_owned();
    for entry in &ours.entries {
        let ours = |item: &str| is_ours(agent, item);
        text = jsonc::remove(&text, &entry.path, &ours)?;
    }
    let texts = Texts {
        now: &text,
        ..texts
    };
    members::without(texts, &ours.members)
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

/// Reads the options behind our words: paths in single quotes, as [`super::way::anchor_words`] writes them.
pub(super) fn fixed(wish: &Wish<'_>) -> Option<Fixed> {
    let text = files::text(&settings_file(wish)?).ok()??;
    let (_, mut rest) = text.split_once(&hook_words(wish.agent))?;
    let mut fixed = Fixed::default();
    while let Some(words) = rest.strip_prefix(" --") {
        let (name, value) = words.split_once(" '")?;
        let (path, after) = value.split_once('\'')?;
        let path = Some(PathBuf::from(path));
        match name {
            "settings" => fixed.settings = path,
            "home" => fixed.home = path,
            "state" => fixed.state = path,
            _ => return None,
        }
        rest = after;
    }
    Some(fixed)
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
