//! The fleet's policy: which bundle is in force here, what of it counts, and what is wrong with it.
//!
//! INVARIANT: keys come from the managed file alone, every use of a bundle proves its signature again, and a bundle that is
//! refused leaves the one before in force. Nothing here opens a connection.

mod cache;
mod lay;

use std::sync::Arc;

use belay_bundle::{Accepted, Flaw, Key, Member, RuleSet, Stage};
use belay_knowledge::{Knowledge, LoadError};
use sha2::{Digest, Sha256};

use crate::draft::{self, Draft};
use crate::flags::bucket;
use crate::settings::{Line, Settings};
use crate::{Bundles, Fault, Origin, Places, SettingsError, Source, merge};

pub use cache::{Arrived, Cache, Pulled, Refused};

/// `[fleet]`: whose signed policy holds here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fleet {
    /// Where the bundle is served.
    pub url: Option<String>,
    /// The keys that may sign it; none: there is no bundle.
    pub keys: Vec<Line>,
    /// The environment variable with the token for the server.
    pub token_env: Option<String>,
    /// The team of this machine.
    pub team: Option<String>,
    /// Tells whether a bundle may loosen what the managed file does not set.
    pub may_loosen: bool,
    /// How often the daemon asks.
    pub refresh_seconds: u64,
}

impl Default for Fleet {
    fn default() -> Self {
        Self {
            url: None,
            keys: Vec::new(),
            token_env: None,
            team: None,
            may_loosen: false,
            refresh_seconds: 900,
        }
    }
}

/// Settings that hold a stage of their own, beside those in force.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Staged {
    /// With the rule sets whose denials are only asked about.
    pub ask: Option<Box<Settings>>,
    /// With the rule sets that are only observed.
    pub observe: Option<Box<Settings>>,
    /// The rule sets that are only observed.
    pub observed: Vec<String>,
}

/// What is known of the fleet's policy here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The bundle in force.
    pub bundle: Option<InForce>,
    /// What is wrong, a line each.
    pub troubles: Vec<String>,
}

/// The bundle in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InForce {
    /// Whose it is.
    pub name: String,
    /// Its serial number.
    pub serial: u64,
    /// The last second at which it may come into force, in seconds since 1970.
    pub not_after: u64,
    /// When it was last known to be the newest, in seconds since 1970.
    pub at: Option<u64>,
    /// Its rule sets.
    pub sets: Vec<SetHere>,
}

/// A rule set as it stands here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetHere {
    /// Its name.
    pub name: String,
    /// How far it has come.
    pub stage: Stage,
    /// For how many of a hundred machines.
    pub percent: u8,
    /// Tells whether it is meant for this machine, by its percentage, and for this team, system and agent.
    pub applies: bool,
    /// How many knowledge files it has.
    pub knowledge: usize,
}

/// Returns a hash of this machine's name for itself: it tells machines apart and says nothing else.
#[must_use]
pub fn machine() -> Option<String> {
    let name = std::fs::read("/etc/machine-id")
        .or_else(|_| std::fs::read("/etc/hostname"))
        .ok()?;
    let hash = Sha256::digest([b"belay\0", name.as_slice()].concat());
    let digits = hash.iter().take(6).flat_map(|it| [it >> 4, it & 15]);
    digits
        .map(|it| char::from_digit(u32::from(it), 16))
        .collect()
}

/// Reads the keys that may sign; those that cannot be read were reported with their file.
#[must_use]
pub fn keys(fleet: &Fleet) -> Vec<Key> {
    let keys = fleet.keys.iter();
    keys.filter_map(|it| Key::parse(&it.text)).collect()
}

/// Tells whether a machine may take a rule set: nothing in its settings or its knowledge is wrong.
///
/// # Errors
/// When something is.
pub fn sound(set: &RuleSet) -> Result<(), Flaw> {
    let name = &set.name;
    if let Some(mistake) = mistakes(set).first() {
        let cause = mistake.to_string();
        return Err(Flaw::Settings {
            set: name.clone(),
            cause,
        });
    }
    let read = taught(set).map(drop);
    read.map_err(|why| Flaw::Knowledge {
        set: name.clone(),
        cause: placed(&why.to_string()),
    })
}

/// Returns the mistakes in the settings of a rule set.
#[must_use]
pub fn mistakes(set: &RuleSet) -> Vec<SettingsError> {
    let mut draft = read(set, &format!("{}.toml", set.name));
    let strangers = lay::managed_only(&mut draft);
    draft.errors.extend(strangers);
    draft.errors
}

/// Returns what of a rule set would loosen, and counts only with `may_loosen`.
#[must_use]
pub fn loosening(set: &RuleSet) -> Vec<SettingsError> {
    let mut draft = read(set, &format!("{}.toml", set.name));
    lay::managed_only(&mut draft);
    lay::tighten(&mut Settings::default(), &draft)
}

/// Returns what a rule set says of commands and tools, if it says anything.
///
/// # Errors
/// When a file is refused, or describes what our own files describe.
pub fn taught(set: &RuleSet) -> Result<Option<Arc<Knowledge>>, LoadError> {
    knowledge(set, Knowledge::taught_only_new)
}

