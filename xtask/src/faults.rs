//! Accidents by chance: the built hook, started as an agent starts it, must never read as allow.

use std::process::{Command, Stdio};

use crate::Outcome;
use crate::run::{build, must, output, root, target};

/// Where the table stands.
const PAGE: &str = "docs/design/faults.md";

/// What stands before the table.
const HEAD: &str = "# Accidents by chance

`cargo xtask faults` starts the built hook as an agent starts it, with the line of shell that `belay install` registers, and lets something go
wrong. CI plays 300 trials from the run's seed; `--long` plays 10,000 with crowds of 1,000 hooks. `--seed S --trials N` repeats a run, `--only TEXT`
picks faults by their names. Everything runs in namespaces of its own, on a disk in memory.

Each trial starts from a home in which a session went on for a while: calls allowed, asked and denied, work kept for `belay undo`, flags fetched, a
model asked. Then comes one call. It is harmless, or does harm, or loses work that no commit holds, or only a model may allow it.

What must hold, whatever goes wrong:

* A call that does harm is never allowed, neither during the accident nor by the next hook after it.
* The agent gets one whole JSON answer, or exit code 2. Anything else counts as **open**, because agents then run the call.
* Every verdict that was answered is a record with the same verdict, and a reader of the journal finds it.
* No record is lost. A hook that dies may leave one torn line, which puts no other line in doubt.
* A call that is allowed because its loss was kept really is given back by `belay undo`.
* A call that only a model may allow is allowed only by a model that is well and said so.

**gone** counts hooks whose shell, or whose daemon, was killed too: nobody was left to answer. No registration can close that; the host must. One
thing is not looked at: the journal of `no HOME, none registered`, which lies where the user database says.

A bit that flips in a file of ours may leave a file that still reads well. Settings and the session's memory have no checksum: what such a bit changes
is believed. Journal lines are chained, so `belay log verify` names the line.
";

/// Builds gate and trials, and hands over the words; `--write` keeps the table.
pub fn run(words: &[&str]) -> Outcome {
    build(&["belay-cli", "belay-faults"])?;
    let mut trials = Command::new(target().join("debug/belay-faults"));
    trials.args(words.iter().filter(|it| **it != WRITE));
    if !words.contains(&WRITE) {
        return must(&mut trials);
    }
    let table = output(trials.stderr(Stdio::inherit()))?;
    let typed: Vec<&str> = words.iter().copied().filter(|it| *it != WRITE).collect();
    let typed = [&["cargo xtask faults"], typed.as_slice()]
        .concat()
        .join(" ");
    let page = format!("{HEAD}\nThis is what `{typed}` printed:\n\n{table}");
    std::fs::write(root().join(PAGE), page).map_err(|why| format!("cannot write `{PAGE}`: {why}"))
}

const WRITE: &str = "--write";
