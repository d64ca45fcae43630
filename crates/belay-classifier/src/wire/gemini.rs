//! Gemini's generateContent.

use belay_model::Value;

use super::form::{Ask, Form, Tool};
use super::heard::{Heard, Usage, items, text_of};
use super::{Base, Facts, Price, Wire, schema};
use crate::Fault;
use crate::json::{count, list, number, object, with};
use crate::verdict::shown;

/// Gemini's generateContent.
pub(super) struct GenerateContent;

static FACTS: Facts = Facts {
    word: "gemini",
    model: Some("gemini-2.5-flash-lite"),
    base: "https://generativelanguage.googleapis.com/v1beta",
    key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    prices: &[
        Price {
            model: "gemini-2.5-flash-lite",
            input: 0.1,
            output: 0.4,
        },
        Price {
            model: "gemini-2.5-flash",
            input: 0.3,
            output: 2.5,
        },
    ],
};

impl Wire for GenerateContent {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn address(&self, base: Base<'_>, model: &str) -> String {
        base.join("v1beta", &format!("models/{model}:generateContent"))
    }

    fn headers(&self, key: Option<&str>) -> Vec<(&'static str, String)> {
        let key = key.map(|it| ("x-goog-api-key", it.to_owned()));
        key.into_iter().collect()
    }

    fn body(&self, ask: &Ask<'_>) -> Value {
        let system = parts([ask.prompt.system.as_str()]);
        let content = with(object([("role", "user".into())]), [parts(ask.texts())]);
        let body = object([
            ("systemInstruction", object([system])),
            ("contents", list([content])),
            ("generationConfig", generation(ask)),
        ]);
        let functions = list(ask.tools().into_iter().map(function));
        let tools = list([object([("functionDeclarations", functions)])]);
        match ask.form {
            Form::Forced | Form::Auto | Form::Look => {
                let calling = object([("functionCallingConfig", calling(ask.form))]);
                with(body, [("tools", tools), ("toolConfig", calling)])
            }
            Form::Structured | Form::Prose => body,
        }
    }

    fn read(&self, reply: &Value) -> Result<Heard, Fault> {
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
        let parts = content.get("parts").and_then(Value::items);
        let mut heard = Heard::default();
        for part in parts.unwrap_or_default() {
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

    fn usage(&self, reply: &Value) -> Usage {
        let of = |name: &str| count(reply, &["usageMetadata", name]).unwrap_or_default();
        Usage {
            input: of("promptTokenCount"),
            output: of("candidatesTokenCount") + of("thoughtsTokenCount"),
        }
    }
}

fn parts<'a>(texts: impl IntoIterator<Item = &'a str>) -> (&'static str, Value) {
    let part = |text: &str| object([("text", text.into())]);
    ("parts", list(texts.into_iter().map(part)))
}

fn generation(ask: &Ask<'_>) -> Value {
    let mut config = object([
        ("maxOutputTokens", number(ask.max_tokens)),
        ("temperature", number(0)),
    ]);
    if ask.model.starts_with("gemini-2.5-flash") {
        let none = object([("thinkingBudget", number(0))]);
        config = with(config, [("thinkingConfig", none)]);
    }
    if ask.form == Form::Structured {
        let format = [
            ("responseMimeType", "application/json".into()),
            ("responseSchema", own_dialect(schema::verdict())),
        ];
        config = with(config, format);
    }
    config
}

fn function(tool: Tool) -> Value {
    object([
        ("name", tool.name.into()),
        ("description", tool.about.into()),
        ("parameters", own_dialect(tool.schema)),
    ])
}

fn calling(form: Form) -> Value {
    match form.tool() {
        Some(name) if form != Form::Auto => object([
            ("mode", "ANY".into()),
            ("allowedFunctionNames", list([name])),
        ]),
        Some(_) | None => object([("mode", "AUTO".into())]),
    }
}

/// Gemini's dialect of schemas has no `additionalProperties`, and names the order of members.
fn own_dialect(schema: Value) -> Value {
    let order = schema.get("required").cloned().unwrap_or_default();
    let kept = match schema {
        Value::Object(members) => members
            .into_iter()
            .filter(|(name, _)| name != "additionalProperties")
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Vec::new()
        }
    };
    with(Value::Object(kept), [("propertyOrdering", order)])
}
