//! What hosts tell a hook, and when: which events fire in which mode, what each verdict does there, and what of a server's
//! annotations arrives. `docs/design/hosts.md` shows exactly what is measured here.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests fail by panicking, and say what they saw"
)]

use std::fs;
use std::path::Path;

use belay_e2e::{Client, Gate, Outcome, Stage};
use belay_model_server::{Script, Step};
use belay_needs::Need;
use serde_json::{Value, json};

const GATE: &str = env!("CARGO_BIN_EXE_belay-e2e-gate");

/// Tells whether the client is to be run: `false` only when clients are left out on purpose. Asked once by each test.
fn is_there(client: Client) -> bool {
    let found = Need::Clients.met(client.agent().title(), || client.folder());
    found.is_some()
}

/// One mode of a client, and what was seen in it: the events of a hook that says nothing, then whether the call ran with no
/// verdict, an allow, an ask and a deny.
struct Mode {
    client: Client,
    name: &'static str,
    words: &'static [&'static str],
    ground: fn() -> std::io::Result<Stage>,
    seen: &'static str,
}

const CLAUDE: Client = Client::ClaudeCode;

/// Here the call is an edit.
const EDIT_IN_PLAN: &str = "`plan`, an edit";

/// Here the call asks to leave the sandbox.
const ESCALATED: &str = "`--approve-for-me`, a call that leaves the sandbox";

const MODES: &[Mode] = &[
    Mode {
        client: CLAUDE,
        name: "`default`",
        words: &[],
        ground: Stage::closed,
        seen: "`PreToolUse` `PermissionRequest` | – | runs | – | –",
    },
    Mode {
        client: CLAUDE,
        name: "`acceptEdits`",
        words: &["--permission-mode", "acceptEdits"],
        ground: Stage::closed,
        seen: "`PreToolUse` | runs | runs | – | –",
    },
    Mode {
        client: CLAUDE,
        name: "`plan`, a command",
        words: &["--permission-mode", "plan"],
        ground: Stage::closed,
        seen: "`PreToolUse` | – | – | – | –",
    },
    Mode {
        client: CLAUDE,
        name: EDIT_IN_PLAN,
        words: &["--permission-mode", "plan"],
        ground: Stage::closed,
        seen: "`PreToolUse` `PermissionRequest` | – | runs | – | –",
    },
    Mode {
        client: CLAUDE,
        name: "`dontAsk`",
        words: &["--permission-mode", "dontAsk"],
        ground: Stage::closed,
        seen: "`PreToolUse` | – | runs | – | –",
    },
    Mode {
        client: CLAUDE,
        name: "`bypassPermissions`",
        words: &["--permission-mode", "bypassPermissions"],
        ground: Stage::closed,
        seen: "`PreToolUse` | runs | runs | – | –",
    },
    Mode {
        client: Client::Codex,
        name: "`danger-full-access`, approvals off",
        words: &[],
        ground: Stage::open,
        seen: "`PreToolUse` | runs | runs | – | –",
    },
    Mode {
        client: Client::Codex,
        name: ESCALATED,
        words: &[],
        ground: Stage::asking,
        seen: "`PreToolUse` `PermissionRequest` | – | runs | – | –",
    },
    Mode {
        client: Client::Gemini,
        name: "`default`, headless",
        words: &["--approval-mode", "default"],
        ground: Stage::asking,
        seen: "none | – | – | – | –",
    },
    Mode {
        client: Client::Gemini,
        name: "`auto_edit`, headless",
        words: &["--approval-mode", "auto_edit"],
        ground: Stage::asking,
        seen: "none | – | – | – | –",
    },
    Mode {
        client: Client::Gemini,
        name: "`plan`",
        words: &["--approval-mode", "plan"],
        ground: Stage::asking,
        seen: "none | – | – | – | –",
    },
    Mode {
        client: Client::Gemini,
        name: "`yolo`",
        words: &[],
        ground: Stage::open,
        seen: "`BeforeTool` | runs | runs | – | –",
    },
    Mode {
        client: Client::Copilot,
        name: "default",
        words: &[],
        ground: Stage::closed,
        seen: "`preToolUse` | – | runs | – | –",
    },
    Mode {
        client: Client::Copilot,
        name: "`--allow-all-tools`",
        words: &[],
        ground: Stage::open,
        seen: "`preToolUse` | runs | runs | – | –",
    },
    Mode {
        client: Client::Copilot,
        name: "`--plan`",
        words: &["--plan"],
        ground: Stage::closed,
        seen: "`preToolUse` | – | – | – | –",
    },
];

