//! What is fixed when an agent is connected.

use std::path::{Path, PathBuf};

use belay_model::LEADING;

use crate::Places;
use crate::load::{Bundles, SHARED};

/// The paths that a registration carries. An agent's environment can be written by the repository it
/// works in, so nothing there moves them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anchor {
    /// The user's settings; without it, the usual file below the home folder.
    pub settings: Option<PathBuf>,
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// Our own folder; without it, the usual one below the home folder.
    pub state: Option<PathBuf>,
}

/// How variables of the environment are asked: by name.
type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Places {
    /// Finds the places from an anchor alone.
    #[must_use]
    pub fn anchored(anchor: &Anchor) -> Self {
        let home = anchor.home.clone().filter(|it| it.is_absolute());
        let below_home = |it: &str| home.as_ref().map(|home| home.join(it));
        let usual = below_home(".config/belay/config.toml");
        let absolute = |it: &Option<PathBuf>| it.clone().filter(|it| it.is_absolute());
        let user = absolute(&anchor.settings).or(usual);
        let beside = user.as_deref().filter(|it| is_usual(it));
        Self {
            managed: Some(PathBuf::from("/etc/belay/config.toml")),
            user_named: user.as_deref().is_some_and(|it| !is_usual(it)),
            knowledge: beside
                .map(|it| it.with_file_name("knowledge"))
                .or_else(|| below_home(".config/belay/knowledge")),
            user,
            project_root: None,
            shared: Some(PathBuf::from(SHARED)),
            bundles: Bundles::Count,
            agent: None,
            state_dir: absolute(&anchor.state).or_else(|| below_home(".local/state/belay")),
            home,
            overrides: Vec::new(),
        }
    }

    /// Returns the anchor that leads here.
    #[must_use]
    pub fn anchor(&self) -> Anchor {
        Anchor {
            settings: self.user.clone(),
            home: self.home.clone(),
            state: self.state_dir.clone(),
        }
    }
}

/// A file of that name need not be there, and the user's knowledge lies beside it.
fn is_usual(path: &Path) -> bool {
    path.ends_with("belay/config.toml")
}

/// Returns the variables that would lead elsewhere than the anchor: each alone, with its value.
#[must_use]
pub fn planted(anchor: &Anchor, variables: Variables<'_>) -> Vec<(&'static str, String)> {
    let fixed = Places::anchored(anchor);
    let home = fixed.home.as_ref().and_then(|it| it.to_str());
    let leads = |name: &&'static str| {
        let value = variables(name).filter(|it| !it.is_empty())?;
        let alone = |asked: &str| match asked {
            _ if asked == *name => Some(value.clone()),
            "HOME" => home.map(str::to_owned),
            _ => None,
        };
        let led = Places::usual(&alone);
        let same = match *name {
            "HOME" => led.home == fixed.home,
            "BELAY_CONFIG" | "XDG_CONFIG_HOME" => led.user == fixed.user,
            _ => led.state_dir == fixed.state_dir,
        };
        (!same).then_some((*name, value))
    };
    LEADING.iter().filter_map(leads).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchor() -> Anchor {
        Anchor {
            settings: Some("/h/.config/belay/config.toml".into()),
            home: Some("/h".into()),
            state: Some("/h/.local/state/belay".into()),
        }
    }

    #[test]
    fn an_anchor_leads_where_the_variables_led() {
        for set in [
            vec![("HOME", "/h")],
            vec![("HOME", "/h"), ("XDG_CONFIG_HOME", "/x")],
            vec![("HOME", "/h"), ("XDG_STATE_HOME", "/x")],
            vec![("HOME", "/h"), ("BELAY_CONFIG", "/x/mine.toml")],
            vec![("HOME", "/h"), ("BELAY_STATE", "/x")],
        ] {
            let value = |name: &str| {
                let found = set.iter().find(|(it, _)| *it == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            let usual = Places::usual(&value);
            let anchored = Places::anchored(&usual.anchor());
            assert_eq!(anchored, usual, "{set:?}");
        }
    }

    #[test]
    fn a_home_is_enough() {
        let alone = Anchor {
            home: Some("/h".into()),
            ..Anchor::default()
        };
        assert_eq!(Places::anchored(&alone), Places::anchored(&anchor()));
        assert_eq!(Places::anchored(&Anchor::default()).user, None);
    }

    #[test]
    fn what_leads_elsewhere_is_planted() {
        let check = |name: &'static str, value: &str, wanted: bool| {
            let variables = |it: &str| (it == name).then(|| value.to_owned());
            let found = planted(&anchor(), &variables);
            assert_eq!(!found.is_empty(), wanted, "{name}={value}: {found:?}");
        };
        check("BELAY_CONFIG", "/repo/off.toml", true);
        check("BELAY_CONFIG", "/h/.config/belay/config.toml", false);
        check("BELAY_STATE", "/repo", true);
        check("XDG_CONFIG_HOME", "/repo", true);
        check("XDG_CONFIG_HOME", "/h/.config", false);
        check("XDG_STATE_HOME", "/repo", true);
        check("HOME", "/repo", true);
        check("HOME", "/h", false);
        check("HOME", "", false);
        check("PATH", "/repo", false);
    }
}
