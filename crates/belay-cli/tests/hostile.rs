//! Whatever an agent sends: a call that must not run does not, however its message is bent, and
//! nothing but one JSON object is ever on stdout. Done to the built binary, for every agent.

#![expect(
    clippy::wildcard_enum_match_arm,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test"
)]

mod messages;

use std::io::Write;
use std::process::{Command, Output, Stdio};

use belay_agents::Agent;
use serde_json::{Value, json};

use messages::{HARM, facts, message};

/// One home for all runs of an agent.
struct House(tempfile::TempDir);

impl House {
    fn new() -> Self {
        let house = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir(house.project()).unwrap();
        house
    }

    fn project(&self) -> std::path::PathBuf {
        self.0.path().join("project")
    }

    fn hears(&self, agent: Agent, bytes: &[u8]) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_belay"))
            .args(["hook", agent.word(), "--home"])
            .arg(self.0.path())
            .env_clear()
            .env("HOME", self.0.path())
            .env("PWD", self.project())
            .env("AGENT_TOOL_NAME", "Bash")
            .current_dir(self.project())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A hook may refuse before it has read everything.
        let _ = child.stdin.take().unwrap().write_all(bytes);
        child.wait_with_output().unwrap()
    }
}

/// Returns the message with one member set.
fn with(mut message: Value, (name, value): (&str, Value)) -> Value {
    if let Value::Object(members) = &mut message {
        members.insert(name.to_owned(), value);
    }
    message
}

/// Tells whether the agent would run the tool after this answer, by its protocol as measured or documented.
fn runs(agent: Agent, output: &Output) -> bool {
    let facts = facts(agent);
    let ways = facts["refused"].as_array().unwrap();
    !ways.iter().any(|way| is_refused(way, output))
}

/// Tells whether an answer refuses in this way: all that the way names holds.
fn is_refused(way: &Value, output: &Output) -> bool {
    let told: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let silent = output.stderr.trim_ascii().is_empty();
    let coded = |codes: &Value| {
        let codes = codes.as_array().unwrap();
        codes.contains(&json!(output.status.code()))
    };
    let says = |members: &Value| {
        let mut members = members.as_object().unwrap().iter();
        members.all(|(pointer, words)| {
            let said = told.pointer(pointer);
            said.is_some_and(|it| words.as_array().unwrap().contains(it))
        })
    };
    let holds = |(name, wanted): (&String, &Value)| match name.as_str() {
        "code" => coded(wanted),
        "not_code" => !coded(wanted),
        "says" => says(wanted),
        "not_says" => !says(wanted),
        "told" => *wanted == json!(!silent),
        "json" => *wanted == json!(told.is_object()),
        other => panic!("`{other}` is no part of a refusal"),
    };
    way.as_object().unwrap().iter().all(holds)
}

fn check(house: &House, agent: Agent, bytes: &[u8]) {
    let output = house.hears(agent, bytes);
    let shown = || {
        let sent = String::from_utf8_lossy(bytes.get(..bytes.len().min(600)).unwrap_or_default());
        format!("{agent} got {sent}\nand said {output:?}")
    };
    assert!(output.status.code().is_some(), "it crashed: {}", shown());
    assert!(!runs(agent, &output), "it runs: {}", shown());
    let stdout = output.stdout.trim_ascii_end();
    let whole =
        stdout.is_empty() || serde_json::from_slice::<Value>(stdout).is_ok_and(|it| it.is_object());
    assert!(whole, "stray bytes: {}", shown());
}

/// Every place in a value, as a pointer.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, it)| (name.clone(), it))
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(at, it)| (at.to_string(), it))
            .collect(),
        _ => Vec::new(),
    };
    for (name, it) in below {
        let here = format!("{at}/{name}");
        places(it, &here, found);
        found.push(here);
    }
}

fn deep(depth: usize) -> Value {
    (0..depth).fold(json!("x"), |inner, _| json!([inner]))
}

