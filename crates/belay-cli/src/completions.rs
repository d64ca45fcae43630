//! `belay completions` and `belay man`: made from the same definition as the help.

use std::path::PathBuf;

use clap::{Args, CommandFactory};

use crate::args::Cli;
use crate::out::{Failure, Out};

/// Where each shell looks for completions.
pub const COMPLETIONS_AFTER: &str = "\
Examples:
  belay completions bash > ~/.local/share/bash-completion/completions/belay
  belay completions zsh > \"${fpath[1]}/_belay\"
  belay completions fish > ~/.config/fish/completions/belay.fish
  belay completions elvish > ~/.config/elvish/lib/belay.elv      # then `use belay` in rc.elv
  belay completions powershell >> $PROFILE";

/// Where manual pages go.
pub const MAN_AFTER: &str = "\
Examples:
  belay man | man -l -
  belay man check
  belay man --dir ~/.local/share/man/man1";

/// Arguments of `belay man`.
#[derive(Args)]
pub struct ManArgs {
    /// The page of this sub-command.
    #[arg(value_name = "COMMAND", conflicts_with = "dir")]
    pub command: Vec<String>,
    /// Write every page, one for each sub-command, into this folder.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// Prints the completions of a shell.
pub fn completions(shell: clap_complete::Shell, out: &mut Out) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "belay", &mut text);
    out.bytes(&text)
}

/// Prints a manual page, or writes all of them.
pub fn manual(args: &ManArgs, out: &mut Out) -> Result<(), Failure> {
    let mut cli = Cli::command();
    cli.build();
    if let Some(dir) = &args.dir {
        std::fs::create_dir_all(dir)?;
        return Ok(clap_mangen::generate_to(Cli::command(), dir)?);
    }
    let mut command = &cli;
    for word in &args.command {
        command = command.find_subcommand(word).ok_or_else(|| {
            Failure::Usage(format!(
                "there is no `{word}`\nhint: `belay --help` lists the commands"
            ))
        })?;
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    out.bytes(&text)
}
