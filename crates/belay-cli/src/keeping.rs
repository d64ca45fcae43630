//! One call, one record: who answered, where, whether the agent was told, and what became of the call.

use belay_journal::calendar::Moment;
use belay_journal::{Outcome, Record};
use belay_model::{Call, Judgement};
use belay_settings::Mode;
use nix::unistd::Uid;

use crate::judging::Judging;
use crate::out::Failure;

/// How a call is put.
pub struct Asked<'a> {
    /// Whether it may have been put before.
    pub again: Again,
    /// Whether the agent is not told of a judgement.
    pub is_held_back: &'a dyn Fn(&Judgement) -> bool,
}

impl Asked<'_> {
    /// Put once, and answered.
    pub const ONCE: Asked<'static> = Asked {
        again: Again::No,
        is_held_back: &|_| false,
    };
}

/// Whether a call may have been put before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// The agent asks for approval of what was perhaps judged before it ran.
    Perhaps,
    /// It is put for the first time.
    No,
}

/// So many records are looked at for the one that a call already has, and so old it may be, in milliseconds.
const LOOKED_BACK: usize = 32;
const LONG_AGO: u64 = 10 * 60 * 1000;

impl Judging {
    /// Returns the record of a call that the agent puts a second time, as it asks for approval of what was judged
    /// before: one call, one record, as long as the answer is the same.
    pub(crate) fn kept_before(&self, record: &Record, again: Again) -> Option<String> {
        if again == Again::No {
            return None;
        }
        // Two calls with secrets look alike once those are taken out.
        let line = record.line();
        let own = Record::read(line.as_bytes()).filter(|_| !line.contains("[redacted]"))?;
        let same = |it: &Record| {
            it.at.0.saturating_add(LONG_AGO) > own.at.0
                && it.call.session == own.call.session
                && it.call.tool == own.call.tool
                && it.call.input == own.call.input
                && it.judgement.verdict == own.judgement.verdict
        };
        let journal = self.journal().ok()?;
        let mut latest = journal.newest().take(LOOKED_BACK);
        latest.find(same).map(|it| it.id)
    }

    /// Writes down what became of a call, where the agent names it.
    pub fn ended(&self, call: &Call, what: &str) -> Result<(), Failure> {
        let (Some(session), Some(id)) = (&call.session, &call.id) else {
            return Ok(());
        };
        if self.mode() == Mode::Off {
            return Ok(());
        }
        let outcome = Outcome {
            session: session.clone(),
            call: id.clone(),
            at: Moment::now(),
            what: what.to_owned(),
        };
        self.journal()?
            .append_outcome(&outcome)
            .map_err(Failure::said)
    }
}

/// Returns the number of this user.
pub fn user() -> Option<String> {
    Some(Uid::effective().to_string())
}
