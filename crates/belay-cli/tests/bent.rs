//! Bent inputs, thousands for every agent: whatever still carries the harm is never allowed, and the
//! answer is one JSON object or nothing. `BELAY_SEED` says how they are bent.

#![expect(
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test, which says how much it tried"
)]

mod messages;

use std::collections::{HashMap, HashSet};
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use autobelay::{Gate, Nowhere, Settings};
use belay_agents::{Agent, Heard, answer, read, refuse};
use belay_model::{Call, Judgement, Verdict};
use serde_json::{Map, Value, json};

use messages::{HARM, facts, filled, message};

/// So many for each agent.
const EACH: usize = 3_000;

struct Chance(u64);

impl Chance {
    fn seeded(agent: Agent) -> Self {
        let seed: u64 = std::env::var("BELAY_SEED").map_or(1, |it| it.parse().unwrap());
        let own = agent.word().bytes().fold(seed, |all, it| {
            all.wrapping_mul(0x100_0000_01b3) ^ u64::from(it)
        });
        Self(0x2545_f491_4f6c_dd1d_u64.wrapping_mul(own.wrapping_mul(2) | 1))
    }

    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).unwrap()
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        of.get(self.below(of.len())).unwrap()
    }
}

/// Members that carry the command, by agent.
const COMMANDS: [&str; 3] = ["command", "cmd", "command_line"];
/// Members that nobody listed, and that could carry one.
const UNLISTED: [&str; 12] = [
    "script",
    "Command",
    "COMMAND",
    "run",
    "payload",
    "args",
    "stdin",
    "exec",
    "comm\u{200b}and",
    "ｃommand",
    "cmdline",
    "x",
];
const BLANKS: [&str; 8] = [
    " ", "\t", "\n", "\r\n", "\u{a0}", "\u{b}", "\u{200b}", "\u{feff}",
];

/// Finds the object that holds the command, however deep.
fn holder(value: &mut Value) -> Option<&mut Map<String, Value>> {
    let holds = |it: &Map<String, Value>| COMMANDS.iter().any(|name| it.contains_key(*name));
    match value {
        Value::Object(members) => match holds(members) {
            true => Some(members),
            false => members.values_mut().find_map(holder),
        },
        _ => None,
    }
}

fn name_of(members: &Map<String, Value>) -> &'static str {
    COMMANDS
        .into_iter()
        .find(|it| members.contains_key(*it))
        .unwrap()
}

/// Some value of a wrong type that carries the harm.
fn odd(chance: &mut Chance, harm: &str) -> Value {
    match chance.below(8) {
        0 => json!([harm]),
        1 => json!(["bash", "-lc", harm]),
        2 => json!({ "command": harm }),
        3 => json!([["sh", ["-c", harm]]]),
        4 => json!({ "value": { "text": harm } }),
        // In an argv no shell expands anything: the words themselves must do the harm.
        5 => json!(["rm", "-rf", "/home/u"]),
        6 => json!(["env", "sh", "-c", harm, "ls"]),
        _ => json!([{ "command": harm }, "ls"]),
    }
}

/// The harm with blanks around and between its words.
fn padded(chance: &mut Chance) -> String {
    let blank = |chance: &mut Chance| (*chance.one(&[" ", "\n", ""])).to_owned();
    format!("{}{HARM}{}", blank(chance), blank(chance))
}

/// All ways to bend a message.
const ANY: [usize; 6] = [0, 1, 2, 3, 4, 5];

/// Those that leave alone what stands beside the command: there it is the host's own.
const COMMAND_ONLY: [usize; 4] = [0, 3, 4, 5];

/// Bends a message in one of these ways; the harm stays in it.
fn bent(chance: &mut Chance, plain: &Value, ways: &[usize]) -> String {
    let mut value = plain.clone();
    let harm = padded(chance);
    let members = holder(&mut value).unwrap();
    let name = name_of(members);
    match *chance.one(ways) {
        // A wrong type where the command stands.
        0 => drop(members.insert(name.to_owned(), odd(chance, &harm))),
        // A harmless command, and the harm beside it where nobody looks.
        1 => {
            members.insert(name.to_owned(), json!("ls"));
            members.insert((*chance.one(&UNLISTED)).to_owned(), json!(harm));
        }
        2 => {
            members.insert(name.to_owned(), json!("ls"));
            let value = odd(chance, &harm);
            members.insert((*chance.one(&UNLISTED)).to_owned(), value);
        }
        // Another spelling of its name.
        3 => {
            members.remove(name);
            let key = match chance.below(3) {
                0 => name.to_uppercase(),
                1 => format!("{}{name}", chance.one(&BLANKS)),
                _ => format!("{name}{}", chance.one(&BLANKS)),
            };
            members.insert(key, json!(harm));
        }
        // The same name twice, which only text can say.
        4 => {
            members.insert(name.to_owned(), json!(harm));
            return twice(chance, &value, name);
        }
        _ => drop(members.insert(name.to_owned(), json!(harm))),
    }
    // And something strange elsewhere, which changes nothing.
    if let Value::Object(members) = &mut value {
        let strange = match chance.below(5) {
            0 => json!(null),
            1 => json!([1, { "a": [] }]),
            2 => json!(chance.one(&BLANKS)),
            3 => json!(1e300),
            _ => json!({ "command": "ls" }),
        };
        members.insert(format!("zz{}", chance.below(9)), strange);
    }
    value.to_string()
}

