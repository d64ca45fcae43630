//! What rule sets that are only observed would have said of a call.

use belay_model::{Judgement, Value, Verdict};

use crate::{Members, text};

/// The verdict that rule sets would have led to, which are only observed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shadow {
    /// The verdict.
    pub verdict: Verdict,
    /// The rule that would have spoken, where the verdict is another.
    pub rule: Option<String>,
    /// Why, where the verdict is another.
    pub because: Option<String>,
    /// The rule sets.
    pub sets: Vec<String>,
}

impl Shadow {
    /// Holds what would have been said beside what was said.
    #[must_use]
    pub fn beside(judgement: &Judgement, shadow: &Judgement, sets: &[String]) -> Self {
        let other = shadow.verdict != judgement.verdict;
        let reason = Some(&shadow.reason).filter(|_| other);
        Self {
            verdict: shadow.verdict,
            rule: reason.and_then(|it| it.rule.clone()),
            because: reason.map(|it| it.because.clone()),
            sets: sets.to_vec(),
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        Members::default()
            .text("verdict", self.verdict.word())
            .maybe("rule", self.rule.as_deref())
            .maybe("reason", self.because.as_deref())
            .texts("sets", self.sets.iter().map(String::as_str))
            .done()
    }

    pub(crate) fn read(value: &Value) -> Option<Self> {
        let sets = value.get("sets").and_then(Value::items).unwrap_or_default();
        let sets = sets.iter().filter_map(Value::text).map(str::to_owned);
        Some(Self {
            verdict: Verdict::from_word(&text(value, "verdict")?)?,
            rule: text(value, "rule"),
            because: text(value, "reason"),
            sets: sets.collect(),
        })
    }
}
