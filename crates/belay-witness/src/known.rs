//! What programs do besides what they are told, known and harmless by name.

use serde::Deserialize;

use belay_oracle::cover::{absolute, matches};

use crate::acts::Act;

const TEXT: &str = include_str!("../known.toml");

/// What is known.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    writes: Vec<Entry>,
    reads: Vec<Entry>,
    runs: Vec<Entry>,
    calls: Vec<Caller>,
    listens: Vec<Caller>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    paths: Vec<String>,
    #[serde(default)]
    by: Vec<String>,
    #[expect(dead_code, reason = "read by whoever reads the file")]
    reason: String,
}

/// Programs that call somebody, or wait for an answer, whatever they are told.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Caller {
    by: Vec<String>,
    #[expect(dead_code, reason = "read by whoever reads the file")]
    reason: String,
}

impl Known {
    /// Reads the list.
    ///
    /// # Errors
    /// When it is no such list.
    pub fn read() -> Result<Self, String> {
        toml::from_str(TEXT).map_err(|why| format!("known.toml: {why}"))
    }

    /// Tells whether an act of a program is one that it always does.
    #[must_use]
    pub fn holds(&self, act: &Act, line: &str, program: &str) -> bool {
        match act {
            Act::Write(path) | Act::Delete(path) => {
                has(&self.writes, path, line, program) || is_scratch(path, line)
            }
            Act::Read(path) => has(&self.reads, path, line, program),
            Act::Run(path) => has(&self.runs, path, line, program),
            Act::Connect(_) => names(&self.calls, line, program),
            Act::Listen(_) => names(&self.listens, line, program),
        }
    }
}

fn names(callers: &[Caller], line: &str, program: &str) -> bool {
    callers.iter().any(|it| is_by(&it.by, line, program))
}

/// Tells whether somebody is named, as a program or by the words that a line begins with.
fn is_by(by: &[String], line: &str, program: &str) -> bool {
    let begins = |it: &String| {
        let rest = line.strip_prefix(it.as_str());
        it.contains(' ') && rest.is_some_and(|it| it.is_empty() || it.starts_with(' '))
    };
    by.iter().any(|it| it == program || begins(it))
}

fn has(entries: &[Entry], path: &str, line: &str, program: &str) -> bool {
    let fits = |pattern: &String| {
        let pattern = absolute(pattern);
        let folder = pattern.strip_suffix("/**");
        let above = folder.is_some_and(|it| it == path || it.starts_with(&format!("{path}/")));
        matches(&pattern, path, false) || above
    };
    entries
        .iter()
        .any(|it| (it.by.is_empty() || is_by(&it.by, line, program)) && it.paths.iter().any(fits))
}

/// Tells whether a path is a temporary file that the line does not name.
fn is_scratch(path: &str, line: &str) -> bool {
    let name = path
        .strip_prefix("/tmp/")
        .or_else(|| path.strip_prefix("/var/tmp/"));
    let first = name.and_then(|it| it.split('/').next());
    first.is_some_and(|it| !line.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_are_known_and_named_files_are_not() {
        let known = Known::read().unwrap_or_default();
        let write = |path: &str| Act::Write(path.to_owned());
        assert!(known.holds(&write("/home/dev/.cache/x/y"), "x", "x"));
        assert!(known.holds(&write("/tmp/abc"), "sort a", "sort"));
        assert!(!known.holds(&write("/tmp/made"), "sort -o /tmp/made", "sort"));
        assert!(!known.holds(&write("/home/dev/.bashrc"), "x", "x"));
        let secret = Act::Read("/home/dev/.netrc".to_owned());
        assert!(known.holds(&secret, "curl x", "curl"));
        assert!(!known.holds(&secret, "cat x", "cat"));
        let own = Act::Read("/home/dev/p/.env".to_owned());
        assert!(known.holds(&own, "git add -n .", "git"));
        assert!(!known.holds(&own, "git addx", "git"));
        let python = "/home/dev/.local/share/hatch/env/virtual/p/x/p/bin/python";
        let run = Act::Run(python.to_owned());
        assert!(known.holds(&run, "hatch run x", "hatch"));
        assert!(!known.holds(&run, "sh -c x", "sh"));
    }
}
