//! `belay statusline`: one line for an agent's bar.

use std::io::{self, IsTerminal, Read};
use std::path::Path;

use belay_agents::Agent;
use belay_agents::doctor::attempts;
use belay_journal::{Journal, json};
use belay_model::{Value, Verdict};
use belay_settings::Loaded;

use crate::anchor::{self, AnchorArgs};
use crate::out::{Failure, Out};
use crate::places::{Here, journal, switched_off_by};

/// An agent's description of itself is no longer.
const MOST_INPUT: u64 = 1 << 20;

/// So many records are counted at most: a bar is drawn often.
const MOST_RECORDS: usize = 5000;

/// Prints the mode and what was said in this session.
pub fn statusline(args: &AnchorArgs, out: &mut Out) -> Result<(), Failure> {
    if args.is_given() {
        args.drop_anchor();
    }
    let told = told_by_agent();
    let folder = told
        .get("cwd")
        .and_then(Value::text)
        .map(std::path::PathBuf::from);
    let here = Here::at(folder.as_deref().filter(|it| it.is_absolute()))?;
    let loaded = here.proven();
    if loaded.broken {
        return out.line("belay: the settings have errors, so nothing is allowed (belay config)");
    }
    let mode = loaded.settings.mode.word();
    let session = told.get("session_id").and_then(Value::text);
    let counts = journal(&loaded.settings, &here.places)
        .map(|it| counts(&it, session))
        .unwrap_or_default();
    let [allow, ask, deny] = counts;
    let tried = match is_tampered(&here, &loaded) {
        true => " · this repository tries to switch belay off (belay doctor)",
        false => "",
    };
    out.line(format_args!(
        "belay {mode}: {allow} allowed, {ask} asked, {deny} denied{tried}"
    ))
}

/// Tells whether the project's files or variables would lead the gate elsewhere, if they were followed.
fn is_tampered(here: &Here, loaded: &Loaded) -> bool {
    let project = Path::new(&here.project);
    let by_files = || {
        Agent::ALL
            .iter()
            .any(|it| !attempts(*it, project).is_empty())
    };
    let by_variables = || !anchor::planted_notes().is_empty();
    switched_off_by(loaded).is_some() || by_variables() || by_files()
}

/// Reads the JSON that the agent sends, if any.
fn told_by_agent() -> Value {
    let stdin = io::stdin().lock();
    let mut bytes = Vec::new();
    if stdin.is_terminal() || stdin.take(MOST_INPUT).read_to_end(&mut bytes).is_err() {
        return Value::Null;
    }
    json::read(&bytes).unwrap_or_default()
}

fn counts(journal: &Journal, session: Option<&str>) -> [u64; 3] {
    let ours = journal
        .newest()
        .take(MOST_RECORDS)
        .filter(|it| session.is_none() || it.call.session.as_deref() == session);
    ours.fold([0; 3], |[allow, ask, deny], record| {
        match record.judgement.verdict {
            Verdict::Allow => [allow + 1, ask, deny],
            Verdict::Ask => [allow, ask + 1, deny],
            Verdict::Deny => [allow, ask, deny + 1],
        }
    })
}
