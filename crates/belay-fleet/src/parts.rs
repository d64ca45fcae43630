//! What takes part: a folder, a database, a receiver, and how to end each of them.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use postgres::{Client, NoTls};

use crate::Outcome;
use crate::options::Options;
use crate::postgres::Postgres;
use crate::wire::Http;

/// The token of the fleet.
pub const TOKEN: &str = "fleet-token-of-the-proof";

/// The token of who may look.
pub const READER: &str = "reader-token-of-the-proof";

/// Everything that runs.
pub struct Stage {
    /// The folder of all.
    pub root: PathBuf,
    /// The database.
    pub postgres: Postgres,
    /// Where the receiver listens.
    pub port: u16,
    receiver: Option<Child>,
    program: PathBuf,
}

impl Stage {
    /// Sets up a database and a receiver.
    pub fn set(options: &Options) -> Outcome<Self> {
        let root = std::env::temp_dir().join(format!("belay-fleet-{}", std::process::id()));
        let io = |why: std::io::Error| format!("cannot set the stage: {why}");
        fs::create_dir_all(root.join("machines")).map_err(io)?;
        // The database's user must get to its own folder below.
        fs::set_permissions(&root, fs::Permissions::from_mode(0o711)).map_err(io)?;
        let program = options.programs.join("belay-receiver");
        let lines = [
            token(&program, &["core"], TOKEN)?,
            token(&program, &["--reader"], READER)?,
        ];
        fs::write(root.join("tokens"), lines.concat()).map_err(io)?;
        let folder = root.join("bundle");
        fs::create_dir_all(&folder).map_err(io)?;
        fs::write(folder.join("bundle"), "a bundle").map_err(io)?;
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|it| it.local_addr())
            .map_err(io)?
            .port();
        let mut stage = Self {
            postgres: Postgres::start(&root.join("postgres"))?,
            root,
            port,
            receiver: None,
            program,
        };
        stage.raise_receiver()?;
        Ok(stage)
    }

    /// Starts the receiver, and returns once it answers.
    pub fn raise_receiver(&mut self) -> Outcome {
        let child = Command::new(&self.program)
            .args([
                "serve",
                "--rollup",
                "1",
                "--database",
                &self.postgres.address(),
            ])
            .arg("--tokens")
            .arg(self.root.join("tokens"))
            .arg("--bundle")
            .arg(self.root.join("bundle"))
            .args(["--listen", &format!("127.0.0.1:{}", self.port)])
            .stderr(Stdio::null())
            .spawn();
        self.receiver = Some(child.map_err(|why| format!("cannot start the receiver: {why}"))?);
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(40) {
            if self.http(None).get("/health").is_ok_and(|it| it.0 == 200) {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(20));
        }
        Err("the receiver does not answer".to_owned())
    }

    /// Ends the receiver without a word.
    pub fn kill_receiver(&mut self) {
        if let Some(mut child) = self.receiver.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Returns the receiver's address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Returns a way to the receiver.
    pub fn http(&self, token: Option<&str>) -> Http {
        Http {
            url: self.url(),
            token: token.map(str::to_owned),
        }
    }

    /// Connects to the database.
    pub fn client(&self) -> Outcome<Client> {
        Client::connect(&self.postgres.address(), NoTls).map_err(|why| why.to_string())
    }
}

/// Makes a line for the file of tokens.
fn token(program: &Path, words: &[&str], token: &str) -> Outcome<Vec<u8>> {
    let made = Command::new(program)
        .arg("token")
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut made = made.map_err(|why| format!("cannot start `{}`: {why}", program.display()))?;
    if let Some(mut stdin) = made.stdin.take() {
        let written = std::io::Write::write_all(&mut stdin, token.as_bytes());
        written.map_err(|why| why.to_string())?;
    }
    let line = made.wait_with_output().map_err(|why| why.to_string())?;
    Ok(line.stdout)
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.kill_receiver();
        self.postgres.kill();
        let _ = fs::remove_dir_all(&self.root);
    }
}
