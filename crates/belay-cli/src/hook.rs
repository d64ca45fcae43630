//! `belay hook AGENT`: the agent's own protocol on stdin and stdout.
//!
//! INVARIANT: every way out of here is an [`Answer`]: bytes the agent understands and an exit code.
//! A panic is caught, and an alarm refuses when the verdict is late. Whoever speaks first is the only
//! one who speaks, so that no stray byte reaches stdout. The daemon answers with [`answered`] too.

use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use belay_agents::{Agent, Answer, Env, Event, Heard, Moment, PersonSaid, Seen};
use belay_alarm::Last;
use belay_model::{Call, Trouble, TroubleKind, Verdict};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::stat::{FileStat, fstat, stat};

use belay_settings::{Mode, Settings};

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

/// Far below any agent's own time-out: a host that stops waiting runs the command.
const LATEST: Duration = Duration::from_secs(20);

/// How often the daemon looks at the deadline.
pub const TICK: Duration = Duration::from_millis(250);

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
    watch: Watch,
}

/// Who sees to it that an answer leaves in time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Watch {
    /// The alarm of this process, which answers one call and ends.
    Alarm(Agent, Stdout),
    /// Whoever made the terms: the daemon answers many.
    Owner,
}

impl Terms {
    /// Begins to count the time.
    pub fn new(watch: Watch) -> Self {
        Self {
            begun: Instant::now(),
            sooner_ms: AtomicU64::new(u64::MAX),
            added_ms: AtomicU64::new(0),
            only_watching: AtomicBool::new(false),
            watch,
        }
    }

    /// Sets the alarm to what is left of the time, and to what would be said now.
    fn set_alarm(&self) -> io::Result<()> {
        let Watch::Alarm(agent, stdout) = self.watch else {
            return Ok(());
        };
        let late = self.accident(Some(agent), "no verdict in time");
        belay_alarm::prepare(stdout.last(late));
        belay_alarm::ring_in(self.left())
    }

    /// Lets the settings say how much time there is, and whether we only watch.
    fn settled(&self, settings: &Settings) -> Result<(), String> {
        let watching = settings.mode == Mode::Observe;
        self.only_watching.store(watching, Ordering::SeqCst);
        let sooner = settings.deadline.total_ms;
        self.sooner_ms.store(sooner, Ordering::SeqCst);
        if !watching && Duration::from_millis(sooner) >= latest() {
            return Ok(());
        }
        self.set_alarm().map_err(|why| no_timer(&why))
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
        // Where it cannot be set anew, it rings as it was set: sooner.
        let _ = self.set_alarm();
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
    let stdout = Stdout::seen();
    let agent = words.first().and_then(|word| Agent::from_word(word));
    let terms = Terms::new(agent.map_or(Watch::Owner, |it| Watch::Alarm(it, stdout)));
    let answer = match (agent, words.split_first()) {
        (Some(agent), Some((_, rest))) => AnchorArgs::read(rest).and_then(|args| {
            args.drop_anchor();
            supervised(agent, &terms)
        }),
        (None, Some((word, _))) => Err(format!(
            "belay does not know the agent `{word}`; `belay hook --help` lists them"
        )),
        (_, None) => Err("`belay hook` takes the name of one agent".to_owned()),
    };
    let answer = answer.unwrap_or_else(|why| terms.accident(agent, &why));
    ExitCode::from(say(&stdout.last(answer)))
}

/// Lets a write beyond `ulimit -f` fail instead of killing us: a record that cannot be written ends in
/// a refusal that names it.
fn outlive_file_limits() {
    let mut held = SigSet::empty();
    held.add(Signal::SIGXFSZ);
    let _ = held.thread_block();
}

/// Does the work with the alarm set, so that lateness and panics end here too.
fn supervised(agent: Agent, terms: &Terms) -> Result<Answer, String> {
    terms.set_alarm().map_err(|why| no_timer(&why))?;
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

fn no_timer(why: &io::Error) -> String {
    format!("cannot start: {why}")
}

/// Lets a panic end as an error.
pub fn caught(work: impl FnOnce() -> Result<Answer, String>) -> Result<Answer, String> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err("belay failed internally; `belay doctor` may say more".to_owned()))
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
        Mode::Observe | Mode::Auto => terms.settled(judging.settings())?,
    }
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
fn say(answer: &Last) -> u8 {
    while !belay_alarm::takes_the_word() {
        thread::park();
    }
    let mut stdout = io::stdout().lock();
    let told = stdout
        .write_all(&answer.stdout)
        .and_then(|()| stdout.flush());
    let _ = io::stderr().write_all(&answer.stderr);
    if told.is_err() {
        let _ = io::stderr().write_all(UNHEARD);
        return 2;
    }
    answer.code
}

const UNHEARD: &[u8] = b"belay: refused: nothing reads the answer\n";

/// Whether somebody reads what we say.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stdout {
    /// Somebody may.
    Read,
    /// It is thrown away. One that was closed when we started is, too: the runtime puts `/dev/null` in its place.
    Nowhere,
}

impl Stdout {
    /// Looks where it leads.
    fn seen() -> Self {
        let device = |it: nix::Result<FileStat>| it.map(|it| it.st_rdev).ok();
        let ours = device(fstat(io::stdout())).filter(|it| *it != 0);
        match ours.is_some() && ours == device(stat("/dev/null")) {
            true => Self::Nowhere,
            false => Self::Read,
        }
    }

    /// Returns what is said; an answer that nobody reads ends with the code that blocks.
    fn last(self, answer: Answer) -> Last {
        let mut last = Last {
            stdout: answer.stdout,
            stderr: answer.stderr,
            code: u8::try_from(answer.code).unwrap_or(2),
        };
        if self == Self::Nowhere && !last.stdout.is_empty() {
            last.stderr.extend_from_slice(UNHEARD);
            last.code = 2;
        }
        last
    }
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
#[expect(clippy::panic, reason = "a failure on purpose")]
fn accidents_for_tests() {
    match std::env::var("BELAY_TEST_ACCIDENT").as_deref() {
        Ok("panic") => panic!("on purpose"),
        Ok("hang") => thread::sleep(Duration::from_secs(600)),
        Ok(_) | Err(_) => {}
    }
}

#[cfg(not(debug_assertions))]
const fn accidents_for_tests() {}
