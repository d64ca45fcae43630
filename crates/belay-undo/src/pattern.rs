//! Which files a shell's glob may mean. INVARIANT: never fewer than the shell would find.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Patterns and folders that one look may meet.
const MOST: usize = 20_000;

/// A part with more stars takes long to compare: it means everything.
const MOST_STARS: usize = 4;

/// Returns all paths that a glob may match, those in folders to be skipped left out; nothing when there are too many to
/// look at. A part of the glob that is more than letters, `*` and `?` means everything in its folder.
pub fn expand(glob: &str, skips: &dyn Fn(&Path) -> bool) -> Option<Vec<PathBuf>> {
    let mut found = vec![PathBuf::from("/")];
    for part in glob.split('/').filter(|it| !it.is_empty()) {
        if part.contains("**") {
            found = found
                .iter()
                .try_fold(Vec::new(), |all, it| below(all, it, skips))?;
        } else if part.contains(['*', '?', '[', '\\', '(', '{']) {
            let mut next = Vec::new();
            for folder in &found {
                next.extend(matching(folder, part)?);
                if next.len() > MOST {
                    return None;
                }
            }
            found = next;
        } else {
            for path in &mut found {
                path.push(part);
            }
            found.retain(|it| it.symlink_metadata().is_ok());
        }
    }
    Some(found)
}

/// Adds a folder and all folders below it.
fn below(
    mut all: Vec<PathBuf>,
    folder: &Path,
    skips: &dyn Fn(&Path) -> bool,
) -> Option<Vec<PathBuf>> {
    let mut ahead = vec![folder.to_owned()];
    while let Some(folder) = ahead.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => continue,
            Err(_) => return None,
        };
        for entry in entries {
            let entry = entry.ok()?;
            if entry.file_type().ok()?.is_dir() && !skips(&entry.path()) {
                ahead.push(entry.path());
            }
        }
        all.push(folder);
        if all.len() > MOST {
            return None;
        }
    }
    Some(all)
}

/// Returns the entries of a folder that a part of a glob may match, those with a dot in front too.
fn matching(folder: &Path, part: &str) -> Option<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        // What is no folder matches nothing below it.
        Err(why) if why.kind() == std::io::ErrorKind::NotADirectory => return Some(Vec::new()),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Some(Vec::new()),
        Err(_) => return None,
    };
    let exact = !part.contains(['[', '\\', '(', '{']) && part.matches('*').count() <= MOST_STARS;
    let mut found = Vec::new();
    for entry in entries {
        let name = entry.ok()?.file_name();
        if !exact || is_match(part.as_bytes(), name.as_bytes()) {
            found.push(folder.join(name));
        }
    }
    Some(found)
}

/// Matches `*` and `?` without regard to case; `?` is one character, which may be several bytes.
fn is_match(glob: &[u8], name: &[u8]) -> bool {
    match (glob.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), None) => is_match(rest, name),
        (Some((b'*', rest)), Some((_, after))) => is_match(rest, name) || is_match(glob, after),
        (Some((b'?', rest)), Some((_, after))) => {
            let more = after.iter().take_while(|it| **it & 0xc0 == 0x80).count();
            let after = after.get(more..).unwrap_or_default();
            is_match(rest, after)
        }
        (Some((one, rest)), Some((other, after))) => {
            (one.eq_ignore_ascii_case(other) || !one.is_ascii()) && is_match(rest, after)
        }
        (None, Some(_)) | (Some(_), None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{expand, is_match};

    #[test]
    fn a_glob_finds_at_least_what_a_shell_does() {
        for (glob, name, yes) in [
            ("*.txt", "a.txt", true),
            ("*.txt", ".txt", true),
            ("*.txt", "a.TXT", true),
            ("*.txt", "a.md", false),
            ("?.md", "ä.md", true),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "aXbY", false),
        ] {
            assert_eq!(
                is_match(glob.as_bytes(), name.as_bytes()),
                yes,
                "{glob} {name}"
            );
        }
    }

    #[test]
    fn two_stars_mean_any_depth() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("a/b")).unwrap();
        std::fs::write(folder.path().join("a/x.log"), "x").unwrap();
        let glob = |it: &str| {
            let glob = format!("{}/{it}", folder.path().display());
            expand(&glob, &|_| false).unwrap()
        };
        assert_eq!(glob("**/*.log"), [folder.path().join("a/x.log")]);
        assert_eq!(glob("*/x.log"), [folder.path().join("a/x.log")]);
        assert_eq!(glob("a/[x]*").len(), 2);
        assert!(glob("none/*").is_empty());
    }
}
