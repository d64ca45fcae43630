//! OpenAI chat completions, as many others speak them too.

use serde_json::{Value, json};

use crate::Script;
use crate::plan::{Asked, Call, Reply, merge, reply};
use crate::response::Response;
use crate::server::{fresh, items, streams, text};

pub(crate) fn respond(script: &Script, body: &Value) -> Response {
    let (message, finish) = match reply(script, &asked(body)) {
        Reply::Text(text) => (json!({"role": "assistant", "content": text}), "stop"),
        Reply::Calls(calls) => {
            let calls: Vec<Value> = calls
                .iter()
                .enumerate()
                .map(|(at, it)| tool_call(at, it))
                .collect();
            let message = json!({"role": "assistant", "content": null, "tool_calls": calls});
            (message, "tool_calls")
        }
    };
    let usage = json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15});
    let mut whole = json!({
        "id": fresh("chatcmpl"), "object": "chat.completion", "created": 1_700_000_000,
        "model": text(body, "model"), "usage": usage,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    });
    if !streams(body) {
        return Response::Json(whole);
    }
    merge(&mut whole, "object", json!("chat.completion.chunk"));
    let mut events = [
        json!([{"index": 0, "delta": message, "finish_reason": null}]),
        json!([{"index": 0, "delta": {}, "finish_reason": finish}]),
        json!([]),
    ]
    .map(|choices| chunk(&whole, choices))
    .to_vec();
    events.push((None, "[DONE]".to_owned()));
    Response::Events(events)
}

fn chunk(whole: &Value, choices: Value) -> (Option<&'static str>, String) {
    let mut chunk = whole.clone();
    if choices != json!([]) {
        merge(&mut chunk, "usage", Value::Null);
    }
    merge(&mut chunk, "choices", choices);
    (None, chunk.to_string())
}

fn function(value: &Value) -> Option<String> {
    let name = value.get("function")?.get("name")?.as_str()?;
    Some(name.to_owned())
}

fn asked(body: &Value) -> Asked {
    let messages = items(body, "messages");
    let results = || messages.iter().filter(|it| text(it, "role") == "tool");
    let first = messages.iter().find(|it| text(it, "role") == "user");
    Asked {
        offered: items(body, "tools").iter().filter_map(function).collect(),
        results: results().count(),
        forced: body.get("tool_choice").and_then(function),
        first: first.map(Value::to_string).unwrap_or_default(),
        last: results()
            .next_back()
            .map(Value::to_string)
            .unwrap_or_default(),
    }
}

fn tool_call(at: usize, call: &Call) -> Value {
    json!({"index": at, "id": fresh("call"), "type": "function",
           "function": {"name": call.name, "arguments": call.input.to_string()}})
}
