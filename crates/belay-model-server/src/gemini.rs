//! Gemini's `generateContent`.

use serde_json::{Value, json};

use crate::Script;
use crate::plan::{Asked, Reply, reply};
use crate::response::Response;
use crate::server::{fresh, items};

/// How the reply is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    Whole,
    Stream,
}

pub(crate) fn respond(script: &Script, body: &Value, form: Form) -> Response {
    let asked = asked(body);
    let parts: Vec<Value> = if asked.offered.is_empty() && wants_json(body) {
        vec![json!({"text": side_answer().to_string()})]
    } else {
        match reply(script, &asked) {
            Reply::Text(text) => vec![json!({ "text": text })],
            Reply::Calls(calls) => calls
                .iter()
                .map(|call| json!({"functionCall": {"name": call.name, "args": call.input}}))
                .collect(),
        }
    };
    let whole = json!({
        "candidates": [{"content": {"role": "model", "parts": parts},
                        "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5,
                          "totalTokenCount": 15},
        "modelVersion": "scripted-model", "responseId": fresh("gen"),
    });
    match form {
        Form::Whole => Response::Json(whole),
        Form::Stream => Response::Events(vec![(None, whole.to_string())]),
    }
}

fn wants_json(body: &Value) -> bool {
    body.pointer("/generationConfig/responseMimeType") == Some(&json!("application/json"))
}

/// Answers Gemini CLI's side questions (which model, who speaks next) so that it goes on.
fn side_answer() -> Value {
    json!({"reasoning": "scripted", "next_speaker": "user", "model_choice": "flash",
           "complexity_reasoning": "scripted", "complexity_score": 1})
}

fn asked(body: &Value) -> Asked {
    let contents = items(body, "contents");
    let parts = || contents.iter().flat_map(|it| items(it, "parts"));
    let results = || parts().filter(|it| it.get("functionResponse").is_some());
    let only = body.pointer("/toolConfig/functionCallingConfig/allowedFunctionNames/0");
    Asked {
        offered: items(body, "tools")
            .iter()
            .flat_map(|tool| items(tool, "functionDeclarations"))
            .filter_map(|it| it.get("name")?.as_str().map(str::to_owned))
            .collect(),
        results: results().count(),
        forced: only.and_then(Value::as_str).map(str::to_owned),
        first: contents.first().map(Value::to_string).unwrap_or_default(),
        last: results()
            .next_back()
            .map(Value::to_string)
            .unwrap_or_default(),
    }
}
