//! Positions and forms of secrets, and what only looks like one; the figures are printed.

#![expect(
    clippy::panic,
    clippy::print_stdout,
    reason = "tests report and fail by panicking"
)]

use belay_secrets::redact;

/// What stands in a position, from a word to noise.
const SECRETS: [&str; 5] = [
    "hunter2hunter",
    "correct-horse-battery",
    "S3cr3t/Pa55+w0rd==",
    "9f86d081884c7d659a2feaa0c55ad015",
    "b7Q2xK9vLm3TzR8w",
];

/// What is no secret: hashes, ids, pictures, paths.
const HARMLESS: [&str; 9] = [
    "3b18e512dba79e4c8300dd08aeb37f8e728b8dad",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "d41d8cd98f00b204e9800998ecf8427e",
    "7d3c1f4a2b",
    "123e4567-e89b-12d3-a456-426614174000",
    "01HZX3K8W7Q2M5N9P4R6T8V0YB",
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "packages/frontend/src/components/checkout/PaymentMethodSelector.test.tsx",
    "2026-11-15T08-59-24Z",
];

fn lines(name: &str) -> Vec<String> {
    let path = format!("{}/tests/{name}", env!("CARGO_MANIFEST_DIR"));
    #[expect(clippy::disallowed_methods, reason = "a test reads its cases")]
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lines = text
        .lines()
        .filter(|it| !it.is_empty() && !it.starts_with('#'));
    lines.map(|it| it.replace("\\n", "\n")).collect()
}

fn filled(name: &str, values: &[&str]) -> Vec<(String, String)> {
    let each = |line: String| {
        values
            .iter()
            .map(move |it| (line.replace("{}", it), (*it).to_owned()))
    };
    lines(name).into_iter().flat_map(each).collect()
}

/// Fails with what went wrong, after printing how many went well.
fn report(kind: &str, all: usize, wrong: &[String]) {
    println!("{kind}: {} of {all} right", all - wrong.len());
    if !wrong.is_empty() {
        panic!(
            "{kind}: {} of {all} wrong:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
    }
    assert!(all >= 300, "only {all} cases");
}

#[test]
fn secrets_are_taken_out() {
    let mut cases = filled("positions.txt", &SECRETS);
    cases.extend(
        lines("tokens.txt")
            .into_iter()
            .map(|it| (format!("echo {it} | tee log"), it)),
    );
    let leaks = cases
        .iter()
        .filter(|(text, secret)| redact(text).contains(secret.as_str()));
    let leaks: Vec<String> = leaks
        .map(|(text, _)| format!("{text}  =>  {}", redact(text)))
        .collect();
    report("secrets", cases.len(), &leaks);
}

#[test]
fn nothing_else_is() {
    let mut cases: Vec<String> = filled("harmless.txt", &HARMLESS)
        .into_iter()
        .map(|it| it.0)
        .collect();
    cases.extend(lines("plain.txt"));
    let lost = cases.iter().filter(|it| redact(it) != it.as_str());
    let lost: Vec<String> = lost.map(|it| format!("{it}  =>  {}", redact(it))).collect();
    report("harmless", cases.len(), &lost);
}

#[test]
fn twice_is_once() {
    for (text, _) in filled("positions.txt", &SECRETS) {
        let once = redact(&text).into_owned();
        assert_eq!(redact(&once), once, "{text}");
    }
}
