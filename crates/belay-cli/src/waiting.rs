//! A question that waits for an answer at the page, before the agent puts it itself.
//!
//! INVARIANT: off unless a person switched it on. Whatever goes wrong, and every silence, is the question as it would have
//! been put without us; only a person's answer to this very call is another verdict, and it makes no rule.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use belay_agents::{Agent, Env, PersonSaid};
use belay_model::Call;

use crate::hook::Terms;
use crate::judging::Judging;

/// The switch: there, or not.
pub const SWITCH: &str = "daemon/answers";

/// How much longer than the wait the daemon may take to say that nobody answered.
const GRACE: Duration = Duration::from_secs(2);

/// Whose question waits.
pub struct Waiting<'a> {
    /// The agent, which must let us wait.
    pub agent: Agent,
    /// The call in question.
    pub call: &'a Call,
    /// The agent's environment.
    pub env: Env<'a>,
    /// The record of the question.
    pub id: &'a str,
    /// How long the hook may take; the wait is added to it.
    pub terms: &'a Terms,
}

impl Waiting<'_> {
    /// Returns what a person said at the page; nothing where they did not, or were not waited for.
    pub fn answered(&self, judging: &Judging) -> PersonSaid {
        let said = judging.state().and_then(|state| self.said(state));
        match said.as_deref() {
            Some("yes") => PersonSaid::Yes,
            Some("no") => PersonSaid::No,
            Some(_) | None => PersonSaid::Nothing,
        }
    }

    fn said(&self, state: &Path) -> Option<String> {
        fs::symlink_metadata(state.join(SWITCH)).ok()?;
        let half = self.agent.waits(self.call, self.env)? / 2;
        let wait = half.checked_sub(self.terms.elapsed())?;
        let mut daemon = UnixStream::connect(state.join("daemon/socket")).ok()?;
        self.terms.add(wait + GRACE);
        daemon.set_read_timeout(Some(wait + GRACE)).ok()?;
        let body = format!("{} {}", self.id, wait.as_secs());
        let length = body.len();
        let asked = format!("POST /belay/wait HTTP/1.1\r\ncontent-length: {length}\r\n\r\n{body}");
        daemon.write_all(asked.as_bytes()).ok()?;
        let mut text = String::new();
        daemon.take(4096).read_to_string(&mut text).ok()?;
        let (head, said) = text.split_once("\r\n\r\n")?;
        head.starts_with("HTTP/1.1 200 ")
            .then(|| said.trim().to_owned())
    }
}
