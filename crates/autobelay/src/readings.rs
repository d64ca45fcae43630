//! Calls that can be read in more than one way, or that make several calls: `~` may mean two folders, and a folder that the input
//! names may be one that the host ignores.
//!
//! INVARIANT: each reading is judged for itself and the strictest verdict stands.

use belay_knowledge::{Knowledge, Part, ToolKind};
use belay_model::{Call, Judgement, Value};

use crate::{program, reasons};

/// Judges every reading of a call.
pub(crate) fn strictest(
    call: &Call,
    knowledge: &Knowledge,
    judge: &dyn Fn(&Call) -> Judgement,
) -> Judgement {
    if let Some(calls) = program::calls_of(call, knowledge) {
        let each = |it: &Call| read(it, knowledge, judge);
        if let Some(judgement) = program::judged(&calls, &each) {
            return judgement;
        }
    }
    read(call, knowledge, judge)
}

/// Judges every reading of a call that is no program.
fn read(call: &Call, knowledge: &Knowledge, judge: &dyn Fn(&Call) -> Judgement) -> Judgement {
    let mut strictest = judge(call);
    for other in others(call, knowledge) {
        let mut there = judge(&other.call);
        if there.verdict > strictest.verdict {
            reasons::note(&mut there.reason.because, &other.note);
            strictest = there;
        }
    }
    strictest
}

struct Reading {
    call: Call,
    note: String,
}

fn others(call: &Call, knowledge: &Knowledge) -> Vec<Reading> {
    let mut readings = folders(call, knowledge);
    let Some(home) = &call.env_home else {
        return readings;
    };
    let plain = Reading {
        call: call.clone(),
        note: String::new(),
    };
    let there: Vec<Reading> = readings
        .iter()
        .chain([&plain])
        .map(|it| Reading {
            call: Call {
                home: Some(home.clone()),
                env_home: None,
                ..it.call.clone()
            },
            note: format!(" (here `HOME` is `{home}`)"),
        })
        .collect();
    readings.extend(there);
    readings
}

/// The folder a command is told to run in: each that is named, and the call's own.
fn folders(call: &Call, knowledge: &Knowledge) -> Vec<Reading> {
    // A folder stands beside a command, or there is nothing to run in it.
    let members = call.input.members().filter(|it| it.len() > 1);
    let tool = members.and_then(|_| knowledge.tool(&call.tool));
    let shell = tool.filter(|it| it.kind() == ToolKind::Shell);
    let (Some(members), Some(tool)) = (members, shell) else {
        return Vec::new();
    };
    let names_folder = |name: &str| tool.is_member(Part::Cwd, name);
    let named: Vec<&str> = members
        .iter()
        .map(|(name, _)| name.as_str())
        .filter(|it| names_folder(it))
        .collect();
    if named.is_empty() {
        return Vec::new();
    }
    let keeping = |kept: Option<&str>| {
        let stays = |name: &str| !names_folder(name) || Some(name) == kept;
        let members = members.iter().filter(|(name, _)| stays(name)).cloned();
        Call {
            input: Value::Object(members.collect()),
            ..call.clone()
        }
    };
    let alone = Reading {
        call: keeping(None),
        note: " (if the agent ignores the folder in its input)".to_owned(),
    };
    let one = |name: &&str| Reading {
        call: keeping(Some(name)),
        note: format!(" (if the agent uses `{name}`)"),
    };
    let several = (named.len() > 1).then(|| named.iter().map(one));
    several.into_iter().flatten().chain([alone]).collect()
}
