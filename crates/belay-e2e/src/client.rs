use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use belay_agents::Agent;

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
    pub const fn version(self) -> &'static str {
        match self {
            Self::ClaudeCode => "2.1.325",
            Self::Codex => "0.166.0",
            Self::Gemini => "0.61.0",
            Self::Copilot => "1.0.102",
            Self::Qwen => "0.24.4",
            Self::OpenCode => "1.18.33",
        }
    }

    const fn program(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Copilot => "copilot",
            Self::Qwen => "qwen",
            Self::OpenCode => "opencode",
        }
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
    pub(crate) fn command(self, stage: &Stage, url: &str) -> Option<Command> {
        let folder = self.folder()?;
        let mut command = Command::new(folder.join(self.program()));
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths([folder].into_iter().chain(env::split_paths(&path)));
        command.env_clear().current_dir(&stage.project);
        command.env("PATH", path.unwrap_or_default());
        command.env("HOME", &stage.home).env("LANG", "C.UTF-8");
        command.env("USER", "tester").env("SHELL", "/bin/bash");
        match self {
            Self::ClaudeCode => claude(&mut command, stage, url),
            Self::Codex => codex(&mut command, stage, url),
            Self::Gemini => gemini(&mut command, stage, url),
            Self::Copilot => copilot(&mut command, stage, url),
            Self::Qwen => qwen(&mut command, stage, url),
            Self::OpenCode => opencode(&mut command, stage, url),
        }
        Some(command)
    }
}

/// Whether the call would run if nobody stood in its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    /// It would: the gate must stop it.
    Open,
    /// It would not, where the client has such a state: the gate must let it run.
    Closed,
}

fn claude(command: &mut Command, stage: &Stage, url: &str) {
    command
        .envs([
            ("ANTHROPIC_BASE_URL", url),
            ("ANTHROPIC_API_KEY", "dummy"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("DISABLE_ERROR_REPORTING", "1"),
        ])
        .args(["-p", "run it", "--output-format", "json"]);
    if stage.ground == Ground::Open {
        command.args(["--allowedTools", "Bash,Write,Edit,Agent"]);
    }
}

fn codex(command: &mut Command, stage: &Stage, url: &str) {
    let settings = format!(
        "model = \"gpt-5.5-codex\"\nmodel_provider = \"scripted\"\n\n\
         [model_providers.scripted]\nname = \"scripted\"\nbase_url = \"{url}/v1\"\n\
         wire_api = \"responses\"\nenv_key = \"SCRIPTED_KEY\"\n\
         request_max_retries = 0\nstream_max_retries = 0\n"
    );
    let path = stage.home.join(".codex/config.toml");
    let pinned = fs::read_to_string(&path).unwrap_or_default();
    write(&path, &(settings + "\n" + &pinned));
    command.env("SCRIPTED_KEY", "dummy").args([
        "exec",
        "--skip-git-repo-check",
        "--json",
        "-s",
        "danger-full-access",
        "run it",
    ]);
}

fn gemini(command: &mut Command, stage: &Stage, url: &str) {
    let settings = stage.home.join(".gemini/settings.json");
    let add = r#""security":{"auth":{"selectedType":"gemini-api-key"},"folderTrust":{"enabled":false}},"privacy":{"usageStatisticsEnabled":false}"#;
    extend(&settings, add);
    command
        .envs([
            ("GEMINI_API_KEY", "dummy"),
            ("GOOGLE_GEMINI_BASE_URL", url),
            ("GEMINI_CLI_NO_RELAUNCH", "true"),
        ])
        .args(["-p", "run it", "--yolo"]);
}

fn copilot(command: &mut Command, stage: &Stage, url: &str) {
    let base = format!("{url}/v1");
    command
        .envs([
            ("COPILOT_OFFLINE", "true"),
            ("COPILOT_AUTO_UPDATE", "false"),
            ("COPILOT_PROVIDER_BASE_URL", base.as_str()),
            ("COPILOT_PROVIDER_TYPE", "openai"),
            ("COPILOT_PROVIDER_API_KEY", "dummy"),
            ("COPILOT_MODEL", "scripted-model"),
        ])
        .args(["-p", "run it", "--no-auto-update"]);
    if stage.ground == Ground::Open {
        command.arg("--allow-all-tools");
    }
}

fn qwen(command: &mut Command, stage: &Stage, url: &str) {
    let settings = stage.home.join(".qwen/settings.json");
    extend(
        &settings,
        r#""security":{"auth":{"selectedType":"openai"}}"#,
    );
    let base = format!("{url}/v1");
    command
        .envs([
            ("OPENAI_API_KEY", "dummy"),
            ("OPENAI_BASE_URL", base.as_str()),
            ("OPENAI_MODEL", "scripted-model"),
            ("QWEN_CODE_NO_RELAUNCH", "true"),
        ])
        .args(["-p", "run it", "--yolo"]);
}

fn opencode(command: &mut Command, stage: &Stage, url: &str) {
    let settings = format!(
        r#"{{"$schema":"https://opencode.ai/config.json","autoupdate":false,"model":"scripted/m","small_model":"scripted/m",
"provider":{{"scripted":{{"npm":"@ai-sdk/openai-compatible","name":"scripted","options":{{"baseURL":"{url}/v1","apiKey":"dummy"}},"models":{{"m":{{"name":"m"}}}}}}}}}}"#
    );
    write(
        &stage.home.join(".config/opencode/opencode.json"),
        &settings,
    );
    command
        .envs([
            ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
            ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
        ])
        .args(["run", "run it"]);
}

/// Adds members to a JSON file that our installation may have written before.
fn extend(path: &Path, members: &str) {
    let text = fs::read_to_string(path).unwrap_or_else(|_| "{}".to_owned());
    let rest = text.trim_start().trim_start_matches('{');
    let comma = if rest.trim_start().starts_with('}') {
        ""
    } else {
        ","
    };
    write(path, format!("{{{members}{comma}{rest}"));
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
