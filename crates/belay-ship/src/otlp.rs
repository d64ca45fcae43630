//! OTLP/HTTP logs as JSON, written by hand and read back: the names are here and nowhere else.

use std::sync::Arc;

use belay_journal::calendar::Moment;
use belay_journal::json;
use belay_model::Value;

use crate::protobuf;

/// Where logs go.
pub const LOGS: &str = "/v1/logs";
/// Where metrics go.
pub const METRICS: &str = "/v1/metrics";

/// What an attribute says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// A text.
    Text(String),
    /// A whole number.
    Int(i64),
    /// Yes or no.
    Flag(bool),
    /// Texts.
    Texts(Vec<String>),
}

/// One log record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRecord {
    /// When it happened.
    pub at: Moment,
    /// Its name.
    pub event: &'static str,
    /// How grave, as OTLP counts.
    pub severity: u8,
    /// Why, for a person.
    pub body: Option<String>,
    /// What else it says.
    pub attributes: Vec<(&'static str, Attribute)>,
}

impl LogRecord {
    /// Begins a record.
    #[must_use]
    pub const fn new(event: &'static str, severity: u8) -> Self {
        Self {
            at: Moment(0),
            event,
            severity,
            body: None,
            attributes: Vec::new(),
        }
    }

    /// Adds an attribute.
    pub fn put(&mut self, key: &'static str, value: Attribute) {
        self.attributes.push((key, value));
    }

    /// Adds a text.
    pub fn text(&mut self, key: &'static str, text: &str) {
        self.put(key, Attribute::Text(text.to_owned()));
    }

    /// Adds a text where there is one.
    pub fn maybe(&mut self, key: &'static str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(key, text);
        }
    }

    /// Adds a number where there is one.
    pub fn number(&mut self, key: &'static str, number: Option<i64>) {
        if let Some(number) = number {
            self.put(key, Attribute::Int(number));
        }
    }

    /// Adds texts where there are any.
    pub fn texts(&mut self, key: &'static str, texts: Vec<String>) {
        if !texts.is_empty() {
            self.put(key, Attribute::Texts(texts));
        }
    }

    /// Returns a number it says.
    #[must_use]
    pub fn int(&self, key: &str) -> Option<i64> {
        let found = self.attributes.iter().find(|(it, _)| *it == key)?;
        match &found.1 {
            Attribute::Int(number) => Some(*number),
            Attribute::Text(_) | Attribute::Flag(_) | Attribute::Texts(_) => None,
        }
    }

    /// Returns a text it says.
    #[must_use]
    pub fn said(&self, key: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(it, _)| *it == key)?;
        match &found.1 {
            Attribute::Text(text) => Some(text),
            Attribute::Int(_) | Attribute::Flag(_) | Attribute::Texts(_) => None,
        }
    }
}

/// Who sends: what is said once for all records of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resource {
    /// The machine, or rather its journal.
    pub machine: String,
    /// The version of belay.
    pub version: String,
    /// The team, where settings name one.
    pub team: Option<String>,
    /// The user, where settings want it said.
    pub user: Option<String>,
}

pub(crate) fn object(members: Vec<(&str, Value)>) -> Value {
    let owned = members.into_iter().map(|(key, it)| (key.to_owned(), it));
    Value::Object(owned.collect())
}

pub(crate) fn any(value: &Attribute) -> Value {
    let text = |it: &str| object(vec![("stringValue", Value::from(it))]);
    match value {
        Attribute::Text(it) => text(it),
        Attribute::Int(it) => object(vec![("intValue", Value::String(it.to_string()))]),
        Attribute::Flag(it) => object(vec![("boolValue", Value::Bool(*it))]),
        Attribute::Texts(all) => {
            let values = Value::Array(all.iter().map(|it| text(it)).collect());
            object(vec![("arrayValue", object(vec![("values", values)]))])
        }
    }
}

pub(crate) fn pair(key: &str, value: &Attribute) -> Value {
    object(vec![("key", Value::from(key)), ("value", any(value))])
}

pub(crate) fn nanos(at: Moment) -> Value {
    Value::String(format!("{}000000", at.0))
}

