//! `belay rules import`: the permission rules of an agent, as settings of ours.

use std::path::{Path, PathBuf};

use belay_settings::import::{self, Imported};

use crate::args::{ImportArgs, Origin};
use crate::out::{Failure, Out, harmless, talk};
use crate::places::{Here, variable};

/// Prints our settings for what an agent's file says; what was left is said on stderr.
pub fn import(args: &ImportArgs, out: &mut Out) -> Result<(), Failure> {
    let path = match &args.file {
        Some(path) => path.clone(),
        None => usual(args.from)?,
    };
    let text = std::fs::read_to_string(&path).map_err(|why| {
        let path = path.display();
        let hint = "hint: if the file is somewhere else, name it after the agent";
        Failure::Said(format!("cannot read `{path}`: {why}\n{hint}"))
    })?;
    let read = match args.from {
        Origin::Claude => import::claude(&text),
        Origin::Codex => import::codex(&text),
        Origin::Gemini => import::gemini(&text),
    };
    let imported = read.map_err(|why| Failure::Said(format!("{why}\n  --> {}", path.display())))?;
    out.bytes(imported.to_toml().as_bytes())?;
    report(&imported, &path);
    Ok(())
}

fn report(imported: &Imported, path: &Path) {
    talk(format_args!("from {}", path.display()));
    for left in &imported.left {
        talk(harmless(&format!("left: {} ({})", left.line, left.why)));
    }
    for changed in &imported.changed {
        talk(harmless(&format!(
            "means something else here: {} ({})",
            changed.line, changed.why
        )));
    }
    talk(if imported.is_empty() {
        "nothing was imported"
    } else {
        "nothing has changed yet: add this to your settings, then check with `belay rules` how belay reads it"
    });
}

/// Returns where the agent keeps its own rules.
fn usual(from: Origin) -> Result<PathBuf, Failure> {
    let here = Here::at(None)?;
    let home = here
        .home
        .ok_or_else(|| Failure::said("`HOME` is not set to a folder\nhint: name the file"))?;
    let below = |variable_name: &str, folder: &str| {
        variable(variable_name).map_or_else(|| Path::new(&home).join(folder), PathBuf::from)
    };
    Ok(match from {
        Origin::Claude => below("CLAUDE_CONFIG_DIR", ".claude").join("settings.json"),
        Origin::Codex => below("CODEX_HOME", ".codex").join("rules/default.rules"),
        Origin::Gemini => Path::new(&home).join(".gemini/policies/default.toml"),
    })
}
