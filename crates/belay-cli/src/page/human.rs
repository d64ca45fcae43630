//! Whether a person asks, as far as processes tell: the caller has a terminal, and no agent is among its ancestors.

use std::fs;

use belay_agents::Agent;
use belay_agents::doctor::recipes;

/// Variables that agents set for what they run.
const MARKS: [&str; 4] = [
    "CLAUDECODE=",
    "CODEX_SANDBOX=",
    "GEMINI_CLI=",
    "CURSOR_AGENT=",
];

/// So many ancestors are looked at.
const FAR: usize = 64;

/// Tells whether the caller may be a person at a terminal; else why not.
pub fn is_a_person(caller: i32) -> Result<(), String> {
    // Tests of the debug build have no person; whoever runs them may be an agent.
    if cfg!(debug_assertions) && std::env::var_os("BELAY_TEST_PERSON").is_some() {
        return Ok(());
    }
    let mut at = caller;
    for step in 0..FAR {
        let Some(process) = Process::read(at) else {
            return Err("belay cannot tell who is asking".to_owned());
        };
        if step == 0 && process.terminal == 0 {
            return Err("there is no terminal".to_owned());
        }
        if let Some(agent) = process.agent() {
            return Err(format!("an agent asks: `{agent}` started this"));
        }
        if process.parent <= 1 {
            return Ok(());
        }
        at = process.parent;
    }
    Err("belay cannot tell who is asking".to_owned())
}

/// What `/proc` says of a process.
struct Process {
    parent: i32,
    terminal: i64,
    names: Vec<String>,
    marked: bool,
}

impl Process {
    fn read(id: i32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name stands in brackets and may hold anything.
        let (head, rest) = stat.rsplit_once(')')?;
        let mut fields = rest.split_whitespace().skip(1);
        let parent = fields.next()?.parse().ok()?;
        let terminal = fields.nth(2)?.parse().ok()?;
        let mut names = vec![head.split_once('(')?.1.to_owned()];
        let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        // A script's name comes after its interpreter's.
        let words = line.split(|it| *it == 0).take(3);
        names.extend(words.map(|it| String::from_utf8_lossy(it).into_owned()));
        let variables = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        let mut variables = variables.split(|it| *it == 0);
        let marked = variables.any(|it| MARKS.iter().any(|mark| it.starts_with(mark.as_bytes())));
        Some(Self {
            parent,
            terminal,
            names,
            marked,
        })
    }

    fn agent(&self) -> Option<String> {
        let programs = || Agent::ALL.iter().filter_map(|it| recipes::program(*it));
        let named = self.names.iter().find(|name| {
            let last = name.rsplit('/').next().unwrap_or_default();
            let stem = last.split('.').next().unwrap_or_default();
            let folders = name.split('/');
            programs().any(|it| it == stem || folders.clone().any(|folder| folder == it))
        });
        match named {
            Some(name) => Some(name.clone()),
            None => self
                .marked
                .then(|| self.names.first().cloned().unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(names: &[&str]) -> Process {
        Process {
            parent: 1,
            terminal: 1,
            names: names.iter().map(|it| (*it).to_owned()).collect(),
            marked: false,
        }
    }

    #[test]
    fn agents_are_known_by_their_programs() {
        assert!(process(&["claude"]).agent().is_some());
        assert!(
            process(&["node", "node", "/opt/lib/node_modules/codex/bin/codex.js"])
                .agent()
                .is_some()
        );
        assert!(process(&["bash", "-bash"]).agent().is_none());
        let marked = Process {
            marked: true,
            ..process(&["sh"])
        };
        assert!(marked.agent().is_some());
    }
}
