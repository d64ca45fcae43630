//! Everything that must hold before a change joins the house.

use std::process::Command;
use std::time::Instant;

use crate::run::{cargo, must, root};
use crate::{Outcome, coverage, deny, dist, docs, fuzz, tidy};

type Step = (&'static str, fn() -> Outcome);

const STEPS: [Step; 12] = [
    ("format", format),
    ("tidy", tidy::run),
    ("licences and bans", deny::run),
    ("lints", lints),
    ("oracles and clients", oracles),
    ("tests", tests),
    ("the reader beside real shells and its peers", reader),
    ("fuzzing the reader", fuzzing),
    ("speed and growth of the reader", reading),
    ("documentation", documentation),
    ("coverage", coverage::run),
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

/// Installs what tests compare us with: shfmt, other shells, and the real agents, pinned, into `.cache`. On a machine without
/// them the tests say loudly what they skip; in CI nothing may skip.
fn oracles() -> Outcome {
    let strict = in_ci();
    let installed = must(
        Command::new("bash")
            .arg("scripts/install-oracles")
            .current_dir(root()),
    );
    match installed {
        Err(why) if strict => Err(why),
        Err(why) => {
            eprintln!("ci: {why}; tests that need it will skip");
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

fn in_ci() -> bool {
    std::env::var_os("CI").is_some()
}

fn tests() -> Outcome {
    let mut command = cargo(&[
        "test",
        "--workspace",
        "--quiet",
        "--exclude",
        "belay-shell",
        "--exclude",
        "belay-shell-peers",
    ]);
    if in_ci() {
        command.env("BELAY_E2E_REQUIRE", "1");
    }
    must(seeded(&mut command))
}

/// Properties are tried on the same cases in every run; `PROPTEST_RNG_SEED` tries others.
fn seeded(command: &mut Command) -> &mut Command {
    const SEED: &str = "PROPTEST_RNG_SEED";
    if std::env::var_os(SEED).is_none() {
        command.env(SEED, "1");
    }
    command
}

/// Tests whose figures count as much as that they pass, so these are shown.
fn reader() -> Outcome {
    must(seeded(&mut cargo(&[
        "test",
        "--quiet",
        "--package",
        "belay-shell",
        "--package",
        "belay-shell-peers",
        "--",
        "--show-output",
    ])))
}

/// A smoke run; `cargo xtask fuzz` looks longer.
fn fuzzing() -> Outcome {
    const SECONDS: u32 = 8;
    fuzz::run(SECONDS)
}

/// Beside its peers; growth and memory are held to, the clock has room for a busy machine.
fn reading() -> Outcome {
    must(&mut cargo(&[
        "bench",
        "--package",
        "belay-shell-peers",
        "--bench",
        "reading",
        "--",
        "--check",
    ]))
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
