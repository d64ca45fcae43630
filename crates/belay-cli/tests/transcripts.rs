//! Runs the terminal transcripts in `tests/cli/*.md` and the README: the guide is the test.
//!
//! A block fenced with `console` holds commands after `$ `, what they print, and `[exit N]` where
//! they do not end with 0. Lines after `> ` belong to the command before. All blocks of a file share a home and a project made for it.
//! `UPDATE_EXPECT=1 cargo test -p belay-cli --test transcripts` writes what is printed now.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};
use std::process::Command;

use belay_needs::Need;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cli");

#[test]
fn transcripts_hold() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    for path in transcripts() {
        let text = std::fs::read_to_string(&path).unwrap();
        let fresh = replayed(&text);
        if update {
            std::fs::write(&path, &fresh).unwrap();
        } else if fresh != text {
            wrong.push(differences(&path, &text, &fresh));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn transcripts() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(FOLDER).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|it| it.unwrap().path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "md"));
    let more = [
        "../../README.md",
        "../../docs/guide/a-day.md",
        "../../docs/guide/journal.md",
        "../../docs/guide/rules.md",
        "../../docs/guide/undo.md",
    ];
    paths.extend(more.map(|it| Path::new(FOLDER).join(it)));
    paths.sort();
    if Need::Minisign.is_skipped("tests/cli/fleet.md") {
        paths.retain(|it| !it.ends_with("fleet.md"));
    }
    paths
}

fn differences(path: &Path, old: &str, new: &str) -> String {
    let lines = old.lines().zip(new.lines()).enumerate();
    let first = lines.into_iter().find(|(_, (old, new))| old != new);
    let shown = match first {
        Some((at, (old, new))) => format!("{}:\n- {old}\n+ {new}", at + 1),
        None => "end: one is longer".to_owned(),
    };
    format!("{}:{shown}", path.display())
}

/// Returns the text with the output of every command as it is now.
fn replayed(text: &str) -> String {
    let place = Place::make();
    let mut fresh = String::new();
    let mut inside = false;
    let mut pending: Option<String> = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        match (inside, line) {
            (false, "```console") => inside = true,
            (true, "```") => inside = false,
            (true, line) if !line.starts_with("$ ") && more(line).is_none() => continue,
            (true | false, _) => {}
        }
        fresh.push_str(line);
        fresh.push('\n');
        if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            let rest = lines.clone().map_while(more);
            let whole: Vec<&str> = std::iter::once(command).chain(rest).collect();
            pending = Some(whole.join("\n"));
        }
        let ends = lines.clone().next().is_none_or(|it| more(it).is_none());
        if let Some(command) = pending.take_if(|_| ends) {
            fresh.push_str(&place.run(&command));
        }
    }
    fresh
}

/// Returns the text of a line that goes on with a command: a here-document's.
fn more(line: &str) -> Option<&str> {
    if line == ">" {
        return Some("");
    }
    line.strip_prefix("> ")
}

/// A home with a project in it.
struct Place {
    home: tempfile::TempDir,
}

impl Place {
    fn make() -> Self {
        // Not below the folder for temporary files, where deleting is nothing.
        let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        std::fs::create_dir_all(home.path().join("project/src")).unwrap();
        Self { home }
    }

    fn run(&self, command: &str) -> String {
        let belay = Path::new(env!("CARGO_BIN_EXE_belay")).parent().unwrap();
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", belay.display());
        let done = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(self.home.path().join("project"))
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.home.path())
            .output()
            .unwrap();
        let mut text = String::from_utf8_lossy(&done.stdout)
            .replace(&self.home.path().display().to_string(), "/home/me");
        text = without_times(&text);
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        match done.status.code() {
            Some(0) => {}
            Some(code) => text.push_str(&format!("[exit {code}]\n")),
            None => text.push_str("[killed]\n"),
        }
        text
    }
}

/// `12 µs` and `"micros":12` change from run to run.
fn without_times(text: &str) -> String {
    let mut fresh = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|it: char| it.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        let digits = from
            .find(|it: char| !it.is_ascii_digit())
            .unwrap_or(from.len());
        let (number, after) = from.split_at(digits);
        let time = after.starts_with(" µs") || before.ends_with("\"micros\":");
        fresh.push_str(before);
        fresh.push_str(if time { "N" } else { number });
        rest = after;
    }
    fresh.push_str(rest);
    fresh
}
