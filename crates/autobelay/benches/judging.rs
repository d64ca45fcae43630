//! What a whole judgement costs in the library: reading, analysis, policy, reasons.
//!
//! `cargo bench -p autobelay` prints the time of the corpus' ordinary calls and how time grows with
//! the text, and fails past a budget. Every figure is the best of several runs, so that other work on
//! the machine counts little.
//!
//! `cargo bench -p autobelay -- ordinary` prints only the first of these; `edits`, `knots` and `growth` are the others.
//!
//! `cargo bench -p autobelay -- instructions` counts the instructions of one judgement of several kinds of calls, by
//! callgrind: on a busy machine only they say whether something became faster.
//! `perf record target/release/deps/judging-* many 100` shows where the corpus spends its time, `middle 100` where those
//! calls spend it that are around the median.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench prints its figures, reads the corpus and looks at the clock"
)]

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use autobelay::{Call, Gate, Judgement, Nowhere, Settings, Value};

/// The most the middle one of ordinary calls may take.
const MEDIAN: Duration = Duration::from_micros(5);
/// The most the 99th of a hundred may take.
const NEARLY_ALL: Duration = Duration::from_micros(50);
/// The most an edit of an ordinary source file may take.
const EDIT: Duration = Duration::from_micros(25);
/// How much longer twice the text may take.
const GROWTH: f64 = 2.6;
/// The most any text of a megabyte may take.
const LONG: Duration = Duration::from_millis(500);
/// The most a small text may take, however long its run is.
const KNOT: Duration = Duration::from_millis(50);
/// Judgements whose instructions are counted together.
const COUNTED: u64 = 20;
/// Ordinary calls are no longer than this.
const ORDINARY: usize = 500;

/// A part of the bench; tells whether it kept to its budgets.
type Part = fn(&Gate) -> bool;

/// Measures what the words of the command line name.
pub fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let gate = Gate::new(Settings::default());
    if let [job, command] = words.as_slice()
        && job == "one"
    {
        let call = shell(command);
        // The first fills the memory that the others find.
        black_box(gate.judge_in(&call, &Nowhere));
        for _ in 0..COUNTED {
            black_box(judged(&gate, black_box(&call)));
        }
        return ExitCode::SUCCESS;
    }
    if let [job, rounds] = words.as_slice()
        && (job == "many" || job == "middle")
    {
        let rounds: usize = rounds.parse().unwrap();
        let texts = match job.as_str() {
            "middle" => middle(&gate),
            _ => commands(),
        };
        let calls: Vec<Call> = texts.iter().map(|it| shell(it)).collect();
        for call in calls.iter().cycle().take(calls.len() * rounds) {
            black_box(judged(&gate, black_box(call)));
        }
        return ExitCode::SUCCESS;
    }
    if let [job, name] = words.as_slice()
        && job == "shape"
    {
        for text in shaped(name, 1024 * 1024) {
            black_box(gate.judge_in(&shell(&text), &Nowhere));
        }
        return ExitCode::SUCCESS;
    }
    let part = words.first().map_or("", String::as_str);
    if part == "instructions" {
        return instructions();
    }
    let parts: [(&str, Part); 4] = [
        ("ordinary", ordinary),
        ("edits", edits),
        ("knots", knots),
        ("growth", growth),
    ];
    let named = parts.iter().any(|(name, _)| *name == part);
    let wanted = |it: &str| !named || it == part;
    let mut kept = true;
    for (_, run) in parts.iter().filter(|(name, _)| wanted(name)) {
        kept &= run(&gate);
    }
    if kept {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Judges one call; has a place of its own so that only what it runs is counted.
#[inline(never)]
fn judged(gate: &Gate, call: &Call) -> Judgement {
    gate.judge_in(call, &Nowhere)
}

/// Calls of the kinds that agents make most.
const KINDS: [&str; 8] = [
    "ls",
    "git status",
    "git add -A && git status --short",
    "sed -n '340,379p' pkg/money/round.go",
    "grep -rn 'WithTimeout' internal/api",
    "ps aux | grep node | grep -v grep",
    "npm test 2>&1 | tail -40",
    "cd web && npm ci && npm run build && cd .. && make test > /tmp/out.log 2>&1; tail -5 /tmp/out.log",
];

/// Counts the instructions of one judgement of each kind.
fn instructions() -> ExitCode {
    let own = std::env::current_exe().unwrap();
    for kind in KINDS {
        let counted = Command::new("valgrind")
            .args(["--tool=callgrind", "--toggle-collect=judging::judged"])
            .arg("--callgrind-out-file=/dev/null")
            .arg(&own)
            .args(["one", kind])
            .output();
        let Ok(counted) = counted else {
            println!("valgrind is not installed");
            return ExitCode::FAILURE;
        };
        let said = String::from_utf8_lossy(&counted.stderr).into_owned();
        let sum = said.lines().find_map(|it| it.split_once("Collected : "));
        let sum: u64 = sum.map_or(0, |(_, it)| it.trim().parse().unwrap());
        println!("{:>9} instructions  {kind}", sum / COUNTED);
    }
    ExitCode::SUCCESS
}

/// Edits of ordinary files, four kilobytes each.
fn edits(gate: &Gate) -> bool {
    let mut kept = true;
    for (path, line) in [
        (
            "src/main.rs",
            "    let total: u64 = items.iter().map(|it| it.price).sum();\n",
        ),
        (
            "tests/test_app.py",
            "    assert app.get('/users/1').status_code == 200\n",
        ),
        ("package.json", "    \"some-package\": \"^1.2.3\",\n"),
        (
            ".github/workflows/ci.yml",
            "      - run: npm run build && npm test\n",
        ),
        ("Makefile", "build:\n\tcargo build --release\n"),
    ] {
        let content = line.repeat(4096 / line.len());
        let call = Call {
            tool: "Write".to_owned(),
            input: Value::Object(vec![
                ("file_path".to_owned(), Value::from(path)),
                ("content".to_owned(), Value::from(content.as_str())),
            ]),
            ..shell("")
        };
        let time = best(300, || {
            black_box(gate.judge_in(black_box(&call), &Nowhere));
        });
        println!("edit of {path}: {time:?}");
        kept &= time <= EDIT || !path.ends_with(".rs");
    }
    kept
}

fn shell(command: &str) -> Call {
    Call {
        tool: "Bash".to_owned(),
        input: Value::Object(vec![("command".to_owned(), Value::from(command))]),
        cwd: "/work/app".to_owned(),
        project_roots: vec!["/work/app".to_owned()],
        home: Some("/home/me".to_owned()),
        ..Call::default()
    }
}

/// The best of several runs: what it takes when nothing else on the machine is in the way.
fn best(runs: u32, mut run: impl FnMut()) -> Duration {
    let once = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..runs).map(once).min().unwrap_or_default()
}

