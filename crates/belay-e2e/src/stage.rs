use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use belay_agents::doctor::ended;
use belay_agents::doctor::recipes::Ground;
use belay_agents::install::{Bar, Consent, Reach, Stance, Wish, apply, install, pins};
use belay_model_server::{Script, Server};
use serde_json::Value;
use tempfile::TempDir;

use crate::Client;
use crate::client::{name_of, write};
use crate::machine::within;

/// The longest a client may take.
const PATIENCE: Duration = Duration::from_secs(240);

/// Which program stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate<'a> {
    /// The scripted gate at this path, with this fault.
    Scripted(&'a Path, &'a str),
    /// The real `belay` at this path.
    Belay(&'a Path),
    /// A program that is not there.
    Missing,
}

/// An empty home, an empty project and our program installed in between.
#[derive(Debug)]
pub struct Stage {
    root: TempDir,
    /// The home folder.
    pub home: PathBuf,
    /// The project.
    pub project: PathBuf,
    pub(crate) ground: Ground,
    /// Further words for the client's command line.
    pub words: Vec<String>,
    /// Further variables for the client.
    pub env: Vec<(String, String)>,
    /// What the client sees as `/etc`, where it is not the machine's.
    pub(crate) etc: Option<PathBuf>,
}

/// What lies on disk afterwards.
#[derive(Debug)]
pub struct Outcome {
    /// The records the gate wrote, in their order.
    pub journal: Vec<Value>,
    /// What the client wrote, to look at when a test fails.
    pub said: String,
    /// How long it took.
    pub took: Duration,
    results: usize,
    project: PathBuf,
    home: PathBuf,
    /// What lies on disk goes with this.
    root: Option<TempDir>,
}

impl Outcome {
    /// Tells whether the client came as far as the call: the gate was asked for it, or the model
    /// got its result.
    #[must_use]
    pub fn tried(&self) -> bool {
        let words = ["marker", "inside.txt", ".bashrc"];
        words.iter().any(|word| self.judged(word)) || self.results > 0
    }

    /// Tells whether the gate was asked about a call with that word in it.
    #[must_use]
    pub fn judged(&self, word: &str) -> bool {
        let sent = |record: &Value| record.get("stdin")?.as_str().map(|it| it.contains(word));
        self.journal.iter().any(|record| sent(record) == Some(true))
    }

    /// Returns the verdicts in the journal that the real `belay` wrote, in their order.
    #[must_use]
    pub fn verdicts(&self) -> Vec<String> {
        let verdict = |record: &Value| {
            let judgement = record.get("judgement").unwrap_or(record);
            judgement.get("verdict")?.as_str().map(str::to_owned)
        };
        self.journal.iter().filter_map(verdict).collect()
    }

    /// Tells whether the folder the client worked in is still there to be looked at.
    #[must_use]
    pub fn can_be_seen(&self) -> bool {
        self.project.join(".git").is_dir() && self.root.as_ref().is_none_or(|it| it.path().is_dir())
    }

    /// Tells whether a file is in the project.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.project.join(name).exists()
    }

    /// Tells whether a file is in the home folder.
    #[must_use]
    pub fn has_at_home(&self, name: &str) -> bool {
        self.home.join(name).exists()
    }
}

impl Stage {
    pub(crate) fn new(ground: Ground) -> std::io::Result<Self> {
        let root = tempfile::Builder::new().prefix("belay-e2e-").tempdir()?;
        let base = fs::canonicalize(root.path())?;
        let (home, project) = (base.join("home"), base.join("project"));
        fs::create_dir_all(&home)?;
        for folder in ["objects", "refs"] {
            fs::create_dir_all(project.join(".git").join(folder))?;
        }
        write(&project.join(".git/HEAD"), "ref: refs/heads/main\n");
        let config = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n";
        write(&project.join(".git/config"), config);
        Ok(Self {
            root,
            home,
            project,
            ground,
            words: Vec::new(),
            env: Vec::new(),
            etc: None,
        })
    }

    /// Makes a stage on which calls would run if nobody stood in their way.
    ///
    /// # Errors
    /// Returns why it could not be made.
    pub fn open() -> std::io::Result<Self> {
        Self::new(Ground::Open)
    }

    /// Makes a stage on which calls would not run, where the client has such a state.
    ///
    /// # Errors
    /// Returns why it could not be made.
    pub fn closed() -> std::io::Result<Self> {
        Self::new(Ground::Closed)
    }

    /// Makes a stage on which the client would have somebody asked.
    ///
    /// # Errors
    /// Returns why it could not be made.
    pub fn asking() -> std::io::Result<Self> {
        Self::new(Ground::Asking)
    }

    /// Writes belay's own settings.
    pub fn settings(&self, text: &str) {
        write(&self.home.join(".config/belay/config.toml"), text);
    }

    fn journal(&self) -> PathBuf {
        self.root.path().join("journal.jsonl")
    }

