//! What a project does to the gate: hooks switched off, variables planted, questions answered by
//! others, and the person's own rules.

use std::fs;
use std::path::{Path, PathBuf};

use belay_journal::json;
use belay_model::{Call, LEADING, Value};

use super::{Finding, switched_off};
use crate::install::{Wish, is_ours};
use crate::{Agent, host_rules};

/// No file of settings is longer.
const MOST_BYTES: u64 = 1 << 20;

/// Returns what a repository does to be rid of the gate, one line each: for the record and the bar, where we still run.
#[must_use]
pub fn attempts(agent: Agent, project: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for name in agent.adapter().project_settings() {
        let path = project.join(name);
        let Some(text) = text_of(&path) else {
            continue;
        };
        found.extend(switched_off(&path, &text).map(|it| disables(&it)));
        found.extend(planted_by(&path, &text).into_iter().map(|it| it.what));
    }
    found
}

/// Reads a file of settings; of what is none, nothing.
pub(super) fn text_of(path: &Path) -> Option<String> {
    let about = fs::metadata(path).ok()?;
    let readable = about.is_file() && about.len() <= MOST_BYTES;
    readable.then(|| fs::read_to_string(path).ok()).flatten()
}

fn disables(off: &Finding) -> String {
    format!("this repository disables hooks: {}", off.what)
}

/// Looks at the settings that a project brings for an agent.
pub(super) fn findings(wish: &Wish<'_>, is_managed: bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in files(wish) {
        let Some(text) = text_of(&path) else {
            continue;
        };
        findings.extend(switched_off(&path, &text).map(|it| {
            let what = disables(&it);
            if is_managed {
                return Finding::note(format!(
                    "{what}; belay's hook stays, because the machine's owner set it"
                ));
            }
            let fix = it.fix.unwrap_or_default();
            Finding::bad(what, format!("{fix}, or as root: belay install --managed"))
        }));
        findings.extend(planted_by(&path, &text));
        findings.extend(answered_by(wish.agent, &path, &text));
    }
    let dotenv = wish.project.join(".env");
    let text = text_of(&dotenv).unwrap_or_default();
    let led = text.lines().filter_map(leading_line);
    findings.extend(led.map(|name| planted(name, &dotenv)));
    findings.extend(own_rules(wish));
    findings
}

/// Returns the variable that a line of a file of variables sets, where it would lead the gate elsewhere.
pub(super) fn leading_line(line: &str) -> Option<&'static str> {
    let line = line.trim_start().trim_start_matches("export ");
    let (name, _) = line.split_once('=')?;
    LEADING.into_iter().find(|it| *it == name.trim())
}

fn files(wish: &Wish<'_>) -> Vec<PathBuf> {
    let names = wish.agent.adapter().project_settings();
    names.iter().map(|it| wish.project.join(it)).collect()
}

fn planted_by(path: &Path, text: &str) -> Vec<Finding> {
    let settings = json::read(text.as_bytes()).unwrap_or_default();
    let env = settings.get("env").and_then(Value::members);
    let names = env
        .unwrap_or_default()
        .iter()
        .map(|(name, _)| name.as_str());
    names
        .filter(|it| LEADING.contains(it))
        .map(|it| planted(it, path))
        .collect()
}

fn planted(name: &str, path: &Path) -> Finding {
    Finding::note(format!(
        "this repository sets `{name}` in `{}`: belay ignores it",
        path.display()
    ))
}

/// A hook that is not ours may answer what the person should be asked.
pub(super) fn answered_by(agent: Agent, path: &Path, text: &str) -> Option<Finding> {
    let settings = json::read(text.as_bytes()).ok()?;
    let hooks = settings.get("hooks")?.get("PermissionRequest")?.items()?;
    let foreign = hooks.iter().any(|it| !is_ours(agent, &json::compact(it)));
    foreign.then(|| {
        Finding::bad(
            format!(
                "another hook answers first: `{}` answers permission requests",
                path.display()
            ),
            "read it, and remove it unless it is yours",
        )
    })
}

fn own_rules(wish: &Wish<'_>) -> Option<Finding> {
    let text = |path: &Path| path.to_str().map(str::to_owned);
    let call = Call {
        cwd: text(wish.project)?,
        home: text(wish.home),
        ..Call::default()
    };
    let rules = host_rules(wish.agent, &call, wish.env);
    (!rules.is_empty()).then(|| {
        Finding::note("your own ask and deny rules still apply: belay never answers for them")
    })
}
