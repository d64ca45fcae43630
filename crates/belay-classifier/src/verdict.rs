//! What a model says, read strictly.

use belay_model::Value;

use crate::Fault;

/// The tool whose call is the verdict.
pub(crate) const TOOL: &str = "classify_result";

/// The tool of the first of two stages, and its one member.
pub(crate) const LOOK: &str = "first_look";
pub(crate) const CLOSER: &str = "look_closer";

/// The members of a verdict. INVARIANT: it thinks before it decides, on every wire.
pub(crate) const ORDER: [&str; 3] = ["thinking", "should_block", "reason"];

/// A longer reason is cut.
const LONGEST_REASON: usize = 400;

/// A model's verdict on one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What it thought; nobody relies on it.
    pub thinking: String,
    /// Tells that the call should not run.
    pub should_block: bool,
    /// Why, for a person: one line.
    pub reason: String,
}

impl Verdict {
    /// Reads a verdict: exactly these three members, of exactly these types, and a reason.
    pub(crate) fn read(value: &Value) -> Result<Self, Fault> {
        let malformed = |why: &str| Fault::Malformed(why.to_owned());
        let members = value.members().ok_or_else(|| malformed("no object"))?;
        if let Some((name, _)) = members.iter().find(|(it, _)| !ORDER.contains(&it.as_str())) {
            return Err(malformed(&format!("a member `{}` too many", shown(name))));
        }
        if value.has_duplicates() {
            return Err(malformed("a member comes twice"));
        }
        let text = |name: &str| {
            let found = value.get(name).and_then(Value::text);
            found.ok_or_else(|| malformed(&format!("`{name}` is not text")))
        };
        let should_block = match value.get("should_block") {
            Some(Value::Bool(it)) => *it,
            Some(_) | None => return Err(malformed("`should_block` is not a boolean")),
        };
        let reason = shown(text("reason")?);
        if reason.is_empty() {
            return Err(malformed("there is no reason"));
        }
        Ok(Self {
            thinking: text("thinking")?.to_owned(),
            should_block,
            reason,
        })
    }
}

/// Reads what the first look says: exactly one member, a boolean.
pub(crate) fn looks_closer(value: &Value) -> Result<bool, Fault> {
    match value.members() {
        Some([(name, Value::Bool(closer))]) if name == CLOSER => Ok(*closer),
        Some(_) | None => Err(Fault::Malformed("no first look".to_owned())),
    }
}

/// Returns a model's or provider's words on one line, without control characters, cut.
pub(crate) fn shown(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|it| if it.is_control() { ' ' } else { it })
        .collect();
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST_REASON) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

impl Verdict {
    /// Returns the verdict where the first of two stages found nothing to block.
    pub(crate) fn of_the_first_look() -> Self {
        Self {
            thinking: String::new(),
            should_block: false,
            reason: "the first look found nothing to block".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<Verdict, Fault> {
        crate::json::read(text.as_bytes()).and_then(|it| Verdict::read(&it))
    }

    #[test]
    fn exactly_three_members_make_a_verdict() {
        let verdict = check(r#"{"thinking":"","should_block":true,"reason":"a\n\u001bb"}"#);
        assert_eq!(verdict.unwrap().reason, "a b");
        for wrong in [
            r#"{"thinking":"","should_block":false}"#,
            r#"{"should_block":false,"reason":"x"}"#,
            r#"{"thinking":"","should_block":"false","reason":"x"}"#,
            r#"{"thinking":"","should_block":0,"reason":"x"}"#,
            r#"{"thinking":"","should_block":null,"reason":"x"}"#,
            r#"{"thinking":"","should_block":false,"reason":" "}"#,
            r#"{"thinking":"","should_block":false,"reason":"x","confidence":1}"#,
            r#"{"thinking":"","should_block":true,"should_block":false,"reason":"x"}"#,
            r#"[{"thinking":"","should_block":false,"reason":"x"}]"#,
            r#""{}""#,
            "{}",
        ] {
            assert!(check(wrong).is_err(), "{wrong}");
        }
    }
}
