//! As much of HTTP/1.1 as one question and one answer need, for the daemon and for the scripted model.
//!
//! INVARIANT: every read has a deadline and a limit; what is not a whole request is an error.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// How much is read of a request, and how long it may take.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// No head may be longer.
    pub head: usize,
    /// No body may be longer.
    pub body: usize,
    /// How long a head may take to arrive: until then nobody knows who asks.
    pub head_patience: Duration,
    /// How long a request may take to arrive, and an answer to be taken.
    pub patience: Duration,
    /// Whether a body may come in chunks.
    pub chunks: Chunks,
}

/// Whether a body may come in chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chunks {
    /// Such a request is not understood.
    Refused,
    /// They are put together.
    Joined,
}

/// How long somebody is heard out who was turned away.
const LINGER: Duration = Duration::from_millis(500);
/// How many bytes of theirs are thrown away.
const MOST_HEARD_OUT: usize = 32 * 1024 * 1024;

/// Whoever connected.
#[derive(Debug)]
pub enum Peer {
    /// Over loopback.
    Tcp(TcpStream),
    /// Over the private socket.
    #[cfg(unix)]
    Unix(UnixStream),
}

impl Peer {
    fn wait_at_most(&self, time: Duration) -> io::Result<()> {
        let time = Some(time.max(Duration::from_millis(1)));
        match self {
            Self::Tcp(it) => it.set_read_timeout(time).and(it.set_write_timeout(time)),
            #[cfg(unix)]
            Self::Unix(it) => it.set_read_timeout(time).and(it.set_write_timeout(time)),
        }
    }

    fn says_no_more(&self) -> io::Result<()> {
        match self {
            Self::Tcp(it) => it.shutdown(Shutdown::Write),
            #[cfg(unix)]
            Self::Unix(it) => it.shutdown(Shutdown::Write),
        }
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(it) => it.read(buffer),
            #[cfg(unix)]
            Self::Unix(it) => it.read(buffer),
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Tcp(it) => it.write_all(bytes).and_then(|()| it.flush()),
            #[cfg(unix)]
            Self::Unix(it) => it.write_all(bytes).and_then(|()| it.flush()),
        }
    }
}

/// A whole request.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// `GET` or `POST`.
    pub method: String,
    /// The path, without its query.
    pub path: String,
    /// The path with its query.
    pub target: String,
    headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// Tells whether a header comes at all, however often.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(it, _)| it == name)
    }

    /// Returns a header by its name in small letters; one that comes twice counts as missing.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(it, _)| it == name);
        match (found.next(), found.next()) {
            (Some((_, value)), None) => Some(value),
            (Some(_) | None, _) => None,
        }
    }
}

/// Why there is no request.
#[derive(Debug, PartialEq, Eq)]
pub enum Fault {
    /// The peer went away, or took too long.
    Gone,
    /// It is no request we understand.
    Malformed,
    /// It is too long.
    TooLong,
}

impl From<io::Error> for Fault {
    fn from(_: io::Error) -> Self {
        Self::Gone
    }
}

/// A request whose body has not been read yet.
#[derive(Debug)]
pub struct Opening {
    request: Request,
    framing: Framing,
    bounds: Bounds,
}

/// How the end of a body is known.
#[derive(Clone, Copy, Debug)]
enum Framing {
    Length(usize),
    Chunks,
}

/// Reads the head of a request, so that a stranger costs no more than that.
///
/// # Errors
/// Returns why there is no head.
pub fn open(peer: &mut Peer, bounds: Bounds) -> Result<Opening, Fault> {
    let until = Instant::now() + bounds.head_patience;
    let mut bytes = Vec::with_capacity(4096);
    let end = loop {
        if let Some(end) = end_of_head(&bytes) {
            break end;
        }
        if bytes.len() > bounds.head {
            return Err(Fault::TooLong);
        }
        more(peer, &mut bytes, until)?;
    };
    let body = bytes.split_off(end);
    let mut request = head(&bytes)?;
    let framing = framing(&request, bounds)?;
    request.body = body;
    Ok(Opening {
        request,
        framing,
        bounds,
    })
}

impl Opening {
    /// Returns the request without its body.
    #[must_use]
    pub const fn head(&self) -> &Request {
        &self.request
    }

