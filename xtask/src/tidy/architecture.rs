//! What ARCHITECTURE.md claims, held against the manifests and the sources.

use super::rooms::{OUTBUILDINGS, ROOMS};
use super::source::File;
use crate::Outcome;
use crate::deny::{BEHIND, STATIC_PATH};
use crate::metadata::{Kind, Packages};

/// Who may know the rules that weigh: the gate, and who prints them.
const KNOW_POLICY: [&str; 2] = ["autobelay", "belay-cli"];

/// Words of code that only some rooms may have, and why.
const KEPT: [Kept; 10] = [
    Kept {
        word: "TcpStream",
        rooms: &[
            "belay-http",
            "belay-model-server",
            "belay-classifier",
            "belay-cli",
        ],
        why: "network lives in the classifier, the daemon and the doctor's scripted model",
    },
    Kept {
        word: "std::process::Command",
        rooms: &["belay-classifier", "belay-agents", "belay-cli"],
        why: "nothing that judges starts a program",
    },
    Kept {
        word: "Listener::bind",
        rooms: &["belay-model-server", "belay-cli", "belay-receiver"],
        why: "the daemon listens, the doctor's scripted model while it proves, and the receiver, which is no part of the gate",
    },
    Kept {
        word: "fs::",
        rooms: &[
            "belay-knowledge",
            "belay-store",
            "belay-surroundings",
            "belay-classifier",
            "belay-settings",
            "belay-journal",
            "belay-ship",
            "belay-undo",
            "belay-receiver",
            "belay-model-server",
            "belay-agents",
            "belay-cli",
        ],
        why: "what judges asks `Surroundings`; the disk is touched by those who load, keep and install",
    },
    Kept {
        word: "env::var",
        rooms: &["belay-classifier", "belay-cli"],
        why: "the command line reads the environment, and the classifier the key that settings name",
    },
    Kept {
        word: "SystemTime::now",
        rooms: &[
            "belay-classifier",
            "belay-settings",
            "belay-journal",
            "belay-undo",
            "belay-cli",
        ],
        why: "a judgement that reads the clock cannot be replayed",
    },
    Kept {
        word: "process::exit",
        rooms: &["belay-cli"],
        why: "the gate does not end the process of whoever calls it",
    },
    Kept {
        word: "eprintln!",
        rooms: &[],
        why: "the command line prints through `out.rs`, everybody else not at all",
    },
    Kept {
        word: "println!",
        rooms: &[],
        why: "the command line prints through `out.rs`, everybody else not at all",
    },
    Kept {
        word: ".verdict = ",
        rooms: &["belay-settings", "belay-agents"],
        why: "nothing changes a verdict after the gate; adapters spell it as their host can hear it",
    },
];

/// Rooms that must not know each other although their places in the table would let them, and why.
const STRANGERS: [Strangers; 4] = [
    Strangers {
        room: "belay-policy",
        knows: &[
            "belay-shell",
            "belay-knowledge",
            "belay-languages",
            "belay-analysis",
        ],
        why: "policy does not know commands",
    },
    Strangers {
        room: "belay-places",
        knows: &["belay-shell", "belay-knowledge"],
        why: "where things lie does not depend on commands",
    },
    Strangers {
        room: "belay-agents",
        knows: &[
            "belay-policy",
            "belay-analysis",
            "belay-knowledge",
            "belay-settings",
        ],
        why: "an adapter does not know a verdict's grounds",
    },
    Strangers {
        room: "autobelay",
        knows: &["belay-classifier", "belay-journal", "belay-agents"],
        why: "the gate knows neither network nor wire nor record",
    },
];

/// Crates that would bring an async runtime or a network client to the static path.
const HEAVY: [&str; 9] = [
    "async-std",
    "hyper",
    "mio",
    "reqwest",
    "rustls",
    "smol",
    "socket2",
    "tokio",
    "ureq",
];

struct Strangers {
    room: &'static str,
    knows: &'static [&'static str],
    why: &'static str,
}

struct Kept {
    word: &'static str,
    rooms: &'static [&'static str],
    why: &'static str,
}

/// Lists claims that do not hold.
pub fn faults(packages: &Packages, files: &[File]) -> Outcome<Vec<String>> {
    let page = crate::run::read("ARCHITECTURE.md")?;
    let mut faults = told(&page);
    faults.extend(shipped(packages));
    faults.extend(weighers(packages));
    faults.extend(strangers(packages));
    faults.extend(heavy(packages));
    faults.extend(drawn(&page, files));
    faults.extend(files.iter().flat_map(kept));
    Ok(faults)
}

