//! One plain exchange over HTTP for whoever else must ask a server: the network lives in this room.

use std::time::Duration;

use ureq::http::Request;

use crate::Fault;
use crate::clock::Deadline;
use crate::plan::{check_address, is_local};
use crate::transport::{Stage, agent, fault, retry_after};

/// What is asked where, and how much patience there is.
#[derive(Clone, Copy, Debug)]
pub struct Fetch<'a> {
    /// `GET` or `POST`.
    pub method: &'a str,
    /// Where: https, or this machine.
    pub url: &'a str,
    /// Name and value.
    pub headers: &'a [(String, String)],
    /// The body, where there is one.
    pub body: Option<&'a [u8]>,
    /// How long all of it may take.
    pub patience: Duration,
    /// The most bytes of the reply.
    pub most_bytes: u64,
}

/// What came back, whatever its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The status.
    pub status: u16,
    /// The `ETag` header.
    pub etag: Option<String>,
    /// How long the server asks us to wait.
    pub retry_after: Option<Duration>,
    /// The body, whole.
    pub bytes: Vec<u8>,
}

/// Asks a server once and reads the whole reply. Redirects are not followed.
///
/// # Errors
/// Returns why there is no reply, or not a whole one.
pub fn fetch(fetch: &Fetch<'_>) -> Result<Fetched, Fault> {
    check_address(fetch.url)?;
    let deadline = Deadline::after(fetch.patience);
    let mut request = Request::builder().method(fetch.method).uri(fetch.url);
    for (name, value) in fetch.headers {
        request = request.header(name, value);
    }
    let body = fetch.body.unwrap_or_default();
    let request = request
        .body(body)
        .map_err(|why| Fault::Broken(why.to_string()))?;
    let reply = agent(is_local(fetch.url), deadline.left()).run(request);
    let mut reply = reply.map_err(|why| fault(why, deadline, Stage::Sending))?;
    let etag = reply.headers().get("etag").and_then(|it| it.to_str().ok());
    let etag = etag.map(str::to_owned);
    let retry_after = retry_after(&reply);
    let status = reply.status().as_u16();
    let body = reply.body_mut().with_config().limit(fetch.most_bytes);
    let bytes = body.read_to_vec();
    let bytes = bytes.map_err(|why| fault(why, deadline, Stage::Reading))?;
    Ok(Fetched {
        status,
        etag,
        retry_after,
        bytes,
    })
}
