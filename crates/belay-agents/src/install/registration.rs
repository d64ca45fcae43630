//! Where each agent keeps its hooks and what ours looks like there.

use std::path::{Path, PathBuf};

use belay_journal::json;
use belay_model::Value;

use super::jsonc;
use super::shapes::{self, Entry};
use super::{Backup, Change, Consent, InstallError, Plan, Reach, Runs, Stance, Wish, files, trust};
use crate::Agent;

/// How an agent is told of us.
enum Way {
    /// By items in lists of its JSON settings; the last file switches us on.
    Merge(Vec<(PathBuf, Vec<Entry>)>),
    /// By files of our own; the last one switches us on.
    Own(Vec<(PathBuf, String, Runs)>),
}

type Planned<T> = Result<T, InstallError>;

pub(super) fn install(wish: &Wish<'_>) -> Planned<Plan> {
    let mut plan = Plan::default();
    match way(wish)? {
        Way::Own(files) => {
            for (path, text, runs) in files {
                plan.changes.extend(own(path, text, runs)?);
            }
        }
        Way::Merge(files) => {
            for (path, entries) in files {
                into(wish, (path, &entries), &mut plan)?;
            }
        }
    }
    plan.notes.extend(note(wish).map(str::to_owned));
    plan.notes.extend(wish.door.map(|_| {
        "a daemon that is gone refuses every call, from version 2.1.295 on (`onFailure`); a session \
         starts it, and `belay serve --http` does"
            .to_owned()
    }));
    Ok(plan)
}

/// Plans the change of one file of settings, and what must be there before it.
fn into(wish: &Wish<'_>, (path, entries): (PathBuf, &[Entry]), plan: &mut Plan) -> Planned<()> {
    let before = files::text(&path)?;
    let after = merged(wish.agent, before.as_deref(), entries)
        .map_err(|error| InstallError::Uneditable(path.clone(), error))?;
    if wish.agent == Agent::Codex {
        trusted(wish, (&path, &after), plan)?;
    }
    if wish.agent == Agent::Amp {
        let (path, text) = shapes::amp_program(wish)?;
        plan.changes.extend(own(path, text, Runs::Yes)?);
    }
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
            for (path, _, _) in files.into_iter().rev() {
                plan.changes.extend(gone(path, wish.agent)?);
            }
        }
        Way::Merge(files) => {
            for (path, entries) in files.into_iter().rev() {
                let before = files::text(&path)?;
                let after = without(wish.agent, (&path, before.as_deref()), &entries)?;
                plan.changes.extend(leaving(path.clone(), before, after));
                if wish.agent == Agent::Codex {
                    plan.changes.extend(trust::removal(wish, &path)?);
                }
                if wish.agent == Agent::Amp {
                    plan.changes
                        .extend(gone(shapes::amp_program(wish)?.0, wish.agent)?);
                }
            }
        }
    }
    Ok(plan)
}

pub(super) fn settings_file(wish: &Wish<'_>) -> Option<PathBuf> {
    match way(wish).ok()? {
        Way::Merge(files) => files.into_iter().next_back().map(|(path, _)| path),
        Way::Own(files) => files.into_iter().next_back().map(|(path, _, _)| path),
    }
}

fn trusted(wish: &Wish<'_>, (path, after): (&Path, &str), plan: &mut Plan) -> Planned<()> {
    match wish.trust {
        Consent::Given => plan.changes.extend(trust::addition(wish, (path, after))?),
        Consent::Missing => plan.notes.push(
            "Codex skips hooks it does not trust without a word: review them with `/hooks` in \
             Codex, or let belay enter its own: `belay install codex --trust-codex`"
                .to_owned(),
        ),
    }
    Ok(())
}

