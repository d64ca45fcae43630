//! Arguments, printing, exit codes.
//!
//! INVARIANT: no rule lives here, and no accident looks like a verdict: what fails ends with 1,
//! what makes no sense with 64.

mod args;
mod config;
mod exit;
mod looking_back;
mod out;
mod papers;
mod places;

use std::process::ExitCode;

use belay_journal::Journal;
use clap::Parser;

use crate::args::{Cli, Command};
use crate::exit::Exit;
use crate::out::{Failure, Out, talk};
use crate::places::Here;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(why) => return usage(&why).into(),
    };
    match run(&cli.command) {
        Ok(exit) => exit.into(),
        Err(why) => failed(why).into(),
    }
}

/// Help and version are answers; the rest is wrong usage.
fn usage(why: &clap::Error) -> Exit {
    let is_answer = !why.use_stderr();
    match why.print() {
        Ok(()) if is_answer => Exit::Done,
        Ok(()) | Err(_) => Exit::Usage,
    }
}

fn failed(why: Failure) -> Exit {
    match why {
        Failure::Deaf => Exit::Done,
        Failure::Said(text) => {
            talk(format_args!("error: {text}"));
            Exit::Failed
        }
    }
}

fn run(command: &Command) -> Result<Exit, Failure> {
    let mut out = Out::new();
    let exit = answered(command, &mut out)?;
    out.flush()?;
    Ok(exit)
}

fn answered(command: &Command, out: &mut Out) -> Result<Exit, Failure> {
    let done = |()| Exit::Done;
    match command {
        Command::Log(args) => looking_back::log(args, &journal()?, out).map(done),
        Command::Why(args) => looking_back::why(args, &journal()?, out).map(done),
        Command::Stats(args) => looking_back::stats(args, &journal()?, out).map(done),
        Command::Config(args) => config::config(args, out),
        Command::Completions { shell } => papers::completions(*shell, out).map(done),
        Command::Man => papers::manual(out).map(done),
    }
}

/// Returns the journal that holds where we are.
fn journal() -> Result<Journal, Failure> {
    let here = Here::at(None)?;
    let loaded = here.settings();
    let journal = places::journal(&loaded.settings, &here.places);
    journal.ok_or_else(|| {
        Failure::said(
            "there is no journal\nhint: set `HOME` or `XDG_STATE_HOME`, or `dir` in `[journal]`",
        )
    })
}
