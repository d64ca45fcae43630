//! A home in which a session went on for a while, made once and copied for each trial.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use belay_model_server::{Script, Server};
use serde_json::json;

use crate::calls::{Call, Kind};
use crate::hook::{Outcome, Start};

/// Where the gate stands on the stage.
pub const GATE: &str = "/mnt/belay";

/// The session that went on before.
pub const SESSION: &str = "s";

/// Where one worker plays: the home of the trial, the one it is copied from, and files of the run.
pub struct Ground {
    folder: PathBuf,
}

/// The settings of every home: a rule of the user's with an example, and a switch for flags.
const SETTINGS: &str = r#"
[undo]
max_ms = 10000

[flags]
provider = "ofrep"
url = "http://127.0.0.1:PORT"

[[rule]]
id = "no-seeder"
command = "make seeder"
verdict = "deny"
because = "the seeder writes to the shared database"
"#;

/// What flags say: a threshold that is stricter than the default.
const FLAGS: &str = r#"{"flags":[{"key":"belay.thresholds.ask_at","value":40}]}"#;

/// How the file with work looks that no commit holds.
pub const WORK: &str = "one\ntwo\nthree, not committed\n";

impl Ground {
    /// Makes a home and lets a session go on in it: calls allowed, asked and denied, work kept, flags fetched, a model asked.
    ///
    /// # Errors
    /// When it cannot be made, or a call is answered otherwise than it should be: then nothing could be proved.
    pub fn new(folder: PathBuf) -> Result<Self, String> {
        let ground = Self { folder };
        std::fs::create_dir_all(ground.project()).map_err(|why| why.to_string())?;
        std::fs::create_dir_all(ground.home().join(".config/belay"))
            .map_err(|why| why.to_string())?;
        ground.shell("git init -q --template= . && git config user.name me && git config user.email me@example.test && printf 'one\\ntwo\\n' > a.rs && git add . && git commit -qm first")?;
        std::fs::write(ground.project().join("a.rs"), WORK).map_err(|why| why.to_string())?;
        ground.warm_up()?;
        let kept = std::fs::rename(ground.home(), ground.folder.join("kept"));
        kept.map_err(|why| why.to_string())?;
        ground.fresh()?;
        Ok(ground)
    }

    /// Returns the home of the trial.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    /// Returns the project in it.
    #[must_use]
    pub fn project(&self) -> PathBuf {
        self.home().join("project")
    }

