//! Feature flags: thresholds, `on_error`, `block_means`, the mode and single rules, moved at run
//! time within bounds.
//!
//! INVARIANT: nothing here opens a connection: requests are described, replies are read, the last
//! good values are kept on disk. No flag touches the floor, turns an error into an allow, or lets
//! what policy calls unsure, high or critical pass for less.

mod buckets;
mod conditions;
mod growthbook;
mod ofrep;

pub(crate) use buckets::bucket;

use std::path::Path;

use belay_model::Verdict;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::choices::FlagProvider;
use crate::draft::Setting;
use crate::keys::{self, Key, Kind};
use crate::merge::Said;
use crate::settings::{Flags, Line, Settings};
use crate::store::{Store, StoreError};
use crate::{Fault, Origin, SettingsError, Source, merge};

const FILE: &str = "flags.json";
const ASKER: &str = "asker.json";
/// The most bytes of a reply.
pub const MOST_BYTES: usize = 4 << 20;

/// Who asks for flags: attributes that rules of the flags may look at, and the secret key.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Asker {
    /// What identifies the asker for percentages; no secret, no name of a person needed.
    pub id: String,
    /// More attributes.
    pub attributes: Vec<(String, String)>,
    /// The key, read from where the settings say.
    pub key: Option<String>,
}

impl Asker {
    fn attribute_map(&self) -> Map<String, Value> {
        let id = ("id".to_owned(), Value::from(self.id.clone()));
        let more = self.attributes.iter();
        let more = more.map(|(name, text)| (name.clone(), scalar(text)));
        std::iter::once(id).chain(more).collect()
    }
}

/// Reads a value as JSON where it is a number, a yes or a no; else it is text.
fn scalar(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value @ (Value::Bool(_) | Value::Number(_) | Value::String(_))) => value,
        Ok(Value::Null | Value::Array(_) | Value::Object(_)) | Err(_) => Value::from(text),
    }
}

/// An HTTP request, described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// Where.
    pub url: String,
    /// Name and value.
    pub headers: Vec<(String, String)>,
    /// The body, where there is one.
    pub body: Option<String>,
}

/// An HTTP reply, as it came.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The `ETag` header.
    pub etag: Option<String>,
    /// The body.
    pub body: String,
}

/// The last good flags.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cached {
    /// Who served them.
    pub provider: String,
    /// Where.
    pub url: String,
    /// The reply's `ETag`.
    pub etag: Option<String>,
    /// When they were last known to be right, in seconds since 1970.
    pub at: u64,
    /// Name and value.
    pub values: Map<String, Value>,
    /// What of the flags could not be told, for a person.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// Why a reply gave no flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlagError {
    /// The settings name no provider, or no address.
    NotSet,
    /// The status says no.
    Status(u16),
    /// The reply is too large.
    TooLarge,
    /// The reply is not what the protocol says.
    Malformed(String),
}

impl std::fmt::Display for FlagError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotSet => f.write_str("`flags.provider` and `flags.url` are not set"),
            Self::Status(status) => write!(f, "the flag server answered {status}"),
            Self::TooLarge => write!(
                f,
                "the flag server's answer is larger than {MOST_BYTES} bytes"
            ),
            Self::Malformed(cause) => write!(f, "the flag server's answer cannot be read: {cause}"),
        }
    }
}

impl std::error::Error for FlagError {}

/// Describes the request for the flags in force; with the `ETag` of what is known.
///
/// # Errors
/// When the settings name no provider, or no address.
pub fn request(flags: &Flags, asker: &Asker, known: Option<&Cached>) -> Result<Request, FlagError> {
    let url = flags
        .url
        .as_deref()
        .ok_or(FlagError::NotSet)?
        .trim_end_matches('/');
    let mut request = match flags.provider {
        FlagProvider::None => return Err(FlagError::NotSet),
        FlagProvider::Ofrep => ofrep::request(url, asker),
        FlagProvider::GrowthBook => growthbook::request(url, asker),
    };
    let etag = known
        .filter(|it| it.is_of(flags))
        .and_then(|it| it.etag.clone());
    if let Some(etag) = etag {
        request.headers.push(("If-None-Match".to_owned(), etag));
    }
    Ok(request)
}