/// The shell calls of the corpus that are ordinary work.
fn commands() -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/everyday-shell.jsonl");
    let text = std::fs::read_to_string(file).unwrap();
    let command = |line: &str| {
        let call: serde_json::Value = serde_json::from_str(line).unwrap();
        let command = call.get("input")?.get("command")?;
        let text = match command.as_array() {
            Some(words) => words.last()?.as_str()?,
            None => command.as_str()?,
        };
        (text.len() <= ORDINARY).then(|| text.to_owned())
    };
    text.lines().filter_map(command).collect()
}

/// The ordinary calls and what each takes, the quickest first.
fn timed(gate: &Gate, runs: u32) -> Vec<(Duration, String)> {
    let timed = commands().into_iter().map(|text| {
        let call = shell(&text);
        let time = best(runs, || {
            black_box(gate.judge_in(black_box(&call), &Nowhere));
        });
        (time, text)
    });
    let mut times: Vec<(Duration, String)> = timed.collect();
    times.sort();
    times
}

/// The calls that take as long as most: a fifth of all, around the median.
fn middle(gate: &Gate) -> Vec<String> {
    let times = timed(gate, 5);
    let (from, count) = (times.len() * 2 / 5, times.len() / 5);
    let texts = times.into_iter().map(|(_, text)| text);
    texts.skip(from).take(count).collect()
}

fn ordinary(gate: &Gate) -> bool {
    let times = timed(gate, 300);
    let at = |share: usize| {
        times
            .get(times.len() * share / 100)
            .map_or(Duration::MAX, |it| it.0)
    };
    println!(
        "{} ordinary shell calls: p50 {:?} (at most {MEDIAN:?}), p90 {:?}, p99 {:?} (at most {NEARLY_ALL:?})",
        times.len(),
        at(50),
        at(90),
        at(99),
    );
    for (time, text) in times.iter().rev().take(5) {
        let start: String = text.chars().take(100).collect();
        println!("  {time:?}  {}", start.replace('\n', " "));
    }
    at(50) <= MEDIAN && at(99) <= NEARLY_ALL
}

