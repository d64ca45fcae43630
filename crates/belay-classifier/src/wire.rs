//! What each provider is sent and what it answers.

mod anthropic;
mod chat;
mod gemini;
mod responses;
#[cfg(test)]
mod tests;

use belay_model::Value;
use serde_json::{Value as Json, json};

use crate::plan::{Endpoint, Provider};
use crate::verdict::{TOOL, Verdict};
use crate::{Fault, Prompt};

/// How the model is brought to give a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// It must call the tool.
    Forced,
    /// It may call the tool; some models refuse to be forced.
    Auto,
    /// It must write an object of that schema; some models have no tools.
    Structured,
    /// It writes one word: the first stage.
    Word,
    /// It writes freely: no verdict, only words for a person.
    Prose,
}

impl Form {
    /// Returns the next form to try.
    pub(crate) const fn next(self) -> Option<Self> {
        match self {
            Self::Forced => Some(Self::Auto),
            Self::Auto => Some(Self::Structured),
            Self::Structured | Self::Word | Self::Prose => None,
        }
    }

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Forced => "forced",
            Self::Auto => "auto",
            Self::Structured => "structured",
            Self::Word => "word",
            Self::Prose => "prose",
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        [Self::Forced, Self::Auto, Self::Structured]
            .into_iter()
            .find(|it| it.word() == word)
    }

    /// The last paragraph of the question; all before it is the same in every form.
    const fn instruction(self) -> &'static str {
        match self {
            Self::Forced | Self::Auto => include_str!("../prompts/ask.md"),
            Self::Structured => include_str!("../prompts/structured.md"),
            Self::Word => include_str!("../prompts/filter.md"),
            Self::Prose => "",
        }
    }
}

/// One question to one model.
pub(crate) struct Ask<'a> {
    pub(crate) prompt: &'a Prompt,
    pub(crate) model: &'a str,
    pub(crate) max_tokens: u64,
    pub(crate) form: Form,
}

/// What a reply holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Said {
    Verdict(Verdict),
    Words(String),
}

/// What was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) input: u64,
    pub(crate) output: u64,
}

/// Returns where the question goes.
pub(crate) fn address(endpoint: &Endpoint, model: &str) -> String {
    let base = endpoint.base().trim_end_matches('/');
    let path = base.split_once("://").map_or("", |(_, rest)| rest);
    let bare = !path.contains('/');
    match endpoint.provider {
        Provider::Anthropic if base.ends_with("/v1") => format!("{base}/messages"),
        Provider::Anthropic => format!("{base}/v1/messages"),
        Provider::OpenAi if bare => format!("{base}/v1/responses"),
        Provider::OpenAi => format!("{base}/responses"),
        Provider::Compatible if bare => format!("{base}/v1/chat/completions"),
        Provider::Compatible => format!("{base}/chat/completions"),
        Provider::Gemini if bare => format!("{base}/v1beta/models/{model}:generateContent"),
        Provider::Gemini => format!("{base}/models/{model}:generateContent"),
    }
}

/// Returns the headers that carry the key, and those the provider wants.
pub(crate) fn headers(provider: Provider, key: Option<&str>) -> Vec<(&'static str, String)> {
    let key = key.map(|it| match provider {
        Provider::Anthropic => ("x-api-key", it.to_owned()),
        Provider::OpenAi | Provider::Compatible => ("authorization", format!("Bearer {it}")),
        Provider::Gemini => ("x-goog-api-key", it.to_owned()),
    });
    let version = match provider {
        Provider::Anthropic => Some(("anthropic-version", "2023-06-01".to_owned())),
        Provider::OpenAi | Provider::Compatible | Provider::Gemini => None,
    };
    key.into_iter().chain(version).collect()
}

/// Returns the body of the request.
pub(crate) fn body(provider: Provider, ask: &Ask<'_>) -> Json {
    match provider {
        Provider::Anthropic => anthropic::body(ask),
        Provider::OpenAi => responses::body(ask),
        Provider::Compatible => chat::body(ask),
        Provider::Gemini => gemini::body(ask),
    }
}