/// One round of asking for flags.
#[derive(Clone, Copy, Debug)]
pub struct Round<'a> {
    /// Whom the settings say to ask.
    pub flags: &'a Flags,
    /// Who asks.
    pub asker: &'a Asker,
    /// What an earlier round brought.
    pub known: Option<&'a Cached>,
    /// The time, in seconds.
    pub now: u64,
}

/// Reads the reply; "not modified" renews what is known.
///
/// # Errors
/// When the reply gives no flags: the last good ones stay.
pub fn receive(round: Round<'_>, reply: &Reply) -> Result<Cached, FlagError> {
    let Round {
        flags,
        asker,
        known,
        now,
    } = round;
    if reply.status == 304 {
        let known = known.filter(|it| it.is_of(flags)).cloned();
        let known = known.ok_or_else(|| FlagError::Malformed("nothing to renew".to_owned()))?;
        return Ok(Cached { at: now, ..known });
    }
    if reply.status != 200 {
        return Err(FlagError::Status(reply.status));
    }
    if reply.body.len() > MOST_BYTES {
        return Err(FlagError::TooLarge);
    }
    let body: Value =
        serde_json::from_str(&reply.body).map_err(|it| FlagError::Malformed(it.to_string()))?;
    let read = match flags.provider {
        FlagProvider::None => return Err(FlagError::NotSet),
        FlagProvider::Ofrep => ofrep::values(&body),
        FlagProvider::GrowthBook => growthbook::values(&body, &asker.attribute_map()),
    };
    let Evaluated { values, notes } = read.map_err(|it| FlagError::Malformed(it.to_owned()))?;
    Ok(Cached {
        provider: flags.provider.word().to_owned(),
        url: flags.url.clone().unwrap_or_default(),
        etag: reply.etag.clone(),
        at: now,
        values,
        notes,
    })
}

/// What came of a reply.
#[derive(Debug, Default)]
struct Evaluated {
    values: Map<String, Value>,
    notes: Vec<String>,
}

impl Cached {
    /// Tells whether the flags still count at a moment.
    #[must_use]
    pub const fn is_fresh(&self, flags: &Flags, now: u64) -> bool {
        now.saturating_sub(self.at) <= flags.stale_seconds
    }

    /// Tells whether the flags are those of a provider and address.
    #[must_use]
    pub fn is_of(&self, flags: &Flags) -> bool {
        self.provider == flags.provider.word() && flags.url.as_deref() == Some(self.url.as_str())
    }
}

/// Returns the name under which this machine asks for flags: made once, at random, and kept.
///
/// # Errors
/// When our folder cannot be used.
pub fn asker_id(state: &Path, fresh: &dyn Fn() -> String) -> Result<String, StoreError> {
    let store = Store::new(state, ASKER);
    let known: Option<String> = store.read()?;
    match known {
        Some(id) => Ok(id),
        None => store.change(|id: &mut Option<String>| id.get_or_insert_with(fresh).clone()),
    }
}

/// Keeps flags for the hook.
///
/// # Errors
/// When our folder cannot be written.
pub fn keep(state: &Path, cached: &Cached) -> Result<(), StoreError> {
    Store::new(state, FILE).change(|kept: &mut Option<Cached>| *kept = Some(cached.clone()))
}

/// Returns the flags that were kept.
///
/// # Errors
/// When the file cannot be read.
pub fn kept(state: &Path) -> Result<Option<Cached>, StoreError> {
    Store::new(state, FILE).read()
}

/// Lays flags over settings, within bounds, if they are their provider's and not stale. Returns what was refused.
pub fn overlay(settings: &mut Settings, cached: &Cached, now: u64) -> Vec<SettingsError> {
    if !cached.is_fresh(&settings.flags, now) || !cached.is_of(&settings.flags) {
        return Vec::new();
    }
    let mut refused = Vec::new();
    for (name, value) in &cached.values {
        let Some(name) = ours(name) else {
            continue;
        };
        let origin = Origin::of(Source::Flag, &format!("belay.{name}"));
        let said = Said {
            value,
            origin: &origin,
        };
        let accepted = match (rule_id(&name), key_of(&name)) {
            (Some(id), _) => set_rule(settings, id, said),
            (None, Some(key)) => set_key(settings, key, said),
            (None, None) => None,
        };
        if accepted.is_none() {
            let fault = Fault::NotForFlags {
                key: name,
                value: value.to_string(),
            };
            refused.push(SettingsError::new(fault, origin));
        }
    }
    refused
}

