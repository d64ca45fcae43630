//! How well the house does its work: on labelled calls, and on what agents really run.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::Outcome;
use crate::run::{cargo, must, output, read, root, target};

/// Scores the labelled calls and writes `docs/scoreboard.md`.
pub fn scoreboard() -> Outcome {
    let belay = belay()?;
    let mut files: Vec<String> = std::fs::read_dir(root().join("corpus"))
        .map_err(|why| format!("cannot read `corpus`: {why}"))?
        .filter_map(|it| it.ok()?.path().to_str().map(str::to_owned))
        .filter(|it| it.ends_with(".jsonl"))
        .collect();
    files.sort();
    let mut command = Command::new(&belay);
    command
        .args(["eval", "--static"])
        .args(&files)
        .current_dir(root());
    let scored = command
        .output()
        .map_err(|why| format!("cannot start `{belay}`: {why}"))?;
    let shown =
        String::from_utf8_lossy(&scored.stdout).replace(&format!("{}/", root().display()), "");
    let text = format!(
        "# Scoreboard\n\nMade by `cargo xtask scoreboard` from `corpus/*.jsonl`: calls written and labelled by us, judged without a model and without a world.\nMisses are listed, not hidden.\n\n```\n{}\n```\n",
        shown.trim_end()
    );
    std::fs::write(root().join("docs/scoreboard.md"), &text)
        .map_err(|why| format!("cannot write `docs/scoreboard.md`: {why}"))?;
    println!("{}", shown.trim_end());
    Ok(())
}

/// Which matrix of agents and cases.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Matrix {
    /// Measured with the real clients, printed.
    Measured,
    /// The one the tests insist on, written into the README and its own page.
    Written,
}

/// Prints or writes the matrix of agents and cases.
pub fn agents(matrix: Matrix) -> Outcome {
    let test = ["test", "-p", "belay-e2e", "--test", "matrix", "--"];
    match matrix {
        Matrix::Measured => must(&mut cargo(
            &[&test[..], &["--ignored", "--nocapture"]].concat(),
        )),
        Matrix::Written => must(cargo(&test).env("BELAY_BLESS", "1")),
    }
}

/// One line of `knowledge/usage.tsv`.
struct Use {
    command: String,
    /// The flag, for uses of a flag.
    flag: Option<String>,
    count: u64,
}

/// Prints which share of real uses has a known command, and known flags.
pub fn coverage() -> Outcome {
    let left: BTreeSet<String> = read("knowledge/unknown.txt")
        .unwrap_or_default()
        .lines()
        .filter_map(|it| it.split('\t').next().map(|it| it.trim().to_owned()))
        .collect();
    let uses = uses(&read("knowledge/usage.tsv")?);
    let kept: Vec<&Use> = uses
        .iter()
        .filter(|it| !is_left(&it.command, &left))
        .collect();
    let known = judged(&kept)?;
    let mut missing: Vec<&Use> = Vec::new();
    for flags in [false, true] {
        let of = |it: &&(&&Use, &bool)| it.0.flag.is_some() == flags;
        let pairs: Vec<(&&Use, &bool)> = kept.iter().zip(&known).collect();
        let all: u64 = pairs.iter().filter(of).map(|it| it.0.count).sum();
        let good: u64 = pairs
            .iter()
            .filter(of)
            .filter(|it| *it.1)
            .map(|it| it.0.count)
            .sum();
        let what = if flags { "flags" } else { "commands" };
        println!(
            "{what}: {good} of {all} uses known, {:.1} %",
            100.0 * good as f64 / all.max(1) as f64
        );
        missing.extend(
            pairs
                .into_iter()
                .filter(|it| !it.1 && it.0.flag.is_some() == flags)
                .map(|it| *it.0),
        );
    }
    missing.sort_by_key(|it| std::cmp::Reverse(it.count));
    for it in missing.iter().take(25) {
        println!(
            "  {} {} {}",
            it.count,
            it.command,
            it.flag.as_deref().unwrap_or("")
        );
    }
    Ok(())
}

fn is_left(command: &str, left: &BTreeSet<String>) -> bool {
    left.contains(command)
        || command
            .split(' ')
            .next()
            .is_some_and(|it| left.contains(it))
}

fn uses(text: &str) -> Vec<Use> {
    let mut out = Vec::new();
    for line in text.lines().filter(|it| !it.starts_with('#')) {
        let mut parts = line.split('\t');
        let (Some(command), Some(count)) =
            (parts.next(), parts.next().and_then(|it| it.parse().ok()))
        else {
            continue;
        };
        out.push(Use {
            command: command.to_owned(),
            flag: None,
            count,
        });
        for flag in parts.next().unwrap_or_default().split_whitespace() {
            if let Some((flag, count)) = flag.rsplit_once(':') {
                out.push(Use {
                    command: command.to_owned(),
                    flag: Some(flag.replace("-NUM", "-5")),
                    count: count.parse().unwrap_or(0),
                });
            }
        }
    }
    out
}

/// Asks the program about each use; tells whether it is known.
fn judged(uses: &[&Use]) -> Outcome<Vec<bool>> {
    let mut child = Command::new(belay()?)
        .args(["check", "--jsonl", "--static"])
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|why| format!("cannot start belay: {why}"))?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    let lines: Vec<String> = uses
        .iter()
        .map(|it| {
            let command = match &it.flag {
                Some(flag) => format!("{} {flag} x", it.command),
                None => it.command.clone(),
            };
            let command = command.replace('\\', "\\\\").replace('"', "\\\"");
            format!("{{\"tool\":\"Bash\",\"input\":{{\"command\":\"{command}\"}},\"cwd\":\"/work/app\"}}\n")
        })
        .collect();
    let writer = std::thread::spawn(move || {
        lines
            .iter()
            .try_for_each(|line| stdin.write_all(line.as_bytes()))
    });
    let done = child.wait_with_output().map_err(|why| why.to_string())?;
    writer
        .join()
        .map_err(|_| "the writer failed")?
        .map_err(|why| why.to_string())?;
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let known = |line: &str| {
        !["unknown command", "unknown subcommand", "unknown flag"]
            .iter()
            .any(|it| line.contains(it))
    };
    Ok(text.lines().map(known).collect())
}

/// Builds the program and returns where it is.
fn belay() -> Outcome<String> {
    output(&mut cargo(&["build", "--quiet", "--package", "belay-cli"]))?;
    Ok(target().join("debug/belay").display().to_string())
}
