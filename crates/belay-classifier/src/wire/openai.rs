//! OpenAI Responses.

use belay_model::Value;

use super::form::{Ask, Form, Tool};
use super::heard::{Heard, Usage, arguments, items, text_of};
use super::{Base, Facts, Price, Wire, schema};
use crate::Fault;
use crate::json::{count, list, number, object, with};
use crate::verdict::{TOOL, shown};

/// OpenAI Responses.
pub(super) struct Responses;

static FACTS: Facts = Facts {
    word: "openai",
    model: Some("gpt-4.1-mini"),
    base: "https://api.openai.com/v1",
    key_variables: &["OPENAI_API_KEY"],
    prices: &[
        price("gpt-4.1-mini", 0.4, 1.6),
        price("gpt-4.1-nano", 0.1, 0.4),
        price("gpt-4.1", 2.0, 8.0),
        price("gpt-4o-mini", 0.15, 0.6),
        price("gpt-4o", 2.5, 10.0),
    ],
};

const fn price(model: &'static str, input: f64, output: f64) -> Price {
    Price {
        model,
        input,
        output,
    }
}

/// The service refuses a smaller limit.
const LEAST_TOKENS: u64 = 16;

impl Wire for Responses {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn address(&self, base: Base<'_>, _model: &str) -> String {
        base.join("v1", "responses")
    }

    fn headers(&self, key: Option<&str>) -> Vec<(&'static str, String)> {
        let key = key.map(|it| ("authorization", format!("Bearer {it}")));
        key.into_iter().collect()
    }

    fn body(&self, ask: &Ask<'_>) -> Value {
        let part = |text: &str| object([("type", "input_text".into()), ("text", text.into())]);
        let content = ask.texts().into_iter().map(part);
        let message = object([("role", "user".into()), ("content", list(content))]);
        let mut body = object([
            ("model", ask.model.into()),
            ("instructions", ask.prompt.system.as_str().into()),
            ("input", list([message])),
            (
                "max_output_tokens",
                number(ask.max_tokens.max(LEAST_TOKENS)),
            ),
            ("store", Value::Bool(false)),
        ]);
        if takes_temperature(ask.model) {
            body = with(body, [("temperature", number(0))]);
        }
        let tools = list(ask.tools().into_iter().map(tool));
        match ask.form {
            Form::Forced | Form::Auto | Form::Look => with(
                body,
                [
                    ("tools", tools),
                    ("tool_choice", choice(ask.form)),
                    ("parallel_tool_calls", Value::Bool(false)),
                ],
            ),
            Form::Structured => with(body, [("text", format())]),
            Form::Prose => body,
        }
    }

    fn read(&self, reply: &Value) -> Result<Heard, Fault> {
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

    fn usage(&self, reply: &Value) -> Usage {
        let of = |name: &str| count(reply, &["usage", name]).unwrap_or_default();
        Usage {
            input: of("input_tokens"),
            output: of("output_tokens"),
        }
    }
}

fn tool(tool: Tool) -> Value {
    object([
        ("type", "function".into()),
        ("name", tool.name.into()),
        ("description", tool.about.into()),
        ("parameters", tool.schema),
        ("strict", Value::Bool(true)),
    ])
}

fn choice(form: Form) -> Value {
    match form.tool() {
        Some(name) if form != Form::Auto => {
            object([("type", "function".into()), ("name", name.into())])
        }
        Some(_) | None => "auto".into(),
    }
}

fn format() -> Value {
    let format = object([
        ("type", "json_schema".into()),
        ("name", TOOL.into()),
        ("schema", schema::verdict()),
        ("strict", Value::Bool(true)),
    ]);
    object([("format", format)])
}

/// Models that reason refuse the knob.
fn takes_temperature(model: &str) -> bool {
    model.starts_with("gpt-4")
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