/// What a flag leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laid {
    /// The flag.
    pub name: String,
    /// Its value, as JSON.
    pub value: String,
    /// Why it does not count; none when it does.
    pub refused: Option<String>,
}

/// Returns what each flag that is meant for us leads to over these settings, in the order of names.
#[must_use]
pub fn laid(settings: &Settings, cached: &Cached) -> Vec<Laid> {
    let mut settings = settings.clone();
    let ours = cached
        .values
        .iter()
        .filter(|(name, _)| ours(name).is_some());
    ours.map(|(name, value)| {
        let one = Cached {
            values: [(name.clone(), value.clone())].into_iter().collect(),
            ..cached.clone()
        };
        let refused = overlay(&mut settings, &one, cached.at);
        Laid {
            name: name.clone(),
            value: value.to_string(),
            refused: refused.first().map(ToString::to_string),
        }
    })
    .collect()
}

/// Returns the rest of a flag's name that is meant for us: `belay.thresholds.ask_at`,
/// `belay-thresholds-ask_at`, `belay_mode`.
fn ours(name: &str) -> Option<String> {
    let rest = name.strip_prefix("belay")?;
    let rest = rest.strip_prefix(['.', '-', '_', ':', '/'])?;
    Some(rest.to_owned())
}

fn rule_id(name: &str) -> Option<&str> {
    name.strip_prefix("rule")?
        .strip_prefix(['.', '-', '_', ':', '/'])
}

fn key_of(name: &str) -> Option<&'static Key> {
    let plain = |text: &str| text.replace(['.', '-', ':', '/'], "_");
    let wanted = plain(name);
    keys::KEYS
        .iter()
        .find(|it| it.flag && plain(it.name) == wanted)
}

/// The greatest value a flag may give a threshold: what policy calls unsure is never allowed
/// unseen, what it calls high never left to a model, what it calls critical never only asked.
fn greatest(key: &str) -> Option<u64> {
    match key {
        "thresholds.unsure_at" => Some(45),
        "thresholds.ask_at" => Some(70),
        "thresholds.deny_at" => Some(95),
        _ => None,
    }
}

fn set_key(settings: &mut Settings, key: &'static Key, said: Said<'_, Value>) -> Option<()> {
    let Said { value, origin } = said;
    let setting = match key.kind {
        Kind::Words(words) => {
            let word = value.as_str().filter(|it| words.contains(it))?;
            let bounded = key.name != "mode" || may_switch(settings, word);
            bounded.then(|| Setting::Word(word.to_owned()))?
        }
        Kind::Number { .. } => {
            let most = greatest(key.name)?;
            Setting::Number(value.as_u64().filter(|it| *it <= most)?)
        }
        Kind::Decimal | Kind::YesNo | Kind::Text | Kind::Lines(_) => return None,
    };
    let said = Said {
        value: &setting,
        origin,
    };
    merge::set(settings, key, said);
    Some(())
}

fn may_switch(settings: &Settings, mode: &str) -> bool {
    mode == "auto" || settings.flags.modes.iter().any(|it| it.text == mode)
}

/// Switches a rule off or makes it stricter; a rule never gets a milder verdict than it is written with.
fn set_rule(settings: &mut Settings, id: &str, said: Said<'_, Value>) -> Option<()> {
    let Said { value, origin } = said;
    let named = |rule: &crate::ExactRule| rule.id.as_deref() == Some(id);
    let managed = |rule: &crate::ExactRule| rule.origin.source == Source::Managed;
    if settings.exact.iter().any(|it| named(it) && managed(it)) {
        return None;
    }
    if value == "off" || value == &Value::Bool(false) {
        let before = settings.exact.len();
        settings.exact.retain(|it| !named(it));
        let gone = (settings.exact.len() < before).then_some(());
        settings.off.extend(gone.map(|()| Line {
            text: id.to_owned(),
            origin: origin.clone(),
        }));
        return gone;
    }
    let verdict = Verdict::from_word(value.as_str()?)?;
    let rule = settings.exact.iter_mut().find(|it| named(it))?;
    if verdict < rule.verdict {
        return None;
    }
    rule.verdict = verdict;
    rule.origin = origin.clone();
    Some(())
}

#[cfg(test)]
mod tests;