/// Members that name the call: another value there is another call, perhaps a harmless one.
fn is_the_call(place: &str) -> bool {
    ["command", "cmd", "command_line", "cwd", "directory"]
        .iter()
        .any(|it| place.ends_with(it))
}

#[test]
fn the_plain_message_does_not_run() {
    for agent in Agent::ALL {
        let house = House::new();
        check(
            &house,
            *agent,
            message(*agent, &house.project()).to_string().as_bytes(),
        );
    }
}

#[test]
fn a_message_with_something_missing_or_of_another_type_does_not_run() {
    for agent in Agent::ALL {
        let house = House::new();
        let plain = message(*agent, &house.project());
        let mut found = Vec::new();
        places(&plain, "", &mut found);
        for place in found {
            let mut without = plain.clone();
            let (parent, name) = place.rsplit_once('/').unwrap();
            if let Some(Value::Object(members)) = without.pointer_mut(parent) {
                members.remove(name);
                check(&house, *agent, without.to_string().as_bytes());
            }
            for other in [
                Value::Null,
                json!(7),
                json!([]),
                json!({}),
                json!(true),
                json!([{"command": HARM}]),
                deep(100),
            ] {
                let mut bent = plain.clone();
                *bent.pointer_mut(&place).unwrap() = other;
                check(&house, *agent, bent.to_string().as_bytes());
            }
            if !is_the_call(&place) {
                let mut bent = plain.clone();
                *bent.pointer_mut(&place).unwrap() = json!("\u{0}\u{202e}nobody knows this\n");
                check(&house, *agent, bent.to_string().as_bytes());
            }
        }
    }
}

#[test]
fn members_that_come_twice_do_not_run() {
    for agent in Agent::ALL {
        let house = House::new();
        let plain = message(*agent, &house.project()).to_string();
        let harm = serde_json::to_string(HARM).unwrap();
        for name in ["command", "cmd", "command_line"] {
            let one = format!("\"{name}\":{harm}");
            for two in [
                format!("{one},\"{name}\":\"ls\""),
                format!("\"{name}\":\"ls\",{one}"),
            ] {
                if plain.contains(&one) {
                    check(&house, *agent, plain.replace(&one, &two).as_bytes());
                }
            }
        }
        for name in [
            "tool_input",
            "tool_name",
            "hook_event_name",
            "toolArgs",
            "args",
            "input",
            "tool",
            "tool_info",
            "preToolUse",
        ] {
            for harmless in ["{\"command\":\"ls\"}", "\"Read\"", "\"Stop\"", "null"] {
                if plain.contains(&format!("\"{name}\":")) && *agent != Agent::Amp {
                    let first = plain.replacen('{', &format!("{{\"{name}\":{harmless},"), 1);
                    check(&house, *agent, first.as_bytes());
                    let last = format!(
                        "{},\"{name}\":{harmless}}}",
                        plain.strip_suffix('}').unwrap()
                    );
                    check(&house, *agent, last.as_bytes());
                }
            }
        }
    }
}

#[test]
fn bytes_that_are_no_message_do_not_run() {
    for agent in Agent::ALL {
        let house = House::new();
        let plain = message(*agent, &house.project()).to_string().into_bytes();
        let mut bent: Vec<Vec<u8>> = vec![
            [b"\xef\xbb\xbf", plain.as_slice()].concat(),
            [plain.as_slice(), b"\0"].concat(),
            [plain.as_slice(), b"{}"].concat(),
            [plain.as_slice(), plain.as_slice()].concat(),
            [b"// x\n", plain.as_slice()].concat(),
            [b"[", plain.as_slice(), b"]"].concat(),
            "[".repeat(300_000).into_bytes(),
            "{\"a\":".repeat(300_000).into_bytes(),
            b"\"rm -rf ~\"".to_vec(),
            b"allow".to_vec(),
            b"{\"verdict\":\"allow\",\"decision\":\"allow\",\"permission\":\"allow\"}".to_vec(),
        ];
        for at in (0..plain.len()).step_by(plain.len() / 12 + 1) {
            let mut spoiled = plain.clone();
            spoiled[at] = 0xff;
            bent.push(spoiled);
            bent.push(plain[..at].to_vec());
        }
        let surrogate = String::from_utf8(plain.clone()).unwrap();
        bent.push(surrogate.replace("--all", "\\ud800").into_bytes());
        for bytes in bent {
            check(&house, *agent, &bytes);
        }
    }
}

