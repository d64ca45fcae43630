//! The bundles that were fetched: the one in force, the one before, and how the last fetch went.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use belay_bundle::{Accepted, Flaw, Key, MOST_BYTES, Parcel, open, stamp, stored, to_store};
use belay_store::Lasts;
use serde::{Deserialize, Serialize};

use super::sound;
use crate::load::read_file;
use crate::store::{Store, StoreError};
use crate::{Fault, Origin, Places, SettingsError, Source};

/// The folder below our own.
const FOLDER: &str = "fleet";
/// The bundle in force.
const CURRENT: &str = "current.bundle";
/// The one before: what holds where the other is broken.
const PREVIOUS: &str = "previous.bundle";
/// How the last fetch went.
const PULLED: &str = "pulled.json";
/// The most bytes of a stored bundle, its signature included.
const MOST_STORED: u64 = (MOST_BYTES + (32 << 10)) as u64;

/// How the last fetch went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pulled {
    /// The `ETag` of the bundle in force.
    pub etag: Option<String>,
    /// When the bundle in force was last known to be the newest, in seconds since 1970.
    pub at: Option<u64>,
    /// What was refused since.
    pub refused: Option<Refused>,
}

/// A bundle that was refused, or could not be fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// Why.
    pub why: String,
    /// When, in seconds since 1970.
    pub at: u64,
}

/// Where who fetches keeps bundles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
    readers: Readers,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Readers {
    /// The user alone.
    Owner,
    /// Everybody on the machine: a policy is no secret.
    Everybody,
}

/// A bundle as it came from a server.
#[derive(Clone, Copy, Debug)]
pub struct Arrived<'a> {
    /// The bundle and its signature.
    pub parcel: Parcel<'a>,
    /// The server's name for it.
    pub etag: Option<&'a str>,
    /// The time, in seconds since 1970.
    pub now: u64,
}

impl Cache {
    /// Returns where bundles are kept: for everybody when root fetches them, else for one user.
    #[must_use]
    pub fn of(places: &Places, is_root: bool) -> Option<Self> {
        let (above, readers) = match &places.shared {
            Some(shared) if is_root => (shared, Readers::Everybody),
            Some(_) | None => (places.state_dir.as_ref()?, Readers::Owner),
        };
        let folder = above.join(FOLDER);
        Some(Self { folder, readers })
    }

    /// Returns how the last fetch went.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn pulled(&self) -> Result<Pulled, StoreError> {
        pulled(&self.folder)
    }

    /// Returns the bundle in force.
    #[must_use]
    pub fn in_force(&self, keys: &[Key]) -> Option<Accepted> {
        let names = [CURRENT, PREVIOUS].into_iter();
        let mut opened = names.filter_map(|it| opened(&self.folder.join(it), keys).ok().flatten());
        opened.next().map(|it| it.accepted)
    }

    /// Takes a bundle into force, if everything about it is as it must be.
    ///
    /// # Errors
    /// Says why the bundle before stays in force.
    pub fn receive(&self, keys: &[Key], arrived: &Arrived<'_>) -> Result<Accepted, String> {
        let accepted = self.examined(keys, arrived).map_err(|it| it.to_string())?;
        let folder = self.folder.display();
        let failed = |why: io::Error| format!("cannot write to `{folder}`: {why}");
        self.make().map_err(failed)?;
        let current = self.folder.join(CURRENT);
        let text = to_store(arrived.parcel);
        let before = fs::read(&current).ok().filter(|it| *it != text);
        // Only what still holds may come back.
        let before = before.filter(|_| matches!(opened(&current, keys), Ok(Some(_))));
        if let Some(before) = before {
            self.replace(PREVIOUS, &before).map_err(failed)?;
        }
        self.replace(CURRENT, &text).map_err(failed)?;
        let pulled = Pulled {
            etag: arrived.etag.map(str::to_owned),
            at: Some(arrived.now),
            refused: None,
        };
        self.remember(&pulled).map_err(|it| it.to_string())?;
        Ok(accepted)
    }

    fn examined(&self, keys: &[Key], arrived: &Arrived<'_>) -> Result<Accepted, Flaw> {
        let accepted = open(arrived.parcel, keys)?;
        accepted.may_follow(self.in_force(keys).as_ref(), arrived.now)?;
        accepted.bundle.sets.iter().try_for_each(sound)?;
        Ok(accepted)
    }

    /// Writes down that the bundle in force is still the newest.
    ///
    /// # Errors
    /// When our folder cannot be written.
    pub fn renew(&self, now: u64) -> Result<(), StoreError> {
        let pulled = Pulled {
            at: Some(now),
            refused: None,
            ..self.pulled()?
        };
        self.remember(&pulled)
    }

    /// Writes down why there is no new bundle.
    ///
    /// # Errors
    /// When our folder cannot be written.
    pub fn refuse(&self, refused: Refused) -> Result<(), StoreError> {
        let pulled = Pulled {
            refused: Some(refused),
            ..self.pulled().unwrap_or_default()
        };
        self.remember(&pulled)
    }

    fn remember(&self, pulled: &Pulled) -> Result<(), StoreError> {
        let failed = |cause: String| StoreError {
            path: self.folder.join(PULLED),
            cause,
        };
        let text = serde_json::to_string_pretty(pulled).map_err(|it| failed(it.to_string()))?;
        let made = self.make();
        let written = made.and_then(|()| self.replace(PULLED, text.as_bytes()));
        written.map_err(|it| failed(it.to_string()))
    }

    fn make(&self) -> io::Result<()> {
        if self.folder.is_dir() {
            return Ok(());
        }
        belay_store::make_folder(&self.folder)?;
        let above = self.folder.parent();
        for folder in above.into_iter().chain([self.folder.as_path()]) {
            self.open_to_readers(folder, 0o755)?;
        }
        Ok(())
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.folder.join(name);
        belay_store::replace(&path, bytes, Lasts::ThroughCrashes)?;
        self.open_to_readers(&path, 0o644)
    }

    #[cfg(unix)]
    fn open_to_readers(&self, path: &Path, mode: u32) -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        match self.readers {
            Readers::Owner => Ok(()),
            Readers::Everybody => fs::set_permissions(path, fs::Permissions::from_mode(mode)),
        }
    }

    #[cfg(not(unix))]
    const fn open_to_readers(&self, _: &Path, _: u32) -> io::Result<()> {
        Ok(())
    }
}

