//! What became of a call: a line of its own, linked to the record by the agent's own name of the call.

use crate::calendar::Moment;
use crate::{linked, text};

const KIND: &str = "outcome";

/// What became of a call in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The session of the call.
    pub session: String,
    /// The agent's own name of the call.
    pub call: String,
    /// When it became known.
    pub at: Moment,
    /// What became of it: `ran`, `failed` or `refused`.
    pub what: String,
}

impl Outcome {
    /// Returns the line, its end included; secrets redacted.
    #[must_use]
    pub fn line(&self) -> String {
        let members = linked::begin(KIND)
            .text("session", &self.session)
            .text("call", &self.call)
            .text("at", &self.at.stamp())
            .text("what", &self.what);
        linked::line(members)
    }

    /// Reads a line; nothing when it is not an outcome.
    #[must_use]
    pub fn read(line: &[u8]) -> Option<Self> {
        let value = linked::read(line, KIND)?;
        Some(Self {
            session: text(&value, "session")?,
            call: text(&value, "call")?,
            at: Moment::parse(&text(&value, "at")?)?,
            what: text(&value, "what")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answered, Record};

    #[test]
    fn an_outcome_reads_back_and_is_nothing_else() {
        let outcome = Outcome {
            session: "s".to_owned(),
            call: "t1".to_owned(),
            at: Moment::parse("2026-03-02T10:00:00.000Z").unwrap(),
            what: "ran".to_owned(),
        };
        let line = outcome.line();
        assert_eq!(Outcome::read(line.as_bytes()), Some(outcome));
        assert_eq!(Record::read(line.as_bytes()), None);
        assert_eq!(Answered::read(line.as_bytes()), None);
    }
}
