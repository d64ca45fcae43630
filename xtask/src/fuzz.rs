//! A short run of the fuzzer over the reader. libFuzzer needs no nightly compiler: coverage is a pass of the stable one.

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

/// Builds the fuzzer and lets it look for a while; what it finds is in the folder it names.
pub fn run(seconds: u32, seed: u64) -> Outcome {
    let folder = target().join("fuzz");
    let found = folder.join("found");
    let new = folder.join("new");
    for made in [&found, &new] {
        std::fs::create_dir_all(made)
            .map_err(|why| format!("cannot make `{}`: {why}", made.display()))?;
    }
    let host = host()?;
    let words = [
        "build",
        "--release",
        "--quiet",
        "--manifest-path",
        "fuzz/Cargo.toml",
    ];
    must(
        cargo(&words)
            .args(["--target", &host])
            .env("CARGO_TARGET_DIR", &folder)
            .env("RUSTFLAGS", COVERAGE.join(" ")),
    )?;
    let program = folder.join(&host).join("release/read");
    must(
        std::process::Command::new(program)
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-seed={seed}"))
            .arg(format!("-artifact_prefix={}/", found.display()))
            .args([
                "-max_len=400",
                "-timeout=5",
                "-print_final_stats=1",
                "-verbosity=0",
            ])
            .arg(&new)
            .arg(root().join("fuzz/corpus/read")),
    )
    .map_err(|why| format!("{why}\nhint: what failed is in `{}`", found.display()))
}

/// Returns the name of this machine's target: with one given, build scripts are not compiled with coverage.
fn host() -> Outcome<String> {
    let text = crate::run::output(std::process::Command::new("rustc").arg("-vV"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned)
        .ok_or_else(|| "`rustc -vV` names no host".to_owned())
}
