//! One question to the daemon, from the connection to the answer.
//!
//! INVARIANT: the verdict comes from [`hook::answered`], as it does for `belay hook`; here are only
//! the door, the deadline and the way back. What is asked by one cannot harm what is asked by others.

use std::io;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use belay_agents::{Agent, Answer};

use crate::anchor;
use crate::hook::{self, Sender, Sent, Terms, Watch};
use crate::page;
use belay_http::{Bounds, Chunks, Fault, Peer, Request, Response, hear_out, open};

/// The analysis reads less than such a body.
const BOUNDS: Bounds = Bounds {
    head: 32 * 1024,
    body: 16 * 1024 * 1024,
    head_patience: Duration::from_secs(3),
    patience: Duration::from_secs(10),
    chunks: Chunks::Refused,
};

/// What every answer is.
const JSON: &str = "application/json";
/// The header with the code that the hook would end with.
const EXIT: &str = "belay-exit";

/// As much stack as the hook's own process has.
const STACK: usize = 8 * 1024 * 1024;

/// Paths begin with this, so that a registration can be told from others.
pub const PREFIX: &str = "/belay/hook/";

/// What those who ask must know.
pub enum Door {
    /// Only the user can open the socket.
    Private,
    /// Everybody on this machine can connect: the token.
    Token(String),
}

/// What is to be done after an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// Go on.
    GoOn,
    /// Somebody who may asked the daemon to stop.
    Stop,
}

/// Serves one connection. `enter` is called once it is known who asks, and says whether there is
/// room; strangers wait outside.
pub fn serve<T>(mut peer: Peer, door: &Door, enter: impl FnOnce() -> Option<T>) -> Then {
    let mut place = None;
    let whole = heard(&mut peer, door, || {
        place = enter();
        place.is_some()
    });
    let (response, then) = match whole {
        Ok(request) => match (door, page_asked(&request, &peer)) {
            (Door::Private, Some(response)) => (response, Then::GoOn),
            (Door::Private | Door::Token(_), _) => respond(&request, door),
        },
        Err(response) => {
            if let Some(response) = response {
                turn_away(&mut peer, &response);
            }
            return Then::GoOn;
        }
    };
    // Who no longer listens refuses by itself.
    let _ = put(&mut peer, &response);
    drop(place);
    then
}

/// Reads a request; of a stranger's only the head. What goes wrong is the answer, if one is wanted.
fn heard(
    peer: &mut Peer,
    door: &Door,
    enter: impl FnOnce() -> bool,
) -> Result<Request, Option<Response>> {
    let opening = open(peer, BOUNDS).map_err(answer_to)?;
    if let Some(refusal) = barred(opening.head(), door) {
        return Err(Some(refusal));
    }
    if !enter() {
        return Err(Some(full()));
    }
    opening.finish(peer).map_err(answer_to)
}

fn answer_to(fault: Fault) -> Option<Response> {
    match fault {
        Fault::Gone => None,
        Fault::Malformed => Some(refused(400, "the daemon could not read the request")),
        Fault::TooLong => Some(refused(413, "the request is too long")),
    }
}

/// Writes an answer.
pub fn put(peer: &mut Peer, response: &Response) -> io::Result<()> {
    belay_http::write(peer, response, BOUNDS.patience)
}

/// Refuses somebody who has not finished asking, and hears them out so that the refusal arrives.
pub fn turn_away(peer: &mut Peer, response: &Response) {
    if put(peer, response).is_ok() {
        hear_out(peer);
    }
}

/// Returns the answer when there is no room.
pub fn full() -> Response {
    refused(503, "the daemon has too many open questions")
}

/// Returns the answer to another user of this machine.
pub fn foreign() -> Response {
    refused(403, "the daemon answers only the user who runs it")
}

/// Returns the answer to somebody who may not ask.
fn barred(head: &Request, door: &Door) -> Option<Response> {
    let Door::Token(token) = door else {
        return None;
    };
    if is_of_a_page(head) {
        return Some(refused(403, "the daemon does not answer web pages"));
    }
    let shown = head.header("authorization").unwrap_or_default();
    let known = same(shown.strip_prefix("Bearer ").unwrap_or_default(), token);
    (!known).then(|| {
        let why =
            "the daemon does not know this token; run `belay install claude-code --http` again";
        refused(401, why)
    })
}

/// Tells whether a browser asks for a page: it names where the page is from, or the name under which
/// the page found us, which is not ours.
fn is_of_a_page(head: &Request) -> bool {
    let named = head.header("host").unwrap_or_default();
    let name = named.rsplit_once(':').map_or(named, |(name, _)| name);
    let ours = ["127.0.0.1", "localhost"].contains(&name);
    head.has("origin") || head.has("sec-fetch-site") || (head.has("host") && !ours)
}

