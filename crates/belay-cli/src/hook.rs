//! `belay hook AGENT`: the agent's own protocol on stdin and stdout.
//!
//! INVARIANT: every way out of here is an [`Answer`]: bytes the agent understands and an exit code.
//! A panic is caught, and a watch refuses when the verdict is late. Whoever speaks first is the only
//! one who speaks, so that no stray byte reaches stdout. The daemon answers with [`answered`] too.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use belay_agents::{Agent, Answer, Env, Event, Heard, Moment, PersonSaid, Seen};
use belay_model::{Call, Trouble, TroubleKind, Verdict};
use nix::sys::signal::{SigSet, Signal};

use belay_settings::Mode;

use crate::anchor::{self, AnchorArgs};
use crate::judging::Judging;
use crate::keeping::{Again, Asked};
use crate::learning::Provable;
use crate::out::Failure;
use crate::places::variable;
use crate::question;
use crate::respect::{Bounds, Host};
use crate::waiting::Waiting;

/// No agent sends more.
const MOST_INPUT: u64 = 64 * 1024 * 1024;

/// The watch only sleeps and writes.
const WATCH_STACK: usize = 256 * 1024;

/// Far below any agent's own time-out: a host that stops waiting runs the command.
const LATEST: Duration = Duration::from_secs(20);

/// How often the deadline is looked at.
pub const TICK: Duration = Duration::from_millis(250);

/// Set by whoever answers first; nobody answers twice.
static SPOKEN: AtomicBool = AtomicBool::new(false);

/// What an agent sent.
pub struct Sent<'a> {
    /// Which agent.
    pub agent: Agent,
    /// What it sent.
    pub bytes: &'a [u8],
    /// Its environment, with the home folder that is fixed for us.
    pub env: Env<'a>,
    /// The home folder that its environment names.
    pub env_home: Option<String>,
    /// Who may have sent it.
    pub by: Sender,
}

/// Who may have sent something.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sender {
    /// The agent itself, which started us: what it tells of its session is remembered.
    Agent,
    /// Whoever can reach the daemon, a program of the agent among them: verdicts and nothing else.
    Anyone,
}

/// What the settings say of one call, known once they are read.
pub struct Terms {
    begun: Instant,
    sooner_ms: AtomicU64,
    /// What a wait for a person adds.
    added_ms: AtomicU64,
    only_watching: AtomicBool,
}

impl Terms {
    /// Begins to count the time.
    pub fn new() -> Self {
        Self {
            begun: Instant::now(),
            sooner_ms: AtomicU64::new(u64::MAX),
            added_ms: AtomicU64::new(0),
            only_watching: AtomicBool::new(false),
        }
    }

    /// Returns how long the verdict may still take; the settings may shorten it on the way.
    pub fn left(&self) -> Duration {
        let limit = latest().min(Duration::from_millis(self.sooner_ms.load(Ordering::SeqCst)));
        let added = Duration::from_millis(self.added_ms.load(Ordering::SeqCst));
        (limit + added).saturating_sub(self.begun.elapsed())
    }

    /// Returns how long the work has taken.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Lets the work take longer: a person is waited for.
    pub fn add(&self, time: Duration) {
        let millis = u64::try_from(time.as_millis()).unwrap_or(0);
        self.added_ms.store(millis, Ordering::SeqCst);
    }

    /// Returns what leaves when something went wrong: a refusal, unless we only watch.
    pub fn accident(&self, agent: Option<Agent>, why: &str) -> Answer {
        match agent {
            Some(agent) if self.only_watching.load(Ordering::SeqCst) => {
                belay_agents::no_opinion(agent, &Heard::Ignore)
            }
            Some(_) | None => belay_agents::refuse(agent, why),
        }
    }
}

