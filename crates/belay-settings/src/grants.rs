//! What a person granted for a while: one exact effect, for a time, a number of uses or a session.
//!
//! INVARIANT: a grant ends by itself, counts only in the folder it was given in, names effects
//! exactly and never lifts the floor: the gate asks for grants only below it.

use std::path::Path;

use belay_model::{Effect, parse_effect};
use serde::{Deserialize, Serialize};

use crate::store::{Store, StoreError};

const FILE: &str = "grants.json";
const DAY: u64 = 86_400;
/// How long a grant without a time lasts at most.
const WEEK: u64 = 7 * DAY;
/// How long any grant lasts at most.
const LONGEST: u64 = 30 * DAY;
const MOST_GRANTS: usize = 1000;

/// What to grant.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Wish {
    /// The effects, each as its line.
    pub effects: Vec<String>,
    /// The judgement they were taken from.
    pub judgement: Option<String>,
    /// The folder of the call: paths hang there.
    pub folder: String,
    /// For how many seconds.
    pub seconds: Option<u64>,
    /// For how many calls.
    pub uses: Option<u32>,
    /// For which session.
    pub session: Option<String>,
}

/// What was granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Its name.
    pub id: String,
    /// The effects, each as its line.
    pub effects: Vec<String>,
    /// The judgement they were taken from.
    pub judgement: Option<String>,
    /// The folder it counts in.
    pub folder: String,
    /// When it was given, in seconds since 1970.
    pub at: u64,
    /// When it ends, in seconds since 1970.
    pub until: u64,
    /// How many calls are left.
    pub uses: Option<u32>,
    /// The session it counts in.
    pub session: Option<String>,
}

/// Why something cannot be granted.
#[derive(Debug)]
pub enum GrantError {
    /// Nothing was named.
    Nothing,
    /// A line is no effect.
    NotAnEffect(String, String),
    /// An effect whose target is not known is not exact.
    NotExact(String),
    /// There are too many grants.
    TooMany,
    /// The store failed.
    Store(StoreError),
}

impl std::fmt::Display for GrantError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nothing => f.write_str("no effect to grant"),
            Self::NotAnEffect(line, cause) => write!(f, "`{line}` is not an effect: {cause}"),
            Self::NotExact(line) => write!(f, "`{line}` is not exact"),
            Self::TooMany => write!(f, "more than {MOST_GRANTS} grants"),
            Self::Store(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for GrantError {}

/// When and where a call happens.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// Now, in seconds since 1970.
    pub now: u64,
    /// The folder of the call.
    pub folder: &'a str,
    /// The session of the call.
    pub session: Option<&'a str>,
}

#[derive(Default, Serialize, Deserialize)]
struct Granted {
    grants: Vec<Grant>,
    #[serde(default)]
    count: u64,
}

impl Grant {
    /// Tells whether the grant counts at that moment.
    #[must_use]
    pub fn is_live(&self, moment: &Moment<'_>) -> bool {
        let here = self.folder == moment.folder;
        let session = self
            .session
            .as_deref()
            .is_none_or(|it| moment.session == Some(it));
        // A clock that was set back ends a grant rather than prolonging it.
        let time = (self.at..self.until).contains(&moment.now);
        here && session && time && self.uses != Some(0)
    }

    /// Tells whether the grant names an effect exactly: the same verb, manner, target and machine,
    /// carrying nothing more.
    #[must_use]
    pub fn names(&self, effect: &Effect) -> bool {
        self.effects
            .iter()
            .filter_map(|it| parse_effect(it).ok())
            .any(|granted| {
                granted.verb == effect.verb
                    && granted.how == effect.how
                    && granted.target == effect.target
                    && granted.at == effect.at
                    && granted.carries.holds(effect.carries)
            })
    }
}

