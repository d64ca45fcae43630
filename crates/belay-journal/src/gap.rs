//! What is missing from the trail that others see, and why: a line of its own, so that a hole is never without a word.

use belay_model::Value;

use crate::calendar::Moment;
use crate::{linked, number, text};

const KIND: &str = "gap";

/// Lines that will not reach whoever collects them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// When that became known.
    pub at: Moment,
    /// The number of the first line.
    pub first: u64,
    /// The number of the last.
    pub last: u64,
    /// Why: `disk` or `refused`.
    pub why: String,
}

impl Gap {
    /// Returns the line, its end included.
    #[must_use]
    pub fn line(&self) -> String {
        let members = linked::begin(KIND)
            .text("at", &self.at.stamp())
            .put("first", Value::Number(self.first.to_string()))
            .put("last", Value::Number(self.last.to_string()))
            .text("why", &self.why);
        linked::line(members)
    }

    /// Reads a line; nothing when it is not a gap.
    #[must_use]
    pub fn read(line: &[u8]) -> Option<Self> {
        let value = linked::read(line, KIND)?;
        Some(Self {
            at: Moment::parse(&text(&value, "at")?)?,
            first: number(&value, "first")?,
            last: number(&value, "last")?,
            why: text(&value, "why")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Journal;

    #[test]
    fn a_gap_has_a_number_of_its_own_and_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::new(folder.path().join("journal"));
        let gap = Gap {
            at: Moment(1_790_000_000_000),
            first: 3,
            last: 9,
            why: "disk".to_owned(),
        };
        journal.append_gap(&gap).unwrap();
        journal.append_gap(&gap).unwrap();
        assert_eq!(journal.last_number(), Some(2));
        assert_eq!(Gap::read(gap.line().trim_end().as_bytes()), Some(gap));
        assert!(journal.verify(None).unwrap()[0].doubts.is_empty());
    }

    #[test]
    fn a_day_that_somebody_still_has_to_read_outlives_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let held = folder.path().join("cursor");
        let plain = Journal::new(folder.path().join("journal")).keeping(1);
        let journal = plain.clone().held_by(held.clone());
        let day = |number: u64| Moment(1_790_000_000_000 + number * 86_400_000);
        for number in 0..4 {
            let at = day(number);
            let (first, last, why) = (1, 1, "disk".to_owned());
            plain
                .clone()
                .keeping(0)
                .append_gap(&Gap {
                    at,
                    first,
                    last,
                    why,
                })
                .unwrap();
        }
        assert_eq!(journal.sweep(day(9)), 0, "nothing was read yet");
        std::fs::write(&held, format!("{} 17", day(2).date())).unwrap();
        assert_eq!(journal.sweep(day(9)), 2, "two days were read whole");
        assert_eq!(plain.sweep(day(9)), 2);
    }
}
