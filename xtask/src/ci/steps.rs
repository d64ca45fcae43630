//! The steps of a run. To add one, add a line to the table.

use std::path::PathBuf;
use std::process::Command;

use super::{Rolls, Run, Tally};
use crate::fuzz::Reach;
use crate::run::{cargo, must, root};
use crate::{
    Outcome, attack, bench, coverage, cross, deny, dist, docs, faults, fleet, fuzz, mutants,
    package, page, score, sessions, sound, tidy, witness,
};

/// One step.
pub struct Step {
    /// What it goes by, in the table and behind `--skip`.
    pub name: &'static str,
    /// In which runs it is.
    pub when: When,
    /// What it does.
    pub job: Job,
}

/// In which runs a step is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// In all.
    Always,
    /// In those with `--long`.
    Long,
}

/// What a step does.
pub enum Job {
    /// Something that holds or does not: counted as one.
    Check(fn() -> Outcome),
    /// Something that counts by itself.
    Count(fn(&Run) -> Outcome<Tally>),
    /// `cargo test` with these words.
    Tests(&'static [&'static str]),
}

use Job::{Check, Count, Tests};
use When::{Always, Long};

const fn step(name: &'static str, when: When, job: Job) -> Step {
    Step { name, when, job }
}

/// All steps, in their order. Names have at most fourteen letters.
#[rustfmt::skip]
pub const STEPS: [Step; 38] = [
    step("format", Always, Check(format)),
    step("tidy", Always, Check(tidy::run)),
    step("licences", Always, Check(deny::run)),
    step("install", Always, Check(install)),
    step("lints", Always, Check(lints)),
    step("tests", Always, Tests(&["--workspace", "--exclude", "belay-shell", "--exclude", "belay-shell-peers"])),
    step("reader", Always, Count(reader)),
    step("rolls", Always, Tests(&["--package", "belay-shell", "--test", "shell", "--", "probes", "fuzzing", "dialects", "acceptance"])),
    step("fuzz", Always, Count(|run| fuzz_of(Reach::Reader, 8, run))),
    step("faults", Always, Count(|run| faults_of(&["--trials", "300"], run))),
    step("fleet", Always, Count(|run| fleet_of(&[], run))),
    step("documents", Always, Check(documents)),
    step("coverage", Always, Check(coverage::run)),
    step("scoreboard", Always, Check(score::check)),
    step("sessions", Always, Check(|| sessions::run(sessions::Job::Check))),
    step("page", Always, Check(|| page::run(page::Length::Short))),
    step("mutants", Always, Check(mutants::run)),
    step("sound-20000", Always, Count(|run| sound_of("20000", OWED, run))),
    step("attack", Always, Count(|run| attack_of(["220000", "12"], run))),
    step("witness", Always, Count(|run| witness_of(&["--as-is", "--lines", "4000", "--seconds", "60"], run))),
    step("dist", Always, Check(|| dist_within_size(dist::in_parts))),
    step("packages", Always, Check(|| package::check(package::Proof::Short))),
    step("dist-long", Long, Check(|| dist_within_size(dist::run))),
    step("packages-long", Long, Check(|| package::run(&["--long"]))),
    step("cross", Long, Check(|| cross::run(cross::Care::Quick))),
    step("bench", Long, Check(|| bench::run(bench::Job::Check, bench::Length::USUAL))),
    step("install-long", Long, Check(install_long)),
    step("peers", Long, Tests(&["--package", "belay-shell-peers", "--", "--show-output"])),
    step("sound-100000", Long, Count(|run| sound_of("100000", "0", run))),
    step("attack-long", Long, Count(|run| attack_of(["10000000", "400"], run))),
    step("witness-20000", Long, Count(|run| witness_of(&["--lines", "60000", "--seconds", "5400"], run))),
    step("page-long", Long, Check(|| page::run(page::Length::Long))),
    step("growth", Long, Check(growth)),
    step("fuzz-long", Long, Count(|run| fuzz_of(Reach::Everything, 120, run))),
    step("fleet-long", Long, Count(|run| fleet_of(&["--long"], run))),
    step("faults-10000", Long, Count(|run| faults_of(&["--long"], run))),
    step("slow-clients", Long, Tests(&["--package", "belay-e2e", "--test", "clients", "--", "--ignored"])),
    step("small-model", Long, Tests(&["--package", "belay-cli", "--test", "small_model", "--", "--ignored"])),
];

