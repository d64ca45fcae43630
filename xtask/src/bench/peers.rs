//! Other gates of agents' calls, as `scripts/install-peers` puts them into `.cache/peers`.

use std::path::PathBuf;

use super::measure::{Place, Program};
use crate::{Outcome, run};

/// Returns a row for each peer and call, also for those that are not there.
pub fn rows(place: &Place) -> Outcome<Vec<Program>> {
    let folder = run::root().join(".cache/peers");
    let peers: [(&str, PathBuf, &[&str]); 3] = [
        (
            "cc-safety-net 2.4.5",
            folder.join("cc-safety-net/node_modules/.bin/cc-safety-net"),
            &["hook", "--claude-code"],
        ),
        ("nah 0.11.0", folder.join("nah/bin/nah"), &["_claude-hook"]),
        (
            "destructive_command_guard 0.16.0",
            folder.join("destructive-command-guard/bin/dcg"),
            &[],
        ),
    ];
    let home = place.another_home()?;
    let status = Place::written(&home.join("call.json"), &place.shell("git status"))?;
    let mut rows = Vec::new();
    for (name, program, words) in peers {
        let name = format!("{name}: `git status`");
        if !program.exists() {
            rows.push(Program::missing(
                name,
                "not installed: scripts/install-peers",
            ));
            continue;
        }
        let program = program.display().to_string();
        let words: Vec<&str> = std::iter::once(program.as_str())
            .chain(words.iter().copied())
            .collect();
        rows.push(
            Program::new(name, &words)
                .reading(status.clone())
                .at_home(home.clone())
                .slow(),
        );
    }
    Ok(rows)
}
