//! `belay install` and `belay uninstall`: shows the exact change, then makes it.

use std::path::{Path, PathBuf};

use belay_agents::Agent;
use belay_agents::doctor::{Own, client};
use belay_agents::install::{
    self, Bar, Consent, Door, Fixed, InstallError, Plan, Reach, Stance, Wish,
};
use belay_settings::Provider;
use clap::Args;

use crate::anchor::AnchorArgs;
use crate::exit::Exit;
use crate::guide;
use crate::other::shadowed;
use crate::out::{Failure, Out, harmless, talk};
use crate::places::{Here, variable};
use crate::serve::{DaemonDir, answers};
use crate::trust::confirmed;

/// Arguments of `belay install` and `belay uninstall`.
#[derive(Args, Clone)]
pub struct ConnectArgs {
    /// The agents; without one, all that are found.
    #[arg(value_name = "AGENT")]
    pub agents: Vec<String>,
    /// The project's folder.
    #[arg(short = 'C', value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// In the settings of this project.
    #[arg(long, conflicts_with = "user")]
    pub project: bool,
    /// In the settings of the user: this is what happens without an option.
    #[arg(long)]
    pub user: bool,
    /// In the settings of the machine, for every user: no repository can switch them off. Needs root.
    #[arg(long, conflicts_with_all = ["user", "project", "http", "statusline"])]
    pub managed: bool,
    /// Let the agent's bar show what belay does, unless it shows something else already.
    #[arg(long)]
    pub statusline: bool,
    /// Only watch and record: not even a failure of ours may stop the agent.
    #[arg(long)]
    pub observe: bool,
    /// Only show; change and run nothing.
    #[arg(long)]
    pub print: bool,
    /// Print what `doctor` finds as JSON lines.
    #[arg(long)]
    pub json: bool,
    /// Do not ask for confirmation.
    #[arg(long)]
    pub yes: bool,
    /// Let Claude Code ask the daemon on this port of 127.0.0.1 instead of starting us for every call.
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true, default_missing_value = "47419")]
    pub http: Option<u16>,
    /// Enter our hook among those Codex trusts; else Codex asks at its next start.
    #[arg(long)]
    pub trust_codex: bool,
    /// Watch only for a week, then judge.
    #[arg(long, conflicts_with = "observe")]
    pub trial: bool,
    /// Let a model of this provider decide what rules cannot: anthropic, openai, gemini.
    #[arg(long, value_name = "PROVIDER", value_parser = guide::provider_named)]
    pub model: Option<Provider>,
}

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
    let guided = match way {
        Way::In if guide::is_wanted(args) => Some(guide::asked(args, out)?),
        Way::In | Way::Out => None,
    };
    let args = guided.as_ref().unwrap_or(args);
    let ground = Ground::new(args)?;
    let mut exit = Exit::Done;
    for agent in ground.chosen()? {
        if let Err(why) = ground.one(agent, way, out) {
            talk(format_args!("error: {}: {}", agent.title(), why.text()));
            exit = Exit::Failed;
        }
    }
    if way == Way::In && !args.print && exit == Exit::Done {
        guide::settle(args, out)?;
        if let Some(said) = ground.shadowed() {
            out.flush()?;
            talk(harmless(&said));
        }
    }
    Ok(exit)
}