/// Grants a wish.
///
/// # Errors
/// When the wish is not exact, or our folder cannot be written.
pub fn grant(state: &Path, wish: &Wish, now: u64) -> Result<Grant, GrantError> {
    check(wish)?;
    let longest = if wish.seconds.is_some() {
        LONGEST
    } else {
        WEEK
    };
    let until = now + wish.seconds.unwrap_or(WEEK).min(longest);
    let stored = Store::new(state, FILE).change(|granted: &mut Granted| {
        granted
            .grants
            .retain(|it| it.until > now && it.uses != Some(0));
        if granted.grants.len() >= MOST_GRANTS {
            return None;
        }
        granted.count += 1;
        let grant = Grant {
            id: format!("g{}", granted.count),
            effects: wish.effects.clone(),
            judgement: wish.judgement.clone(),
            folder: wish.folder.clone(),
            at: now,
            until,
            uses: wish.uses,
            session: wish.session.clone(),
        };
        granted.grants.push(grant.clone());
        Some(grant)
    });
    stored
        .map_err(GrantError::Store)?
        .ok_or(GrantError::TooMany)
}

fn check(wish: &Wish) -> Result<(), GrantError> {
    if wish.effects.is_empty() {
        return Err(GrantError::Nothing);
    }
    for line in &wish.effects {
        let effect = parse_effect(line);
        let effect = effect.map_err(|it| GrantError::NotAnEffect(line.clone(), it.to_string()))?;
        if !is_exact(&effect) {
            return Err(GrantError::NotExact(line.clone()));
        }
    }
    Ok(())
}

/// Tells whether an effect names its target, so that it can be granted.
#[must_use]
pub fn is_exact(effect: &Effect) -> bool {
    use belay_model::{Place, Target};
    match &effect.target {
        Target::Place(Place::Exact(_)) => true,
        Target::Place(Place::Pattern(_) | Place::Under(_) | Place::Unknown) => false,
        Target::Host(host) => host != "?",
        Target::Names(names) => !names.iter().any(|it| it == "?"),
    }
}

/// Returns the grants that count at a moment. Costs one look at the folder where nothing is granted.
///
/// # Errors
/// When the store cannot be read: then nothing is granted.
pub fn live(state: &Path, moment: &Moment<'_>) -> Result<Vec<Grant>, StoreError> {
    let mut grants = all(state)?;
    grants.retain(|it| it.is_live(moment));
    Ok(grants)
}

/// Returns all grants, also those that ended and were not yet swept.
///
/// # Errors
/// When the store cannot be read.
pub fn all(state: &Path) -> Result<Vec<Grant>, StoreError> {
    Ok(Store::new(state, FILE).read::<Granted>()?.grants)
}

/// Uses a grant once; tells whether it still counted. Call it before the answer leaves, and only
/// where the grant made the difference.
///
/// # Errors
/// When our folder cannot be written: then the grant must not count.
pub fn spend(state: &Path, id: &str, moment: &Moment<'_>) -> Result<bool, StoreError> {
    let store = Store::new(state, FILE);
    let limited = |it: &Grant| it.id == id && it.uses.is_some();
    let granted: Granted = store.read()?;
    if !granted.grants.iter().any(limited) {
        return Ok(granted
            .grants
            .iter()
            .any(|it| it.id == id && it.is_live(moment)));
    }
    store.change(|granted: &mut Granted| {
        let found = granted
            .grants
            .iter_mut()
            .find(|it| it.id == id && it.is_live(moment));
        let Some(uses) = found.and_then(|it| it.uses.as_mut()) else {
            return false;
        };
        *uses = uses.saturating_sub(1);
        true
    })
}

/// Takes a grant back; tells whether there was one.
///
/// # Errors
/// When our folder cannot be written.
pub fn revoke(state: &Path, id: &str) -> Result<bool, StoreError> {
    Store::new(state, FILE).change(|granted: &mut Granted| {
        let before = granted.grants.len();
        granted.grants.retain(|it| it.id != id);
        granted.grants.len() < before
    })
}
