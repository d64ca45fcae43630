//! References that grow from the program: written once, compared ever after.

use std::path::Path;
use std::process::Command;

use crate::run::{build, output, root, target};
use crate::{Outcome, catalogue, picture, readmes, states, threats};

/// What to do with the references.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Job {
    /// Compare them.
    Check,
    /// Write them.
    Write,
}

/// Makes every reference from the program as it is now.
pub fn run(job: Job) -> Outcome {
    build(&["belay-cli"])?;
    let belay = target().join("debug/belay");
    let references = [
        ("docs/reference/cli.md", command_line(&belay)?),
        ("docs/reference/settings.md", settings(&belay)?),
        ("docs/reference/commands.md", catalogue::commands()?),
        ("docs/reference/tools.md", states::page()?),
        ("README.md", catalogue::readme()?),
    ];
    for (path, text) in references.iter().chain(&picture::all()?) {
        settle(path, text, job)?;
    }
    for (path, text) in &readmes::pages()? {
        settle(path, text, job)?;
    }
    threats::check()
}

fn settle(path: &str, text: &str, job: Job) -> Outcome {
    let full = root().join(path);
    match job {
        Job::Write => {
            let folder = full.parent().unwrap_or(&full);
            std::fs::create_dir_all(folder)
                .map_err(|why| format!("cannot make `{path}`: {why}"))?;
            std::fs::write(&full, text).map_err(|why| format!("cannot write `{path}`: {why}"))
        }
        Job::Check if std::fs::read_to_string(&full).is_ok_and(|it| it == text) => Ok(()),
        Job::Check => Err(format!(
            "`{path}` is not up to date\nhint: cargo xtask docs --write"
        )),
    }
}

fn belay(path: &Path, words: &[&str]) -> Outcome<String> {
    output(
        Command::new(path)
            .args(words)
            .env_remove("COLUMNS")
            .current_dir(root()),
    )
}

fn command_line(path: &Path) -> Outcome<String> {
    let help = belay(path, &["--help"])?;
    let mut text = format!(
        "# The command line\n\nMade by `cargo xtask docs --write` from the program's own help.\n\n```\n{help}```\n"
    );
    for name in commands(&help) {
        let help = belay(path, &[name, "--help"])?;
        text.push_str(&format!("\n## belay {name}\n\n```\n{help}```\n"));
    }
    Ok(text)
}

/// Returns the names under `Commands:`.
fn commands(help: &str) -> impl Iterator<Item = &str> {
    let listed = help.lines().skip_while(|it| *it != "Commands:").skip(1);
    let listed = listed.take_while(|it| !it.is_empty());
    let named = listed.filter(|it| it.starts_with("  ") && !it.starts_with("   "));
    named
        .filter_map(|it| it.split_whitespace().next())
        .filter(|it| *it != "help")
}

fn settings(path: &Path) -> Outcome<String> {
    let file = belay(path, &["config", "--default"])?;
    Ok(format!(
        "# The settings\n\nMade by `cargo xtask docs --write`. This is the commented default file (`belay config --default`).\n\n```toml\n{file}```\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_in_the_help() {
        let help = "x\n\nCommands:\n  check  a\n         more\n  log    b\n  help   c\n\nOptions:\n  -h  d\n";
        assert_eq!(commands(help).collect::<Vec<_>>(), ["check", "log"]);
    }
}
