//! How a client is run without a person, in an empty home, against a model on loopback.

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
pub(crate) struct Client {
    /// The name of its program.
    pub(crate) program: &'static str,
    /// The version that the end-to-end tests run.
    pub(crate) version: &'static str,
    /// Writes its settings into the home and puts its words behind the command.
    pub(crate) prepare: fn(&mut Command, &Scene<'_>) -> io::Result<()>,
}

/// Returns the name of the agent's program, where we know how to run it without a person.
#[must_use]
pub fn program(agent: Agent) -> Option<&'static str> {
    agent.adapter().client().map(|it| it.program)
}

/// Returns the version of the client that the end-to-end tests run, if any do.
#[must_use]
pub fn tested_version(agent: Agent) -> Option<&'static str> {
    agent.adapter().client().map(|it| it.version)
}

/// Writes the client's settings into the home and returns the command that runs it once.
///
/// # Errors
/// Returns why the settings could not be written.
pub fn command(agent: Agent, client: &Path, scene: &Scene<'_>) -> io::Result<Command> {
    let none = || io::Error::other("this agent cannot run without a person");
    let known = agent.adapter().client().ok_or_else(none)?;
    let mut command = Command::new(client);
    command.env_clear().current_dir(scene.project);
    command.env("PATH", scene.path).env("HOME", scene.home);
    command.env("LANG", "C.UTF-8").env("SHELL", "/bin/sh");
    command.env("USER", "belay").env("TERM", "dumb");
    (known.prepare)(&mut command, scene)?;
    Ok(command)
}

/// Adds members to a JSON object that our installation may have written before.
pub(crate) fn extend(path: &Path, members: &str) -> io::Result<()> {
    let text = fs::read_to_string(path).unwrap_or_else(|_| "{}".to_owned());
    let rest = text.trim_start().trim_start_matches('{');
    let comma = if rest.trim_start().starts_with('}') {
        ""
    } else {
        ","
    };
    write(path, &format!("{{{members}{comma}{rest}"))
}

/// Writes a file, and its folder where it is missing.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
