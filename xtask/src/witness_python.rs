//! Python itself witnesses what the reader says of programs: each runs under an audit hook, and every act must be
//! covered by something the reader predicted, or by its saying that it could not read the program.

mod generate;

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use belay_languages::{ANYTHING, Doing, WITHIN, read};
use generate::{Chance, Program};
use serde_json::Value;

use crate::Outcome;

/// So many programs are made, besides those written by hand.
const MADE: usize = 2_000;

const RUNNER: &str = include_str!("witness_python/runner.py");
const HOSTILE: &str = include_str!("../../crates/autobelay/tests/python/hostile.txt");
const HARMLESS: &str = include_str!("../../crates/autobelay/tests/python/harmless.txt");

/// Runs programs and compares; a seed makes the same programs again.
pub fn run(seed: Option<u64>) -> Outcome {
    let seed = seed.unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        now.map_or(1, |it| u64::from(it.subsec_nanos()) ^ it.as_secs())
    });
    let programs = programs(seed);
    let answers = answers(&programs)?;
    let mut tally = Tally::default();
    for (program, answer) in programs.iter().zip(&answers) {
        tally.add(program, answer);
    }
    eprintln!("{}", tally.told(seed));
    if tally.uncovered.is_empty() {
        return Ok(());
    }
    let shown: Vec<String> = tally.uncovered.iter().take(40).cloned().collect();
    Err(format!(
        "witness: {} acts that nobody predicted\n{}",
        tally.uncovered.len(),
        shown.join("\n----\n")
    ))
}

fn programs(seed: u64) -> Vec<Program> {
    let written = |text: &str, harmless: bool| -> Vec<Program> {
        let spoken = |it: &&str| !it.is_empty() && !it.starts_with("# ");
        let lines = text.lines().filter(spoken);
        lines
            .map(|it| Program {
                text: it.replace('⏎', "\n"),
                harmless,
            })
            .collect()
    };
    let mut all = written(HOSTILE, false);
    all.extend(written(HARMLESS, true));
    let mut chance = Chance::new(seed);
    all.extend((0..MADE).map(|_| generate::program(&mut chance)));
    all
}

