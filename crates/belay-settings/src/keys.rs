//! Every key there is: its kind, what a project may do with it, and whether a flag may move it.
//! Reading, checking, merging, showing and the JSON Schema all follow this table.

use crate::choices::{
    Asking, Choice, FlagProvider, Mode, Privacy, Profile, Provider, Refusal, ShipPrivacy,
};
use crate::settings::{Line, RuleText, Settings};

/// What belongs under a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One of a few words.
    Words(&'static [&'static str]),
    /// A whole number.
    Number {
        /// The smallest.
        least: u64,
        /// The greatest.
        most: u64,
    },
    /// A number of dollars.
    Decimal,
    /// `true` or `false`.
    YesNo,
    /// One text.
    Text,
    /// A list of texts.
    Lines(LineKind),
}

/// What the texts of a list are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Prose or a command.
    Rule,
    /// A glob over paths.
    Glob,
    /// Anything: names, folders, hosts, arguments.
    Plain,
    /// Some of a few words.
    Words(&'static [&'static str]),
    /// A class of acts and a phrase that speaks of it.
    Phrase(belay_words::Kind),
}

/// What a project's file may do with a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InProject {
    /// Nothing: it is not read, trusted or not.
    Never,
    /// Nothing until a person trusts the line.
    Waits,
    /// Its lines are added at once: more of them is stricter.
    Adds,
    /// A smaller number counts at once; a greater one waits.
    Lowers,
    /// This value counts at once; the other one is not read.
    Only(bool),
    /// A stricter profile counts at once; another one is not read.
    Stricter,
}

/// One key of the settings.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name, with its table.
    pub name: &'static str,
    /// What belongs there.
    pub kind: Kind,
    /// What a project's file may do with it.
    pub project: InProject,
    /// Tells whether a feature flag may move it, within bounds.
    pub flag: bool,
    /// What it is, one sentence.
    pub about: &'static str,
    pub(crate) slot: fn(&mut Settings) -> Slot<'_>,
}