/// Answers who asks for the page over the private socket: an address to look at, or the code to change something, which
/// only a person at a terminal gets.
fn page_asked(request: &Request, peer: &Peer) -> Option<Response> {
    let plain = |text: io::Result<String>| match text {
        Ok(text) => said(200, text),
        Err(why) => said(500, why.to_string()),
    };
    match (request.method.as_str(), request.path.as_str()) {
        ("POST", "/belay/wait") => {
            let said_so = page::wait(&String::from_utf8_lossy(&request.body));
            Some(said(200, said_so.to_owned()))
        }
        ("POST", "/belay/ui") => Some(plain(page::address())),
        ("POST", "/belay/ui/code") => {
            let who = super::process_of(peer)
                .ok_or("belay cannot tell who is asking on this system".to_owned());
            Some(match who.and_then(page::is_a_person) {
                Err(why) => said(403, why),
                Ok(()) => match page::code() {
                    Some(code) => plain(code),
                    None => said(409, "the page is not open; run `belay ui`".to_owned()),
                },
            })
        }
        _ => None,
    }
}

fn respond(request: &Request, door: &Door) -> (Response, Then) {
    match (request.method.as_str(), request.path.as_str(), door) {
        ("GET", "/belay", _) => (
            said(200, format!("\"belay {}\"\n", env!("CARGO_PKG_VERSION"))),
            Then::GoOn,
        ),
        ("POST", "/belay/stop", Door::Private) => {
            (said(200, "\"stopping\"\n".to_owned()), Then::Stop)
        }
        ("POST", path, _) => {
            let word = path.strip_prefix(PREFIX);
            match word.and_then(Agent::from_word) {
                Some(agent) => (answer(judged(agent, request)), Then::GoOn),
                None => (
                    refused(404, "the daemon does not know this agent"),
                    Then::GoOn,
                ),
            }
        }
        _ => (refused(404, "the daemon has no such address"), Then::GoOn),
    }
}

/// Compares without telling by its time how much is right.
fn same(shown: &str, token: &str) -> bool {
    let differ = shown
        .bytes()
        .zip(token.bytes())
        .fold(0, |all, (a, b)| all | (a ^ b));
    shown.len() == token.len() && differ == 0
}

/// Judges on a thread of its own; one that panics or is late ends in a refusal here.
fn judged(agent: Agent, request: &Request) -> Answer {
    let terms = Arc::new(Terms::new(Watch::Owner));
    let (tell, told) = mpsc::channel();
    let started = thread::Builder::new().stack_size(STACK).spawn({
        let terms = Arc::clone(&terms);
        let question = Question::of(request);
        move || drop(tell.send(hook::caught(|| question.answered(agent, &terms))))
    });
    if let Err(why) = started {
        return terms.accident(Some(agent), &format!("cannot start: {why}"));
    }
    loop {
        match told.recv_timeout(terms.left().min(hook::TICK)) {
            Ok(Ok(answer)) => return answer,
            Ok(Err(why)) => return terms.accident(Some(agent), &why),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return terms.accident(Some(agent), "belay failed internally");
            }
            Err(mpsc::RecvTimeoutError::Timeout) if terms.left().is_zero() => {
                return terms.accident(Some(agent), "no verdict in time");
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
    }
}

/// What is asked, with what the client told of its environment in headers.
struct Question {
    bytes: Vec<u8>,
    env: Vec<(&'static str, String)>,
}

/// The variables that a client may tell of itself, and the header that carries each.
const TOLD: [(&str, &str); 4] = [
    ("HOME", "belay-env-home"),
    ("CLAUDE_CODE_ENTRYPOINT", "belay-env-claude-code-entrypoint"),
    ("CLAUDE_PROJECT_DIR", "belay-env-claude-project-dir"),
    ("BELAY_HEADLESS", "belay-env-belay-headless"),
];

impl Question {
    fn of(request: &Request) -> Self {
        let told = |(name, header): (&'static str, &str)| {
            let value = request.header(header).filter(|it| !it.is_empty());
            value.map(|it| (name, it.to_owned()))
        };
        Self {
            bytes: request.body.clone(),
            env: TOLD.into_iter().filter_map(told).collect(),
        }
    }

    fn answered(&self, agent: Agent, terms: &Terms) -> Result<Answer, String> {
        let sent = Sent {
            agent,
            bytes: &self.bytes,
            env: &|name| self.variable(name),
            env_home: self.told("HOME"),
            by: Sender::Anyone,
        };
        hook::answered(&sent, terms)
    }

    fn told(&self, name: &str) -> Option<String> {
        let told = self.env.iter().find(|(it, _)| *it == name);
        told.map(|(_, value)| value.clone())
    }

    /// Our own environment is not the client's, and the home folder is fixed.
    fn variable(&self, name: &str) -> Option<String> {
        match name {
            "HOME" => anchor::home(),
            _ => self.told(name),
        }
    }
}

/// A refusal is a 200 as well: clients that heed only what succeeds must read it.
fn answer(answer: Answer) -> Response {
    Response {
        status: 200,
        kind: JSON,
        headers: vec![(EXIT, answer.code.to_string())],
        body: answer.stdout,
    }
}

fn refused(status: u16, why: &str) -> Response {
    Response {
        status,
        ..answer(belay_agents::refuse(None, why))
    }
}

fn said(status: u16, text: String) -> Response {
    Response {
        status,
        kind: JSON,
        headers: vec![(EXIT, "0".to_owned())],
        body: text.into_bytes(),
    }
}
