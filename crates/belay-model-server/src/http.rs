use std::io::{self, BufRead, Read, Write};

use serde_json::Value;

/// No head of a request may be longer.
const LONGEST_HEAD: u64 = 256 * 1024;
/// No body of a request may be longer.
const LONGEST_BODY: u64 = 64 * 1024 * 1024;

/// A request, as far as we need it.
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) body: Vec<u8>,
}

#[derive(Default)]
struct Framing {
    length: u64,
    chunked: bool,
    expects: bool,
}

/// Reads one request; `None` when the peer closed.
pub(crate) fn read(
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> io::Result<Option<Request>> {
    let mut head = input.by_ref().take(LONGEST_HEAD);
    let mut line = String::new();
    if head.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_ascii_whitespace();
    let mut request = Request {
        method: words.next().unwrap_or_default().to_owned(),
        path: words.next().unwrap_or_default().to_owned(),
        body: Vec::new(),
    };
    let framing = headers(&mut head)?;
    if framing.expects {
        output.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    if framing.chunked {
        request.body = chunks(input)?;
    } else {
        let length = framing.length.min(LONGEST_BODY);
        input.take(length).read_to_end(&mut request.body)?;
    }
    Ok(Some(request))
}

fn headers(head: &mut impl BufRead) -> io::Result<Framing> {
    let mut framing = Framing::default();
    let mut line = String::new();
    loop {
        line.clear();
        if head.read_line(&mut line)? == 0 || line.trim_end().is_empty() {
            return Ok(framing);
        }
        let (name, value) = line.split_once(':').unwrap_or_default();
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => framing.length = value.parse().unwrap_or_default(),
            "transfer-encoding" => framing.chunked = value.eq_ignore_ascii_case("chunked"),
            "expect" => framing.expects = true,
            _ => {}
        }
    }
}

fn chunks(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    let mut line = String::new();
    loop {
        line.clear();
        input.read_line(&mut line)?;
        let size = line.split(';').next().unwrap_or_default().trim();
        let size = u64::from_str_radix(size, 16).unwrap_or_default();
        input.take(size.min(LONGEST_BODY)).read_to_end(&mut body)?;
        line.clear();
        input.read_line(&mut line)?;
        if size == 0 || body.len() as u64 > LONGEST_BODY {
            return Ok(body);
        }
    }
}

/// A reply, in one of its forms.
#[derive(Debug)]
pub(crate) enum Response {
    /// One JSON value.
    Json(Value),
    /// Server-sent events: an optional name, and the data.
    Events(Vec<(Option<&'static str>, String)>),
    /// A status with a text.
    Plain(u16, &'static str),
}

pub(crate) fn write(output: &mut impl Write, response: &Response) -> io::Result<()> {
    let (status, kind, body) = match response {
        Response::Json(value) => (200, "application/json", value.to_string()),
        Response::Events(events) => (200, "text/event-stream", stream(events)),
        Response::Plain(status, text) => (*status, "text/plain", (*text).to_owned()),
    };
    let head = format!(
        "HTTP/1.1 {status} Scripted\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\
         cache-control: no-cache\r\nconnection: close\r\n\r\n",
        body.len()
    );
    output.write_all(head.as_bytes())?;
    output.write_all(body.as_bytes())?;
    output.flush()
}

fn stream(events: &[(Option<&'static str>, String)]) -> String {
    let mut text = String::new();
    for (name, data) in events {
        if let Some(name) = name {
            text.push_str(&format!("event: {name}\n"));
        }
        text.push_str(&format!("data: {data}\n\n"));
    }
    text
}
