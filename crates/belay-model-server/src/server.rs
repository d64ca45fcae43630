use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Value, json};

use belay_http::{Bounds, Chunks, Peer, Request};

use crate::response::Response;
use crate::{Fault, Script, anthropic, chat, gemini, responses};

/// How long a silent peer keeps a thread.
const PATIENCE: Duration = Duration::from_secs(30);

/// What clients send: whole conversations, and some of them in chunks.
const BOUNDS: Bounds = Bounds {
    head: 256 * 1024,
    body: 64 * 1024 * 1024,
    head_patience: PATIENCE,
    patience: PATIENCE,
    chunks: Chunks::Joined,
};

/// A request the server got.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    /// `GET` or `POST`.
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// The body, `null` when it was no JSON.
    pub body: Value,
}

/// A scripted model that listens on loopback until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    heard: Arc<Mutex<Vec<Heard>>>,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server on a free port.
    ///
    /// # Errors
    /// Returns why no port could be had.
    pub fn start(script: Script) -> io::Result<Self> {
        Self::start_on(0, script)
    }

    /// Starts a server on this port; 0 takes a free one.
    ///
    /// # Errors
    /// Returns why the port could not be had.
    pub fn start_on(port: u16, script: Script) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let heard = Arc::new(Mutex::new(Vec::new()));
        let ends = Arc::new(AtomicBool::new(false));
        let thread = thread::spawn({
            let room = Room {
                script: Arc::new(script),
                heard: Arc::clone(&heard),
            };
            let ends = Arc::clone(&ends);
            move || listen(&listener, &room, &ends)
        });
        Ok(Self {
            address,
            heard,
            ends,
            thread: Some(thread),
        })
    }

    /// Returns the base URL, without a slash at its end.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the port.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.address.port()
    }

    /// Returns the requests so far.
    #[must_use]
    pub fn heard(&self) -> Vec<Heard> {
        lock(&self.heard).clone()
    }

    /// Waits until the server ends, which it does not by itself.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            // The listener waits for a peer: be one.
            drop(TcpStream::connect_timeout(&self.address, PATIENCE));
            drop(thread.join());
        }
    }
}

#[derive(Clone)]
struct Room {
    script: Arc<Script>,
    heard: Arc<Mutex<Vec<Heard>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listen(listener: &TcpListener, room: &Room, ends: &AtomicBool) {
    for peer in listener.incoming() {
        if ends.load(Ordering::SeqCst) {
            return;
        }
        let Ok(peer) = peer else { continue };
        let room = room.clone();
        thread::spawn(move || drop(serve(peer, &room)));
    }
}

fn serve(peer: TcpStream, room: &Room) -> io::Result<()> {
    let hangup = peer.try_clone()?;
    let mut peer = Peer::Tcp(peer);
    let whole = belay_http::open(&mut peer, BOUNDS).and_then(|it| it.finish(&mut peer));
    let Ok(request) = whole else {
        return Ok(());
    };
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    lock(&room.heard).push(Heard {
        method: request.method.clone(),
        path: request.target.clone(),
        body: body.clone(),
    });
    thread::sleep(room.script.delay);
    let reply = match room.script.fault {
        None => respond(&room.script, &request, &body),
        Some(Fault::Status(status)) => Response::Plain(status, "scripted failure"),
        Some(Fault::Garbage) => Response::Plain(200, "not the JSON you want"),
        Some(Fault::Hangup) => return hangup.shutdown(Shutdown::Both),
    };
    belay_http::write(&mut peer, &reply.into(), PATIENCE)
}

fn respond(script: &Script, request: &Request, body: &Value) -> Response {
    let path = &request.path;
    if request.method != "POST" {
        return Response::Json(json!({
            "object": "list", "models": [],
            "data": [{"id": "scripted-model", "object": "model"}],
        }));
    }
    if path.ends_with("/count_tokens") {
        Response::Json(json!({"input_tokens": 10}))
    } else if path.ends_with("/messages") {
        anthropic::respond(script, body)
    } else if path.ends_with("/responses") {
        responses::respond(script, body)
    } else if path.ends_with("/chat/completions") {
        chat::respond(script, body)
    } else if path.ends_with(":countTokens") {
        Response::Json(json!({"totalTokens": 10}))
    } else if path.ends_with(":generateContent") {
        gemini::respond(script, body, gemini::Form::Whole)
    } else if path.ends_with(":streamGenerateContent") {
        gemini::respond(script, body, gemini::Form::Stream)
    } else {
        Response::Json(json!({}))
    }
}

/// Returns a name nobody else has.
pub(crate) fn fresh(prefix: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{prefix}_{:08x}{number:08x}", std::process::id())
}

/// Tells whether the request wants a stream.
pub(crate) fn streams(body: &Value) -> bool {
    body.get("stream") == Some(&Value::Bool(true))
}

/// Returns the items of a member that is a list.
pub(crate) fn items<'a>(body: &'a Value, name: &str) -> &'a [Value] {
    body.get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// Returns the text of a member.
pub(crate) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}
