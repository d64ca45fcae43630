//! Anthropic Messages.

use belay_model::Value;

use super::form::{Ask, Form, Tool};
use super::heard::{Heard, Usage, items, text_of};
use super::{Base, Facts, Price, Wire, schema};
use crate::Fault;
use crate::json::{count, list, number, object, with};

/// Anthropic Messages.
pub(super) struct Messages;

static FACTS: Facts = Facts {
    word: "anthropic",
    model: Some("claude-haiku-4-5-20251001"),
    base: "https://api.anthropic.com",
    key_variables: &["ANTHROPIC_API_KEY"],
    prices: &[
        Price {
            model: "claude-haiku-4-5",
            input: 1.0,
            output: 5.0,
        },
        Price {
            model: "claude-sonnet-4",
            input: 3.0,
            output: 15.0,
        },
    ],
};

/// Models that refuse to be forced.
const UNFORCED: [&str; 4] = [
    "claude-fable-5",
    "claude-mythos",
    "claude-opus-5-5",
    "claude-sonnet-5-5",
];

impl Wire for Messages {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn address(&self, base: Base<'_>, _model: &str) -> String {
        match base.0 {
            base if base.ends_with("/v1") => format!("{base}/messages"),
            base => format!("{base}/v1/messages"),
        }
    }

    fn headers(&self, key: Option<&str>) -> Vec<(&'static str, String)> {
        let key = key.map(|it| ("x-api-key", it.to_owned()));
        let version = ("anthropic-version", "2023-06-01".to_owned());
        key.into_iter().chain([version]).collect()
    }

    fn first_form(&self, model: &str) -> Form {
        if UNFORCED.iter().any(|it| model.starts_with(it)) {
            Form::Auto
        } else {
            Form::Forced
        }
    }

    fn body(&self, ask: &Ask<'_>) -> Value {
        let content = ask.texts().into_iter().map(text_block);
        let message = object([("role", "user".into()), ("content", list(content))]);
        let mut body = object([
            ("model", ask.model.into()),
            ("max_tokens", number(ask.max_tokens)),
            ("system", list([system(ask)])),
            ("messages", list([message])),
        ]);
        if takes_temperature(ask.model) {
            body = with(body, [("temperature", number(0))]);
        }
        let tools = list(ask.tools().into_iter().map(tool));
        match ask.form {
            Form::Forced | Form::Auto | Form::Look => {
                with(body, [("tools", tools), ("tool_choice", choice(ask.form))])
            }
            Form::Structured => with(body, [("output_config", format())]),
            Form::Prose => body,
        }
    }

    fn read(&self, reply: &Value) -> Result<Heard, Fault> {
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

    fn usage(&self, reply: &Value) -> Usage {
        let of = |name: &str| count(reply, &["usage", name]).unwrap_or_default();
        let cached = of("cache_creation_input_tokens") + of("cache_read_input_tokens");
        Usage {
            input: of("input_tokens") + cached,
            output: of("output_tokens"),
        }
    }
}

fn text_block(text: &str) -> Value {
    object([("type", "text".into()), ("text", text.into())])
}

fn system(ask: &Ask<'_>) -> Value {
    let block = text_block(&ask.prompt.system);
    if ask.prompt.tokens() < least_cached(ask.model) {
        return block;
    }
    let ephemeral = object([("type", "ephemeral".into())]);
    with(block, [("cache_control", ephemeral)])
}

fn tool(tool: Tool) -> Value {
    object([
        ("name", tool.name.into()),
        ("description", tool.about.into()),
        ("input_schema", tool.schema),
    ])
}

fn choice(form: Form) -> Value {
    let single = ("disable_parallel_tool_use", Value::Bool(true));
    match form.tool() {
        Some(name) if form != Form::Auto => {
            object([("type", "tool".into()), ("name", name.into()), single])
        }
        Some(_) | None => object([("type", "auto".into()), single]),
    }
}

fn format() -> Value {
    let format = object([
        ("type", "json_schema".into()),
        ("schema", schema::verdict()),
    ]);
    object([("format", format)])
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
