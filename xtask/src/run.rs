//! Starting other programs, always from the root of the repository.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;

/// Returns the root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Returns the folder cargo builds into.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Makes a `cargo` command with these words.
pub fn cargo(words: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(words).current_dir(root());
    command
}

/// Names what a run of CI builds in place of the packages that a step needs. Which packages are built together decides the
/// features of what they share: built each by itself, the same rooms would be compiled again for nearly every step.
pub const WHOLE: &str = "BELAY_BUILD";

/// Builds these packages, or the whole that they are part of.
pub fn build(packages: &[&str]) -> Outcome {
    let mut command = cargo(&["build", "--quiet"]);
    match std::env::var(WHOLE) {
        Ok(words) => command.args(words.split_whitespace()),
        Err(_) => command.args(packages.iter().flat_map(|it| ["--package", it])),
    };
    must(&mut command)
}

/// Runs a command to its end; anything but success is an error.
pub fn must(command: &mut Command) -> Outcome {
    let shown = shown(command);
    let status = command
        .status()
        .map_err(|why| format!("cannot start `{shown}`: {why}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`{shown}` failed: {status}"))
    }
}

/// Runs a command and returns what it printed.
pub fn output(command: &mut Command) -> Outcome<String> {
    let shown = shown(command);
    let done = command
        .output()
        .map_err(|why| format!("cannot start `{shown}`: {why}"))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        return Err(format!("`{shown}` failed: {}\n{said}", done.status));
    }
    String::from_utf8(done.stdout)
        .map_err(|_| format!("`{shown}` printed something else than UTF-8"))
}

/// Writes a command as it would be typed.
pub fn shown(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(
        command
            .get_args()
            .map(|it| it.to_string_lossy().into_owned()),
    );
    words.join(" ")
}

/// Reads a text file below the root.
pub fn read(path: &str) -> Outcome<String> {
    std::fs::read_to_string(root().join(path)).map_err(|why| format!("cannot read `{path}`: {why}"))
}
