//! `belay fleet status`: how this machine fares, as whoever looks after many of them is told.

use std::collections::BTreeSet;

use belay_agents::Agent;
use belay_journal::calendar::Moment;
use belay_journal::{Journal, json};
use belay_settings::Loaded;
use belay_settings::fleet::InForce;
use belay_ship::{AgentStatus, Outbox, Status};
use clap::Args;

use crate::doctor::connected;
use crate::exit::Exit;
use crate::out::{Failure, Out, harmless};
use crate::places::{self, Here, variable};

/// How often the collector is told.
const EVERY: u64 = 3_600_000;
/// So many records are looked at for who asked.
const LATELY: usize = 1000;
/// What the moment of the last time is kept under.
const TOLD: &str = "status";

/// Arguments of `belay fleet status`.
#[derive(Args)]
pub struct StatusArgs {
    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Prints how this machine fares; ends with 1 when it is not protected.
pub fn status(args: &StatusArgs, out: &mut Out) -> Result<Exit, Failure> {
    let here = Here::at(None)?;
    let status = gathered(&here, &here.settings());
    let exit = match status.is_protected() {
        true => Exit::Done,
        false => Exit::Failed,
    };
    if args.json {
        out.line(json::compact(&status.to_json()))?;
        return Ok(exit);
    }
    out.line(format_args!("machine    {}", status.machine))?;
    out.line(format_args!("belay      {}", status.version))?;
    out.line(format_args!("mode       {}", status.mode))?;
    for agent in &status.agents {
        let how = match (agent.hooked, agent.proven) {
            (true, true) => "asks belay, and was seen to",
            (true, false) => "asks belay",
            (false, _) => "does NOT ask belay",
        };
        out.line(harmless(&format!("agent      {} {how}", agent.name)))?;
    }
    out.line(format_args!("waiting    {} records", status.unshipped))?;
    if status.set_aside > 0 {
        out.line(format_args!("refused    {} records", status.set_aside))?;
    }
    for trouble in &status.troubles {
        out.line(harmless(&format!("trouble    {trouble}")))?;
    }
    out.line(match exit {
        Exit::Done => "protected",
        Exit::Ask | Exit::Deny | Exit::Failed | Exit::Usage => "NOT protected",
    })?;
    Ok(exit)
}

/// Returns how this machine fares.
pub fn gathered(here: &Here, loaded: &Loaded) -> Status {
    let settings = &loaded.settings;
    let journal = places::journal(settings, &here.places);
    let outbox = journal.as_ref().map(|it| Outbox::of(it.folder()));
    let last = journal.as_ref().and_then(|it| it.last_number());
    let cursor = outbox.as_ref().map(|it| it.cursor().number).unwrap_or(0);
    let found = connected();
    // A call that it asked about is the proof that a hook is called.
    let seen: BTreeSet<String> = journal.iter().flat_map(asked_lately).collect();
    let agent = |it: &Agent, hooked: bool| AgentStatus {
        name: it.word().to_owned(),
        hooked,
        proven: hooked && seen.contains(it.word()),
    };
    let on = found.on.iter().map(|it| agent(it, true));
    let off = found.off.iter().map(|it| agent(it, false));
    let bundle = loaded.fleet.bundle.as_ref();
    let now = Moment::now().0 / 1000;
    let errors = loaded.errors.iter().map(ToString::to_string);
    Status {
        at: Moment::now(),
        machine: outbox
            .as_ref()
            .and_then(Outbox::known_machine)
            .unwrap_or_default(),
        host: hostname().filter(|_| settings.ship.names),
        team: settings.fleet.team.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        mode: settings.mode.word().to_owned(),
        agents: on.chain(off).collect(),
        bundle: bundle.map(|it| it.serial),
        stage: bundle.map(stages).filter(|it| !it.is_empty()),
        bundle_age: bundle.and_then(|it| now.checked_sub(it.at?)),
        unshipped: last.unwrap_or(0).saturating_sub(cursor),
        set_aside: outbox.as_ref().map_or(0, Outbox::count_aside),
        passing: variable("CI").is_some(),
        troubles: errors
            .chain(loaded.fleet.troubles.iter().cloned())
            .collect(),
    }
}

/// Returns the agents of the newest records.
fn asked_lately(journal: &Journal) -> impl Iterator<Item = String> {
    journal.newest().take(LATELY).filter_map(|it| it.call.agent)
}

/// Returns the rule sets that apply here, each with its stage.
fn stages(bundle: &InForce) -> String {
    let here = bundle.sets.iter().filter(|it| it.applies);
    let here = here.map(|it| format!("{} {}", it.name, it.stage));
    here.collect::<Vec<_>>().join(", ")
}

fn hostname() -> Option<String> {
    let name = std::fs::read_to_string("/etc/hostname").ok()?;
    Some(name.trim().to_owned()).filter(|it| !it.is_empty())
}

/// Tells whether it is time to tell the collector.
pub fn is_due(outbox: &Outbox) -> bool {
    let passing = variable("CI").is_some();
    passing || Moment::now().0.saturating_sub(outbox.last(TOLD)) >= EVERY
}

/// Notes that the collector was told.
pub fn note_told(outbox: &Outbox) {
    // Where nothing can be written, it is told again too early.
    let _ = outbox.done(TOLD, Moment::now().0);
}