/// Returns a record as JSON; a machine and a number are its name everywhere.
#[must_use]
pub fn record_to_json(record: &LogRecord, machine: &str) -> Value {
    let pairs = record.attributes.iter();
    let mut attributes: Vec<Value> = pairs.map(|(key, it)| pair(key, it)).collect();
    if let Some(number) = record.int("belay.seq") {
        let uid = Attribute::Text(format!("{machine}/{number}"));
        attributes.push(pair("log.record.uid", &uid));
    }
    let mut members = vec![
        ("timeUnixNano", nanos(record.at)),
        ("observedTimeUnixNano", nanos(record.at)),
        ("severityNumber", Value::Number(record.severity.to_string())),
        ("eventName", Value::from(record.event)),
    ];
    if let Some(body) = &record.body {
        members.push(("body", any(&Attribute::Text(body.clone()))));
    }
    members.push(("attributes", Value::Array(attributes)));
    object(members)
}

pub(crate) fn resource(resource: &Resource) -> Value {
    let mut attributes = vec![
        pair("service.name", &Attribute::Text("belay".to_owned())),
        pair(
            "service.version",
            &Attribute::Text(resource.version.clone()),
        ),
        pair("host.id", &Attribute::Text(resource.machine.clone())),
        pair("os.type", &Attribute::Text(std::env::consts::OS.to_owned())),
    ];
    let named = [
        ("belay.team", &resource.team),
        ("user.name", &resource.user),
    ];
    for (key, text) in named {
        attributes.extend(
            text.iter()
                .map(|it| pair(key, &Attribute::Text(it.clone()))),
        );
    }
    object(vec![("attributes", Value::Array(attributes))])
}

pub(crate) fn scope() -> (&'static str, Value) {
    ("scope", object(vec![("name", Value::from("belay"))]))
}

/// Writes a request with these records.
#[must_use]
pub fn logs(from: &Resource, records: &[LogRecord]) -> String {
    let records = records.iter().map(|it| record_to_json(it, &from.machine));
    let records = Value::Array(records.collect());
    let scoped = object(vec![scope(), ("logRecords", records)]);
    let whole = object(vec![
        ("resource", resource(from)),
        ("scopeLogs", Value::Array(vec![scoped])),
    ]);
    json::compact(&object(vec![("resourceLogs", Value::Array(vec![whole]))]))
}

/// What a record or a resource says, in the order it came.
type Said = Vec<(String, Value)>;

/// One record as it came, with what its resource says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Received {
    /// When it happened, in milliseconds since 1970.
    pub at: Moment,
    /// Its name.
    pub event: String,
    /// Its body, where that is a text.
    pub body: Option<String>,
    said: Said,
    shared: Arc<Said>,
}

impl Received {
    fn find(&self, key: &str) -> Option<&Value> {
        let both = self.said.iter().chain(self.shared.iter());
        let mut both = both.filter(|(it, _)| it == key);
        both.next().map(|(_, value)| value)
    }

    /// Returns a text.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.find(key)?.get("stringValue")?.text()
    }

    /// Returns a number, which the protocol writes as a text and some write as a number.
    #[must_use]
    pub fn int(&self, key: &str) -> Option<i64> {
        match self.find(key)?.get("intValue")? {
            Value::String(text) | Value::Number(text) => text.parse().ok(),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// Returns yes or no.
    #[must_use]
    pub fn flag(&self, key: &str) -> Option<bool> {
        match self.find(key)?.get("boolValue")? {
            Value::Bool(flag) => Some(*flag),
            Value::Null
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_) => None,
        }
    }

    /// Returns texts; none is none.
    #[must_use]
    pub fn texts(&self, key: &str) -> Vec<String> {
        let values = self.find(key).and_then(|it| it.get("arrayValue"));
        let values = values.and_then(|it| it.get("values")?.items());
        let texts = values.unwrap_or_default().iter();
        let texts = texts.filter_map(|it| it.get("stringValue")?.text());
        texts.map(str::to_owned).collect()
    }
}

/// Reads a request in JSON; nothing when it is not one.
#[must_use]
pub fn read_logs(bytes: &[u8]) -> Option<Vec<Received>> {
    records(json::read(bytes).ok()?)
}

/// Reads a request in protobuf, as collectors pass it on; nothing when it is not one.
#[must_use]
pub fn read_logs_packed(bytes: &[u8]) -> Option<Vec<Received>> {
    records(protobuf::request(bytes)?)
}

