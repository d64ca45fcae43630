//! What a person's yes covers later: `policy/consent.toml` as static data.

use belay_model::{Effect, Verb};

use crate::EffectPattern;

/// How far the target of an answered question is generalised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// Looking at that host.
    Host,
    /// Looking on that machine, reached with the same words.
    Machine,
    /// The same program, words and flags; files of the project may differ.
    Command,
    /// The same words in the same folder.
    Words,
    /// The same words in the same folder; texts with blanks and numbers may differ.
    Text,
    /// That branch of that address.
    Branch,
    /// Files in that folder, not below it.
    Folder,
    /// That package, by name and version.
    Package,
    /// What that repository holds at its commit.
    Checkout,
    /// The same words on the same resources of a cluster, in the context as it is set.
    Resources,
    /// The thing that the effect names, on a device reached with the same words.
    Unit,
    /// Questions to the database that the same words of the call name.
    Query,
}

impl Cover {
    /// Returns its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Machine => "machine",
            Self::Command => "command",
            Self::Words => "words",
            Self::Text => "text",
            Self::Branch => "branch",
            Self::Folder => "folder",
            Self::Package => "package",
            Self::Checkout => "checkout",
            Self::Resources => "resources",
            Self::Unit => "unit",
            Self::Query => "query",
        }
    }
}

/// One clause of `policy/consent.toml`.
#[derive(Debug)]
pub(crate) struct Covering {
    pub(crate) rule: &'static str,
    pub(crate) effects: &'static [EffectPattern],
    pub(crate) cover: Cover,
    pub(crate) lasts: bool,
}

/// Returns what a yes covers where that rule asked for that effect; nothing where it is asked again.
#[must_use]
pub fn covered_by_yes(rule: &str, effect: &Effect) -> Option<Cover> {
    covering(rule, effect).map(|it| it.cover)
}

/// Tells whether a grant of that effect lets through no more than what that rule asked about.
#[must_use]
pub fn names_its_target(rule: &str, effect: &Effect) -> bool {
    covering(rule, effect).is_some_and(|it| it.lasts)
}

/// Returns why no yes covers what that rule asks about; nothing where one may.
#[must_use]
pub fn never_covered(rule: &str) -> Option<&'static str> {
    let why = NEVER.iter().find(|(it, _)| *it == rule);
    why.map(|(_, why)| *why)
}

fn covering(rule: &str, effect: &Effect) -> Option<&'static Covering> {
    COVERINGS
        .iter()
        .find(|it| it.rule == rule && it.effects.iter().any(|pattern| pattern.matches(effect)))
}

/// Tells whether anybody may publish on a host, so that a yes to one page says nothing of another.
#[must_use]
pub fn is_shared_host(host: &str) -> bool {
    let host = host.split(':').next().unwrap_or(host);
    SHARED_HOSTS.iter().any(|shared| {
        let above = host.strip_suffix(shared);
        above.is_some_and(|it| it.is_empty() || it.ends_with('.'))
    })
}

/// Tells whether a word, or two, of a command that reaches a machine say only how, and of no other machine.
#[must_use]
pub fn is_way_of_reaching(words: &str) -> bool {
    REACHING.iter().any(|it| is_like(it, words))
}

/// Tells whether a flag of an installer says nothing of where the package comes from and how it is built.
#[must_use]
pub fn leaves_package_as_it_is(flag: &str) -> bool {
    PACKAGE_FLAGS.iter().any(|it| is_like(it, flag))
}

/// Compares with a word that may end in `*`, which stands for letters and digits.
fn is_like(pattern: &str, words: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(begin) => words
            .strip_prefix(begin)
            .is_some_and(|rest| rest.chars().all(|it| it.is_ascii_alphanumeric())),
        None => pattern == words,
    }
}

include!(concat!(env!("OUT_DIR"), "/consent.rs"));
