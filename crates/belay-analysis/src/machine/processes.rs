//! Numbers of processes that a program was asked for: they stand for what it was asked by. And what a variable held before this
//! call, in a text around it.

use crate::machine::value::{PROCESS, Text, Val};

/// What stands for the value of a variable of the environment.
const INHERITED: &str = "inherited";

/// Which processes: by what they are chosen, and which one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Processes {
    pub(crate) by: &'static str,
    pub(crate) which: String,
}

impl Processes {
    /// Those that have a port open: `:3000`, `TCP:3000`, `4tcp:3000` name one port, on any host.
    pub(crate) fn of_port(address: &str) -> Option<Self> {
        let (before, port) = address.split_once(':')?;
        let protocol = before.trim_start_matches(['4', '6']);
        let one = !port.is_empty() && port.bytes().all(|it| it.is_ascii_digit());
        let tcp = protocol.is_empty() || protocol.eq_ignore_ascii_case("tcp");
        (one && tcp).then(|| Self {
            by: "port",
            which: format!("{port}/tcp"),
        })
    }

    /// Those whose command lines match.
    pub(crate) fn by_pattern(pattern: &str) -> Self {
        Self {
            by: "pattern",
            which: pattern.to_owned(),
        }
    }

    /// The last job that this shell left in the background.
    pub(crate) fn last_job() -> Self {
        Self {
            by: "job",
            which: "$!".to_owned(),
        }
    }

    /// No processes: what a variable of the environment held before this call. It is all that is not known of a text.
    pub(crate) fn inherited(name: &str) -> Self {
        Self {
            by: INHERITED,
            which: name.to_owned(),
        }
    }

    /// Tells whether it stands for what a variable held.
    pub(crate) fn is_inherited(&self) -> bool {
        self.by == INHERITED
    }

    /// Those whose names match.
    pub(crate) fn by_name(name: &str) -> Self {
        Self {
            by: "name",
            which: name.to_owned(),
        }
    }
}

impl Val {
    /// The number of one of these processes.
    pub(crate) fn number_of(processes: Processes) -> Self {
        Self {
            processes: Some(Box::new(processes)),
            ..Self::glob(PROCESS)
        }
    }

    /// Returns the value where only a part of it may be meant.
    pub(crate) fn taken_apart(mut self) -> Self {
        self.processes = self.processes.filter(|it| !it.is_inherited());
        self
    }

    /// Returns whose numbers it is, if it is a number.
    pub(crate) fn numbers(&self) -> Option<&Processes> {
        self.processes.as_deref().filter(|it| !it.is_inherited())
    }

    /// Returns what this text stands for with another behind it: what stands behind a number makes it another, but for the end
    /// of its line.
    pub(super) fn processes_with(&self, next: &Self) -> Option<Box<Processes>> {
        let known = |fits: fn(&str) -> bool| next.text().is_some_and(fits);
        match (&self.processes, &next.processes) {
            (Some(own), None) if own.is_inherited() => {
                self.processes.clone().filter(|_| self.stays_list(next))
            }
            (None, Some(own)) if own.is_inherited() => {
                next.processes.clone().filter(|_| next.stays_behind(self))
            }
            _ if self.text() == Some("") => next.processes.clone(),
            _ if known(|it| it.is_empty() || it == "\n") => self.processes.clone(),
            _ => None,
        }
    }

    /// Tells whether a list of folders, of which only what a variable held is not known, is one with a text behind it.
    fn stays_list(&self, next: &Self) -> bool {
        let behind = match &self.text {
            Text::Known(_) => return next.text().is_some(),
            Text::Prefix { known, empty } => empty.strip_prefix(known.as_str()),
            Text::Unknown { empty, .. } => Some(empty.as_str()),
            Text::Glob(_) | Text::OneOf(_) => None,
        };
        let ended = behind.is_some_and(|it| it.starts_with(':'));
        next.text()
            .is_some_and(|it| ended || it.is_empty() || it.starts_with(':'))
    }

    /// Tells whether such a list is one with a text before it.
    fn stays_behind(&self, before: &Self) -> bool {
        let begins = match &self.text {
            Text::Known(_) => true,
            Text::Prefix { known, .. } => known.starts_with(':'),
            Text::Glob(_) | Text::Unknown { .. } | Text::OneOf(_) => false,
        };
        // Behind the sign of an assignment nothing of the value stands before it.
        let ends = |it: &str| it.is_empty() || it.ends_with([':', '=']);
        before.text().is_some_and(|it| begins || ends(it))
    }

    /// Returns the folders that a text lists beside those that the variable held before this call; `None` where something else in
    /// it is not known.
    pub(crate) fn beside_inherited(&self, name: &str) -> Option<Vec<String>> {
        let own = |it: &Processes| it.is_inherited() && it.which == name;
        self.processes.as_deref().filter(|it| own(it))?;
        let (before, behind) = match &self.text {
            Text::Known(text) => (text.as_str(), ""),
            Text::Prefix { known, empty } => (
                known.strip_suffix(':')?,
                empty.strip_prefix(known.as_str())?,
            ),
            Text::Unknown { empty, .. } => ("", empty.as_str()),
            Text::Glob(_) | Text::OneOf(_) => return None,
        };
        let behind = match behind {
            "" => "",
            more => more.strip_prefix(':')?,
        };
        let folders = before.split(':').chain(behind.split(':'));
        Some(
            folders
                .filter(|it| !it.is_empty())
                .map(str::to_owned)
                .collect(),
        )
    }
}
