//! The page that the daemon serves: to look, to settle a question by a rule, to end a grant.
//!
//! INVARIANT: it listens on 127.0.0.1 only, from when a person first asks for it; every request passes [`door`]. Looking and
//! changing are different keys. Connections of the page take no place of hooks that ask.

mod door;
pub mod edit;
mod fleet;
mod human;
mod keys;
mod pending;
mod show;
mod stream;

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use belay_http::{Bounds, Chunks, Peer, Request, Response};
use belay_page::{asset, enter_page, fault_page};
use belay_places::PAGE_PORTS;

use self::door::{COOKIE, Pass, pass};
pub use self::human::is_a_person;
use self::keys::Keys;
pub use self::pending::wait;
use crate::out::Failure;

/// So many connections the page has at most, open streams among them.
const MOST_OPEN: usize = 48;

const BOUNDS: Bounds = Bounds {
    head: 16 * 1024,
    body: 1024 * 1024,
    head_patience: Duration::from_secs(3),
    patience: Duration::from_secs(10),
    chunks: Chunks::Refused,
};

const HTML: &str = "text/html; charset=utf-8";

/// What the browser may do with our page: nothing from elsewhere, and no script that is not ours.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// The page, once it is open.
pub struct Page {
    keys: Keys,
    address: String,
    open: AtomicUsize,
}

static PAGE: OnceLock<Arc<Page>> = OnceLock::new();

/// Opens the page, unless it is, and returns an address that lets one browser in.
pub fn address() -> io::Result<String> {
    let page = match PAGE.get() {
        Some(page) => Arc::clone(page),
        None => listen()?,
    };
    Ok(format!("http://{}/#{}", page.address, page.keys.token()?))
}

/// Returns the code that lets the page change something.
pub fn code() -> Option<io::Result<String>> {
    PAGE.get().map(|it| it.keys.code())
}

fn listen() -> io::Result<Arc<Page>> {
    // Only these ports: what an agent does there is the gate's own.
    let free = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok();
    let listener = PAGE_PORTS.into_iter().find_map(free);
    let listener =
        listener.ok_or_else(|| io::Error::other("every port from 47420 to 47451 is in use"))?;
    let page = Arc::new(Page {
        keys: Keys::default(),
        address: listener.local_addr()?.to_string(),
        open: AtomicUsize::new(0),
    });
    let page = Arc::clone(PAGE.get_or_init(|| page));
    let served = Arc::clone(&page);
    thread::Builder::new().spawn(move || {
        loop {
            match listener.accept() {
                Ok((stream, _)) => receive(&served, Peer::Tcp(stream)),
                Err(_) => thread::sleep(Duration::from_millis(20)),
            }
        }
    })?;
    Ok(page)
}

