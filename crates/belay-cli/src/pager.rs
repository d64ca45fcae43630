//! Long answers on a terminal go through the person's pager; whatever is piped never does.

use std::io::{self, IsTerminal};
use std::process::{Child, ChildStdin, Command, Stdio};

use crate::places::variable;

/// A pager that shows what is written to it.
pub struct Pager {
    child: Child,
}

impl Pager {
    /// Starts the pager, if a person looks and wants one: `PAGER` names it, and is empty for none.
    pub fn start() -> Option<(ChildStdin, Self)> {
        if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
            return None;
        }
        let named = variable("PAGER").unwrap_or_else(|| "less -FRX".to_owned());
        let mut words = named.split_whitespace();
        let program = words.next()?;
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::piped());
        if variable("LESS").is_none() {
            // Less steps back where the answer fits on the screen, shows colours, and leaves the text there.
            command.env("LESS", "FRX");
        }
        // One that cannot be started is none.
        let mut child = command.spawn().ok()?;
        let input = child.stdin.take()?;
        Some((input, Self { child }))
    }

    /// Waits until the person has seen enough.
    pub fn wait(mut self) {
        drop(self.child.wait());
    }
}
