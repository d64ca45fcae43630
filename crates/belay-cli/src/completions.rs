//! `belay completions` and `belay man`: made from the same definition as the help.

use clap::CommandFactory;

use crate::args::Cli;
use crate::out::{Failure, Out};

/// Prints the completions of a shell.
pub fn completions(shell: clap_complete::Shell, out: &mut Out) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "belay", &mut text);
    out.bytes(&text)
}

/// Prints the manual page, sub-commands included.
pub fn manual(out: &mut Out) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut text)?;
    out.bytes(&text)
}
