//! One gate, many doors: the labelled calls get the same answers through the library, `belay check`, the
//! stream, the hook, the daemon, the MCP server and the ACP proxy.
//!
//! Every call of the corpus goes through every door that is one long process. `check` and the hook start a
//! process for each call: one call in four goes through the one, one through the other, and `BELAY_SEED` says which.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use autobelay::{Call, Gate, Settings};
use serde_json::{Value, json};

/// What a door says of a call: verdict, rule, risk, reason and effects.
type Said = Vec<Value>;
type Answers = BTreeMap<usize, Said>;

/// A home with a project, and what is asked there. Each door has its own: none sees what another left.
struct House {
    around: tempfile::TempDir,
    calls: Vec<(String, Value)>,
}

impl House {
    fn new() -> Self {
        let around = tempfile::Builder::new().prefix("doors").tempdir().unwrap();
        let home = around.path().join("me");
        let project = home.join("project");
        std::fs::create_dir_all(project.join("src")).unwrap();
        std::fs::write(project.join("src/a.rs"), "fn main() {}\n").unwrap();
        let calls = labelled(&project, &home);
        Self { around, calls }
    }

    fn home(&self) -> PathBuf {
        self.around.path().join("me")
    }

    fn project(&self) -> PathBuf {
        self.home().join("project")
    }

    /// A door that an agent registers: it is told whose home it is.
    fn registered(&self, words: &[&str]) -> Command {
        let home = self.home();
        let home = home.to_str().unwrap();
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
            .env("HOME", self.home())
            .env("PWD", self.project())
            .env("PATH", "/usr/bin:/bin");
        command
    }

    /// A call as our own JSON has it.
    fn call(&self, at: usize) -> Value {
        let (tool, input) = &self.calls[at];
        json!({"id": at.to_string(), "tool": tool, "input": input, "cwd": self.project(),
               "project_root": self.project(), "home": self.home()})
    }

    /// The records that a door left, each under its call's id.
    fn records(&self) -> Answers {
        let folder = self.home().join(".local/state/belay/journal");
        let mut found = BTreeMap::new();
        for entry in std::fs::read_dir(&folder).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            for line in text.lines() {
                let record: Value = serde_json::from_str(line).unwrap();
                let id = record["call"]["id"].as_str().unwrap().parse().unwrap();
                found.insert(id, self.said(&record["judgement"]));
            }
        }
        found
    }

    /// What a record keeps of a judgement, the same in every home: without secrets.
    fn said(&self, judgement: &Value) -> Said {
        let parts = ["verdict", "rule", "risk", "reason", "effects"].map(|it| &judgement[it]);
        let text = json!(parts).to_string();
        let text = text.replace(self.around.path().to_str().unwrap(), "/home");
        // Where a path with blanks is torn apart, its end stays.
        let name = self.around.path().file_name().unwrap().to_str().unwrap();
        let text = text.replace(name, "doors");
        let value = belay_journal::json::read(text.as_bytes()).unwrap();
        let text = belay_journal::json::compact(&belay_journal::redact_value(value));
        serde_json::from_str(&text).unwrap()
    }
}

/// All labelled calls, of shells and of other tools; our project and home take the place of theirs. A folder in
/// the input counts with the hosts that heed it, so it is left out here.
fn labelled(project: &Path, home: &Path) -> Vec<(String, Value)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut files: Vec<PathBuf> = std::fs::read_dir(corpus)
        .unwrap()
        .map(|it| it.unwrap().path())
        .filter(|it| it.extension().is_some_and(|it| it == "jsonl"))
        .collect();
    files.sort();
    let texts = files.iter().map(|it| std::fs::read_to_string(it).unwrap());
    let text: String = texts.collect();
    let moved = |line: &str| {
        let mut call: Value = serde_json::from_str(line).unwrap();
        call["input"].as_object_mut().unwrap().remove("workdir");
        let [root, whose, tool] =
            ["project_root", "home", "tool"].map(|it| call[it].as_str().unwrap());
        let input = call["input"].to_string();
        let input = input.replace(root, project.to_str().unwrap());
        let input = input.replace(whose, home.to_str().unwrap());
        (tool.to_owned(), serde_json::from_str(&input).unwrap())
    };
    // Code mode is one agent's own: under another agent's name the tool is another. Where `go` keeps its modules stands in the
    // environment, which the library is not given here.
    let everywhere = |it: &(String, Value)| {
        it.0 != "exec"
            && !it.1["command"]
                .as_str()
                .unwrap_or_default()
                .contains("$(go env")
    };
    text.lines().map(moved).filter(everywhere).collect()
}

fn library(house: &House, headless: bool) -> Answers {
    let home = house.home().to_str().unwrap().to_owned();
    let gate = Gate::new(Settings::default()).at_home(Some(home), "/usr/bin:/bin".to_owned());
    let gate = gate.keeping(Box::new(autobelay::Measure::default()));
    let judged = |at: usize| {
        let value = belay_journal::json::read(house.call(at).to_string().as_bytes()).unwrap();
        let call = Call {
            headless,
            ..belay_journal::read_call(&value).unwrap()
        };
        let judgement = belay_journal::judgement_to_json(&gate.judge(&call));
        let text = belay_journal::json::compact(&judgement);
        (at, house.said(&serde_json::from_str(&text).unwrap()))
    };
    (0..house.calls.len()).map(judged).collect()
}

