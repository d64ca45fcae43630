//! How long a host lets a hook of ours take, as its own settings say where we are registered.
//!
//! INVARIANT: the shortest time that any registration of ours names counts, and where none can be read there is none: a
//! host that stops waiting may run the call.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use belay_journal::json;
use belay_model::{Call, Value};

use crate::Agent;
use crate::install::is_ours;

/// No agent's settings are longer.
const MOST_BYTES: u64 = 1 << 20;

/// Where registrations stand, and how they tell the time.
pub(crate) struct Registered<'a> {
    pub(crate) agent: Agent,
    /// The event before a tool.
    pub(crate) event: &'a str,
    /// The member that holds the time, and how much one of it is.
    pub(crate) time: &'a str,
    pub(crate) unit: Duration,
}

impl Registered<'_> {
    /// Returns the shortest time-out among those of our hooks in these files.
    pub(crate) fn in_files(&self, files: &[PathBuf]) -> Option<Duration> {
        files.iter().filter_map(|it| self.in_file(it)).min()
    }

    fn in_file(&self, path: &Path) -> Option<Duration> {
        let about = fs::metadata(path).ok()?;
        let fits = about.is_file() && about.len() <= MOST_BYTES;
        let settings = json::read(&fits.then(|| fs::read(path).ok()).flatten()?).ok()?;
        let items = settings.get("hooks")?.get(self.event)?;
        self.shortest(items)
    }

    /// Goes through items, and through the groups that some hosts part them into.
    fn shortest(&self, items: &Value) -> Option<Duration> {
        let Value::Array(items) = items else {
            return None;
        };
        let one = |item: &Value| match item.get("hooks") {
            Some(inner) => self.shortest(inner),
            None => is_ours(self.agent, &json::compact(item)).then(|| self.time_of(item)),
        };
        items.iter().filter_map(one).min()
    }

    fn time_of(&self, item: &Value) -> Duration {
        match item.get(self.time) {
            Some(Value::Number(number)) => {
                let count = number.parse::<u32>().unwrap_or(0);
                self.unit.saturating_mul(count)
            }
            // How long a host waits by itself is its own affair, and changes.
            Some(_) | None => Duration::ZERO,
        }
    }
}

/// Returns a file of settings in every folder of this name around a call: at home and in the project.
pub(crate) fn around(call: &Call, name: &str) -> Vec<PathBuf> {
    let homes = call.home.iter().chain(&call.env_home);
    let places = homes.chain(&call.project_roots).chain([&call.cwd]);
    let mut files: Vec<PathBuf> = places.map(|it| Path::new(it).join(name)).collect();
    files.retain(|it| it.is_absolute());
    files.sort_unstable();
    files.dedup();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(settings: &str) -> Option<u64> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("settings.json");
        fs::write(&file, settings).unwrap();
        let registered = Registered {
            agent: Agent::ClaudeCode,
            event: "PreToolUse",
            time: "timeout",
            unit: Duration::from_secs(1),
        };
        registered.in_files(&[file]).map(|it| it.as_secs())
    }

    #[test]
    fn the_shortest_time_of_ours_counts() {
        let ours = |time: &str| {
            format!(r#"{{"hooks":[{{"command":"/x/belay hook claude-code"{time}}}]}}"#)
        };
        let all =
            |items: &[String]| format!(r#"{{"hooks":{{"PreToolUse":[{}]}}}}"#, items.join(","));
        let other = r#"{"hooks":[{"command":"guard","timeout":3}]}"#.to_owned();
        assert_eq!(found(&all(&[ours(r#","timeout":60"#)])), Some(60));
        assert_eq!(
            found(&all(&[
                ours(r#","timeout":60"#),
                ours(r#","timeout":8"#),
                other.clone()
            ])),
            Some(8)
        );
        assert_eq!(found(&all(&[ours("")])), Some(0));
        assert_eq!(found(&all(&[ours(r#","timeout":"x""#)])), Some(0));
        assert_eq!(found(&all(&[ours(r#","timeout":0.5"#)])), Some(0));
        assert_eq!(found(&all(&[other])), None);
        assert_eq!(found("{"), None);
        assert_eq!(found("{}"), None);
    }
}