/// A name, what is repeated, and what stands before and after it.
const SHAPES: &[(&str, &str, &str, &str)] = &[
    ("parts", "ls -la; ", "", ""),
    ("chain", "ls -la && ", "", "true"),
    ("pipe", "cat a | ", "", "wc -l"),
    ("words", "src/a.rs ", "cat ", ""),
    ("deleted words", "a ", "rm -rf ", ""),
    ("flags", "-e a ", "grep ", " b"),
    ("quotes", "'a'\"b\"", "echo ", ""),
    ("braces", "{a,b} ", "echo ", ""),
    ("dots", "../", "cat ", "a"),
    ("globs", "*a?", "ls ", ""),
    ("assignments", "A=1; ", "", ""),
    ("different names", "A=$A; B=$A; ", "", ""),
    ("substitutions", "echo $(ls); ", "", ""),
    ("functions", "f() { ls; }; ", "", ""),
    ("calls", "f; ", "f() { ls; }; ", ""),
    ("redirections", "echo a > b; ", "", ""),
    ("here-documents", "cat <<'E'\nx\nE\n", "", ""),
    (
        "lines of a here-document",
        "text line\n",
        "cat <<'E'\n",
        "E\n",
    ),
    ("lines of Python", "x = 1\n", "python3 - <<'E'\n", "E\n"),
    ("folders", "cd a; ", "", ""),
    ("clauses of find", "-exec ls {} \\; ", "find . ", ""),
    ("wrappers", "nice ", "", "ls"),
    ("loops", "for i in a b; do ls $i; done; ", "", ""),
    ("tests", "[ -f a ] && ls; ", "", ""),
    ("tasks", "npm test; ", "", ""),
    ("short commands", "ls\n", "", ""),
    ("written files", "echo a > f#\n", "", ""),
    ("appended files", "echo a >> f#\n", "", ""),
    ("copies", "ls | tee f#\n", "", ""),
    ("links", "ln -s a# b#\n", "", ""),
    ("jobs", "cat f# &\n", "", ""),
    ("substituted files", "cat <(ls #)\n", "", ""),
    ("variables", "v#=a#\n", "", ""),
    ("positional words", "set -- a# \"$@\"\n", "", ""),
    ("elements", "a+=(b#)\n", "", ""),
    ("cases", "case $x in a#) ls;; esac\n", "", ""),
    ("traps", "trap 'ls #' EXIT\n", "", ""),
    ("evaluated", "eval 'ls #'\n", "", ""),
    ("shells", "bash -c 'ls #'\n", "", ""),
];

/// Returns the text of a shape; `#` is the number of its part.
fn text_of(shape: &(&str, &str, &str, &str), size: usize) -> String {
    let (_, unit, open, close) = shape;
    let mut text = (*open).to_owned();
    let mut number = 0;
    while text.len() + unit.len() + close.len() < size {
        text.push_str(&unit.replace('#', &number.to_string()));
        number += 1;
    }
    text + close
}

fn shaped(name: &str, size: usize) -> Vec<String> {
    let named = SHAPES.iter().filter(|it| it.0 == name);
    named.map(|it| text_of(it, size)).collect()
}

/// Small texts whose runs are long: each may take at most [`KNOT`].
fn knots(gate: &Gate) -> bool {
    let calls = |define: &dyn Fn(usize, &str) -> String| {
        let next = |it: usize| format!("f{0}; f{0}", it + 1);
        let all: Vec<String> = (0..25).map(|it| define(it, &next(it))).collect();
        format!("{}\nf25() {{ ls; }}\nf0", all.join("\n"))
    };
    let texts = [
        (
            "24 loops in loops",
            "for i in a b; do ".repeat(24) + "ls $i; " + &"done; ".repeat(24),
        ),
        (
            "24 loops in loops that assign",
            "while read x; do y=$x$y; ".repeat(24) + "ls $y; " + &"done; ".repeat(24),
        ),
        (
            "25 functions that call twice",
            calls(&|it, next| format!("f{it}() {{ {next}; }}")),
        ),
        (
            "25 scripts that call twice",
            (0..25)
                .map(|it| format!("echo 'sh s{0}.sh; sh s{0}.sh' > s{it}.sh\n", it + 1))
                .collect::<String>()
                + "echo ls > s25.sh\nsh s0.sh",
        ),
        (
            "a doubled text",
            "x=ab\n".to_owned() + &"x=$x$x\n".repeat(40) + "ls $x",
        ),
        (
            "a doubled array",
            "a=(1 2)\n".to_owned() + &"a=(\"${a[@]}\" \"${a[@]}\")\n".repeat(40) + "ls \"${a[@]}\"",
        ),
        (
            "doubled positional words",
            "set -- a b\n".to_owned() + &"set -- \"$@\" \"$@\"\n".repeat(40) + "ls \"$@\"",
        ),
        ("braces in braces", "echo ".to_owned() + &"{a,b}".repeat(40)),
    ];
    let mut kept = true;
    for (name, text) in texts {
        let call = shell(&text);
        let time = best(3, || {
            black_box(gate.judge_in(&call, &Nowhere));
        });
        let mark = if time > KNOT { "  over" } else { "" };
        println!("{name:<34} {:>8} bytes {time:>12.3?}{mark}", text.len());
        kept &= time <= KNOT;
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|it| it.starts_with("VmHWM"));
    println!("the most memory at a time: {}", peak.unwrap_or("not told"));
    kept
}

fn growth(gate: &Gate) -> bool {
    println!(
        "{:<26} {:>12} {:>12} {:>9}",
        "shape", "512 kB", "1 MB", "ratio"
    );
    let mut kept = true;
    for shape in SHAPES {
        let name = shape.0;
        let time = |size: usize| {
            let call = shell(&text_of(shape, size));
            best(3, || {
                black_box(gate.judge_in(&call, &Nowhere));
            })
        };
        let (half, whole) = (time(512 * 1024), time(1024 * 1024));
        let ratio = whole.as_secs_f64() / half.as_secs_f64().max(1e-6);
        let mark = if ratio > GROWTH || whole > LONG {
            "  over"
        } else {
            ""
        };
        println!("{name:<26} {half:>12.3?} {whole:>12.3?} {ratio:>9.2}{mark}");
        kept &= ratio <= GROWTH && whole <= LONG;
    }
    kept
}
