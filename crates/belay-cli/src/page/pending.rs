//! Questions that wait for an answer at the page.
//!
//! INVARIANT: a question waits only while somebody looks; an answer counts for the question it was shown with, and for
//! those that are the same call to the letter and were on screen as well. Nothing is remembered of it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use belay_http::{Request, Response};
use belay_journal::calendar::Moment;
use belay_journal::{Answered, Record};
use belay_page::Pending;

use super::keys::{chance, same};
use super::{said, show};
use crate::out::Failure;

/// So many questions wait at once; more are put by their agents.
const MOST: usize = 16;

/// Nobody is waited for longer.
const LONGEST: Duration = Duration::from_secs(60);

static WAITING: Mutex<Vec<Question>> = Mutex::new(Vec::new());
static SETTLED: Condvar = Condvar::new();

/// How many browsers look at the stream.
static LOOKING: AtomicUsize = AtomicUsize::new(0);

#[derive(Clone)]
struct Question {
    record: Record,
    nonce: String,
    until: Instant,
    shown: bool,
    answer: Option<&'static str>,
}

fn waiting() -> MutexGuard<'static, Vec<Question>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Somebody looks, as long as this is kept.
pub struct Looking(());

impl Looking {
    /// Notes that somebody looks.
    pub fn begin() -> Self {
        LOOKING.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        LOOKING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Lets a question wait, and returns what was said; `none` where nobody looked or answered.
pub fn wait(body: &str) -> &'static str {
    let Some((id, seconds)) = body.split_once(' ') else {
        return "none";
    };
    let seconds = seconds.parse().unwrap_or(0);
    if LOOKING.load(Ordering::SeqCst) == 0 {
        return "none";
    }
    let (Ok(Some(record)), Ok(nonce)) = (show::record(id), chance()) else {
        return "none";
    };
    let until = Instant::now() + Duration::from_secs(seconds).min(LONGEST);
    let mut questions = waiting();
    if questions.len() >= MOST {
        return "none";
    }
    questions.push(Question {
        record,
        nonce: nonce.clone(),
        until,
        shown: false,
        answer: None,
    });
    loop {
        let answer = questions
            .iter()
            .find(|it| it.nonce == nonce)
            .and_then(|it| it.answer);
        let left = until.saturating_duration_since(Instant::now());
        if answer.is_some() || left.is_zero() || LOOKING.load(Ordering::SeqCst) == 0 {
            questions.retain(|it| it.nonce != nonce);
            return answer.unwrap_or("none");
        }
        let step = left.min(Duration::from_millis(500));
        let woken = SETTLED.wait_timeout(questions, step);
        questions = woken.map_or_else(|it| it.into_inner().0, |it| it.0);
    }
}

/// Returns the questions that wait, and notes that they are on screen.
pub fn on_screen() -> Vec<Pending> {
    let mut questions = waiting();
    let open = questions.iter_mut().filter(|it| it.answer.is_none());
    open.map(|it| {
        it.shown = true;
        Pending {
            record: it.record.clone(),
            seconds: it.until.saturating_duration_since(Instant::now()).as_secs(),
            nonce: it.nonce.clone(),
        }
    })
    .collect()
}

/// Takes an answer: the nonce of the showing, and `yes` or `no`.
pub fn answer(request: &Request) -> Result<Response, Failure> {
    let body = String::from_utf8_lossy(&request.body);
    let answer = match body.trim().split_once(' ') {
        Some((nonce, "yes")) => Some((nonce, "yes")),
        Some((nonce, "no")) => Some((nonce, "no")),
        Some(_) | None => None,
    };
    let Some((nonce, said_so)) = answer else {
        return Ok(said(422, "an answer is yes or no"));
    };
    let mut questions = waiting();
    let meant = questions
        .iter()
        .find(|it| same(&it.nonce, nonce) && it.answer.is_none());
    let Some(meant) = meant.cloned() else {
        return Ok(said(
            410,
            "this question is no longer waiting: the agent asks it",
        ));
    };
    let covers = |it: &Question| {
        it.nonce == meant.nonce || (it.shown && is_same_call(&it.record, &meant.record))
    };
    let journal = show::journal()?;
    for question in questions.iter_mut().filter(|it| covers(it)) {
        // The answer is kept before it counts.
        let kept = Answered {
            of: question.record.id.clone(),
            at: Moment::now(),
            said: said_so.to_owned(),
            learned: vec!["at the page".to_owned()],
        };
        journal.append_answer(&kept).map_err(Failure::said)?;
        question.answer = Some(said_so);
    }
    drop(questions);
    SETTLED.notify_all();
    Ok(said(
        200,
        if said_so == "yes" {
            "allowed, once"
        } else {
            "denied"
        },
    ))
}

/// Tells whether two records are of the same call, in the same session and place.
fn is_same_call(one: &Record, other: &Record) -> bool {
    let (one, other) = (&one.call, &other.call);
    one.session == other.session
        && one.cwd == other.cwd
        && one.tool == other.tool
        && one.input == other.input
}
