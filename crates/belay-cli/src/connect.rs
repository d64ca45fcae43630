//! `belay install` and `belay uninstall`: shows the exact change, then makes it.

use std::path::PathBuf;

use belay_agents::Agent;
use belay_agents::install::{self, Consent, InstallError, Plan, Reach, Stance, Wish};

use crate::args::ConnectArgs;
use crate::consent::confirmed;
use crate::exit::Exit;
use crate::out::{Failure, Out, harmless, talk};
use crate::places::{Here, variable};

/// Which way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Connect.
    In,
    /// Disconnect.
    Out,
}

/// Connects or disconnects the agents named, or all that are found.
pub fn connect(args: &ConnectArgs, way: Way, out: &mut Out) -> Result<Exit, Failure> {
    let ground = Ground::new(args)?;
    let agents = if args.agents.is_empty() {
        ground.found()
    } else {
        named(&args.agents)?
    };
    if agents.is_empty() {
        return Err(Failure::said(
            "no agent was found\nhint: name one, such as `belay install claude-code`",
        ));
    }
    let mut exit = Exit::Done;
    for agent in agents {
        if let Err(why) = one(agent, way, &ground, out) {
            talk(format_args!("error: {}: {}", agent.title(), why.text()));
            exit = Exit::Failed;
        }
    }
    Ok(exit)
}

/// Reads names of agents.
pub fn named(words: &[String]) -> Result<Vec<Agent>, Failure> {
    let agent = |word: &String| {
        Agent::from_word(word).ok_or_else(|| {
            let known: Vec<&str> = Agent::ALL.iter().map(|it| it.word()).collect();
            Failure::Usage(format!("`{word}` is no agent\nhint: {}", known.join(", ")))
        })
    };
    words.iter().map(agent).collect()
}

/// What does not change from agent to agent.
pub struct Ground<'a> {
    /// The arguments.
    pub args: &'a ConnectArgs,
    /// Our program.
    pub belay: PathBuf,
    home: PathBuf,
    project: PathBuf,
}

impl<'a> Ground<'a> {
    /// Looks around once.
    pub fn new(args: &'a ConnectArgs) -> Result<Self, Failure> {
        let here = Here::at(args.folder.as_deref())?;
        let home = here
            .home
            .ok_or_else(|| Failure::said("`HOME` names no folder"))?;
        Ok(Self {
            args,
            belay: std::env::current_exe()?,
            home: PathBuf::from(home),
            project: PathBuf::from(here.project),
        })
    }

    /// Returns what is wished for an agent.
    pub fn wish(&self, agent: Agent) -> Wish<'_> {
        Wish {
            agent,
            reach: if self.args.project {
                Reach::Project
            } else {
                Reach::User
            },
            stance: if self.args.observe {
                Stance::Observe
            } else {
                Stance::Gate
            },
            belay: &self.belay,
            home: &self.home,
            project: &self.project,
            env: &variable,
            trust: if self.args.trust_codex {
                Consent::Given
            } else {
                Consent::Missing
            },
        }
    }

    /// Returns the agents that seem to be used here.
    pub fn found(&self) -> Vec<Agent> {
        let is_present =
            |agent: &Agent| *agent != Agent::Generic && install::is_present(&self.wish(*agent));
        Agent::ALL.iter().copied().filter(is_present).collect()
    }
}

fn one(agent: Agent, way: Way, ground: &Ground<'_>, out: &mut Out) -> Result<(), Failure> {
    let wish = ground.wish(agent);
    let plan = match way {
        Way::In => install::install(&wish),
        Way::Out => install::uninstall(&wish),
    };
    let plan = plan.map_err(said)?;
    if plan.changes.is_empty() {
        let word = if way == Way::In {
            "connected already"
        } else {
            "not connected"
        };
        return out.line(format_args!("{}: {word}", agent.title()));
    }
    show(agent, &plan, out)?;
    if ground.args.print {
        return Ok(());
    }
    confirmed(
        ground.args.yes,
        &format!("change the settings of {} like this?", agent.title()),
    )?;
    install::apply(&plan).map_err(said)?;
    let word = if way == Way::In {
        "connected"
    } else {
        "disconnected"
    };
    out.line(format_args!("{}: {word}", agent.title()))
}

fn show(agent: Agent, plan: &Plan, out: &mut Out) -> Result<(), Failure> {
    for change in &plan.changes {
        out.line(harmless(install::diff(change).trim_end()))?;
    }
    for note in &plan.notes {
        out.line(format_args!("{}: {}", agent.title(), harmless(note)))?;
    }
    out.flush()
}

fn said(why: InstallError) -> Failure {
    Failure::said(why)
}