/// Writes a harmless member of the same name before or behind the harm.
fn twice(chance: &mut Chance, value: &Value, name: &str) -> String {
    let text = value.to_string();
    let key = format!("{}:", json!(name));
    let at = text.find(&key).unwrap();
    let (before, after) = text.split_at(at);
    match chance.below(2) {
        0 => format!("{before}{key}\"ls\",{after}"),
        _ => {
            let rest = after.strip_prefix(&key).unwrap();
            let end = string_end(rest);
            let (harm, rest) = rest.split_at(end);
            format!("{before}{key}{harm},{key}\"ls\"{rest}")
        }
    }
}

/// Returns where the string that a text begins with ends.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'"' if !escaped => return at + 1,
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

/// A gate that remembers what it said: much of what is bent never reaches a call.
struct House {
    gate: Gate,
    said: HashMap<String, Judgement>,
}

impl House {
    fn new() -> Self {
        Self {
            gate: Gate::new(Settings::default()),
            said: HashMap::new(),
        }
    }

    fn judge(&mut self, call: &Call) -> &Judgement {
        let judge = || self.gate.judge_in(call, &Nowhere);
        self.said.entry(format!("{call:?}")).or_insert_with(judge)
    }
}

/// What the hook would say, and whether it would let the call run.
fn judged(house: &mut House, agent: Agent, text: &str) -> (bool, Vec<u8>) {
    judged_as(house, agent, Sent { text, tool: "Bash" })
}

/// A message, and the tool where the agent names it in a variable.
struct Sent<'a> {
    text: &'a str,
    tool: &'a str,
}

fn judged_as(house: &mut House, agent: Agent, sent: Sent<'_>) -> (bool, Vec<u8>) {
    let Sent { text, tool } = sent;
    let env = |name: &str| match name {
        "HOME" => Some("/home/u".to_owned()),
        "PWD" => Some("/home/u/project".to_owned()),
        "AGENT_TOOL_NAME" => Some(tool.to_owned()),
        _ => None,
    };
    let heard = match read(agent, text.as_bytes(), &env) {
        Ok(heard) => heard,
        Err(why) => return (false, refuse(Some(agent), &why.to_string()).stdout),
    };
    match &heard {
        Heard::Judge(asked) => {
            let judgement = house.judge(&asked.call);
            let stdout = answer(agent, &heard, judgement).stdout;
            (judgement.verdict == Verdict::Allow, stdout)
        }
        // A call that nobody judges runs.
        Heard::Observe(_) | Heard::Ignore => (true, Vec::new()),
    }
}

/// A message whose command stands in the tool's own input, which the model writes; what stands beside
/// it is the host's.
fn tool_message(agent: Agent, project: &Path) -> Value {
    let facts = facts(agent);
    let own = facts.get("tool_message");
    filled(own.unwrap_or(&facts["message"]), project)
}

#[test]
fn what_still_carries_the_harm_is_not_allowed() {
    let mut house = House::new();
    let mut wrong = Vec::new();
    for agent in Agent::ALL {
        let plain = tool_message(*agent, Path::new("/home/u/project"));
        let mut chance = Chance::seeded(*agent);
        let mut different = HashSet::new();
        for _ in 0..EACH {
            let text = bent(&mut chance, &plain, &ANY);
            let (runs, stdout) = judged(&mut house, *agent, &text);
            if runs || !is_whole(&stdout) {
                wrong.push(format!("{agent}: {text}"));
            }
            different.insert(text);
        }
        for _ in 0..EACH {
            let (text, tool) = bent_edit(&mut chance, *agent);
            let sent = Sent { text: &text, tool };
            let (runs, stdout) = judged_as(&mut house, *agent, sent);
            if runs || !is_whole(&stdout) {
                wrong.push(format!("{agent}: {text}"));
            }
            different.insert(text);
        }
        assert!(different.len() >= EACH, "{agent}: {}", different.len());
        eprintln!(
            "{agent}: {} bent messages, {} of them different",
            2 * EACH,
            different.len()
        );
    }
    let shown: Vec<&str> = wrong.iter().take(40).map(String::as_str).collect();
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        shown.join("\n")
    );
}

