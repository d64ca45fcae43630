//! A scratch PostgreSQL in a folder of its own, as a user who is nobody: it refuses to run as root.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::unistd::Uid;

use crate::Outcome;

const NOBODY: u32 = 65534;
/// How long it may take to recover after a `kill -9`.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server, and where it lies.
pub struct Postgres {
    folder: PathBuf,
    programs: PathBuf,
    child: Option<Child>,
}

impl Postgres {
    /// Makes a cluster and starts it.
    pub fn start(folder: &Path) -> Outcome<Self> {
        fs::create_dir_all(folder).map_err(|why| format!("cannot make a folder: {why}"))?;
        if Uid::effective().is_root() {
            std::os::unix::fs::chown(folder, Some(NOBODY), Some(NOBODY))
                .map_err(|why| why.to_string())?;
        }
        let mut server = Self {
            folder: folder.to_owned(),
            programs: programs()?,
            child: None,
        };
        let made = server
            .command("initdb")
            .args([
                "-U",
                "belay",
                "-A",
                "trust",
                "-N",
                "--locale=C",
                "-E",
                "UTF8",
                "-D",
            ])
            .arg(server.data())
            .output()
            .map_err(|why| format!("cannot start initdb: {why}"))?;
        if !made.status.success() {
            return Err(String::from_utf8_lossy(&made.stderr).into_owned());
        }
        let settings = format!(
            "\nlisten_addresses = ''\nunix_socket_directories = '{}'\nshared_buffers = 256MB\nmax_connections = 40\nmax_wal_size = 2GB\n",
            folder.display()
        );
        let file = server.data().join("postgresql.conf");
        let mut text = fs::read_to_string(&file).map_err(|why| why.to_string())?;
        text.push_str(&settings);
        fs::write(&file, text).map_err(|why| why.to_string())?;
        server.rise()?;
        Ok(server)
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command
            .current_dir(&self.folder)
            .env("TMPDIR", &self.folder)
            .env("HOME", &self.folder)
            .stdin(Stdio::null());
        if Uid::effective().is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    /// Returns how to connect.
    pub fn address(&self) -> String {
        // The folder may have blanks.
        format!(
            "host='{}' user=belay dbname=postgres",
            self.folder.display()
        )
    }

    /// Starts, and returns once it answers. After a `kill -9` its memory may still be held by those who are about to end.
    pub fn rise(&mut self) -> Outcome {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            let is_gone = match &mut self.child {
                Some(child) => child.try_wait().map_err(|why| why.to_string())?.is_some(),
                None => true,
            };
            if is_gone {
                let mut command = self.command("postgres");
                command.arg("-D").arg(self.data());
                command.stdout(Stdio::null()).stderr(Stdio::null());
                self.child = Some(command.spawn().map_err(|why| why.to_string())?);
            }
            if ::postgres::Client::connect(&self.address(), ::postgres::NoTls).is_ok() {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(50));
        }
        Err("PostgreSQL does not start".to_owned())
    }

    /// Ends it without a word.
    pub fn kill(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Debian keeps them out of the search path.
fn programs() -> Outcome<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten();
    let mut folders: Vec<PathBuf> = versions.map(|it| it.path().join("bin")).collect();
    let searched = std::env::var_os("PATH").unwrap_or_default();
    folders.sort();
    folders.reverse();
    folders.extend(std::env::split_paths(&searched));
    let found = folders.into_iter().find(|it| it.join("initdb").exists());
    found.ok_or("there is no PostgreSQL\nhint: run scripts/install-oracles".to_owned())
}
