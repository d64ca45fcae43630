//! Codex. Its `PreToolUse` can only refuse, its `PermissionRequest` can also let run, and neither
//! can ask. Before a tool, silence lets Codex run it without a question wherever its sandbox allows,
//! so an ask of ours is a refusal; when Codex is about to ask a person, silence lets it. Its reader rejects unknown members and then runs the command, so not one too many.

use belay_model::{Call, Judgement, Value, Verdict};

use crate::agents::claude_shape;
use crate::answer::Answer;
use crate::reading::{Env, Wire};
use crate::wording::{Able, said};
use crate::{Approvals, Asked, Event, Heard, ReadError};

pub(crate) fn read(stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
    let mut wire = Wire::new(stdin, env)?;
    let approvals = match wire.peek("permission_mode") {
        Some("bypassPermissions" | "dontAsk") => Approvals::Off,
        Some(_) | None => Approvals::On,
    };
    let mut heard = claude_shape::read(&mut wire, None)?;
    if let Heard::Judge(asked) = &mut heard {
        asked.approvals = approvals;
        asked.call.headless = approvals == Approvals::Off;
        joined(&mut asked.call.input);
        if asked.call.tool == "exec" {
            named_as_code(&mut asked.call);
        }
        if let Some(name) = asked.call.tool.strip_prefix("collaboration") {
            // The tools of this group come with its name glued to theirs.
            asked.call.tool = name.trim_start_matches(['.', '_']).to_owned();
        }
    }
    Ok(heard)
}

/// Gives `exec`, which runs JavaScript and not shell, the name such tools have elsewhere.
fn named_as_code(call: &mut Call) {
    let Value::Object(members) = &mut call.input else {
        return;
    };
    if members.iter().any(|(name, _)| is_command(name)) {
        return;
    }
    "js_repl".clone_into(&mut call.tool);
    for (name, _) in members.iter_mut().filter(|(name, _)| name == "input") {
        "code".clone_into(name);
    }
}

/// Turns a command given as a list of words into one line of shell.
fn joined(input: &mut Value) {
    let Value::Object(members) = input else {
        return;
    };
    for (name, value) in members {
        if let (true, Value::Array(words)) = (is_command(name), &*value)
            && let Some(line) = line_of(words)
        {
            *value = Value::String(line);
        }
    }
}

fn is_command(name: &str) -> bool {
    matches!(name, "command" | "cmd" | "argv")
}

fn line_of(words: &[Value]) -> Option<String> {
    let mut line = String::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            line.push(' ');
        }
        quoted(word.text()?, &mut line);
    }
    Some(line)
}

fn quoted(word: &str, line: &mut String) {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./,:@%+".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        line.push_str(word);
        return;
    }
    line.push('\'');
    line.push_str(&word.replace('\'', r"'\''"));
    line.push('\'');
}

pub(crate) fn answer(asked: &Asked, judgement: &Judgement) -> Answer {
    let able = match (asked.event, asked.approvals) {
        (Event::Approval, Approvals::On) if !asked.call.headless => Able::All,
        (Event::Approval | Event::BeforeTool, _) => Able::NotAsk,
    };
    let said = said(judgement, able);
    match (asked.event, said.verdict) {
        (Event::BeforeTool, Verdict::Deny) => claude_shape::before_tool(&said),
        (Event::BeforeTool, Verdict::Allow | Verdict::Ask) => Answer::silent(),
        (Event::Approval, _) => claude_shape::approval(&said),
    }
}
