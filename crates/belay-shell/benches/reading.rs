//! Prints how fast scripts are read, how time grows with the text, and how much memory the tree takes.
//!
//! `cargo bench -p belay-shell`.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench prints its figures, and looks at the clock and at its own memory"
)]

use belay_shell::{Dialect, parse};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Commands like those that agents run.
const USUAL: &[&str] = &[
    "ls -la",
    "git status --short",
    "cd crates/belay-shell && cargo test -p belay-shell 2>&1 | tail -40",
    "grep -rn 'fn main' --include='*.rs' . | head -20",
    "sed -n '1,120p' src/lib.rs",
    "python3 -c \"import json,sys; print(json.load(sys.stdin)['name'])\" < package.json",
    "cat > /tmp/a.py <<'EOF'\nimport os\nfor name in os.listdir('.'):\n    print(name)\nEOF\npython3 /tmp/a.py",
    "for f in $(find . -name '*.txt'); do wc -l \"$f\"; done",
    "find . -type f -name '*.log' -mtime +7 -exec rm {} \\; 2>/dev/null",
    "if [ -f Cargo.toml ]; then cargo build --release; else make; fi",
    "curl -s -H \"Authorization: Bearer $TOKEN\" https://api.example.test/v1/items?limit=10 | jq -r '.[].name'",
    "docker run --rm -v \"$PWD\":/src -w /src node:20 npm test -- --watch=false",
    "export PATH=\"$HOME/.local/bin:$PATH\"; which python3",
    "x=$(( $(wc -l < a) + 1 )); echo \"${x:-none}\" >> log.txt",
    "git commit -m \"$(cat <<'EOF'\nshell: read here-documents\n\nThey come after the line.\nEOF\n)\"",
];

fn main() {
    if let Some(shape) = std::env::args()
        .nth(1)
        .filter(|argument| !argument.starts_with('-'))
    {
        return read_once(&shape);
    }
    usual();
    for (name, unit, open, close) in SHAPES {
        growth(name, unit, open, close);
    }
    memory();
}

/// Time this thread has spent on a processor: other work on the machine does not count.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(
        text.split_whitespace()
            .next()
            .and_then(|field| field.parse().ok())
            .unwrap_or(0),
    )
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

fn usual() {
    let mut times: Vec<Duration> = Vec::new();
    let mut bytes = 0;
    for text in USUAL {
        let run = || drop(black_box(parse(black_box(text.as_bytes()), Dialect::Bash)));
        times.push(
            (0..5)
                .map(|_| measured(20_000, run))
                .min()
                .unwrap_or_default(),
        );
        bytes += text.len();
    }
    let total: Duration = times.iter().sum();
    times.sort();
    let at = |place: usize| times.get(place).copied().unwrap_or_default();
    let (median, slowest) = (at(times.len() / 2), at(times.len().saturating_sub(1)));
    println!(
        "usual commands: median {median:?}, slowest {slowest:?}, {:.0} MB/s",
        rate(bytes, total)
    );
    let long = USUAL.join("\n").repeat(1_000_000 / 1400);
    let time = best(&long);
    println!(
        "one script of {} kB: {time:?}, {:.0} MB/s",
        long.len() / 1000,
        rate(long.len(), time)
    );
}

fn rate(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / time.as_secs_f64() / 1e6
}

fn best(text: &str) -> Duration {
    (0..5)
        .map(|_| {
            measured(3, || {
                drop(black_box(parse(black_box(text.as_bytes()), Dialect::Bash)))
            })
        })
        .min()
        .unwrap_or_default()
}

