//! The command line, as clap reads it. `belay hook` never comes here.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::anchor::AnchorArgs;
use crate::asking::ClassifierArgs;
use crate::chosen::Chosen;
use crate::completions::{COMPLETIONS_AFTER, MAN_AFTER, ManArgs};
use crate::connect::ConnectArgs;
use crate::flagging::FlagsArgs;
use crate::fleet::FleetArgs;
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
Exit codes of `check`: 0 allow, 10 ask, 20 deny; 1 failure, 64 wrong usage.

  belay check -- 'rm -rf build'      the verdict for a shell command, and why
  belay config                       the settings in force, and who set them
  belay why                          the newest ask or deny, explained";

const CHECK_AFTER: &str = "\
Exit codes: 0 allow, 10 ask, 20 deny; 1 failure, 64 wrong usage.

  belay check -- 'git push --force origin main'
  belay check --json --tool Write --input '{\"file_path\": \"src/a.rs\", \"content\": \"\"}'
  belay check --jsonl < calls.jsonl > judgements.jsonl

A call as JSON: {\"tool\", \"input\", \"cwd\"?, \"project_root\"?, \"home\"?, \"id\"?, \"agent\"?, \"session\"?, \"headless\"?,
\"transcript\"?: [{\"role\", \"content\" or \"action\"}]}. Nothing is written to the journal without --record.";

const SERVE_AFTER: &str = "\
  belay serve --http &                     for `belay install claude-code --http`
  curl --unix-socket ~/.local/state/belay/daemon/socket http://belay/belay/hook/generic -d @call.json

POST /belay/hook/AGENT takes what `belay hook AGENT` takes on stdin and gives what it gives on stdout; the header
`belay-exit` is its exit code. A daemon that is gone, late, overloaded or broken refuses or does not answer; it never allows.";

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
        after_help = "Every failure (crash, time-out, unreadable input or settings, full disk) refuses the call in the agent's own form."
    )]
    Hook {
        /// The agent: claude-code, codex, gemini, copilot, qwen, opencode, cursor ...
        agent: String,
        #[command(flatten)]
        anchor: AnchorArgs,
    },
    /// Connect agents: show the exact change to their settings, then make it.
    #[command(
        after_help = "  belay install                 every agent on this machine\n  belay install claude-code     this one\n  belay install --print codex   only show the change"
    )]
    Install(ConnectArgs),
    /// Disconnect agents and put their settings back.
    Uninstall(ConnectArgs),
    /// Check that belay really blocks: what is registered, and a live proof with the client itself.
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
    /// Sit between an editor and an agent that speak the Agent Client Protocol.
    #[command(after_help = "  belay acp -- npx @zed-industries/claude-code-acp")]
    Acp(AcpArgs),
    /// Score belay on labelled calls: JSON lines of calls with `expect` and optionally `family`.
    #[command(
        after_help = "`expect` is allow, ask, deny or not_allow. Intervals are Wilson's, at 95 %."
    )]
    Eval(EvalArgs),
    /// Open the page: what happens now, why, the rules and what they would change, what keeps being asked, trends.
    #[command(
        after_help = "The page is served on 127.0.0.1 by the daemon, which is started if needed; the address opens it once.\nYou can look right away. To change something there, enter the code that `belay ui --code` prints."
    )]
    Ui(UiArgs),
    /// Show past verdicts, the newest last.
    Log(LogArgs),
    /// Explain one past verdict: the newest ask or deny, or the one named.
    Why(WhyArgs),
    /// Sum up past verdicts: questions, answers, tokens, money and time, by day, agent, project, rule and layer.
    Stats(StatsArgs),
    /// Show the settings in force and who set each; for errors, the place and a hint.
    #[command(
        after_help = "Sources, strongest first: /etc/belay/config.toml, ~/.config/belay/config.toml (or the file BELAY_CONFIG names), the project's .belay.toml, which may only tighten."
    )]
    Config(ConfigArgs),
    /// List the feature flags and which of them apply; `refresh` fetches them again.
    #[command(
        after_help = "A call never waits for the network: it uses the flags fetched last, until they are too old.\nFlags are called belay.thresholds.ask_at, belay.mode, belay.classifier.on_error, belay.rule.ID."
    )]
    Flags(FlagsArgs),
    /// Build, sign, check and fetch the policy of many machines as one signed file.
    Fleet(FleetArgs),
    /// List the rules that apply here, how belay reads each, and how often it was used lately.
    Rules(RulesArgs),
    /// Ask the model that the settings name.
    Classifier(ClassifierArgs),
    /// Run the `[[test]]` entries and rule examples of the settings; exits with 1 when one fails.
    Test(TestArgs),
    /// Judge recorded calls again and list those with a different verdict today.
    Replay(ReplayArgs),
    /// Print one line for an agent's status line: the mode, and the verdicts of this session.
    Statusline(AnchorArgs),
    /// Switch belay on, off, or to observing only; for people, not for agents.
    #[command(
        after_help = "  belay auto                    say what holds here\n  belay auto off --for 1h       in every project, for an hour\n  belay auto observe --here     in this project"
    )]
    Auto(AutoArgs),
    /// Show how much belay asks here, and which calls another profile would answer differently.
    Profile(ProfileArgs),
    /// Draft a knowledge file for a program that belay does not know, from its `--help`; for people, not for agents.
    #[command(
        after_help = "After you confirm, the program runs once with --help, in an empty folder, without environment or input. Nothing is\ntaken from the project, every flag stays unknown until you describe it, and the file applies to this exact program only."
    )]
    Learn(LearnArgs),
    /// Check your own knowledge files.
    Knowledge(KnowledgeArgs),
    /// Accept the lines of a project's settings that loosen belay; for people, not for agents.
    Trust(TrustArgs),
    /// Grant one exact effect for a while; for people, not for agents.
    #[command(
        after_help = "  belay allow 'rewrite origin topic' --for 30m\n  belay allow 7f3a1\n\nA grant applies in the folder it was given in, names effects exactly, and never allows what is always denied."
    )]
    Allow(AllowArgs),
    /// Show what you agreed to, by answering in a session or with `belay allow`, and revoke it.
    #[command(
        after_help = "  belay grants\n  belay grants --end y1a2b3c\n\nA yes applies to one agent, one session and one project, for at most 12 hours, and never lifts a deny."
    )]
    Grants(GrantsArgs),
    /// Restore what belay kept before a call removed it; for people, not for agents.
    #[command(
        after_help = "  belay undo --list              what is kept, and how old it is\n  belay undo 7f3 --dry-run       what would be restored\n  belay undo 7f3                 restore it; newer files are kept first\n  belay undo --last src/a.rs     one path only\n  belay undo 7f3 --into /tmp/x   somewhere else\n\nBefore a call destroys work of the project, that work is kept for 14 days; `[undo]` in the settings sets the limits."
    )]
    Undo(UndoArgs),
    /// Print the completions of a shell.
    #[command(after_help = COMPLETIONS_AFTER)]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page, of all or of one sub-command.
    #[command(after_help = MAN_AFTER)]
    Man(ManArgs),
}

