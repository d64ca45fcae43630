//! `belay mcp` and `belay acp`: long-lived forms of the hook, on stdin and stdout.

use std::io::{self, BufReader};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread;

use belay_agents::{acp, mcp};
use belay_model::{Call, Judgement, Layer, Reason, Risk, Trouble, TroubleKind, Verdict};

use crate::anchor::{self, AnchorArgs};
use crate::args::AcpArgs;
use crate::exit::Exit;
use crate::judging::Judging;
use crate::out::{Failure, Out};
use crate::places::variable;
use crate::respect;

/// Answers the permission prompts of Claude Code until stdin ends.
pub fn serve_mcp(args: &AnchorArgs, out: &mut Out) -> Result<(), Failure> {
    args.drop_anchor();
    std::panic::set_hook(Box::new(|_| {}));
    let stdin = io::stdin().lock();
    let pipes = mcp::Pipes {
        input: stdin,
        output: out.writer(),
    };
    mcp::serve(pipes, &anchor::seen, &mut prompted)?;
    Ok(())
}

/// Judges a call about which a person would be asked; what their own rule wants them to be asked
/// about is not ours to answer, and this protocol has no third word.
fn prompted(call: &Call) -> Judgement {
    let judgement = judged(call);
    let call = &anchored(call);
    let rule = || {
        let judging = Judging::for_agent(call).ok()?;
        let host = respect::Host {
            agent: mcp::AGENT,
            env: &anchor::seen,
        };
        respect::rule_on(host, call, &judging)
    };
    if judgement.verdict != Verdict::Allow {
        return judgement;
    }
    match catch_unwind(AssertUnwindSafe(rule)) {
        Ok(None) => judgement,
        Ok(Some(rule)) => accident(call, &format!("the rule {rule} needs a person to answer")),
        Err(_) => accident(call, "belay failed internally"),
    }
}

/// Judges and records a call; every accident is a denial.
fn judged(call: &Call) -> Judgement {
    let call = &anchored(call);
    let judge = || Judging::for_agent(call)?.judge(call).map_err(Failure::text);
    match catch_unwind(AssertUnwindSafe(judge)) {
        Ok(Ok(judgement)) => judgement,
        Ok(Err(why)) => accident(call, &why),
        Err(_) => accident(call, "belay failed internally"),
    }
}

fn anchored(call: &Call) -> Call {
    let mut call = call.clone();
    anchor::grounded(&mut call, variable("HOME"));
    call
}

fn accident(call: &Call, why: &str) -> Judgement {
    Judgement {
        id: call.id.clone(),
        verdict: Verdict::Deny,
        layer: Layer::Fallback,
        reason: Reason::new(format!("refused: {why}")),
        risk: Risk::HIGH,
        effects: Vec::new(),
        troubles: vec![Trouble::new(TroubleKind::Failure, why)],
        trail: Vec::new(),
        micros: 0,
    }
}

/// Starts an agent and stands between it and the editor until one of them ends.
pub fn proxy_acp(args: &AcpArgs, out: &mut Out) -> Result<Exit, Failure> {
    args.anchor.drop_anchor();
    std::panic::set_hook(Box::new(|_| {}));
    let mut child = started(&args.agent)?;
    let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Failure::said("the agent has no stdin or stdout"));
    };
    let to = std::sync::Arc::new(Mutex::new(to));
    let sessions = std::sync::Arc::new(acp::Sessions::default());
    let (towards, known) = (to.clone(), sessions.clone());
    // Ends with the process: nothing else waits for the editor.
    thread::spawn(move || acp::to_agent(io::stdin().lock(), &towards, &known));
    let carried = acp::to_editor(
        acp::Wires {
            agent: BufReader::new(from),
            back: &to,
            editor: out.writer(),
        },
        &sessions,
        &mut judged,
    );
    let status = ended(&mut child, carried)?;
    Ok(if status.success() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

fn started(words: &[String]) -> Result<Child, Failure> {
    let (program, rest) = words
        .split_first()
        .ok_or_else(|| Failure::Usage("name the agent to start".to_owned()))?;
    Command::new(program)
        .args(rest)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|why| Failure::Said(format!("cannot start `{program}`: {why}")))
}

/// An editor that has gone takes the agent with it.
fn ended(child: &mut Child, carried: io::Result<()>) -> Result<std::process::ExitStatus, Failure> {
    if let Err(why) = carried {
        let _ = child.kill();
        let _ = child.wait();
        return Err(why.into());
    }
    Ok(child.wait()?)
}
