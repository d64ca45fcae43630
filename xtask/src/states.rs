//! How well each program is known: witnessed by the kernel, read twice, or read once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use toml::{Table, Value};

use crate::Outcome;
use crate::knowledge::{self, File, parted, texts};

/// The programs that the kernel watches.
const WITNESSES: &str = include_str!("../../crates/belay-witness/tools.txt");

/// The programs whose flags were read a second time, one by one, against their manuals.
const TWICE: &str = include_str!("read-twice.txt");

/// Flags that every program of a file may share without a proof.
const PLAIN: [&str; 8] = [
    "-h",
    "--help",
    "-h --help",
    "-V",
    "-v",
    "--version",
    "-V --version",
    "-v --version",
];

/// How well a program is known; the best that is true of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Witnessed,
    Twice,
    Once,
}

impl State {
    const ALL: [Self; 3] = [Self::Witnessed, Self::Twice, Self::Once];

    const fn told(self) -> [&'static str; 2] {
        match self {
            Self::Witnessed => [
                "witnessed",
                "runs under strace in `cargo xtask witness`: all it did must have been said",
            ],
            Self::Twice => [
                "read twice",
                "each of its flags was read a second time against its manual",
            ],
            Self::Once => [
                "read once",
                "its flags are its own, found in its manual or help, or written from memory",
            ],
        }
    }
}

/// Writes the page.
pub fn page() -> Outcome<String> {
    let mut by_state: BTreeMap<State, BTreeSet<String>> = BTreeMap::new();
    for (name, state) in states()? {
        by_state.entry(state).or_default().insert(name);
    }
    let mut text = "# How well each program is known\n\nMade by `cargo xtask docs --write` from `knowledge/commands`, `crates/belay-witness/tools.txt` and `xtask/src/read-twice.txt`.\nThe best that is true of a program counts.\n\n| state | programs | what it means |\n|---|---|---|\n".to_owned();
    for state in State::ALL {
        let [name, means] = state.told();
        let count = by_state.get(&state).map_or(0, BTreeSet::len);
        let _ = writeln!(text, "| {name} | {count} | {means} |");
    }
    for state in State::ALL {
        let names = by_state.remove(&state).unwrap_or_default();
        let names: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
        let _ = write!(text, "\n## {}\n\n{}\n", state.told()[0], names.join(" "));
    }
    Ok(text)
}

fn states() -> Outcome<BTreeMap<String, State>> {
    let listed = WITNESSES.lines().filter(|it| !it.starts_with('#'));
    let watched: BTreeSet<&str> = listed.flat_map(|it| it.split(' ').skip(2)).collect();
    let twice: BTreeSet<&str> = TWICE.split_whitespace().collect();
    let mut all = BTreeMap::new();
    for file in knowledge::files()?
        .iter()
        .filter(|it| !it.command.contains(' '))
    {
        for name in programs(file) {
            let state = match () {
                () if watched.contains(name.as_str()) => State::Witnessed,
                () if twice.contains(name.as_str()) => State::Twice,
                () => State::Once,
            };
            all.insert(name, state);
        }
    }
    Ok(all)
}

/// Returns the names of the programs that a file speaks of.
pub fn programs(file: &File) -> Vec<String> {
    let mut names: Vec<String> = own(&file.table);
    let tools = file.table.get("tool").and_then(Value::as_table);
    for key in tools.into_iter().flat_map(Table::keys) {
        names.extend(key.split('|').map(str::to_owned));
    }
    if names.is_empty() {
        names.push(file.command.clone());
    }
    names
}

fn own(table: &Table) -> Vec<String> {
    let names = table.get("names").map(texts).unwrap_or_default();
    names.into_iter().map(str::to_owned).collect()
}

/// Tells whether several programs of a file share flags that nobody proved for each.
pub fn shares(file: &File) -> bool {
    let plain = |it: &String| PLAIN.contains(&it.as_str());
    let inert = file.table.get("inert").and_then(Value::as_str);
    let flags = inert.map(parted).unwrap_or_default();
    let tools = file.table.get("tool").and_then(Value::as_table);
    let several = different(&file.table) + tools.map_or(0, Table::len) > 1;
    several && !flags.iter().all(plain)
}

/// Counts the programs among a file's own names that are not one in other words (`cp` and `gcp` are one), and whose flags were not
/// read in the manual of each (`same_flags`).
fn different(table: &Table) -> usize {
    let names = own(table);
    let said = ["same_names", "same_flags"].map(|it| table.get(it).map(texts));
    let same: Vec<&str> = said.into_iter().flatten().flatten().collect();
    let mut seen: Vec<&str> = Vec::new();
    for name in &names {
        let one = |other: &&str| {
            let both = |it: &&str| {
                let words: Vec<&str> = it.split(',').map(str::trim).collect();
                words.contains(&name.as_str()) && words.contains(other)
            };
            name.strip_prefix('g') == Some(other)
                || name
                    .strip_suffix('*')
                    .is_some_and(|it| other.starts_with(it))
                || same.iter().any(both)
        };
        if !seen.iter().any(one) {
            seen.push(name);
        }
    }
    seen.len()
}
