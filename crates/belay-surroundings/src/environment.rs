//! What the environment says of tools.
//!
//! INVARIANT: variables are read when a question needs them, and not before: few calls ask.

use std::borrow::Cow;

use belay_knowledge::OURS;

use crate::databases::leaves_database;
use crate::services::steers_services;

/// Variables with their values.
pub type Variables = Vec<(String, String)>;

/// The variables of the environment.
#[derive(Clone, Debug, Default)]
pub enum Environment {
    /// Nobody looked.
    #[default]
    Unseen,
    /// These are all there are.
    Seen(Variables),
    /// Whoever needs them asks for them.
    Asked(fn() -> Variables),
}

impl Environment {
    /// Tells whether a variable leads container tools to another machine, file or project.
    pub(crate) fn steers_services(&self) -> bool {
        let steers = |(name, value): &(String, String)| !value.is_empty() && steers_services(name);
        self.variables().iter().any(steers)
    }

    /// Tells whether a variable says which database the project's tools change, or in which mode.
    pub(crate) fn names_database(&self) -> bool {
        let names = |(name, value): &(String, String)| !leaves_database(name, value);
        self.variables().iter().any(names)
    }

    /// Returns the settings of tools that mean a folder, or say where such are kept; none where nobody looked.
    pub(crate) fn tool_folders(&self) -> Option<Variables> {
        let mut variables = match self {
            Self::Unseen => return None,
            Self::Seen(_) | Self::Asked(_) => self.variables().into_owned(),
        };
        variables.retain(|(name, _)| is_tool_folder(name));
        Some(variables)
    }

    fn variables(&self) -> Cow<'_, [(String, String)]> {
        match self {
            Self::Unseen => Cow::Borrowed(&[]),
            Self::Seen(variables) => Cow::Borrowed(variables),
            Self::Asked(ask) => Cow::Owned(ask()),
        }
    }
}

fn is_tool_folder(name: &str) -> bool {
    let lists = [
        "tool-setting-below",
        "tool-setting-folders",
        "tool-setting-steering",
    ];
    lists.iter().any(|it| OURS.lists(it, name))
}
