//! OpenAI Responses.

use belay_model::Value;
use serde_json::{Value as Json, json};

use super::{ABOUT, Ask, Form, Heard, Usage, arguments, items, schema, text_of, with};
use crate::verdict::{TOOL, shown};
use crate::{Fault, json::count};

/// The service refuses a smaller limit.
const LEAST_TOKENS: u64 = 16;

pub(super) fn body(ask: &Ask<'_>) -> Json {
    let mut content = vec![json!({ "type": "input_text", "text": ask.prompt.context })];
    if ask.form != Form::Prose {
        content.push(json!({ "type": "input_text", "text": ask.form.instruction() }));
    }
    let body = json!({
        "model": ask.model,
        "instructions": ask.prompt.system,
        "input": [{ "role": "user", "content": content }],
        "max_output_tokens": ask.max_tokens.max(LEAST_TOKENS),
        "store": false,
    });
    let body = if takes_temperature(ask.model) {
        with(body, json!({ "temperature": 0 }))
    } else {
        body
    };
    with(body, choice(ask.form))
}

fn choice(form: Form) -> Json {
    let tools = json!([{ "type": "function", "name": TOOL, "description": ABOUT, "parameters": schema(), "strict": true }]);
    let with_tools = |choice: Json| json!({ "tools": tools, "tool_choice": choice, "parallel_tool_calls": false });
    match form {
        Form::Forced => with_tools(json!({ "type": "function", "name": TOOL })),
        Form::Auto => with_tools(json!("auto")),
        Form::Word => with_tools(json!("none")),
        Form::Structured => {
            json!({ "text": { "format": { "type": "json_schema", "name": TOOL, "schema": schema(), "strict": true } } })
        }
        Form::Prose => json!({}),
    }
}

/// Models that reason refuse the knob.
fn takes_temperature(model: &str) -> bool {
    model.starts_with("gpt-4")
}

pub(super) fn read(reply: &Value) -> Result<Heard, Fault> {
    match text_of(reply, "status").as_str() {
        "completed" => {}
        "incomplete" => return Err(Fault::CutOff),
        other => return Err(Fault::Malformed(format!("status `{}`", shown(other)))),
    }
    let mut heard = Heard::default();
    for item in items(reply, "output")? {
        match text_of(item, "type").as_str() {
            "function_call" => {
                let input = arguments(item.get("arguments"))?;
                heard.calls.push((text_of(item, "name"), input));
            }
            "message" => message(item, &mut heard)?,
            "reasoning" => {}
            other => return Err(Fault::Malformed(format!("an item of `{}`", shown(other)))),
        }
    }
    Ok(heard)
}

fn message(item: &Value, heard: &mut Heard) -> Result<(), Fault> {
    for part in items(item, "content")? {
        match text_of(part, "type").as_str() {
            "output_text" => heard.texts.push(text_of(part, "text")),
            "refusal" => return Err(Fault::Declined(shown(&text_of(part, "refusal")))),
            other => return Err(Fault::Malformed(format!("a part of `{}`", shown(other)))),
        }
    }
    Ok(())
}

pub(super) fn usage(reply: &Value) -> Usage {
    let of = |name: &str| count(reply, &["usage", name]).unwrap_or_default();
    Usage {
        input: of("input_tokens"),
        output: of("output_tokens"),
    }
}
