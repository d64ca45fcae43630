use std::fmt;
use std::time::Duration;

use belay_model::Call;

use crate::Env;

pub use crate::adapters::Agent;

impl Agent {
    /// Returns the word that names the agent on the command line and in records.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.adapter().name().word
    }

    /// Returns the name people know.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.adapter().name().title
    }

    /// Reads an agent from its word; a few other spellings people type are understood.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        let is_meant = |it: &Self| {
            let name = it.adapter().name();
            name.word == word || name.also.contains(&word)
        };
        Self::ALL.iter().copied().find(is_meant)
    }

    /// Tells whether the real client was run here against this adapter.
    #[must_use]
    pub fn was_run(self) -> bool {
        self.adapter().was_run()
    }

    /// Tells whether the agent can ask a daemon over HTTP.
    #[must_use]
    pub fn asks_daemon(self) -> bool {
        self.adapter().asks_daemon()
    }

    /// Returns how long the host lets a hook of ours take before a tool, as its settings around a call say; `None` where no
    /// real client was seen to wait, or nothing can be read.
    #[must_use]
    pub fn waits(self, call: &Call, env: Env<'_>) -> Option<Duration> {
        self.adapter().waits(call, env)
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
