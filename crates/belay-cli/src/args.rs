//! The command line, as clap reads it. `belay hook` never comes here.

use std::path::PathBuf;

use belay_journal::Record;
use belay_model::Verdict;
use clap::{Args, Parser, Subcommand};

/// Auto mode for any coding agent: every tool call is answered with allow, ask or deny, and a
/// reason a person can check.
#[derive(Parser)]
#[command(
    name = "belay",
    version,
    max_term_width = 100,
    arg_required_else_help = true
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What `belay` can do.
#[derive(Subcommand)]
pub enum Command {
    /// Show past verdicts, the newest last.
    Log(LogArgs),
    /// Explain one past verdict: the newest ask or deny, or the one named.
    Why(WhyArgs),
    /// Sum up past verdicts by layer, agent, tool and rule.
    Stats(StatsArgs),
    /// Show the settings in force, and who set each; with mistakes, their place and a hint.
    #[command(
        after_help = "Sources, strongest first: /etc/belay/config.toml, ~/.config/belay/config.toml (or the file BELAY_CONFIG names), the project's .belay.toml, which may only tighten."
    )]
    Config(ConfigArgs),
    /// Print the completions of a shell.
    #[command(
        after_help = "belay completions bash > ~/.local/share/bash-completion/completions/belay"
    )]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    #[command(after_help = "belay man > ~/.local/share/man/man1/belay.1")]
    Man,
}

/// Which records to look at.
#[derive(Args)]
pub struct Chosen {
    /// Only this verdict.
    #[arg(long, value_parser = verdict)]
    verdict: Option<Verdict>,
    /// Only this agent.
    #[arg(long)]
    agent: Option<String>,
    /// Only this session, by the beginning of its name.
    #[arg(long)]
    session: Option<String>,
    /// Only this tool.
    #[arg(long)]
    tool: Option<String>,
    /// Only records that have this text in their call, reason or effects.
    #[arg(long, value_name = "TEXT")]
    grep: Option<String>,
}

impl Chosen {
    /// Tells whether a record is one of those.
    pub fn wants(&self, record: &Record) -> bool {
        let call = &record.call;
        let session = call.session.as_deref().unwrap_or_default();
        self.verdict.is_none_or(|it| it == record.judgement.verdict)
            && self
                .agent
                .as_ref()
                .is_none_or(|it| Some(it) == call.agent.as_ref())
            && self
                .session
                .as_ref()
                .is_none_or(|it| session.starts_with(it.as_str()))
            && self.tool.as_ref().is_none_or(|it| *it == call.tool)
            && self
                .grep
                .as_ref()
                .is_none_or(|it| record.line().contains(it.as_str()))
    }
}

fn verdict(word: &str) -> Result<Verdict, String> {
    Verdict::from_word(word).ok_or_else(|| "a verdict is `allow`, `ask` or `deny`".to_owned())
}

/// Arguments of `belay log`.
#[derive(Args)]
pub struct LogArgs {
    /// How many.
    #[arg(short = 'n', long, default_value_t = 20)]
    pub number: usize,
    /// Print the records as JSON lines.
    #[arg(long)]
    pub json: bool,
    /// Which.
    #[command(flatten)]
    pub chosen: Chosen,
}

/// Arguments of `belay why`.
#[derive(Args)]
pub struct WhyArgs {
    /// The record's name or its beginning, or the call's own id.
    pub id: Option<String>,
    /// Print the record as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `belay stats`.
#[derive(Args)]
pub struct StatsArgs {
    /// Print the sums as JSON.
    #[arg(long)]
    pub json: bool,
    /// Which records.
    #[command(flatten)]
    pub chosen: Chosen,
}

/// Arguments of `belay config`.
#[derive(Args)]
pub struct ConfigArgs {
    /// Look from this folder.
    #[arg(short = 'C', value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Show the settings in force: this is what happens without an option.
    #[arg(long)]
    pub effective: bool,
    /// Print the commented default file: every key, what it means, and its default.
    #[arg(long, conflicts_with_all = ["effective", "json"])]
    pub default: bool,
    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
}
