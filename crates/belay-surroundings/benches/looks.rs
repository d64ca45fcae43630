//! How long a look takes, each from a fresh start, in repositories of 10,000 and 100,000 files.
//! Fails when the 95th of 100 looks that a single command needs is over its budget. Looks at every
//! file of a repository are shown beside as many calls of the system, which bound them.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench speaks, and ends when its world cannot be made"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use belay_model::{Answer, Question, Surroundings};
use belay_surroundings::{Standpoint, World};

/// Looks in one round.
const RUNS: usize = 60;
/// Rounds, of which the best counts: the others say what else the machine was doing.
const ROUNDS: usize = 3;
/// Looks at every file are few and long.
const WALKS: usize = 10;

fn main() -> ExitCode {
    let mut kept = true;
    for (files, budget) in [(10_000, 3_000), (100_000, 25_000)] {
        let keep = tempfile::TempDir::new().unwrap();
        let root = keep.path().canonicalize().unwrap();
        make(&root, files);
        println!("{files} files, budget {budget} µs at p95");
        kept &= looks(&root, Duration::from_micros(budget));
        walks(&root);
    }
    if kept {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// What one command needs to know.
fn looks(root: &Path, budget: Duration) -> bool {
    let at = |name: &str| root.join(name).to_str().unwrap().to_owned();
    let top = || root.to_str().unwrap().to_owned();
    let questions = [
        ("branch", Question::Branch(top())),
        ("settings that execute", Question::ExecutingConfig(top())),
        (
            "delete a tracked file",
            Question::Standing(at("src/m3/f7.rs")),
        ),
        ("delete a folder of 100", Question::Standing(at("src/m3"))),
        ("delete an ignored folder", Question::Standing(at("out"))),
        (
            "delete an untracked file",
            Question::Standing(at("notes.md")),
        ),
        ("restore a folder of 100", Question::Changed(at("src/m3"))),
        ("unpushed commits", Question::Unpushed(top())),
    ];
    let mut kept = true;
    for (name, question) in questions {
        let rounds = (0..ROUNDS).map(|_| times(root, &question, RUNS));
        let times = rounds.min_by_key(|it| it.p95).unwrap();
        kept &= times.p95 <= budget;
        show(name, &times);
    }
    kept
}

/// What needs a look at every file.
fn walks(root: &Path) {
    let top = || root.to_str().unwrap().to_owned();
    show(
        "every tracked file",
        &times(root, &Question::WorkingTree(top()), WALKS),
    );
    show(
        "every untracked file",
        &times(root, &Question::Untracked(top()), WALKS),
    );
    let files: Vec<PathBuf> = fs::read_dir(root.join("src"))
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    let started = Instant::now();
    for folder in &files {
        for file in 0..100 {
            fs::symlink_metadata(folder.join(format!("f{file}.rs"))).unwrap();
        }
    }
    println!(
        "  {:28} {:>8} µs",
        "as many calls of the system",
        started.elapsed().as_micros()
    );
}

struct Times {
    p50: Duration,
    p95: Duration,
}

fn times(root: &Path, question: &Question, runs: usize) -> Times {
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let world = World::new(Standpoint {
                cwd: root.to_str().unwrap().to_owned(),
                home: Some("/nonexistent".to_owned()),
                ..Standpoint::default()
            });
            let started = Instant::now();
            let answer = world.ask(question);
            let time = started.elapsed();
            assert_ne!(answer, Answer::Unknown, "{question:?}");
            time
        })
        .collect();
    times.sort_unstable();
    let at = |part: usize| times.get(runs * part / 100).copied().unwrap();
    Times {
        p50: at(50),
        p95: at(95),
    }
}

fn show(name: &str, times: &Times) {
    println!(
        "  {name:28} p50 {:>8} µs   p95 {:>8} µs",
        times.p50.as_micros(),
        times.p95.as_micros()
    );
}

fn make(root: &Path, files: usize) {
    for folder in 0..files / 100 {
        let folder = root.join(format!("src/m{folder}"));
        fs::create_dir_all(&folder).unwrap();
        for file in 0..100 {
            fs::write(folder.join(format!("f{file}.rs")), "fn main() {}\n").unwrap();
        }
    }
    fs::create_dir_all(root.join("out/x")).unwrap();
    fs::write(root.join("out/x/y"), "").unwrap();
    fs::write(root.join(".gitignore"), "/out/\n*.o\n").unwrap();
    let script = "git init -q -b main . && git add . && git -c user.name=a -c user.email=a@b.test commit -qm one
        sleep 1.1; touch .gitignore; git update-index -q --refresh; echo x > notes.md";
    assert!(
        Command::new("sh")
            .args(["-ec", script])
            .current_dir(root)
            .status()
            .unwrap()
            .success()
    );
}
