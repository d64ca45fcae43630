//! Chat completions, as many servers speak them.

use belay_model::Value;
use serde_json::{Value as Json, json};

use super::{ABOUT, Ask, Form, Heard, Usage, arguments, items, schema, text_of, with};
use crate::verdict::{TOOL, shown};
use crate::{Fault, json::count};

pub(super) fn body(ask: &Ask<'_>) -> Json {
    let question = format!("{}{}", ask.prompt.context, ask.form.instruction());
    let body = json!({
        "model": ask.model,
        "messages": [
            { "role": "system", "content": ask.prompt.system },
            { "role": "user", "content": question },
        ],
        "max_tokens": ask.max_tokens,
        "temperature": 0,
        "stream": false,
    });
    with(body, choice(ask.form))
}

fn choice(form: Form) -> Json {
    let function = json!({ "name": TOOL, "description": ABOUT, "parameters": schema() });
    let tools = json!([{ "type": "function", "function": function }]);
    match form {
        Form::Forced => {
            json!({ "tools": tools, "tool_choice": { "type": "function", "function": { "name": TOOL } } })
        }
        Form::Auto => json!({ "tools": tools, "tool_choice": "auto" }),
        Form::Structured => {
            json!({ "response_format": { "type": "json_schema", "json_schema": { "name": TOOL, "strict": true, "schema": schema() } } })
        }
        Form::Word | Form::Prose => json!({}),
    }
}

pub(super) fn read(reply: &Value) -> Result<Heard, Fault> {
    let choice = match items(reply, "choices")? {
        [choice] => choice,
        [] => return Err(Fault::NoToolCall),
        several => return Err(Fault::SeveralAnswers(several.len())),
    };
    match text_of(choice, "finish_reason").as_str() {
        "length" => return Err(Fault::CutOff),
        "content_filter" => return Err(Fault::Declined("content filter".to_owned())),
        "stop" | "tool_calls" | "function_call" => {}
        other => return Err(Fault::Malformed(format!("finished by `{}`", shown(other)))),
    }
    let missing = || Fault::Malformed("no `message`".to_owned());
    let message = choice.get("message").ok_or_else(missing)?;
    let refusal = text_of(message, "refusal");
    if !refusal.is_empty() {
        return Err(Fault::Declined(shown(&refusal)));
    }
    let mut heard = Heard::default();
    let calls = message.get("tool_calls").and_then(Value::items);
    for call in calls.unwrap_or_default() {
        let function = call.get("function").cloned().unwrap_or_default();
        let input = arguments(function.get("arguments"))?;
        heard.calls.push((text_of(&function, "name"), input));
    }
    let content = text_of(message, "content");
    if !content.trim().is_empty() {
        heard.texts.push(content);
    }
    Ok(heard)
}

pub(super) fn usage(reply: &Value) -> Usage {
    let of = |name: &str| count(reply, &["usage", name]).unwrap_or_default();
    Usage {
        input: of("prompt_tokens"),
        output: of("completion_tokens"),
    }
}