/// Runs the hook of the agent named by the arguments after `hook`.
pub fn run(words: &[String]) -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    outlive_file_limits();
    let terms = Arc::new(Terms::new());
    let agent = words.first().and_then(|word| Agent::from_word(word));
    let answer = match (agent, words.split_first()) {
        (Some(agent), Some((_, rest))) => AnchorArgs::read(rest).and_then(|args| {
            args.drop_anchor();
            supervised(agent, &terms)
        }),
        (None, Some((word, _))) => Err(format!(
            "`{word}` is no agent; `belay hook --help` lists them"
        )),
        (_, None) => Err("`belay hook` takes the name of one agent".to_owned()),
    };
    ExitCode::from(say(
        &answer.unwrap_or_else(|why| terms.accident(agent, &why))
    ))
}

/// Lets a write beyond `ulimit -f` fail instead of killing us: a record that cannot be written ends in
/// a refusal that names it.
fn outlive_file_limits() {
    let mut held = SigSet::empty();
    held.add(Signal::SIGXFSZ);
    let _ = held.thread_block();
}

/// Does the work under the eyes of a watch, so that lateness and panics end here too.
fn supervised(agent: Agent, terms: &Arc<Terms>) -> Result<Answer, String> {
    let watched = Arc::clone(terms);
    thread::Builder::new()
        .stack_size(WATCH_STACK)
        .spawn(move || watch(agent, &watched))
        .map_err(|why| format!("cannot start: {why}"))?;
    caught(|| {
        let sent = Sent {
            agent,
            bytes: &input()?,
            env: &anchor::seen,
            env_home: variable("HOME"),
            by: Sender::Agent,
        };
        answered(&sent, terms)
    })
}

/// Lets a panic end as an error.
pub fn caught(work: impl FnOnce() -> Result<Answer, String>) -> Result<Answer, String> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err("the gate failed inside; `belay doctor` may tell more".to_owned()))
}

/// Waits for the deadline, which the settings may bring forward on the way, and refuses then.
fn watch(agent: Agent, terms: &Terms) {
    loop {
        let left = terms.left();
        if left.is_zero() {
            break;
        }
        thread::sleep(left.min(TICK));
    }
    std::process::exit(say(&terms.accident(Some(agent), "no verdict in time")).into());
}

/// Answers what an agent sent: the whole of the hook, between stdin and stdout.
pub fn answered(sent: &Sent<'_>, terms: &Terms) -> Result<Answer, String> {
    accidents_for_tests();
    let heard = belay_agents::read(sent.agent, sent.bytes, sent.env);
    let mut heard = heard.map_err(|why| why.to_string())?;
    if let Heard::Judge(asked) = &mut heard {
        anchor::grounded(&mut asked.call, sent.env_home.clone());
    }
    match &heard {
        Heard::Judge(_) => judged(sent, &heard, terms),
        Heard::Observe(seen) => {
            if sent.by == Sender::Agent {
                observed(sent, seen);
            }
            Ok(belay_agents::no_opinion(sent.agent, &heard))
        }
        Heard::Ignore => Ok(belay_agents::no_opinion(sent.agent, &heard)),
    }
}

