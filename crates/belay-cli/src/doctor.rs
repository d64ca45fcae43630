//! `belay doctor`: shows whether the gate really bites, agent by agent.

use std::path::{Path, PathBuf};

use belay_agents::Agent;
use belay_agents::doctor::{
    Finding, Mark, Room, Trial, client, examine, prove, recipes, version, versions,
};
use belay_agents::install::settings_file;
use belay_journal::json;
use belay_model::{Call, Value, Verdict};
use belay_settings::Mode;
use belay_settings::fleet::Standing as Fleet;

use crate::anchor;
use clap::Parser;

use crate::args::{Cli, Command, Standing};
use crate::config;
use crate::connect::{ConnectArgs, Ground};
use crate::exit::Exit;
use crate::fleet;
use crate::judging::{Judging, Recording};
use crate::out::{Failure, Out, harmless, one_line, talk};
use crate::places::{Here, switched_off_by, variable};
use crate::switch;
use crate::undo;

/// Examines the agents named, or all that are found; ends with 1 when something is not as it should.
pub fn doctor(args: &ConnectArgs, out: &mut Out) -> Result<Exit, Failure> {
    let ground = Ground::anchored(args)?;
    if args.json {
        return as_json(&ground, out);
    }
    let mut wrong = Vec::new();
    for agent in ground.chosen()? {
        out.line(agent.title())?;
        let mut bad = false;
        for look in LOOKS {
            for finding in look(agent, &ground) {
                show(&finding, out)?;
                bad |= finding.mark == Mark::Bad;
            }
            // The live proof takes a while; what is known is shown before.
            out.flush()?;
        }
        if bad {
            wrong.push(agent.title());
        }
    }
    let settings = settings()?;
    if wrong.is_empty() {
        return Ok(settings);
    }
    out.line(format_args!("to fix: {}", wrong.join(", ")))?;
    Ok(Exit::Failed)
}

/// Which agents are here.
#[derive(Clone, Default)]
pub struct Connected {
    /// Those that are told to ask us.
    pub on: Vec<Agent>,
    /// Those that are not.
    pub off: Vec<Agent>,
}

/// Returns which agents are here, and whether each is told to ask us.
pub fn connected() -> Connected {
    let words = ["belay", "doctor"];
    let Ok(Cli {
        command: Command::Doctor(args),
    }) = Cli::try_parse_from(words)
    else {
        return Connected::default();
    };
    let agents = Ground::new(&args).and_then(|ground| {
        let chosen = ground.chosen()?;
        let asks = |it: &Agent| {
            let findings = examine(&ground.kept(*it));
            findings.first().is_some_and(|it| it.mark == Mark::Good)
        };
        let (on, off) = chosen.into_iter().partition(asks);
        Ok(Connected { on, off })
    });
    agents.unwrap_or_default()
}

/// Prints one JSON object for each finding.
fn as_json(ground: &Ground<'_>, out: &mut Out) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    for agent in ground.chosen()? {
        for finding in LOOKS.iter().flat_map(|look| look(agent, ground)) {
            let mark = match finding.mark {
                Mark::Good => "good",
                Mark::Note => "note",
                Mark::Bad => {
                    exit = Exit::Failed;
                    "bad"
                }
            };
            let mut members = vec![
                ("agent".to_owned(), agent.word().into()),
                ("mark".to_owned(), mark.into()),
                ("what".to_owned(), finding.what.into()),
            ];
            members.extend(finding.fix.map(|it| ("fix".to_owned(), it.into())));
            out.line(json::compact(&Value::Object(members)))?;
        }
    }
    match settings()? {
        Exit::Done => Ok(exit),
        other @ Exit::Ask | other @ Exit::Deny | other @ Exit::Failed | other @ Exit::Usage => {
            Ok(other)
        }
    }
}

