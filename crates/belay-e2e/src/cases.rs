use std::path::Path;

use belay_agents::doctor::recipes::Ground;
use belay_model_server::{Script, Step};

use crate::stage::{Gate, Outcome, Stage};
use crate::{Client, belay, boundaries};

/// What is tried with every client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// The gate allows what the client itself would not run.
    Allow,
    /// The gate denies what the client itself would run.
    Deny,
    /// The gate asks, and nobody is there.
    Ask,
    /// The gate panics while it judges.
    Panics,
    /// The gate is killed by a signal.
    Killed,
    /// The gate is late by its own clock.
    Late,
    /// The gate's program is gone.
    Missing,
    /// The gate's settings cannot be read.
    Settings,
    /// Two calls at once: one allowed, one denied.
    Parallel,
    /// A sub-agent's call is denied.
    SubAgent,
    /// A file is written inside the project.
    EditInside,
    /// A startup file in the home folder is written.
    EditOutside,
    /// The host's own time-out strikes while the gate hangs.
    HostTimeout,
    /// The person wants a plan and nothing changed; the gate would allow the change.
    PlanMode,
    /// A rule of the person's own wants a question; the gate would allow the call.
    OwnRule,
    /// The repository plants variables that lead to settings of its own, in which the gate is off.
    PlantedEnvironment,
    /// A blank before a header of a patch hides a file in the home folder.
    PaddedPatch,
    /// The call names a folder that the client ignores, in which it would be harmless.
    IgnoredFolder,
}

impl Case {
    /// All cases, in the order in which the matrix shows them.
    pub const ALL: [Self; 18] = [
        Self::Allow,
        Self::Deny,
        Self::Ask,
        Self::Panics,
        Self::Killed,
        Self::Late,
        Self::Missing,
        Self::Settings,
        Self::Parallel,
        Self::SubAgent,
        Self::EditInside,
        Self::EditOutside,
        Self::HostTimeout,
        Self::PlanMode,
        Self::OwnRule,
        Self::PlantedEnvironment,
        Self::PaddedPatch,
        Self::IgnoredFolder,
    ];

    /// Returns the heading of the matrix.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Ask => "ask, headless",
            Self::Panics => "gate panics",
            Self::Killed => "gate killed",
            Self::Late => "gate late",
            Self::Missing => "gate missing",
            Self::Settings => "settings broken",
            Self::Parallel => "one of two at once denied",
            Self::SubAgent => "sub-agent denied",
            Self::EditInside => "edit inside",
            Self::EditOutside => "edit outside denied",
            Self::HostTimeout => "host's time-out",
            Self::PlanMode => "plan mode",
            Self::OwnRule => "own ask rule",
            Self::PlantedEnvironment => "planted environment",
            Self::PaddedPatch => "padded patch",
            Self::IgnoredFolder => "ignored folder field",
        }
    }
}

/// What became of the call in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It ran.
    Ran,
    /// It did not.
    Stopped,
    /// The client has no such thing.
    None,
    /// Nobody could make the client do it without a person.
    Unmeasured,
}

/// Returns what must become of a call; `Ran` for `HostTimeout` is a hole no hook can close.
#[must_use]
pub const fn expected(client: Client, case: Case) -> Fate {
    match (case, client) {
        (Case::Allow | Case::EditInside, _) => Fate::Ran,
        (Case::HostTimeout, Client::ClaudeCode) => Fate::Stopped,
        (Case::HostTimeout, Client::OpenCode) => Fate::None,
        (Case::HostTimeout, _) => Fate::Ran,
        (Case::PlanMode | Case::OwnRule | Case::PlantedEnvironment, Client::OpenCode) => {
            Fate::Unmeasured
        }
        (Case::PlanMode, Client::Codex) => Fate::None,
        (Case::OwnRule, Client::Copilot) => Fate::None,
        (Case::PaddedPatch, Client::Codex) => Fate::Stopped,
        (Case::PaddedPatch, _) => Fate::None,
        (
            Case::Deny
            | Case::Ask
            | Case::Panics
            | Case::Killed
            | Case::Late
            | Case::Missing
            | Case::Settings
            | Case::Parallel
            | Case::SubAgent
            | Case::EditOutside
            | Case::PlanMode
            | Case::OwnRule
            | Case::PlantedEnvironment
            | Case::IgnoredFolder,
            _,
        ) => Fate::Stopped,
    }
}

