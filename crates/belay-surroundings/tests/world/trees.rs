//! Whole trees, grown at random: what we find in them is what git says.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks at what it is about"
)]

use std::collections::BTreeSet;
use std::fs;

use belay_model::{Answer, Question, Standing, Surroundings};
use belay_surroundings::{Doomed, Standpoint, work};

use crate::dice::Dice;
use crate::sandbox::Sandbox;

/// What becomes of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Kept,
    Changed,
    Staged,
    Gone,
    New,
    Added,
}

const FATES: [Fate; 8] = [
    Fate::Kept,
    Fate::Kept,
    Fate::Kept,
    Fate::Changed,
    Fate::Staged,
    Fate::Gone,
    Fate::New,
    Fate::Added,
];
const RULES: [&str; 8] = [
    "*.o", "out/", "/b3/", "!keep.o", "b*/c1/*", "*.tmp", "c2", "!c2/x.md",
];
const NAMES: [&str; 7] = ["x.md", "x.o", "keep.o", "y.tmp", "ü", "z", "a b"];
const FOLDERS: [&str; 6] = ["c0", "c1", "c2", "out", "out/deep", "c0/c1"];

/// Grows files in more folders than one processor reads at once; returns what becomes of each.
fn grown(dice: &mut Dice) -> (Sandbox, Vec<(String, Fate)>) {
    let sandbox = Sandbox::empty();
    let mut files = BTreeSet::new();
    for folder in 0..30 {
        for _ in 0..2 + dice.roll(3) {
            let inner = FOLDERS[dice.roll(FOLDERS.len())];
            let name = NAMES[dice.roll(NAMES.len())];
            files.insert(match dice.roll(3) {
                0 => format!("b{folder}/{name}"),
                _ => format!("b{folder}/{inner}/{name}"),
            });
        }
    }
    let fates = files
        .into_iter()
        .map(|it| (it, FATES[dice.roll(FATES.len())]))
        .collect();
    (sandbox, fates)
}

fn written(sandbox: &Sandbox, name: &str, text: &str) {
    let path = sandbox.at(name);
    fs::create_dir_all(path.rsplit_once('/').unwrap().0).unwrap();
    fs::write(path, text).unwrap();
}

/// Names files to git, one in a line.
fn listed(sandbox: &Sandbox, name: &str, files: &[(String, Fate)], fates: &[Fate]) {
    let chosen = files.iter().filter(|it| fates.contains(&it.1));
    let text: String = chosen.map(|it| format!("{}\0", it.0)).collect();
    fs::write(sandbox.at(name), text).unwrap();
}

/// Lets everything become what it shall.
fn lived(dice: &mut Dice) -> Sandbox {
    let (sandbox, files) = grown(dice);
    let add = "git add -f --pathspec-from-file=../names --pathspec-file-nul";
    for (name, fate) in &files {
        if !matches!(fate, Fate::New | Fate::Added) {
            written(&sandbox, name, "one\n");
        }
    }
    written(&sandbox, "a", "one\n");
    listed(
        &sandbox,
        "../names",
        &files,
        &[Fate::Kept, Fate::Changed, Fate::Staged, Fate::Gone],
    );
    let sandbox = sandbox.sh(&format!("git add a; {add}; git commit -qm one"));
    for (name, fate) in &files {
        match fate {
            Fate::Kept => {}
            Fate::Gone => fs::remove_file(sandbox.at(name)).unwrap(),
            Fate::Changed | Fate::Staged | Fate::New | Fate::Added => {
                written(&sandbox, name, "two, and more\n");
            }
        }
    }
    listed(&sandbox, "../names", &files, &[Fate::Staged, Fate::Added]);
    let rules: String = (0..3)
        .map(|_| format!("{}\n", RULES[dice.roll(RULES.len())]))
        .collect();
    written(&sandbox, ".git/info/exclude", &rules);
    written(&sandbox, "b1/.gitignore", RULES[dice.roll(RULES.len())]);
    let staged = fs::metadata(sandbox.at("../names")).unwrap().len() > 0;
    sandbox.sh(if staged { add } else { "true" })
}

/// Returns what git says: the lines of its status, by their first two letters.
fn said(sandbox: &Sandbox, marks: &[&str]) -> BTreeSet<String> {
    let text = sandbox.prints(
        "find . -type d -empty -not -path './.git/*' -delete
        git status --porcelain -z --no-renames --untracked-files=all --ignored=matching",
    );
    text.split('\0')
        .filter_map(|it| Some((it.get(..2)?, it.get(3..)?)))
        .filter(|it| marks.contains(&it.0))
        .map(|it| it.1.trim_end_matches('/').to_owned())
        .collect()
}

fn lost(sandbox: &Sandbox, question: fn(String) -> Question) -> usize {
    match sandbox.world().ask(&question(sandbox.at("."))) {
        Answer::Standing(Standing::Lost { count, .. }) => usize::try_from(count).unwrap(),
        Answer::Standing(_) => 0,
        other => panic!("{other:?}"),
    }
}

/// Returns what a deletion of all that git does not know would take away.
fn unknown(sandbox: &Sandbox, ignored: bool) -> BTreeSet<String> {
    let from = Standpoint {
        home: Some(sandbox.at("../home")),
        ..Standpoint::default()
    };
    let top = sandbox.at(".");
    let found = work(&from, top.as_ref(), Doomed::Untracked { ignored }).unwrap();
    let paths = found.paths.iter();
    paths
        .map(|it| it.strip_prefix(&top).unwrap().to_str().unwrap().to_owned())
        .collect()
}

#[test]
fn what_we_find_in_a_tree_is_what_git_finds() {
    for round in 0..12 {
        let sandbox = lived(&mut Dice::new(round));
        let changed = said(&sandbox, &[" M", "M ", "A "]);
        let new = said(&sandbox, &["??"]);
        let all = said(&sandbox, &["??", "!!"]);
        assert_eq!(lost(&sandbox, Question::WorkingTree), changed.len());
        assert_eq!(lost(&sandbox, Question::Untracked), new.len());
        assert_eq!(unknown(&sandbox, false), new, "round {round}");
        assert_eq!(unknown(&sandbox, true), all, "round {round}");
    }
}