type Look = fn(Agent, &Ground<'_>) -> Vec<Finding>;

/// What is looked at, in this order.
const LOOKS: [Look; 11] = [
    |_, ground| mode(ground).into_iter().collect(),
    |_, _| planted(),
    |_, ground| refused(ground),
    |_, ground| bundle(ground),
    |_, ground| ground.shadowed().map(Finding::note).into_iter().collect(),
    |agent, ground| examine(&ground.kept(agent)),
    |agent, ground| protected(agent, ground).into_iter().collect(),
    |_, ground| kept(ground).into_iter().collect(),
    |agent, ground| daemon(agent, ground).into_iter().collect(),
    |agent, ground| known(agent, ground).into_iter().collect(),
    |agent, ground| live(agent, ground).into_iter().collect(),
];

/// Variables of our own environment that would lead elsewhere than the registration.
fn planted() -> Vec<Finding> {
    let notes = anchor::planted_notes().into_iter();
    notes.map(|it| Finding::note(it.what)).collect()
}

/// What the project's own file asks for and has no say in.
fn refused(ground: &Ground<'_>) -> Vec<Finding> {
    let Ok(here) = Here::at(ground.args.folder.as_deref()) else {
        return Vec::new();
    };
    let wants = switched_off_by(&here.settings()).into_iter();
    wants.map(Finding::note).collect()
}

/// Which bundle of the fleet is in force, and what is wrong with it.
fn bundle(ground: &Ground<'_>) -> Vec<Finding> {
    let Ok(here) = Here::at(ground.args.folder.as_deref()) else {
        return Vec::new();
    };
    let standing = here.settings().fleet;
    let troubles = standing.troubles.clone();
    let good = Fleet {
        troubles: Vec::new(),
        ..standing
    };
    let good = fleet::told(&good).join("; ");
    let good = Some(good).filter(|it| !it.is_empty()).map(Finding::good);
    let bad = troubles.into_iter();
    let bad = bad.map(|it| Finding::bad(it, "belay fleet pull"));
    good.into_iter().chain(bad).collect()
}

/// Whether work that would be lost can be kept.
fn kept(ground: &Ground<'_>) -> Option<Finding> {
    let here = Here::at(ground.args.folder.as_deref()).ok()?;
    Some(undo::examined(&here))
}

/// Returns the mode that holds in the project, settings and switch counted.
fn mode_here(ground: &Ground<'_>) -> Option<Mode> {
    let here = Here::at(ground.args.folder.as_deref()).ok()?;
    Some(here.settings().settings.mode)
}

/// A gate that stops nothing says so first.
fn mode(ground: &Ground<'_>) -> Option<Finding> {
    match mode_here(ground)? {
        Mode::Auto => None,
        Mode::Observe => Some(Finding::bad(
            "observe: nothing is stopped",
            "belay auto on, or `mode = \"auto\"` in the settings",
        )),
        Mode::Off => Some(Finding::bad(
            "off: nothing is judged and nothing is stopped",
            "belay auto on, or `mode = \"auto\"` in the settings",
        )),
    }
}

/// Says what is wrong with the settings and the user's knowledge, if anything.
fn settings() -> Result<Exit, Failure> {
    let here = Here::at(None)?;
    let exit = config::complain(&here.proven());
    if let Err(why) = here.knowledge() {
        talk(harmless(&why.to_string()));
        return Ok(Exit::Failed);
    }
    Ok(exit)
}

fn show(finding: &Finding, out: &mut Out) -> Result<(), Failure> {
    let (sign, colour) = match finding.mark {
        Mark::Good => ("✓", Verdict::Allow),
        Mark::Note => ("·", Verdict::Ask),
        Mark::Bad => ("✗", Verdict::Deny),
    };
    let sign = out.paint().as_verdict(colour, sign);
    out.line(format_args!("  {sign} {}", harmless(&finding.what)))?;
    match &finding.fix {
        Some(fix) => out.line(format_args!("    fix: {}", harmless(fix))),
        None => Ok(()),
    }
}

/// The agent must not be able to disconnect us: what would be said to an edit of its own settings?
fn protected(agent: Agent, ground: &Ground<'_>) -> Option<Finding> {
    let path = settings_file(&ground.kept(agent))?;
    let standing = Standing {
        folder: ground.args.folder.clone(),
        headless: false,
        without_model: true,
        dump: None,
        overrides: Vec::new(),
    };
    let judging = match Judging::open_static(&standing, Recording::NotKept) {
        Ok(judging) => judging,
        Err(why) => return Some(Finding::bad(why.text(), "belay config")),
    };
    let input = format!("{{\"file_path\":{},\"content\":\"\"}}", quoted(&path));
    let call = judging.completed(Call {
        tool: "Write".to_owned(),
        input: json::read(input.as_bytes()).ok()?,
        ..Call::default()
    });
    Some(match judging.judge(&call).map(|it| it.verdict) {
        Ok(Verdict::Deny) => Finding::good("agents may not edit these settings"),
        Ok(Verdict::Allow | Verdict::Ask) | Err(_) => Finding::bad(
            "agents may edit these settings",
            "find the rule that allows it with `belay rules`",
        ),
    })
}

fn quoted(path: &Path) -> String {
    json::compact(&Value::from(path.display().to_string()))
}

/// A daemon that is asked must answer.
fn daemon(agent: Agent, ground: &Ground<'_>) -> Option<Finding> {
    let port = ground.registered_port(agent)?;
    Some(if ground.daemon_answers(port) {
        Finding::good(format!("the daemon answers on 127.0.0.1:{port}"))
    } else {
        Finding::bad(
            format!("no daemon of ours answers on 127.0.0.1:{port}: every call is refused"),
            format!("belay serve --background --http={port}"),
        )
    })
}

fn is_registered(agent: Agent, ground: &Ground<'_>) -> bool {
    let findings = examine(&ground.kept(agent));
    findings.first().is_some_and(|it| it.mark != Mark::Bad)
}

fn found_client(agent: Agent) -> Option<PathBuf> {
    client(agent, &variable("PATH").unwrap_or_default())
}

fn known(agent: Agent, ground: &Ground<'_>) -> Option<Finding> {
    if ground.args.print {
        return None;
    }
    versions(agent, &version(&found_client(agent)?)?)
}

/// Runs the user's own client in a scratch copy of their settings, mode, project and environment, against a scripted
/// model: one command must run, one must not.
fn live(agent: Agent, ground: &Ground<'_>) -> Option<Finding> {
    if ground.args.print {
        return None;
    }
    let program = recipes::program(agent)?;
    let Some(client) = found_client(agent) else {
        return Some(Finding::note(format!(
            "no live proof: `{program}` is not in PATH"
        )));
    };
    let path = variable("PATH").unwrap_or_default();
    let here = Here::at(ground.args.folder.as_deref()).ok()?;
    let switch = Vec::from_iter(switch::copied(&here));
    let trial = Trial {
        agent,
        client: &client,
        belay: &ground.belay,
        path: &path,
        settings: ground.settings_there(),
        own: Some(ground.own(&switch)),
    };
    let tried = |trial: &Trial<'_>| Room::new(agent).and_then(|room| prove(trial, room.path()));
    let proof = tried(&trial);
    let plain = || {
        let own = None;
        tried(&Trial { own, ..trial }).is_ok_and(|it| it.holds())
    };
    let wrong = |what: &str, said: &str| {
        let fix = format!("the client said: {}", one_line(said.trim(), 300));
        Finding::bad(format!("live proof: {what}"), fix)
    };
    Some(match proof {
        Ok(proof) if proof.holds() && !is_registered(agent, ground) => {
            Finding::note("the client obeys belay in a scratch copy, but it is not connected here")
        }
        Ok(proof) if proof.holds() => Finding::good(
            "live proof with your settings, mode, project and environment, in a scratch copy: a denied command was stopped, an allowed one ran",
        ),
        Ok(proof) if proof.denied_ran && mode_here(ground) != Some(Mode::Auto) => Finding::note(
            "live proof with your settings: a denied command ran, which is expected in this mode",
        ),
        Ok(proof) if proof.denied_ran => wrong("a denied command RAN", &proof.said),
        Ok(proof) if !proof.tried => wrong("the client made no calls", &proof.said),
        Ok(_) if plain() => Finding::note(
            "live proof: a denied command was stopped. An allowed one was stopped too, by your own mode, rules or settings; without them it runs",
        ),
        Ok(proof) => wrong("an allowed command did not run", &proof.said),
        Err(why) => Finding::note(format!("no live proof: {why}")),
    })
}
