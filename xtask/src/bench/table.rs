//! The figures as a table, for the terminal and for `docs/design/speed.md`.

use std::fmt::Write as _;

use super::measure::{Program, has_strace};
use super::trees::Tree;
use super::{Length, rows};
use crate::{Outcome, run};

const OPENED: &str = "<!-- figures: cargo xtask bench --write -->";
const CLOSED: &str = "<!-- /figures -->";

/// Renders what was measured.
pub fn render(programs: &[Program], trees: &[Tree], length: Length) -> String {
    let median = |name: &str| {
        let found = programs.iter().find(|it| it.name == name);
        found.map_or(f64::NAN, |it| it.wall(0.5))
    };
    let base = median(rows::BASE);
    let mut text = String::from(
        "| program | median µs | × empty C | p95 µs | p99 µs | CPU µs | page faults (from disk) | system calls |\n|---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for it in programs {
        let _ = writeln!(text, "{}", line(it, base));
    }
    let _ = writeln!(
        text,
        "\n{} rounds, interleaved (slow rows {}); the baseline of every ratio is {}. CPU, page faults: medians of the whole process.",
        length.rounds,
        length.slow,
        rows::BASE
    );
    if !has_strace() {
        text.push_str(
            "System calls were not counted: strace is missing (`apt-get install strace`).\n",
        );
    }
    text.push_str("\n| a whole tree | files | median ms | p95 ms | `git status` itself, ms | only looking, in C, ms |\n|---|--:|--:|--:|--:|--:|\n");
    for it in trees {
        let [median, late] = it.millis;
        let _ = writeln!(
            text,
            "| `{}` | {} | {median:.1} | {late:.1} | {:.1} | {:.1} |",
            it.command, it.files, it.git, it.floor
        );
    }
    text.push_str("\nBeyond the same hook on `git log`, which looks at no tree; the files were not touched since the index was written, one is changed and one is new. The last column is a C program that only asks the system about each tracked file, or lists each folder, on two threads.\n");
    text
}

fn line(it: &Program, base: f64) -> String {
    if let Some(why) = &it.missing {
        return format!("| {} | {why} | | | | | | |", it.name);
    }
    let [minor, major] = it.faults();
    let calls = it.calls.map_or("–".to_owned(), |it| it.to_string());
    let [median, late, last] = [0.5, 0.95, 0.99].map(|share| it.wall(share));
    format!(
        "| {} | {median:.0} | {:.2} | {late:.0} | {last:.0} | {:.0} | {minor} ({major}) | {calls} |",
        it.name,
        median / base,
        it.cpu(0.5)
    )
}

/// Puts the tables between the marks of the page.
pub fn write(table: &str) -> Outcome {
    let path = run::root().join("docs/design/speed.md");
    let fault = |why: std::io::Error| format!("cannot write `{}`: {why}", path.display());
    let page = std::fs::read_to_string(&path).map_err(fault)?;
    let (before, rest) = page
        .split_once(OPENED)
        .ok_or("the page has no place for figures")?;
    let (_, after) = rest
        .split_once(CLOSED)
        .ok_or("the place for figures has no end")?;
    std::fs::write(&path, format!("{before}{OPENED}\n{table}{CLOSED}{after}")).map_err(fault)
}