fn pulled(folder: &Path) -> Result<Pulled, StoreError> {
    Store::new(folder, PULLED).read()
}

/// Tells whether a place is root's, and nobody else may change it.
#[cfg(unix)]
fn is_roots(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::symlink_metadata(path).is_ok_and(|it| it.uid() == 0 && it.mode() & 0o022 == 0)
}

#[cfg(not(unix))]
const fn is_roots(_: &Path) -> bool {
    false
}

/// A stored bundle whose signature holds.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) accepted: Accepted,
    pub(super) at: Option<u64>,
    pub(super) print: String,
}

/// What was found of bundles.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub(super) opened: Option<Opened>,
    pub(super) file: Option<PathBuf>,
    pub(super) troubles: Vec<String>,
    pub(super) error: Option<SettingsError>,
}

/// Finds the bundle in force: what root keeps for everybody goes before what the user keeps.
pub(super) fn kept(places: &Places, keys: &[Key]) -> Kept {
    let shared = places.shared.as_ref().map(|it| it.join(FOLDER));
    let shared = shared.filter(|it| is_roots(it) && it.join(CURRENT).symlink_metadata().is_ok());
    let own = places.state_dir.as_ref().map(|it| it.join(FOLDER));
    let Some(folder) = shared.or(own) else {
        return Kept::default();
    };
    let mut kept = Kept::default();
    let mut broken = None;
    for name in [CURRENT, PREVIOUS] {
        let path = folder.join(name);
        match opened(&path, keys) {
            Ok(Some(opened)) => {
                kept.opened = Some(opened);
                kept.file = Some(path);
                break;
            }
            Ok(None) => {}
            Err(why) => {
                broken.get_or_insert((path, why));
            }
        }
    }
    kept.told(&folder, broken)
}

impl Kept {
    fn told(mut self, folder: &Path, broken: Option<(PathBuf, String)>) -> Self {
        let pulled = pulled(folder).unwrap_or_default();
        let serial = self.opened.as_ref().map(|it| it.accepted.seal.serial);
        match (&mut self.opened, broken) {
            (Some(opened), None) => opened.at = pulled.at,
            (Some(opened), Some((path, why))) => self.troubles.push(format!(
                "`{}` cannot be used: {why}; bundle {} from before it is in force",
                path.display(),
                opened.accepted.seal.serial
            )),
            (None, Some((path, why))) => {
                let origin = Origin::of(Source::Managed, &path.display().to_string());
                self.error = Some(SettingsError::new(Fault::BadBundle(why), origin));
            }
            (None, None) => self.troubles.push(NONE_YET.to_owned()),
        }
        let stays = serial.map_or_else(String::new, |it| format!("; bundle {it} stays in force"));
        if let Some(refused) = &pulled.refused {
            let at = stamp(refused.at);
            let why = &refused.why;
            self.troubles
                .push(format!("no new bundle since {at}: {why}{stays}"));
        }
        let until = self.opened.as_ref().map(|it| it.accepted.seal.not_after);
        if let Some(until) = until.filter(|it| *it < now()) {
            let at = stamp(until);
            self.troubles
                .push(format!("the bundle expired on {at}{stays}"));
        }
        self
    }
}

const NONE_YET: &str = "no bundle was fetched yet: the managed settings apply without one; `belay fleet pull` fetches it";

fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map(|it| it.as_secs()).unwrap_or_default()
}

/// Opens a stored bundle, if it is there.
fn opened(path: &Path, keys: &[Key]) -> Result<Option<Opened>, String> {
    let Some(text) = read_file(path, MOST_STORED).map_err(|it| it.to_string())? else {
        return Ok(None);
    };
    let parcel = stored(text.as_bytes()).ok_or_else(|| Flaw::NoSignature.to_string())?;
    let accepted = open(parcel, keys).map_err(|it| it.to_string())?;
    Ok(Some(Opened {
        accepted,
        at: None,
        print: String::from_utf8_lossy(parcel.signature).into_owned(),
    }))
}
