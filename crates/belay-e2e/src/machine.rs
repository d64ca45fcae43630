use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use crate::{Client, Stage};

/// Tells whether we may give a process an `/etc` of its own.
#[must_use]
pub fn can_mount() -> bool {
    let folder = std::env::temp_dir();
    let mut command = within(&folder, Command::new("true").env("PATH", path()));
    command.output().is_ok_and(|it| it.status.success())
}

fn path() -> String {
    std::env::var("PATH").unwrap_or_default()
}

/// Returns the same command with that folder as its `/etc`.
pub(crate) fn within(etc: &Path, command: &Command) -> Command {
    const SCRIPT: &str = r#"mount --bind "$0" /etc && exec "$@""#;
    let mut inside = Command::new("unshare");
    inside
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", SCRIPT])
        .arg(etc)
        .arg(command.get_program())
        .args(command.get_args())
        .env_clear();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            inside.env(name, value);
        }
    }
    if let Some(folder) = command.get_current_dir() {
        inside.current_dir(folder);
    }
    inside
}

impl Stage {
    /// Gives the client a machine whose owner connects the gate for everybody. The home folder is the one that the
    /// user database of that machine names.
    ///
    /// # Errors
    /// Returns why it could not be connected.
    pub fn manage(&mut self, client: Client, belay: &Path) -> io::Result<String> {
        let etc = self.home.with_file_name("etc");
        // What this user may not read, no client needs.
        drop(
            Command::new("cp")
                .args(["-a", "/etc/."])
                .arg(&etc)
                .output()?,
        );
        let user = format!("root:x:0:0:root:{}:/bin/sh\n", self.home.display());
        fs::create_dir_all(&etc)?;
        fs::write(etc.join("passwd"), user)?;
        self.etc = Some(etc);
        self.by_owner(client, belay, "install")
    }

    /// Runs `belay install --managed`, or `uninstall`, on the client's machine.
    ///
    /// # Errors
    /// Returns what it said when it failed.
    pub fn by_owner(&self, client: Client, belay: &Path, verb: &str) -> io::Result<String> {
        let none = || io::Error::other("the machine has no owner yet");
        let etc = self.etc.as_deref().ok_or_else(none)?;
        let mut command = Command::new(belay);
        command
            .args([verb, "--managed", "--yes", client.agent().word()])
            .env("HOME", &self.home)
            .env("PATH", path())
            .current_dir(&self.project);
        let done = within(etc, &command).output()?;
        let said = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
        match done.status.success() {
            true => Ok(said.into_owned()),
            false => Err(io::Error::other(said.into_owned())),
        }
    }

    /// Returns a path on the client's machine.
    #[must_use]
    pub fn in_etc(&self, name: &str) -> std::path::PathBuf {
        let etc = self.etc.as_deref();
        etc.unwrap_or(Path::new("/etc")).join(name)
    }
}
