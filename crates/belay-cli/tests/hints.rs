//! Every way out that the program names can be gone: commands in its messages are run, flags and settings exist.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

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

/// Tables of knowledge files and of the policy's own files, which are no settings.
const ELSEWHERE: [&str; 10] = [
    "bound", "class", "examples", "flag", "form", "names", "never", "say", "values", "yes",
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
    let schema = schema();
    let mut texts = said();
    texts.extend(pages());
    // Transcripts show how a wrong key is told.
    texts.retain(|it| !it.contains("unknown key"));
    let mut named: BTreeSet<(String, Option<String>)> =
        texts.iter().flat_map(|it| settings(it)).collect();
    named.retain(|(table, _)| !ELSEWHERE.contains(&table.as_str()));
    assert!(named.len() > 15, "{named:?}");
    let wrong: Vec<_> = named.iter().filter(|it| !exists(&schema, it)).collect();
    assert!(wrong.is_empty(), "there are no such settings: {wrong:?}");
}

#[test]
fn settings_that_do_not_exist_are_found() {
    let schema = schema();
    for line in [
        "add it to `[project] hosts`",
        "name `roots` in `[hosts]`",
        "look at `[frob]`",
        "`[rules] frob` says so",
    ] {
        let named = settings(line);
        assert!(
            !named.is_empty() && named.iter().any(|it| !exists(&schema, it)),
            "{line}"
        );
    }
    for line in [
        "`[hosts] trusted`",
        "`url` in `[flags]`",
        "a `[[rule]]`",
        "`[classifier] model`",
    ] {
        let named = settings(line);
        assert!(
            !named.is_empty() && named.iter().all(|it| exists(&schema, it)),
            "{line}"
        );
    }
}

/// What settings may hold, as the program tells it.
fn schema() -> serde_json::Value {
    let done = Command::new(env!("CARGO_BIN_EXE_belay"))
        .args(["config", "--schema"])
        .output()
        .unwrap();
    serde_json::from_slice(&done.stdout).unwrap()
}

/// Tells whether a table of the settings exists, with its key where one is named.
fn exists(schema: &serde_json::Value, named: &(String, Option<String>)) -> bool {
    let Some(table) = schema["properties"].get(&named.0) else {
        return false;
    };
    let Some(key) = &named.1 else {
        return true;
    };
    // Some tables take any name: tools, projects.
    let open = table["properties"]
        .as_object()
        .is_none_or(|it| it.is_empty());
    open || table["properties"].get(key).is_some()
        || table["items"]["properties"].get(key).is_some()
}

/// Returns the settings that a text names: `[table] key`, `key` in `[table]`, and `[table]` alone.
fn settings(text: &str) -> Vec<(String, Option<String>)> {
    let word = |it: &str| {
        let plain = !it.is_empty() && it.bytes().all(|it| it.is_ascii_lowercase() || it == b'_');
        plain.then(|| it.to_owned())
    };
    let mut found = Vec::new();
    let pieces: Vec<&str> = text.split('`').collect();
    for (at, code) in pieces.iter().enumerate().skip(1).step_by(2) {
        let Some((table, rest)) = code.strip_prefix('[').and_then(|it| it.split_once(']')) else {
            continue;
        };
        let Some(table) = word(table.trim_start_matches('[')) else {
            continue;
        };
        let rest = rest.trim_start_matches(']').trim();
        let key = word(rest.split([' ', '=']).next().unwrap());
        let before = at.checked_sub(2).and_then(|it| word(pieces[it]));
        let joined = at >= 2 && matches!(pieces[at - 1], " in " | " of ");
        match (key, before) {
            (Some(key), _) => found.push((table, Some(key))),
            (None, Some(key)) if joined && rest.is_empty() => found.push((table, Some(key))),
            (None, _) if rest.is_empty() => found.push((table, None)),
            (None, _) => {}
        }
    }
    found
}

/// Returns the lines of the README, the guide and what people read in the rules' files.
fn pages() -> Vec<String> {
    let mut paths = vec![PathBuf::from(format!("{ROOT}/README.md"))];
    for folder in ["docs/guide", "tests/cli", "policy"] {
        let entries = std::fs::read_dir(format!("{ROOT}/{folder}")).unwrap();
        paths.extend(entries.map(|it| it.unwrap().path()));
    }
    let texts = paths.iter().filter(|it| it.is_file());
    let lines = texts.map(|it| std::fs::read_to_string(it).unwrap());
    lines
        .flat_map(|it| it.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
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
