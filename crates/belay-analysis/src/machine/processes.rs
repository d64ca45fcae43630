//! Numbers of processes that a program was asked for: they stand for what it was asked by.

use crate::machine::value::{PROCESS, Val};

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
}
