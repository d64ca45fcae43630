//! What a person answered to a question: a line of its own, linked to the record of the question.

use belay_model::Value;

use crate::calendar::Moment;
use crate::{Members, json, redact_value, text};

/// The version of linked lines; readers of the first version pass over them.
const VERSION: &str = "2";

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
        let whole = Members::default()
            .put("v", Value::Number(VERSION.to_owned()))
            .text("kind", "answer")
            .text("of", &self.of)
            .text("at", &self.at.stamp())
            .text("said", &self.said)
            .texts("learned", self.learned.iter().map(String::as_str))
            .done();
        let mut line = json::compact(&redact_value(whole));
        line.push('\n');
        line
    }

    /// Reads a line; nothing when it is not an answer.
    #[must_use]
    pub fn read(line: &[u8]) -> Option<Self> {
        let value = json::read(line).ok()?;
        let is_answer = value.get("v") == Some(&Value::Number(VERSION.to_owned()))
            && text(&value, "kind").as_deref() == Some("answer");
        let learned = value.get("learned").and_then(Value::items);
        let learned = learned.unwrap_or_default().iter();
        is_answer.then_some(())?;
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