impl Mode {
    /// Makes one call, whose words tell the gate what to say.
    fn call(&self, told: &str) -> Outcome {
        let mut stage = (self.ground)().unwrap();
        stage.words = self.words.iter().map(|it| (*it).to_owned()).collect();
        // Claude Code refuses this mode to root outside a sandbox.
        stage.env = vec![("IS_SANDBOX".to_owned(), "1".to_owned())];
        stage
            .install(self.client, Gate::Scripted(Path::new(GATE), ""))
            .unwrap();
        let command = format!("touch marker # {told}");
        let step = match self.name {
            EDIT_IN_PLAN => {
                let path = stage.project.join("marker").display().to_string();
                Step::Write(path, told.to_owned())
            }
            ESCALATED => tool(
                "exec_command",
                json!({"cmd": command, "sandbox_permissions": "require_escalated", "justification": "x"}),
            ),
            _ => shell(self.client, &command),
        };
        let steps = [step, Step::Text("done".to_owned())];
        stage.run(self.client, Script::of(steps)).unwrap()
    }

    fn measured(&self) -> String {
        let silent = self.call("say-nothing");
        let events = events(&silent);
        let ran = |outcome: &Outcome| match outcome.has("marker") {
            true => "runs",
            false => "–",
        };
        let verdicts = ["allow-me", "ask-me", "deny-me"].map(|it| self.call(it));
        let cells: Vec<&str> = [&silent].into_iter().chain(&verdicts).map(ran).collect();
        let events: Vec<String> = events.iter().map(|it| format!("`{it}`")).collect();
        let events = match events.is_empty() {
            true => "none".to_owned(),
            false => events.join(" "),
        };
        format!("{events} | {}", cells.join(" | "))
    }

    fn row(&self) -> String {
        let title = self.client.agent().title();
        format!("| {title} | {} | {} |", self.name, self.seen)
    }
}

/// Returns the events that told of the call, each once, in their order.
fn events(outcome: &Outcome) -> Vec<String> {
    let mut events = Vec::new();
    for text in told(outcome).filter(|it| it.contains("marker")) {
        let message: Value = serde_json::from_str(text).unwrap();
        let name = message.get("hook_event_name").or(message.get("hookName"));
        // Copilot does not name the event that it was asked for in its own spelling.
        let name = name.and_then(Value::as_str).unwrap_or("preToolUse");
        let answered = !name.starts_with("Post") && name != "PermissionDenied";
        if answered && !events.iter().any(|it| it == name) {
            events.push(name.to_owned());
        }
    }
    events
}

/// Returns what the gate was sent.
fn told(outcome: &Outcome) -> impl Iterator<Item = &str> {
    let sent = outcome.journal.iter().filter_map(|it| it.get("stdin"));
    sent.filter_map(Value::as_str)
}

/// Calls the client's own shell tool, also where its mode does not offer it.
fn shell(client: Client, command: &str) -> Step {
    let (name, input) = match client {
        Client::ClaudeCode => ("Bash", json!({"command": command, "description": "x"})),
        Client::Codex => ("exec_command", json!({"cmd": command})),
        Client::Gemini | Client::Qwen => ("run_shell_command", json!({"command": command})),
        Client::Copilot | Client::OpenCode => {
            ("bash", json!({"command": command, "description": "x"}))
        }
    };
    tool(name, input)
}

