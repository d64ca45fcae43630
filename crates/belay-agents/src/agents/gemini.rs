//! Gemini CLI. Only a top-level `decision` counts, and an allow means no objection.

use belay_model::{Judgement, Value};

use crate::answer::{Answer, attended, object};
use crate::reading::{Env, Wire, judge, roots, seen};
use crate::wording::said;
use crate::{Asked, Event, Heard, Moment, ReadError};

pub(crate) fn read(stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
    let mut wire = Wire::new(stdin, env)?;
    let event = wire.must("hook_event_name")?;
    let moment = match event.as_str() {
        "BeforeTool" => return before_tool(&mut wire),
        "AfterTool" => Moment::AfterTool,
        "BeforeAgent" => Moment::Prompt,
        "SessionStart" => Moment::SessionStart,
        "SessionEnd" => Moment::SessionEnd,
        "AfterAgent"
        | "BeforeModel"
        | "AfterModel"
        | "BeforeToolSelection"
        | "Notification"
        | "PreCompress" => return Ok(Heard::Ignore),
        _ => return Err(ReadError::UnknownEvent(event)),
    };
    let tool = wire.text("tool_name").unwrap_or_default();
    let input = wire.take("tool_input").unwrap_or_default();
    let prompt = wire.text("prompt");
    Ok(seen(in_project(&mut wire, tool, input), moment, prompt))
}

fn before_tool(wire: &mut Wire<'_>) -> Result<Heard, ReadError> {
    let tool = wire.must("tool_name")?;
    let mut input = wire.object("tool_input")?;
    if tool == "web_fetch" {
        name_addresses(&mut input);
    }
    Ok(judge(in_project(wire, tool, input), Event::BeforeTool))
}

fn in_project(wire: &mut Wire<'_>, tool: String, input: Value) -> belay_model::Call {
    let project = wire.env("GEMINI_PROJECT_DIR");
    let mut call = wire.call(tool, input);
    if let Some(project) = project {
        call.project_roots = roots(&project);
    }
    call
}

/// Takes the addresses out of `web_fetch`'s free text: one becomes `url`, several become `urls`.
fn name_addresses(input: &mut Value) {
    let Some(prompt) = input.get("prompt").and_then(Value::text) else {
        return;
    };
    let mut found: Vec<Value> = addresses(prompt).map(Value::from).collect();
    let Value::Object(members) = input else {
        return;
    };
    match found.len() {
        0 => {}
        1 => members.extend(found.pop().map(|url| ("url".to_owned(), url))),
        _ => members.push(("urls".to_owned(), Value::Array(found))),
    }
}

fn addresses(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| letter.is_whitespace() || "<>\"'`()[]{},".contains(letter))
        .map(|word| word.trim_end_matches(['.', ';', ':', '!', '?']))
        .filter(|word| word.contains("://"))
}

pub(crate) fn answer(asked: &Asked, judgement: &Judgement) -> Answer {
    let said = said(judgement, attended(asked));
    Answer::json(&object([
        ("decision", said.verdict.word().into()),
        ("reason", said.reason.into()),
    ]))
}
