//! A permission-prompt tool as an MCP server on stdio: `claude -p --permission-prompt-tool
//! mcp__belay__approve`. Small enough that an SDK would be more code than this.
//!
//! INVARIANT: whatever is not an allow is a deny; nothing but JSON-RPC goes to the writer.

use std::io::{self, BufRead, Write};

use belay_journal::json;
use belay_model::{Call, Judgement, Value, Verdict};

use crate::answer::object;
use crate::reading::roots;
use crate::wording::{Able, said};
use crate::{Agent, Env};

/// The agent that asks in this way.
pub const AGENT: Agent = Agent::ClaudeCode;
/// The protocol version we speak when the client names none.
const VERSION: &str = "2025-06-18";
/// No message may be longer.
const LONGEST: u64 = 64 * 1024 * 1024;

/// Where messages come from, and where answers go.
#[derive(Debug)]
pub struct Pipes<I, O> {
    /// Read line by line.
    pub input: I,
    /// Written line by line.
    pub output: O,
}

/// Serves until the reader ends. `judge` is asked about every call.
///
/// # Errors
/// Returns why the reader or the writer failed.
pub fn serve(
    pipes: Pipes<impl BufRead, impl Write>,
    env: Env<'_>,
    judge: &mut dyn FnMut(&Call) -> Judgement,
) -> io::Result<()> {
    let Pipes {
        mut input,
        mut output,
    } = pipes;
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = io::Read::take(&mut input, LONGEST).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(());
        }
        if let Some(reply) = replied(&line, env, judge) {
            let mut text = json::compact(&reply);
            text.push('\n');
            output.write_all(text.as_bytes())?;
            output.flush()?;
        }
    }
}

fn replied(line: &[u8], env: Env<'_>, judge: &mut dyn FnMut(&Call) -> Judgement) -> Option<Value> {
    if line.trim_ascii().is_empty() {
        return None;
    }
    let Ok(message) = json::read(line) else {
        return Some(failed(&Value::Null, "-32700", "not JSON"));
    };
    let id = message.get("id")?;
    let params = message.get("params").unwrap_or(&Value::Null);
    Some(match message.get("method").and_then(Value::text) {
        Some("initialize") => result(id, greeting(params)),
        Some("ping") => result(id, object([])),
        Some("tools/list") => result(id, object([("tools", Value::Array(vec![tool()]))])),
        Some("tools/call") => result(id, called(params, env, judge)),
        Some(_) => failed(id, "-32601", "no such method"),
        None => return None,
    })
}

fn result(id: &Value, result: Value) -> Value {
    object([
        ("jsonrpc", "2.0".into()),
        ("id", id.clone()),
        ("result", result),
    ])
}

fn failed(id: &Value, code: &str, message: &str) -> Value {
    let error = object([
        ("code", Value::Number(code.to_owned())),
        ("message", message.into()),
    ]);
    object([
        ("jsonrpc", "2.0".into()),
        ("id", id.clone()),
        ("error", error),
    ])
}

fn greeting(params: &Value) -> Value {
    let version = params.get("protocolVersion").and_then(Value::text);
    object([
        ("protocolVersion", version.unwrap_or(VERSION).into()),
        ("capabilities", object([("tools", object([]))])),
        (
            "serverInfo",
            object([
                ("name", "belay".into()),
                ("version", env!("CARGO_PKG_VERSION").into()),
            ]),
        ),
    ])
}

fn tool() -> Value {
    let text = || object([("type", "string".into())]);
    let properties = object([
        ("tool_name", text()),
        ("input", object([("type", "object".into())])),
        ("tool_use_id", text()),
    ]);
    let required = ["tool_name", "input"].map(Value::from).to_vec();
    object([
        ("name", "approve".into()),
        ("description", "Says whether a tool call may run.".into()),
        (
            "inputSchema",
            object([
                ("type", "object".into()),
                ("properties", properties),
                ("required", Value::Array(required)),
            ]),
        ),
    ])
}

fn called(params: &Value, env: Env<'_>, judge: &mut dyn FnMut(&Call) -> Judgement) -> Value {
    let told = match call(params, env) {
        Some(call) => decided(&call, &judge(&call)),
        None => denied("belay: refused: the request names no tool and input"),
    };
    let block = object([
        ("type", "text".into()),
        ("text", json::compact(&told).into()),
    ]);
    object([("content", Value::Array(vec![block]))])
}

/// The request names neither folder nor session; the server runs in the project.
fn call(params: &Value, env: Env<'_>) -> Option<Call> {
    if params.get("name").and_then(Value::text) != Some("approve") {
        return None;
    }
    let asked = params.get("arguments")?;
    let input = asked.get("input").filter(|it| it.members().is_some())?;
    let folder = env("CLAUDE_PROJECT_DIR").or_else(|| env("PWD"));
    let cwd = folder.unwrap_or_default();
    Some(Call {
        id: asked
            .get("tool_use_id")
            .and_then(Value::text)
            .map(str::to_owned),
        tool: asked.get("tool_name").and_then(Value::text)?.to_owned(),
        input: input.clone(),
        project_roots: roots(&cwd),
        cwd,
        home: env("HOME"),
        agent: Some(AGENT.word().to_owned()),
        headless: true,
        ..Call::default()
    })
}

fn decided(call: &Call, judgement: &Judgement) -> Value {
    let said = said(judgement, Able::NotAsk);
    match said.verdict {
        Verdict::Allow => object([
            ("behavior", "allow".into()),
            ("updatedInput", call.input.clone()),
        ]),
        Verdict::Ask | Verdict::Deny => denied(&said.reason),
    }
}

fn denied(reason: &str) -> Value {
    object([("behavior", "deny".into()), ("message", reason.into())])
}
