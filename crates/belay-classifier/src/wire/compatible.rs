//! Chat completions, as many servers speak them.

use belay_model::Value;

use super::form::{Ask, Form, Tool};
use super::heard::{Heard, Usage, arguments, items, text_of};
use super::{Base, Facts, Wire, schema};
use crate::Fault;
use crate::json::{count, list, number, object, with};
use crate::verdict::{TOOL, shown};

/// Chat completions.
pub(super) struct ChatCompletions;

static FACTS: Facts = Facts {
    word: "compatible",
    model: None,
    base: "http://localhost:11434/v1",
    key_variables: &[],
    prices: &[],
};

impl Wire for ChatCompletions {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn address(&self, base: Base<'_>, _model: &str) -> String {
        base.join("v1", "chat/completions")
    }

    fn headers(&self, key: Option<&str>) -> Vec<(&'static str, String)> {
        let key = key.map(|it| ("authorization", format!("Bearer {it}")));
        key.into_iter().collect()
    }

    fn body(&self, ask: &Ask<'_>) -> Value {
        let said =
            |role: &str, text: &str| object([("role", role.into()), ("content", text.into())]);
        let messages = [
            said("system", &ask.prompt.system),
            said("user", &ask.texts().concat()),
        ];
        let body = object([
            ("model", ask.model.into()),
            ("messages", list(messages)),
            ("max_tokens", number(ask.max_tokens)),
            ("temperature", number(0)),
            ("stream", Value::Bool(false)),
        ]);
        let tools = list(ask.tools().into_iter().map(tool));
        match ask.form {
            Form::Forced | Form::Auto | Form::Look => {
                with(body, [("tools", tools), ("tool_choice", choice(ask.form))])
            }
            Form::Structured => with(body, [("response_format", format())]),
            Form::Prose => body,
        }
    }

    fn read(&self, reply: &Value) -> Result<Heard, Fault> {
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

    fn usage(&self, reply: &Value) -> Usage {
        let of = |name: &str| count(reply, &["usage", name]).unwrap_or_default();
        Usage {
            input: of("prompt_tokens"),
            output: of("completion_tokens"),
        }
    }
}

fn tool(tool: Tool) -> Value {
    let function = object([
        ("name", tool.name.into()),
        ("description", tool.about.into()),
        ("parameters", tool.schema),
    ]);
    object([("type", "function".into()), ("function", function)])
}

fn choice(form: Form) -> Value {
    match form.tool() {
        Some(name) if form != Form::Auto => object([
            ("type", "function".into()),
            ("function", object([("name", name.into())])),
        ]),
        Some(_) | None => "auto".into(),
    }
}

fn format() -> Value {
    let schema = object([
        ("name", TOOL.into()),
        ("strict", Value::Bool(true)),
        ("schema", schema::verdict()),
    ]);
    object([("type", "json_schema".into()), ("json_schema", schema)])
}