/// The place of a value in the settings.
pub(crate) enum Slot<'a> {
    Word(&'a mut dyn Choice),
    Byte(&'a mut u8),
    Number(&'a mut u64),
    Decimal(&'a mut Option<f64>),
    YesNo(&'a mut bool),
    Text(&'a mut Option<String>),
    Lines(&'a mut Vec<Line>),
    Rules(&'a mut Vec<RuleText>, Option<&'a mut bool>),
}

/// Returns the key of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|it| it.name == name)
}

/// What only the machine's owner says: who could name a key could be the signer.
const MANAGED_ONLY: &[&str] = &[
    "fleet.url",
    "fleet.keys",
    "fleet.token_env",
    "fleet.team",
    "fleet.may_loosen",
    "fleet.refresh_seconds",
];

/// Tells whether only the managed file sets a key.
pub(crate) fn is_managed_only(name: &str) -> bool {
    MANAGED_ONLY.contains(&name)
}

/// The tables that are not made of keys, and what stands in them.
pub(crate) const OTHER_TABLES: &[&str] = &["rule", "test", "tools", "projects"];

/// Returns the names that may stand at the top of a file.
pub(crate) fn top_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = KEYS.iter().map(|it| head(it.name)).collect();
    names.extend(OTHER_TABLES);
    names.dedup();
    names
}

/// Returns the names that may stand in a table.
pub(crate) fn names_in(table: &str) -> Vec<&'static str> {
    let inside = |it: &'static Key| it.name.strip_prefix(table)?.strip_prefix('.');
    let mut names: Vec<&str> = KEYS.iter().filter_map(inside).collect();
    if table == "classifier" {
        names.push("fallback");
    }
    names
}

fn head(name: &'static str) -> &'static str {
    name.split('.').next().unwrap_or(name)
}

const PERCENT: Kind = Kind::Number {
    least: 0,
    most: 100,
};
const RULES: Kind = Kind::Lines(LineKind::Rule);
const GLOBS: Kind = Kind::Lines(LineKind::Glob);
const PLAIN: Kind = Kind::Lines(LineKind::Plain);

const fn up_to(most: u64) -> Kind {
    Kind::Number { least: 0, most }
}

const fn from_one_to(most: u64) -> Kind {
    Kind::Number { least: 1, most }
}

macro_rules! keys {
    ($($name:literal $kind:expr, $project:expr, $flag:literal, $about:literal, |$s:ident| $slot:expr;)*) => {
        /// Every key, in the order of the default file.
        pub const KEYS: &[Key] = &[$(Key {
            name: $name, kind: $kind, project: $project, flag: $flag, about: $about, slot: |$s| $slot,
        },)*];
    };
}

use InProject::{Adds, Lowers, Never, Only, Stricter, Waits};

keys! {
    "mode" Kind::Words(Mode::WORDS), Never, true, "Judge and answer (`auto`), only judge and record (`observe`), or have no opinion (`off`).", |s| Slot::Word(&mut s.mode);
    "profile" Kind::Words(Profile::WORDS), Stricter, false, "How often belay asks: `careful`, `balanced` or `bold`; no profile allows what is denied.", |s| Slot::Word(&mut s.profile);
    "headless" Kind::YesNo, Only(true), false, "Nobody can be asked: every ask becomes a deny.", |s| Slot::YesNo(&mut s.headless);
    "thresholds.unsure_at" PERCENT, Lowers, true, "From this risk up a model decides; below it, the call is allowed.", |s| Slot::Byte(&mut s.thresholds.unsure_at);
    "thresholds.ask_at" PERCENT, Waits, true, "From this risk up a person decides.", |s| Slot::Byte(&mut s.thresholds.ask_at);
    "thresholds.deny_at" PERCENT, Lowers, true, "From this risk up the call is denied.", |s| Slot::Byte(&mut s.thresholds.deny_at);
    "rules.hard_deny" RULES, Adds, false, "Never, under any circumstances.", |s| Slot::Rules(&mut s.rules.hard_deny, None);
    "rules.soft_deny" RULES, Adds, false, "Not unless the user asked for it in their own words.", |s| Slot::Rules(&mut s.rules.soft_deny, Some(&mut s.rules.defaults.soft_deny));
    "rules.allow" RULES, Waits, false, "Trusted, everyday work.", |s| Slot::Rules(&mut s.rules.allow, Some(&mut s.rules.defaults.allow));
    "rules.environment" RULES, Waits, false, "Facts for the model, not rules.", |s| Slot::Rules(&mut s.rules.environment, Some(&mut s.rules.defaults.environment));
    "words.forbid" Kind::Lines(LineKind::Phrase(belay_words::Kind::Limit)), Adds, false, "Words of a person that forbid an act, each as `class: words`.", |s| Slot::Lines(&mut s.words.forbid);
    "words.grant" Kind::Lines(LineKind::Phrase(belay_words::Kind::Grant)), Never, false, "Words of a person that let an act through, each as `class: words`.", |s| Slot::Lines(&mut s.words.grant);
    "paths.allow" GLOBS, Waits, false, "Paths that may be touched.", |s| Slot::Lines(&mut s.paths.allow);
    "paths.ask" GLOBS, Adds, false, "Paths a person decides on.", |s| Slot::Lines(&mut s.paths.ask);
    "paths.deny" GLOBS, Adds, false, "Paths that must not be touched.", |s| Slot::Lines(&mut s.paths.deny);
    "allowlist.tools" PLAIN, Waits, false, "Tools that only look, added to the built-in list unconditionally.", |s| Slot::Lines(&mut s.allowlist.tools);
    "allowlist.builtin" Kind::YesNo, Only(false), false, "Use the built-in list of tools that only look.", |s| Slot::YesNo(&mut s.allowlist.builtin);
    "allowlist.guard_credentials" Kind::YesNo, Only(true), false, "Tools that read files are not allowed at once on credential stores.", |s| Slot::YesNo(&mut s.allowlist.guard_credentials);
    "project.roots" PLAIN, Waits, false, "Folders that count as the project, besides those the agent reports.", |s| Slot::Lines(&mut s.roots);
    "places.protected" GLOBS, Adds, false, "Files that control other programs: edits to them are not allowed at once.", |s| Slot::Lines(&mut s.places.protected);
    "places.trusted" GLOBS, Waits, false, "Places treated like the project.", |s| Slot::Lines(&mut s.places.trusted);
    "hosts.trusted" PLAIN, Waits, false, "Hosts treated as known.", |s| Slot::Lines(&mut s.trusted_hosts);
    "classifier.provider" Kind::Words(Provider::WORDS), Never, false, "Who serves the model.", |s| Slot::Word(&mut s.classifier.endpoint.provider);
    "classifier.model" Kind::Text, Never, false, "The model's name; by default the provider's own default.", |s| Slot::Text(&mut s.classifier.endpoint.model);
    "classifier.base_url" Kind::Text, Never, false, "The provider's address.", |s| Slot::Text(&mut s.classifier.endpoint.base_url);
    "classifier.api_key_env" Kind::Text, Never, false, "The environment variable with the key.", |s| Slot::Text(&mut s.classifier.endpoint.api_key_env);
    "classifier.api_key_command" PLAIN, Never, false, "The program that prints the key, with its arguments.", |s| Slot::Lines(&mut s.classifier.endpoint.api_key_command);
    "classifier.api_key_file" Kind::Text, Never, false, "The file with the key.", |s| Slot::Text(&mut s.classifier.endpoint.api_key_file);
    "classifier.mode" Kind::Words(Asking::WORDS), Never, false, "One question, or a filter and then reasoning.", |s| Slot::Word(&mut s.classifier.mode);
    "classifier.timeout_ms" from_one_to(120_000), Never, false, "How long everything to do with one call may take.", |s| Slot::Number(&mut s.classifier.timeout_ms);
    "classifier.retries" up_to(10), Never, false, "How often to try a provider again.", |s| Slot::Number(&mut s.classifier.retries);
    "classifier.max_tokens" from_one_to(32_768), Never, false, "The longest answer.", |s| Slot::Number(&mut s.classifier.max_tokens);
    "classifier.transcript_entries" up_to(1000), Never, false, "How many entries of the conversation the model sees.", |s| Slot::Number(&mut s.classifier.transcript_entries);
    "classifier.transcript_chars" up_to(100_000), Never, false, "How many characters of each entry.", |s| Slot::Number(&mut s.classifier.transcript_chars);
    "classifier.on_error" Kind::Words(Refusal::WORDS), Never, true, "What to do when the model fails.", |s| Slot::Word(&mut s.classifier.on_error);
    "classifier.block_means" Kind::Words(Refusal::WORDS), Never, true, "What the model's \"block\" means.", |s| Slot::Word(&mut s.classifier.block_means);
    "classifier.dump_dir" Kind::Text, Never, false, "Where to write full requests and replies.", |s| Slot::Text(&mut s.classifier.dump_dir);
    "classifier.privacy" Kind::Words(Privacy::WORDS), Never, false, "What the model gets to see.", |s| Slot::Word(&mut s.classifier.privacy);
    "classifier.cache_seconds" up_to(31_536_000), Never, false, "How long to remember a verdict; 0: not at all.", |s| Slot::Number(&mut s.classifier.cache_seconds);
    "classifier.concurrent" from_one_to(64), Never, false, "How many questions may be open at once.", |s| Slot::Number(&mut s.classifier.concurrent);
    "classifier.spend_usd_per_day" Kind::Decimal, Never, false, "The most to spend in a day.", |s| Slot::Decimal(&mut s.classifier.spend_usd_per_day);
    "classifier.spend_usd_per_session" Kind::Decimal, Never, false, "The most to spend in a session.", |s| Slot::Decimal(&mut s.classifier.spend_usd_per_session);
    "classifier.price_input_usd" Kind::Decimal, Never, false, "The price of a million tokens read, for a model whose price belay does not know.", |s| Slot::Decimal(&mut s.classifier.price_input_usd);
    "classifier.price_output_usd" Kind::Decimal, Never, false, "The price of a million tokens written, for a model whose price belay does not know.", |s| Slot::Decimal(&mut s.classifier.price_output_usd);
    "journal.dir" Kind::Text, Never, false, "Where to keep records; by default the state folder.", |s| Slot::Text(&mut s.journal.dir);
    "journal.redact" Kind::YesNo, Never, false, "Take secrets out of records.", |s| Slot::YesNo(&mut s.journal.redact);
    "journal.keep_days" up_to(36_500), Never, false, "How long to keep records; 0: forever.", |s| Slot::Number(&mut s.journal.keep_days);
    "ship.url" Kind::Text, Never, false, "Where to send records, as OTLP over HTTP; by default nowhere.", |s| Slot::Text(&mut s.ship.url);
    "ship.token_env" Kind::Text, Never, false, "The environment variable with the token for the collector.", |s| Slot::Text(&mut s.ship.token_env);
    "ship.privacy" Kind::Words(ShipPrivacy::WORDS), Never, false, "How much of a record leaves the machine.", |s| Slot::Word(&mut s.ship.privacy);
    "ship.batches_per_minute" from_one_to(6000), Never, false, "The most requests in a minute, however many records wait.", |s| Slot::Number(&mut s.ship.batches_per_minute);
    "ship.max_waiting_bytes" up_to(1 << 50), Never, false, "The most that may wait, in bytes; beyond that the oldest days are dropped. 0: no limit.", |s| Slot::Number(&mut s.ship.max_waiting_bytes);
    "ship.names" Kind::YesNo, Never, false, "Send the names of user and machine.", |s| Slot::YesNo(&mut s.ship.names);
    "page.fleet_url" Kind::Text, Never, false, "The receiver that the page asks about all machines; by default none.", |s| Slot::Text(&mut s.page.fleet_url);
    "page.fleet_token_env" Kind::Text, Never, false, "The environment variable with the reader's token for that receiver.", |s| Slot::Text(&mut s.page.fleet_token_env);
    "breaker.in_a_row" from_one_to(1000), Never, false, "After this many denials in a row a person decides.", |s| Slot::Number(&mut s.breaker.in_a_row);
    "breaker.in_a_session" from_one_to(100_000), Never, false, "After this many denials in a session a person decides.", |s| Slot::Number(&mut s.breaker.in_a_session);
    "breaker.headless" Kind::Words(Refusal::WORDS), Never, false, "What happens then if there is nobody to ask.", |s| Slot::Word(&mut s.breaker.headless);
    "undo.keep" Kind::YesNo, Only(false), false, "Keep work that would be lost, so that it can be restored; `false` asks instead.", |s| Slot::YesNo(&mut s.undo.keep);
    "undo.max_bytes" up_to(1 << 40), Lowers, false, "The most to keep for one call, in bytes.", |s| Slot::Number(&mut s.undo.max_bytes);
    "undo.max_files" up_to(1_000_000), Lowers, false, "The most files to keep for one call.", |s| Slot::Number(&mut s.undo.max_files);
    "undo.max_ms" up_to(10_000), Lowers, false, "How long keeping may take.", |s| Slot::Number(&mut s.undo.max_ms);
    "undo.keep_days" up_to(36_500), Never, false, "Nothing newer than this is thrown away.", |s| Slot::Number(&mut s.undo.keep_days);
    "undo.max_total_bytes" up_to(1 << 50), Never, false, "The most to keep in total, in bytes; beyond that belay asks.", |s| Slot::Number(&mut s.undo.max_total_bytes);
    "deadline.static_ms" from_one_to(60_000), Never, false, "How long a verdict without a model may take.", |s| Slot::Number(&mut s.deadline.static_ms);
    "deadline.total_ms" from_one_to(120_000), Never, false, "How long a verdict may take in total.", |s| Slot::Number(&mut s.deadline.total_ms);
    "flags.provider" Kind::Words(FlagProvider::WORDS), Never, false, "Who serves feature flags.", |s| Slot::Word(&mut s.flags.provider);
    "flags.url" Kind::Text, Never, false, "Where the flags are served.", |s| Slot::Text(&mut s.flags.url);
    "flags.key_env" Kind::Text, Never, false, "The environment variable with the key for the flags.", |s| Slot::Text(&mut s.flags.key_env);
    "flags.refresh_seconds" from_one_to(86_400), Never, false, "How often the daemon asks for flags.", |s| Slot::Number(&mut s.flags.refresh_seconds);
    "flags.stale_seconds" up_to(31_536_000), Never, false, "How long the last good flags stay valid.", |s| Slot::Number(&mut s.flags.stale_seconds);
    "flags.attributes" PLAIN, Never, false, "What the flags' rules can use, each as `name=value`.", |s| Slot::Lines(&mut s.flags.attributes);
    "flags.modes" Kind::Lines(LineKind::Words(Mode::WORDS)), Never, false, "The modes a flag may switch to, besides `auto`.", |s| Slot::Lines(&mut s.flags.modes);
    "fleet.url" Kind::Text, Never, false, "Where the bundle is served.", |s| Slot::Text(&mut s.fleet.url);
    "fleet.keys" PLAIN, Never, false, "The minisign public keys that may sign a bundle; none: there is no bundle.", |s| Slot::Lines(&mut s.fleet.keys);
    "fleet.token_env" Kind::Text, Never, false, "The environment variable with the token for the server.", |s| Slot::Text(&mut s.fleet.token_env);
    "fleet.team" Kind::Text, Never, false, "The team of this machine, for rule sets that name teams.", |s| Slot::Text(&mut s.fleet.team);
    "fleet.may_loosen" Kind::YesNo, Never, false, "A bundle may loosen what the managed file does not set.", |s| Slot::YesNo(&mut s.fleet.may_loosen);
    "fleet.refresh_seconds" from_one_to(86_400), Never, false, "How often the daemon asks for a new bundle.", |s| Slot::Number(&mut s.fleet.refresh_seconds);
}