/// One object or nothing.
fn is_whole(stdout: &[u8]) -> bool {
    let said = stdout.trim_ascii();
    said.is_empty() || serde_json::from_slice::<Value>(said).is_ok_and(|it| it.is_object())
}

/// Spellings of a startup file in the home folder.
const STARTUP: [&str; 12] = [
    "/home/u/.bashrc",
    "~/.bashrc",
    "/home/u/./.bashrc",
    "/home/u/project/../.bashrc",
    "../.bashrc",
    "//home//u//.bashrc",
    "/home/u/.bashrc/",
    "file:///home/u/.bashrc",
    "file:/home/u/.bashrc",
    "file://localhost/home/u/.bashrc",
    "FILE:///home/u/%2Ebashrc",
    "./sub/../../.bashrc",
];

/// Tools of edits, each with the members that hold path and text.
const EDITS: [(&str, &str, &str); 5] = [
    ("Write", "file_path", "content"),
    ("Edit", "file_path", "new_string"),
    ("create_file", "filePath", "content"),
    ("write_file", "path", "content"),
    ("str_replace_based_edit_tool", "path", "file_text"),
];

/// An edit of a startup file, bent; and the tool.
fn bent_edit(chance: &mut Chance, agent: Agent) -> (String, &'static str) {
    let (tool, path, text) = *chance.one(&EDITS);
    let startup = json!(chance.one(&STARTUP));
    let mut input = Map::new();
    input.insert(text.to_owned(), json!(format!("x{}", chance.below(80))));
    match chance.below(6) {
        // Beside a harmless one, where nobody looks.
        0 => {
            input.insert(path.to_owned(), json!("a.txt"));
            input.insert((*chance.one(&UNLISTED)).to_owned(), startup);
        }
        1 => drop(input.insert(path.to_owned(), json!([startup]))),
        2 => drop(input.insert(path.to_owned(), json!({ "path": startup, "uri": "a" }))),
        3 => drop(input.insert(path.to_uppercase(), startup)),
        4 => drop(input.insert(format!("{path}{}", chance.one(&BLANKS)), startup)),
        _ => drop(input.insert(path.to_owned(), startup)),
    }
    if chance.below(2) == 0 {
        input.insert("options".to_owned(), json!({ "n": chance.below(9) }));
    }
    let project = Path::new("/home/u/project");
    let message = edit_message(agent, tool, Value::Object(input));
    (message(project).to_string(), tool)
}

/// Puts a tool and its input into an agent's message.
fn edit_message(agent: Agent, tool: &'static str, input: Value) -> impl FnOnce(&Path) -> Value {
    const NAMES: [&str; 3] = ["tool_name", "toolName", "tool"];
    const INPUTS: [&str; 5] = ["tool_input", "toolArgs", "args", "parameters", "input"];
    fn put(value: &mut Value, tool: &str, input: &Value) {
        let Value::Object(members) = value else {
            return;
        };
        for (name, inner) in members.iter_mut() {
            match name.as_str() {
                it if NAMES.contains(&it) => *inner = json!(tool),
                it if INPUTS.contains(&it) => *inner = input.clone(),
                _ => put(inner, tool, input),
            }
        }
    }
    move |project| match agent {
        Agent::Windsurf => {
            json!({"agent_action_name": "pre_write_code", "trajectory_id": "t", "tool_info": input})
        }
        Agent::Amp => input,
        _ => {
            let mut message = tool_message(agent, project);
            put(&mut message, tool, &input);
            message
        }
    }
}

/// The same where Cursor asks about a command alone.
#[test]
fn a_bent_command_of_cursor_is_not_allowed() {
    let mut house = House::new();
    let plain = message(Agent::Cursor, Path::new("/home/u/project"));
    let mut chance = Chance::seeded(Agent::Cursor);
    for _ in 0..EACH {
        let text = bent(&mut chance, &plain, &COMMAND_ONLY);
        let (runs, _) = judged(&mut house, Agent::Cursor, &text);
        assert!(!runs, "{text}");
    }
}

/// So many for each agent go through the built binary.
const RUN: usize = 8;

/// Every call that could be read has one record, and whatever was sent, stdout holds one object or nothing.
#[test]
fn no_record_is_lost() {
    for agent in Agent::ALL {
        let room = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let home = room.path().join("home");
        let project = home.join("project");
        std::fs::create_dir_all(project.join(".git")).unwrap();
        let mut chance = Chance::seeded(*agent);
        let plain = tool_message(*agent, &project);
        let mut calls = 0;
        for _ in 0..RUN {
            let text = bent(&mut chance, &plain, &ANY);
            let heard = read(*agent, text.as_bytes(), &|name| env_in(&home, name));
            calls += usize::from(matches!(heard, Ok(Heard::Judge(_))));
            let said = hooked(*agent, &home, &text);
            assert!(
                is_whole(&said),
                "{agent}: {text}\n{}",
                String::from_utf8_lossy(&said)
            );
        }
        assert_eq!(records(&home), calls, "{agent}");
    }
}