    /// Reads the body.
    ///
    /// # Errors
    /// Returns why it did not come whole.
    pub fn finish(self, peer: &mut Peer) -> Result<Request, Fault> {
        let Self {
            mut request,
            framing,
            bounds,
        } = self;
        let until = Instant::now() + bounds.patience;
        let mut waits = request.header("expect").is_some();
        loop {
            let whole = match framing {
                // One question per connection: what comes after it is nobody's.
                Framing::Length(length) => request.body.get(..length).map(<[u8]>::to_vec),
                Framing::Chunks => joined(&request.body)?,
            };
            if let Some(whole) = whole {
                request.body = whole;
                return Ok(request);
            }
            if request.body.len() > bounds.body {
                return Err(Fault::TooLong);
            }
            if std::mem::take(&mut waits) {
                peer.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
            }
            more(peer, &mut request.body, until)?;
        }
    }
}

/// Puts the chunks of a body together; `None` when some are still to come.
fn joined(bytes: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
    let mut body = Vec::new();
    let mut rest = bytes;
    loop {
        let Some(end) = rest.windows(2).position(|it| it == b"\r\n") else {
            return Ok(None);
        };
        let (line, after) = rest.split_at(end);
        let size = std::str::from_utf8(line).map_err(|_| Fault::Malformed)?;
        let size = size.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(size, 16).map_err(|_| Fault::Malformed)?;
        if size == 0 {
            return Ok(Some(body));
        }
        let Some(chunk) = after.get(2..size.saturating_add(2)) else {
            return Ok(None);
        };
        body.extend_from_slice(chunk);
        let Some(next) = after.get(size.saturating_add(4)..) else {
            return Ok(None);
        };
        rest = next;
    }
}

/// Reads what is there; nothing more before the request is whole is an error.
fn more(peer: &mut Peer, bytes: &mut Vec<u8>, until: Instant) -> Result<(), Fault> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(Fault::Gone);
    }
    peer.wait_at_most(left)?;
    let mut buffer = [0; 16 * 1024];
    match peer.read(&mut buffer) {
        Ok(0) => Err(Fault::Gone),
        Ok(count) => {
            bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
            Ok(())
        }
        Err(why) if why.kind() == io::ErrorKind::Interrupted => Ok(()),
        Err(why) => Err(why.into()),
    }
}

fn end_of_head(bytes: &[u8]) -> Option<usize> {
    let at = bytes.windows(4).position(|it| it == b"\r\n\r\n")?;
    Some(at + 4)
}

fn head(bytes: &[u8]) -> Result<Request, Fault> {
    // A header is Latin-1: that is how clients write a home folder with an umlaut.
    let text: String = bytes.iter().copied().map(char::from).collect();
    let mut lines = text.trim_ascii_end().split("\r\n");
    let first = lines.next().unwrap_or_default();
    let words: Vec<&str> = first.split(' ').collect();
    let [method, target, "HTTP/1.1" | "HTTP/1.0"] = words.as_slice() else {
        return Err(Fault::Malformed);
    };
    let path = target.split('?').next().unwrap_or_default();
    let header = |line: &str| {
        let (name, value) = line.split_once(':').ok_or(Fault::Malformed)?;
        Ok((
            name.to_ascii_lowercase(),
            value.trim_matches([' ', '\t']).to_owned(),
        ))
    };
    Ok(Request {
        method: (*method).to_owned(),
        path: path.to_owned(),
        target: (*target).to_owned(),
        headers: lines.map(header).collect::<Result<_, Fault>>()?,
        body: Vec::new(),
    })
}

/// Returns how the end of the body is known; other ways to frame it are not understood.
fn framing(request: &Request, bounds: Bounds) -> Result<Framing, Fault> {
    if request.has("transfer-encoding") {
        let chunked = request.header("transfer-encoding") == Some("chunked");
        let understood = chunked && bounds.chunks == Chunks::Joined;
        return understood
            .then_some(Framing::Chunks)
            .ok_or(Fault::Malformed);
    }
    let named = request.has("content-length");
    let length: usize = match request.header("content-length") {
        Some(text) => text.parse().map_err(|_| Fault::Malformed)?,
        None if named => return Err(Fault::Malformed),
        None => 0,
    };
    if length > bounds.body {
        return Err(Fault::TooLong);
    }
    Ok(Framing::Length(length))
}

/// An answer.
#[derive(Debug)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// What the body is.
    pub kind: &'static str,
    /// What else is said before the body.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// Writes an answer; the connection ends with it.
///
/// # Errors
/// Returns why it could not be written in time.
pub fn write(peer: &mut Peer, response: &Response, patience: Duration) -> io::Result<()> {
    peer.wait_at_most(patience)?;
    let mut head = format!(
        "HTTP/1.1 {} belay\r\ncontent-type: {}\r\ncontent-length: {}\r\n",
        response.status,
        response.kind,
        response.body.len()
    );
    for (name, value) in &response.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("cache-control: no-store\r\nconnection: close\r\n\r\n");
    let mut whole = head.into_bytes();
    whole.extend_from_slice(&response.body);
    peer.write_all(&whole)
}

