//! The settings in force, as plain values.

use std::sync::Arc;

use belay_knowledge::Knowledge;
use belay_model::{Band, Risk, Thresholds, Verdict};

use crate::choices::{Asking, FlagProvider, Mode, Privacy, Profile, Provider, Refusal};
use crate::exact::ExactRule;
use crate::fleet::{Fleet, Staged};
use crate::ship::{Page, Ship};
use crate::{Origin, Source};

/// One line of a list, with its origin.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Line {
    /// The text as written.
    pub text: String,
    /// Where it was written.
    pub origin: Origin,
}

/// One line of `[rules]`: prose or a command.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct RuleText {
    /// The text as written.
    pub text: String,
    /// Where it was written.
    pub origin: Origin,
    /// Tells whether the model may see it. What a project wrote, and nobody trusted yet, never
    /// reaches the model: a repository must not argue with its judge.
    pub for_model: bool,
}

/// The four lists of `[rules]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Never, whatever anybody says.
    pub hard_deny: Vec<RuleText>,
    /// Not unless the user asked for it in their own words.
    pub soft_deny: Vec<RuleText>,
    /// Trusted and frequent.
    pub allow: Vec<RuleText>,
    /// Facts for the model; no rules.
    pub environment: Vec<RuleText>,
    /// Which lists still hold our own default rules: a written list replaces them unless it says
    /// `"$defaults"`.
    pub defaults: DefaultRules,
}

/// Tells for each list of `[rules]` whether our default rules are part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefaultRules {
    /// For `soft_deny`.
    pub soft_deny: bool,
    /// For `allow`.
    pub allow: bool,
    /// For `environment`.
    pub environment: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            hard_deny: Vec::new(),
            soft_deny: Vec::new(),
            allow: Vec::new(),
            environment: Vec::new(),
            defaults: DefaultRules {
                soft_deny: true,
                allow: true,
                environment: true,
            },
        }
    }
}

/// `[paths]`: globs over normalised paths, for every tool and every effect.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PathLists {
    /// May be touched.
    pub allow: Vec<Line>,
    /// A person decides.
    pub ask: Vec<Line>,
    /// Must not be touched.
    pub deny: Vec<Line>,
}

/// `[allowlist]`: tools that only look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowlist {
    /// Tools added to ours, unconditionally.
    pub tools: Vec<Line>,
    /// Tells whether our own list counts.
    pub builtin: bool,
    /// Tells whether tools that read files step aside for credential stores.
    pub guard_credentials: bool,
}

impl Default for Allowlist {
    fn default() -> Self {
        Self {
            tools: Vec::new(),
            builtin: true,
            guard_credentials: true,
        }
    }
}

/// `[words]`: what people say in their own words, each as `class: words`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Words {
    /// What forbids an act.
    pub forbid: Vec<Line>,
    /// What lets an act through.
    pub grant: Vec<Line>,
}

/// One line of `[tools]`: the base risk of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolRisk {
    /// The tool, as its agent spells it; a glob.
    pub tool: String,
    /// The least risk of its calls.
    pub risk: Risk,
    /// Where it was written.
    pub origin: Origin,
}

/// One line of `[projects]`: the mode in one project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectMode {
    /// The project's folder.
    pub folder: String,
    /// The mode there.
    pub mode: Mode,
    /// Where it was written.
    pub origin: Origin,
}

/// `[places]`: folders and files with a standing of their own.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PlaceLists {
    /// Treated as if they governed the agent: edits leave the fast path.
    pub protected: Vec<Line>,
    /// Treated like the project.
    pub trusted: Vec<Line>,
}

/// One provider of a model and how to reach it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Endpoint {
    /// Who serves the model.
    pub provider: Provider,
    /// The model's name; none: the provider's default.
    pub model: Option<String>,
    /// Where; none: the provider's own address.
    pub base_url: Option<String>,
    /// The environment variable with the key.
    pub api_key_env: Option<String>,
    /// The program that prints the key, with its arguments.
    pub api_key_command: Vec<Line>,
    /// The file with the key.
    pub api_key_file: Option<String>,
    /// How long one question may take; none: the classifier's own.
    pub timeout_ms: Option<u64>,
}

