//! The host of a run: starts workers on stages of their own and gathers what they say.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Instant;

use crate::stage::STAGE;
use crate::tally::Tally;
use crate::worker::{Found, Job, Message};

/// What a run found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The figures of all workers.
    pub tally: Tally,
    /// Allowed lines that did what was not said.
    pub holes: Vec<Found>,
    /// Stopped lines that did nothing.
    pub friction: Vec<Found>,
}

/// How a stage is built before a worker starts on it.
const SETUP: &str = include_str!("../stage/setup.sh");
const WORLD: &str = include_str!("../stage/world.sh");

/// Runs a job with so many workers, judged by that program.
///
/// # Errors
/// When a stage cannot be built or a worker fails: then nothing was proved.
pub fn run(job: &Job, workers: usize, belay: &Path) -> Result<Outcome, String> {
    let (sender, receiver) = mpsc::channel();
    let mut children = Vec::new();
    for number in 0..workers {
        let lines = job.lines.iter().skip(number).step_by(workers);
        let own = Job {
            lines: lines.cloned().collect(),
            ..job.clone()
        };
        let mut child = start(&own, belay)?;
        let lines = child.stdout.take().ok_or("a worker has no output")?;
        let sender = sender.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(lines).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        children.push(child);
    }
    drop(sender);
    let mut outcome = Outcome::default();
    let (began, mut ran) = (Instant::now(), 0);
    for line in receiver {
        match serde_json::from_str(&line).map_err(|why| format!("a worker said `{line}`: {why}"))? {
            Message::Hole(found) => {
                let (did, said) = (found.did.join(", "), found.said.join(", "));
                let _ = writeln!(
                    std::io::stderr(),
                    "hole: {}\n  did:  {did}\n  said: {said}",
                    found.line
                );
                outcome.holes.push(found);
            }
            Message::Ran(more) => {
                ran += more;
                let (holes, seconds) = (outcome.holes.len(), began.elapsed().as_secs());
                let _ = writeln!(
                    std::io::stderr(),
                    "{ran} lines run, {holes} holes, {seconds} s"
                );
            }
            Message::Ended(told) => {
                let _ = writeln!(std::io::stderr(), "{told}");
            }
            Message::Friction(found) => outcome.friction.push(found),
            Message::Figures(tally) => outcome.tally.add(&tally),
        }
    }
    for mut child in children {
        let status = child.wait().map_err(|why| why.to_string())?;
        if !status.success() {
            return Err(format!(
                "a worker failed, so nothing was proved ({status})\nhint: `unshare -U --keep-caps -m -p -n`, overlay mounts and strace must work: allow user namespaces, or run as root"
            ));
        }
    }
    Ok(outcome)
}

fn start(job: &Job, belay: &Path) -> Result<Child, String> {
    let own = std::env::current_exe().map_err(|why| why.to_string())?;
    let job = serde_json::to_string(job).map_err(|why| why.to_string())?;
    let mut child = Command::new("unshare")
        .args(["-U", "--map-user=1000", "--map-group=1000", "--keep-caps"])
        .args([
            "-m",
            "-p",
            "-n",
            "-i",
            "-u",
            "-f",
            "--mount-proc",
            "--kill-child",
        ])
        .args(["/bin/sh", "-c", SETUP, "setup", STAGE])
        .arg(own)
        .arg("worker")
        .env("WORLD", WORLD)
        .env("BELAY", belay)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|why| format!("cannot start `unshare`: {why}\nhint: it is part of util-linux"))?;
    let mut stdin = child.stdin.take().ok_or("a worker has no input")?;
    std::thread::spawn(move || stdin.write_all(job.as_bytes()));
    Ok(child)
}
