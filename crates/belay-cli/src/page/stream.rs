//! The stream of verdicts, as events that the browser reads one by one.

use std::thread;
use std::time::{Duration, Instant};

use belay_http::{Peer, Request, Response, begin, go_on};
use belay_journal::{Record, Tail};
use belay_page::{Filter, card, live_row, standing};

use super::pending::{self, Looking};
use super::{asked, guarded, show};

/// How often the journal is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// How often something is said where nothing happens, so that one who has gone is noticed.
const STILL_THERE: Duration = Duration::from_secs(2);

/// How often the strip is looked at: mode, hooks, protection.
const STRIP: Duration = Duration::from_secs(2);

/// A stream ends after this long; the browser comes again and says what it has seen.
const LONGEST: Duration = Duration::from_secs(15 * 60);

const PATIENCE: Duration = Duration::from_secs(5);

/// Sends what comes, until the browser has gone.
pub fn stream(peer: &mut Peer, request: &Request) {
    let Ok(journal) = show::journal() else { return };
    let filter = Filter::parse(&asked(request, "q").unwrap_or_default()).unwrap_or_default();
    let seen = request.header("last-event-id").map(str::to_owned);
    let after = seen.or_else(|| asked(request, "after"));
    let after = after.and_then(|it| it.parse().ok()).unwrap_or(0);
    let head = guarded(Response {
        status: 200,
        kind: "text/event-stream",
        headers: Vec::new(),
        body: b"retry: 1000\n\n".to_vec(),
    });
    // Who has the head may rely on being seen.
    let _looking = Looking::begin();
    if begin(peer, &head, PATIENCE).is_err() {
        return;
    }
    let mut known: Vec<String> = Vec::new();
    let mut strip = Watched::now();
    let mut tail = Tail::after(journal, after);
    let begun = Instant::now();
    let mut said = Instant::now();
    while begun.elapsed() < LONGEST {
        let mut text: String = tail
            .more()
            .iter()
            .filter(|it| filter.wants(it))
            .map(event)
            .collect();
        text.push_str(&questions(&mut known));
        text.push_str(&strip.event());
        if text.is_empty() && said.elapsed() > STILL_THERE {
            text.push_str(": still there\n\n");
        }
        if !text.is_empty() {
            said = Instant::now();
            if go_on(peer, text.as_bytes(), PATIENCE).is_err() {
                return;
            }
        }
        thread::sleep(LOOK);
    }
}

/// The strip as the browser knows it.
struct Watched {
    shown: String,
    next: Instant,
}

impl Watched {
    fn now() -> Self {
        Self {
            shown: standing(&show::strip()).into_string(),
            next: Instant::now() + STRIP,
        }
    }

    /// Tells of the strip, where it says something else than before.
    fn event(&mut self) -> String {
        if Instant::now() < self.next {
            return String::new();
        }
        let now = Self::now();
        let is_same = now.shown == self.shown;
        *self = now;
        match is_same {
            true => String::new(),
            false => format!("event: strip\n{}\n", data(&self.shown)),
        }
    }
}

fn event(record: &Record) -> String {
    let number = record.number.unwrap_or_default();
    let row = live_row(record).into_string();
    format!("id: {number}\nevent: row\n{}\n", data(&row))
}

fn data(text: &str) -> String {
    text.lines().map(|it| format!("data: {it}\n")).collect()
}

/// Tells of questions that came and of those that wait no more.
fn questions(known: &mut Vec<String>) -> String {
    let open = pending::on_screen();
    let mut text = String::new();
    for gone in known
        .iter()
        .filter(|it| !open.iter().any(|other| other.nonce == **it))
    {
        text.push_str(&format!("event: settled\n{}\n", data(gone)));
    }
    for fresh in open.iter().filter(|it| !known.contains(&it.nonce)) {
        let card = card(fresh).into_string();
        text.push_str(&format!("event: question\n{}\n", data(&card)));
    }
    *known = open.into_iter().map(|it| it.nonce).collect();
    text
}
