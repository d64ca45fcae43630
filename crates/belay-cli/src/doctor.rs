//! `belay doctor`: shows whether the gate really bites, agent by agent.

use std::fs;
use std::path::{Path, PathBuf};

use belay_agents::Agent;
use belay_agents::doctor::{Finding, Mark, examine, prove};

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
    let program = client(agent)?;
    let path = variable("PATH").unwrap_or_default();
    let Some(client) = found(program, &path) else {
        return Some(noted(format!("no live proof: `{program}` is not in PATH")));
    };
    let room = std::env::temp_dir().join(format!(
        "belay-doctor-{}-{}",
        agent.word(),
        std::process::id()
    ));
    let proof =
        fs::create_dir(&room).and_then(|()| prove((agent, &client), (&ground.belay, &path), &room));
    let _ = fs::remove_dir_all(&room);
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

/// Returns the program of a client that can be proven.
const fn client(agent: Agent) -> Option<&'static str> {
    match agent {
        Agent::ClaudeCode => Some("claude"),
        Agent::Codex => Some("codex"),
        Agent::Gemini => Some("gemini"),
        Agent::Copilot => Some("copilot"),
        Agent::Qwen => Some("qwen"),
        Agent::OpenCode => Some("opencode"),
        Agent::VsCode
        | Agent::Cursor
        | Agent::Windsurf
        | Agent::Cline
        | Agent::Droid
        | Agent::Kiro
        | Agent::Goose
        | Agent::Amp
        | Agent::Generic => None,
    }
}

fn found(program: &str, path: &str) -> Option<PathBuf> {
    let folders = path.split(':').filter(|it| it.starts_with('/'));
    folders
        .map(|it| Path::new(it).join(program))
        .find(|it| it.is_file())
}
