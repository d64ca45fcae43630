//! One gate, many doors: the same calls get the same answers through the library, `belay check`, the
//! stream, the hook, the daemon, the MCP server and the ACP proxy.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use autobelay::{Call, Gate, Settings};
use serde_json::{Value, json};

/// Of the labelled calls, one in so many goes through every door.
const STRIDE: usize = 23;

/// What a door says of a call: verdict, rule, risk, reason and effects.
type Said = Vec<Value>;

/// A home with a project, and what is asked there.
struct House {
    home: tempfile::TempDir,
    calls: Vec<(String, Value)>,
}

impl House {
    fn new() -> Self {
        let home = tempfile::Builder::new().prefix("doors").tempdir().unwrap();
        let project = home.path().join("project");
        std::fs::create_dir_all(project.join("src")).unwrap();
        std::fs::write(project.join("src/a.rs"), "fn main() {}\n").unwrap();
        let mut calls = shell_calls();
        let tool = |name: &str, input: Value| (name.to_owned(), input);
        calls.extend([
            tool("Read", json!({"file_path": project.join("src/a.rs")})),
            tool(
                "Read",
                json!({"file_path": home.path().join(".ssh/id_ed25519")}),
            ),
            tool(
                "Write",
                json!({"file_path": project.join("src/b.rs"), "content": "x"}),
            ),
            tool("Write", json!({"file_path": "/etc/hosts", "content": "x"})),
            tool(
                "WebFetch",
                json!({"url": "https://docs.rs/serde", "prompt": "x"}),
            ),
            tool(
                "WebFetch",
                json!({"url": "http://169.254.169.254/", "prompt": "x"}),
            ),
        ]);
        Self { home, calls }
    }

    fn project(&self) -> PathBuf {
        self.home.path().join("project")
    }

    /// A door that an agent registers: it is told whose home it is.
    fn registered(&self, words: &[&str]) -> Command {
        let home = self.home.path().to_str().unwrap();
        let (own, agent) = words.split_at(
            words
                .iter()
                .position(|it| *it == "--")
                .unwrap_or(words.len()),
        );
        self.belay(&[own, &["--home", home], agent].concat())
    }

    fn belay(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_belay"));
        command
            .args(words)
            .current_dir(self.project())
            .env_clear()
            .env("HOME", self.home.path())
            .env("PWD", self.project())
            .env("PATH", "/usr/bin:/bin");
        command
    }

    /// A call as our own JSON has it.
    fn call(&self, at: usize) -> Value {
        let (tool, input) = &self.calls[at];
        json!({"id": at.to_string(), "tool": tool, "input": input, "cwd": self.project(),
               "project_root": self.project(), "home": self.home.path()})
    }

    /// The records that a door left, each under its call's id.
    fn records(&self) -> BTreeMap<usize, Said> {
        let folder = self.home.path().join(".local/state/belay/journal");
        let mut found = BTreeMap::new();
        for entry in std::fs::read_dir(&folder).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            for line in text.lines() {
                let record: Value = serde_json::from_str(line).unwrap();
                let id = record["call"]["id"].as_str().unwrap().parse().unwrap();
                found.insert(id, said(&record["judgement"]));
            }
        }
        std::fs::remove_dir_all(&folder).unwrap();
        found
    }
}

fn said(judgement: &Value) -> Said {
    ["verdict", "rule", "risk", "reason", "effects"]
        .map(|it| judgement[it].clone())
        .to_vec()
}

/// Every so many of the shell calls of the corpus; our folder takes the place of theirs.
fn shell_calls() -> Vec<(String, Value)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut files: Vec<PathBuf> = std::fs::read_dir(corpus)
        .unwrap()
        .map(|it| it.unwrap().path())
        .filter(|it| it.extension().is_some_and(|it| it == "jsonl"))
        .collect();
    files.sort();
    let texts = files.iter().map(|it| std::fs::read_to_string(it).unwrap());
    let text: String = texts.collect();
    let calls = text.lines().map(|it| serde_json::from_str(it).unwrap());
    let commands = calls.filter_map(|it: Value| it["input"]["command"].as_str().map(str::to_owned));
    commands
        .step_by(STRIDE)
        .map(|it| ("Bash".to_owned(), json!({ "command": it })))
        .collect()
}

fn library(house: &House, headless: bool) -> BTreeMap<usize, Said> {
    let home = house.home.path().to_str().unwrap().to_owned();
    let gate = Gate::new(Settings::default()).at_home(Some(home), "/usr/bin:/bin".to_owned());
    let judged = |at: usize| {
        let value = belay_journal::json::read(house.call(at).to_string().as_bytes()).unwrap();
        let call = Call {
            headless,
            ..belay_journal::read_call(&value).unwrap()
        };
        let judgement = belay_journal::judgement_to_json(&gate.judge(&call));
        let text = belay_journal::json::compact(&judgement);
        (at, said(&serde_json::from_str(&text).unwrap()))
    };
    (0..house.calls.len()).map(judged).collect()
}

fn check(house: &House) -> BTreeMap<usize, Said> {
    let judged = |at: usize| {
        let (tool, input) = &house.calls[at];
        let words = [
            "check",
            "--json",
            "--tool",
            tool,
            "--input",
            &input.to_string(),
        ];
        let output = house.belay(&words).output().unwrap();
        (at, said(&serde_json::from_slice(&output.stdout).unwrap()))
    };
    (0..house.calls.len()).map(judged).collect()
}

