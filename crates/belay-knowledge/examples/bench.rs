//! Measures how long reading takes: `cargo run --release -p belay-knowledge --example bench`.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a tool for a terminal that measures time"
)]

use std::hint::black_box;
use std::time::Instant;

use belay_knowledge::{Word, find, read};

const LINES: &[&str] = &[
    "ls -la src",
    "cat a.txt",
    "grep -rn --include=*.rs foo src",
    "rm -rf build",
    "git status --short",
    "git -C sub commit -am message",
    "git push --force-with-lease origin main",
    "find . -name x -type f -exec rm {} +",
    "curl -fsSL -o a https://example.com/x",
    "npm install -D typescript eslint",
    "docker run --rm -v /a:/b -w /b alpine ls",
    "env A=1 timeout 5 make test",
    "sed -i s/a/b/ a.txt b.txt",
    "python3 -m pytest -x tests",
];

const ROUNDS: u32 = 400;
const EACH: u32 = 100;

fn main() {
    for line in LINES {
        let words: Vec<Word<'_>> = line.split(' ').map(Word::Known).collect();
        let name = line.split(' ').next().unwrap_or("");
        let Some(command) = find(name) else {
            println!("{:>10}  {line}", "unknown");
            continue;
        };
        let lookup = time(|| {
            black_box(find(black_box(name)));
        });
        let reading = time(|| {
            black_box(read(command, black_box(&words)));
        });
        println!("find {lookup:>5.0} ns, read {reading:>6.0} ns  {line}");
    }
    for count in [1_000, 10_000, 100_000] {
        let mut words = vec![Word::Known("rm"), Word::Known("-rf")];
        words.resize(count, Word::Known("a"));
        let Some(command) = find("rm") else { return };
        let best = (0..20)
            .map(|_| {
                let start = Instant::now();
                black_box(read(command, &words));
                start.elapsed().as_nanos()
            })
            .min();
        let each = best.unwrap_or(0) / words.len() as u128;
        println!("{each:>6} ns a word, {count} operands");
    }
}

/// Returns the best of many short runs, so that other work on the machine counts little.
fn time(mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..EACH {
            run();
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(EACH));
    }
    best
}
