//! The command line, as clap reads it. `belay hook` never comes here.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::anchor::AnchorArgs;
use crate::asking::ClassifierArgs;
use crate::chosen::Chosen;
use crate::connect::ConnectArgs;
use crate::flagging::FlagsArgs;
use crate::grants::GrantsArgs;
use crate::knowing::KnowledgeArgs;
use crate::learn::LearnArgs;
use crate::lint::LintArgs;
use crate::log::{LogArgs, WhyArgs};
use crate::profile::ProfileArgs;
use crate::serve::ServeArgs;
use crate::stats::StatsArgs;
use crate::suggest::SuggestArgs;
use crate::switch::AutoArgs;
use crate::ui::UiArgs;
use crate::undo::UndoArgs;

/// Auto mode for any coding agent: every tool call is answered with allow, ask or deny, and a
/// reason a person can check.
#[derive(Parser)]
#[command(
    name = "belay",
    after_help = AFTER,
    version,
    max_term_width = 100,
    arg_required_else_help = true
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const AFTER: &str = "\
Exit codes of `check`: 0 allow, 10 ask, 20 deny; 1 it failed, 64 the arguments make no sense.

  belay check -- 'rm -rf build'      what would be said to a shell command, and why
  belay config                       the settings in force, and who set them
  belay why                          the newest ask or deny, explained";

const CHECK_AFTER: &str = "\
Exit codes: 0 allow, 10 ask, 20 deny; 1 it failed, 64 the arguments make no sense.

  belay check -- 'git push --force origin main'
  belay check --json --tool Write --input '{\"file_path\": \"src/a.rs\", \"content\": \"\"}'
  belay check --jsonl < calls.jsonl > judgements.jsonl

