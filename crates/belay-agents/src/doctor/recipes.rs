//! How each client is run without a person, in an empty home, against a model on loopback.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use crate::Agent;

/// Where a client is run.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// An empty home, with our hook installed.
    pub home: &'a Path,
    /// The project.
    pub project: &'a Path,
    /// The base URL of the scripted model.
    pub url: &'a str,
    /// The search path for programs.
    pub path: &'a str,
    /// Whether the call would run without us.
    pub ground: Ground,
}

/// Whether a call would run if nobody stood in its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// It would: the gate must stop it.
    Open,
    /// It would not, where the client has such a state: the gate must let it run.
    Closed,
    /// Somebody would be asked, where the client can do that without a person: the gate answers.
    Asking,
}

/// A client that we know how to run without a person.
struct Known {
    program: &'static str,
    /// The version that the end-to-end tests run.
    version: &'static str,
    prepare: fn(&mut Command, &Scene<'_>) -> io::Result<()>,
}

const fn known(agent: Agent) -> Option<Known> {
    type Prepare = fn(&mut Command, &Scene<'_>) -> io::Result<()>;
    let (program, version, prepare): (_, _, Prepare) = match agent {
        Agent::ClaudeCode => ("claude", "2.1.325", claude),
        Agent::Codex => ("codex", "0.166.0", codex),
        Agent::Gemini => ("gemini", "0.61.0", gemini),
        Agent::Copilot => ("copilot", "1.0.102", copilot),
        Agent::Qwen => ("qwen", "0.24.4", qwen),
        Agent::OpenCode => ("opencode", "1.18.33", opencode),
        Agent::VsCode
        | Agent::Cursor
        | Agent::Windsurf
        | Agent::Cline
        | Agent::Droid
        | Agent::Kiro
        | Agent::Goose
        | Agent::Amp
        | Agent::Generic => return None,
    };
    Some(Known {
        program,
        version,
        prepare,
    })
}

/// Returns the name of the agent's program, where we know how to run it without a person.
#[must_use]
pub fn program(agent: Agent) -> Option<&'static str> {
    known(agent).map(|it| it.program)
}

/// Returns the version of the client that the end-to-end tests run, if any do.
#[must_use]
pub fn tested_version(agent: Agent) -> Option<&'static str> {
    known(agent).map(|it| it.version)
}

/// Writes the client's settings into the home and returns the command that runs it once.
///
/// # Errors
/// Returns why the settings could not be written.
pub fn command(agent: Agent, client: &Path, scene: &Scene<'_>) -> io::Result<Command> {
    let none = || io::Error::other("this agent cannot be run without a person");
    let known = known(agent).ok_or_else(none)?;
    let mut command = Command::new(client);
    command.env_clear().current_dir(scene.project);
    command.env("PATH", scene.path).env("HOME", scene.home);
    command.env("LANG", "C.UTF-8").env("SHELL", "/bin/sh");
    command.env("USER", "belay").env("TERM", "dumb");
    (known.prepare)(&mut command, scene)?;
    Ok(command)
}

fn claude(command: &mut Command, scene: &Scene<'_>) -> io::Result<()> {
    command
        .envs([
            ("ANTHROPIC_BASE_URL", scene.url),
            ("ANTHROPIC_API_KEY", "dummy"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("DISABLE_ERROR_REPORTING", "1"),
        ])
        .args(["-p", "run it", "--output-format", "json"]);
    if scene.ground == Ground::Open {
        command.args(["--allowedTools", "Bash,Write,Edit,Agent"]);
    }
    Ok(())
}

fn codex(command: &mut Command, scene: &Scene<'_>) -> io::Result<()> {
    let settings = format!(
        "model = \"gpt-5.5-codex\"\nmodel_provider = \"scripted\"\n\n\
         [model_providers.scripted]\nname = \"scripted\"\nbase_url = \"{}/v1\"\n\
         wire_api = \"responses\"\nenv_key = \"SCRIPTED_KEY\"\n\
         request_max_retries = 0\nstream_max_retries = 0\n\n",
        scene.url
    );
    let path = scene.home.join(".codex/config.toml");
    let pinned = fs::read_to_string(&path).unwrap_or_default();
    write(&path, &(settings + &pinned))?;
    command.env("SCRIPTED_KEY", "dummy");
    command.args(["exec", "--skip-git-repo-check", "--json"]);
    match scene.ground {
        Ground::Open | Ground::Closed => command.args(["-s", "danger-full-access"]),
        Ground::Asking => command.arg("--approve-for-me"),
    };
    command.arg("run it");
    Ok(())
}

fn gemini(command: &mut Command, scene: &Scene<'_>) -> io::Result<()> {
    extend(
        &scene.home.join(".gemini/settings.json"),
        r#""security":{"auth":{"selectedType":"gemini-api-key"},"folderTrust":{"enabled":false}},"privacy":{"usageStatisticsEnabled":false}"#,
    )?;
    command
        .envs([
            ("GEMINI_API_KEY", "dummy"),
            ("GOOGLE_GEMINI_BASE_URL", scene.url),
            ("GEMINI_CLI_NO_RELAUNCH", "true"),
        ])
        .args(["-p", "run it", "--yolo"]);
    Ok(())
}

fn copilot(command: &mut Command, scene: &Scene<'_>) -> io::Result<()> {
    let base = format!("{}/v1", scene.url);
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
    if scene.ground == Ground::Open {
        command.arg("--allow-all-tools");
    }
    Ok(())
}

fn qwen(command: &mut Command, scene: &Scene<'_>) -> io::Result<()> {
    extend(
        &scene.home.join(".qwen/settings.json"),
        r#""security":{"auth":{"selectedType":"openai"}}"#,
    )?;
    let base = format!("{}/v1", scene.url);
    command
        .envs([
            ("OPENAI_API_KEY", "dummy"),
            ("OPENAI_BASE_URL", base.as_str()),
            ("OPENAI_MODEL", "scripted-model"),
            ("QWEN_CODE_NO_RELAUNCH", "true"),
        ])
        .args(["-p", "run it", "--yolo"]);
    Ok(())
}

fn opencode(command: &mut Command, scene: &Scene<'_>) -> io::Result<()> {
    let settings = format!(
        r#"{{"autoupdate":false,"model":"scripted/m","small_model":"scripted/m","provider":{{"scripted":{{"npm":"@ai-sdk/openai-compatible","name":"scripted","options":{{"baseURL":"{}/v1","apiKey":"dummy"}},"models":{{"m":{{"name":"m"}}}}}}}}}}"#,
        scene.url
    );
    write(
        &scene.home.join(".config/opencode/opencode.json"),
        &settings,
    )?;
    command
        .envs([
            ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
            ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
        ])
        .args(["run", "run it"]);
    Ok(())
}

/// Adds members to a JSON object that our installation may have written before.
fn extend(path: &Path, members: &str) -> io::Result<()> {
    let text = fs::read_to_string(path).unwrap_or_else(|_| "{}".to_owned());
    let rest = text.trim_start().trim_start_matches('{');
    let comma = if rest.trim_start().starts_with('}') {
        ""
    } else {
        ","
    };
    write(path, &format!("{{{members}{comma}{rest}"))
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
