//! One request over HTTP, under a deadline. Blocking: a process asks one question.

use std::time::Duration;

use ureq::http::Response;
use ureq::{Agent, Body};

use crate::Fault;
use crate::clock::Deadline;
use crate::verdict::shown;

/// No verdict is longer.
const MOST_BYTES: u64 = 256 * 1024;

/// What is sent where.
pub(crate) struct Request<'a> {
    pub(crate) url: &'a str,
    pub(crate) headers: &'a [(&'static str, String)],
    pub(crate) body: String,
    pub(crate) local: bool,
}

/// What came back.
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// How long the provider asks us to wait.
    pub(crate) retry_after: Option<Duration>,
    pub(crate) bytes: Vec<u8>,
}

impl Reply {
    /// Returns the fault of an error status, with the provider's own words.
    pub(crate) fn fault(&self) -> Option<Fault> {
        if self.status == 200 {
            return None;
        }
        let said = crate::json::read(&self.bytes).ok().and_then(|it| {
            let error = it.get("error")?;
            let message = error.get("message").unwrap_or(error);
            message.text().map(shown)
        });
        Some(Fault::Status(self.status, said.unwrap_or_default()))
    }
}

/// Sends a request and reads the whole reply, or says why not.
pub(crate) fn post(request: &Request<'_>, deadline: Deadline) -> Result<Reply, Fault> {
    let left = deadline.left();
    if left.is_zero() {
        return Err(Fault::Late(deadline.spent_millis()));
    }
    let agent = agent(request.local, left);
    let mut sending = agent
        .post(request.url)
        .header("content-type", "application/json");
    for (name, value) in request.headers {
        sending = sending.header(*name, value);
    }
    let reply = sending.send(request.body.as_str());
    let mut reply = reply.map_err(|why| fault(why, deadline, Stage::Sending))?;
    let retry_after = retry_after(&reply);
    let status = reply.status().as_u16();
    let body = reply.body_mut().with_config().limit(MOST_BYTES);
    let bytes = body
        .read_to_vec()
        .map_err(|why| fault(why, deadline, Stage::Reading))?;
    Ok(Reply {
        status,
        retry_after,
        bytes,
    })
}

/// Follows no redirect: the key and the question go where the user said and nowhere else.
pub(crate) fn agent(local: bool, left: Duration) -> Agent {
    let config = Agent::config_builder()
        .timeout_global(Some(left))
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .max_idle_connections(0)
        .user_agent(concat!("belay/", env!("CARGO_PKG_VERSION")));
    let config = if local { config.proxy(None) } else { config };
    config.build().new_agent()
}

pub(crate) enum Stage {
    Sending,
    Reading,
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the client's own errors, and it keeps the right to more"
)]
pub(crate) fn fault(why: ureq::Error, deadline: Deadline, stage: Stage) -> Fault {
    match why {
        ureq::Error::Timeout(_) => Fault::Late(deadline.spent_millis()),
        ureq::Error::BodyExceedsLimit(_) => Fault::HugeReply,
        ureq::Error::Io(why) if why.kind() == std::io::ErrorKind::TimedOut => {
            Fault::Late(deadline.spent_millis())
        }
        ureq::Error::HostNotFound => Fault::Connect("the host is not found".to_owned()),
        ureq::Error::Io(why) if matches!(stage, Stage::Sending) => {
            Fault::Connect(shown(&why.to_string()))
        }
        ureq::Error::ConnectionFailed => Fault::Connect("refused".to_owned()),
        other => Fault::Broken(shown(&other.to_string())),
    }
}

pub(crate) fn retry_after(reply: &Response<Body>) -> Option<Duration> {
    let seconds = reply.headers().get("retry-after")?.to_str().ok()?;
    seconds.trim().parse().ok().map(Duration::from_secs)
}