fn receive(page: &Arc<Page>, mut peer: Peer) {
    if page.open.fetch_add(1, Ordering::SeqCst) >= MOST_OPEN {
        page.open.fetch_sub(1, Ordering::SeqCst);
        let _ = belay_http::write(
            &mut peer,
            &said(503, "the page has too many visitors"),
            BOUNDS.patience,
        );
        return;
    }
    let own = Arc::clone(page);
    let started = thread::Builder::new().spawn(move || {
        // A view that fails takes nobody with it.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| own.serve(peer)));
        own.open.fetch_sub(1, Ordering::SeqCst);
    });
    if started.is_err() {
        page.open.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Page {
    fn serve(&self, mut peer: Peer) {
        let opening = match belay_http::open(&mut peer, BOUNDS) {
            Ok(opening) => opening,
            Err(_) => return,
        };
        let pass = pass(opening.head(), &self.address, &self.keys);
        if pass == Pass::Refused {
            let refusal = said(403, "this address does not open the page");
            if belay_http::write(&mut peer, &refusal, BOUNDS.patience).is_ok() {
                belay_http::hear_out(&mut peer);
            }
            return;
        }
        let Ok(request) = opening.finish(&mut peer) else {
            return;
        };
        let follows = request.method == "GET" && request.path == "/events";
        if follows && pass >= Pass::Reader {
            return stream::stream(&mut peer, &request);
        }
        let response = self.answer(&request, pass).unwrap_or_else(|why| {
            let text = why.text();
            match request.method.as_str() {
                "GET" => html(500, fault_page(&text)),
                _ => said(500, &text),
            }
        });
        let _ = belay_http::write(&mut peer, &guarded(response), BOUNDS.patience);
    }

    fn answer(&self, request: &Request, pass: Pass) -> Result<Response, Failure> {
        let path = request.path.as_str();
        if let ("GET", Some(file)) = (request.method.as_str(), asset(path)) {
            return Ok(Response {
                status: 200,
                kind: file.kind,
                headers: Vec::new(),
                body: file.text.as_bytes().to_vec(),
            });
        }
        match (request.method.as_str(), path, pass) {
            ("POST", "/enter", _) => self.enter(request),
            ("GET", "/", Pass::Stranger) => Ok(html(200, enter_page())),
            ("GET", _, Pass::Stranger) => Ok(html(401, enter_page())),
            (_, _, Pass::Stranger | Pass::Refused) => {
                Ok(said(401, "open it with `belay ui` first"))
            }
            ("GET", _, Pass::Reader | Pass::Owner) => show::view(request),
            ("POST", "/unlock", _) => self.unlock(request),
            ("POST", "/rules/try", _) => edit::tried(request),
            ("POST", _, Pass::Reader) => {
                Ok(said(403, "a change needs the code of `belay ui --code`"))
            }
            ("POST", "/rules/save", Pass::Owner) => edit::save(request),
            ("POST", "/answer", Pass::Owner) => pending::answer(request),
            ("POST", "/grants/end", Pass::Owner) => edit::end_grant(request),
            _ => Ok(said(404, "there is no such page")),
        }
    }

    fn enter(&self, request: &Request) -> Result<Response, Failure> {
        let body = String::from_utf8_lossy(&request.body);
        let shown = body.trim();
        let shown = shown.strip_prefix("token=").unwrap_or(shown);
        let Some(cookie) = self.keys.enter(shown.trim())? else {
            return Ok(html(401, enter_page()));
        };
        let cookie = format!("{COOKIE}={cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=43200");
        Ok(Response {
            status: 303,
            kind: HTML,
            headers: vec![("set-cookie", cookie), ("location", "/".to_owned())],
            body: Vec::new(),
        })
    }

    fn unlock(&self, request: &Request) -> Result<Response, Failure> {
        let typed = String::from_utf8_lossy(&request.body);
        let typed: String = typed.chars().filter(char::is_ascii_digit).collect();
        Ok(match self.keys.unlock(&typed)? {
            Some(bearer) => Response {
                kind: "text/plain",
                ..said(200, &bearer)
            },
            None => said(403, "wrong code; after three wrong ones it expires"),
        })
    }
}

/// Adds what every answer says to the browser.
fn guarded(mut response: Response) -> Response {
    let guards = [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ];
    let guards = guards.map(|(name, value)| (name, value.to_owned()));
    response.headers.extend(guards);
    response
}

fn html(status: u16, page: String) -> Response {
    Response {
        status,
        kind: HTML,
        headers: Vec::new(),
        body: page.into_bytes(),
    }
}

fn said(status: u16, text: &str) -> Response {
    Response {
        status,
        kind: "text/plain; charset=utf-8",
        headers: Vec::new(),
        body: text.as_bytes().to_vec(),
    }
}

/// Returns a part of the query, decoded.
fn asked(request: &Request, name: &str) -> Option<String> {
    let (_, query) = request.target.split_once('?')?;
    let mut parts = query.split('&').filter_map(|it| it.split_once('='));
    parts
        .find(|(it, _)| *it == name)
        .map(|(_, value)| decoded(value))
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let pair = [rest.next().unwrap_or(b'0'), rest.next().unwrap_or(b'0')];
                let pair = std::str::from_utf8(&pair).unwrap_or("3f");
                u8::from_str_radix(pair, 16).unwrap_or(b'?')
            }
            byte => byte,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
