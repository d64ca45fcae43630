//! Runs of the fuzzer over the reader, and over every other room that reads what others wrote. libFuzzer needs no nightly compiler: coverage is a pass of the stable one.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::run::{cargo, must, root, target};

/// What `cargo fuzz` passes without a sanitizer: the crate has no unsafe code for one to look at.
const COVERAGE: [&str; 7] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
    "-Cdebug-assertions",
];

/// The rooms above the reader, each a target of the second fuzzer and a folder of texts.
const ROOMS: [&str; 10] = [
    "machine",
    "check",
    "agents",
    "patches",
    "settings",
    "rules",
    "languages",
    "transcripts",
    "journal",
    "replies",
];

/// What is to be fuzzed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The reader of shell text, which builds quickly.
    Reader,
    /// The reader, then every room above it.
    Everything,
}

/// For how long each target is fuzzed, and from which seed.
#[derive(Clone, Copy)]
pub struct Run {
    /// Seconds for each target.
    pub seconds: u32,
    /// Where chance begins.
    pub seed: u64,
}

/// Builds the fuzzer and lets it look for a while; what it finds is in the folder it names.
pub fn run(reach: Reach, run: Run) -> Outcome {
    let host = host()?;
    let words = [
        "build",
        "--release",
        "--quiet",
        "--manifest-path",
        "fuzz/Cargo.toml",
    ];
    let more: &[&str] = match reach {
        Reach::Reader => &[],
        Reach::Everything => &["--features", "rooms"],
    };
    must(
        cargo(&words)
            .args(more)
            .args(["--target", &host])
            .env("CARGO_TARGET_DIR", folder())
            .env("RUSTFLAGS", COVERAGE.join(" ")),
    )?;
    let built = folder().join(&host).join("release");
    look(&built.join("read"), "read", run)?;
    if reach == Reach::Everything {
        for room in ROOMS {
            println!("fuzz: {room}");
            look(&built.join("rooms"), room, run)?;
        }
    }
    Ok(())
}

fn folder() -> PathBuf {
    target().join("fuzz")
}

/// Lets a fuzzer look at one target, starting from the texts that are committed for it.
fn look(program: &Path, name: &str, run: Run) -> Outcome {
    let found = folder().join("found").join(name);
    let new = folder().join("new").join(name);
    for made in [&found, &new] {
        std::fs::create_dir_all(made)
            .map_err(|why| format!("cannot make `{}`: {why}", made.display()))?;
    }
    let length = if name == "read" { 400 } else { 4000 };
    must(
        Command::new(program)
            .env("BELAY_FUZZ_TARGET", name)
            .arg(format!("-max_total_time={}", run.seconds))
            .arg(format!("-seed={}", run.seed))
            .arg(format!("-max_len={length}"))
            .arg(format!("-artifact_prefix={}/", found.display()))
            .args(["-timeout=5", "-print_final_stats=1", "-verbosity=0"])
            .arg(&new)
            .arg(root().join("fuzz/corpus").join(name)),
    )
    .map_err(|why| format!("{why}\nhint: what failed is in `{}`", found.display()))
}

/// Returns the name of this machine's target: with one given, build scripts are not compiled with coverage.
fn host() -> Outcome<String> {
    let text = crate::run::output(Command::new("rustc").arg("-vV"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned)
        .ok_or_else(|| "`rustc -vV` names no host".to_owned())
}

#[cfg(test)]
mod tests {
    use super::ROOMS;
    use crate::run::{read, root};

    #[test]
    fn every_target_is_a_room_with_texts() {
        let targets = read("fuzz/fuzz_targets/targets.rs").unwrap();
        assert_eq!(targets.matches("    target(\"").count(), ROOMS.len());
        for room in ROOMS {
            assert!(targets.contains(&format!("target(\"{room}\"")), "{room}");
            assert!(root().join("fuzz/corpus").join(room).is_dir(), "{room}");
        }
    }
}