impl Command {
    /// Tells whether the answer may be longer than a screen, and a person reads it.
    pub fn is_long(&self) -> bool {
        match self {
            Self::Log(args) => !args.follow,
            Self::Rules(args) => args.job.is_none(),
            Self::Config(_)
            | Self::Explain(_)
            | Self::Replay(_)
            | Self::Stats(_)
            | Self::Why(_) => true,
            Self::Check(_)
            | Self::Hook { .. }
            | Self::Install(_)
            | Self::Uninstall(_)
            | Self::Doctor(_)
            | Self::Serve(_)
            | Self::Mcp(_)
            | Self::Acp(_)
            | Self::Eval(_)
            | Self::Ui(_)
            | Self::Flags(_)
            | Self::Fleet(_)
            | Self::Classifier(_)
            | Self::Test(_)
            | Self::Statusline(_)
            | Self::Auto(_)
            | Self::Profile(_)
            | Self::Learn(_)
            | Self::Knowledge(_)
            | Self::Trust(_)
            | Self::Allow(_)
            | Self::Grants(_)
            | Self::Undo(_)
            | Self::Completions { .. }
            | Self::Man(_) => false,
        }
    }
}

/// Arguments of `belay config`.
#[derive(Args)]
pub struct ConfigArgs {
    /// Use this folder instead of the current one.
    #[arg(short = 'C', value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Show the settings in force; this is the default.
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

/// Where and how to judge.
#[derive(Args, Default)]
pub struct Standing {
    /// Judge as if in this folder.
    #[arg(short = 'C', value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Nobody can be asked: every ask becomes a deny.
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
    /// Exit with 1 when a verdict is not the expected one.
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
    /// Do not ask for confirmation.
    #[arg(long)]
    pub yes: bool,
    /// Show what was trusted, everywhere.
    #[arg(long, conflicts_with = "revoke")]
    pub list: bool,
    /// Revoke trust.
    #[arg(long)]
    pub revoke: bool,
}

/// Arguments of `belay allow`.
#[derive(Args)]
pub struct AllowArgs {
    /// The effects, each as its line: `rewrite origin topic`; or the id of a question, as it was shown.
    #[arg(value_name = "EFFECT or ID", required_unless_present_any = ["record", "list", "revoke"])]
    pub effects: Vec<String>,
    /// The folder in which it applies.
    #[arg(short = 'C', value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// How long: 90s, 30m, 2h, 1d.
    #[arg(long = "for", value_name = "TIME", value_parser = crate::allow::seconds)]
    pub lasting: Option<u64>,
    /// For this many calls.
    #[arg(long, value_name = "N")]
    pub uses: Option<u32>,
    /// For this session only.
    #[arg(long)]
    pub session: Option<String>,
    /// The effects of this record, as `belay log --json` and `belay why` name it.
    #[arg(long, value_name = "ID")]
    pub record: Option<String>,
    /// Do not ask for confirmation.
    #[arg(long)]
    pub yes: bool,
    /// Show what is granted.
    #[arg(long)]
    pub list: bool,
    /// Revoke a grant.
    #[arg(long, value_name = "ID")]
    pub revoke: Option<String>,
}

/// Arguments of `belay rules`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct RulesArgs {
    /// Something other than listing.
    #[command(subcommand)]
    pub job: Option<RulesJob>,
    /// Use this folder instead of the current one.
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
    /// List rules that are probably mistakes: duplicate, shadowed, contradictory, too broad.
    Lint(LintArgs),
    /// Suggest, from the journal, the narrowest rules that would settle repeated questions.
    Suggest(SuggestArgs),
    /// Let the model review your own rules: ambiguous, contradictory, never reached.
    Critique(LintArgs),
    /// Print the default rules that the model is given.
    Defaults,
    /// Print an agent's own permission rules as belay settings, and say what could not be translated.
    Import(ImportArgs),
}

/// Arguments of `belay rules import`.
#[derive(Args)]
pub struct ImportArgs {
    /// Whose rules.
    pub from: Origin,
    /// The agent's file, if it is not in the usual place.
    pub file: Option<PathBuf>,
}

/// Whose rules can be imported.
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
    /// Write one self-contained page with the plots of `belay stats --html`, for today's verdicts, to this file.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub html: Option<PathBuf>,
    /// Exit with 1 when a verdict would differ.
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
