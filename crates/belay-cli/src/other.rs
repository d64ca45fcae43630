//! Another `belay` on the search path: a person who types the name would get that one.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The name under which we are typed.
const NAME: &str = "belay";

/// How much of a program is read to see whose it is.
const MOST: u64 = 128 << 20;

/// Says who answers to our name in place of the program at `running`, if another does; nothing is run to find out.
pub fn shadowed(running: &Path, path: &str) -> Option<String> {
    let first = found(path)?;
    let real = |it: &Path| fs::canonicalize(it).unwrap_or_else(|_| it.to_owned());
    if real(&first) == real(running) {
        return None;
    }
    match whose(&first) {
        Whose::Launcher => None,
        Whose::Ours => Some(format!(
            "another copy of belay comes first in PATH: `{}`; this is `{}`",
            first.display(),
            running.display()
        )),
        Whose::Foreign => Some(format!(
            "another program named `belay` comes first in PATH: `{}`; type `{}`, or put its folder first",
            first.display(),
            running.display()
        )),
    }
}

fn found(path: &str) -> Option<PathBuf> {
    let places = std::env::split_paths(path).map(|it| it.join(NAME));
    let runs = |it: &PathBuf| {
        fs::metadata(it).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
    };
    places.into_iter().find(runs)
}

/// Whose program it is.
enum Whose {
    /// Some script of ours that starts a binary of ours.
    Launcher,
    /// A binary of ours.
    Ours,
    /// Somebody else's.
    Foreign,
}

fn whose(path: &Path) -> Whose {
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map(|it| it.take(MOST));
    if file.and_then(|mut it| it.read_to_end(&mut bytes)).is_err() {
        return Whose::Foreign;
    }
    let has = |text: &str| bytes.windows(text.len()).any(|it| it == text.as_bytes());
    match bytes.starts_with(b"#!") {
        true if has("autobelay") => Whose::Launcher,
        false if has("belay-journal") || has("BELAY_KNOWLEDGE_HASH") || has("autobelay") => {
            Whose::Ours
        }
        true | false => Whose::Foreign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(folder: &Path, text: &str) -> PathBuf {
        fs::create_dir_all(folder).unwrap();
        let path = folder.join(NAME);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    #[test]
    fn who_comes_first_is_said() {
        let room = tempfile::tempdir().unwrap();
        let folders = ["one", "two", "three"].map(|it| room.path().join(it));
        let path = |them: &[&PathBuf]| std::env::join_paths(them).unwrap().into_string().unwrap();
        let ours = program(&folders[0], "\u{7f}ELF autobelay");
        program(&folders[1], "#!/bin/sh\necho climbing");
        program(&folders[2], "#!/usr/bin/env node\n// @autobelay/linux-x64");
        let said = |them: &[&PathBuf]| shadowed(&ours, &path(them)).unwrap_or_default();
        let [own, foreign, launcher] = &folders;
        assert_eq!(said(&[own, foreign]), "");
        assert_eq!(said(&[launcher, own]), "");
        assert!(said(&[foreign, own]).contains("another program named `belay`"));
        let copy = program(&room.path().join("copy"), "\u{7f}ELF autobelay");
        let folder = copy.parent().unwrap().to_owned();
        assert!(said(&[&folder, own]).contains("another copy of belay"));
    }
}
