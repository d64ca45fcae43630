//! What an agent says about its own call, apart from the call.

use crate::Value;

/// Members that only ever argue for a call.
const ARGUMENTS: [&str; 8] = [
    "explanation",
    "justification",
    "rationale",
    "reasoning",
    "thinking",
    "thought",
    "thoughts",
    "why",
];

/// Members that talk about a call where they stand beside its work, and are the work where they
/// stand alone: the description of an issue is what will be written there.
const ASIDES: [&str; 9] = [
    "comment",
    "description",
    "goal",
    "instruction",
    "intent",
    "note",
    "purpose",
    "reason",
    "summary",
];

/// Members that are the work itself.
const WORK: [&str; 21] = [
    "argv",
    "args",
    "changes",
    "chars",
    "cmd",
    "code",
    "command",
    "commands",
    "content",
    "edits",
    "filePath",
    "file_path",
    "file_text",
    "new_string",
    "old_string",
    "patch",
    "prompt",
    "query",
    "script",
    "sql",
    "url",
];

/// Takes out what the agent says about its own call, at every depth: it could argue with the judge.
#[must_use]
pub fn without_talk(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let works = members.iter().any(|(it, _)| WORK.contains(&it.as_str()));
            let talks = |name: &str| {
                let plain = name.to_ascii_lowercase();
                let plain = plain.as_str();
                ARGUMENTS.contains(&plain) || (works && ASIDES.contains(&plain))
            };
            let kept = members.into_iter().filter(|(name, _)| !talks(name));
            Value::Object(kept.map(|(name, it)| (name, without_talk(it))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_talk).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(names: &[&str]) -> Value {
        let member = |name: &&str| ((*name).to_owned(), Value::from("x"));
        Value::Object(names.iter().map(member).collect())
    }

    fn kept(names: &[&str]) -> Vec<String> {
        let kept = without_talk(object(names));
        let members = kept.members().unwrap_or_default();
        members.iter().map(|(name, _)| name.clone()).collect()
    }

    #[test]
    fn a_call_does_not_argue_for_itself() {
        assert_eq!(kept(&["command", "description"]), ["command"]);
        assert_eq!(
            kept(&["cmd", "justification", "Goal", "reason", "workdir"]),
            ["cmd", "workdir"]
        );
        assert_eq!(kept(&["file_path", "instruction"]), ["file_path"]);
        assert_eq!(kept(&["explanation", "target"]), ["target"]);
    }

    #[test]
    fn the_work_itself_stays() {
        assert_eq!(kept(&["title", "description"]), ["title", "description"]);
        assert_eq!(kept(&["goal"]), ["goal"]);
        assert_eq!(kept(&["id", "reason"]), ["id", "reason"]);
    }
}