    /// Puts the gate beside the stage and connects it, as a user would.
    ///
    /// # Errors
    /// Returns why it could not be connected.
    pub fn install(&self, client: Client, gate: Gate<'_>) -> std::io::Result<()> {
        let belay = self.root.path().join("bin/belay");
        fs::create_dir_all(self.root.path().join("bin"))?;
        match gate {
            Gate::Scripted(path, fault) => {
                fs::copy(path, &belay)?;
                let journal = self.journal();
                let notes = serde_json::json!({"fault": fault, "journal": journal});
                write(&belay.with_file_name("gate.json"), notes.to_string());
            }
            Gate::Belay(path) => drop(fs::copy(path, &belay)?),
            Gate::Missing => {}
        }
        let wish = Wish {
            agent: client.agent(),
            reach: Reach::User,
            stance: Stance::Gate,
            belay: &belay,
            home: &self.home,
            settings: None,
            state: None,
            project: &self.project,
            env: &|_| None,
            trust: Consent::Given,
            door: None,
            bar: Bar::Untouched,
        };
        let plan = install(&wish).map_err(std::io::Error::other)?;
        apply(&plan).map_err(std::io::Error::other)
    }

    /// Runs the client once against the script.
    ///
    /// # Errors
    /// Returns why it could not be run.
    pub fn run(self, client: Client, script: Script) -> std::io::Result<Outcome> {
        let server = Server::start(script)?;
        let mut command = client.command(&self, &server.url())?;
        command.args(&self.words).envs(self.env.iter().cloned());
        if let Some(etc) = &self.etc {
            command = within(etc, &command);
        }
        let begun = Instant::now();
        let said = ended(&mut command, PATIENCE)?;
        let took = begun.elapsed();
        let mut text = fs::read_to_string(self.journal()).unwrap_or_default();
        text.push_str(&lines_below(&self.home.join(".local/state/belay")));
        let mut outcome = Outcome {
            journal: text
                .lines()
                .filter_map(|line| serde_json::from_str(line).ok())
                .collect(),
            said: format!("{said}\nmodel heard {} requests", server.heard().len()),
            took,
            results: server
                .heard()
                .iter()
                .filter(|it| is_result(&it.body))
                .count(),
            project: self.project.clone(),
            home: self.home.clone(),
            root: None,
        };
        let heard = server.heard();
        let lines: Vec<String> = heard.iter().map(|it| format!("{}\n", it.body)).collect();
        write(&self.root.path().join("requests.jsonl"), lines.concat());
        outcome.root = self.kept(client);
        Ok(outcome)
    }
}

/// Returns the lines of all journals below a folder.
fn lines_below(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            text.push_str(&lines_below(&path));
        } else if path.extension().is_some_and(|it| it == "jsonl") {
            text.push_str(&fs::read_to_string(path).unwrap_or_default());
        }
    }
    text
}

/// Tells whether a request to the model holds the result of a tool.
fn is_result(body: &Value) -> bool {
    let text = body.to_string();
    let signs = [
        "\"tool_result\"",
        "_call_output\"",
        "\"role\":\"tool\"",
        "\"functionResponse\"",
    ];
    signs.iter().any(|sign| text.contains(sign))
}

impl Stage {
    /// Returns the folder, which goes with the outcome; with `BELAY_E2E_KEEP` it stays for good.
    fn kept(self, client: Client) -> Option<TempDir> {
        if std::env::var_os("BELAY_E2E_KEEP").is_none() {
            return Some(self.root);
        }
        let kept = self.root.keep();
        let link = std::env::temp_dir().join(format!("belay-e2e-last-{}", client.agent()));
        drop(fs::write(link, name_of(&kept).as_encoded_bytes()));
        None
    }
}

impl Stage {
    /// Makes the host wait only two seconds for the gate.
    pub(crate) fn hurry(&self, client: Client) -> std::io::Result<()> {
        let (path, from, to) = match client {
            Client::ClaudeCode => (".claude/settings.json", "\"timeout\": 60", "\"timeout\": 2"),
            Client::Codex => (".codex/hooks.json", "\"timeout\": 60", "\"timeout\": 2"),
            Client::Gemini => (".gemini/settings.json", "60000", "2000"),
            Client::Copilot => (".copilot/hooks/belay.json", "60", "2"),
            Client::Qwen => (".qwen/settings.json", "60000", "2000"),
            Client::OpenCode => return Ok(()),
        };
        let path = self.home.join(path);
        let text = fs::read_to_string(&path)?.replace(from, to);
        fs::write(&path, &text)?;
        if client == Client::Codex {
            let config = self.home.join(".codex/config.toml");
            let mut toml = String::new();
            for pin in pins(&path, &text) {
                let (key, hash) = (pin.key, pin.hash);
                toml.push_str(&format!(
                    "[hooks.state.\"{key}\"]\ntrusted_hash = \"{hash}\"\n"
                ));
            }
            fs::write(config, toml)?;
        }
        Ok(())
    }
}