/// `[classifier]`: who is asked what is still open, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Classifier {
    /// Whom to ask first.
    pub endpoint: Endpoint,
    /// Whom to ask next, in order.
    pub fallback: Vec<Endpoint>,
    /// How.
    pub mode: Asking,
    /// How long everything together may take.
    pub timeout_ms: u64,
    /// How often one provider is tried again.
    pub retries: u64,
    /// The longest answer.
    pub max_tokens: u64,
    /// How many entries of the conversation it sees.
    pub transcript_entries: u64,
    /// How much of each.
    pub transcript_chars: u64,
    /// What an error means.
    pub on_error: Refusal,
    /// What the model's "block" means.
    pub block_means: Refusal,
    /// Where full requests and replies are written.
    pub dump_dir: Option<String>,
    /// What it gets to see.
    pub privacy: Privacy,
    /// How long a verdict is remembered; 0: not at all.
    pub cache_seconds: u64,
    /// How many questions may be open at once.
    pub concurrent: u64,
    /// The most to spend in a day.
    pub spend_usd_per_day: Option<f64>,
    /// The most to spend in a session.
    pub spend_usd_per_session: Option<f64>,
    /// The price of a million tokens read, where ours is not known.
    pub price_input_usd: Option<f64>,
    /// The price of a million tokens written, where ours is not known.
    pub price_output_usd: Option<f64>,
}

impl Default for Classifier {
    fn default() -> Self {
        Self {
            endpoint: Endpoint::default(),
            fallback: Vec::new(),
            mode: Asking::Single,
            timeout_ms: 8000,
            retries: 2,
            max_tokens: 256,
            transcript_entries: 20,
            transcript_chars: 200,
            on_error: Refusal::Ask,
            block_means: Refusal::Deny,
            dump_dir: None,
            privacy: Privacy::Full,
            cache_seconds: 86_400,
            concurrent: 4,
            spend_usd_per_day: None,
            spend_usd_per_session: None,
            price_input_usd: None,
            price_output_usd: None,
        }
    }
}

/// `[journal]`: what is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal {
    /// Where; none: the state folder.
    pub dir: Option<String>,
    /// Tells whether secrets are taken out of records.
    pub redact: bool,
    /// How long records are kept; 0: for ever.
    pub keep_days: u64,
}

impl Default for Journal {
    fn default() -> Self {
        Self {
            dir: None,
            redact: true,
            keep_days: 0,
        }
    }
}

/// `[breaker]`: when an agent runs against the wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breaker {
    /// So many denials in a row.
    pub in_a_row: u64,
    /// So many denials in a session.
    pub in_a_session: u64,
    /// What then holds where nobody can be asked.
    pub headless: Refusal,
}

impl Default for Breaker {
    fn default() -> Self {
        Self {
            in_a_row: 3,
            in_a_session: 20,
            headless: Refusal::Deny,
        }
    }
}

/// `[undo]`: what is kept before it would be lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undo {
    /// Whether anything is.
    pub keep: bool,
    /// Bytes before one call.
    pub max_bytes: u64,
    /// Files before one call.
    pub max_files: u64,
    /// How long it may take.
    pub max_ms: u64,
    /// Nothing younger is thrown away.
    pub keep_days: u64,
    /// Bytes in all.
    pub max_total_bytes: u64,
}

impl Default for Undo {
    fn default() -> Self {
        Self {
            keep: true,
            max_bytes: 256 << 20,
            max_files: 20_000,
            max_ms: 300,
            keep_days: 14,
            max_total_bytes: 4 << 30,
        }
    }
}

/// `[deadline]`: how long we may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// Without a model.
    pub static_ms: u64,
    /// With everything.
    pub total_ms: u64,
}

impl Default for Deadline {
    fn default() -> Self {
        Self {
            static_ms: 2000,
            total_ms: 15_000,
        }
    }
}

/// `[flags]`: who may move thresholds at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flags {
    /// Who serves the flags.
    pub provider: FlagProvider,
    /// Where.
    pub url: Option<String>,
    /// The environment variable with the key.
    pub key_env: Option<String>,
    /// How often the daemon asks.
    pub refresh_seconds: u64,
    /// How long the last good answer counts.
    pub stale_seconds: u64,
    /// To which modes a flag may switch.
    pub modes: Vec<Line>,
    /// What rules of the flags may look at, each as `name=value`.
    pub attributes: Vec<Line>,
}

impl Default for Flags {
    fn default() -> Self {
        Self {
            provider: FlagProvider::None,
            url: None,
            key_env: None,
            refresh_seconds: 300,
            stale_seconds: 86_400,
            modes: Vec::new(),
            attributes: Vec::new(),
        }
    }
}

/// One `[[test]]`: a call and the verdict it must get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCase {
    /// What is called.
    pub call: TestCall,
    /// The verdict.
    pub verdict: Verdict,
    /// Tells that nobody can be asked.
    pub headless: bool,
    /// Where it was written.
    pub origin: Origin,
}