/// Reads names of agents.
fn named(words: &[String]) -> Result<Vec<Agent>, Failure> {
    let agent = |word: &String| {
        Agent::from_word(word).ok_or_else(|| {
            let known: Vec<&str> = Agent::ALL.iter().map(|it| it.word()).collect();
            let near = belay_settings::nearest(word, known.iter().copied());
            let near = near.map_or_else(String::new, |it| format!("; did you mean `{it}`?"));
            Failure::Usage(format!(
                "belay does not know the agent `{word}`{near}\nhint: {}",
                known.join(", ")
            ))
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
    settings: Option<PathBuf>,
    state: Option<PathBuf>,
    project: PathBuf,
    /// What the daemon wants to hear; made when first needed.
    token: Option<String>,
}

impl<'a> Ground<'a> {
    /// Looks around once.
    pub fn new(args: &'a ConnectArgs) -> Result<Self, Failure> {
        let here = Here::at(args.folder.as_deref())?;
        let home = here
            .home
            .ok_or_else(|| Failure::said("`HOME` is not set to a folder"))?;
        let mut ground = Self {
            args,
            belay: std::env::current_exe()?,
            home: PathBuf::from(home),
            settings: here.places.user.filter(|it| it.is_absolute()),
            state: here.places.state_dir.filter(|it| it.is_absolute()),
            project: PathBuf::from(here.project),
            token: None,
        };
        let asks_us = |it: &Agent| it.asks_daemon() && ground.registered_port(*it).is_some();
        if args.http.is_some() || Agent::ALL.iter().any(asks_us) {
            ground.token = Some(DaemonDir::open()?.token()?);
        }
        Ok(ground)
    }

    /// Stands where the registrations that are there make us stand, whatever our own environment says.
    pub fn anchored(args: &'a ConnectArgs) -> Result<Self, Failure> {
        let ground = Self::new(args)?;
        let fixed = ground
            .chosen()?
            .into_iter()
            .find_map(|it| install::fixed(&ground.wish(it)));
        let Some(Fixed {
            settings,
            home,
            state,
        }) = fixed
        else {
            return Ok(ground);
        };
        let anchor = AnchorArgs {
            settings,
            home,
            state,
        };
        anchor.drop_anchor();
        Self::new(args)
    }

    /// Says who answers to our name in our place, if another does.
    pub fn shadowed(&self) -> Option<String> {
        shadowed(&self.belay, &variable("PATH").unwrap_or_default())
    }

    /// Returns the house that the doctor's rooms are a copy of.
    pub fn own<'g>(&'g self, state: &'g [(&'static str, Vec<u8>)]) -> Own<'g> {
        Own {
            home: &self.home,
            project: &self.project,
            env: &variable,
            state,
        }
    }

    /// Returns the user's settings, where they are there.
    pub fn settings_there(&self) -> Option<&Path> {
        self.settings.as_deref().filter(|it| it.is_file())
    }

    /// Returns the port of the daemon that an agent was told to ask.
    pub fn registered_port(&self, agent: Agent) -> Option<u16> {
        install::registered_port(&self.wish(agent))
    }

    /// Returns the wish that an agent stays connected as it is.
    pub fn kept(&self, agent: Agent) -> Wish<'_> {
        let wish = self.wish(agent);
        Wish {
            door: self.door(install::registered_port(&wish)),
            ..wish
        }
    }

    fn door(&self, port: Option<u16>) -> Option<Door<'_>> {
        let token = self.token.as_deref()?;
        port.map(|port| Door { port, token })
    }

    /// Tells whether the daemon answers there.
    pub fn daemon_answers(&self, port: u16) -> bool {
        self.token
            .as_deref()
            .is_some_and(|token| answers(port, token))
    }

    /// Returns what is wished for an agent.
    pub fn wish(&self, agent: Agent) -> Wish<'_> {
        Wish {
            agent,
            reach: match (self.args.project, self.args.managed) {
                (true, _) => Reach::Project,
                (false, true) => Reach::Managed,
                (false, false) => Reach::User,
            },
            stance: if self.args.observe {
                Stance::Observe
            } else {
                Stance::Gate
            },
            belay: &self.belay,
            home: &self.home,
            settings: self.settings.as_deref(),
            state: self.state.as_deref(),
            project: &self.project,
            env: &variable,
            trust: if self.args.trust_codex {
                Consent::Given
            } else {
                Consent::Missing
            },
            door: self.door(self.args.http),
            bar: if self.args.statusline && (self.is_named() || install::has_bar(agent)) {
                Bar::Shown
            } else {
                Bar::Untouched
            },
        }
    }

    /// Tells whether agents were named: then what one cannot do is a mistake, and else it is left out.
    const fn is_named(&self) -> bool {
        !self.args.agents.is_empty()
    }

    /// Returns the agents that are named, or else all that seem to be used here.
    pub fn chosen(&self) -> Result<Vec<Agent>, Failure> {
        if !self.args.agents.is_empty() {
            return named(&self.args.agents);
        }
        if self.args.managed {
            let able = Agent::ALL.iter().copied();
            return Ok(able.filter(|it| install::can_be_managed(*it)).collect());
        }
        match self.found().as_slice() {
            [] => Err(Failure::said(
                "no agent found\nhint: name one, such as `claude-code`",
            )),
            found => Ok(found.to_vec()),
        }
    }

    /// Returns the agents that seem to be used here: their folder is there, or their program.
    fn found(&self) -> Vec<Agent> {
        let path = variable("PATH").unwrap_or_default();
        let is_present = |agent: &Agent| {
            install::is_present(&self.wish(*agent)) || client(*agent, &path).is_some()
        };
        Agent::ALL.iter().copied().filter(is_present).collect()
    }
}

impl Ground<'_> {
    fn one(&self, agent: Agent, way: Way, out: &mut Out) -> Result<(), Failure> {
        let plan = match way {
            Way::In => install::install(&self.wish(agent)),
            Way::Out => install::uninstall(&self.kept(agent)),
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
        if self.args.print {
            return Ok(());
        }
        confirmed(
            self.args.yes,
            &format!("Change the settings of {} like this?", agent.title()),
        )?;
        install::apply(&plan).map_err(said)?;
        let word = if way == Way::In {
            "connected"
        } else {
            "disconnected"
        };
        out.line(format_args!("{}: {word}", agent.title()))?;
        if way == Way::In {
            out.line(format_args!(
                "next, check that it blocks: belay doctor {}",
                agent.word()
            ))?;
        }
        Ok(())
    }
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