A call as JSON: {\"tool\", \"input\", \"cwd\"?, \"project_root\"?, \"home\"?, \"id\"?, \"agent\"?, \"session\"?, \"headless\"?,
\"transcript\"?: [{\"role\", \"content\" or \"action\"}]}. Nothing is written to the journal unless --record says so.";

const SERVE_AFTER: &str = "\
  belay serve --http &                     for `belay install claude-code --http`
  curl --unix-socket ~/.local/state/belay/daemon/socket http://belay/belay/hook/generic -d @call.json

POST /belay/hook/AGENT takes what `belay hook AGENT` takes on stdin and gives what it gives on stdout; the header
`belay-exit` is its exit code. A daemon that is gone, late, full or broken refuses or is no answer, never an allow.";

/// What `belay` can do.
#[derive(Subcommand)]
pub enum Command {
    /// Judge a shell command, a tool call, or a stream of calls; nothing is run.
    #[command(after_help = CHECK_AFTER)]
    Check(CheckArgs),
    /// Explain a verdict: each effect underlined in the command, its scope, rule and risk, and what would change it.
    Explain(ExplainArgs),
    /// Speak an agent's own protocol on stdin and stdout; agents call this.
    #[command(
        after_help = "Every accident (crash, late, unreadable input or settings, full disk) ends in the agent's refusing form."
    )]
    Hook {
        /// The agent: claude-code, codex, gemini, copilot, qwen, opencode, cursor ...
        agent: String,
        #[command(flatten)]
        anchor: AnchorArgs,
    },
    /// Connect agents: show the exact change of their settings, then make it.
    #[command(
        after_help = "  belay install                 every agent that is found\n  belay install claude-code     this one\n  belay install --print codex   only show the change"
    )]
    Install(ConnectArgs),
    /// Disconnect agents and put their settings back.
    Uninstall(ConnectArgs),
    /// Show whether the gate really bites: what is registered, and a live proof with the client itself.
    #[command(
        after_help = "The proof runs your own client in an empty home against a scripted model on this machine; no account is used.\n`--print` leaves it out."
    )]
    Doctor(ConnectArgs),
    /// Answer hooks as a daemon: on a private socket and, with --http, on 127.0.0.1.
    #[command(after_help = SERVE_AFTER)]
    Serve(ServeArgs),
    /// Answer Claude Code's permission prompts as an MCP server on stdin and stdout.
    #[command(
        after_help = "claude -p --mcp-config '{\"mcpServers\":{\"belay\":{\"command\":\"belay\",\"args\":[\"mcp\"]}}}' --permission-prompt-tool mcp__belay__approve"
    )]
    Mcp(AnchorArgs),
    /// Stand between an editor and an agent that speak the Agent Client Protocol.
    #[command(after_help = "  belay acp -- npx @zed-industries/claude-code-acp")]
    Acp(AcpArgs),
    /// Score the gate on labelled calls: JSON lines of calls with `expect` and maybe `family`.
    #[command(
        after_help = "`expect` is allow, ask, deny or not_allow. Intervals are Wilson's, at 95 %."
    )]
    Eval(EvalArgs),
    /// Open the page: what happens now, why, the rules and what they would change, what keeps being asked, trends.
    #[command(
        after_help = "The page is served on 127.0.0.1 by the daemon, which is started if needed; the address opens it once.\nLooking needs nothing else. To change something there, type the code of `belay ui --code`."
    )]
    Ui(UiArgs),
    /// Show past verdicts, the newest last.
    Log(LogArgs),
    /// Explain one past verdict: the newest ask or deny, or the one named.
    Why(WhyArgs),
    /// Sum up past verdicts: questions, answers, tokens, money and time, by day, agent, project, rule and layer.
    Stats(StatsArgs),
    /// Show the settings in force, and who set each; with mistakes, their place and a hint.
    #[command(
        after_help = "Sources, strongest first: /etc/belay/config.toml, ~/.config/belay/config.toml (or the file BELAY_CONFIG names), the project's .belay.toml, which may only tighten."
    )]
    Config(ConfigArgs),
    /// List the feature flags that are kept, and which of them count; `refresh` asks for them anew.
    #[command(
        after_help = "A call never waits for the network: it uses the flags that are kept, until they are too old.\nFlags are called belay.thresholds.ask_at, belay.mode, belay.classifier.on_error, belay.rule.ID."
    )]
    Flags(FlagsArgs),
    /// List the rules that count here, how each was understood, and how often it spoke lately.
    Rules(RulesArgs),
    /// Ask the model that the settings name.
    Classifier(ClassifierArgs),
    /// Run the `[[test]]` entries and rule examples of the settings; ends with 1 when one fails.
    Test(TestArgs),
    /// Judge recorded calls anew and list those whose verdict would be another today.
    Replay(ReplayArgs),
    /// Print one line for an agent's bar: the mode, and what was said in this session.
    Statusline(AnchorArgs),
    /// Switch the gate on, off, or to watching only; for people, not for agents.
    #[command(
        after_help = "  belay auto                    say what holds here\n  belay auto off --for 1h       in every project, for an hour\n  belay auto observe --here     in this project"
    )]
    Auto(AutoArgs),
    /// Show how much is asked here, and which calls another profile would answer otherwise.
    Profile(ProfileArgs),
    /// Draft a knowledge file for a program that nobody described, from its `--help`; for people, not for agents.
    #[command(
        after_help = "The program is run once, with --help, after your yes: in an empty folder, without environment and input. Nothing is\ntaken from the project, every flag stays unknown until you say what it does, and the file counts for this very program only."
    )]
    Learn(LearnArgs),
    /// Check knowledge files of your own.
    Knowledge(KnowledgeArgs),
    /// Accept the lines of a project's settings that loosen the gate; for people, not for agents.
    Trust(TrustArgs),
    /// Grant one exact effect for a while; for people, not for agents.
    #[command(
        after_help = "  belay allow 'rewrite origin topic' --for 30m\n  belay allow 7f3a1\n\nA grant counts in the folder it was given in, names effects exactly, and never lifts the floor."
    )]
    Allow(AllowArgs),
    /// Show what was agreed to, by answering in a session or by `belay allow`, and end it.
    #[command(
        after_help = "  belay grants\n  belay grants --end y1a2b3c\n\nA yes counts for one agent, one session and one project, at most 12 hours, and never lifts a deny."
    )]
    Grants(GrantsArgs),
    /// Give back what was kept before a call took it away; for people, not for agents.
    #[command(
        after_help = "  belay undo --list              what is kept, and since when\n  belay undo 7f3 --dry-run       what would be restored\n  belay undo 7f3                 restore it; what is newer is kept first\n  belay undo --last src/a.rs     one path only\n  belay undo 7f3 --into /tmp/x   somewhere else\n\nBefore a call loses work of the project, that work is kept for 14 days; `[undo]` in the settings says how much."
    )]
    Undo(UndoArgs),
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
    /// Print the JSON Schema of settings files, for editors.
    #[arg(long, conflicts_with_all = ["effective", "default"])]
    pub schema: bool,
    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
}