fn env_in(home: &Path, name: &str) -> Option<String> {
    match name {
        "HOME" => Some(home.display().to_string()),
        "PWD" => Some(home.join("project").display().to_string()),
        "AGENT_TOOL_NAME" => Some("Bash".to_owned()),
        _ => None,
    }
}

fn hooked(agent: Agent, home: &Path, text: &str) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_belay"));
    command.args(["hook", agent.word(), "--home"]).arg(home);
    command.env_clear().current_dir(home.join("project"));
    for name in ["HOME", "PWD", "AGENT_TOOL_NAME"] {
        command.envs(env_in(home, name).map(|it| (name, it)));
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    // A hook may refuse before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    child
        .wait_with_output()
        .unwrap()
        .stdout
        .trim_ascii()
        .to_vec()
}

/// So many for each agent go through the daemon, which answers as the hook does.
const SERVED: usize = 40;
/// So many are one session.
const SESSION: usize = 100;

/// Sends so many bent messages of each agent to one daemon: each that could be read has one record, and each answer is whole.
fn served(each: usize) {
    let room = tempfile::Builder::new().prefix("bent").tempdir().unwrap();
    let home = room.path().to_owned();
    let project = home.join("project");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    let mut daemon = Command::new(env!("CARGO_BIN_EXE_belay"))
        .args(["serve", "--home"])
        .arg(&home)
        .env_clear()
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let socket = home.join(".local/state/belay/daemon/socket");
    let begun = Instant::now();
    while UnixStream::connect(&socket).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(10));
    }
    let mut calls = 0;
    for agent in Agent::ALL {
        let mut chance = Chance::seeded(*agent);
        let plain = tool_message(*agent, &project);
        for sent in 0..each {
            if sent % SESSION == 0 {
                // What a session remembers is read at each of its calls: thousands in one would measure that.
                drop(std::fs::remove_dir_all(
                    home.join(".local/state/belay/sessions"),
                ));
            }
            let text = bent(&mut chance, &plain, &ANY);
            let at_home = |name: &str| (name == "HOME").then(|| home.display().to_string());
            let heard = read(*agent, text.as_bytes(), &at_home);
            calls += usize::from(matches!(heard, Ok(Heard::Judge(_))));
            let mut stream = UnixStream::connect(&socket).unwrap();
            let head = format!(
                "POST /belay/hook/{} HTTP/1.1\r\ncontent-length: {}\r\n\r\n",
                agent.word(),
                text.len()
            );
            stream.write_all((head + &text).as_bytes()).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            let fine = head.starts_with("HTTP/1.1 200 ") && is_whole(body.as_bytes());
            assert!(fine, "{agent}: {text}\n{answer}");
        }
        assert_eq!(records(&home), calls, "{agent}");
    }
    eprintln!("{each} bent messages for each agent, {calls} records");
    drop(daemon.kill());
    drop(daemon.wait());
}

#[test]
fn no_record_of_the_daemon_is_lost() {
    served(SERVED);
}

#[test]
#[ignore = "long: thousands for each agent"]
fn no_record_of_thousands_is_lost() {
    served(EACH);
}

fn records(home: &Path) -> usize {
    let folder = home.join(".local/state/belay/journal");
    let days = std::fs::read_dir(folder).into_iter().flatten();
    let days = days.map(|it| std::fs::read_to_string(it.unwrap().path()).unwrap());
    days.map(|it| it.lines().count()).sum()
}

/// A patch whose headers are padded is read as Codex reads it, which trims them.
#[test]
fn a_padded_patch_is_still_a_patch() {
    let mut house = House::new();
    let mut chance = Chance::seeded(Agent::Codex);
    let blanks = ["", " ", "  ", "\t", " \t "];
    for _ in 0..EACH {
        let verb = *chance.one(&["Add File", "Update File", "Delete File"]);
        let end = *chance.one(&["\n", "\r\n"]);
        let mut pad = || *chance.one(&blanks);
        let header = format!("{}*** {verb}: {}/home/u/.profile{}", pad(), pad(), pad());
        let patch = ["*** Begin Patch", &header, "+evil", "*** End Patch"].join(end);
        let text = json!({"session_id": "s", "transcript_path": "/nowhere", "cwd": "/home/u/project",
            "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "apply_patch",
            "tool_input": {"command": patch}, "tool_use_id": "t"});
        let (runs, _) = judged(&mut house, Agent::Codex, &text.to_string());
        assert!(!runs, "{text}");
    }
}
