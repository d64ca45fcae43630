//! What a person answered to a question: a line of its own, linked to the record of the question.

use belay_model::Value;

use crate::calendar::Moment;
use crate::{linked, text};

const KIND: &str = "answer";

/// A person's answer to a question in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The record of the question.
    pub of: String,
    /// When the answer became known.
    pub at: Moment,
    /// What was said: `yes` or `no`.
    pub said: String,
    /// What was learned from it: names and what they cover.
    pub learned: Vec<String>,
}

impl Answered {
    /// Returns the line, its end included; secrets redacted.
    #[must_use]
    pub fn line(&self) -> String {
        let members = linked::begin(KIND)
            .text("of", &self.of)
            .text("at", &self.at.stamp())
            .text("said", &self.said)
            .texts("learned", self.learned.iter().map(String::as_str));
        linked::line(members)
    }

    /// Reads a line; nothing when it is not an answer.
    #[must_use]
    pub fn read(line: &[u8]) -> Option<Self> {
        let value = linked::read(line, KIND)?;
        let learned = value.get("learned").and_then(Value::items);
        let learned = learned.unwrap_or_default().iter();
        Some(Self {
            of: text(&value, "of")?,
            at: Moment::parse(&text(&value, "at")?)?,
            said: text(&value, "said")?,
            learned: learned.filter_map(Value::text).map(str::to_owned).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Record;
    use crate::record::tests::record;

    #[test]
    fn an_answer_reads_back_and_is_no_record() {
        let answered = Answered {
            of: "19a-1-0".to_owned(),
            at: Moment::parse("2026-03-02T10:00:00.000Z").unwrap(),
            said: "yes".to_owned(),
            learned: vec!["y1 look at docs.vendor.test".to_owned()],
        };
        let line = answered.line();
        assert_eq!(Answered::read(line.as_bytes()), Some(answered));
        assert_eq!(Record::read(line.as_bytes()), None);
        assert_eq!(Answered::read(record("ls").line().as_bytes()), None);
    }
}