#[test]
fn names_and_members_nobody_knows_do_not_run() {
    let names = [
        "frobnicate",
        "mcp__server__delete_everything",
        "mcp__x__bash",
        "MCP:shell",
        "BASH",
        " Bash",
        "Bash ",
        "Bash\u{0}",
        "bаsh",
        "functions.shell",
    ];
    for agent in Agent::ALL {
        let house = House::new();
        let plain = message(*agent, &house.project());
        for place in ["/tool_name", "/toolName", "/tool", "/preToolUse/toolName"] {
            for name in names.into_iter().chain(["x".repeat(100_000).as_str()]) {
                let mut bent = plain.clone();
                if let Some(tool) = bent.pointer_mut(place) {
                    *tool = json!(name);
                    check(&house, *agent, bent.to_string().as_bytes());
                }
            }
        }
        for place in [
            "/hook_event_name",
            "/event",
            "/hookName",
            "/agent_action_name",
        ] {
            for name in ["", "preToolUsed", "PRETOOLUSE", "Unknown", "pre_unknown"] {
                let mut bent = plain.clone();
                if let Some(event) = bent.pointer_mut(place) {
                    *event = json!(name);
                    check(&house, *agent, bent.to_string().as_bytes());
                }
            }
        }
        if *agent == Agent::Amp {
            continue;
        }
        for (name, value) in [
            ("agent_id", json!({"nested": ["x"]})),
            ("agent_type", json!(7)),
            ("parent_tool_use_id", json!("t")),
            ("is_subagent", json!(true)),
            ("permission_mode", json!(["allow"])),
            ("permissionDecision", json!("allow")),
            ("mcp_context", json!({"server": {"trusted": true}})),
            ("huge", json!("y".repeat(3_000_000))),
        ] {
            let bent = with(plain.clone(), (name, value));
            check(&house, *agent, bent.to_string().as_bytes());
        }
    }
}

/// A message bent at random; `BELAY_SEED` says how.
#[test]
fn bent_at_random_it_does_not_run() {
    for agent in Agent::ALL {
        let house = House::new();
        let plain = message(*agent, &house.project()).to_string().into_bytes();
        let seed: u64 = std::env::var("BELAY_SEED").map_or(1, |it| it.parse().unwrap());
        let mut chance = 0x2545_f491_4f6c_dd1d_u64.wrapping_mul(seed.wrapping_mul(2) | 1);
        let mut next = |below: usize| {
            chance ^= chance << 13;
            chance ^= chance >> 7;
            chance ^= chance << 17;
            usize::try_from(chance % below as u64).unwrap()
        };
        for _ in 0..40 {
            let mut bent = plain.clone();
            for _ in 0..=next(3) {
                let at = next(bent.len());
                match next(3) {
                    0 => drop(bent.remove(at)),
                    1 => bent.insert(at, b"{}[]\",:\\\0\xff0"[next(11)]),
                    _ => {
                        let other = next(bent.len());
                        bent.swap(at, other);
                    }
                }
            }
            // What still says the harm must not run; what no longer does is another call.
            let text = String::from_utf8_lossy(&bent);
            if text.contains(HARM) || serde_json::from_slice::<Value>(&bent).is_err() {
                check(&house, *agent, &bent);
            }
        }
    }
}
