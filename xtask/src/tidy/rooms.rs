//! Which room may know which.

use crate::metadata::{Kind, Package, Packages, Want};

/// The rooms, each knowing only rooms before it. The table of ARCHITECTURE.md.
pub const ROOMS: [&str; 27] = [
    "belay-model",
    "belay-secrets",
    "belay-words",
    "belay-shell",
    "belay-knowledge",
    "belay-places",
    "belay-languages",
    "belay-analysis",
    "belay-policy",
    "belay-store",
    "belay-surroundings",
    "belay-classifier",
    "belay-bundle",
    "belay-settings",
    "belay-journal",
    "belay-ship",
    "belay-undo",
    "belay-page",
    "belay-http",
    "belay-model-server",
    "belay-agents",
    "belay-alarm",
    "belay-heap",
    "belay-bytes",
    "autobelay",
    "belay-cli",
    "belay-receiver",
];

/// Members that are no rooms: chores, and what only tests use.
pub const OUTBUILDINGS: [&str; 10] = [
    "belay-attack",
    "belay-e2e",
    "belay-faults",
    "belay-fleet",
    "belay-mutants",
    "belay-needs",
    "belay-oracle",
    "belay-shell-peers",
    "belay-witness",
    "xtask",
];

const MOST_STRANGERS: usize = 5;

/// Lists edges that point down the table, rooms that are not in it, and too many strangers.
pub fn faults(packages: &Packages) -> Vec<String> {
    packages.ours().flat_map(faults_of).collect()
}

fn faults_of(package: &Package) -> Vec<String> {
    let name = &package.name;
    if OUTBUILDINGS.contains(&name.as_str()) {
        return Vec::new();
    }
    let Some(own) = rank(name) else {
        return vec![format!(
            "{name}: not a room of the table in xtask/src/tidy/rooms.rs"
        )];
    };
    let mut faults: Vec<String> = package
        .wants
        .iter()
        .filter(|want| points_down(want, own))
        .map(|want| format!("{name}: must not know `{}`", want.name))
        .collect();
    let strangers = package
        .wants
        .iter()
        .filter(|want| is_stranger(want))
        .count();
    if strangers > MOST_STRANGERS {
        faults.push(format!(
            "{name}: {strangers} external dependencies, more than {MOST_STRANGERS}"
        ));
    }
    faults
}

fn rank(name: &str) -> Option<usize> {
    ROOMS.iter().position(|it| *it == name)
}

fn points_down(want: &Want, own: usize) -> bool {
    want.kind != Kind::Dev && rank(&want.name).is_some_and(|it| it >= own)
}

fn is_stranger(want: &Want) -> bool {
    let ours = rank(&want.name).is_some() || OUTBUILDINGS.contains(&want.name.as_str());
    want.kind == Kind::Normal && !ours
}