/// Runs all programs in a namespace without a network.
fn answers(programs: &[Program]) -> Outcome<Vec<Value>> {
    let folder = std::env::temp_dir().join(format!("belay-witness-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let runner = folder.join("runner.py");
    std::fs::write(&runner, RUNNER).map_err(|why| why.to_string())?;
    let mut child = Command::new("unshare")
        .args(["--user", "--map-root-user", "--net", "python3", "-B"])
        .arg(&runner)
        .arg(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|why| format!("witness: cannot run python3 in a namespace: {why}"))?;
    let lines: String = programs
        .iter()
        .map(|it| format!("{}\n", Value::String(it.text.clone())))
        .collect();
    let mut input = child.stdin.take().ok_or("witness: no input")?;
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().map_err(|why| why.to_string())?;
    let _ = writer.join();
    let _ = std::fs::remove_dir_all(&folder);
    let text = String::from_utf8_lossy(&output.stdout);
    let answers: Vec<Value> = text
        .lines()
        .filter_map(|it| serde_json::from_str(it).ok())
        .collect();
    if answers.len() == programs.len() {
        return Ok(answers);
    }
    Err(format!(
        "witness: {} answers to {} programs",
        answers.len(),
        programs.len()
    ))
}

#[derive(Default)]
struct Tally {
    programs: usize,
    ran: usize,
    acts: usize,
    unread: usize,
    harmless: usize,
    allowed: usize,
    uncovered: Vec<String>,
}

impl Tally {
    fn add(&mut self, program: &Program, answer: &Value) {
        self.programs += 1;
        self.ran += usize::from(answer.get("refused").is_none());
        let doings = read("python", &program.text);
        let unread = doings.as_ref().is_none_or(|it| it.iter().any(is_unread));
        self.unread += usize::from(unread);
        if program.harmless {
            self.harmless += 1;
            self.allowed += usize::from(!unread && doings.iter().flatten().all(is_calm));
        }
        let home = text(answer, "home");
        let project = text(answer, "project");
        for act in answer
            .get("acts")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.acts += 1;
            let seen = Seen {
                act,
                project: &project,
                home: &home,
            };
            if !unread && !doings.iter().flatten().any(|it| seen.is_covered(it)) {
                self.uncovered
                    .push(format!("{}\ndid {act}\npredicted {doings:?}", program.text));
            }
        }
    }

    fn told(&self, seed: u64) -> String {
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        format!(
            "witness python: seed {seed}, {} programs ({} ran), {} acts seen, {} uncovered\n  unread: {:.1} %; of {} harmless programs {:.1} % are read whole and calm",
            self.programs,
            self.ran,
            self.acts,
            self.uncovered.len(),
            share(self.unread, self.programs),
            self.harmless,
            share(self.allowed, self.harmless),
        )
    }
}

fn text(answer: &Value, key: &str) -> String {
    answer
        .get(key)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

fn is_unread(doing: &Doing) -> bool {
    matches!(doing, Doing::Unread { .. } | Doing::Run(None))
}

/// Tells whether a doing is one that nobody asks about: inside the project, or nowhere.
fn is_calm(doing: &Doing) -> bool {
    let near = |it: &str| !it.starts_with(['/', '~', ANYTHING]) && !it.starts_with("..");
    match doing {
        Doing::Read(path) => !path.starts_with(ANYTHING),
        Doing::Write(path) | Doing::Unpack(path) | Doing::Delete(path, _) => path
            .as_deref()
            .is_some_and(|it| near(it) || it.starts_with("/tmp/")),
        Doing::Import(_) | Doing::Variable(_) | Doing::Package { .. } | Doing::Search(Some(_)) => {
            true
        }
        Doing::Run(it) => it.is_some(),
        Doing::Other(..) | Doing::Fetch(Some(_)) | Doing::Send(Some(_)) => true,
        Doing::Load(_)
        | Doing::Folder(_)
        | Doing::Search(None)
        | Doing::Fetch(None)
        | Doing::Send(None)
        | Doing::Spill(_) => false,
        Doing::Unread { .. } | Doing::NodePackage { .. } | Doing::Secret(_) => false,
    }
}

/// One act that Python saw.
struct Seen<'a> {
    act: &'a Value,
    project: &'a str,
    home: &'a str,
}

impl Seen<'_> {
    fn word(&self, at: usize) -> &str {
        self.act.get(at).and_then(Value::as_str).unwrap_or_default()
    }

    /// Tells whether something predicted is this act.
    fn is_covered(&self, doing: &Doing) -> bool {
        match (self.word(0), doing) {
            // A program that changes its folder makes every name one of several.
            (_, Doing::Folder(_)) => true,
            ("read", Doing::Read(path)) => self.is_at(path, self.word(1)),
            ("read" | "write", Doing::Write(path)) => {
                self.may_be(path, self.word(1)) || self.is_above(path)
            }
            ("read" | "write", Doing::Unpack(path) | Doing::Spill(path)) => {
                self.may_be(path, self.word(1)) || self.is_below(path)
            }
            // A module of the working folder is the project's code.
            ("read", Doing::Import(name)) => self.word(1).contains(&format!("/{name}")),
            ("delete", Doing::Delete(path, _)) => {
                self.may_be(path, self.word(1)) || self.is_below(path)
            }
            ("move" | "link", Doing::Delete(path, _) | Doing::Write(path)) => {
                self.may_be(path, self.word(1)) || self.may_be(path, self.word(2))
            }
            ("run", Doing::Run(Some(text))) => self.runs(text),
            ("net", Doing::Fetch(_) | Doing::Send(_)) => true,
            ("write" | "delete" | "move" | "read", Doing::Package { .. }) => true,
            ("other", Doing::Package { .. }) => true,
            // A name of Python's own choice in the folder for temporary files.
            ("write" | "delete", Doing::Import(name)) => {
                name == "tempfile" && self.word(1).starts_with("/tmp/")
            }
            _ => false,
        }
    }

    fn may_be(&self, path: &Option<String>, real: &str) -> bool {
        path.as_deref().is_none_or(|it| self.is_at(it, real))
    }

    /// A folder may be made on the way to what is in it.
    fn is_above(&self, path: &Option<String>) -> bool {
        let place = path.as_deref().map(|it| self.absolute(it));
        place.is_some_and(|it| it.starts_with(&format!("{}/", self.word(1))))
    }

    /// A tree that goes takes all in it along.
    fn is_below(&self, path: &Option<String>) -> bool {
        let folder = path.as_deref().map(|it| self.absolute(it));
        folder.is_some_and(|it| self.word(1).starts_with(&it))
    }

    fn is_at(&self, path: &str, real: &str) -> bool {
        if let Some(known) = path.strip_suffix([ANYTHING, WITHIN]) {
            let folder = known.rsplit_once('/').map_or("", |(folder, _)| folder);
            return known.is_empty()
                || path.ends_with(ANYTHING)
                || real.starts_with(&self.absolute(folder));
        }
        self.absolute(path) == real
    }

    /// Returns a path without dots, as the system walks it.
    fn absolute(&self, path: &str) -> String {
        let whole = match (path.strip_prefix('~'), path.starts_with('/')) {
            (Some(rest), _) => format!("{}{rest}", self.home),
            (None, true) => path.to_owned(),
            (None, false) => format!("{}/{path}", self.project),
        };
        let mut parts: Vec<&str> = Vec::new();
        for part in whole.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        format!("/{}", parts.join("/"))
    }

    /// Tells whether a command has all the words that were run.
    fn runs(&self, text: &str) -> bool {
        let computed = text.contains("__anything__");
        let has =
            |it: &str| computed || text.contains(it) || text.contains(&it.replace(self.home, "~"));
        match self.act.get(1) {
            Some(Value::String(words)) => has(words),
            Some(Value::Array(words)) => {
                let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
                match words.as_slice() {
                    ["/bin/sh", "-c", text] => has(text),
                    words => words.iter().all(|it| has(it)),
                }
            }
            _ => false,
        }
    }
}
