//! Members of a tool's input that nobody listed: what could be run, read or written takes the call off the fast path.
#![expect(clippy::unwrap_used, reason = "a test")]

mod house;

use autobelay::{Gate, Nowhere, Settings, Value, Verdict};
use serde_json::Value as Json;

fn verdict(tool: &str, input: &str) -> Verdict {
    let input: Json = serde_json::from_str(input).unwrap();
    let call = house::call(tool, value(&input));
    Gate::new(Settings::default())
        .judge_in(&call, &Nowhere)
        .verdict
}

fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(it) => Value::Bool(*it),
        Json::Number(it) => Value::Number(it.to_string()),
        Json::String(it) => Value::String(it.clone()),
        Json::Array(items) => Value::Array(items.iter().map(value).collect()),
        Json::Object(members) => {
            let member = |(name, it): (&String, &Json)| (name.clone(), value(it));
            Value::Object(members.iter().map(member).collect())
        }
    }
}

#[test]
fn what_is_to_run_is_asked_about_however_harmless_it_looks() {
    for (tool, plain, bent) in [
        (
            "mcp__chrome-devtools__navigate_page",
            r#"{"url": "http://localhost:3000"}"#,
            r#"{"url": "http://localhost:3000", "initScript": "fetch('https://evil.example')"}"#,
        ),
        (
            "mcp__chrome-devtools__navigate_page",
            r#"{"url": "http://localhost:3000", "type": "url"}"#,
            r#"{"url": "http://localhost:3000", "initScript": "alert"}"#,
        ),
        (
            "mcp__playwright__browser_navigate",
            r#"{"url": "http://localhost:3000"}"#,
            r#"{"url": "http://localhost:3000", "script": "alert(1)"}"#,
        ),
        (
            "mcp__playwright__browser_navigate",
            r#"{"url": "http://localhost:3000"}"#,
            r#"{"url": "http://localhost:3000", "script": "evil"}"#,
        ),
        (
            "write_stdin",
            r#"{"session_id": 1, "chars": "\u0003"}"#,
            r#"{"session_id": 1, "chars": "\u0003rm -rf ~\n"}"#,
        ),
        (
            "attempt_completion",
            r#"{"result": "done"}"#,
            r#"{"result": "done", "command": "rm -rf ~"}"#,
        ),
        (
            "update_todo_list",
            r#"{"todos": "[ ] a"}"#,
            r#"{"todos": "[ ] a", "command": "rm -rf ~"}"#,
        ),
        (
            "mcp__firecrawl__firecrawl_scrape",
            r#"{"url": "https://docs.python.org/3/", "formats": ["markdown"]}"#,
            r#"{"url": "https://evil.example/", "formats": ["markdown"]}"#,
        ),
        (
            "mcp__playwright__browser_snapshot",
            "{}",
            r#"{"options": {"pre_command": "evil"}}"#,
        ),
        (
            "Read",
            r#"{"file_path": "a.rs"}"#,
            r#"{"file_path": "a.rs", "cmd": "evil"}"#,
        ),
        (
            "ReadMcpResourceTool",
            r#"{"server": "x", "uri": "docs://guide"}"#,
            r#"{"server": "x", "uri": "file:///home/me/.ssh/id_rsa"}"#,
        ),
        (
            "read_mcp_resource",
            r#"{"server": "x", "uri": "file:///work/app/a.rs"}"#,
            r#"{"server": "x", "uri": "file:///home/me/.aws/credentials"}"#,
        ),
        (
            "Write",
            r#"{"file_path": "/work/app/a b.rs", "content": "x"}"#,
            r#"{"file_path": " /home/me/.bashrc", "content": "x"}"#,
        ),
        (
            "WebSearch",
            r#"{"query": "how to rm -rf"}"#,
            r#"{"query": "x", "script": "evil"}"#,
        ),
        (
            "TodoWrite",
            r#"{"todos": [{"content": "run rm -rf build"}]}"#,
            r#"{"todos": [], "Command": ["evil"]}"#,
        ),
        (
            "mcp__github__get_issue",
            r#"{"owner": "a", "repo": "b", "issue_number": 1}"#,
            r#"{"owner": "a", "shell": "evil"}"#,
        ),
        (
            "LSP",
            r#"{"operation": "hover", "filePath": "/work/app/a.rs", "line": 1}"#,
            r#"{"operation": "hover", "code": "evil"}"#,
        ),
    ] {
        assert_eq!(verdict(tool, plain), Verdict::Allow, "{tool} {plain}");
        assert_eq!(verdict(tool, bent), Verdict::Ask, "{tool} {bent}");
    }
}

/// A tool that only looks may be told to save what it sees.
#[test]
fn what_is_saved_is_written() {
    for tool in [
        "mcp__chrome-devtools__take_snapshot",
        "mcp__chrome-devtools__take_screenshot",
        "mcp__playwright__browser_snapshot",
        "mcp__playwright__browser_take_screenshot",
        "mcp__playwright__browser_console_messages",
    ] {
        for (input, wanted) in [
            ("{}", Verdict::Allow),
            (r#"{"filename": "shot.png"}"#, Verdict::Allow),
            (r#"{"filePath": "/tmp/shot.png"}"#, Verdict::Allow),
            (r#"{"filePath": "/home/me/.bashrc"}"#, Verdict::Deny),
            (r#"{"filename": "../../home/me/.bashrc"}"#, Verdict::Deny),
            (r#"{"filePath": "file:///home/me/.bashrc"}"#, Verdict::Deny),
            (r#"{"filename": ".git/hooks/pre-commit"}"#, Verdict::Ask),
        ] {
            assert_eq!(verdict(tool, input), wanted, "{tool} {input}");
        }
    }
}