/// A name, what is repeated, and what stands before and after it.
const SHAPES: &[(&str, &str, &str, &str)] = &[
    ("a;", "a;", "", ""),
    ("a &&", "a && ", "", "a"),
    ("a |", "a | ", "", "a"),
    ("words", "word ", "echo ", ""),
    ("single quotes", "'a b' ", "echo ", ""),
    ("double quotes", "\"a $x b\" ", "echo ", ""),
    ("one word of quotes", "'a'\"b\"", "echo ", ""),
    ("escapes", "\\a", "echo ", ""),
    ("continuations", "a\\\n", "echo ", ""),
    ("substitutions", "$(a) ", "echo ", ""),
    ("backticks", "`a` ", "echo ", ""),
    ("escaped backticks", "`a \\`b\\`` ", "echo ", ""),
    ("parameters", "${x:-a}", "echo ", ""),
    ("arithmetic", "$((1+a))", "echo ", ""),
    ("one sum", "+1", "echo $((1", "))"),
    ("subscripts", "a[1]=2 ", "", ""),
    ("array", "a ", "x=(", ")"),
    ("braces", "{a,b}", "echo ", ""),
    ("open braces", "{", "echo ", ""),
    ("commas", "a,", "echo {", "}"),
    ("globs", "@(a|b)", "echo ", ""),
    ("redirections", ">a ", "echo ", ""),
    ("here-documents", "cat <<E\nx $y\nE\n", "", ""),
    ("here-documents in one line", "<<E ", "cat ", "\nx\n"),
    (
        "lines of a here-document",
        "some line\n",
        "cat <<E\n",
        "E\n",
    ),
    ("lines that continue", "x\\\n", "cat <<E\n", "E\n"),
    ("tests", "a == b && ", "[[ ", "a ]]"),
    ("comments", "# c\n", "", ""),
    ("groups", "{ a; };", "", ""),
    ("open groups", "{ ", "", ""),
    ("open subshells", "( ", "", ""),
    ("open double parentheses", "(", "", ""),
    ("open arithmetic", "$((", "echo ", ""),
    ("open substitutions", "$(", "echo ", ""),
    ("open quoted substitutions", "\"$(", "echo ", ""),
    ("open parameters", "${x:-", "echo ", ""),
    ("open subscripts", "a[", "", ""),
    ("open backslashed backticks", "\\`", "`", "`"),
    ("bangs", "!(", "", ""),
    ("ifs", "if ", "", ""),
    ("cases", "case x in x) ", "", ""),
    ("closed subshells", "((a) );", "", ""),
    ("dollar scripts", "$((a) );", "", ""),
    ("less", "<", "", ""),
    ("arrays with errors", "x=(<\n", "", ""),
    ("nuls", "\0", "", ""),
];

fn growth(name: &str, unit: &str, open: &str, close: &str) {
    let text = |bytes: usize| format!("{open}{}{close}", unit.repeat(bytes / unit.len()));
    let (half, full) = (best(&text(500_000)), best(&text(1_000_000)));
    let ratio = full.as_secs_f64() / half.as_secs_f64().max(1e-9);
    let note = if ratio > 2.5 && full > Duration::from_millis(5) {
        "  SUPERLINEAR"
    } else {
        ""
    };
    println!("{name:>28}: 1 MB in {full:>10.2?}, t(2n)/t(n) = {ratio:.2}{note}");
}

/// Reads 1 MB of a shape in a process of its own and prints the peak memory.
fn memory() {
    for shape in [
        "a;",
        "a |",
        "words",
        "single quotes",
        "substitutions",
        "here-documents",
        "tests",
        "one sum",
    ] {
        let Ok(program) = std::env::current_exe() else {
            return;
        };
        let Ok(output) = std::process::Command::new(program).arg(shape).output() else {
            return;
        };
        print!("{}", String::from_utf8_lossy(&output.stdout));
    }
}

fn read_once(shape: &str) {
    let Some((name, unit, open, close)) = SHAPES.iter().find(|found| found.0 == shape) else {
        return;
    };
    let text = format!("{open}{}{close}", unit.repeat(1_000_000 / unit.len()));
    let before = peak();
    let tree = parse(text.as_bytes(), Dialect::Bash);
    if let (Some(before), Some(after)) = (before, peak()) {
        println!(
            "{name:>28}: 1 MB takes {} MB, {} troubles",
            (after - before) / 1024,
            tree.troubles().len()
        );
    }
}

/// Peak memory of this process in kB, from the kernel.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
