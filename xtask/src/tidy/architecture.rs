//! What ARCHITECTURE.md claims, held against the manifests and the sources.

use super::rooms::{OUTBUILDINGS, ROOMS};
use super::source::File;
use crate::Outcome;
use crate::metadata::{Kind, Packages};

/// Who may know the rules that weigh: the gate, and who prints them.
const KNOW_POLICY: [&str; 2] = ["autobelay", "belay-cli"];

/// Words of code that only some rooms may have, and why.
const KEPT: [Kept; 5] = [
    Kept {
        word: "TcpStream",
        rooms: &["belay-classifier", "belay-cli"],
        why: "network lives in the classifier and the daemon",
    },
    Kept {
        word: "std::process::Command",
        rooms: &["belay-classifier", "belay-agents", "belay-cli"],
        why: "nothing that judges starts a program",
    },
    Kept {
        word: "Listener::bind",
        rooms: &["belay-cli"],
        why: "the daemon is the one server that ships",
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
    let linked = packages.linked(&["belay-cli"], &[]);
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
