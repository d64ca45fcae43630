//! Prints how fast scripts are read, how time grows with the text, and how much memory a tree takes, beside the peers.
//!
//! `cargo bench -p belay-shell-peers` shows everything; with `-- --check` it is shorter and fails past the budget. What
//! a clock measures has room for a busy machine there; memory and the growth of time are held to.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

mod inputs;
mod readers;

use inputs::{Shape, USUAL, shapes};
use readers::{READERS, Reader};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// How long a peer may take for a text before it is given up.
const PATIENCE: Duration = Duration::from_secs(3);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["one", reader, shape, bytes] = words.as_slice() {
        one(reader, shape, bytes.parse().unwrap_or(0));
        return ExitCode::SUCCESS;
    }
    let mut faults = usual();
    faults.extend(beside());
    faults.extend(growth());
    for fault in &faults {
        println!("past the budget: {fault}");
    }
    if faults.is_empty() || !words.contains(&"--check") {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Time this thread has spent on a processor: other work on the machine does not count.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let field = text.split_whitespace().next();
    Duration::from_nanos(field.and_then(|field| field.parse().ok()).unwrap_or(0))
}

/// Runs something a number of times and returns the processor time of one run.
fn measured(rounds: u32, mut run: impl FnMut()) -> Duration {
    let (clock, start) = (Instant::now(), processor_time());
    for _ in 0..rounds {
        run();
    }
    let spent = processor_time().saturating_sub(start);
    if spent.is_zero() {
        clock.elapsed() / rounds
    } else {
        spent / rounds
    }
}

/// Returns the shortest of some measurements: what disturbs only makes longer.
fn shortest(times: u32, rounds: u32, mut run: impl FnMut()) -> Duration {
    let measured = (0..times).map(|_| measured(rounds, &mut run));
    measured.min().unwrap_or_default()
}

fn rate(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / time.as_secs_f64() / 1e6
}

/// Short commands and one ordinary script.
fn usual() -> Vec<String> {
    const MOST_MEDIAN: Duration = Duration::from_micros(1);
    const LEAST_RATE: f64 = 100.0;
    let mut faults = Vec::new();
    let script = USUAL.join("\n").repeat(500_000 / 1400);
    for reader in &READERS {
        let ours = reader.name == "belay-shell";
        let mut times: Vec<Duration> = USUAL
            .iter()
            .map(|text| shortest(3, if ours { 5_000 } else { 500 }, || (reader.read)(text)))
            .collect();
        times.sort();
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        let slowest = times.last().copied().unwrap_or_default();
        let whole = shortest(3, 1, || (reader.read)(&script));
        let rate = rate(script.len(), whole);
        println!(
            "{:>18}: median of commands up to 500 bytes {median:>9.2?}, slowest {slowest:>9.2?}; ordinary text of {} kB {rate:>4.0} MB/s",
            reader.name,
            script.len() / 1000
        );
        // Three times the budget is no disturbance any more.
        if ours && (median > 3 * MOST_MEDIAN || rate < LEAST_RATE / 3.0) {
            faults.push(format!("median {median:?}, {rate:.0} MB/s"));
        }
    }
    faults
}

/// Time and memory for 1 MB of the shapes that are shown, each in a process of its own.
fn beside() -> Vec<String> {
    let mut faults = Vec::new();
    println!(
        "\n1 MB of{:>13}{}",
        "",
        READERS
            .each_ref()
            .map(|it| format!("{:>26}", it.name))
            .concat()
    );
    for shape in shapes().filter(|shape| shape.shown) {
        let mut line = format!("{:>20}", shape.name);
        for reader in &READERS {
            let outcome = child(reader, &shape, 1_000_000);
            line += &match &outcome {
                Outcome::Read { time, memory } => {
                    format!("{:>14.1?}{:>8} MB ", time, memory / 1024)
                }
                Outcome::Crashed => format!("{:>25} ", "crashed"),
                Outcome::GivenUp => format!("{:>25} ", format!("> {PATIENCE:?}")),
            };
            if reader.name == "belay-shell" {
                faults.extend(memory_fault(&shape, &outcome));
            }
        }
        println!("{line}");
    }
    faults
}

