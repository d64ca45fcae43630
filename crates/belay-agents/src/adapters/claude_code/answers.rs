//! What Claude Code's transcript says of who answered a question.

use belay_model::{Turn, Value};

use crate::adapters::claude_shape;
use crate::transcript::entries::text;
use crate::{PersonSaid, Typed};

/// Reads the line with the result of a call: the host says there who decided, and on whose demand.
pub(super) fn person_said(entry: &Value, call_id: &str) -> Option<PersonSaid> {
    if text(entry, "type") != "user" {
        return None;
    }
    let blocks = entry.get("message")?.get("content")?.items()?;
    let is_result =
        |it: &Value| text(it, "type") == "tool_result" && text(it, "tool_use_id") == call_id;
    let [only] = blocks else { return None };
    if !is_result(only) {
        return None;
    }
    let ours = entry.get("isSidechain") != Some(&Value::Bool(true));
    let Some(decision) = entry.get("permissionDecision").filter(|_| ours) else {
        return Some(PersonSaid::Nothing);
    };
    let by_person = text(decision, "source").starts_with("user_");
    let to_us = text(decision, "reasonCode") == "hook:PreToolUse";
    Some(match text(decision, "decision") {
        "accept" if by_person && to_us => PersonSaid::Yes,
        "reject" if by_person && to_us => PersonSaid::No,
        _ => PersonSaid::Nothing,
    })
}

/// Reads the line of a prompt: only one that the host says a human typed is a person's.
pub(super) fn typed(entry: &Value, prompt: &str) -> Option<Typed> {
    if text(entry, "type") != "user" || text(entry, "promptId") != prompt {
        return None;
    }
    let result = |it: &Value| text(it, "type") == "tool_result";
    let content = entry.get("message")?.get("content")?;
    if content.items().is_some_and(|it| it.iter().any(result)) {
        return None;
    }
    let turns = claude_shape::turns(entry);
    let [Turn::User(words)] = turns.as_slice() else {
        return Some(Typed::ByTheHost);
    };
    let words = words.clone();
    let human = entry
        .get("origin")
        .is_some_and(|it| text(it, "kind") == "human")
        && text(entry, "promptSource") == "typed"
        && text(entry, "turnOrigin") == "human";
    Some(match human {
        true => Typed::ByAPerson(words),
        false => Typed::ByAProgram(words),
    })
}

#[cfg(test)]
mod tests {
    use belay_journal::json;

    use super::*;
    use crate::Agent;
    use crate::proof::in_lines;

    fn line(decision: &str) -> String {
        format!(
            r#"{{"type":"user","toolUseResult":{{"stdout":""}},{decision}"message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t1","content":"ok"}}]}}}}"#
        )
    }

    fn said(lines: &[String]) -> Option<PersonSaid> {
        in_lines(Agent::ClaudeCode, lines.join("\n").as_bytes(), "t1")
    }

    /// As Claude Code 2.1.325 writes them.
    #[test]
    fn who_answered() {
        let decision = |it: &str| line(&format!(r#""permissionDecision":{it},"#));
        for (line, wanted) in [
            (
                decision(
                    r#"{"decision":"accept","source":"user_temporary","grantScope":"once","reasonCode":"hook:PreToolUse"}"#,
                ),
                PersonSaid::Yes,
            ),
            (
                decision(
                    r#"{"decision":"reject","source":"user_reject","reasonCode":"hook:PreToolUse"}"#,
                ),
                PersonSaid::No,
            ),
            // A prompt tool of an SDK: nobody was there.
            (
                decision(r#"{"decision":"accept","source":"user_temporary","grantScope":"once"}"#),
                PersonSaid::Nothing,
            ),
            // A PermissionRequest hook, which a repository can bring.
            (
                decision(r#"{"decision":"accept","source":"hook","reasonType":"hook"}"#),
                PersonSaid::Nothing,
            ),
            (
                decision(r#"{"decision":"accept","source":"hook","reasonCode":"hook:PreToolUse"}"#),
                PersonSaid::Nothing,
            ),
            (
                decision(r#"{"decision":"reject","source":"config"}"#),
                PersonSaid::Nothing,
            ),
            (
                decision(
                    r#"{"decision":"accept","source":"user_temporary","reasonCode":"rule:ask"}"#,
                ),
                PersonSaid::Nothing,
            ),
            (decision(r#""accept""#), PersonSaid::Nothing),
            (
                line(
                    r#""isSidechain":true,"permissionDecision":{"decision":"accept","source":"user_temporary","reasonCode":"hook:PreToolUse"},"#,
                ),
                PersonSaid::Nothing,
            ),
            (line(""), PersonSaid::Nothing),
        ] {
            assert_eq!(said(std::slice::from_ref(&line)), Some(wanted), "{line}");
        }
    }

    #[test]
    fn nothing_is_told_by_other_lines() {
        let yes = line(
            r#""permissionDecision":{"decision":"accept","source":"user_temporary","reasonCode":"hook:PreToolUse"},"#,
        );
        let quoted = serde_like(&yes);
        for other in [
            String::new(),
            yes.replace("\"t1\"", "\"t2\""),
            yes.replace(
                r#""type":"user","toolUse"#,
                r#""type":"assistant","toolUse"#,
            ),
            yes.replace("tool_result", "text"),
            quoted,
        ] {
            assert_eq!(said(std::slice::from_ref(&other)), None, "{other}");
        }
        assert_eq!(said(&[yes.clone(), yes.clone()]), Some(PersonSaid::Yes));
        assert_eq!(said(&[line(""), yes]), Some(PersonSaid::Nothing));
    }

    /// The line as the text of another: what a tool printed.
    fn serde_like(line: &str) -> String {
        let text = Value::from(line);
        format!(
            r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t9","content":{}}}]}}}}"#,
            json::compact(&text)
        )
    }
}
