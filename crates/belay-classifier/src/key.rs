//! Keys: from the environment, a program or a file; never kept, never shown.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::Fault;
use crate::clock::Deadline;
use crate::plan::{Endpoint, Key};

/// The most bytes of a key.
const MOST_BYTES: u64 = 16 * 1024;

/// Finds the key; a server on this machine, or one that was given no source, may need none.
pub(crate) fn find(endpoint: &Endpoint, deadline: Deadline) -> Result<Option<String>, Fault> {
    let key = match &endpoint.key {
        Key::Usual => return usual(endpoint),
        Key::Variable(name) => {
            variable(name).ok_or_else(|| Fault::NoKey(format!("`{name}` is not set")))?
        }
        Key::Command(words) => printed(words, deadline)?,
        Key::File(path) => written(path)?,
    };
    checked(key).map(Some)
}

fn usual(endpoint: &Endpoint) -> Result<Option<String>, Fault> {
    let names = endpoint.provider.key_variables();
    match names.iter().find_map(|it| variable(it)) {
        Some(key) => checked(key).map(Some),
        None if names.is_empty() || endpoint.is_local() => Ok(None),
        None => Err(Fault::NoKey(format!(
            "`{}` is not set",
            names.join("` or `")
        ))),
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|it| !it.trim().is_empty())
}

/// A key is one line of visible characters: it becomes a header.
fn checked(key: String) -> Result<String, Fault> {
    let key = key.trim();
    if key.is_empty() || !key.bytes().all(|it| it.is_ascii_graphic()) {
        return Err(Fault::NoKey("what was found is not a key".to_owned()));
    }
    Ok(key.to_owned())
}

fn written(path: &Path) -> Result<String, Fault> {
    let shown = path.display();
    let unreadable = |why: std::io::Error| Fault::NoKey(format!("`{shown}`: {why}"));
    let file = fs::File::open(path).map_err(unreadable)?;
    let mode = file.metadata().map_err(unreadable)?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(Fault::NoKey(format!(
            "`{shown}` is readable by others; run chmod 600 on it"
        )));
    }
    let mut key = String::new();
    file.take(MOST_BYTES)
        .read_to_string(&mut key)
        .map_err(unreadable)?;
    Ok(key)
}

/// Runs the user's own program, without input, no longer than there is time.
fn printed(words: &[String], deadline: Deadline) -> Result<String, Fault> {
    let (program, rest) = words
        .split_first()
        .ok_or_else(|| Fault::NoKey("`api_key_command` is empty".to_owned()))?;
    let failed = |why: &dyn std::fmt::Display| Fault::NoKey(format!("`{program}`: {why}"));
    let mut child = Command::new(program)
        .args(rest)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|why| failed(&why))?;
    let status = loop {
        match child.try_wait().map_err(|why| failed(&why))? {
            Some(status) => break status,
            None if deadline.wait(Duration::from_millis(5)) => {}
            None => {
                stop(&mut child);
                return Err(failed(&"took too long"));
            }
        }
    };
    if !status.success() {
        return Err(failed(&status));
    }
    let mut key = String::new();
    if let Some(stdout) = child.stdout.take() {
        stdout
            .take(MOST_BYTES)
            .read_to_string(&mut key)
            .map_err(|why| failed(&why))?;
    }
    Ok(key.lines().next().unwrap_or_default().to_owned())
}

fn stop(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Provider;

    fn found(key: Key) -> Result<Option<String>, Fault> {
        let mut endpoint = Endpoint::new(Provider::named("anthropic").unwrap());
        endpoint.key = key;
        find(&endpoint, Deadline::after(Duration::from_millis(500)))
    }

    fn command(text: &str) -> Key {
        Key::Command(["sh", "-c", text].map(str::to_owned).to_vec())
    }

    #[test]
    fn a_program_prints_the_key() {
        assert_eq!(
            found(command("echo ' k1 '; echo more")),
            Ok(Some("k1".to_owned()))
        );
        assert!(found(command("exit 3")).is_err());
        assert!(found(command("printf 'a\\tb'")).is_err());
    }

    #[test]
    fn a_program_that_hangs_is_ended() {
        let fault = found(Key::Command(["sleep", "30"].map(str::to_owned).to_vec()));
        assert_eq!(
            fault.unwrap_err().to_string(),
            "no key: `sleep`: took too long"
        );
    }

    #[test]
    fn a_file_that_others_can_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        fs::write(&path, "k2\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(found(Key::File(path.clone())).is_err());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(found(Key::File(path)), Ok(Some("k2".to_owned())));
    }
}
