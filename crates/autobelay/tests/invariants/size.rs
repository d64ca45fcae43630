//! Size changes nothing: I31, I42, I43.

use std::time::{Duration, Instant};

use autobelay::Verdict;

use crate::samples::{Ledger, verdict};

/// The hook judges on the main thread, which has this much stack.
const STACK: usize = 8 * 1024 * 1024;

fn as_the_hook_does(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK);
    thread.spawn(work).unwrap().join().unwrap();
}

#[test]
fn i31_no_number_of_parts_changes_anything() {
    as_the_hook_does(|| {
        let mut ledger = Ledger::default();
        for count in [1_usize, 2, 50, 51, 1_000] {
            for joiner in [" && ", "; ", "\n", " | ", " || ", " & "] {
                let many = format!("true{joiner}").repeat(count);
                ledger.exactly(&format!("{many}true"), Verdict::Allow);
                ledger.exactly(&format!("{many}rm -rf ~"), Verdict::Deny);
                ledger.exactly(&format!("rm -rf ~{joiner}{many}true"), Verdict::Deny);
                ledger.exactly(&format!("{many}frobnicate"), Verdict::Ask);
            }
        }
        let many = "true && ".repeat(100_000);
        ledger.exactly(&format!("{many}true"), Verdict::Allow);
        ledger.exactly(&format!("{many}rm -rf ~"), Verdict::Deny);
        let many = "true\n".repeat(100_000);
        ledger.exactly(&format!("rm -rf ~\n{many}true"), Verdict::Deny);
        ledger.exactly(&format!("{many}frobnicate"), Verdict::Ask);
        ledger.close();
    });
}

#[test]
fn i31_no_number_of_words_changes_anything() {
    as_the_hook_does(|| {
        let mut ledger = Ledger::default();
        for count in [1_usize, 50, 51, 1_000, 4_000] {
            let many = "a ".repeat(count);
            ledger.exactly(&format!("cat {many}"), Verdict::Allow);
            ledger.exactly(&format!("rm -rf {many}~"), Verdict::Deny);
            ledger.exactly(&format!("echo {many}> ~/.bashrc"), Verdict::Deny);
            ledger.never_allows(&format!("ls {many}--frobnicate"));
        }
        ledger.close();
    });
}

/// Texts of about so many bytes, each growing in its own way.
fn shapes(size: usize) -> Vec<(&'static str, String)> {
    let times = |text: &str| text.repeat(size / text.len());
    vec![
        ("parts", times("ls -la; ")),
        ("words", format!("cat {}", times("src/a.rs "))),
        ("pipes", format!("{}wc -l", times("cat a | "))),
        ("quotes", format!("echo {}", times("'a'\"b\""))),
        ("dots", format!("cat {}a", times("../"))),
        ("globs", format!("ls {}", times("*a?"))),
        ("here-documents", times("cat <<'E'\nx\nE\n")),
        (
            "one here-document",
            format!("cat <<'E'\n{}\nE\n", times("text line\n")),
        ),
        ("braces", format!("echo {}", times("{a,b} "))),
        ("assignments", times("A=1; ")),
        ("substitutions", times("echo $(ls); ")),
        ("functions", times("f() { ls; }; ")),
    ]
}

/// Time this thread has spent on a processor: other work on the machine does not count.
#[expect(
    clippy::disallowed_methods,
    reason = "the system tells how long it let the thread run"
)]
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}

fn best(text: &str) -> Duration {
    let once = |_| {
        let (clock, start) = (Instant::now(), processor_time());
        let _ = verdict(text);
        match (start, processor_time()) {
            (Some(start), Some(end)) => end.saturating_sub(start),
            _ => clock.elapsed(),
        }
    };
    (0..3).map(once).min().unwrap()
}

#[test]
fn i42_time_grows_with_the_text_and_no_faster() {
    as_the_hook_does(|| {
        const TIMES: u32 = 8;
        for ((name, small), (_, large)) in shapes(4_000).into_iter().zip(shapes(32_000)) {
            let small = best(&small).max(Duration::from_millis(8));
            let large = best(&large);
            // Linear is 8, quadratic is 64; the processor's clock ticks every few milliseconds.
            assert!(
                large < small * TIMES * 4,
                "{name}: {small:?} became {large:?}"
            );
        }
    });
}

#[test]
fn i42_braces_are_not_written_out() {
    let start = Instant::now();
    assert_ne!(
        verdict(&format!("rm -rf {}", "{a,b}".repeat(40))),
        Verdict::Allow
    );
    assert_ne!(verdict("rm -rf x{1..1000000000}"), Verdict::Allow);
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn i43_no_depth_ends_the_stack() {
    as_the_hook_does(|| {
        let mut ledger = Ledger::default();
        let nests = [
            ("( ", " )"),
            ("{ ", "; }"),
            ("echo $(", ")"),
            ("echo \"$(", ")\""),
            ("if true; then ", "; fi"),
            ("while true; do ", "; done"),
            ("case a in a) ", ";; esac"),
            ("! ", ""),
            ("f() { ", "; }; f"),
            ("echo ${v:-$(", ")}"),
            ("cat <(", ")"),
            ("$(( 1 + ", " ))"),
        ];
        for (before, after) in nests {
            for depth in [10_usize, 1_000, 100_000] {
                let line = format!("{}rm -rf ~{}", before.repeat(depth), after.repeat(depth));
                ledger.never_allows(&line);
            }
        }
        ledger.close();
    });
}
