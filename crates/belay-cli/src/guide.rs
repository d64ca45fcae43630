//! `belay install` without a name, at a terminal: what was found, and three questions, each with the option that answers it
//! where nobody is there to be asked.

use std::fs;
use std::io::{self, BufRead, IsTerminal};

use belay_settings::Provider;
use belay_store::Lasts;

use crate::connect::{ConnectArgs, Ground};
use crate::out::{Failure, Out, talk};
use crate::page::edit::Own;
use crate::places::Here;
use crate::switch::{self, AutoArgs, Position};

/// How long a trial is.
const A_WEEK: u64 = 7 * 24 * 60 * 60;

/// Tells whether a person set out to be guided: nothing is named, nothing is decided, and somebody can answer.
pub fn is_wanted(args: &ConnectArgs) -> bool {
    let decided = args.yes || args.print || args.managed || args.http.is_some();
    args.agents.is_empty() && !decided && io::stdin().is_terminal()
}

/// Asks what the options leave open.
pub fn asked(args: &ConnectArgs, out: &mut Out) -> Result<ConnectArgs, Failure> {
    let mut args = args.clone();
    let found = Ground::new(&args)?.chosen()?;
    let titles: Vec<&str> = found.iter().map(|it| it.title()).collect();
    out.line(format_args!("Found: {}", titles.join(", ")))?;
    out.flush()?;
    if !args.observe && !args.trial {
        args.trial =
            said_yes("Only watch for the first week? Nothing is stopped, everything is recorded.")?;
    }
    if !args.statusline {
        args.statusline =
            said_yes("Show what belay does in the agent's status line, where it has one?")?;
    }
    let unset = Here::at(None)?
        .settings()
        .settings
        .classifier
        .endpoint
        .provider
        == Provider::None;
    if args.model.is_none() && unset {
        args.model = model()?;
    }
    Ok(args)
}

/// Does what was chosen besides connecting.
pub fn settle(args: &ConnectArgs, out: &mut Out) -> Result<(), Failure> {
    if let Some(provider) = args.model {
        choose(provider, out)?;
    }
    if args.trial {
        let turn = AutoArgs {
            position: Some(Position::Observe),
            here: false,
            lasting: Some(A_WEEK),
            folder: None,
        };
        switch::auto(&turn, out)?;
    }
    Ok(())
}

/// Writes the provider into the user's settings, unless they speak of a model already.
fn choose(provider: Provider, out: &mut Out) -> Result<(), Failure> {
    let own = Own::read()?;
    let word = provider.word();
    if own.text.contains("[classifier]") {
        return Err(Failure::Said(format!(
            "`{}` has a `[classifier]` already\nhint: write `provider = \"{word}\"` there",
            own.path.display()
        )));
    }
    let gap = if own.text.is_empty() { "" } else { "\n" };
    let text = format!("{}{gap}[classifier]\nprovider = \"{word}\"\n", own.text);
    if let Some(folder) = own.path.parent() {
        fs::create_dir_all(folder)?;
    }
    belay_store::replace(&own.path, text.as_bytes(), Lasts::ThroughCrashes)?;
    out.line(format_args!(
        "{}: the model of {word} is asked; prove it: belay classifier check",
        own.path.display()
    ))
}

/// Reads a provider as it is written in the settings.
pub fn provider_named(word: &str) -> Result<Provider, String> {
    Provider::from_word(word).ok_or_else(|| format!("`{word}` is not a provider"))
}

/// Asks for a model until the answer is one, or none.
fn model() -> Result<Option<Provider>, Failure> {
    talk(
        "Which model decides what the rules leave open: anthropic, openai or gemini? Leave empty for none.",
    );
    loop {
        let word = answer()?;
        // No provider's name begins like a no.
        if word.is_empty() || word.starts_with(['n', 'N']) {
            return Ok(None);
        }
        match provider_named(&word) {
            Ok(provider) => return Ok(Some(provider)),
            Err(why) => talk(format_args!("{why}; anthropic, openai, gemini, or empty")),
        }
    }
}

fn said_yes(question: &str) -> Result<bool, Failure> {
    talk(format_args!("{question} [y/N]"));
    Ok(matches!(answer()?.as_str(), "y" | "Y" | "yes"))
}

fn answer() -> Result<String, Failure> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim().to_owned())
}
