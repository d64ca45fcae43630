//! What a project does to the gate: hooks switched off, variables planted, questions answered by
//! others, and the person's own rules.

use std::fs;
use std::path::{Path, PathBuf};

use belay_journal::json;
use belay_model::{Call, Value};

use super::{Finding, switched_off};
use crate::install::{Wish, is_ours};
use crate::{Agent, host_rules};

/// Variables that would lead the gate elsewhere if it followed them.
const LEADING: [&str; 5] = [
    "BELAY_CONFIG",
    "BELAY_STATE",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "HOME",
];

/// Looks at the settings that a project brings for an agent.
pub(super) fn findings(wish: &Wish<'_>, is_managed: bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in files(wish) {
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        findings.extend(switched_off(&path, &text).map(|it| {
            let what = format!("this repository disables hooks: {}", it.what);
            if is_managed {
                return Finding::note(format!("{what}; ours stays, the machine's owner wants it"));
            }
            let fix = it.fix.unwrap_or_default();
            Finding::bad(what, format!("{fix}, or as root: belay install --managed"))
        }));
        findings.extend(planted_by(&path, &text));
        findings.extend(answered_by(wish.agent, &path, &text));
    }
    let dotenv = wish.project.join(".env");
    let text = fs::read_to_string(&dotenv).unwrap_or_default();
    findings.extend(LEADING.iter().filter_map(|name| {
        let sets = |line: &str| {
            let line = line.trim_start().trim_start_matches("export ");
            line.strip_prefix(name)
                .is_some_and(|it| it.trim_start().starts_with('='))
        };
        text.lines().any(sets).then(|| planted(name, &dotenv))
    }));
    findings.extend(own_rules(wish));
    findings
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
        "this repository plants `{name}` in `{}`: it is not followed",
        path.display()
    ))
}

/// A hook of the repository's own may answer what the person should be asked.
fn answered_by(agent: Agent, path: &Path, text: &str) -> Option<Finding> {
    let settings = json::read(text.as_bytes()).ok()?;
    let hooks = settings.get("hooks")?.get("PermissionRequest")?.items()?;
    let foreign = hooks.iter().any(|it| !is_ours(agent, &json::compact(it)));
    foreign.then(|| {
        Finding::bad(
            format!(
                "another hook answers first: `{}` answers permission requests",
                path.display()
            ),
            "read it, and take it out unless it is yours",
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
        Finding::note("your ask and deny rules in the agent's settings stay yours: belay never answers for them")
    })
}