/// A way to read knowledge files, by their paths and texts.
type Reading = fn(&[(&str, &str)]) -> Result<Knowledge, LoadError>;

/// Reads the knowledge of a rule set, in one of two ways.
fn knowledge(set: &RuleSet, read: Reading) -> Result<Option<Arc<Knowledge>>, LoadError> {
    let files = set.knowledge.iter();
    let files: Vec<(&str, &str)> = files
        .map(|it| (it.path.as_str(), it.text.as_str()))
        .collect();
    match files.is_empty() {
        true => Ok(None),
        false => read(&files).map(|it| Some(Arc::new(it))),
    }
}

/// Returns settings with a bundle, whoever its rule sets are meant for: those that are enforced, and beside them those that
/// ask. What is only observed changes nothing.
#[must_use]
pub fn with(settings: &Settings, bundle: &belay_bundle::Bundle) -> Settings {
    let lay = |wanted: &dyn Fn(Stage) -> bool| {
        let mut settings = settings.clone();
        for set in bundle.sets.iter().filter(|it| wanted(it.stage)) {
            let mut draft = read(set, &format!("bundle {}, {}", bundle.name, set.name));
            lay::managed_only(&mut draft);
            match settings.fleet.may_loosen {
                true => merge::apply(&mut settings, &draft),
                false => drop(lay::tighten(&mut settings, &draft)),
            }
            // What cannot be read says nothing: what it speaks of stays unknown.
            let taught = knowledge(set, Knowledge::taught).ok().flatten();
            settings.taught.extend(taught);
        }
        settings
    };
    let mut whole = lay(&|stage| stage == Stage::Enforce);
    if bundle.sets.iter().any(|it| it.stage == Stage::Ask) {
        whole.staged.ask = Some(Box::new(lay(&|stage| stage != Stage::Observe)));
    }
    whole
}

fn read(set: &RuleSet, file: &str) -> Draft {
    draft::read(Source::Managed, file, &set.settings)
}

/// The fleet's part of the settings, found and read.
#[derive(Debug, Default)]
pub(crate) struct Found {
    sets: Vec<Counting>,
    may_loosen: bool,
    pub(crate) standing: Standing,
    pub(crate) errors: Vec<SettingsError>,
    pub(crate) ignored: Vec<SettingsError>,
    /// What names the bundle: its signature.
    pub(crate) print: Option<String>,
    pub(crate) file: Option<std::path::PathBuf>,
}

/// A rule set that counts here.
#[derive(Debug)]
struct Counting {
    stage: Stage,
    draft: Draft,
    taught: Option<Arc<Knowledge>>,
}

impl Found {
    /// Finds the bundle that is in force under these managed settings.
    pub(crate) fn under(managed: &Draft, places: &Places) -> Self {
        let mut alone = Settings::default();
        merge::apply(&mut alone, managed);
        let fleet = alone.fleet;
        let keys = keys(&fleet);
        if keys.is_empty() || places.bundles == Bundles::LeftOut {
            return Self::default();
        }
        let mut found = Self {
            may_loosen: fleet.may_loosen,
            ..Self::default()
        };
        let kept = cache::kept(places, &keys);
        found.standing.troubles = kept.troubles;
        found.file = kept.file;
        match kept.opened {
            Some(opened) => {
                found.print = Some(opened.print.clone());
                found.take(
                    &opened,
                    &Here {
                        fleet: &fleet,
                        places,
                    },
                );
            }
            None => found.errors.extend(kept.error),
        }
        found
    }

    fn take(&mut self, opened: &cache::Opened, here: &Here<'_>) {
        let Accepted { bundle, seal, .. } = &opened.accepted;
        let mut sets = Vec::new();
        let machine = machine();
        for set in &bundle.sets {
            let applies = here.is_meant(set, machine.as_deref());
            sets.push(SetHere {
                name: set.name.clone(),
                stage: set.stage,
                percent: set.percent,
                applies,
                knowledge: set.knowledge.len(),
            });
            if applies {
                let file = format!("bundle {} {}, {}", bundle.name, seal.serial, set.name);
                self.count(set, &file);
            }
        }
        self.standing.bundle = Some(InForce {
            name: bundle.name.clone(),
            serial: seal.serial,
            not_after: seal.not_after,
            at: opened.at,
            sets,
        });
    }

    /// Reads a rule set that is meant for this machine. What a later version of ours describes itself is ours to describe; what it
    /// cannot read at all makes the bundle one that cannot be used.
    fn count(&mut self, set: &RuleSet, file: &str) {
        let mut draft = read(set, file);
        self.ignored.extend(lay::managed_only(&mut draft));
        let taught = knowledge(set, Knowledge::taught).unwrap_or_else(|why| {
            let origin = Origin::of(Source::Managed, file);
            let fault = Fault::BadBundle(placed(&why.to_string()));
            self.errors.push(SettingsError::new(fault, origin));
            None
        });
        self.sets.push(Counting {
            stage: set.stage,
            draft,
            taught,
        });
    }