/// What a `[[test]]` calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestCall {
    /// A shell command.
    Command(String),
    /// A tool, with its input as JSON text.
    Tool {
        /// The tool.
        tool: String,
        /// Its input.
        input: String,
    },
}

/// The settings in force.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Settings {
    /// What the gate does with its verdicts.
    pub mode: Mode,
    /// How much is asked.
    pub profile: Profile,
    /// Tells that nobody can be asked, whatever the call says.
    pub headless: bool,
    /// What parts the bands.
    pub thresholds: Thresholds,
    /// Rules as prose and commands.
    pub rules: Rules,
    /// The `[[rule]]` tables.
    pub exact: Vec<ExactRule>,
    /// Rules that a feature flag has switched off, by their id.
    pub off: Vec<Line>,
    /// Lists by place and extension.
    pub paths: PathLists,
    /// Tools that only look.
    pub allowlist: Allowlist,
    /// Base risks of tools.
    pub tools: Vec<ToolRisk>,
    /// Folders that count as the project, beside those the agent reports.
    pub roots: Vec<Line>,
    /// The mode in single projects.
    pub projects: Vec<ProjectMode>,
    /// Places with a standing of their own.
    pub places: PlaceLists,
    /// Hosts that count as known.
    pub trusted_hosts: Vec<Line>,
    /// Who is asked what is still open.
    pub classifier: Classifier,
    /// What is kept.
    pub journal: Journal,
    /// When an agent runs against the wall.
    pub breaker: Breaker,
    /// What is kept before it would be lost.
    pub undo: Undo,
    /// How long we may take.
    pub deadline: Deadline,
    /// Who may move thresholds at run time.
    pub flags: Flags,
    /// Whose signed policy holds.
    pub fleet: Fleet,
    /// What holds for stages of that policy that are not enforced.
    pub staged: Staged,
    /// What that policy says of commands and tools that we do not know, one layer for each rule set.
    pub taught: Vec<Arc<Knowledge>>,
    /// Who collects the records.
    pub ship: Ship,
    /// What the page shows besides this machine.
    pub page: Page,
    /// Phrases that let through and forbid, besides ours.
    pub words: Words,
    /// The settings' own tests.
    pub tests: Vec<TestCase>,
    /// Who set each single value that is not ours; see [`Settings::origin`].
    pub(crate) origins: Vec<(&'static str, Origin)>,
}

impl Settings {
    /// Returns where the value of a key comes from.
    #[must_use]
    pub fn origin(&self, key: &str) -> Origin {
        let found = self.origins.iter().find(|(name, _)| *name == key);
        found.map(|(_, origin)| origin.clone()).unwrap_or_default()
    }

    pub(crate) fn source(&self, key: &str) -> Source {
        let found = self.origins.iter().find(|(name, _)| *name == key);
        found.map(|(_, origin)| origin.source).unwrap_or_default()
    }

    pub(crate) fn set_origin(&mut self, key: &'static str, origin: Origin) {
        self.origins.retain(|(name, _)| *name != key);
        self.origins.push((key, origin));
    }

    /// Returns the least risk of a tool's calls: what the settings say in place of the usual one. The
    /// last line wins; a project's line can only raise, and only to unsure: see
    /// [`Settings::raised_tool`].
    #[must_use]
    pub fn tool_risk(&self, tool: &str, usual: Risk) -> Risk {
        let ours = self.named(tool).rfind(|it| !by_project(it));
        let unsure = |it: &Risk| self.thresholds.band(*it) <= Band::Unsure;
        let raised = self.named(tool).filter(by_project).map(|it| it.risk);
        let raised = raised.filter(unsure).max().unwrap_or(Risk::NONE);
        ours.map_or(usual, |it| it.risk).max(raised)
    }

    /// Returns the line of a project that gives a tool a risk to ask about or deny. It counts as a hard
    /// rule: were it a risk, a call would pass by the model that might have denied it.
    #[must_use]
    pub fn raised_tool(&self, tool: &str) -> Option<&ToolRisk> {
        let hard = |it: &&ToolRisk| self.thresholds.band(it.risk) > Band::Unsure;
        let raised = self.named(tool).filter(by_project).filter(hard);
        raised.max_by_key(|it| it.risk)
    }

    fn named<'s>(&'s self, tool: &str) -> impl DoubleEndedIterator<Item = &'s ToolRisk> {
        let matching = move |it: &&ToolRisk| crate::glob::name_matches(&it.tool, tool);
        self.tools.iter().filter(matching)
    }
}

fn by_project(line: &&ToolRisk) -> bool {
    line.origin.source == Source::Project
}