/// From where, and how, is judged.
#[derive(Args, Default)]
pub struct Standing {
    /// Judge as if in this folder.
    #[arg(short = 'C', value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Nobody can be asked: what would be ask is deny.
    #[arg(long)]
    pub headless: bool,
    /// Never ask a model.
    #[arg(long = "static")]
    pub without_model: bool,
    /// Write every request to a model and its reply into this folder, redacted.
    #[arg(long, value_name = "DIR")]
    pub dump: Option<PathBuf>,
    /// Set a key of the settings for this run.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub overrides: Vec<(String, String)>,
}

fn key_value(text: &str) -> Result<(String, String), String> {
    let (key, value) = text
        .split_once('=')
        .ok_or("write KEY=VALUE, such as thresholds.ask_at=50")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

/// Arguments of `belay check`.
#[derive(Args)]
pub struct CheckArgs {
    /// From where, and how.
    #[command(flatten)]
    pub standing: Standing,
    /// Print the judgement as JSON.
    #[arg(long)]
    pub json: bool,
    /// Read calls as JSON lines and answer each with a line, in the same order.
    #[arg(long)]
    pub jsonl: bool,
    /// Keep a record of every answer in the journal, as the hook does.
    #[arg(long)]
    pub record: bool,
    /// The tool of the call.
    #[arg(long, value_name = "NAME", requires = "input")]
    pub tool: Option<String>,
    /// The input of the tool, as JSON.
    #[arg(long, value_name = "JSON", requires = "tool")]
    pub input: Option<String>,
    /// The shell command: one argument is its text, several are its words, `-` reads stdin.
    #[arg(value_name = "COMMAND", trailing_var_arg = true)]
    pub command: Vec<String>,
}

/// Arguments of `belay eval`.
#[derive(Args)]
pub struct EvalArgs {
    /// From where, and how.
    #[command(flatten)]
    pub standing: Standing,
    /// The labelled files.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Print the scores as JSON.
    #[arg(long)]
    pub json: bool,
    /// End with 1 when a verdict is not the expected one.
    #[arg(long)]
    pub strict: bool,
    /// How many misses to list.
    #[arg(long, default_value_t = 50, value_name = "N")]
    pub misses: usize,
}

/// Arguments of `belay trust`.
#[derive(Args)]
pub struct TrustArgs {
    /// The project's folder.
    #[arg(short = 'C', value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Do not ask.
    #[arg(long)]
    pub yes: bool,
    /// Show what was trusted, everywhere.
    #[arg(long, conflicts_with = "revoke")]
    pub list: bool,
    /// Take trust back.
    #[arg(long)]
    pub revoke: bool,
}

/// Arguments of `belay allow`.
#[derive(Args)]
pub struct AllowArgs {
    /// The effects, each as its line: `rewrite origin topic`; or the id of a question, as it was shown.
    #[arg(value_name = "EFFECT or ID", required_unless_present_any = ["record", "list", "revoke"])]
    pub effects: Vec<String>,
    /// The folder in which it counts.
    #[arg(short = 'C', value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// How long: 90s, 30m, 2h, 1d.
    #[arg(long = "for", value_name = "TIME", value_parser = crate::allow::seconds)]
    pub lasting: Option<u64>,
    /// For so many calls.
    #[arg(long, value_name = "N")]
    pub uses: Option<u32>,
    /// For this session only.
    #[arg(long)]
    pub session: Option<String>,
    /// The effects of this record, as `belay log --json` and `belay why` name it.
    #[arg(long, value_name = "ID")]
    pub record: Option<String>,
    /// Do not ask.
    #[arg(long)]
    pub yes: bool,
    /// Show what is granted.
    #[arg(long)]
    pub list: bool,
    /// Take a grant back.
    #[arg(long, value_name = "ID")]
    pub revoke: Option<String>,
}

/// Arguments of `belay rules`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct RulesArgs {
    /// Another job than listing.
    #[command(subcommand)]
    pub job: Option<RulesJob>,
    /// Look from this folder.
    #[arg(short = 'C', value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// List the built-in policy too.
    #[arg(long)]
    pub policy: bool,
    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `belay test`.
#[derive(Args)]
pub struct TestArgs {
    /// From where, and how.
    #[command(flatten)]
    pub standing: Standing,
    /// Run the `[[test]]` entries and examples of this file, in place of your own settings.
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// Arguments of `belay explain`.
#[derive(Args)]
pub struct ExplainArgs {
    /// From where, and how.
    #[command(flatten)]
    pub standing: Standing,
    /// Print judgement and findings as JSON.
    #[arg(long)]
    pub json: bool,
    /// The shell command: one argument is its text, several are its words, `-` reads stdin.
    #[arg(value_name = "COMMAND", required = true, trailing_var_arg = true)]
    pub command: Vec<String>,
}

/// What else can be done with rules.
#[derive(Subcommand)]
pub enum RulesJob {
    /// List rules that are hardly meant: doubled, shadowed, contradicting, too broad.
    Lint(LintArgs),
    /// From the journal, the narrowest rules that would settle what keeps being asked.
    Suggest(SuggestArgs),
    /// Let the model review your own rules: ambiguous, contradicting, never reached.
    Critique(LintArgs),
    /// Print the default rules that the model is given.
    Defaults,
    /// Turn an agent's own permission rules into settings of ours, printed; what is left is said.
    Import(ImportArgs),
}

/// Arguments of `belay rules import`.
#[derive(Args)]
pub struct ImportArgs {
    /// Whose rules.
    pub from: Origin,
    /// The agent's file, where it is not the usual one.
    pub file: Option<PathBuf>,
}

/// Whose rules can be taken over.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Origin {
    /// Claude Code's `settings.json`.
    Claude,
    /// Codex's prefix rules.
    Codex,
    /// Gemini CLI's policy file.
    Gemini,
}

/// Arguments of `belay replay`.
#[derive(Args)]
pub struct ReplayArgs {
    /// From where, and how.
    #[command(flatten)]
    pub standing: Standing,
    /// How many records, the newest.
    #[arg(short = 'n', long, default_value_t = 1000)]
    pub number: usize,
    /// Which.
    #[command(flatten)]
    pub chosen: Chosen,
    /// Print the changes as JSON lines.
    #[arg(long)]
    pub json: bool,
    /// Write one page with the plots of `belay stats --html`, of the verdicts of today, to this file; it needs nothing else.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub html: Option<PathBuf>,
    /// End with 1 when a verdict would be another.
    #[arg(long)]
    pub strict: bool,
}

/// Arguments of `belay acp`.
#[derive(Args)]
pub struct AcpArgs {
    #[command(flatten)]
    pub anchor: AnchorArgs,
    /// The agent to start, with its arguments.
    #[arg(
        value_name = "AGENT",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub agent: Vec<String>,
}
