//! A release by one command: version, changelog, lock file, one commit, one tag. Pushing the tag is left to a person.

use std::process::Command;

use crate::run::{cargo, must, output, read, root};
use crate::{Outcome, metadata};

/// Whether anything is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Job {
    /// Only say what would change.
    DryRun,
    /// Write, commit and tag.
    Write,
}

/// Releases a version.
pub fn run(version: &str, job: Job) -> Outcome {
    let (manifest, changelog) = (read("Cargo.toml")?, read("CHANGELOG.md")?);
    let old = metadata::line(&manifest, "version")?;
    let first = output(&mut git(&["tag", "--list"]))?.trim().is_empty();
    let may_be = follows(&old, version) || (first && old == version);
    if !may_be {
        return Err(format!("`{version}` does not follow `{old}`"));
    }
    let today = output(Command::new("date").args(["-u", "+%Y-%m-%d"]))?;
    let files = [
        ("Cargo.toml", bumped(&manifest, &old, version)),
        ("CHANGELOG.md", closed(&changelog, version, today.trim())?),
    ];
    if job == Job::DryRun {
        for (path, text) in &files {
            for line in changed(&read(path)?, text) {
                println!("{path}: {line}");
            }
        }
        println!("git commit -m 'release: {version}' && git tag -a v{version}");
        return Ok(());
    }
    if !output(&mut git(&["status", "--porcelain"]))?
        .trim()
        .is_empty()
    {
        return Err(
            "there are changes that are not committed\nhint: a release is one commit of its own"
                .to_owned(),
        );
    }
    for (path, text) in &files {
        std::fs::write(root().join(path), text)
            .map_err(|why| format!("cannot write `{path}`: {why}"))?;
    }
    must(&mut cargo(&[
        "update",
        "--workspace",
        "--offline",
        "--quiet",
    ]))?;
    must(&mut git(&[
        "commit",
        "--quiet",
        "--all",
        "-m",
        &format!("release: {version}"),
    ]))?;
    let message = format!("belay {version}");
    must(&mut git(&[
        "tag",
        "-a",
        &format!("v{version}"),
        "-m",
        &message,
    ]))?;
    println!("tagged v{version}; to publish: git push --follow-tags");
    Ok(())
}

fn git(words: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.args(words).current_dir(root());
    command
}

/// Tells whether a version is one step after another: one number more, and zeros behind it.
fn follows(old: &str, new: &str) -> bool {
    let (Some(old), Some(new)) = (numbers(old), numbers(new)) else {
        return false;
    };
    let [major, minor, patch] = old;
    let steps = [
        [major + 1, 0, 0],
        [major, minor + 1, 0],
        [major, minor, patch + 1],
    ];
    steps.contains(&new)
}

fn numbers(version: &str) -> Option<[u64; 3]> {
    let numbers: Option<Vec<u64>> = version.split('.').map(|it| it.parse().ok()).collect();
    numbers?.try_into().ok()
}

/// Returns the manifest with another version: the workspace's, and that of every crate of ours it asks for.
fn bumped(manifest: &str, old: &str, new: &str) -> String {
    let (was, is) = (
        format!("version = \"{old}\""),
        format!("version = \"{new}\""),
    );
    let line = |it: &str| {
        let ours = it == was || it.contains("{ path = \"crates/");
        if ours {
            it.replace(&was, &is)
        } else {
            it.to_owned()
        }
    };
    let mut text: String = manifest.lines().map(line).collect::<Vec<_>>().join("\n");
    text.push('\n');
    text
}

/// Returns the changelog with what was unreleased under a version, and nothing unreleased.
fn closed(changelog: &str, version: &str, date: &str) -> Outcome<String> {
    let (before, after) = changelog
        .split_once("## Unreleased\n")
        .ok_or("CHANGELOG.md has no `## Unreleased`")?;
    let said = after.split("\n## ").next().unwrap_or_default();
    if said.trim().is_empty() {
        return Err("CHANGELOG.md says nothing of this version".to_owned());
    }
    Ok(format!(
        "{before}## Unreleased\n\n## {version}, {date}\n{after}"
    ))
}

fn changed(old: &str, new: &str) -> Vec<String> {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(old), lines(new));
    let gone = old
        .iter()
        .filter(|it| !new.contains(it))
        .map(|it| format!("- {it}"));
    let come = new
        .iter()
        .filter(|it| !old.contains(it))
        .map(|it| format!("+ {it}"));
    gone.chain(come).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_one_step_after_another() {
        assert!(
            follows("0.1.0", "0.1.1") && follows("0.1.9", "0.2.0") && follows("0.9.3", "1.0.0")
        );
        assert!(
            !follows("0.1.0", "0.1.0") && !follows("0.1.0", "0.1.2") && !follows("0.1.0", "0.2.1")
        );
        assert!(!follows("0.1.0", "next"));
    }

    #[test]
    fn our_versions_move_and_others_stay() {
        let manifest = "version = \"0.1.0\"\nbelay-a = { path = \"crates/a\", version = \"0.1.0\" }\nother = { version = \"0.1.0\" }\n";
        let bumped = bumped(manifest, "0.1.0", "0.2.0");
        assert_eq!(bumped.matches("0.2.0").count(), 2);
        assert!(bumped.ends_with("other = { version = \"0.1.0\" }\n"));
    }

    #[test]
    fn what_was_unreleased_is_released() {
        let text = closed("# C\n\n## Unreleased\n\n* x\n", "1.0.0", "2030-01-01").unwrap();
        assert_eq!(
            text,
            "# C\n\n## Unreleased\n\n## 1.0.0, 2030-01-01\n\n* x\n"
        );
        assert!(closed("## Unreleased\n\n## 0.1.0\n", "1.0.0", "").is_err());
    }

    /// All of CI runs on the oldest Rust that is promised: the pinned one.
    #[test]
    fn the_pinned_rust_is_the_oldest_one_promised() {
        let promised = metadata::line(&read("Cargo.toml").unwrap(), "rust-version").unwrap();
        let pinned = read("rust-toolchain.toml").unwrap();
        assert!(
            pinned.contains(&format!("channel = \"{promised}.")),
            "{promised}"
        );
    }

    /// Crates of ours ask for each other in the version they have.
    #[test]
    fn crates_ask_for_the_version_that_is_there() {
        let manifest = read("Cargo.toml").unwrap();
        let version = metadata::line(&manifest, "version").unwrap();
        for line in manifest
            .lines()
            .filter(|it| it.contains("path = \"crates/") && it.contains("version"))
        {
            assert!(line.contains(&format!("version = \"{version}\"")), "{line}");
        }
    }
}
