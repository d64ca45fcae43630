//! How long a look takes, each from a fresh start, in repositories of 10,000 and 100,000 files.
//! Fails when the 95th of 100 looks that a single command needs takes more time on the processor than
//! its budget; the time on the clock is shown beside it. Looks at every file of a repository use more
//! than one processor and are shown beside as many calls of the system, which bound them.
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

/// Looks of each kind.
const RUNS: usize = 60;
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
    let path = |name: &str| root.join(name).to_str().unwrap().to_owned();
    let top = || root.to_str().unwrap().to_owned();
    let questions = [
        ("branch", Question::Branch(top())),
        ("settings that execute", Question::ExecutingConfig(top())),
        (
            "delete a tracked file",
            Question::Standing(path("src/m3/f7.rs")),
        ),
        ("delete a folder of 100", Question::Standing(path("src/m3"))),
        ("delete an ignored folder", Question::Standing(path("out"))),
        (
            "delete an untracked file",
            Question::Standing(path("notes.md")),
        ),
        ("restore a folder of 100", Question::Changed(path("src/m3"))),
        ("unpushed commits", Question::Unpushed(top())),
    ];
    let mut kept = true;
    for (name, question) in questions {
        let times = times(root, &question, RUNS);
        kept &= at(&times.worked, 95) <= budget;
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
    show(
        "delete every file",
        &times(root, &Question::Standing(format!("{}/src", top())), WALKS),
    );
    let files: Vec<PathBuf> = fs::read_dir(root.join("src"))
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    let (started, begun) = (Instant::now(), worked());
    for folder in &files {
        for file in 0..100 {
            fs::symlink_metadata(folder.join(format!("f{file}.rs"))).unwrap();
        }
    }
    println!(
        "  {:28} processor     {:>7} µs   clock     {:>7} µs",
        "as many calls of the system",
        (worked() - begun).as_micros(),
        started.elapsed().as_micros()
    );
}

/// On the processor, and on the clock.
struct Times {
    worked: Vec<Duration>,
    passed: Vec<Duration>,
}

fn at(times: &[Duration], part: usize) -> Duration {
    times.get(times.len() * part / 100).copied().unwrap()
}

fn worked() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        u32::try_from(time.tv_nsec).unwrap(),
    )
}

fn times(root: &Path, question: &Question, runs: usize) -> Times {
    let mut times = Times {
        worked: Vec::new(),
        passed: Vec::new(),
    };
    for _ in 0..runs {
        let world = World::new(Standpoint {
            cwd: root.to_str().unwrap().to_owned(),
            home: Some("/nonexistent".to_owned()),
            ..Standpoint::default()
        });
        let (started, begun) = (Instant::now(), worked());
        let answer = world.ask(question);
        times.worked.push(worked() - begun);
        times.passed.push(started.elapsed());
        assert_ne!(answer, Answer::Unknown, "{question:?}");
    }
    times.worked.sort_unstable();
    times.passed.sort_unstable();
    times
}

fn show(name: &str, times: &Times) {
    let [worked, passed] =
        [&times.worked, &times.passed].map(|it| (at(it, 50).as_micros(), at(it, 95).as_micros()));
    println!(
        "  {name:28} processor p50 {:>7} p95 {:>7} µs   clock p50 {:>7} p95 {:>7} µs",
        worked.0, worked.1, passed.0, passed.1
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