/// Writes the answer to who sent JSON: how many records nobody can store.
#[must_use]
pub fn taken_json(rejected: usize) -> String {
    match rejected {
        0 => "{}".to_owned(),
        _ => format!("{{\"partialSuccess\":{{\"rejectedLogRecords\":\"{rejected}\"}}}}"),
    }
}

/// Writes the answer to who sent protobuf.
#[must_use]
pub fn taken_packed(rejected: usize) -> Vec<u8> {
    protobuf::taken(rejected as u64)
}

fn records(mut request: Value) -> Option<Vec<Received>> {
    let mut all = Vec::new();
    for mut of_resource in list(&mut request, "resourceLogs")? {
        let resource = taken(&mut of_resource, "resource");
        let shared = Arc::new(resource.map(attributes).unwrap_or_default());
        for mut of_scope in list(&mut of_resource, "scopeLogs")? {
            for record in list(&mut of_scope, "logRecords")? {
                all.push(received(record, Arc::clone(&shared))?);
            }
        }
    }
    Some(all)
}

/// Takes a member out of an object.
fn taken(value: &mut Value, name: &str) -> Option<Value> {
    match value {
        Value::Object(members) => {
            let at = members.iter().rposition(|(it, _)| it == name)?;
            Some(members.swap_remove(at).1)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            None
        }
    }
}

/// A member that is not there is an empty list; one that is something else is an error.
fn list(value: &mut Value, name: &str) -> Option<Vec<Value>> {
    value.members()?;
    match taken(value, name) {
        None => Some(Vec::new()),
        Some(Value::Array(items)) => Some(items),
        Some(
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_),
        ) => None,
    }
}

fn attributes(mut value: Value) -> Said {
    let all = list(&mut value, "attributes").unwrap_or_default();
    let pair = |mut it: Value| match (taken(&mut it, "key"), taken(&mut it, "value")) {
        (Some(Value::String(key)), Some(value)) => Some((key, value)),
        (_, _) => None,
    };
    all.into_iter().filter_map(pair).collect()
}

fn received(mut record: Value, shared: Arc<Said>) -> Option<Received> {
    let at = match record.get("timeUnixNano")? {
        Value::String(text) | Value::Number(text) => text.parse::<u64>().ok()?,
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    let event = record.get("eventName").and_then(Value::text);
    let event = event.unwrap_or_default().to_owned();
    let body = taken(&mut record, "body");
    let body = body.and_then(|it| it.get("stringValue")?.text().map(str::to_owned));
    Some(Received {
        at: Moment(at / 1_000_000),
        event,
        body,
        said: attributes(record),
        shared,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let mut record = LogRecord::new("belay.decision", 17);
        record.at = Moment(1_790_000_000_123);
        record.body = Some("because \"so\"\n".to_owned());
        record.text("belay.verdict", "deny");
        record.number("belay.seq", Some(9));
        record.texts(
            "belay.effects",
            vec!["send x".to_owned(), "read ./a".to_owned()],
        );
        record.put("belay.enforced", Attribute::Flag(true));
        let from = Resource {
            machine: "m".to_owned(),
            version: "1".to_owned(),
            team: Some("core".to_owned()),
            user: None,
        };
        let read = read_logs(logs(&from, &[record]).as_bytes()).unwrap();
        let [read] = read.as_slice() else { panic!() };
        assert_eq!(
            (read.at, read.event.as_str()),
            (Moment(1_790_000_000_123), "belay.decision")
        );
        assert_eq!(read.text("belay.verdict"), Some("deny"));
        assert_eq!(read.text("host.id"), Some("m"));
        assert_eq!(read.text("belay.team"), Some("core"));
        assert_eq!(read.text("log.record.uid"), Some("m/9"));
        assert_eq!(read.int("belay.seq"), Some(9));
        assert_eq!(read.texts("belay.effects"), ["send x", "read ./a"]);
        assert_eq!(read.flag("belay.enforced"), Some(true));
        assert_eq!(read.body.as_deref(), Some("because \"so\"\n"));
    }

    #[test]
    fn what_is_no_request_is_nothing() {
        for text in [
            "",
            "[]",
            "{\"resourceLogs\":1}",
            "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{}]}]}]}",
        ] {
            assert_eq!(read_logs(text.as_bytes()), None, "{text}");
        }
        assert_eq!(read_logs(b"{}"), Some(Vec::new()));
    }
}