/// Begins an answer whose end nobody knows yet; what its body is, comes by [`go_on`].
///
/// # Errors
/// Returns why it could not be written in time.
pub fn begin(peer: &mut Peer, response: &Response, patience: Duration) -> io::Result<()> {
    let mut head = format!(
        "HTTP/1.1 {} belay\r\ncontent-type: {}\r\n",
        response.status, response.kind
    );
    for (name, value) in &response.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("cache-control: no-store\r\nconnection: close\r\n\r\n");
    let mut whole = head.into_bytes();
    whole.extend_from_slice(&response.body);
    go_on(peer, &whole, patience)
}

/// Writes more of an answer that was begun.
///
/// # Errors
/// Returns why it could not be written in time: the other end has gone, most likely.
pub fn go_on(peer: &mut Peer, bytes: &[u8], patience: Duration) -> io::Result<()> {
    peer.wait_at_most(patience)?;
    peer.write_all(bytes)
}

/// Hears the rest of what is said, for a short while: a connection that is closed before is reset,
/// and the answer may be lost with it.
pub fn hear_out(peer: &mut Peer) {
    let until = Instant::now() + LINGER;
    let mut heard = 0;
    if peer.says_no_more().is_err() {
        return;
    }
    let mut bytes = Vec::new();
    while heard < MOST_HEARD_OUT && more(peer, &mut bytes, until).is_ok() {
        heard += bytes.len();
        bytes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRICT: Bounds = Bounds {
        head: 1024,
        body: 4096,
        head_patience: Duration::from_secs(3),
        patience: Duration::from_secs(3),
        chunks: Chunks::Refused,
    };

    fn check(text: impl AsRef<[u8]>) -> Result<Request, Fault> {
        read(text, STRICT)
    }

    fn read(text: impl AsRef<[u8]>, bounds: Bounds) -> Result<Request, Fault> {
        let (mut near, far) = UnixStream::pair().unwrap();
        near.write_all(text.as_ref()).unwrap();
        near.shutdown(std::net::Shutdown::Write).unwrap();
        let mut far = Peer::Unix(far);
        open(&mut far, bounds)?.finish(&mut far)
    }

    #[test]
    fn a_request_is_read_whole() {
        let request =
            check("POST /a?b=c HTTP/1.1\r\nX-Y: z\r\nContent-Length: 2\r\n\r\n{}more").unwrap();
        assert_eq!(
            (request.method.as_str(), request.path.as_str()),
            ("POST", "/a")
        );
        assert_eq!(
            (request.header("x-y"), request.body.as_slice()),
            (Some("z"), &b"{}"[..])
        );
    }

    #[test]
    fn a_header_is_latin() {
        let request = check(b"POST / HTTP/1.1\r\nbelay-env-home: /home/j\xfcrgen\r\n\r\n").unwrap();
        assert_eq!(request.header("belay-env-home"), Some("/home/jürgen"));
    }

    #[test]
    fn half_a_request_is_none() {
        for half in [
            "",
            "POST",
            "POST / HTTP/1.1\r\n",
            "POST / HTTP/1.1\r\ncontent-length: 9\r\n\r\n{}",
        ] {
            assert_eq!(check(half), Err(Fault::Gone), "{half}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for odd in [
            "POST /\r\n\r\n",
            "POST / HTTP/2\r\n\r\n",
            "POST / HTTP/1.1\r\nno colon\r\n\r\n",
            "POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
            "POST / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}",
            "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        ] {
            assert_eq!(check(odd), Err(Fault::Malformed), "{odd}");
        }
    }

    #[test]
    fn nothing_is_too_long() {
        let long = "x".repeat(STRICT.head + 1);
        assert_eq!(check(&long), Err(Fault::TooLong));
        let body = format!(
            "POST / HTTP/1.1\r\ncontent-length: {}\r\n\r\n",
            STRICT.body + 1
        );
        assert_eq!(check(&body), Err(Fault::TooLong));
    }

    #[test]
    fn chunks_are_joined_where_they_may_come() {
        let lax = Bounds {
            chunks: Chunks::Joined,
            ..STRICT
        };
        let head = "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n";
        let body = |text: &str| read(format!("{head}{text}"), lax).map(|it| it.body);
        assert_eq!(
            body("2\r\n{\"\r\n3;x\r\na\"}\r\n0\r\n\r\n"),
            Ok(b"{\"a\"}".to_vec())
        );
        assert_eq!(body("2\r\n{\"\r\n"), Err(Fault::Gone));
        assert_eq!(body("x\r\n"), Err(Fault::Malformed));
    }
}