/// The table lists the rooms in their order; the others are named as those that do not ship.
fn told(page: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let rows = page.lines().filter_map(|it| it.strip_prefix("| `"));
    let rows: Vec<&str> = rows.filter_map(|it| it.split('`').next()).collect();
    if rows != ROOMS {
        faults.push(format!(
            "ARCHITECTURE.md: the table lists {rows:?}, the rooms are {ROOMS:?}"
        ));
    }
    let unnamed = OUTBUILDINGS
        .iter()
        .filter(|it| !page.contains(&format!("`{it}`")) && **it != "xtask");
    faults.extend(unnamed.map(|it| format!("ARCHITECTURE.md: does not name `{it}`")));
    let marks = ["<<<<<<<", ">>>>>>>"];
    if page
        .lines()
        .any(|it| marks.iter().any(|mark| it.starts_with(mark)))
    {
        faults.push("ARCHITECTURE.md: two versions of a passage".to_owned());
    }
    faults
}

/// What is linked into the binary are rooms and strangers, no outbuilding.
fn shipped(packages: &Packages) -> Vec<String> {
    let linked = packages.linked_names(&["belay-cli"], &[]);
    let wrong = OUTBUILDINGS.iter().filter(|it| linked.contains(**it));
    wrong
        .map(|it| format!("belay-cli: ships `{it}`, which only tests may use"))
        .collect()
}

/// Only the gate weighs, and only the command line shows how.
fn weighers(packages: &Packages) -> Vec<String> {
    let wants = packages.ours().filter(|it| {
        let known =
            |want: &crate::metadata::Want| want.name == "belay-policy" && want.kind != Kind::Dev;
        ROOMS.contains(&it.name.as_str()) && it.wants.iter().any(known)
    });
    wants
        .filter(|it| !KNOW_POLICY.contains(&it.name.as_str()))
        .map(|it| format!("{}: must not know the rules that weigh", it.name))
        .collect()
}

/// Rooms that must not know each other do not.
fn strangers(packages: &Packages) -> Vec<String> {
    let mut faults = Vec::new();
    for Strangers { room, knows, why } in STRANGERS {
        let own = packages.ours().filter(|it| it.name == room);
        let wants = own.flat_map(|it| &it.wants);
        let wrong = wants.filter(|it| it.kind != Kind::Dev && knows.contains(&it.name.as_str()));
        faults.extend(wrong.map(|it| format!("{room}: must not know `{}`: {why}", it.name)));
    }
    faults
}

/// The static path links neither an async runtime nor a network client.
fn heavy(packages: &Packages) -> Vec<String> {
    let linked = packages.linked_names(&STATIC_PATH, &BEHIND);
    let found = HEAVY.iter().filter(|it| linked.contains(**it));
    found
        .map(|it| format!("the static path links `{it}`"))
        .collect()
}

/// The picture of the flow shows the layers that the gate walks, in their order.
fn drawn(page: &str, files: &[File]) -> Vec<String> {
    let named = |line: &str| {
        let (_, name) = line.split_once("─ ")?;
        let branch = ["┬─ ", "├─ ", "└─ "].iter().any(|it| line.contains(it));
        name.split_whitespace()
            .next()
            .filter(|_| branch)
            .map(str::to_owned)
    };
    let mut shown: Vec<String> = page.lines().filter_map(named).collect();
    let raising = page.lines().find_map(|it| it.split_once("raised by ─── "));
    let raising = raising.map(|it| it.1.split(" · ")).into_iter().flatten();
    shown.extend(raising.filter_map(|it| it.split_whitespace().next().map(str::to_owned)));
    let walked: Vec<String> = files
        .iter()
        .filter(|it| it.path == "crates/autobelay/src/layers/mod.rs")
        .flat_map(|it| &it.lines)
        .filter_map(|it| {
            let it = it.trim();
            let rest = it
                .strip_prefix("settling(Layer::")
                .or(it.strip_prefix("raising(Layer::"))?;
            rest.split(',').next().map(str::to_lowercase)
        })
        .collect();
    if shown == walked {
        Vec::new()
    } else {
        vec![format!(
            "ARCHITECTURE.md: the picture shows {shown:?}, the gate walks {walked:?}"
        )]
    }
}

fn kept(file: &File) -> Vec<String> {
    let room = file.path.strip_prefix("crates/").unwrap_or_default();
    let room = room.split('/').next().unwrap_or_default();
    let ships = ROOMS.contains(&room) && !file.path.ends_with("build.rs");
    let own = |it: &&Kept| ships && !it.rooms.contains(&room);
    let found = KEPT.iter().filter(own).flat_map(|kept| {
        let lines = file.lines.iter().enumerate();
        let code = |line: &str| {
            line.split("//")
                .next()
                .unwrap_or_default()
                .contains(kept.word)
        };
        lines
            .filter(move |(_, it)| code(it))
            .map(|(at, _)| format!("{}:{}: `{}`: {}", file.path, at + 1, kept.word, kept.why))
    });
    found.collect()
}
