use serde_json::Value;

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

impl From<Response> for belay_http::Response {
    fn from(response: Response) -> Self {
        let (status, kind, body) = match response {
            Response::Json(value) => (200, "application/json", value.to_string()),
            Response::Events(events) => (200, "text/event-stream", stream(&events)),
            Response::Plain(status, text) => (status, "text/plain", text.to_owned()),
        };
        Self {
            status,
            kind,
            headers: Vec::new(),
            body: body.into_bytes(),
        }
    }
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
