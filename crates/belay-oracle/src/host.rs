//! The host of a run: starts workers on stages of their own and gathers what they say.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Instant;

use crate::Shell;
use crate::causes::Causes;
use crate::tally::Tally;
use crate::testimony::Scribe;
use crate::worker::{Hole, Job, Message};

/// What a run found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The figures of all workers.
    pub tally: Tally,
    /// The holes, in the order of the programs.
    pub holes: Vec<Hole>,
    /// Why harmless programs are not allowed.
    pub causes: Causes,
}

/// How a worker ends that fails, other than a stage that cannot be built.
pub const WORKER_FAILED: i32 = 3;

const NO_STAGE: &str = "no stage could be built, so nothing was proved
hint: `unshare -r -m -p -n` and `mount` must work: allow user namespaces, or run as root; this is how it ended";

/// How a stage is built before a worker starts on it.
const SETUP: &str = include_str!("../stage/setup.sh");

/// After so many programs the host says how far it is.
const PACE: u64 = 10_000;

/// Runs a job with so many workers.
///
/// # Errors
/// When a stage cannot be built or a worker fails: then nothing was proved.
pub fn run(job: &Job, shell: Shell, mut scribe: Option<Scribe>) -> Result<Outcome, String> {
    let (sender, receiver) = mpsc::channel();
    let mut workers = Vec::new();
    for number in 0..job.step {
        let own = Job {
            from: job.from + number,
            ..job.clone()
        };
        let mut child = start(&own, shell)?;
        let lines = child.stdout.take().ok_or("a worker has no output")?;
        let sender = sender.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(lines).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        workers.push(child);
    }
    drop(sender);
    let mut outcome = Outcome::default();
    let (began, mut tried) = (Instant::now(), 0);
    for line in receiver {
        match serde_json::from_str(&line).map_err(|why| format!("a worker said `{line}`: {why}"))? {
            Message::Hole(hole) => {
                said(&format!("program {}: {:?}", hole.index, hole.program));
                outcome.holes.push(*hole);
            }
            Message::Tried(more) => {
                tried += more;
                if tried.is_multiple_of(PACE) {
                    let (holes, seconds) = (outcome.holes.len(), began.elapsed().as_secs());
                    said(&format!("{tried} programs, {holes} holes, {seconds} s"));
                }
            }
            Message::Deed(deed) => {
                if let Some(scribe) = &mut scribe {
                    scribe.note(&deed)?;
                }
            }
            Message::Cause(cause) => *outcome.causes.entry(cause).or_default() += 1,
            Message::Figures(tally) => outcome.tally.add(&tally),
        }
    }
    for mut child in workers {
        let status = child.wait().map_err(|why| why.to_string())?;
        match status.code() {
            Some(0) => {}
            Some(WORKER_FAILED) => return Err("a worker failed; nothing was proved".to_owned()),
            _ => return Err(format!("{NO_STAGE} ({status})")),
        }
    }
    outcome.holes.sort_by_key(|it| it.index);
    Ok(outcome)
}

/// Says how far a run is, to whoever watches.
fn said(what: &str) {
    let _ = writeln!(std::io::stderr(), "{what}");
}

fn start(job: &Job, shell: Shell) -> Result<Child, String> {
    let oracle = std::env::current_exe().map_err(|why| why.to_string())?;
    let job = serde_json::to_string(job).map_err(|why| why.to_string())?;
    Command::new("unshare")
        .args(["-r", "-m", "-p", "-n", "-f", "--mount-proc", "--kill-child"])
        .args(["/bin/sh", "-c", SETUP, "setup", "/mnt"])
        .arg(oracle)
        .args(["worker", shell.word(), &job])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|why| format!("cannot start `unshare`: {why}\nhint: it is part of util-linux"))
}
