//! What is asked over HTTP, and what is answered.
//!
//! INVARIANT: whoever has no token gets a status and nothing else, and nothing of theirs is read or stored.

use std::io;
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use belay_http::{Bounds, Chunks, Fault as Unread, Peer, Request, Response, hear_out, open, write};
use belay_ship::gzip;
use belay_ship::otlp::{self, LOGS, METRICS, read_logs, read_logs_packed};

use crate::looks::Look;
use crate::rows::Batch;
use crate::served::Served;
use crate::store::Fault;
use crate::tokens::{Bearer, Tokens};
use crate::writer::Writers;

const BOUNDS: Bounds = Bounds {
    head: 16 * 1024,
    body: 8 * 1024 * 1024,
    head_patience: Duration::from_secs(5),
    patience: Duration::from_secs(30),
    chunks: Chunks::Joined,
};

/// No body is longer once unpacked.
const MOST_UNPACKED: usize = 64 * 1024 * 1024;
/// So many are served at once; more are told to come back.
const MOST_OPEN: usize = 512;
/// How long those who are told to come back stay away, in seconds.
const COME_BACK: &str = "2";

/// The form in which collectors pass on.
const PROTOBUF: &str = "application/x-protobuf";

/// What every question needs.
pub struct Server {
    /// Who may come in.
    pub tokens: Tokens,
    /// The bundle, where one is served.
    pub served: Option<Served>,
    /// Who writes.
    pub writers: Writers,
    /// The database, for those who look: one after the other, so that they leave connections to who writes.
    pub database: Mutex<String>,
}

impl Server {
    /// Answers whoever connects, for as long as the process lives.
    pub fn run(self, listener: &TcpListener) {
        let server = Arc::new(self);
        let open = Arc::new(AtomicUsize::new(0));
        loop {
            let Ok((stream, _)) = listener.accept() else {
                // No more files, most likely: those that are open will end.
                thread::sleep(Duration::from_millis(20));
                continue;
            };
            let (server, open) = (Arc::clone(&server), Arc::clone(&open));
            let place = open.fetch_add(1, Ordering::SeqCst);
            let serve = move || {
                let peer = Peer::Tcp(stream);
                let _ = if place < MOST_OPEN {
                    server.serve(peer)
                } else {
                    turn_away(peer, &busy())
                };
                open.fetch_sub(1, Ordering::SeqCst);
            };
            // Where no thread starts, the connection ends: the sender comes back.
            let _ = thread::Builder::new().stack_size(512 * 1024).spawn(serve);
        }
    }

    fn serve(&self, mut peer: Peer) -> io::Result<()> {
        let opening = match open(&mut peer, BOUNDS) {
            Ok(opening) => opening,
            Err(why) => return turn_away(peer, &unread(&why)),
        };
        let head = opening.head();
        if head.method == "GET" && head.path == "/health" {
            return write(&mut peer, &json(200, "{}"), BOUNDS.patience);
        }
        let Some(bearer) = self.tokens.bearer(head.header("authorization")) else {
            return turn_away(peer, &json(401, "{}"));
        };
        match opening.finish(&mut peer) {
            Ok(request) => write(&mut peer, &self.answer(&request, &bearer), BOUNDS.patience),
            Err(why) => turn_away(peer, &unread(&why)),
        }
    }

    fn answer(&self, request: &Request, bearer: &Bearer) -> Response {
        let team = match bearer {
            Bearer::Reader => return self.look(request),
            Bearer::Machine { team } => team.as_deref(),
        };
        match (request.method.as_str(), request.path.as_str()) {
            ("POST", LOGS) => self.take(request, team),
            // The trail has it all; a shipper that sends counts too shall not take that for a failure.
            ("POST", METRICS) => json(200, "{}"),
            ("GET", path) if Look::of(path).is_some() => json(403, "{}"),
            ("GET", path) => self.bundle(path, request.header("if-none-match")),
            _ => json(404, "{}"),
        }
    }

    /// Shows the fleet to who may look, and nothing else.
    fn look(&self, request: &Request) -> Response {
        match (request.method.as_str(), Look::of(&request.path)) {
            ("GET", Some(look)) => {
                let database = self.database.lock();
                let database = database.unwrap_or_else(PoisonError::into_inner);
                look.at(&database)
                    .map_or_else(|_| busy(), |it| json(200, &it))
            }
            _ => json(403, "{}"),
        }
    }

    fn take(&self, request: &Request, team: Option<&str>) -> Response {
        let unpacked;
        let body = match request.header("content-encoding") {
            None | Some("identity") => request.body.as_slice(),
            Some("gzip") => match gzip::unpack(&request.body, MOST_UNPACKED) {
                Ok(bytes) => {
                    unpacked = bytes;
                    unpacked.as_slice()
                }
                Err(gzip::Fault::TooLong) => return json(413, "{}"),
                Err(gzip::Fault::Malformed) => return json(400, "{}"),
            },
            Some(_) => return json(415, "{}"),
        };
        let kind = request.header("content-type").unwrap_or_default();
        let packed = kind.starts_with(PROTOBUF);
        let records = match packed {
            true => read_logs_packed(body),
            false => read_logs(body),
        };
        let Some(records) = records else {
            return json(400, "{}");
        };
        let sender = records
            .first()
            .and_then(|it| it.text("host.id"))
            .unwrap_or_default();
        let sender = sender.to_owned();
        let batch = Batch::of(records, team);
        let rejected = batch.rejected;
        match self.writers.write(batch, &sender) {
            Ok(()) if packed => Response {
                kind: PROTOBUF,
                body: otlp::taken_packed(rejected),
                ..json(200, "")
            },
            Ok(()) => json(200, &otlp::taken_json(rejected)),
            Err(Fault::Rows(_)) => json(400, "{}"),
            Err(Fault::Away(_)) => busy(),
        }
    }

    fn bundle(&self, path: &str, known: Option<&str>) -> Response {
        let file = self.served.as_ref().map(|it| it.file(path));
        let Some(Ok(Some(file))) = file else {
            return json(404, "{}");
        };
        let headers = vec![("etag", file.etag.clone())];
        if known == Some(file.etag.as_str()) {
            return Response {
                status: 304,
                kind: "application/octet-stream",
                headers,
                body: Vec::new(),
            };
        }
        Response {
            status: 200,
            kind: "application/octet-stream",
            headers,
            body: file.bytes,
        }
    }
}

fn json(status: u16, body: &str) -> Response {
    Response {
        status,
        kind: "application/json",
        headers: Vec::new(),
        body: body.as_bytes().to_vec(),
    }
}

fn busy() -> Response {
    let mut response = json(503, "{}");
    response.headers.push(("retry-after", COME_BACK.to_owned()));
    response
}

fn unread(why: &Unread) -> Response {
    match why {
        Unread::TooLong => json(413, "{}"),
        Unread::Gone => json(408, "{}"),
        Unread::Malformed => json(400, "{}"),
    }
}

fn turn_away(mut peer: Peer, response: &Response) -> io::Result<()> {
    write(&mut peer, response, BOUNDS.patience)?;
    hear_out(&mut peer);
    Ok(())
}

/// Listens.
///
/// # Errors
/// Returns why not.
pub fn listen(address: &str) -> io::Result<TcpListener> {
    TcpListener::bind(address)
}
