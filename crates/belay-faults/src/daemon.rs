//! The daemon, killed while it is asked.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use belay_oracle::dice::Dice;

use crate::calls::Call;
use crate::home::{GATE, Ground};
use crate::hook::{Answer, Outcome, said};

/// How long it may take to start.
const PATIENCE: Duration = Duration::from_secs(30);

/// It is killed within so many microseconds of the question.
const WITHIN: u64 = 60_000;

/// A daemon, gone when dropped.
struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Asks a daemon about a call, and kills it at some moment.
///
/// # Errors
/// When it does not start.
pub fn asked(ground: &Ground, call: &Call, dice: &mut Dice) -> Result<Answer, String> {
    let mut daemon = started(ground)?;
    let mut stream = connected(ground)?;
    let body = ground.message(call, crate::home::SESSION);
    let question = format!(
        "POST /belay/hook/claude-code HTTP/1.1\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let _ = stream.write_all(question.as_bytes());
    std::thread::sleep(Duration::from_micros(dice.below(WITHIN)));
    let _ = daemon.0.kill();
    let _ = daemon.0.wait();
    let mut reply = Vec::new();
    let _ = stream.read_to_end(&mut reply);
    let reply = String::from_utf8_lossy(&reply).into_owned();
    Ok(Answer {
        outcome: heard(&reply),
        stdout: reply,
        stderr: String::new(),
        ended: "the daemon was killed".to_owned(),
    })
}

/// Returns what a host makes of a reply: without a whole one it has none.
fn heard(reply: &str) -> Outcome {
    let Some((head, body)) = reply.split_once("\r\n\r\n") else {
        return Outcome::Gone;
    };
    let lower = head.to_lowercase();
    let length = lower
        .lines()
        .find_map(|it| it.strip_prefix("content-length:"));
    let whole = length.and_then(|it| it.trim().parse().ok()) == Some(body.len());
    if !whole {
        return Outcome::Gone;
    }
    let status = lower.split(' ').nth(1);
    match (status, said(body)) {
        (Some("200"), outcome) => outcome,
        (Some(_) | None, _) => Outcome::Refused,
    }
}

fn started(ground: &Ground) -> Result<Daemon, String> {
    let child = Command::new(GATE)
        .args(["serve", "--home"])
        .arg(ground.home())
        .env_clear()
        .env("HOME", ground.home())
        .env("PATH", "/usr/bin:/bin")
        .current_dir(ground.project())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    child
        .map(Daemon)
        .map_err(|why| format!("cannot start the daemon: {why}"))
}

fn connected(ground: &Ground) -> Result<UnixStream, String> {
    let (begun, socket) = (Instant::now(), ground.state().join("daemon/socket"));
    loop {
        match UnixStream::connect(&socket) {
            Ok(stream) => return Ok(stream),
            Err(why) if begun.elapsed() > PATIENCE => {
                return Err(format!("the daemon does not listen: {why}"));
            }
            Err(_) => std::thread::sleep(Duration::from_millis(3)),
        }
    }
}
