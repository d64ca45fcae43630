//! Gemini's generateContent.

use belay_model::Value;
use serde_json::{Value as Json, json};

use super::{ABOUT, Ask, Form, Heard, Usage, items, text_of, with};
use crate::verdict::{TOOL, shown};
use crate::{Fault, json::count};

pub(super) fn body(ask: &Ask<'_>) -> Json {
    let mut parts = vec![json!({ "text": ask.prompt.context })];
    if ask.form != Form::Prose {
        parts.push(json!({ "text": ask.form.instruction() }));
    }
    let body = json!({
        "systemInstruction": { "parts": [{ "text": ask.prompt.system }] },
        "contents": [{ "role": "user", "parts": parts }],
        "generationConfig": generation(ask),
    });
    with(body, choice(ask.form))
}

fn generation(ask: &Ask<'_>) -> Json {
    let mut config = json!({ "maxOutputTokens": ask.max_tokens, "temperature": 0 });
    if ask.model.starts_with("gemini-2.5-flash") {
        config = with(config, json!({ "thinkingConfig": { "thinkingBudget": 0 } }));
    }
    if ask.form == Form::Structured {
        let format = json!({ "responseMimeType": "application/json", "responseSchema": schema() });
        config = with(config, format);
    }
    config
}

fn choice(form: Form) -> Json {
    let function = json!({ "name": TOOL, "description": ABOUT, "parameters": schema() });
    let tools = json!([{ "functionDeclarations": [function] }]);
    let mode =
        |config: Json| json!({ "tools": tools, "toolConfig": { "functionCallingConfig": config } });
    match form {
        Form::Forced => mode(json!({ "mode": "ANY", "allowedFunctionNames": [TOOL] })),
        Form::Auto => mode(json!({ "mode": "AUTO" })),
        Form::Word => mode(json!({ "mode": "NONE" })),
        Form::Structured | Form::Prose => json!({}),
    }
}

/// Gemini's own dialect of schemas has no `additionalProperties`.
fn schema() -> Json {
    let mut schema = super::schema();
    if let Some(members) = schema.as_object_mut() {
        members.remove("additionalProperties");
        let order = json!(["thinking", "should_block", "reason"]);
        members.insert("propertyOrdering".to_owned(), order);
    }
    schema
}

pub(super) fn read(reply: &Value) -> Result<Heard, Fault> {
    if let Some(feedback) = reply.get("promptFeedback") {
        let why = text_of(feedback, "blockReason");
        if !why.is_empty() {
            return Err(Fault::Declined(shown(&why)));
        }
    }
    let candidate = match items(reply, "candidates")? {
        [candidate] => candidate,
        [] => return Err(Fault::NoToolCall),
        several => return Err(Fault::SeveralAnswers(several.len())),
    };
    match text_of(candidate, "finishReason").as_str() {
        "STOP" => {}
        "MAX_TOKENS" => return Err(Fault::CutOff),
        "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" => return Err(Fault::NoToolCall),
        other => return Err(Fault::Declined(shown(other))),
    }
    let missing = || Fault::Malformed("no `content`".to_owned());
    let content = candidate.get("content").ok_or_else(missing)?;
    let mut heard = Heard::default();
    for part in content
        .get("parts")
        .and_then(Value::items)
        .unwrap_or_default()
    {
        let is_thought = part.get("thought") == Some(&Value::Bool(true));
        if let Some(call) = part.get("functionCall") {
            let input = call.get("args").cloned().unwrap_or_default();
            heard.calls.push((text_of(call, "name"), input));
        } else if part.get("text").is_some() && !is_thought {
            heard.texts.push(text_of(part, "text"));
        }
    }
    Ok(heard)
}

pub(super) fn usage(reply: &Value) -> Usage {
    let of = |name: &str| count(reply, &["usageMetadata", name]).unwrap_or_default();
    Usage {
        input: of("promptTokenCount"),
        output: of("candidatesTokenCount") + of("thoughtsTokenCount"),
    }
}
