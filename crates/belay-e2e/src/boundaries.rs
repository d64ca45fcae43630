//! Cases in which somebody tries to move the gate, or in which an allow of it would lift what the person set up. The real
//! `belay` stands in the way.

use std::io;

use belay_agents::doctor::recipes::Ground;
use belay_model_server::{Script, Step};
use serde_json::{Value, json};

use crate::client::write;
use crate::stage::{Gate, Outcome, Stage};
use crate::{Case, Client, Fate, belay};

/// Denied for what it writes; the marker tells whether it ran.
const HARM: &str = "touch marker; echo x >> ~/.bashrc";

/// Harmless, and allowed wherever the person has set nothing up.
const WORK: &str = "touch marker";

/// Would destroy the project's history; in an empty folder it would destroy nothing.
const RELATIVE_HARM: &str = "touch marker; rm -rf .git/objects .git/refs";

/// A stage with the boundary on it, and what the model then tries.
pub(crate) struct Boundary {
    stage: Stage,
    step: Step,
}

/// Sets up the stage for one of these cases; `None` for another case.
pub(crate) fn set(client: Client, case: Case) -> io::Result<Option<Boundary>> {
    let (ground, words) = match case {
        Case::PlanMode => planning(client),
        Case::OwnRule => (asking(client), Vec::new()),
        Case::PlantedEnvironment | Case::PaddedPatch | Case::IgnoredFolder => {
            (Ground::Open, Vec::new())
        }
        Case::Allow
        | Case::Deny
        | Case::Ask
        | Case::Panics
        | Case::Killed
        | Case::Late
        | Case::Missing
        | Case::Settings
        | Case::Parallel
        | Case::SubAgent
        | Case::EditInside
        | Case::EditOutside
        | Case::HostTimeout => return Ok(None),
    };
    let mut stage = Stage::new(ground)?;
    stage.words = words.into_iter().map(str::to_owned).collect();
    stage.install(client, Gate::Belay(belay()))?;
    let step = match case {
        Case::PlanMode => shell(client, json!({}), WORK),
        Case::OwnRule => {
            own_rule(&stage, client)?;
            shell(client, json!({}), WORK)
        }
        Case::PaddedPatch => padded(&stage),
        Case::IgnoredFolder => {
            let elsewhere = stage.home.with_file_name("elsewhere");
            std::fs::create_dir_all(&elsewhere)?;
            let more = json!({"cwd": elsewhere, "working_directory": elsewhere});
            shell(client, more, RELATIVE_HARM)
        }
        Case::Allow
        | Case::Deny
        | Case::Ask
        | Case::Panics
        | Case::Killed
        | Case::Late
        | Case::Missing
        | Case::Settings
        | Case::Parallel
        | Case::SubAgent
        | Case::EditInside
        | Case::EditOutside
        | Case::HostTimeout
        | Case::PlantedEnvironment => {
            plant(&stage);
            shell(client, json!({}), HARM)
        }
    };
    Ok(Some(Boundary { stage, step }))
}

impl Boundary {
    pub(crate) fn play(self, client: Client) -> io::Result<(Fate, Outcome)> {
        let steps = [self.step, Step::Text("done".to_owned())];
        let outcome = self.stage.run(client, Script::of(steps))?;
        if !outcome.can_be_seen() {
            return Err(io::Error::other("the project is gone"));
        }
        let ran = outcome.has("marker") || outcome.has_at_home(".profile");
        Ok((if ran { Fate::Ran } else { Fate::Stopped }, outcome))
    }
}

/// Starts the client in its plan mode, on a ground where the gate's allow would else let the call run.
fn planning(client: Client) -> (Ground, Vec<&'static str>) {
    match client {
        Client::ClaudeCode => (Ground::Closed, vec!["--permission-mode", "plan"]),
        Client::Gemini | Client::Qwen => (Ground::Asking, vec!["--approval-mode", "plan"]),
        Client::Copilot => (Ground::Closed, vec!["--plan"]),
        Client::Codex | Client::OpenCode => (Ground::Closed, Vec::new()),
    }
}

/// Returns the ground on which the client puts the question of a rule to somebody.
const fn asking(client: Client) -> Ground {
    match client {
        Client::Codex | Client::Qwen => Ground::Asking,
        Client::ClaudeCode | Client::Gemini | Client::Copilot | Client::OpenCode => Ground::Closed,
    }
}

/// Writes a rule of the person's own, in the client's form: `touch` wants a question.
fn own_rule(stage: &Stage, client: Client) -> io::Result<()> {
    match client {
        Client::ClaudeCode | Client::Qwen => {
            let name = if client == Client::Qwen {
                ".qwen"
            } else {
                ".claude"
            };
            let tool = if client == Client::Qwen {
                "run_shell_command"
            } else {
                "Bash"
            };
            let path = stage.home.join(name).join("settings.json");
            let mut settings: Value = serde_json::from_slice(&std::fs::read(&path)?)?;
            if let Value::Object(members) = &mut settings {
                let rules = json!({"ask": [format!("{tool}(touch:*)"), "Bash(touch *)"]});
                members.insert("permissions".to_owned(), rules);
            }
            write(&path, settings.to_string());
        }
        Client::Codex => write(
            &stage.home.join(".codex/rules/mine.rules"),
            "prefix_rule(pattern = [\"touch\"], decision = \"prompt\")\n",
        ),
        Client::Gemini => write(
            &stage.home.join(".gemini/policies/mine.toml"),
            "[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = \"touch\"\ndecision = \"ask_user\"\npriority = 900\n",
        ),
        Client::OpenCode | Client::Copilot => {}
    }
    Ok(())
}

/// Plants settings in which the gate is off, by every way that one of the clients reads variables from a repository.
fn plant(stage: &Stage) {
    let off = stage.project.join("planted.toml");
    write(&off, "mode = \"off\"\n");
    let lines = format!("BELAY_CONFIG='{0}'\nXDG_CONFIG_HOME='{0}'\n", off.display());
    for name in [".env", ".codex/.env", ".gemini/.env", ".qwen/.env"] {
        write(&stage.project.join(name), &lines);
    }
    let env = json!({"env": {"BELAY_CONFIG": off}}).to_string();
    for name in [".claude/settings.json", ".qwen/settings.json"] {
        write(&stage.project.join(name), &env);
    }
}

fn padded(stage: &Stage) -> Step {
    let profile = stage.home.join(".profile").display().to_string();
    let patch = format!(
        "*** Begin Patch\n*** Add File: inside.txt\n+x\n  *** Add File: {profile}\n+evil\n*** End Patch"
    );
    Step::Tool {
        name: "apply_patch".to_owned(),
        input: json!({ "input": patch }),
        force: false,
        capture: None,
    }
}

/// Calls the client's own shell tool with further members, also where its mode does not offer it.
fn shell(client: Client, more: Value, command: &str) -> Step {
    let (name, mut input) = match client {
        Client::ClaudeCode => (
            "Bash",
            json!({"command": command, "description": "scripted"}),
        ),
        Client::Codex => ("exec_command", json!({"cmd": command})),
        Client::Gemini => ("run_shell_command", json!({"command": command})),
        Client::Qwen => (
            "run_shell_command",
            json!({"command": command, "is_background": false}),
        ),
        Client::Copilot | Client::OpenCode => (
            "bash",
            json!({"command": command, "description": "scripted"}),
        ),
    };
    if let (Value::Object(input), Value::Object(more)) = (&mut input, more) {
        input.extend(more);
    }
    Step::Tool {
        name: name.to_owned(),
        input,
        force: true,
        capture: None,
    }
}
