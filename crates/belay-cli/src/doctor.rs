//! `belay doctor`: shows whether the gate really bites, agent by agent.

use belay_agents::Agent;
use belay_agents::doctor::{Finding, Mark, Room, client, examine, prove, recipes};

use crate::args::ConnectArgs;
use crate::connect::{Ground, named};
use crate::exit::Exit;
use crate::out::{Failure, Out, harmless, one_line};
use crate::places::variable;

/// Examines the agents named, or all that are found; ends with 1 when something is not as it should.
pub fn doctor(args: &ConnectArgs, out: &mut Out) -> Result<Exit, Failure> {
    let ground = Ground::new(args)?;
    let agents = if args.agents.is_empty() {
        ground.found()
    } else {
        named(&args.agents)?
    };
    if agents.is_empty() {
        return Err(Failure::said(
            "no agent was found\nhint: name one, such as `belay doctor claude-code`",
        ));
    }
    let mut exit = Exit::Done;
    for agent in agents {
        out.line(format_args!("{}", agent.title()))?;
        let mut findings = examine(&ground.wish(agent));
        findings.extend(live(agent, &ground));
        for finding in &findings {
            show(finding, out)?;
            out.flush()?;
        }
        if findings.iter().any(|it| it.mark == Mark::Bad) {
            exit = Exit::Failed;
        }
    }
    Ok(exit)
}

fn show(finding: &Finding, out: &mut Out) -> Result<(), Failure> {
    let sign = match finding.mark {
        Mark::Good => "ok   ",
        Mark::Note => "note ",
        Mark::Bad => "wrong",
    };
    out.line(format_args!("  {sign} {}", harmless(&finding.what)))?;
    match &finding.fix {
        Some(fix) => out.line(format_args!("        fix: {}", harmless(fix))),
        None => Ok(()),
    }
}

/// Runs the user's own client in an empty home, against a scripted model: one command must run,
/// one must not.
fn live(agent: Agent, ground: &Ground<'_>) -> Option<Finding> {
    if ground.args.print {
        return None;
    }
    let program = recipes::program(agent)?;
    let path = variable("PATH").unwrap_or_default();
    let Some(client) = client(agent, &path) else {
        return Some(noted(format!("no live proof: `{program}` is not in PATH")));
    };
    let proof = Room::new(agent)
        .and_then(|room| prove((agent, &client), (&ground.belay, &path), room.path()));
    Some(match proof {
        Ok(proof) if proof.holds() => Finding {
            mark: Mark::Good,
            what: "live proof: a denied command was stopped, an allowed one ran".to_owned(),
            fix: None,
        },
        Ok(proof) if proof.denied_ran => {
            wrong("live proof: a denied command RAN".to_owned(), &proof.said)
        }
        Ok(proof) if !proof.tried => wrong(
            "live proof: the client made no calls".to_owned(),
            &proof.said,
        ),
        Ok(proof) => wrong(
            "live proof: an allowed command did not run".to_owned(),
            &proof.said,
        ),
        Err(why) => noted(format!("no live proof: {why}")),
    })
}

fn noted(what: String) -> Finding {
    Finding {
        mark: Mark::Note,
        what,
        fix: None,
    }
}

fn wrong(what: String, said: &str) -> Finding {
    let fix = format!("the client said: {}", one_line(said.trim(), 300));
    Finding {
        mark: Mark::Bad,
        what,
        fix: Some(fix),
    }
}