/// What the steps need built: the packages of the step `tests`, as tests need them, and the programs.
pub const BUILT: [&str; 7] = [
    "--workspace",
    "--exclude",
    "belay-shell",
    "--exclude",
    "belay-shell-peers",
    "--bins",
    "--tests",
];

fn format() -> Outcome {
    must(&mut cargo(&["fmt", "--all", "--check"]))
}

fn lints() -> Outcome {
    let words = ["clippy", "--workspace", "--all-targets"];
    must(cargo(&words).args(["--", "-D", "warnings"]))
}

/// Installs what tests compare us with, pinned, into `.cache`.
fn install() -> Outcome {
    script("install-oracles")
}

fn install_long() -> Outcome {
    must(
        Command::new("sh")
            .args(["scripts/install-clients", "--all"])
            .current_dir(root()),
    )?;
    script("install-small-model")
}

fn script(name: &str) -> Outcome {
    let path = format!("scripts/{name}");
    must(Command::new("bash").arg(path).current_dir(root()))
}

/// Tests whose figures count as much as that they pass, so these are shown.
fn reader(run: &Run) -> Outcome<Tally> {
    let words = ["--package", "belay-shell", "--", "--show-output"];
    run.tests(&words, Rolls::Usual)
}

/// The reader's speed beside its peers; growth and memory are held to, the clock has room for a busy machine.
fn growth() -> Outcome {
    let words = ["bench", "--package", "belay-shell-peers"];
    must(cargo(&words).args(["--bench", "reading", "--", "--check"]))
}

/// So many of 20,000 fresh programs may still do what was not said: the last 20,000 had none, but a rate is not a proof. They are
/// printed, and each becomes a line of the oracle's table once it is mended. The long run owes none.
const OWED: &str = "6";

fn sound_of(programs: &str, owed: &str, run: &Run) -> Outcome<Tally> {
    let seed = run.seed.to_string();
    let words = ["--programs", programs, "--owed", owed, "--seed", &seed];
    sound::run(&words).map(|()| Tally::HOLDS)
}

/// Every example in other words; one variant in twelve finds no spelling that fits. So many may still change the verdict: a rate is
/// not a proof. They are printed, and so is the seed, which is the run's.
fn attack_of([variants, owed]: [&str; 2], run: &Run) -> Outcome<Tally> {
    let seed = run.seed.to_string();
    let owed = ["--owed", owed, "--stricter-owed", "0"];
    let words = [&["--variants", variants, "--seed", &seed][..], &owed].concat();
    attack::run(&words).map(|()| Tally::HOLDS)
}

/// Real programs under strace, as many lines as there is time for. The seed is the run's, and printed.
fn witness_of(words: &[&str], run: &Run) -> Outcome<Tally> {
    let seed = run.seed.to_string();
    let words: Vec<&str> = [words, &["--owed", WITNESS_OWED, "--seed", &seed]].concat();
    witness::run(&words).map(|()| Tally::HOLDS)
}

/// So many seconds of libFuzzer for each target.
fn fuzz_of(reach: Reach, seconds: u32, run: &Run) -> Outcome<Tally> {
    let seed = run.seed;
    fuzz::run(reach, fuzz::Run { seconds, seed }).map(|()| Tally::HOLDS)
}

/// The built hook while something goes wrong. The seed is the run's, and printed.
fn faults_of(words: &[&str], run: &Run) -> Outcome<Tally> {
    let seed = run.seed.to_string();
    let words: Vec<&str> = [words, &["--seed", &seed]].concat();
    faults::run(&words).map(|()| Tally::HOLDS)
}

/// A fleet in miniature under `kill -9`. The seed is the run's, and printed.
fn fleet_of(words: &[&str], run: &Run) -> Outcome<Tally> {
    let seed = run.seed.to_string();
    let words: Vec<&str> = [words, &["--seed", &seed]].concat();
    fleet::run(&words).map(|()| Tally::HOLDS)
}

/// So many allowed lines of a bounded run may still do what was not said; they are printed.
const WITNESS_OWED: &str = "12";

fn documents() -> Outcome {
    docs::run(docs::Job::Check)?;
    must(cargo(&["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-D warnings"))
}

fn dist_within_size(build: fn() -> Outcome<PathBuf>) -> Outcome {
    const MOST: u64 = 20 * 1024 * 1024;
    let path = build()?;
    let size = std::fs::metadata(&path)
        .map_err(|why| format!("cannot look at `{}`: {why}", path.display()))?
        .len();
    eprintln!("dist: {size} bytes");
    if size > MOST {
        return Err(format!(
            "the dist binary has {size} bytes, more than {MOST}"
        ));
    }
    Ok(())
}
