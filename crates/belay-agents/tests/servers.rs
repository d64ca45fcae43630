//! The MCP server and the ACP proxy, line by line.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::sync::Mutex;

use belay_agents::acp::{Passage, Sessions, Wires, to_agent, to_editor};
use belay_agents::mcp;
use belay_journal::json;
use belay_model::{Call, Judgement, Layer, Reason, Risk, Verdict};

fn judge(call: &Call) -> Judgement {
    let input = json::compact(&call.input);
    let verdict = match () {
        () if input.contains("deny-me") => Verdict::Deny,
        () if input.contains("ask-me") => Verdict::Ask,
        () => Verdict::Allow,
    };
    Judgement {
        id: None,
        verdict,
        layer: Layer::Analysis,
        reason: Reason::new(format!("{} in `{}`", call.tool, call.cwd)),
        risk: Risk::NONE,
        effects: Vec::new(),
        troubles: Vec::new(),
        trail: Vec::new(),
        micros: 0,
    }
}

fn mcp_says(line: &str) -> String {
    let mut out = Vec::new();
    let env = |name: &str| (name == "CLAUDE_PROJECT_DIR").then(|| "/p".to_owned());
    let pipes = mcp::Pipes {
        input: line.as_bytes(),
        output: &mut out,
    };
    mcp::serve(pipes, &env, &mut judge).unwrap();
    String::from_utf8(out).unwrap()
}

fn mcp_call(arguments: &str) -> String {
    mcp_says(&format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"approve","arguments":{arguments}}}}}"#
    ))
}

#[test]
fn the_server_greets() {
    let said = mcp_says(
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#,
    );
    assert!(
        said.starts_with(r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25""#)
    );
    assert!(said.ends_with("}\n"));
}
#[test]
fn notifications_get_no_reply() {
    assert_eq!(
        mcp_says(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
        ""
    );
}
#[test]
fn an_allow_carries_the_input() {
    let said = mcp_call(r#"{"tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t"}"#);
    assert!(
        said.contains(r#"{\"behavior\":\"allow\",\"updatedInput\":{\"command\":\"ls\"}}"#),
        "{said}"
    );
}
#[test]
fn an_ask_is_a_denial() {
    let said = mcp_call(r#"{"tool_name":"Bash","input":{"command":"ask-me"}}"#);
    assert!(
        said.contains(r#"\"behavior\":\"deny\""#) && said.contains("/p"),
        "{said}"
    );
}
#[test]
fn a_request_without_a_tool_is_denied() {
    assert!(mcp_call("{}").contains(r#"\"behavior\":\"deny\""#));
}
#[test]
fn text_that_is_not_json_is_an_error() {
    assert!(mcp_says("hello\n").contains("-32700"));
}

const NEW: &str = r#"{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"/p"}}"#;
const OPENED: &str = r#"{"jsonrpc":"2.0","id":7,"result":{"sessionId":"s"}}"#;

fn request(command: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":3,"method":"session/request_permission","params":{{"sessionId":"s","toolCall":{{"toolCallId":"t","kind":"execute","rawInput":{{"command":"{command}"}}}},"options":[{{"optionId":"x","name":"Allow","kind":"reject_once"}},{{"optionId":"y","name":"No","kind":"allow_once"}}]}}}}"#
    )
}

fn passage(command: &str) -> Passage {
    let sessions = Sessions::default();
    sessions.from_editor(NEW.as_bytes());
    assert_eq!(
        sessions.from_agent(OPENED.as_bytes(), &mut judge),
        Passage::On
    );
    let mut in_project = |call: &Call| {
        assert_eq!((call.tool.as_str(), call.cwd.as_str()), ("Bash", "/p"));
        judge(call)
    };
    sessions.from_agent(request(command).as_bytes(), &mut in_project)
}

fn chose(option: &str) -> Passage {
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":3,"result":{{"outcome":{{"outcome":"selected","optionId":"{option}"}}}}}}"#
    );
    Passage::Back(json::read(text.as_bytes()).unwrap())
}

#[test]
fn the_proxy_allows_by_kind() {
    assert_eq!(passage("ls"), chose("y"));
}
#[test]
fn the_proxy_rejects_by_kind() {
    assert_eq!(passage("deny-me"), chose("x"));
}
/// "Always" would let through what nobody has seen yet.
#[test]
fn the_proxy_never_allows_for_good() {
    let only = request("ls").replace("allow_once", "allow_always");
    let sessions = Sessions::default();
    assert_eq!(
        sessions.from_agent(only.as_bytes(), &mut judge),
        Passage::On
    );
}

/// What the editor would show must be what was judged.
#[test]
fn the_proxy_compares_the_diff_with_the_input() {
    let edit = |path: &str, text: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":3,"method":"session/request_permission","params":{{"sessionId":"s","toolCall":{{"toolCallId":"t","kind":"edit","rawInput":{{"file_path":"/p/a","content":"x"}},"content":[{{"type":"diff","path":"{path}","newText":"{text}"}}]}},"options":[{{"optionId":"y","name":"Yes","kind":"allow_once"}}]}}}}"#
        )
    };
    let sessions = Sessions::default();
    let passage = |path, text| sessions.from_agent(edit(path, text).as_bytes(), &mut judge);
    assert_eq!(passage("/p/a", "x"), chose("y"));
    assert_eq!(passage("/p/b", "x"), Passage::On);
    assert_eq!(passage("/p/a", "x; evil"), Passage::On);
}

#[test]
fn the_proxy_hands_an_ask_on() {
    assert_eq!(passage("ask-me"), Passage::On);
}
#[test]
fn other_lines_pass_untouched() {
    let sessions = Sessions::default();
    let odd = "not json\n{\"a\" : 1}\n";
    let agent = Mutex::new(Vec::new());
    to_agent(odd.as_bytes(), &agent, &sessions).unwrap();
    assert_eq!(agent.lock().unwrap().as_slice(), odd.as_bytes());
    let mut editor = Vec::new();
    to_editor(
        Wires {
            agent: odd.as_bytes(),
            back: &agent,
            editor: &mut editor,
        },
        &sessions,
        &mut judge,
    )
    .unwrap();
    assert_eq!(editor, odd.as_bytes());
}
