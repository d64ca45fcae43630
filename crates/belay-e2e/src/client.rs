use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use belay_agents::Agent;
use belay_agents::doctor::recipes::{Scene, command, program};
use belay_agents::doctor::tested_version;

use crate::Stage;

/// A client that is installed from its own package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Copilot CLI.
    Copilot,
    /// Qwen Code.
    Qwen,
    /// OpenCode.
    OpenCode,
}

impl Client {
    /// The clients of every run, then those that take longer.
    pub const ALL: [Self; 6] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::Gemini,
        Self::Copilot,
        Self::Qwen,
        Self::OpenCode,
    ];

    /// Returns the agent it is.
    #[must_use]
    pub const fn agent(self) -> Agent {
        match self {
            Self::ClaudeCode => Agent::ClaudeCode,
            Self::Codex => Agent::Codex,
            Self::Gemini => Agent::Gemini,
            Self::Copilot => Agent::Copilot,
            Self::Qwen => Agent::Qwen,
            Self::OpenCode => Agent::OpenCode,
        }
    }

    /// Returns the version that `scripts/install-clients` brings.
    #[must_use]
    pub fn version(self) -> &'static str {
        tested_version(self.agent()).unwrap_or_default()
    }

    /// Returns the name of its program.
    #[must_use]
    pub fn program(self) -> &'static str {
        program(self.agent()).unwrap_or_default()
    }

    /// Returns the folder with the client's program, if it is installed.
    #[must_use]
    pub fn folder(self) -> Option<PathBuf> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.cache/clients");
        let root = env::var_os("BELAY_E2E_CLIENTS").map_or(root, PathBuf::from);
        let folder = root.join(self.agent().word()).join("node_modules/.bin");
        folder.join(self.program()).exists().then_some(folder)
    }

    /// Returns the command that lets the client follow the script once, without a person.
    pub(crate) fn command(self, stage: &Stage, url: &str) -> std::io::Result<Command> {
        let none = || std::io::Error::other("the client is not installed");
        let folder = self.folder().ok_or_else(none)?;
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths([folder.clone()].into_iter().chain(env::split_paths(&path)));
        let path = path.unwrap_or_default();
        let scene = Scene {
            home: &stage.home,
            project: &stage.project,
            url,
            path: &path.to_string_lossy(),
            ground: stage.ground,
        };
        command(self.agent(), &folder.join(self.program()), &scene)
    }
}

/// Returns the real `belay`, freshly built beside our tests.
///
/// # Panics
/// When it does not build.
#[must_use]
pub fn belay() -> &'static Path {
    static BELAY: OnceLock<PathBuf> = OnceLock::new();
    BELAY.get_or_init(|| {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        // A run of CI names what it builds in one go.
        let named = env::var("BELAY_BUILD").unwrap_or_else(|_| "--package belay-cli".to_owned());
        let built = Command::new(cargo)
            .args(["build", "--quiet"])
            .args(named.split_whitespace())
            .current_dir(&root)
            .status();
        assert!(built.is_ok_and(|it| it.success()), "belay does not build");
        let target =
            env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        let built = target.join("debug/belay");
        fs::canonicalize(&built).unwrap_or(built)
    })
}

pub(crate) fn write(path: &Path, text: impl AsRef<[u8]>) {
    if let Some(folder) = path.parent() {
        drop(fs::create_dir_all(folder));
    }
    drop(fs::write(path, text));
}

/// Returns the name of a file for a message.
pub(crate) fn name_of(path: &Path) -> &OsStr {
    path.file_name().unwrap_or_default()
}
