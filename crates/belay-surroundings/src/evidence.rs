//! What the project's own files say of a host: looked at only before a person would be asked.
//!
//! INVARIANT: a file vouches only as it stood before the session, only if it is tracked, and only in a repository in
//! which somebody committed on this machine before; a stranger's clone vouches for nothing. The look is bounded, and what
//! was not looked at vouches for nothing either.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::git::Repository;
use crate::look::{self, Gap};

/// The most files that are looked at, how long they may be, and how long the look may take.
const MOST_FILES: usize = 2000;
const LONGEST_FILE: u64 = 256 * 1024;
const LONGEST_LOOK: Duration = Duration::from_millis(100);

/// Tells whether somebody committed in a repository on this machine, as its own record of that says.
pub fn was_committed_here(repository: &Repository) -> bool {
    let log = look::text(&repository.git_dir.join("logs/HEAD")).unwrap_or_default();
    let made = |line: &str| {
        let said = line.split_once('\t').map_or("", |(_, said)| said);
        said.starts_with("commit:") || said.starts_with("commit (")
    };
    log.lines().any(made)
}

/// Tells whether a tracked file that has not changed since a moment names a host.
pub fn names_host(repository: &Repository, host: &str, began: u64) -> Result<bool, Gap> {
    let begun = Instant::now();
    let top = repository.top.as_ref().ok_or(Gap::Closed)?;
    let (index, _) = repository.index()?;
    for slot in index.slots.iter().take(MOST_FILES) {
        if begun.elapsed() > LONGEST_LOOK {
            return Err(Gap::Closed);
        }
        let name = Path::new(std::ffi::OsStr::from_bytes(index.name(slot)));
        let path = top.join(name);
        // Locks name the hosts of strangers.
        let is_lock = name
            .file_name()
            .is_some_and(|it| it.to_string_lossy().contains("lock"));
        if is_lock || !look::is_file(&path) || !look::stands_since_before(&path, began) {
            continue;
        }
        let Ok((bytes, true)) = look::beginning(&path, LONGEST_FILE) else {
            continue;
        };
        if holds(&bytes, host.as_bytes()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Tells whether a user's ssh configuration, unchanged since a moment, has a machine under its literal name. What it
/// includes is not looked at, and the list of keys that were once seen vouches for nothing.
pub fn sets_up(host: &str, home: &Path, began: u64) -> bool {
    let path = home.join(".ssh/config");
    let text = look::text(&path).unwrap_or_default();
    look::stands_since_before(&path, began) && text.lines().any(|it| names_machine(it, host))
}

/// Tells whether a line of an ssh configuration begins what is set for a machine of that name and no pattern.
fn names_machine(line: &str, host: &str) -> bool {
    let mut words = line.split([' ', '\t', '=']).filter(|it| !it.is_empty());
    let begins = words
        .next()
        .is_some_and(|it| it.eq_ignore_ascii_case("host"));
    begins && words.any(|it| it == host && !it.contains(['*', '?', '!', '"']))
}

/// Tells whether a text holds a host as a whole: not as a part of a longer name.
fn holds(text: &[u8], host: &[u8]) -> bool {
    let is_part =
        |it: Option<&u8>| it.is_some_and(|it| it.is_ascii_alphanumeric() || b"-_.".contains(it));
    let mut starts = text.windows(host.len().max(1)).enumerate();
    starts.any(|(at, it)| {
        let after = text.get(at + host.len());
        // A full stop may end a sentence.
        let ends = match after {
            Some(b'.') => !is_part(text.get(at + host.len() + 1)),
            after => !is_part(after) && after != Some(&b':'),
        };
        let port = after == Some(&b':')
            && !text
                .get(at + host.len() + 1)
                .is_some_and(u8::is_ascii_digit);
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        it.eq_ignore_ascii_case(host) && !is_part(before) && before != Some(&b'@') && (ends || port)
    })
}

#[cfg(test)]
mod tests {
    use super::{holds, names_machine};

    #[test]
    fn a_machine_has_its_literal_name() {
        for line in ["Host web1", "  host\tdb1 web1", "Host=web1"] {
            assert!(names_machine(line, "web1"), "{line}");
        }
        for line in [
            "Host web*",
            "Host web10",
            "HostName web1",
            "Host !web1",
            "# Host web1",
            "Match host web1",
            "",
        ] {
            assert!(!names_machine(line, "web1"), "{line}");
        }
    }

    #[test]
    fn a_host_stands_by_itself() {
        let host = b"api.shop.test";
        for text in [
            "see https://api.shop.test/v1",
            "host: API.shop.test",
            "api.shop.test.",
            "(api.shop.test)",
            "api.shop.test: the gateway",
        ] {
            assert!(holds(text.as_bytes(), host), "{text}");
        }
        for text in [
            "https://evil-api.shop.test/",
            "x.api.shop.test",
            "api.shop.test.evil.test",
            "api.shop.tester",
            "api.shop.test:8443",
            "me@api.shop.test",
            "",
        ] {
            assert!(!holds(text.as_bytes(), host), "{text}");
        }
        assert!(holds(b"http://api.shop.test:8443/x", b"api.shop.test:8443"));
    }
}
