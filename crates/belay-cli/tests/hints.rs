//! Every way out that the program names can be gone: commands in its messages are run, flags and settings exist.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// What a command line that nobody understands ends with.
const USAGE: i32 = 64;

/// Words that stand for something, and an example of it; what is written in braces stands for some word.
const EXAMPLES: [(&str, &str); 9] = [
    ("AGENT", "claude-code"),
    ("COMMAND", "ls"),
    ("FILE", "a.toml"),
    ("ID", "abcde"),
    ("PORT", "8791"),
    ("RULE", "fetch"),
    ("TIME", "30m"),
    ("...", "a"),
    ("'...'", "'a b'"),
];

#[test]
fn commands_in_messages_are_understood() {
    let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut wrong = Vec::new();
    let lines = quoted(|it| it.starts_with("belay "));
    assert!(lines.len() > 10, "{lines:?}");
    for line in lines {
        let words = words(&line);
        let fails = ended(&words, place.path()) == Some(USAGE);
        // A message may speak of a command that needs more words.
        let named = [words, vec!["--help".to_owned()]].concat();
        if fails && (line.contains(['-', '\'']) || ended(&named, place.path()) != Some(0)) {
            wrong.push(format!("`{line}` is not understood"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn settings_in_messages_exist() {
    let known = std::fs::read_to_string(format!("{ROOT}/docs/reference/settings.md")).unwrap();
    let lines = quoted(|it| it.starts_with('[') && it.contains("] ") && !it.contains('{'));
    assert!(!lines.is_empty());
    for line in lines {
        let (section, key) = line.split_once("] ").unwrap();
        let section = section.trim_start_matches('[');
        let key = key.split_whitespace().next().unwrap();
        assert!(
            known.contains(section) && known.contains(key),
            "there is no `{line}`"
        );
    }
}

#[test]
fn flags_in_hints_exist() {
    let known = std::fs::read_to_string(format!("{ROOT}/docs/reference/cli.md")).unwrap();
    for hint in hints() {
        let flags = hint.split([' ', '`', ',', '=', '\'', '"', '[']);
        for flag in flags.filter(|it| it.starts_with("--") && it.len() > 2) {
            assert!(known.contains(flag), "there is no `{flag}`: {hint}");
        }
    }
}

/// Returns how a command ends; nothing where it goes on, as servers do.
fn ended(words: &[String], home: &Path) -> Option<i32> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_belay"))
        .args(words)
        .current_dir(home)
        .env_clear()
        .env("HOME", home)
        .env("PATH", "/usr/bin:/bin")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(5) {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

/// Returns the words of a command line after the program, examples in place of what stands for something.
fn words(line: &str) -> Vec<String> {
    let mut line = line.trim_start_matches("belay ").replace('\\', "");
    while let (Some(from), Some(to)) = (line.find('{'), line.find('}')) {
        line.replace_range(from..=to, "a");
    }
    let mut words = Vec::new();
    let mut text = line.as_str();
    while !text.trim_start().is_empty() {
        text = text.trim_start();
        let (word, rest) = match text.strip_prefix('\'') {
            Some(inner) => inner.split_once('\'').unwrap_or((inner, "")),
            None => text.split_once(' ').unwrap_or((text, "")),
        };
        let mut word = word.to_owned();
        for (name, example) in EXAMPLES {
            let whole = word == name;
            if whole || word.ends_with(&format!("={name}")) {
                word = word.replace(name, example.trim_matches('\''));
            }
        }
        words.push(word);
        text = rest;
    }
    words
}

/// Returns what stands between backticks in the texts of the program and of its rules.
fn quoted(wanted: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in said() {
        let pieces = line.split('`').skip(1).step_by(2);
        found.extend(pieces.filter(|it| wanted(it)).map(str::to_owned));
    }
    found
}

fn hints() -> BTreeSet<String> {
    let hint = |line: &str| {
        let (_, rest) = line.split_once("hint: ")?;
        rest.split(['"', '\n']).next().map(str::to_owned)
    };
    said().iter().filter_map(|it| hint(it)).collect()
}

/// Returns the lines of sources and rules that are no comments and no tests.
fn said() -> Vec<String> {
    let mut lines = Vec::new();
    for path in sources() {
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap();
        let code = text.lines().filter(|it| !it.trim_start().starts_with("//"));
        lines.extend(code.map(str::to_owned));
    }
    let policy = std::fs::read_to_string(format!("{ROOT}/policy/default.toml")).unwrap();
    let said = |it: &&str| it.starts_with("instead") || it.starts_with("because");
    lines.extend(policy.lines().filter(said).map(str::to_owned));
    lines
}

fn sources() -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from(format!("{ROOT}/crates"))];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let ours = !["tests", "target", "belay-e2e", "belay-witness"].contains(&name.as_str());
            if path.is_dir() && ours {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "tests.rs" {
                files.push(path);
            }
        }
    }
    files
}
