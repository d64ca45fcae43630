//! How long a record takes to be kept, and a long journal to be looked at. `cargo bench -p belay-journal --bench journal`; with `-- --million`
//! the long form.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a bench fails aloud and prints its figures"
)]

use std::time::{Duration, Instant};

use belay_journal::calendar::Moment;
use belay_journal::{Journal, Record};
use belay_model::{Call, Judgement, Layer, Reason, Risk, Step, Value, Verdict};

/// A record may take so long to be kept, in microseconds, at the median.
const APPEND: u128 = 50;

fn record(at: u64) -> Record {
    let command = format!("cargo test --package crate-{} -- --nocapture", at % 97);
    let input = Value::Object(vec![("command".to_owned(), Value::from(command.as_str()))]);
    let call = Call {
        agent: Some("claude-code".to_owned()),
        session: Some(format!("0b2d4c66-{:04}", at / 300)),
        id: Some(format!("toolu_{at}")),
        tool: "Bash".to_owned(),
        cwd: format!("/home/me/project-{}", at % 7),
        input,
        ..Call::default()
    };
    let verdict = match at % 20 {
        0 => Verdict::Ask,
        7 if at.is_multiple_of(3) => Verdict::Deny,
        _ => Verdict::Allow,
    };
    let said = "every effect is inside the project, and known";
    let step = |layer| Step {
        layer,
        said: said.to_owned(),
    };
    let judgement = Judgement {
        id: None,
        verdict,
        layer: Layer::Analysis,
        reason: Reason::new(said),
        risk: Risk::UNSURE,
        effects: Vec::new(),
        troubles: Vec::new(),
        trail: [Layer::Boundaries, Layer::Allowlist, Layer::Analysis]
            .map(step)
            .to_vec(),
        micros: 400 + at % 900,
    };
    let mut record = Record::new(call, judgement);
    let answers = (0..6).map(|it| format!("kind\t/home/me/project-{}/part-{it}", at % 7));
    record.answers = answers.collect();
    record
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let done = work();
    (done, begun.elapsed())
}

fn main() {
    let million = std::env::args().any(|it| it == "--million");
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::new(folder.path().join("journal"));
    let (_, took) = timed(|| (0..10_000).map(|at| record(at).line().len()).sum::<usize>());
    println!("a line is made in {} µs", took.as_micros() / 10_000);
    let mut times: Vec<u128> = Vec::new();
    for at in 0..10_000 {
        let record = record(at);
        let (kept, took) = timed(|| journal.append(&record));
        kept.unwrap();
        times.push(took.as_nanos());
    }
    times.sort_unstable();
    let at = |place: usize| times[place] / 1000;
    let (early, median, late) = (at(1_000), at(5_000), at(9_900));
    println!(
        "append: median {median} µs, the fastest tenth within {early} µs, 99 of 100 within {late} µs (at most {APPEND} µs at the median)"
    );
    let size = if million { 1_000_000 } else { 50_000 };
    let (_, took) = timed(|| (10_000..size).for_each(|at| journal.append(&record(at)).unwrap()));
    println!("{size} records are there after {took:.1?} more");
    let (_, took) = timed(|| journal.newest().take(20).count());
    println!("the newest 20 of {size}: {took:.1?}");
    let (_, took) = timed(|| journal.rows(Moment(0)).all().len());
    println!("the index of {size} is made in {took:.1?}");
    let (rows, took) = timed(|| journal.rows(Moment(0)));
    println!("all {} rows by the index: {took:.1?}", rows.all().len());
    let denied =
        |_: &_, row: &belay_journal::Row| row.kind == belay_journal::Kind::Call(Verdict::Deny);
    let (_, took) = timed(|| journal.newest_of(denied).take(20).count());
    println!("the newest 20 denied of {size}: {took:.1?}");
    let (days, took) = timed(|| journal.verify(None).unwrap());
    let doubts: usize = days.iter().map(|it| it.doubts.len()).sum();
    println!("verify: {took:.1?}, {doubts} doubts");
    assert!(doubts == 0 && median <= APPEND, "too slow, or not whole");
}
