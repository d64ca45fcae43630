//! OpenAI Responses.

use serde_json::{Value, json};

use crate::Script;
use crate::plan::{Asked, Call, Reply, merge, reply};
use crate::response::Response;
use crate::server::{fresh, items, streams, text};

pub(crate) fn respond(script: &Script, body: &Value) -> Response {
    let output: Vec<Value> = match reply(script, &asked(body)) {
        Reply::Text(text) => vec![json!({
            "type": "message", "role": "assistant", "id": fresh("msg"), "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        })],
        Reply::Calls(calls) => calls.iter().map(|call| item(call, body)).collect(),
    };
    let whole = json!({
        "id": fresh("resp"), "object": "response", "created_at": 1_700_000_000,
        "model": text(body, "model"), "status": "completed", "output": output,
        "usage": {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0},
                  "output_tokens": 5, "output_tokens_details": {"reasoning_tokens": 0},
                  "total_tokens": 15},
        "tools": [], "tool_choice": "auto", "parallel_tool_calls": true,
        "error": null, "incomplete_details": null, "metadata": {},
    });
    if streams(body) {
        Response::Events(events(whole, &output))
    } else {
        Response::Json(whole)
    }
}

fn is_result(item: &Value) -> bool {
    text(item, "type").ends_with("_call_output")
}

fn asked(body: &Value) -> Asked {
    let input = items(body, "input");
    let results = || input.iter().filter(|it| is_result(it));
    // A sub-agent of Codex gets its errand from its parent.
    let said = |it: &&Value| text(it, "role") == "user" || text(it, "type") == "agent_message";
    let choice = body.get("tool_choice").unwrap_or(&Value::Null);
    Asked {
        offered: items(body, "tools").iter().flat_map(offered).collect(),
        results: results().count(),
        forced: choice
            .get("name")
            .and_then(Value::as_str)
            .map(str::to_owned),
        first: input
            .iter()
            .filter(said)
            .map(Value::to_string)
            .collect::<Vec<_>>()
            .join("\n"),
        last: results()
            .next_back()
            .map(Value::to_string)
            .unwrap_or_default(),
    }
}

/// Returns the names of a tool; those in a namespace carry it before a dot.
fn offered(tool: &Value) -> Vec<String> {
    match (text(tool, "type"), text(tool, "name")) {
        ("namespace", space) => items(tool, "tools")
            .iter()
            .map(|it| format!("{space}.{}", text(it, "name")))
            .collect(),
        (kind, "") => vec![kind.to_owned()],
        (_, name) => vec![name.to_owned()],
    }
}

/// Tells whether the request offers the tool as one that takes plain text.
fn takes_text(body: &Value, name: &str) -> bool {
    items(body, "tools")
        .iter()
        .any(|tool| text(tool, "type") == "custom" && text(tool, "name") == name)
}

fn item(call: &Call, body: &Value) -> Value {
    let id = fresh("call");
    if takes_text(body, &call.name) {
        let plain = call.text.as_deref();
        let input = plain.unwrap_or_else(|| text(&call.input, "input"));
        return json!({"type": "custom_tool_call", "id": fresh("ctc"), "call_id": id,
                      "name": call.name, "status": "completed", "input": input});
    }
    let (space, name) = call.name.split_once('.').unwrap_or(("", &call.name));
    let mut item = json!({"type": "function_call", "id": fresh("fc"), "call_id": id, "name": name,
                          "status": "completed", "arguments": call.input.to_string()});
    if !space.is_empty() {
        merge(&mut item, "namespace", json!(space));
    }
    item
}

fn events(whole: Value, output: &[Value]) -> Vec<(Option<&'static str>, String)> {
    let mut opening = whole.clone();
    merge(&mut opening, "status", json!("in_progress"));
    merge(&mut opening, "output", json!([]));
    merge(&mut opening, "usage", Value::Null);
    let mut events = vec![("response.created", json!({"response": opening}))];
    for (at, item) in output.iter().enumerate() {
        let mut begun = item.clone();
        merge(&mut begun, "status", json!("in_progress"));
        let added = json!({"output_index": at, "item": begun});
        events.push(("response.output_item.added", added));
        if let Some(said) = items(item, "content").first() {
            let delta = json!({"item_id": text(item, "id"), "output_index": at,
                               "content_index": 0, "delta": text(said, "text")});
            events.push(("response.output_text.delta", delta));
        }
        let done = json!({"output_index": at, "item": item});
        events.push(("response.output_item.done", done));
    }
    events.push(("response.completed", json!({"response": whole})));
    let events = events.into_iter().enumerate();
    events
        .map(|(at, (name, event))| (Some(name), numbered(at, name, event)))
        .collect()
}

fn numbered(at: usize, name: &str, mut event: Value) -> String {
    merge(&mut event, "type", json!(name));
    merge(&mut event, "sequence_number", json!(at));
    event.to_string()
}
