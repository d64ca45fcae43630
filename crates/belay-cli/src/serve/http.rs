//! As much of HTTP/1.1 as one question and one answer need.
//!
//! INVARIANT: every read has a deadline and a limit; what is not a whole request is an error.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// No head of a request may be longer.
const LONGEST_HEAD: usize = 32 * 1024;
/// No body may be longer; the analysis reads less.
const LONGEST_BODY: usize = 16 * 1024 * 1024;
/// How long a head may take to arrive: until then nobody knows who asks.
const HEAD_PATIENCE: Duration = Duration::from_secs(3);
/// How long a request may take to arrive, and an answer to be taken.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long somebody is heard out who was turned away.
const LINGER: Duration = Duration::from_millis(500);
/// How many bytes of theirs are thrown away.
const MOST_HEARD_OUT: usize = 2 * LONGEST_BODY;

/// Whoever connected.
pub enum Peer {
    /// Over loopback.
    Tcp(TcpStream),
    /// Over the private socket.
    Unix(UnixStream),
}

impl Peer {
    fn wait_at_most(&self, time: Duration) -> io::Result<()> {
        let time = Some(time.max(Duration::from_millis(1)));
        match self {
            Self::Tcp(it) => it.set_read_timeout(time).and(it.set_write_timeout(time)),
            Self::Unix(it) => it.set_read_timeout(time).and(it.set_write_timeout(time)),
        }
    }

    fn says_no_more(&self) -> io::Result<()> {
        match self {
            Self::Tcp(it) => it.shutdown(Shutdown::Write),
            Self::Unix(it) => it.shutdown(Shutdown::Write),
        }
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(it) => it.read(buffer),
            Self::Unix(it) => it.read(buffer),
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Tcp(it) => it.write_all(bytes).and_then(|()| it.flush()),
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
    headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// Tells whether a header comes at all, however often.
    pub fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(it, _)| it == name)
    }

    /// Returns a header by its name in small letters; one that comes twice counts as missing.
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
pub struct Opening {
    request: Request,
    length: usize,
}

/// Reads the head of a request, so that a stranger costs no more than that.
pub fn open(peer: &mut Peer) -> Result<Opening, Fault> {
    let until = Instant::now() + HEAD_PATIENCE;
    let mut bytes = Vec::with_capacity(4096);
    let end = loop {
        if let Some(end) = end_of_head(&bytes) {
            break end;
        }
        if bytes.len() > LONGEST_HEAD {
            return Err(Fault::TooLong);
        }
        more(peer, &mut bytes, until)?;
    };
    let body = bytes.split_off(end);
    let mut request = head(&bytes)?;
    let length = length(&request)?;
    request.body = body;
    Ok(Opening { request, length })
}

impl Opening {
    /// Returns the request without its body.
    pub const fn head(&self) -> &Request {
        &self.request
    }

    /// Reads the body.
    pub fn finish(self, peer: &mut Peer) -> Result<Request, Fault> {
        let Self {
            mut request,
            length,
        } = self;
        let until = Instant::now() + PATIENCE;
        if request.header("expect").is_some() && request.body.len() < length {
            peer.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        while request.body.len() < length {
            more(peer, &mut request.body, until)?;
        }
        // One question per connection: what comes after it is nobody's.
        request.body.truncate(length);
        Ok(request)
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
        headers: lines.map(header).collect::<Result<_, Fault>>()?,
        body: Vec::new(),
    })
}

/// Returns how long the body is; other ways to frame it are not understood.
fn length(request: &Request) -> Result<usize, Fault> {
    if request.has("transfer-encoding") {
        return Err(Fault::Malformed);
    }
    let named = request.has("content-length");
    let length: usize = match request.header("content-length") {
        Some(text) => text.parse().map_err(|_| Fault::Malformed)?,
        None if named => return Err(Fault::Malformed),
        None => 0,
    };
    if length > LONGEST_BODY {
        return Err(Fault::TooLong);
    }
    Ok(length)
}

/// An answer.
pub struct Response {
    /// The status.
    pub status: u16,
    /// The exit code that the hook would end with.
    pub code: i32,
    /// The body.
    pub body: Vec<u8>,
}

/// Writes an answer; the connection ends with it.
pub fn write(peer: &mut Peer, response: &Response) -> io::Result<()> {
    peer.wait_at_most(PATIENCE)?;
    let head = format!(
        "HTTP/1.1 {} belay\r\ncontent-type: application/json\r\ncontent-length: {}\r\nbelay-exit: {}\r\n\
         cache-control: no-store\r\nconnection: close\r\n\r\n",
        response.status,
        response.body.len(),
        response.code
    );
    let mut whole = head.into_bytes();
    whole.extend_from_slice(&response.body);
    peer.write_all(&whole)
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

    fn check(text: impl AsRef<[u8]>) -> Result<Request, Fault> {
        let (mut near, far) = UnixStream::pair().unwrap();
        near.write_all(text.as_ref()).unwrap();
        near.shutdown(std::net::Shutdown::Write).unwrap();
        let mut far = Peer::Unix(far);
        open(&mut far)?.finish(&mut far)
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
        let long = "x".repeat(LONGEST_HEAD + 1);
        assert_eq!(check(&long), Err(Fault::TooLong));
        let body = format!(
            "POST / HTTP/1.1\r\ncontent-length: {}\r\n\r\n",
            LONGEST_BODY + 1
        );
        assert_eq!(check(&body), Err(Fault::TooLong));
    }
}
