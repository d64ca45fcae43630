//! How long keeping takes, beside `cp -a`. Fails when the median of 100 or 1,000 small files is over its budget.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench speaks, and ends when its world cannot be made"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use belay_undo::{Keeper as _, Keeping, Limits, Loss, Sieve, Store, Taken, Told, Wish};

/// Keeps of each kind.
const RUNS: usize = 15;

struct Nothing;

impl Sieve for Nothing {
    fn is_artefact(&self, _: &Path) -> bool {
        false
    }

    fn is_secret(&self, _: &Path) -> bool {
        false
    }

    fn is_ordinary(&self, _: &Path) -> bool {
        true
    }
}

fn main() -> ExitCode {
    let rows = [
        (100, 2 << 10, Some(15)),
        (1_000, 2 << 10, Some(60)),
        (10_000, 2 << 10, None),
        (4, 16 << 20, None),
    ];
    let mut held = true;
    for (files, bytes, budget) in rows {
        let scene = tempfile::tempdir().unwrap();
        let app = scene.path().join("app");
        make(&app.join("t"), files, bytes);
        let kept = median(|at| keep(&app, &scene.path().join(format!("state{at}"))));
        let copied = median(|at| copy(&app.join("t"), &scene.path().join(format!("copy{at}"))));
        let budget = budget.map(Duration::from_millis);
        let over = budget.is_some_and(|it| kept > it);
        held &= !over;
        println!(
            "{files:>6} files of {:>5} kB: kept in {:>7.1} ms, cp -a {:>7.1} ms{}",
            bytes >> 10,
            kept.as_secs_f64() * 1e3,
            copied.as_secs_f64() * 1e3,
            match budget {
                Some(most) if over => format!(", over the budget of {} ms", most.as_millis()),
                Some(most) => format!(", budget {} ms", most.as_millis()),
                None => String::new(),
            }
        );
    }
    match held {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn make(folder: &Path, files: usize, bytes: usize) {
    fs::create_dir_all(folder).unwrap();
    for at in 0..files {
        let inner = folder.join(format!("{}", at / 100));
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join(format!("{at}.txt")), vec![b'x'; bytes]).unwrap();
    }
}

fn keep(app: &Path, state: &Path) {
    let limits = Limits {
        time: Duration::from_secs(60),
        ..Limits::default()
    };
    let kept = Store::below(state, limits).keep(&Wish {
        told: Told::default(),
        roots: &[PathBuf::from(app)],
        home: None,
        losses: &[Loss::Place {
            path: app.join("t"),
            taken: Taken::Tree,
        }],
        sieve: &Nothing,
    });
    assert!(matches!(kept, Keeping::Kept(_)), "{kept:?}");
}

fn copy(from: &Path, into: &Path) {
    let done = Command::new("cp").arg("-a").arg(from).arg(into).status();
    assert!(done.unwrap().success());
}

fn median(mut work: impl FnMut(usize)) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|at| {
            let start = Instant::now();
            work(at);
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times.get(RUNS / 2).copied().unwrap()
}
