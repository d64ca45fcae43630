//! Everything we print or publish reads as people write: no phrase of the right column of `docs/design/voice.md` occurs in it.

#![expect(
    clippy::unwrap_used,
    clippy::string_slice,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// The page that lists the phrases.
const LIST: &str = "docs/design/voice.md";

/// Rooms that do not ship: what they print is for us.
const WORKSHOP: [&str; 9] = [
    "belay-attack",
    "belay-e2e",
    "belay-faults",
    "belay-mutants",
    "belay-needs",
    "belay-oracle",
    "belay-shell-peers",
    "belay-witness",
    "target",
];

#[test]
fn nothing_we_print_uses_a_banned_phrase() {
    let banned = banned();
    let mut found = Vec::new();
    for (kind, texts) in spoken() {
        // Each source must have been found, or this test would look at nothing.
        assert!(texts.len() > 5, "{kind}: only {} texts", texts.len());
        for (place, text) in texts {
            found.extend(faults(&text, &banned).map(|it| format!("{place}: `{it}` in: {text}")));
        }
    }
    assert!(
        found.is_empty(),
        "{} texts use phrases that {LIST} rules out:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn every_banned_phrase_would_be_found() {
    let banned = banned();
    assert!(banned.len() > 25, "{banned:?}");
    for phrase in &banned {
        for text in [
            format!("x {phrase} y"),
            format!("The agent: {} z", phrase.to_uppercase()),
        ] {
            assert!(faults(&text, &banned).any(|it| it == phrase), "{phrase}");
        }
    }
    assert_eq!(faults("This would delete ~/notes.", &banned).count(), 0);
    assert_eq!(faults("renewed, amended, rabbits", &banned).count(), 0);
    let source = "fn a() { // lies in\n  let x = \"said \\\" so\"; let y = r#\"raw\"#; let z = '\"'; let w = \"last\"; }";
    let literals: Vec<String> = literals(source).into_iter().map(|(_, it)| it).collect();
    assert_eq!(literals, ["said \\\" so", "raw", "last"]);
}

/// Returns the phrases of a text that are banned, as whole words.
fn faults<'a>(text: &str, banned: &'a [String]) -> impl Iterator<Item = &'a str> {
    let text = text.to_lowercase();
    banned.iter().map(String::as_str).filter(move |phrase| {
        text.match_indices(phrase).any(|(at, it)| {
            let letter = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
            let inside =
                phrase.starts_with(char::is_alphanumeric) && letter(text[..at].chars().next_back());
            !inside && !letter(text[at + it.len()..].chars().next())
        })
    })
}

fn banned() -> Vec<String> {
    let page = read(LIST);
    let (_, table) = page.split_once("| say | not |\n").unwrap();
    let rows = table.lines().skip(1).take_while(|it| it.starts_with('|'));
    let phrase = |row: &str| {
        let cell = row.trim_end_matches(['|', ' ']).rsplit('|').next();
        cell.unwrap().trim().to_lowercase()
    };
    rows.map(phrase).collect()
}

type Texts = Vec<(String, String)>;

/// Returns everything that people read, by where it comes from.
fn spoken() -> BTreeMap<&'static str, Texts> {
    let mut all: BTreeMap<&'static str, Texts> = BTreeMap::new();
    for path in files("crates", "rs") {
        let shipped = !WORKSHOP.iter().any(|it| path.contains(it)) && path.contains("/src/");
        if shipped {
            let text = read(&path);
            let text = text.split("#[cfg(test)]").next().unwrap();
            let said = literals(text)
                .into_iter()
                .map(|(line, it)| (format!("{path}:{line}"), it));
            all.entry("messages").or_default().extend(said);
            // What clap prints as help are comments of the arguments.
            if path.starts_with("crates/belay-cli/src/") {
                let help = lines(&path, text, "///");
                all.entry("help").or_default().extend(help);
            }
        }
    }
    for path in files("policy", "toml") {
        let said = lines(&path, &read(&path), "");
        all.entry("policy").or_default().extend(said);
    }
    for path in files("knowledge", "toml") {
        let said = lines(&path, &read(&path), "");
        all.entry("knowledge").or_default().extend(said);
    }
    let settings = "crates/belay-settings/default.toml";
    all.insert("settings", lines(settings, &read(settings), ""));
    let mut pages = files("docs", "md");
    pages.extend(files("tests/cli", "md"));
    pages.extend(
        [
            "README.md",
            "SECURITY.md",
            "CONTRIBUTING.md",
            "ARCHITECTURE.md",
        ]
        .map(str::to_owned),
    );
    for path in pages.iter().filter(|it| *it != LIST) {
        let said = lines(path, &read(path), "");
        all.entry("pages").or_default().extend(said);
    }
    all
}

/// Returns the lines that begin so, each with its place.
fn lines(path: &str, text: &str, beginning: &str) -> Texts {
    let numbered = text.lines().enumerate();
    numbered
        .filter(|(_, it)| it.trim_start().starts_with(beginning) && !it.trim().is_empty())
        .map(|(at, it)| (format!("{path}:{}", at + 1), it.to_owned()))
        .collect()
}

/// Returns the string literals of a source, each with its line; comments and characters are none.
fn literals(source: &str) -> Vec<(usize, String)> {
    let bytes = source.as_bytes();
    let (mut at, mut found) = (0, Vec::new());
    while let Some(byte) = bytes.get(at) {
        let rest = &source[at..];
        let line = || source[..at].lines().count().max(1);
        let raw = rest
            .strip_prefix('r')
            .map(|it| it.len() - it.trim_start_matches('#').len())
            .filter(|hashes| rest[1 + hashes..].starts_with('"'));
        match byte {
            b'/' if rest.starts_with("//") => at += rest.find('\n').unwrap_or(rest.len()),
            b'r' if raw.is_some() && !in_word(&source[..at]) => {
                let hashes = raw.unwrap();
                let body = &rest[hashes + 2..];
                let end = body.find(&format!("\"{}", "#".repeat(hashes))).unwrap();
                found.push((line(), body[..end].to_owned()));
                at += hashes + 2 + end + 1 + hashes;
            }
            b'"' => {
                let mut end = 1;
                while rest.as_bytes()[end] != b'"' {
                    end += if rest.as_bytes()[end] == b'\\' { 2 } else { 1 };
                }
                found.push((line(), rest[1..end].to_owned()));
                at += end + 1;
            }
            b'\'' if rest.starts_with("'\"'") => at += 3,
            b'\'' if rest.starts_with("'\\\"'") || rest.starts_with("'\\''") => at += 4,
            _ => at += rest.chars().next().unwrap().len_utf8(),
        }
    }
    found
}

/// Tells whether a letter that follows would go on with a word; the `b` of bytes is none.
fn in_word(before: &str) -> bool {
    let letter = |it: char| it.is_alphanumeric() || it == '_';
    let before = before
        .strip_suffix('b')
        .filter(|it| !it.ends_with(letter))
        .unwrap_or(before);
    before.ends_with(letter)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(format!("{ROOT}/{path}")).unwrap_or_else(|why| panic!("{path}: {why}"))
}

/// Returns all files below a folder with an ending, by their paths from the root.
fn files(folder: &str, ending: &str) -> Vec<String> {
    let mut folders = vec![PathBuf::from(ROOT).join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == ending) {
                let own = path.strip_prefix(Path::new(ROOT)).unwrap();
                files.push(own.to_str().unwrap().to_owned());
            }
        }
    }
    files.sort();
    files
}
