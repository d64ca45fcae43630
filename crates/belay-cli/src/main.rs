//! Arguments, printing, exit codes.
//!
//! INVARIANT: no rule lives here, and no accident looks like a verdict: what fails ends with 1,
//! what makes no sense with 64.

mod allow;
mod anchor;
mod args;
mod asking;
mod bound;
mod check;
mod chosen;
mod completions;
mod config;
mod connect;
mod doctor;
mod draft;
mod eval;
mod examples;
mod exit;
mod explain;
mod export;
mod flagging;
mod fleet;
mod grants;
mod guide;
mod hook;
mod import;
mod judging;
mod keeping;
mod knowing;
mod learn;
mod learning;
mod lines;
mod lint;
mod log;
mod memory;
mod model;
mod other;
mod out;
mod own_tests;
mod page;
mod pager;
mod places;
mod profile;
mod progress;
mod question;
mod replay;
mod respect;
mod rules;
mod serve;
mod servers;
mod stats;
mod statusline;
mod suggest;
mod switch;
mod trust;
mod ui;
mod underline;
mod undo;
mod verify;
mod waiting;

use std::process::ExitCode;

use belay_journal::Journal;
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches};

use crate::args::{Cli, Command};
use crate::connect::Way;
use crate::exit::Exit;
use crate::out::{Failure, Out, talk};
use crate::places::Here;

/// Musl takes its time over short texts: what copies and compares bytes in its place only has to be linked.
#[cfg(target_env = "musl")]
use belay_bytes as _;

/// Musl's own allocator asks the system for every page and gives it back at once; the one in its place locks for every piece,
/// although one thread answers.
#[cfg(target_env = "musl")]
#[global_allocator]
static MEMORY: belay_heap::Heap<dlmalloc::GlobalDlmalloc> =
    belay_heap::Heap::before(dlmalloc::GlobalDlmalloc);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|it| it.to_string_lossy().into_owned())
        .collect();
    match words.split_first() {
        Some((first, rest)) if first == "hook" && !asks_for_help(rest) => hook::run(rest),
        Some(_) | None => ordinary(),
    }
}

/// The hook bypasses the reading of arguments below; only its help is there.
fn asks_for_help(words: &[String]) -> bool {
    matches!(words, [word] if word == "--help" || word == "-h")
}

fn ordinary() -> ExitCode {
    let matches = examples::added(Cli::command()).try_get_matches();
    let cli = match matches.and_then(|it| Cli::from_arg_matches(&it)) {
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
    if let Some(text) = unknown_command(why) {
        talk(text);
        return Exit::Usage;
    }
    match why.print() {
        Ok(()) if is_answer => Exit::Done,
        Ok(()) | Err(_) => Exit::Usage,
    }
}

/// Says which command was meant by one that is not there: the nearest, where one is near.
fn unknown_command(why: &clap::Error) -> Option<String> {
    let word = match why.get(ContextKind::InvalidSubcommand) {
        // Those of a command of ours know their own.
        Some(ContextValue::String(word)) if std::env::args().nth(1).as_ref() == Some(word) => word,
        _ => return None,
    };
    let cli = Cli::command();
    let known: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
    let near = belay_settings::nearest(word, known);
    let near = near.map_or_else(String::new, |it| format!("; did you mean `{it}`?"));
    Some(format!(
        "error: `{word}` is not a command{near}\nhint: `belay --help` lists them"
    ))
}

fn failed(why: Failure) -> Exit {
    match why {
        Failure::Deaf => Exit::Done,
        Failure::Said(text) => {
            talk(format_args!("error: {text}"));
            Exit::Failed
        }
        Failure::Usage(text) => {
            talk(format_args!("error: {text}"));
            Exit::Usage
        }
    }
}

fn run(command: &Command) -> Result<Exit, Failure> {
    let mut out = if command.is_long() {
        Out::paged()
    } else {
        Out::new()
    };
    let exit = answered(command, &mut out);
    let closed = out.close();
    let exit = exit?;
    closed?;
    Ok(exit)
}

fn answered(command: &Command, out: &mut Out) -> Result<Exit, Failure> {
    let done = |()| Exit::Done;
    match command {
        Command::Log(args) => {
            let journal = journal()?;
            journal.sweep(belay_journal::calendar::Moment::now());
            log::log(args, &journal, out)
        }
        Command::Ui(args) => ui::ui(args, out),
        Command::Why(args) => log::why(args, &journal()?, out).map(done),
        Command::Stats(args) => stats::stats(args, &journal()?, out).map(done),
        Command::Check(args) => check::check(args, out),
        Command::Classifier(args) => asking::classifier(args, out),
        Command::Explain(args) => explain::explain(args, out),
        Command::Eval(args) => eval::eval(args, out),
        Command::Hook { .. } => Err(Failure::Usage(
            "`hook` must be the first argument".to_owned(),
        )),
        Command::Install(args) => connect::connect(args, Way::In, out),
        Command::Uninstall(args) => connect::connect(args, Way::Out, out),
        Command::Doctor(args) => doctor::doctor(args, out),
        Command::Serve(args) => serve::serve(args, out),
        Command::Mcp(args) => servers::serve_mcp(args, out).map(done),
        Command::Acp(args) => servers::proxy_acp(args, out),
        Command::Config(args) => config::config(args, out),
        Command::Flags(args) => flagging::flags(args, out),
        Command::Fleet(args) => fleet::fleet(args, out),
        Command::Rules(args) => rules::rules(args, out),
        Command::Replay(args) => replay::replay(args, out),
        Command::Statusline(args) => statusline::statusline(args, out).map(done),
        Command::Test(args) => own_tests::test(args, out),
        Command::Learn(args) => learn::learn(args, out).map(done),
        Command::Knowledge(args) => knowing::knowledge(args, out),
        Command::Trust(args) => trust::trust(args, out).map(done),
        Command::Auto(args) => switch::auto(args, out).map(done),
        Command::Profile(args) => profile::profile(args, out).map(done),
        Command::Grants(args) => grants::grants(args, out).map(done),
        Command::Undo(args) => undo::undo(args, out),
        Command::Allow(args) => allow::allow(args, out).map(done),
        Command::Completions { shell } => completions::completions(*shell, out).map(done),
        Command::Man(args) => completions::manual(args, out).map(done),
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