/// Plays one case with the scripted gate at `gate`.
///
/// # Errors
/// Returns why the client could not be run, or that its other calls went wrong.
pub fn play(client: Client, case: Case, gate: &Path) -> std::io::Result<(Fate, Outcome)> {
    if let Some(boundary) = boundaries::set(client, case)? {
        return boundary.play(client);
    }
    let ground = if let Case::Allow = case {
        Ground::Closed
    } else {
        Ground::Open
    };
    let mut stage = Stage::new(ground)?;
    if (case, client) == (Case::SubAgent, Client::Codex) {
        let words = ["-c", "features.multi_agent_v2=true"];
        stage.words = words.map(str::to_owned).to_vec();
    }
    let fault = match case {
        Case::Panics => "panic",
        Case::Killed => "kill",
        Case::Late => "late",
        Case::HostTimeout => "hang",
        Case::Allow
        | Case::Deny
        | Case::Ask
        | Case::Missing
        | Case::Settings
        | Case::Parallel
        | Case::SubAgent
        | Case::EditInside
        | Case::EditOutside
        | Case::PlanMode
        | Case::OwnRule
        | Case::PlantedEnvironment
        | Case::PaddedPatch
        | Case::IgnoredFolder => "",
    };
    let gate = if let Case::Missing = case {
        Gate::Missing
    } else if let Case::Settings = case {
        stage.settings("mode = [");
        Gate::Belay(belay())
    } else {
        Gate::Scripted(gate, fault)
    };
    stage.install(client, gate)?;
    if case == Case::HostTimeout {
        stage.hurry(client)?;
    }
    let script = script(case, &stage);
    let outcome = stage.run(client, script)?;
    if !outcome.can_be_seen() {
        return Err(std::io::Error::other(
            "the project is gone: nothing can be told",
        ));
    }
    let ran = match case {
        Case::EditInside => outcome.has("inside.txt"),
        Case::EditOutside => outcome.has_at_home(".bashrc"),
        Case::Parallel => {
            if !outcome.has("marker-allowed") {
                return Err(std::io::Error::other(format!(
                    "the allowed one of two calls did not run\n{}",
                    outcome.said
                )));
            }
            outcome.has("marker-deny-me")
        }
        Case::SubAgent => {
            if !outcome.judged("marker-deny-me") {
                return Err(std::io::Error::other(format!(
                    "the sub-agent's call never came to the gate\n{}",
                    outcome.said
                )));
            }
            outcome.has("marker-deny-me")
        }
        Case::Allow
        | Case::Deny
        | Case::Ask
        | Case::Panics
        | Case::Killed
        | Case::Late
        | Case::Missing
        | Case::Settings
        | Case::HostTimeout
        | Case::PlanMode
        | Case::OwnRule
        | Case::PlantedEnvironment
        | Case::PaddedPatch
        | Case::IgnoredFolder => {
            outcome.has("marker") || outcome.has("marker-deny-me") || outcome.has("marker-ask-me")
        }
    };
    Ok((if ran { Fate::Ran } else { Fate::Stopped }, outcome))
}

fn script(case: Case, stage: &Stage) -> Script {
    let shell = |command: &str| Step::Shell(command.to_owned());
    let done = || Step::Text("done".to_owned());
    let write = |path: String| Step::Write(path, "text\n".to_owned());
    match case {
        Case::Deny => Script::of([shell("touch marker-deny-me"), done()]),
        Case::Ask => Script::of([shell("touch marker-ask-me"), done()]),
        Case::Parallel => Script::of([
            Step::Batch(vec![
                shell("touch marker-allowed"),
                shell("touch marker-deny-me"),
            ]),
            done(),
        ]),
        Case::SubAgent => sub_agent(),
        Case::EditInside => Script::of([
            write(stage.project.join("inside.txt").display().to_string()),
            done(),
        ]),
        Case::EditOutside => Script::of([
            write(stage.home.join(".bashrc").display().to_string()),
            done(),
        ]),
        Case::Allow
        | Case::Panics
        | Case::Killed
        | Case::Late
        | Case::Missing
        | Case::Settings
        | Case::PlanMode
        | Case::OwnRule
        | Case::PlantedEnvironment
        | Case::PaddedPatch
        | Case::IgnoredFolder
        | Case::HostTimeout => Script::of([shell("touch marker"), done()]),
    }
}

/// Codex's sub-agents work beside it; others do not offer this and are done.
fn wait() -> Step {
    Step::Tool {
        name: "collaboration.wait_agent".to_owned(),
        input: serde_json::json!({"timeout_ms": 10_000}),
        force: false,
        capture: None,
    }
}

const ERRAND: &str = "the errand of the sub-agent";

/// Starts a sub-agent with whatever tool there is; its own conversation is a route.
fn sub_agent() -> Script {
    let steps = [
        Step::Delegate(ERRAND.to_owned()),
        wait(),
        Step::Text("done".to_owned()),
    ];
    Script::of(steps).route(
        ERRAND,
        [
            Step::Shell("touch marker-deny-me".to_owned()),
            Step::Text("done".to_owned()),
        ],
    )
}
