//! Anthropic Messages.

use serde_json::{Value, json};

use crate::Script;
use crate::plan::{Asked, Call, Reply, merge, reply};
use crate::response::Response;
use crate::server::{fresh, items, streams, text};

pub(crate) fn respond(script: &Script, body: &Value) -> Response {
    let (blocks, stop) = match reply(script, &asked(body)) {
        Reply::Text(text) => (vec![json!({"type": "text", "text": text})], "end_turn"),
        Reply::Calls(calls) => (calls.iter().map(tool_use).collect(), "tool_use"),
    };
    let message = json!({
        "id": fresh("msg"), "type": "message", "role": "assistant", "model": text(body, "model"),
        "content": blocks, "stop_reason": stop, "stop_sequence": null,
        "usage": {"input_tokens": 10, "output_tokens": 5,
                  "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
    });
    if streams(body) {
        Response::Events(events(message, &blocks, stop))
    } else {
        Response::Json(message)
    }
}

fn asked(body: &Value) -> Asked {
    let messages = items(body, "messages");
    let blocks = || messages.iter().flat_map(|it| items(it, "content"));
    let results = || blocks().filter(|it| text(it, "type") == "tool_result");
    let choice = body.get("tool_choice").unwrap_or(&Value::Null);
    let first = messages.iter().find(|it| text(it, "role") == "user");
    Asked {
        offered: items(body, "tools")
            .iter()
            .map(|tool| text(tool, "name").to_owned())
            .collect(),
        results: results().count(),
        forced: (text(choice, "type") == "tool").then(|| text(choice, "name").to_owned()),
        first: first
            .and_then(|it| it.get("content"))
            .map(Value::to_string)
            .unwrap_or_default(),
        last: results()
            .next_back()
            .map(Value::to_string)
            .unwrap_or_default(),
    }
}

fn tool_use(call: &Call) -> Value {
    json!({"type": "tool_use", "id": fresh("toolu"), "name": call.name, "input": call.input})
}

fn events(message: Value, blocks: &[Value], stop: &str) -> Vec<(Option<&'static str>, String)> {
    let mut opening = message;
    merge(&mut opening, "content", json!([]));
    merge(&mut opening, "stop_reason", Value::Null);
    let mut events = vec![json!({"type": "message_start", "message": opening})];
    for (at, block) in blocks.iter().enumerate() {
        let (start, delta) = begun(block);
        events.extend([
            json!({"type": "content_block_start", "index": at, "content_block": start}),
            json!({"type": "content_block_delta", "index": at, "delta": delta}),
            json!({"type": "content_block_stop", "index": at}),
        ]);
    }
    events.extend([
        json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null},
               "usage": {"output_tokens": 5}}),
        json!({"type": "message_stop"}),
    ]);
    events.iter().map(named).collect()
}

/// Returns a block as it begins, and all of its content as one change.
fn begun(block: &Value) -> (Value, Value) {
    let mut start = block.clone();
    if text(block, "type") == "text" {
        merge(&mut start, "text", json!(""));
        return (
            start,
            json!({"type": "text_delta", "text": text(block, "text")}),
        );
    }
    let input = block.get("input").map(Value::to_string);
    merge(&mut start, "input", json!({}));
    (
        start,
        json!({"type": "input_json_delta", "partial_json": input}),
    )
}

fn named(event: &Value) -> (Option<&'static str>, String) {
    const NAMES: [&str; 6] = [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ];
    let kind = text(event, "type");
    let name = NAMES.into_iter().find(|it| *it == kind);
    (name, event.to_string())
}
