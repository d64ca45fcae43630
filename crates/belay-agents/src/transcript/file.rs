//! Opens a transcript: a regular file in the agent's own folder, and nothing else.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Folders below which agents keep their conversations, inside a folder of their own.
const BELOW: [&str; 5] = ["projects", "sessions", "session-state", "tmp", "chats"];

/// Opens a transcript without ever waiting for anybody.
///
/// INVARIANT: a pipe, a device and a link that leads out of the agent's folder are refused at once.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let real = fs::canonicalize(path)?;
    let home = fs::canonicalize(home_of(path))?;
    if !real.starts_with(&home) {
        return Err(refused("a link points out of the agent's folder"));
    }
    if !fs::metadata(&real)?.is_file() {
        return Err(refused("not a regular file"));
    }
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_NOFOLLOW | libc::O_NOCTTY)
        .open(&real)?;
    // What was looked at and what was opened can be two things.
    if !file.metadata()?.is_file() {
        return Err(refused("not a regular file"));
    }
    Ok(file)
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why.to_owned())
}

/// Returns the agent's own folder: above the folder in which it keeps its conversations, or else the
/// one the file lies in.
fn home_of(path: &Path) -> PathBuf {
    let is_below = |it: &&Path| {
        let name = it.file_name().and_then(|it| it.to_str());
        name.is_some_and(|it| BELOW.contains(&it))
    };
    let parent = path.parent().unwrap_or(path);
    let below = parent.ancestors().find(is_below);
    below.and_then(Path::parent).unwrap_or(parent).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agents_own_folder() {
        for (path, home) in [
            ("/h/.claude/projects/-p/1.jsonl", "/h/.claude"),
            ("/h/.codex/sessions/2026/11/15/r.jsonl", "/h/.codex"),
            ("/h/.gemini/tmp/p/chats/s.jsonl", "/h/.gemini/tmp/p"),
            ("/x/t.jsonl", "/x"),
        ] {
            assert_eq!(home_of(Path::new(path)), Path::new(home));
        }
    }
}