fn stream(house: &House) -> BTreeMap<usize, Said> {
    let lines: String = (0..house.calls.len())
        .map(|at| format!("{}\n", house.call(at)))
        .collect();
    let output = fed(house.belay(&["check", "--jsonl"]), &lines);
    let judgements = output.lines().map(|it| serde_json::from_str(it).unwrap());
    judgements
        .map(|it: Value| (it["id"].as_str().unwrap().parse().unwrap(), said(&it)))
        .collect()
}

/// Starts a program, tells it all of a text and returns what it says.
fn fed(mut command: Command, text: &str) -> String {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let mut said = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    writer.join().unwrap().unwrap();
    child.wait().unwrap();
    said
}

/// What Claude Code sends its hook; each call has a session of its own.
fn message(house: &House, door: &str, at: usize) -> String {
    let (tool, input) = &house.calls[at];
    json!({"session_id": format!("{door}-{at}"), "transcript_path": "/nowhere", "cwd": house.project(),
           "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": tool,
           "tool_input": input, "tool_use_id": at.to_string()})
    .to_string()
}

fn hook(house: &House) -> BTreeMap<usize, Said> {
    for at in 0..house.calls.len() {
        fed(
            house.registered(&["hook", "claude-code"]),
            &message(house, "hook", at),
        );
    }
    house.records()
}

/// A daemon, gone when dropped.
struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn daemon(house: &House) -> BTreeMap<usize, Said> {
    let mut serve = house.registered(&["serve"]);
    let _daemon = Daemon(serve.stderr(Stdio::null()).spawn().unwrap());
    let socket = house.home.path().join(".local/state/belay/daemon/socket");
    let begun = Instant::now();
    while UnixStream::connect(&socket).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(20), "no daemon");
        std::thread::sleep(Duration::from_millis(10));
    }
    for at in 0..house.calls.len() {
        let body = message(house, "daemon", at);
        let length = body.len();
        let mut stream = UnixStream::connect(&socket).unwrap();
        let request = format!(
            "POST /belay/hook/claude-code HTTP/1.1\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        stream.read_to_string(&mut String::new()).unwrap();
    }
    house.records()
}

fn mcp(house: &House) -> BTreeMap<usize, Said> {
    let asked = |at: usize| {
        let (tool, input) = &house.calls[at];
        let arguments = json!({"tool_name": tool, "input": input, "tool_use_id": at.to_string()});
        let params = json!({"name": "approve", "arguments": arguments});
        let line = json!({"jsonrpc": "2.0", "id": at, "method": "tools/call", "params": params});
        format!("{line}\n")
    };
    let lines: String = (0..house.calls.len()).map(asked).collect();
    fed(house.registered(&["mcp"]), &lines);
    house.records()
}

/// The agent behind the proxy hears of every session first, then asks for each call, and waits for the
/// answers that do not come from a person.
fn acp(house: &House, wanted: &BTreeMap<usize, Said>) -> BTreeMap<usize, Said> {
    let count = house.calls.len();
    let answers = wanted.values().filter(|it| it[0] != "ask").count();
    let options =
        json!([{"kind": "allow_once", "optionId": "y"}, {"kind": "reject_once", "optionId": "n"}]);
    let mut agent = String::new();
    let mut editor = String::new();
    for at in 0..count {
        let (tool, input) = &house.calls[at];
        let session = format!("acp-{at}");
        let opened = json!({"jsonrpc": "2.0", "id": at, "result": {"sessionId": session}});
        let asked = json!({"sessionId": session, "options": options,
            "toolCall": {"toolCallId": at.to_string(), "rawInput": input,
                         "_meta": {"claudeCode": {"toolName": tool}}}});
        let asks = json!({"jsonrpc": "2.0", "id": at, "method": "session/request_permission", "params": asked});
        agent.push_str(&format!("{opened}\n{asks}\n"));
        let new = json!({"jsonrpc": "2.0", "id": at, "method": "session/new", "params": {"cwd": house.project()}});
        editor.push_str(&format!("{new}\n"));
    }
    let lines = house.home.path().join("agent.jsonl");
    std::fs::write(&lines, agent).unwrap();
    // `read` takes byte by byte, so that no line is lost to a buffer.
    let hear =
        |lines: usize| format!("i=0; while [ $i -lt {lines} ]; do read -r x; i=$((i+1)); done");
    let (first, then) = (hear(count), hear(answers));
    let script = format!("{first}; cat '{}'; {then}", lines.display());
    fed(
        house.registered(&["acp", "--", "sh", "-c", &script]),
        &editor,
    );
    house.records()
}

#[test]
fn every_door_gives_the_same_answers() {
    let house = House::new();
    let attended = library(&house, false);
    let headless = library(&house, true);
    let doors = [
        ("check", check(&house), &attended),
        ("check --jsonl", stream(&house), &attended),
        ("hook", hook(&house), &attended),
        ("daemon", daemon(&house), &attended),
        ("mcp", mcp(&house), &headless),
        ("acp", acp(&house, &attended), &attended),
    ];
    let mut differ = Vec::new();
    for (door, found, wanted) in doors {
        for (at, wanted) in wanted {
            if found.get(at) != Some(wanted) {
                let found = found.get(at);
                differ.push(format!(
                    "{door}: {:?}\n  {wanted:?}\n  {found:?}",
                    house.calls[*at]
                ));
            }
        }
    }
    assert!(attended.len() > 100, "only {} calls", attended.len());
    assert!(
        differ.is_empty(),
        "{}:\n{}",
        differ.len(),
        differ.join("\n")
    );
}