fn tool(name: &str, input: Value) -> Step {
    Step::Tool {
        name: name.to_owned(),
        input,
        force: true,
        capture: None,
    }
}

fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/design/hosts.md");
    fs::read_to_string(path).unwrap()
}

fn modes_of(client: Client) {
    if !is_there(client) {
        return;
    }
    let mut wrong = Vec::new();
    for mode in MODES.iter().filter(|it| it.client == client) {
        let seen = mode.measured();
        eprintln!("{} {}: {seen}", client.agent(), mode.name);
        if seen != mode.seen {
            wrong.push(format!("{}: {seen}, not {}", mode.name, mode.seen));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn modes_of_claude_code() {
    modes_of(Client::ClaudeCode);
}

#[test]
fn modes_of_codex() {
    modes_of(Client::Codex);
}

#[test]
fn modes_of_gemini() {
    modes_of(Client::Gemini);
}

#[test]
fn modes_of_copilot() {
    modes_of(Client::Copilot);
}

/// The page shows what is measured, and nothing else.
#[test]
fn the_page_shows_what_is_measured() {
    let page = page();
    let shown: Vec<&str> = page
        .lines()
        .skip_while(|it| !it.starts_with("| client | mode | events"))
        .skip(2)
        .take_while(|it| it.starts_with('|'))
        .collect();
    let measured: Vec<String> = MODES.iter().map(Mode::row).collect();
    assert_eq!(shown, measured, "{}", measured.join("\n"));
}

/// Lets a client call both tools of a server that says of itself what they do, and returns all that our hook was told.
fn with_server(client: Client) -> Vec<String> {
    let mut stage = Stage::open().unwrap();
    stage
        .install(client, Gate::Scripted(Path::new(GATE), ""))
        .unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/server.py");
    let server = json!({"command": "python3", "args": [script]});
    let servers = json!({"mcpServers": {"probe": server}});
    let names = match client {
        Client::ClaudeCode => {
            stage.words = vec!["--mcp-config".to_owned(), servers.to_string()];
            stage.words.push("--strict-mcp-config".to_owned());
            ["mcp__probe__look", "mcp__probe__wipe"]
        }
        Client::Codex => {
            stage.words = ["-c", "mcp_servers.probe.command=\"python3\"", "-c"]
                .map(str::to_owned)
                .to_vec();
            stage
                .words
                .push(format!("mcp_servers.probe.args=[\"{script}\"]"));
            ["mcp__probe.look", "mcp__probe.wipe"]
        }
        Client::Gemini | Client::Qwen => {
            let folder = stage.project.join(".gemini");
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("settings.json"), servers.to_string()).unwrap();
            ["mcp_probe_look", "mcp_probe_wipe"]
        }
        Client::Copilot | Client::OpenCode => {
            let file = stage.project.join("servers.json");
            fs::write(&file, servers.to_string()).unwrap();
            stage.words = vec!["--additional-mcp-config".to_owned()];
            stage.words.push(format!("@{}", file.display()));
            ["probe-look", "probe-wipe"]
        }
    };
    let calls = names.map(|it| tool(it, json!({"what": "probed"})));
    let steps = calls.into_iter().chain([Step::Text("done".to_owned())]);
    let outcome = stage.run(client, Script::of(steps)).unwrap();
    let heard: Vec<String> = told(&outcome)
        .filter(|it| it.contains("probed"))
        .map(str::to_owned)
        .collect();
    assert!(heard.len() >= 2, "{client:?}: {}\n{heard:#?}", outcome.said);
    heard
}

/// No client hands on what a server says of its tools: only their names tell.
#[test]
fn annotations_of_servers_do_not_arrive() {
    for client in [
        Client::ClaudeCode,
        Client::Codex,
        Client::Gemini,
        Client::Copilot,
    ] {
        if !is_there(client) {
            continue;
        }
        let heard = with_server(client).join("\n");
        eprintln!("{}: {heard}", client.agent());
        for word in ["Hint", "annotations"] {
            assert!(!heard.contains(word), "{client:?} {word}: {heard}");
        }
    }
}