    /// Tells whether a rule set stands beside the settings in force.
    pub(crate) fn is_staged(&self) -> bool {
        self.sets.iter().any(|it| it.stage != Stage::Enforce)
    }

    /// Lays the managed file and the enforced rule sets over settings, and those of one more stage.
    pub(crate) fn lay(&self, laying: Laying<'_>, more: Option<Stage>) -> Vec<SettingsError> {
        let Laying { settings, managed } = laying;
        let counts = |stage: Stage| stage == Stage::Enforce || Some(stage) == more;
        let sets = || self.sets.iter().filter(|it| counts(it.stage));
        settings.taught = sets().filter_map(|it| it.taught.clone()).collect();
        let drafts: Vec<&Draft> = sets().map(|it| &it.draft).collect();
        if self.may_loosen {
            drafts.iter().for_each(|it| merge::apply(settings, it));
        }
        merge::apply(settings, managed);
        let mut refused = Vec::new();
        for draft in drafts {
            // What was laid below the managed file may still tighten what that says.
            match self.may_loosen {
                true => lay::tighten_single(settings, draft),
                false => refused.extend(lay::tighten(settings, draft)),
            }
        }
        refused
    }

    /// Returns the settings of the stages that are not enforced, made from what was there before the managed file.
    pub(crate) fn staged(&self, before: &Settings, lay: &dyn Fn(&mut Settings, Stage)) -> Staged {
        let of = |stage: Stage| {
            let there = self.sets.iter().any(|it| it.stage == stage);
            there.then(|| {
                let mut settings = before.clone();
                lay(&mut settings, stage);
                Box::new(settings)
            })
        };
        let sets = self.standing.bundle.iter().flat_map(|it| &it.sets);
        let observed = sets.filter(|it| it.applies && it.stage == Stage::Observe);
        Staged {
            ask: of(Stage::Ask),
            observe: of(Stage::Observe),
            observed: observed.map(|it| it.name.clone()).collect(),
        }
    }
}

/// Settings on which the managed file and the bundle are to be laid.
pub(crate) struct Laying<'a> {
    pub(crate) settings: &'a mut Settings,
    pub(crate) managed: &'a Draft,
}

/// Where a bundle is used.
struct Here<'a> {
    fleet: &'a Fleet,
    places: &'a Places,
}

impl Here<'_> {
    fn is_meant(&self, set: &RuleSet, machine: Option<&str>) -> bool {
        let member = Member {
            team: self.fleet.team.as_deref(),
            os: std::env::consts::OS,
            agent: self.places.agent.as_deref(),
        };
        set.meant.fits(&member) && is_chosen(set, machine)
    }
}

/// Tells whether a machine is among the percentage of a rule set: by the hash that feature flags use.
fn is_chosen(set: &RuleSet, machine: Option<&str>) -> bool {
    let share = f64::from(set.percent) / 100.0;
    match machine {
        _ if set.percent >= 100 => true,
        Some(machine) => bucket(&set.name, machine).is_some_and(|place| place < share),
        None => false,
    }
}

/// Returns what a reader of knowledge says and where, in one line.
fn placed(why: &str) -> String {
    let line = why.lines().next().unwrap_or_default();
    let mut lines = why.lines().map(str::trim_start);
    let at = lines.find_map(|it| it.strip_prefix("--> "));
    let at = at.map_or_else(String::new, |it| format!(" ({it})"));
    line.trim_start_matches("error: ").to_owned() + &at
}

/// Says that a line of the settings is no key.
pub(crate) fn bad_key(line: &Line) -> SettingsError {
    let line = line.clone();
    SettingsError::new(Fault::BadKey { line: line.text }, line.origin)
}

fn refused(key: &str, origin: &Origin) -> SettingsError {
    let key = key.to_owned();
    SettingsError::new(Fault::NotForBundles { key }, origin.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use belay_bundle::Where;

    #[test]
    fn a_percentage_takes_its_share() {
        let set = |percent: u8| RuleSet {
            name: "new".to_owned(),
            stage: Stage::Observe,
            percent,
            meant: Where::default(),
            settings: String::new(),
            knowledge: Vec::new(),
        };
        let chosen = |percent: u8| {
            let machines = (0..10_000).map(|it| format!("{it:012x}"));
            let set = set(percent);
            machines.filter(|it| is_chosen(&set, Some(it))).count()
        };
        assert_eq!((chosen(0), chosen(100)), (0, 10_000));
        for percent in [1, 10, 50, 90] {
            let off = chosen(percent).abs_diff(usize::from(percent) * 100);
            assert!(off < 200, "{percent} %: off by {off}");
        }
        // Who is among ten percent is among twenty.
        let (ten, twenty) = (set(10), set(20));
        assert!((0..1000).all(|it| {
            let machine = it.to_string();
            !is_chosen(&ten, Some(&machine)) || is_chosen(&twenty, Some(&machine))
        }));
        assert!(is_chosen(&set(100), None));
        assert!(!is_chosen(&set(99), None));
    }
}
