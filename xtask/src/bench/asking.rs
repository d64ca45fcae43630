//! What asking a model costs beyond the model's own time, and that nothing of it is paid by calls that need none.
//!
//! A scripted model on loopback answers at once. Its own time is an exchange of the same question without belay;
//! the rest, beyond a hook that asks nobody, is ours.

use std::fs::File;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use belay_model_server::{Script, Server};
use serde_json::json;

use super::{Job, quantile};
use crate::{Outcome, run};

const ROUNDS: usize = 200;
const WARM: usize = 10;

/// The most milliseconds a question may take beyond the model's own time.
const MOST_OVERHEAD: f64 = 5.0;

/// The most a call that needs no model may take with one configured, as a multiple of without.
const MOST_IDLE: f64 = 1.15;

/// A home with or without a model.
struct Home(PathBuf);

impl Home {
    fn make(name: &str, settings: &str) -> Outcome<Self> {
        let home = run::target().join("bench").join(name);
        let fault = |why: std::io::Error| format!("cannot make `{}`: {why}", home.display());
        std::fs::create_dir_all(home.join(".config/belay")).map_err(fault)?;
        std::fs::create_dir_all(home.join("project")).map_err(fault)?;
        std::fs::write(home.join(".config/belay/config.toml"), settings).map_err(fault)?;
        Ok(Self(home))
    }

    fn call(&self, name: &str, (tool, input): (&str, serde_json::Value)) -> Outcome<PathBuf> {
        let path = self.0.join(name);
        let call = json!({"session_id": "s", "transcript_path": "/nowhere.jsonl", "cwd": self.0.join("project"),
            "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input,
            "tool_use_id": "t"});
        std::fs::write(&path, call.to_string()).map_err(|why| why.to_string())?;
        Ok(path)
    }

    /// Runs the hook once on a call.
    fn hook(&self, belay: &Path, call: &Path) -> Outcome<Duration> {
        let input = File::open(call).map_err(|why| why.to_string())?;
        let mut command = Command::new(belay);
        command
            .args(["hook", "claude-code", "--home"])
            .arg(&self.0)
            .current_dir(self.0.join("project"));
        command
            .env_clear()
            .env("HOME", &self.0)
            .env("PATH", "/usr/bin:/bin");
        command
            .stdin(input)
            // An answer that nobody can read is refused.
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let begun = Instant::now();
        let status = command.status().map_err(|why| why.to_string())?;
        let took = begun.elapsed();
        status
            .success()
            .then_some(took)
            .ok_or_else(|| format!("the hook failed: {status}"))
    }
}

/// Sends the same question without belay, and waits for the whole answer.
fn exchange(server: &Server, body: &str) -> Outcome<Duration> {
    let asked = || -> std::io::Result<Duration> {
        let begun = Instant::now();
        let mut stream = TcpStream::connect(("127.0.0.1", server.port()))?;
        let head = format!(
            "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(body.as_bytes())?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(begun.elapsed())
    };
    asked().map_err(|why| format!("the scripted model does not answer: {why}"))
}

/// Measures and prints; past the budget it fails when asked to.
pub fn run(belay: &Path, job: Job) -> Outcome {
    let verdict = json!({"thinking": "", "should_block": false, "reason": "scripted"});
    let server = Server::start(Script::forcing("classify_result", verdict))
        .map_err(|why| why.to_string())?;
    let settings = format!(
        "[classifier]\nprovider = \"compatible\"\nmodel = \"m\"\ncache_seconds = 0\nbase_url = \"{}\"\n",
        server.url()
    );
    let (with, without) = (Home::make("model", &settings)?, Home::make("no-model", "")?);
    let unsure = || ("Bash", json!({"command": "frobnicate --all"}));
    let settled = || ("Bash", json!({"command": "cargo test"}));
    let calls = [
        (&with, with.call("unsure.json", unsure())?),
        (&without, without.call("unsure.json", unsure())?),
        (&with, with.call("settled.json", settled())?),
        (&without, without.call("settled.json", settled())?),
    ];
    let mut times: [Vec<Duration>; 5] = Default::default();
    let mut body = String::new();
    for round in 0..WARM + ROUNDS {
        for turn in 0..5 {
            let at = (round + turn) % 5;
            let took = match calls.get(at) {
                Some((home, call)) => home.hook(belay, call)?,
                None => exchange(&server, &body)?,
            };
            if body.is_empty() {
                body = server
                    .heard()
                    .first()
                    .map(|it| it.body.to_string())
                    .unwrap_or_default();
            }
            if round >= WARM {
                times[at].push(took);
            }
        }
    }
    let [asked, alone, idle, plain, model] = times.map(|it| quantile(it.into_iter(), 0.5) / 1000.0);
    told(&server, [asked, alone, idle, plain, model], body.len());
    let (overhead, ratio) = (asked - alone - model, idle / plain);
    match job {
        Job::Check if overhead > MOST_OVERHEAD => Err(format!(
            "a question costs {overhead:.2} ms beyond the model, more than {MOST_OVERHEAD}"
        )),
        Job::Check if ratio > MOST_IDLE => Err(format!(
            "a model that is not asked costs {ratio:.2} times, more than {MOST_IDLE}"
        )),
        Job::Check | Job::Print | Job::Write => Ok(()),
    }
}

fn told(server: &Server, [asked, alone, idle, plain, model]: [f64; 5], bytes: usize) {
    println!();
    println!("unsure, a model is asked    {asked:>7.2} ms");
    println!("unsure, nobody is asked     {alone:>7.2} ms");
    println!(
        "the model's own time        {model:>7.2} ms, {} questions of {bytes} bytes, about {} tokens",
        server.heard().len(),
        bytes.div_ceil(4)
    );
    println!(
        "overhead of asking          {:>7.2} ms, budget {MOST_OVERHEAD}",
        asked - alone - model
    );
    println!(
        "settled, model configured   {idle:>7.2} ms, {:.2} times as long as without ({plain:.2} ms), budget {MOST_IDLE}",
        idle / plain
    );
    println!("{ROUNDS} rounds, interleaved, medians");
}
