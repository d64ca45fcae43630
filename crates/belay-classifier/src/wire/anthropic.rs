//! Anthropic Messages.

use belay_model::Value;
use serde_json::{Value as Json, json};

use super::{ABOUT, Ask, Form, Heard, Usage, items, schema, text_of, with};
use crate::verdict::TOOL;
use crate::{Fault, json::count};

pub(super) fn body(ask: &Ask<'_>) -> Json {
    let mut system = json!({ "type": "text", "text": ask.prompt.system });
    if ask.prompt.tokens() >= least_cached(ask.model) {
        system = with(system, json!({ "cache_control": { "type": "ephemeral" } }));
    }
    let mut content = vec![json!({ "type": "text", "text": ask.prompt.context })];
    if ask.form != Form::Prose {
        content.push(json!({ "type": "text", "text": ask.form.instruction() }));
    }
    let body = json!({
        "model": ask.model,
        "max_tokens": ask.max_tokens,
        "system": [system],
        "messages": [{ "role": "user", "content": content }],
    });
    let body = if takes_temperature(ask.model) {
        with(body, json!({ "temperature": 0 }))
    } else {
        body
    };
    with(body, choice(ask.form))
}

fn choice(form: Form) -> Json {
    let tools = json!([{ "name": TOOL, "description": ABOUT, "input_schema": schema() }]);
    match form {
        Form::Forced => {
            json!({ "tools": tools, "tool_choice": { "type": "tool", "name": TOOL, "disable_parallel_tool_use": true } })
        }
        Form::Auto => {
            json!({ "tools": tools, "tool_choice": { "type": "auto", "disable_parallel_tool_use": true } })
        }
        Form::Word => json!({ "tools": tools, "tool_choice": { "type": "none" } }),
        Form::Structured => {
            json!({ "output_config": { "format": { "type": "json_schema", "schema": schema() } } })
        }
        Form::Prose => json!({}),
    }
}

/// The documented least size of a prompt that is cached; below it a marker does nothing.
fn least_cached(model: &str) -> u64 {
    match model {
        it if it.starts_with("claude-sonnet-4") || it.starts_with("claude-opus-4-1") => 1024,
        it if it.starts_with("claude-3-5-haiku") || it.starts_with("claude-3-haiku") => 2048,
        _ => 4096,
    }
}

/// Newer models refuse the knob.
fn takes_temperature(model: &str) -> bool {
    ["claude-3", "claude-haiku-4", "claude-sonnet-4"]
        .iter()
        .any(|it| model.starts_with(it))
}

pub(super) fn read(reply: &Value) -> Result<Heard, Fault> {
    match text_of(reply, "stop_reason").as_str() {
        "tool_use" | "end_turn" | "stop_sequence" => {}
        "max_tokens" | "model_context_window_exceeded" => return Err(Fault::CutOff),
        "refusal" => return Err(Fault::Declined("refusal".to_owned())),
        other => return Err(Fault::Malformed(format!("stopped by `{other}`"))),
    }
    let mut heard = Heard::default();
    for block in items(reply, "content")? {
        match text_of(block, "type").as_str() {
            "tool_use" => {
                let input = block.get("input").cloned().unwrap_or_default();
                heard.calls.push((text_of(block, "name"), input));
            }
            "text" => heard.texts.push(text_of(block, "text")),
            "thinking" | "redacted_thinking" => {}
            other => return Err(Fault::Malformed(format!("a block of `{other}`"))),
        }
    }
    Ok(heard)
}

pub(super) fn usage(reply: &Value) -> Usage {
    let of = |name: &str| count(reply, &["usage", name]).unwrap_or_default();
    let cached = of("cache_creation_input_tokens") + of("cache_read_input_tokens");
    Usage {
        input: of("input_tokens") + cached,
        output: of("output_tokens"),
    }
}