    /// Returns where the gate keeps what it remembers.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.home().join(".local/state/belay")
    }

    /// Returns the user's settings.
    #[must_use]
    pub fn settings(&self) -> PathBuf {
        self.home().join(".config/belay/config.toml")
    }

    /// Returns where files of a run go.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Puts the home back to how it was before any trial.
    ///
    /// # Errors
    /// When it cannot be copied.
    pub fn fresh(&self) -> Result<(), String> {
        let _ = std::fs::remove_dir_all(self.home());
        copied(&self.folder.join("kept"), &self.home())
            .map_err(|why| format!("cannot copy the home: {why}"))
    }

    /// Returns how an agent starts the hook here when nothing goes wrong.
    #[must_use]
    pub fn start(&self) -> Start {
        let env = [
            ("HOME", self.home().display().to_string()),
            ("PATH", "/usr/bin:/bin".to_owned()),
            ("CLAUDE_PROJECT_DIR", self.project().display().to_string()),
        ];
        Start {
            belay: PathBuf::from(GATE),
            home: Some(self.home()),
            project: self.project(),
            before: String::new(),
            around: String::new(),
            env: env.map(|(name, value)| (name.to_owned(), value)).to_vec(),
            blow: None,
            deaf: false,
        }
    }

    /// Returns what an agent sends from here.
    #[must_use]
    pub fn message(&self, call: &Call, session: &str) -> String {
        call.message(&self.project().display().to_string(), session)
    }

    /// Asks about a call with nothing going wrong.
    ///
    /// # Errors
    /// When the hook cannot be started.
    pub fn asked(&self, call: &Call, session: &str) -> Result<crate::hook::Answer, String> {
        let message = self.message(call, session);
        self.start().hears(&message, &self.folder, "plain")?.ended()
    }

    /// Runs the gate as a person does, and returns how it ended and what it printed.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn belay(&self, words: &[&str]) -> Result<(bool, String), String> {
        let done = Command::new(GATE)
            .args(words)
            .current_dir(self.project())
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", "/usr/bin:/bin")
            .stdin(Stdio::null())
            .output()
            .map_err(|why| format!("cannot start the gate: {why}"))?;
        let text = [done.stdout, done.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        Ok((done.status.success(), text))
    }

    /// Runs a line in the project.
    ///
    /// # Errors
    /// When it fails.
    pub fn shell(&self, line: &str) -> Result<(), String> {
        let done = Command::new("/bin/sh")
            .args(["-c", line])
            .current_dir(self.project())
            .env("HOME", self.home())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .map_err(|why| format!("cannot run `{line}`: {why}"))?;
        let said = String::from_utf8_lossy(&done.stderr);
        done.status
            .success()
            .then_some(())
            .ok_or_else(|| format!("`{line}` failed: {said}"))
    }

    fn warm_up(&self) -> Result<(), String> {
        let server = Server::start(allowing()).map_err(|why| why.to_string())?;
        self.write_settings(&model_settings(&server.url(), ""))?;
        let unsure = Call::shell("warm-model".to_owned(), Kind::Unsure, "frobnicate --cached");
        self.must_be(&unsure, Outcome::Allow)?;
        drop(server);
        let port = flags_once()?;
        self.write_settings(&SETTINGS.replace("PORT", &port.to_string()))?;
        let (well, said) = self.belay(&["flags", "refresh"])?;
        well.then_some(())
            .ok_or_else(|| format!("flags cannot be fetched: {said}"))?;
        let shell = |id: &str, kind, command: &str| Call::shell(id.to_owned(), kind, command);
        self.must_be(&shell("warm-1", Kind::Harmless, "ls"), Outcome::Allow)?;
        self.must_be(
            &shell("warm-2", Kind::Losing, crate::calls::LOSING),
            Outcome::Allow,
        )?;
        self.must_be(&shell("warm-3", Kind::Harmful, "npm publish"), Outcome::Ask)?;
        self.must_be(&shell("warm-4", Kind::Harmful, "rm -rf ~"), Outcome::Deny)?;
        // Readers write the index.
        self.belay(&["stats"]).map(drop)
    }

    fn must_be(&self, call: &Call, outcome: Outcome) -> Result<(), String> {
        let answer = self.asked(call, SESSION)?;
        (answer.outcome == outcome)
            .then_some(())
            .ok_or_else(|| format!("{} is {outcome:?} no more: {answer:?}", call.told()))
    }

    /// Writes the user's settings.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write_settings(&self, text: &str) -> Result<(), String> {
        std::fs::write(self.settings(), text).map_err(|why| format!("cannot write settings: {why}"))
    }
}

/// Returns the script of a model that allows everything.
#[must_use]
pub fn allowing() -> Script {
    let input = json!({ "thinking": "", "should_block": false, "reason": "scripted" });
    Script::forcing("classify_result", input)
}

/// Returns settings that name a model.
#[must_use]
pub fn model_settings(url: &str, more: &str) -> String {
    format!(
        "[undo]\nmax_ms = 10000\n{more}\n[classifier]\nprovider = \"compatible\"\nmodel = \"m\"\nretries = 1\nbase_url = \"{url}\"\n"
    )
}

/// Answers one question for flags, and returns the port.
fn flags_once() -> Result<u16, String> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|why| why.to_string())?;
    let port = listener.local_addr().map_err(|why| why.to_string())?.port();
    std::thread::spawn(move || {
        let Ok((mut peer, _)) = listener.accept() else {
            return;
        };
        let mut heard = [0; 4096];
        let _ = peer.read(&mut heard);
        let length = FLAGS.len();
        let head =
            format!("HTTP/1.1 200 x\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
        let _ = peer.write_all((head + FLAGS).as_bytes());
    });
    Ok(port)
}

/// Copies a folder whole.
pub(crate) fn copied(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    std::fs::set_permissions(to, std::fs::metadata(from)?.permissions())?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copied(&entry.path(), &target)?,
            false => drop(std::fs::copy(entry.path(), target)?),
        }
    }
    Ok(())
}
