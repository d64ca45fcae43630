//! `belay classifier check`, `belay rules critique` and `belay rules defaults`: the model, asked by
//! a person.

use autobelay::Settings;
use belay_classifier::{Account, Answer, DefaultList, Outcome, defaults};
use belay_journal::json;
use belay_model::{Call, Value};
use clap::{Args, Subcommand};

use crate::args::Standing;
use crate::check::{command, command_input};
use crate::exit::Exit;
use crate::judging::{Judging, Recording};
use crate::lint::LintArgs;
use crate::model::{Model, account_to_json};
use crate::out::{Failure, Out, harmless};

/// What is asked about when nothing is named.
const SAMPLE: &str = "frobnicate --all";

/// Arguments of `belay classifier`.
#[derive(Args)]
pub struct ClassifierArgs {
    /// What to do.
    #[command(subcommand)]
    pub job: ClassifierJob,
}

/// What can be done with the model.
#[derive(Subcommand)]
pub enum ClassifierJob {
    /// Ask one question and show what came back, how long it took and what it cost.
    #[command(
        after_help = "Exits with 0 when there is a verdict, with 1 when there is none.\n\n  belay classifier check\n  belay classifier check --dump /tmp/belay -- 'npm publish'"
    )]
    Check(AskArgs),
}

/// Arguments of `belay classifier check`.
#[derive(Args)]
pub struct AskArgs {
    /// From where, and how.
    #[command(flatten)]
    pub standing: Standing,
    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
    /// The shell command to ask about; without one, an invented one.
    #[arg(value_name = "COMMAND", trailing_var_arg = true)]
    pub command: Vec<String>,
}

/// Does a job with the model.
pub fn classifier(args: &ClassifierArgs, out: &mut Out) -> Result<Exit, Failure> {
    match &args.job {
        ClassifierJob::Check(args) => check(args, out),
    }
}

fn check(args: &AskArgs, out: &mut Out) -> Result<Exit, Failure> {
    let judging = Judging::open(&args.standing, Recording::NotKept)?;
    let model = named(judging.model())?.forgetful();
    let text = match args.command.as_slice() {
        [] => SAMPLE.to_owned(),
        words => command(words)?,
    };
    let call = judging.completed(Call {
        tool: "Bash".to_owned(),
        input: command_input(&text),
        ..Call::default()
    });
    let sight = judging.look(&call);
    let estimate = model.estimate(&call, &sight, judging.settings());
    let outcome = model.ask(&call, &sight, judging.settings());
    if args.json {
        out.line(json::compact(&to_json(&outcome)))?;
    } else {
        out.line(harmless(&format!("asked about  {text}")))?;
        if let Some(tokens) = estimate {
            out.line(format_args!(
                "question     about {tokens} tokens (our estimate)"
            ))?;
        }
        tell(&outcome, out)?;
    }
    Ok(match outcome.answer {
        Answer::Pass(_) | Answer::Block(_) => Exit::Done,
        Answer::NoVerdict(_) => Exit::Failed,
    })
}

fn named(model: Option<Model>) -> Result<Model, Failure> {
    model.ok_or_else(|| {
        Failure::said(
            "no model is configured\nhint: set `[classifier] provider` in ~/.config/belay/config.toml",
        )
    })
}

fn tell(outcome: &Outcome, out: &mut Out) -> Result<(), Failure> {
    let (word, why) = said(outcome);
    out.line(harmless(&format!("answer       {word}: {why}")))?;
    out.line(format_args!("rung         {}", outcome.rung))?;
    tell_account(&outcome.account, out)
}

fn tell_account(account: &Account, out: &mut Out) -> Result<(), Failure> {
    let cost = match account.usd {
        Some(dollars) => format!("${dollars:.6}"),
        None => "price unknown".to_owned(),
    };
    out.line(format_args!(
        "took         {} ms, {} requests, {} tokens read, {} written, {cost}",
        account.millis, account.requests, account.input_tokens, account.output_tokens
    ))?;
    for file in &account.dumps {
        out.line(format_args!("dump         {}", file.display()))?;
    }
    Ok(())
}

fn said(outcome: &Outcome) -> (&'static str, String) {
    match &outcome.answer {
        Answer::Pass(why) => ("pass", why.clone()),
        Answer::Block(why) => ("block", why.clone()),
        Answer::NoVerdict(_) => ("no verdict", outcome.answer.fault().unwrap_or_default()),
    }
}

fn to_json(outcome: &Outcome) -> Value {
    let (word, why) = said(outcome);
    let members = [
        ("answer", Value::from(word)),
        ("reason", Value::from(why)),
        ("rung", Value::from(outcome.rung.as_str())),
        ("account", account_to_json(&outcome.account)),
    ];
    Value::Object(members.map(|(name, it)| (name.to_owned(), it)).to_vec())
}

/// Prints the default rules, list by list, as the model reads them.
pub fn show_defaults(out: &mut Out) -> Result<Exit, Failure> {
    let lists = [
        ("soft_deny", DefaultList::SoftDeny),
        ("allow", DefaultList::Allow),
        ("environment", DefaultList::Environment),
    ];
    for (name, list) in lists {
        out.line(format_args!("[{name}]"))?;
        out.line(defaults(list))?;
    }
    Ok(Exit::Done)
}

/// Lets the model review the user's own rules.
pub fn critique(args: &LintArgs, out: &mut Out) -> Result<Exit, Failure> {
    let judging = Judging::open(&args.standing, Recording::NotKept)?;
    if !has_rules(judging.settings()) {
        out.line("you have no rules of your own to review")?;
        return Ok(Exit::Done);
    }
    let model = named(judging.model())?;
    let (text, account) = model.critique(judging.settings()).map_err(Failure::said)?;
    out.line(harmless(text.trim_end()))?;
    tell_account(&account, out)?;
    Ok(Exit::Done)
}

fn has_rules(settings: &Settings) -> bool {
    let rules = &settings.rules;
    let lists = [
        &rules.hard_deny,
        &rules.soft_deny,
        &rules.allow,
        &rules.environment,
    ];
    lists.iter().any(|it| !it.is_empty())
}
