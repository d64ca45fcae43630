//! Every hole that was ever found stays closed.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where its table cannot be read"
)]

use std::fs;
use std::path::PathBuf;

use belay_oracle::found::Found;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/found")
}

/// Returns the names of the files whose programs do what is not said, of all there are.
fn uncovered() -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|it| it != "sh") {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let found = Found::read(&fs::read_to_string(&path).unwrap());
        let found = found.unwrap_or_else(|why| panic!("{name}: {why}"));
        if !found.uncovered().is_empty() {
            names.push(name);
        }
    }
    names.sort();
    names
}

/// Returns the names of the holes that are known to be open.
fn open() -> Vec<String> {
    let text = fs::read_to_string(folder().join("open.txt")).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn no_hole_opens_again() {
    let open = open();
    let mut again = uncovered();
    again.retain(|it| !open.contains(it));
    assert!(
        again.is_empty(),
        "the analysis no longer covers what these programs of tests/found do: {again:?}"
    );
}

#[test]
#[ignore = "rewrites open.txt: `cargo test -p belay-oracle --test found -- --ignored`"]
fn what_was_closed_leaves_the_list() {
    let mut left = uncovered().join("\n");
    left.push('\n');
    fs::write(folder().join("open.txt"), left.trim_start()).unwrap();
}