fn check(house: &House, calls: &[usize]) -> Answers {
    let judged = |at: &usize| {
        let (tool, input) = &house.calls[*at];
        let input = input.to_string();
        let words = ["check", "--json", "--tool", tool, "--input", &input];
        let output = house.belay(&words).output().unwrap();
        let judgement = serde_json::from_slice(&output.stdout).unwrap();
        (*at, house.said(&judgement))
    };
    calls.iter().map(judged).collect()
}

fn stream(house: &House) -> Answers {
    let lines: String = (0..house.calls.len())
        .map(|at| format!("{}\n", house.call(at)))
        .collect();
    let output = fed(house.belay(&["check", "--jsonl"]), &lines);
    let judgements = output.lines().map(|it| serde_json::from_str(it).unwrap());
    judgements
        .map(|it: Value| (it["id"].as_str().unwrap().parse().unwrap(), house.said(&it)))
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

fn hook(house: &House, calls: &[usize]) -> Answers {
    for at in calls {
        fed(
            house.registered(&["hook", "claude-code"]),
            &message(house, "hook", *at),
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

fn daemon(house: &House) -> Answers {
    let mut serve = house.registered(&["serve"]);
    let _daemon = Daemon(serve.stderr(Stdio::null()).spawn().unwrap());
    let socket = house.home().join(".local/state/belay/daemon/socket");
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

fn mcp(house: &House) -> Answers {
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

/// The agent behind the proxy hears of every session first, then asks for each call, and waits for the answer to
/// one more that needs nobody: the proxy answers in order.
fn acp(house: &House) -> Answers {
    let count = house.calls.len();
    let options =
        json!([{"kind": "allow_once", "optionId": "y"}, {"kind": "reject_once", "optionId": "n"}]);
    let last = ("Bash".to_owned(), json!({"command": "ls"}));
    let mut agent = String::new();
    let mut editor = String::new();
    for (at, (tool, input)) in house.calls.iter().chain([&last]).enumerate() {
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
    let lines = house.home().join("agent.jsonl");
    std::fs::write(&lines, agent).unwrap();
    // `read` takes byte by byte, so that no line is lost to a buffer; who asks must also listen, or both wait.
    let script = format!(
        r#"i=0; while [ $i -le {count} ]; do read -r x; i=$((i+1)); done
        cat '{}' & while read -r x; do case $x in *'"id":{count},'*) break;; esac; done"#,
        lines.display()
    );
    fed(
        house.registered(&["acp", "--", "sh", "-c", &script]),
        &editor,
    );
    let mut answers = house.records();
    answers.remove(&count);
    answers
}

/// Says which answers of a door are not those of the library.
/// Some doors keep what would be lost, others only measure it: the name of a keep makes no other answer.
fn measured(said: Option<&Said>) -> String {
    let text = format!("{said:?}");
    let Some((before, rest)) = text.split_once("\"kept ") else {
        return text;
    };
    let (id, rest) = rest.split_once('"').unwrap();
    let kept = format!("is kept as {id} first; to bring it back: belay undo {id}");
    format!(
        "{before}\"kept\"{}",
        rest.replace(&kept, "would be kept first.")
    )
}

fn differ(door: &str, found: &Answers, wanted: &Answers) -> Vec<String> {
    let calls: BTreeSet<&usize> = found.keys().chain(wanted.keys()).collect();
    let differ = calls
        .into_iter()
        .filter(|it| measured(found.get(it)) != measured(wanted.get(it)));
    differ
        .map(|it| {
            format!(
                "{door}: {it}\n  {:?}\n  {:?}",
                wanted.get(it),
                found.get(it)
            )
        })
        .collect()
}

#[test]
fn every_door_gives_the_same_answers() {
    let seed: usize = std::env::var("BELAY_SEED").map_or(1, |it| it.parse().unwrap());
    let houses: [House; 8] = std::array::from_fn(|_| House::new());
    let [
        free,
        alone,
        checked,
        streamed,
        hooked,
        served,
        asked,
        proxied,
    ] = &houses;
    let fourth = |at: usize| (0..free.calls.len()).filter(move |it| (it + seed) % 4 == at);
    let (checks, hooks): (Vec<usize>, Vec<usize>) = (fourth(0).collect(), fourth(2).collect());
    let differ: Vec<String> = std::thread::scope(|scope| {
        let check = scope.spawn(|| check(checked, &checks));
        let hook = scope.spawn(|| hook(hooked, &hooks));
        let stream = scope.spawn(|| stream(streamed));
        let daemon = scope.spawn(|| daemon(served));
        let mcp = scope.spawn(|| mcp(asked));
        let acp = scope.spawn(|| acp(proxied));
        let headless = scope.spawn(|| library(alone, true));
        let attended = library(free, false);
        let headless = headless.join().unwrap();
        assert!(attended.len() > 3000, "only {} calls", attended.len());
        let mut processes = check.join().unwrap();
        processes.extend(hook.join().unwrap());
        let mut started = attended.clone();
        started.retain(|it, _| (it + seed).is_multiple_of(2));
        let doors = [
            ("check or hook", processes, &started),
            ("check --jsonl", stream.join().unwrap(), &attended),
            ("daemon", daemon.join().unwrap(), &attended),
            ("mcp", mcp.join().unwrap(), &headless),
            ("acp", acp.join().unwrap(), &attended),
        ];
        let each = doors.map(|(door, found, wanted)| differ(door, &found, wanted));
        each.concat()
    });
    assert!(
        differ.is_empty(),
        "BELAY_SEED={seed}: {}:\n{}",
        differ.len(),
        differ.join("\n")
    );
}