fn memory_fault(shape: &Shape, outcome: &Outcome) -> Option<String> {
    const MOST_MEMORY: u64 = (64 * 1_000_000 + (4 << 20)) / 1024;
    match outcome {
        Outcome::Read { memory, .. } if *memory <= MOST_MEMORY => None,
        Outcome::Read { memory, .. } => Some(format!("{}: {memory} kB", shape.name)),
        Outcome::Crashed | Outcome::GivenUp => Some(format!("{}: not read", shape.name)),
    }
}

enum Outcome {
    Read { time: Duration, memory: u64 },
    Crashed,
    GivenUp,
}

/// Reads a shape in a process of its own.
fn child(reader: &Reader, shape: &Shape, bytes: usize) -> Outcome {
    let Ok(program) = std::env::current_exe() else {
        return Outcome::Crashed;
    };
    let mut command = Command::new(program);
    command.args(["one", reader.name, shape.name, &bytes.to_string()]);
    command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null());
    let Ok(mut child) = command.spawn() else {
        return Outcome::Crashed;
    };
    let start = Instant::now();
    while matches!(child.try_wait(), Ok(None)) {
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return Outcome::GivenUp;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let Ok(output) = child.wait_with_output() else {
        return Outcome::Crashed;
    };
    let said = String::from_utf8_lossy(&output.stdout);
    let mut fields = said.split_whitespace().map(str::parse::<u64>);
    match (fields.next(), fields.next()) {
        (Some(Ok(nanos)), Some(Ok(memory))) => Outcome::Read {
            time: Duration::from_nanos(nanos),
            memory,
        },
        (_, _) => Outcome::Crashed,
    }
}

/// Reads one text and prints nanoseconds and kB.
fn one(reader: &str, shape: &str, bytes: usize) {
    let (Some(reader), Some(shape)) = (
        READERS.iter().find(|it| it.name == reader),
        shapes().find(|it| it.name == shape),
    ) else {
        return;
    };
    let text = shape.text(bytes);
    let before = peak().unwrap_or_default();
    let time = measured(1, || (reader.read)(&text));
    println!(
        "{} {}",
        time.as_nanos(),
        peak().unwrap_or_default() - before
    );
}

/// Peak memory of this process in kB, from the kernel.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// How time grows from half of 1 MB to 1 MB, for every shape. Every measurement has a process of its own, as every call
/// of the hook has: memory that was used before would make the shorter text cheaper.
fn growth() -> Vec<String> {
    /// What is linear stays below this on a busy machine too; what is quadratic has 4.
    const MOST_RATIO: f64 = 3.0;
    /// In less time than this, what the system does for memory is most of it; what is quadratic takes far longer.
    const NOTICED: Duration = Duration::from_millis(20);
    println!();
    let mut faults = Vec::new();
    for shape in shapes() {
        let (mut ratio, mut full) = grown(&shape, 4);
        if ratio > 2.2 {
            (ratio, full) = grown(&shape, 24);
        }
        println!(
            "{:>28}: 1 MB in {full:>10.2?}, t(2n)/t(n) = {ratio:.2}",
            shape.name
        );
        if ratio > MOST_RATIO && full > NOTICED {
            faults.push(format!("{}: t(2n)/t(n) = {ratio:.2}", shape.name));
        }
    }
    faults
}

/// Returns how much longer 1 MB takes than half of it, and how long.
fn grown(shape: &Shape, times: u32) -> (f64, Duration) {
    let [ours, ..] = &READERS;
    let mut shortest = [PATIENCE; 2];
    for _ in 0..times {
        for (shortest, bytes) in shortest.iter_mut().zip([500_000, 1_000_000]) {
            if let Outcome::Read { time, .. } = child(ours, shape, bytes) {
                *shortest = time.min(*shortest);
            }
        }
    }
    let [half, full] = shortest;
    (full.as_secs_f64() / half.as_secs_f64().max(1e-9), full)
}
