//! Everything that must hold before a change joins the house.

use std::time::Instant;

use crate::run::{cargo, must};
use crate::{Outcome, deny, dist, docs, tidy};

type Step = (&'static str, fn() -> Outcome);

const STEPS: [Step; 7] = [
    ("format", format),
    ("tidy", tidy::run),
    ("licences and bans", deny::run),
    ("lints", lints),
    ("tests", tests),
    ("documentation", documentation),
    ("dist", dist_within_size),
];

/// Runs every step; the first that fails ends it.
pub fn run() -> Outcome {
    let begun = Instant::now();
    for (name, step) in STEPS {
        eprintln!("ci: {name}");
        let at = Instant::now();
        step().map_err(|why| format!("ci: {name} failed\n{why}"))?;
        eprintln!("ci: {name} holds ({:.0} s)", at.elapsed().as_secs_f64());
    }
    eprintln!("ci: all holds ({:.0} s)", begun.elapsed().as_secs_f64());
    Ok(())
}

fn format() -> Outcome {
    must(&mut cargo(&["fmt", "--all", "--check"]))
}

fn lints() -> Outcome {
    must(&mut cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]))
}

fn tests() -> Outcome {
    must(&mut cargo(&["test", "--workspace", "--quiet"]))
}

fn documentation() -> Outcome {
    docs::run(docs::Job::Check)?;
    must(cargo(&["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-D warnings"))
}

fn dist_within_size() -> Outcome {
    const MOST: u64 = 20 * 1024 * 1024;
    let path = dist::run()?;
    let size = std::fs::metadata(&path)
        .map_err(|why| format!("cannot look at `{}`: {why}", path.display()))?
        .len();
    eprintln!("dist: {} bytes", size);
    if size > MOST {
        return Err(format!(
            "the dist binary has {size} bytes, more than {MOST}"
        ));
    }
    Ok(())
}
