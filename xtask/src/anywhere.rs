//! A copy of the tree at a place that is hard on paths: below the folder for temporary files, with a blank and an umlaut.
//!
//! INVARIANT: tests never depend on where they lie. CI runs in the copy, so one that does fails.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::run::{WHOLE, cargo, must, root};
use crate::{Outcome, ci};

/// What a copy shares with its original instead: what was fetched.
const SHARED: [&str; 1] = [".cache"];

/// What a copy does not have, or has of its own: tests make their homes among what is built, so that must lie here too.
const LEFT: [&str; 2] = [".git", "target"];

/// Runs `cargo xtask ci` with these words in a copy of the tree.
pub fn again(words: &[&str]) -> Outcome {
    let place = place();
    let (tree, temp) = (place.join("tree"), place.join("tmp"));
    let fault = |why: std::io::Error| format!("cannot copy to `{}`: {why}", tree.display());
    fs::create_dir_all(&temp).map_err(fault)?;
    copy(&root(), &tree, Depth::Top).map_err(fault)?;
    share(&tree).map_err(fault)?;
    eprintln!("ci: in `{}`", tree.display());
    let mut command = cargo(&["xtask", "ci", "--here"]);
    command.args(words).current_dir(&tree).env("TMPDIR", &temp);
    command.env(WHOLE, ci::BUILT.join(" "));
    must(&mut command).map_err(|_| String::new())
}

/// Returns the place of this tree's copy: the same in each run, so that nothing is built twice.
fn place() -> PathBuf {
    let mut hasher = DefaultHasher::new();
    root().hash(&mut hasher);
    let name = format!("belay ümlaut {:04x}", hasher.finish() & 0xffff);
    std::env::temp_dir().join(name)
}

/// Which level of the tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Top,
    Below,
}

/// Makes a folder like another; what did not change keeps its time.
fn copy(from: &Path, to: &Path, depth: Depth) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    let mut kept: BTreeSet<OsString> = BTreeSet::new();
    if depth == Depth::Top {
        kept.extend(SHARED.map(OsString::from));
        kept.extend(LEFT.map(OsString::from));
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        let apart = SHARED.iter().chain(&LEFT).any(|it| name == *it);
        if depth == Depth::Top && apart {
            continue;
        }
        let target = to.join(&name);
        kept.insert(name);
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy(&entry.path(), &target, Depth::Below)?;
        } else if kind.is_symlink() {
            relink(&fs::read_link(entry.path())?, &target)?;
        } else {
            copy_file(&entry.path(), &target)?;
        }
    }
    remove_others(to, &kept)
}

fn copy_file(from: &Path, to: &Path) -> std::io::Result<()> {
    let facts = fs::metadata(from)?;
    let time = facts.modified()?;
    let same = fs::metadata(to)
        .is_ok_and(|it| it.len() == facts.len() && it.modified().is_ok_and(|it| it == time));
    if same {
        return Ok(());
    }
    fs::copy(from, to)?;
    fs::File::options().write(true).open(to)?.set_modified(time)
}

fn relink(to: &Path, link: &Path) -> std::io::Result<()> {
    if fs::read_link(link).is_ok_and(|it| it == to) {
        return Ok(());
    }
    if link.symlink_metadata().is_ok() {
        fs::remove_file(link)?;
    }
    symlink(to, link)
}

fn remove_others(folder: &Path, kept: &BTreeSet<OsString>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if kept.contains(&entry.file_name()) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn share(tree: &Path) -> std::io::Result<()> {
    for name in SHARED {
        let original = root().join(name);
        fs::create_dir_all(&original)?;
        relink(&original, &tree.join(name))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_follows_its_original() {
        let room = std::env::temp_dir().join(format!("belay-copy-{}", std::process::id()));
        let (from, to) = (room.join("from"), room.join("to"));
        fs::create_dir_all(from.join("a/b")).expect("a folder");
        fs::create_dir_all(from.join(".git")).expect("a folder");
        fs::write(from.join("a/b/c"), "one").expect("a file");
        fs::write(from.join("gone"), "").expect("a file");
        copy(&from, &to, Depth::Top).expect("a copy");
        fs::write(from.join("a/b/c"), "other").expect("a file");
        fs::remove_file(from.join("gone")).expect("it is there");
        copy(&from, &to, Depth::Top).expect("a copy");
        let text = fs::read_to_string(to.join("a/b/c")).expect("it was copied");
        assert_eq!(text, "other");
        assert!(!to.join("gone").exists() && !to.join(".git").exists());
        fs::remove_dir_all(room).expect("it is ours");
    }
}
