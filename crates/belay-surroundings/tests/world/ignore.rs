//! Ignore rules say what git says.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks at what it is about"
)]

use std::fmt::Write as _;

use belay_model::{Answer, Question, Standing, Surroundings};

use crate::dice::Dice;
use crate::sandbox::Sandbox;

const LINES: &[&str] = &[
    "*.o",
    "/a",
    "a/",
    "b/*",
    "!b/keep",
    "**/deep",
    "a/**/c",
    "b/**",
    "!*.md",
    "*",
    "!*/",
    "x[0-9]",
    "[!a-c]?",
    "\\#x",
    "#c",
    "f ",
    "f\\ ",
    "d/e",
    "/d/e/",
    "!d/e/f",
    "doc/*.txt",
    "**/",
    "foo*bar",
    "a**b",
    "*.O",
    "[[:upper:]]*",
    "e/",
    "!e",
    "\\!x",
    "/*",
    "!/d",
    "d/*/f",
    "",
];

const FILES: &[&str] = &[
    "a",
    "a.o",
    "b/keep",
    "b/x.md",
    "b/c/deep",
    "d/e/f",
    "d/e/g.o",
    "d/f",
    "deep/q",
    "c/a/b/c",
    "c/c",
    "x1",
    "xx",
    "zz",
    "#x",
    "f",
    "f ",
    "!x",
    "doc/n.txt",
    "doc/s/n.txt",
    "foo1bar",
    "a1b",
    "Upper",
    "e/i",
    "k.md",
    "d/a/f",
];

fn rules(dice: &mut Dice) -> String {
    let mut text = String::new();
    for _ in 0..1 + dice.roll(5) {
        writeln!(text, "{}", LINES[dice.roll(LINES.len())]).unwrap();
    }
    text
}

/// Returns every file that git does not ignore.
fn ours(sandbox: &Sandbox) -> Vec<String> {
    let world = sandbox.world();
    let mut files: Vec<String> = sandbox
        .prints("find . -path ./.git -prune -o -type f -print")
        .lines()
        .map(|it| it.strip_prefix("./").unwrap().to_owned())
        .collect();
    files.retain(|it| match world.ask(&Question::Standing(sandbox.at(it))) {
        Answer::Standing(Standing::Ignored) => false,
        Answer::Standing(Standing::Lost { .. }) => true,
        other => panic!("{it}: {other:?}"),
    });
    files.sort();
    files
}

fn gits(sandbox: &Sandbox) -> Vec<String> {
    let listed = sandbox.prints("git ls-files -z --others --exclude-standard");
    let mut files: Vec<String> = listed
        .split('\0')
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect();
    files.sort();
    files
}

#[test]
fn we_ignore_what_git_ignores() {
    let mut dice = Dice::new(7);
    let make: String = FILES
        .iter()
        .map(|it| format!("mkdir -p \"$(dirname '{it}')\"; : > '{it}' 2>/dev/null || true; "))
        .collect();
    let make = make.replace("mkdir -p \"$(dirname 'a')\"; : > 'a'", ": > 'a'");
    let sandbox = Sandbox::empty().sh(&make).sh("mkdir -p ~/.config/git");
    for round in 0..60 {
        let [top, inner, exclude, user] = [(); 4].map(|()| rules(&mut dice));
        let write = |path: &str, text: &str| std::fs::write(sandbox.at(path), text).unwrap();
        write(".gitignore", &top);
        write("d/.gitignore", &inner);
        write(
            ".git/info/exclude",
            if round % 3 == 0 { &exclude } else { "" },
        );
        write(
            "../home/.config/git/ignore",
            if round % 5 == 0 { &user } else { "" },
        );
        assert_eq!(
            ours(&sandbox),
            gits(&sandbox),
            "top:\n{top}\nd:\n{inner}\nexclude:\n{exclude}\nuser:\n{user}"
        );
    }
}

#[test]
fn the_walk_says_what_the_look_says() {
    let mut dice = Dice::new(11);
    let make: String = FILES
        .iter()
        .map(|it| format!("mkdir -p \"$(dirname '{it}')\"; : > '{it}' 2>/dev/null || true; "))
        .collect();
    let sandbox = Sandbox::empty().sh(&make);
    for _ in 0..30 {
        std::fs::write(sandbox.at(".gitignore"), rules(&mut dice)).unwrap();
        std::fs::write(sandbox.at("d/.gitignore"), rules(&mut dice)).unwrap();
        let count = gits(&sandbox).len() as u64;
        match sandbox.world().ask(&Question::Untracked(sandbox.at("."))) {
            Answer::Standing(Standing::Lost { count: found, .. }) => assert_eq!(found, count),
            Answer::Standing(Standing::Kept) => assert_eq!(count, 0),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_file_of_rules_named_in_the_settings_counts() {
    Sandbox::new()
        .sh("git config core.excludesFile ~/rules; echo '*.tmp' > ~/rules; touch x.tmp")
        .standing("x.tmp", "ignored");
}
#[test]
fn a_linked_file_of_rules_does_not_count() {
    Sandbox::empty()
        .sh("echo '*' > ../rules; ln -s ../rules .gitignore; touch x")
        .standing("x", "lost 1 untracked files: x");
}