fn judged(sent: &Sent<'_>, heard: &Heard, terms: &Terms) -> Result<Answer, String> {
    let agent = sent.agent;
    let Heard::Judge(asked) = heard else {
        return Ok(belay_agents::no_opinion(agent, heard));
    };
    let judging = Judging::for_agent(&asked.call)?;
    match judging.mode() {
        Mode::Off => return Ok(belay_agents::no_opinion(agent, heard)),
        Mode::Observe => terms.only_watching.store(true, Ordering::SeqCst),
        Mode::Auto => {}
    }
    let sooner = judging.settings().deadline.total_ms;
    terms.sooner_ms.store(sooner, Ordering::SeqCst);
    let host = Host {
        agent,
        env: sent.env,
    };
    let bounds = Bounds::of(host, asked, &judging);
    if sent.by == Sender::Agent {
        // What cannot be learned is asked again.
        let _ = judging.learn_in_time(agent, &asked.call, sent.env);
        // What was not heard grants nothing.
        let _ = judging.hear(agent, &asked.call);
    }
    let provable = match asked.event {
        Event::BeforeTool => Provable::of(agent, &asked.call),
        Event::Approval => Provable::No,
    };
    let judging = judging
        .noting(bounds.notes())
        .noting(attempts(agent, &asked.call))
        .learning(provable);
    let put = Asked {
        again: match asked.event {
            Event::BeforeTool => Again::No,
            Event::Approval => Again::Perhaps,
        },
        is_held_back: &|it| bounds.hold_back(&asked.call, it),
    };
    let record = judging.judge_and_keep(&asked.call, &put);
    let record = record.map_err(Failure::text)?;
    let id = record.id.clone();
    let judgement = question::put(&judging, record);
    if bounds.hold_back(&asked.call, &judgement) {
        return Ok(belay_agents::no_opinion(agent, heard));
    }
    let may_wait = sent.by == Sender::Agent
        && asked.event == Event::BeforeTool
        && judging.mode() == Mode::Auto
        && judgement.verdict == Verdict::Ask;
    let waiting = Waiting {
        agent,
        call: &asked.call,
        env: sent.env,
        id: &id,
        terms,
    };
    let said = match may_wait {
        true => waiting.answered(&judging),
        false => PersonSaid::Nothing,
    };
    let judgement = belay_agents::as_answered(&judgement, said);
    Ok(match judging.mode() {
        Mode::Auto => belay_agents::answer(agent, heard, &judgement),
        Mode::Observe | Mode::Off => belay_agents::no_opinion(agent, heard),
    })
}

/// Says for the record what the repository does to be rid of us; that we are asked all the same is the owner's will.
fn attempts(agent: Agent, call: &Call) -> Vec<Trouble> {
    let project = call.project_roots.first().unwrap_or(&call.cwd);
    let found = belay_agents::doctor::attempts(agent, Path::new(project));
    let note = |it| Trouble::new(TroubleKind::Note, it);
    found.into_iter().map(note).collect()
}

/// Remembers what matters later. Nobody waits for a verdict, so nothing is refused: the next call
/// that cannot be remembered will be.
fn observed(sent: &Sent<'_>, seen: &Seen) {
    let Ok(judging) = Judging::for_agent(&seen.call) else {
        return;
    };
    let _ = match seen.moment {
        Moment::SessionStart => judging
            .begin(&seen.call)
            .and_then(|()| judging.renewed(&seen.call)),
        Moment::SessionEnd => judging.renewed(&seen.call),
        Moment::Prompt => judging.person_spoke(&seen.call),
        Moment::AfterTool | Moment::AfterFailure => judging
            .ran(&seen.call)
            .and_then(|()| judging.learn(sent.agent, &seen.call, sent.env))
            .and_then(|()| {
                let failed = seen.moment == Moment::AfterFailure;
                judging.ended(&seen.call, if failed { "failed" } else { "ran" })
            }),
        Moment::Refused => judging.ended(&seen.call, "refused"),
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
    if told.is_err() || (!answer.stdout.is_empty() && goes_nowhere(&stdout)) {
        let _ = io::stderr().write_all(b"belay: refused: nobody reads the answer\n");
        return 2;
    }
    u8::try_from(answer.code).unwrap_or(2)
}

/// Tells whether stdout is thrown away. One that was closed when we started is, too: the runtime puts
/// `/dev/null` in its place.
fn goes_nowhere(stdout: &impl AsFd) -> bool {
    let file = stdout.as_fd().try_clone_to_owned().map(File::from);
    let device = |it: io::Result<fs::Metadata>| it.map(|it| it.rdev()).ok();
    let ours = device(file.and_then(|it| it.metadata()));
    let is_device = ours.is_some_and(|it| it != 0);
    is_device && ours == device(fs::metadata("/dev/null"))
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
