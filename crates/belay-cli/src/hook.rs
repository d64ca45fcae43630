//! `belay hook AGENT`: the agent's own protocol on stdin and stdout.
//!
//! INVARIANT: every way out of here is an [`Answer`]: bytes the agent understands and an exit code.
//! A panic is caught, and a watch refuses when the verdict is late. Whoever speaks first is the only
//! one who speaks, so that no stray byte reaches stdout.

use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use belay_agents::{Agent, Answer, Asked, Heard, Moment, Seen};

use belay_settings::Mode;

use crate::judging::Judging;
use crate::out::Failure;

/// No agent sends more.
const MOST_INPUT: u64 = 64 * 1024 * 1024;

/// The watch only sleeps and writes.
const WATCH_STACK: usize = 256 * 1024;

/// Far below any agent's own time-out: a host that stops waiting runs the command.
const LATEST: Duration = Duration::from_secs(20);

/// How often the deadline is looked at.
const TICK: Duration = Duration::from_millis(250);

/// What the settings say of the deadline, once they are read.
static SOONER_MS: AtomicU64 = AtomicU64::new(u64::MAX);

/// Set by whoever answers first; nobody answers twice.
static SPOKEN: AtomicBool = AtomicBool::new(false);

/// Set once the settings say that we only watch: then not even an accident interferes.
static ONLY_WATCHING: AtomicBool = AtomicBool::new(false);

/// Runs the hook of the agent named by the arguments after `hook`.
pub fn run(words: &[String]) -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    let (agent, answer) = match words {
        [word] => match Agent::from_word(word) {
            Some(agent) => (Some(agent), supervised(agent)),
            None => (
                None,
                Err(format!(
                    "`{word}` is no agent; `belay hook --help` lists them"
                )),
            ),
        },
        _ => (
            None,
            Err("`belay hook` takes the name of one agent".to_owned()),
        ),
    };
    ExitCode::from(say(&answer.unwrap_or_else(|why| accident(agent, &why))))
}

/// Returns what leaves when something went wrong.
fn accident(agent: Option<Agent>, why: &str) -> Answer {
    match agent {
        Some(agent) if ONLY_WATCHING.load(Ordering::SeqCst) => {
            belay_agents::no_opinion(agent, &Heard::Ignore)
        }
        Some(_) | None => belay_agents::refuse(agent, why),
    }
}

/// Does the work under the eyes of a watch, so that lateness and panics end here too.
fn supervised(agent: Agent) -> Result<Answer, String> {
    thread::Builder::new()
        .stack_size(WATCH_STACK)
        .spawn(move || watch(agent))
        .map_err(|why| format!("cannot start: {why}"))?;
    catch_unwind(AssertUnwindSafe(|| answered(agent)))
        .unwrap_or_else(|_| Err("the gate failed inside; `belay doctor` may tell more".to_owned()))
}

/// Waits for the deadline, which the settings may bring forward on the way, and refuses then.
fn watch(agent: Agent) {
    let begun = Instant::now();
    loop {
        let limit = latest().min(Duration::from_millis(SOONER_MS.load(Ordering::SeqCst)));
        let rest = limit.saturating_sub(begun.elapsed());
        if rest.is_zero() {
            break;
        }
        thread::sleep(rest.min(TICK));
    }
    std::process::exit(say(&accident(Some(agent), "no verdict in time")).into());
}

fn answered(agent: Agent) -> Result<Answer, String> {
    let input = input()?;
    accidents_for_tests();
    let env = |name: &str| std::env::var(name).ok();
    let heard = belay_agents::read(agent, &input, &env).map_err(|why| why.to_string())?;
    match &heard {
        Heard::Judge(asked) => judged(agent, &heard, asked),
        Heard::Observe(seen) => {
            observed(seen);
            Ok(belay_agents::no_opinion(agent, &heard))
        }
        Heard::Ignore => Ok(belay_agents::no_opinion(agent, &heard)),
    }
}

fn judged(agent: Agent, heard: &Heard, asked: &Asked) -> Result<Answer, String> {
    let judging = Judging::for_agent(&asked.call)?;
    match judging.mode() {
        Mode::Off => return Ok(belay_agents::no_opinion(agent, heard)),
        Mode::Observe => ONLY_WATCHING.store(true, Ordering::SeqCst),
        Mode::Auto => {}
    }
    SOONER_MS.store(judging.settings().deadline.total_ms, Ordering::SeqCst);
    let judgement = judging.judge(&asked.call).map_err(Failure::text)?;
    Ok(match judging.mode() {
        Mode::Auto => belay_agents::answer(agent, heard, &judgement),
        Mode::Observe | Mode::Off => belay_agents::no_opinion(agent, heard),
    })
}

/// Remembers what matters later. Nobody waits for a verdict, so nothing is refused: the next call
/// that cannot be remembered will be.
fn observed(seen: &Seen) {
    let Ok(judging) = Judging::for_agent(&seen.call) else {
        return;
    };
    let _ = match seen.moment {
        Moment::SessionStart => judging.begin(&seen.call),
        Moment::Prompt => judging.person_spoke(&seen.call),
        Moment::SessionEnd | Moment::AfterTool | Moment::AfterFailure | Moment::Refused => Ok(()),
    };
}

/// Reads everything, up to the cap; the rest is drained so that the agent can finish writing.
fn input() -> Result<Vec<u8>, String> {
    let fault = |why: io::Error| format!("cannot read what the agent sent: {why}");
    let mut stdin = io::stdin().lock();
    let mut bytes = Vec::with_capacity(4096);
    stdin
        .by_ref()
        .take(MOST_INPUT + 1)
        .read_to_end(&mut bytes)
        .map_err(fault)?;
    if bytes.len() as u64 > MOST_INPUT {
        drop(bytes);
        let _ = io::copy(&mut stdin, &mut io::sink());
        return Err(format!("the agent sent more than {MOST_INPUT} bytes"));
    }
    Ok(bytes)
}

/// Writes the answer and returns the exit code. An agent that does not listen gets the code that
/// blocks. Whoever comes second stays silent: the first ends the process.
fn say(answer: &Answer) -> u8 {
    while SPOKEN.swap(true, Ordering::SeqCst) {
        thread::park();
    }
    let mut stdout = io::stdout().lock();
    let told = stdout
        .write_all(&answer.stdout)
        .and_then(|()| stdout.flush());
    let _ = io::stderr().write_all(&answer.stderr);
    if told.is_err() {
        let _ = io::stderr().write_all(b"belay: refused: nobody reads the answer\n");
        return 2;
    }
    u8::try_from(answer.code).unwrap_or(2)
}

/// How long the work may take. Tests of the debug build may be less patient.
fn latest() -> Duration {
    if cfg!(debug_assertions) {
        let millis = std::env::var("BELAY_TEST_DEADLINE_MS")
            .ok()
            .and_then(|it| it.parse().ok());
        return millis.map_or(LATEST, Duration::from_millis);
    }
    LATEST
}

/// Makes the accidents that tests ask for; the release build has none.
#[cfg(debug_assertions)]
#[expect(clippy::panic, reason = "an accident on purpose")]
fn accidents_for_tests() {
    match std::env::var("BELAY_TEST_ACCIDENT").as_deref() {
        Ok("panic") => panic!("on purpose"),
        Ok("hang") => thread::sleep(Duration::from_secs(600)),
        Ok(_) | Err(_) => {}
    }
}

#[cfg(not(debug_assertions))]
const fn accidents_for_tests() {}