const fn note(wish: &Wish<'_>) -> Option<&'static str> {
    match (wish.agent, wish.reach) {
        (Agent::Gemini, _) => Some(
            "a hook of Gemini CLI can refuse but not approve: use `--yolo` or `tools.allowed` and \
             let belay refuse",
        ),
        (Agent::Copilot | Agent::VsCode, Reach::Project) => {
            Some("hooks of a repository run only in a trusted folder")
        }
        (agent, _) if !agent.was_run() => {
            Some("this agent could not be run by us: written from its documentation")
        }
        (_, _) => None,
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
    if agent == Agent::Cursor {
        text = jsonc::default_member(&text, "version", &Value::Number("1".to_owned()))?;
    }
    for entry in entries {
        if holds(&text, entry)? {
            continue;
        }
        let ours = |item: &str| is_ours(agent, item);
        text = jsonc::remove(&text, &entry.path, &ours)?;
        text = jsonc::add(&text, &entry.path, (&entry.item, entry.end))?;
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
fn without(
    agent: Agent,
    (path, before): (&Path, Option<&str>),
    entries: &[Entry],
) -> Planned<Option<String>> {
    let Some(now) = before else { return Ok(None) };
    let wrong = |error| InstallError::Uneditable(path.to_owned(), error);
    let backup = files::text(&files::backup_of(path))?;
    if merged(agent, backup.as_deref(), entries).is_ok_and(|text| text == now) {
        return Ok(backup);
    }
    let mut text = now.to_owned();
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

pub(super) fn leaving(
    path: PathBuf,
    before: Option<String>,
    after: Option<String>,
) -> Option<Change> {
    let mut change = change(path, before, after)?;
    change.backup = Backup::Drop;
    Some(change)
}

fn own(path: PathBuf, text: String, runs: Runs) -> Planned<Option<Change>> {
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

fn gone(path: PathBuf, agent: Agent) -> Planned<Option<Change>> {
    let before = files::text(&path)?;
    match &before {
        Some(there) if !there.contains("belay") => Err(InstallError::Foreign(path)),
        Some(_) => Ok(leaving(path, before, None)),
        None => {
            debug_assert_ne!(agent, Agent::Generic);
            Ok(None)
        }
    }
}

/// Tells whether an item of an agent's settings is ours.
#[must_use]
pub fn is_ours(agent: Agent, item: &str) -> bool {
    let told = [hook_words(agent), hook_path(agent), "belay-gate".to_owned()];
    item.contains("belay") && told.iter().any(|it| item.contains(it))
}

/// Returns the path of the daemon's address that answers for an agent.
pub(super) fn hook_path(agent: Agent) -> String {
    format!("/belay/hook/{}", agent.word())
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

fn hook_words(agent: Agent) -> String {
    format!("hook {}", agent.word())
}

/// Returns the line of shell that runs us and refuses when we cannot be run or are killed.
pub(super) fn guarded(wish: &Wish<'_>, stance: Stance) -> Planned<String> {
    let run = format!(
        "{} {}{}",
        quoted(wish.belay)?,
        hook_words(wish.agent),
        anchor_words(wish)?
    );
    Ok(match stance {
        Stance::Gate => format!("{run} || {{ echo 'belay: refused' >&2; exit 2; }}"),
        Stance::Observe => format!("{run} || true"),
    })
}

/// Returns the options that fix settings, home and state, each with the path it names.
pub(super) fn anchored<'a>(wish: &Wish<'a>) -> Vec<(&'static str, &'a Path)> {
    let named = [
        ("--settings", wish.settings),
        ("--home", Some(wish.home)),
        ("--state", wish.state),
    ];
    let given = |(name, path): (_, Option<_>)| Some((name, path?));
    named.into_iter().filter_map(given).collect()
}

/// Returns these options for a line of shell.
pub(super) fn anchor_words(wish: &Wish<'_>) -> Planned<String> {
    let mut words = String::new();
    for (name, path) in anchored(wish) {
        words.push_str(&format!(" {name} {}", quoted(path)?));
    }
    Ok(words)
}

fn quoted(path: &Path) -> Planned<String> {
    let odd = || InstallError::OddPath(path.to_owned());
    let text = path.to_str().ok_or_else(odd)?;
    if !path.is_absolute() || text.contains(['\'', '\n', '"', '\\']) {
        return Err(odd());
    }
    Ok(format!("'{text}'"))
}

fn way(wish: &Wish<'_>) -> Planned<Way> {
    if wish.door.is_some() && wish.agent != Agent::ClaudeCode {
        return Err(InstallError::NoDoor(wish.agent));
    }
    let latin = |path: &Path| path.to_string_lossy().chars().all(|it| it <= '\u{ff}');
    if wish.door.is_some() && !latin(wish.home) {
        return Err(InstallError::FarHome(wish.home.to_owned()));
    }
    let line = guarded(wish, wish.stance)?;
    let looks = guarded(wish, Stance::Observe)?;
    let folder = folder(wish)?;
    let merge = |name: &str, entries| Way::Merge(vec![(folder.join(name), entries)]);
    Ok(match wish.agent {
        Agent::ClaudeCode => merge("settings.json", shapes::claude(wish, &line, &looks)?),
        Agent::Codex => merge("hooks.json", shapes::codex(&line)),
        Agent::Gemini => merge("settings.json", shapes::gemini(&line)),
        Agent::Qwen => merge("settings.json", shapes::qwen(&line)),
        Agent::Cursor => merge("hooks.json", shapes::cursor(wish, &line)),
        Agent::Windsurf => merge("hooks.json", shapes::windsurf(&line)),
        // Which of the two is read, and when, differs from version to version.
        Agent::Droid => Way::Merge(vec![
            (folder.join("hooks.json"), shapes::droid(&line, &[])),
            (
                folder.join("settings.json"),
                shapes::droid(&line, &["hooks"]),
            ),
        ]),
        Agent::Amp => merge("settings.json", shapes::amp(wish)?),
        Agent::Copilot => Way::Own(vec![file(
            &folder,
            "hooks/belay.json",
            &shapes::copilot(&line),
        )]),
        Agent::VsCode => Way::Own(vec![file(
            &folder,
            "hooks/belay-vscode.json",
            &shapes::vscode(&line),
        )]),
        Agent::Kiro => Way::Own(vec![file(
            &folder,
            "hooks/belay.json",
            &shapes::kiro(&line),
        )]),
        Agent::Goose => Way::Own(vec![
            file(&folder, "plugin.json", &shapes::goose_plugin()),
            file(&folder, "hooks/hooks.json", &shapes::goose(wish, &line)),
        ]),
        Agent::OpenCode => Way::Own(vec![(
            folder.join("plugin/belay.js"),
            shapes::opencode(wish),
            Runs::No,
        )]),
        Agent::Cline => Way::Own(vec![(
            folder.join("PreToolUse"),
            format!("#!/bin/sh\n{line}\n"),
            Runs::Yes,
        )]),
        Agent::Generic => return Err(InstallError::ByHand(Agent::Generic)),
    })
}

pub(super) fn folder(wish: &Wish<'_>) -> Planned<PathBuf> {
    let moved = |name: &str| {
        (wish.env)(name)
            .filter(|it| !it.is_empty())
            .map(PathBuf::from)
    };
    let config = || moved("XDG_CONFIG_HOME").unwrap_or_else(|| wish.home.join(".config"));
    let or_home = |name: &str, at: &str| moved(name).unwrap_or_else(|| wish.home.join(at));
    Ok(match (wish.reach, wish.agent) {
        (Reach::User, Agent::ClaudeCode) => or_home("CLAUDE_CONFIG_DIR", ".claude"),
        (Reach::User, Agent::Codex) => or_home("CODEX_HOME", ".codex"),
        (Reach::User, Agent::Copilot | Agent::VsCode) => or_home("COPILOT_HOME", ".copilot"),
        (Reach::User, Agent::OpenCode) => config().join("opencode"),
        (Reach::User, Agent::Amp) => config().join("amp"),
        (Reach::User, Agent::Windsurf) => wish.home.join(".codeium/windsurf"),
        (Reach::User, Agent::Cline) => wish.home.join("Documents/Cline/Hooks"),
        (Reach::User, agent) => wish.home.join(project_folder(agent)?),
        (Reach::Project, agent) => wish.project.join(project_folder(agent)?),
    })
}

/// Tells whether the agent's own folder is there; ours in it need not be.
pub(super) fn is_present(wish: &Wish<'_>) -> bool {
    let Ok(folder) = folder(wish) else {
        return false;
    };
    match wish.agent {
        Agent::Cline => folder.parent().is_some_and(Path::is_dir),
        Agent::Goose => wish.home.join(".config/goose").is_dir(),
        // Shares its folder with Copilot CLI.
        Agent::VsCode => wish.home.join(".vscode").is_dir(),
        Agent::ClaudeCode
        | Agent::Codex
        | Agent::Gemini
        | Agent::Copilot
        | Agent::Qwen
        | Agent::OpenCode
        | Agent::Cursor
        | Agent::Windsurf
        | Agent::Droid
        | Agent::Kiro
        | Agent::Amp
        | Agent::Generic => folder.is_dir(),
    }
}

fn project_folder(agent: Agent) -> Planned<&'static str> {
    Ok(match agent {
        Agent::ClaudeCode => ".claude",
        Agent::Codex => ".codex",
        Agent::Gemini => ".gemini",
        Agent::Qwen => ".qwen",
        Agent::Copilot | Agent::VsCode => ".github",
        Agent::OpenCode => ".opencode",
        Agent::Cursor => ".cursor",
        Agent::Windsurf => ".windsurf",
        Agent::Cline => ".clinerules/hooks",
        Agent::Droid => ".factory",
        Agent::Kiro => ".kiro",
        Agent::Goose => ".agents/plugins/belay",
        Agent::Amp => return Err(InstallError::NoSuchReach(agent)),
        Agent::Generic => return Err(InstallError::ByHand(agent)),
    })
}

fn file(folder: &Path, name: &str, value: &Value) -> (PathBuf, String, Runs) {
    let mut text = String::new();
    jsonc::pretty(value, ("  ", 0), &mut text);
    text.push('\n');
    (folder.join(name), text, Runs::No)
}
