//! What flows through standard input and output.

use belay_model::Carries;

use crate::machine::value::Val;

/// Data on its way from one command to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stream {
    /// The text, when it is known: one value, perhaps of several lines.
    pub(crate) text: Option<Val>,
    /// What is in it.
    pub(crate) carries: Carries,
    /// When it is a list of file names: what they look like.
    pub(crate) paths: Vec<Val>,
}

impl Stream {
    /// Nobody writes to it: the terminal, or an agent that may type later.
    pub(crate) fn terminal() -> Self {
        Self::default()
    }

    /// Nothing comes.
    pub(crate) fn nothing() -> Self {
        Self::of(Val::known(""))
    }

    /// A known text, or a value.
    pub(crate) fn of(val: Val) -> Self {
        Self {
            carries: val.carries,
            text: Some(val),
            paths: Vec::new(),
        }
    }

    /// Text nobody can know, of which only the labels are known.
    pub(crate) const fn labelled(carries: Carries) -> Self {
        Self {
            text: None,
            carries,
            paths: Vec::new(),
        }
    }

    /// Names of files.
    pub(crate) const fn listing(paths: Vec<Val>) -> Self {
        Self {
            text: None,
            carries: Carries::NOTHING,
            paths,
        }
    }

    /// What comes out when another stream follows this one.
    pub(crate) fn then(self, next: Self) -> Self {
        let silent = |it: &Self| it.text.as_ref().is_some_and(|text| text.text() == Some(""));
        if silent(&self) {
            return next;
        }
        if silent(&next) {
            return self;
        }
        let text = match (self.text, &next.text) {
            (Some(a), Some(b)) => Some(a.then(&Val::known("\n")).then(b)),
            (Some(_), None) | (None, _) => None,
        };
        let listed = !self.paths.is_empty() && !next.paths.is_empty();
        let mut paths = self.paths;
        if listed {
            paths.extend(next.paths)
        } else {
            paths.clear()
        }
        Self {
            text,
            carries: self.carries.and(next.carries),
            paths,
        }
    }

    /// Returns the value that `$( )` makes of it: final line ends are cut.
    pub(crate) fn captured(&self) -> Val {
        match (&self.text, self.paths.as_slice()) {
            (Some(val), _) => match val.text() {
                Some(text) => Val::known(text.trim_end_matches('\n')).carrying(val.carries),
                None => val.clone(),
            },
            (None, [path]) => path.clone(),
            (None, _) => Val::unknown().carrying(self.carries),
        }
    }
}