/// Reads the reply: one verdict or the words asked for, and what was used.
pub(crate) fn read(provider: Provider, form: Form, bytes: &[u8]) -> (Result<Said, Fault>, Usage) {
    let reply = match crate::json::read(bytes) {
        Ok(reply) => reply,
        Err(fault) => return (Err(fault), Usage::default()),
    };
    let (heard, usage) = match provider {
        Provider::Anthropic => (anthropic::read(&reply), anthropic::usage(&reply)),
        Provider::OpenAi => (responses::read(&reply), responses::usage(&reply)),
        Provider::Compatible => (chat::read(&reply), chat::usage(&reply)),
        Provider::Gemini => (gemini::read(&reply), gemini::usage(&reply)),
    };
    (heard.and_then(|it| it.said(form)), usage)
}

/// Returns the form to begin with: some models are known to refuse a forced tool.
pub(crate) fn first_form(provider: Provider, model: &str) -> Form {
    let refuses = [
        "claude-fable-5",
        "claude-mythos",
        "claude-opus-5-5",
        "claude-sonnet-5-5",
    ];
    match provider {
        Provider::Anthropic if refuses.iter().any(|it| model.starts_with(it)) => Form::Auto,
        Provider::Anthropic | Provider::OpenAi | Provider::Compatible | Provider::Gemini => {
            Form::Forced
        }
    }
}

/// The parts of a reply that can carry a verdict.
#[derive(Default)]
struct Heard {
    /// The tools it called, with their input.
    calls: Vec<(String, Value)>,
    /// What it wrote.
    texts: Vec<String>,
}

impl Heard {
    fn said(self, form: Form) -> Result<Said, Fault> {
        match form {
            Form::Forced | Form::Auto => self.called().map(Said::Verdict),
            Form::Structured => self.written().map(Said::Verdict),
            Form::Word | Form::Prose if self.calls.is_empty() => {
                Ok(Said::Words(self.texts.concat()))
            }
            Form::Word | Form::Prose => Err(Fault::Malformed("a call for a word".to_owned())),
        }
    }

    fn called(self) -> Result<Verdict, Fault> {
        match self.calls.as_slice() {
            [] => Err(Fault::NoToolCall),
            [(name, _)] if name != TOOL => Err(Fault::WrongTool(crate::verdict::shown(name))),
            [(_, input)] => Verdict::read(input),
            several => Err(Fault::SeveralAnswers(several.len())),
        }
    }

    fn written(self) -> Result<Verdict, Fault> {
        match (self.calls.len(), self.texts.as_slice()) {
            (0, []) => Err(Fault::NoToolCall),
            (0, [text]) => Verdict::read(&crate::json::read(text.as_bytes())?),
            (calls, texts) => Err(Fault::SeveralAnswers(calls + texts.len())),
        }
    }
}

/// Returns the input of a tool that some providers send as a text of its own.
fn arguments(value: Option<&Value>) -> Result<Value, Fault> {
    match value {
        Some(Value::String(text)) => crate::json::read(text.as_bytes()),
        Some(other) => Ok(other.clone()),
        None => Err(Fault::Malformed("a call without input".to_owned())),
    }
}

fn text_of(value: &Value, name: &str) -> String {
    let text = value.get(name).and_then(Value::text);
    text.unwrap_or_default().to_owned()
}

fn items<'a>(value: &'a Value, name: &str) -> Result<&'a [Value], Fault> {
    let found = value.get(name).and_then(Value::items);
    found.ok_or_else(|| Fault::Malformed(format!("no `{name}`")))
}

const ABOUT: &str = "Reports whether the call should be blocked.";

/// The schema of the verdict. Order matters: it thinks before it decides.
fn schema() -> Json {
    json!({
        "type": "object",
        "properties": {
            "thinking": { "type": "string", "description": "One or two short sentences." },
            "should_block": { "type": "boolean" },
            "reason": { "type": "string", "description": "One sentence for the user." }
        },
        "required": ["thinking", "should_block", "reason"],
        "additionalProperties": false
    })
}

/// Adds members to an object.
fn with(mut body: Json, more: Json) -> Json {
    if let (Some(body), Json::Object(more)) = (body.as_object_mut(), more) {
        body.extend(more);
    }
    body
}
