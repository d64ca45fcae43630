//! Where we stand when an agent calls us: fixed by its registration, whatever its environment says.
//!
//! INVARIANT: once dropped, the anchor holds for the whole process. A person's own commands drop
//! none, and follow their environment.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use belay_model::{Call, Trouble, TroubleKind};
use belay_settings::{Anchor, Places, planted};
use clap::Args;
use nix::unistd::{Uid, User};

use crate::places::variable;

static ANCHOR: OnceLock<Anchor> = OnceLock::new();

/// Where settings, home and state are, for what agents start.
#[derive(Args, Clone, Debug, Default)]
pub struct AnchorArgs {
    /// The user's settings, whatever the environment says.
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
    /// The user's home folder, whatever the environment says; without it, the user database is asked.
    #[arg(long, value_name = "DIR")]
    pub home: Option<PathBuf>,
    /// The folder for journal, memory and trust, whatever the environment says.
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,
}

impl AnchorArgs {
    /// Reads the words after the agent's name; the hook has no time for more.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let mut args = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (word.as_str(), words.next().cloned()),
            };
            let place = match name {
                "--settings" => &mut args.settings,
                "--home" => &mut args.home,
                "--state" => &mut args.state,
                _ => return Err(format!("`belay hook` has no option `{name}`")),
            };
            let path = value.map(|it| plain(&it)).filter(|it| it.is_absolute());
            let path = path.ok_or_else(|| format!("`{name}` needs an absolute path"))?;
            if place.replace(path).is_some() {
                return Err(format!("`{name}` is given twice"));
            }
        }
        Ok(args)
    }

    /// Fixes the paths for the rest of the process.
    pub fn drop_anchor(&self) {
        let home = self.home.clone().or_else(home_of_user);
        let _ = ANCHOR.set(Anchor {
            settings: self.settings.clone(),
            home,
            state: self.state.clone(),
        });
    }

    /// Tells whether any path is named.
    pub const fn is_given(&self) -> bool {
        self.settings.is_some() || self.home.is_some() || self.state.is_some()
    }

    /// Returns the words that fix the same paths in another process.
    pub fn words(&self) -> Vec<String> {
        let named = [
            ("--settings", &self.settings),
            ("--home", &self.home),
            ("--state", &self.state),
        ];
        let given = |(name, path): (&str, &Option<PathBuf>)| {
            let path = path.as_ref()?;
            Some([name.to_owned(), path.display().to_string()])
        };
        named.into_iter().filter_map(given).flatten().collect()
    }
}

/// Returns where settings are looked for: by the anchor, or for a person by the environment.
pub fn places() -> Places {
    let places = match ANCHOR.get() {
        Some(anchor) => Places::anchored(anchor),
        None => Places::usual(&variable),
    };
    managed_for_tests(places)
}

/// Lets tests play the machine's owner; the release build knows one owner only.
#[cfg(debug_assertions)]
fn managed_for_tests(places: Places) -> Places {
    match variable("BELAY_TEST_MANAGED") {
        Some(file) => Places {
            managed: Some(file.into()),
            shared: None,
            ..places
        },
        None => places,
    }
}

#[cfg(not(debug_assertions))]
const fn managed_for_tests(places: Places) -> Places {
    places
}

/// Returns the user's home folder.
pub fn home() -> Option<String> {
    match ANCHOR.get() {
        Some(anchor) => anchor.home.as_ref()?.to_str().map(str::to_owned),
        None => variable("HOME"),
    }
    .filter(|it| it.starts_with('/'))
}

/// Reads a variable as an adapter may see it: the home folder is ours to say.
pub fn seen(name: &str) -> Option<String> {
    match name {
        "HOME" => home(),
        _ => variable(name),
    }
}

/// Gives a call the home folder that is fixed, and the other one that `~` may mean.
pub fn grounded(call: &mut Call, env_home: Option<String>) {
    if ANCHOR.get().is_none() {
        return;
    }
    if call.home.is_none() {
        call.home = home();
    }
    let same = |it: &str| call.home.as_deref().map(plain) == Some(plain(it));
    let other = env_home.filter(|it| it.starts_with('/') && !same(it));
    call.env_home = other;
}

/// Leaves out doubled and trailing slashes.
fn plain(path: &str) -> PathBuf {
    Path::new(path).components().collect()
}

/// Says for the record which variables tried to lead elsewhere.
pub fn planted_notes() -> Vec<Trouble> {
    let Some(anchor) = ANCHOR.get() else {
        return Vec::new();
    };
    let found = planted(anchor, &variable);
    let note = |(name, value): (&str, String)| {
        let what = format!("`{name}` in the environment points to `{value}`; belay ignores it");
        Trouble::new(TroubleKind::Note, what)
    };
    found.into_iter().map(note).collect()
}

/// Asks the user database. The file comes first: what is read of it needs no library that a static
/// program lacks.
fn home_of_user() -> Option<PathBuf> {
    let uid = Uid::current();
    let text = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let named = text.lines().find_map(|line| {
        let mut fields = line.split(':').skip(2);
        let is_ours = fields.next()?.parse() == Ok(uid.as_raw());
        is_ours.then(|| fields.nth(2).map(PathBuf::from)).flatten()
    });
    let known = || User::from_uid(uid).ok().flatten().map(|it| it.dir);
    named.or_else(known).filter(|it| it.is_absolute())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn the_words_of_a_registration() {
        let read = |text: &str| AnchorArgs::read(&words(text)).map(|it| it.words());
        let all = "--settings /s --home /h --state /t";
        assert_eq!(read(all), Ok(words(all)));
        assert_eq!(read("--home=/h"), Ok(words("--home /h")));
        assert_eq!(read(""), Ok(Vec::new()));
        for wrong in [
            "--home",
            "--home h",
            "--homes /h",
            "/h",
            "--home /a --home /b",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_user_database_knows_us() {
        assert!(home_of_user().is_some());
    }
}
