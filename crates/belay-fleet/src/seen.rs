//! `belay ui` of somebody who may look: the view Fleet, filled by the receiver, and what it says where there is none.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Command;

use crate::options::Options;
use crate::parts::{READER, Stage, TOKEN};
use crate::{Outcome, say};

const VARIABLE: &str = "READER_TOKEN";

/// A home whose page looks at the fleet; its daemon ends when dropped.
struct Home {
    folder: PathBuf,
    belay: PathBuf,
    token: &'static str,
}

impl Home {
    fn make(stage: &Stage, options: &Options, token: &'static str) -> Outcome<Self> {
        // A socket's path must be short.
        let folder = std::env::temp_dir().join(format!("bf-{}", std::process::id()));
        let settings = folder.join(".config/belay");
        fs::create_dir_all(&settings).map_err(|why| why.to_string())?;
        let text = format!(
            "[page]\nfleet_url = \"{}\"\nfleet_token_env = \"{VARIABLE}\"\n",
            stage.url()
        );
        fs::write(settings.join("config.toml"), text).map_err(|why| why.to_string())?;
        let belay = options.programs.join("belay");
        Ok(Self {
            folder,
            belay,
            token,
        })
    }

    fn belay(&self, words: &[&str]) -> Outcome<String> {
        let done = Command::new(&self.belay)
            .args(words)
            .arg("--home")
            .arg(&self.folder)
            .current_dir(&self.folder)
            .env_clear()
            .env("HOME", &self.folder)
            .env("PATH", "/usr/bin:/bin")
            .env("BELAY_TEST_PERSON", "1")
            .env(VARIABLE, self.token)
            .output();
        let done = done.map_err(|why| why.to_string())?;
        match done.status.success() {
            true => Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned()),
            false => Err(String::from_utf8_lossy(&done.stderr).into_owned()),
        }
    }

    /// Opens the page and returns the view, as a browser gets it.
    fn fleet(&self) -> Outcome<String> {
        let address = self.belay(&["ui", "--print"])?;
        let (host, key) = address
            .strip_prefix("http://")
            .and_then(|it| it.split_once("/#"))
            .ok_or(format!("`{address}` is not an address"))?;
        let length = key.len();
        let enter = format!(
            "POST /enter HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\ncontent-length: {length}\r\n\r\n{key}"
        );
        let entered = asked(host, &enter)?;
        let cookie = entered
            .split("set-cookie: ")
            .nth(1)
            .and_then(|it| it.split(';').next())
            .ok_or(format!("the page lets nobody in: {entered}"))?;
        asked(
            host,
            &format!("GET /fleet HTTP/1.1\r\nhost: {host}\r\ncookie: {cookie}\r\n\r\n"),
        )
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = self.belay(&["serve", "--stop"]);
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn asked(host: &str, text: &str) -> Outcome<String> {
    let mut peer = TcpStream::connect(host).map_err(|why| why.to_string())?;
    let sent = peer.write_all(text.as_bytes());
    sent.map_err(|why| why.to_string())?;
    let mut answer = String::new();
    let read = peer.read_to_string(&mut answer);
    read.map_err(|why| why.to_string())?;
    Ok(answer)
}

/// Looks at the fleet through the page: with a reader's token, with a machine's, and where the receiver is gone.
pub fn run(stage: &mut Stage, options: &Options) -> Outcome {
    let must = |page: &str, wanted: &[&str]| -> Outcome {
        match wanted.iter().find(|it| !page.contains(**it)) {
            None => Ok(()),
            Some(it) => Err(format!("the page does not say `{it}`: {page}")),
        }
    };
    let home = Home::make(stage, options, READER)?;
    let shown = [
        "NOT protected: no agent found",
        "Calls by team",
        ">core<",
        "Verdicts of the fleet by day",
        "No record is missing.",
    ];
    must(&home.fleet()?, &shown)?;
    stage.kill_receiver();
    must(&home.fleet()?, &["The receiver does not tell: "])?;
    stage.raise_receiver()?;
    must(&home.fleet()?, &shown)?;
    drop(home);
    let machine = Home::make(stage, options, TOKEN)?;
    let page = machine.fleet()?;
    must(&page, &["the token is not a reader's"])?;
    if page.contains("<table") {
        return Err("a machine's token shows the fleet".to_owned());
    }
    say(
        "fleet: the page shows machines, teams, trends and gaps to a reader, nothing to a machine, and says where the receiver is down",
    );
    Ok(())
}
