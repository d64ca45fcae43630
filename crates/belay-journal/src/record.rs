//! One answered call, as the line the journal keeps.

use std::sync::atomic::{AtomicU32, Ordering};

use belay_model::{Call, Judgement, Value};

use crate::calendar::Moment;
use crate::journal::Secrets;
use crate::shadow::Shadow;
use crate::{
    Members, call_to_json, json, judgement_to_json, read_call, read_judgement, redact_value, text,
};

/// The version of the line; a reader skips lines of a version it does not know.
const VERSION: &str = "2";

/// Versions that are read: the first knew neither kinds of lines nor numbers, machines and users.
const READ: [&str; 2] = ["1", VERSION];

/// What a line of the second version says to be a record.
const KIND: &str = "call";

/// No text in a record is longer; the journal keeps what was asked, not what was written.
const LONGEST_TEXT: usize = 32 * 1024;

/// One logged judgement.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The record's own name.
    pub id: String,
    /// Its number in the journal, which grows by one from line to line; the journal gives it.
    pub number: Option<u64>,
    /// When the answer was given.
    pub at: Moment,
    /// Which machine answered, as a hash of its name for itself.
    pub machine: Option<String>,
    /// Which user of that machine.
    pub user: Option<String>,
    /// Whether the agent was told; where it was only watched, or its own boundary stood, it was not.
    pub enforced: bool,
    /// How the gate was set: `auto`, `observe` or `off`.
    pub mode: String,
    /// Which rung of the outage ladder answered, when a model was to be asked.
    pub rung: Option<String>,
    /// What asking a model took: who, tokens, dollars, milliseconds, files with the exchange.
    pub model: Option<Value>,
    /// What the settings were, as a hash.
    pub settings: Option<String>,
    /// What the policy was, as a hash.
    pub policy: Option<String>,
    /// What was asked.
    pub call: Call,
    /// What was answered.
    pub judgement: Judgement,
    /// What rule sets that are only observed would have said.
    pub shadow: Option<Shadow>,
    /// What the surroundings said on the way: a line for each question, and one for its answer.
    pub answers: Vec<String>,
}

impl Record {
    /// Makes a record of a judgement just made.
    #[must_use]
    pub fn new(call: Call, judgement: Judgement) -> Self {
        let at = Moment::now();
        Self {
            id: fresh_id(at),
            number: None,
            at,
            machine: None,
            user: None,
            enforced: true,
            mode: "auto".to_owned(),
            rung: None,
            model: None,
            settings: None,
            policy: None,
            call,
            judgement,
            shadow: None,
            answers: Vec::new(),
        }
    }

    /// Returns the short form of the record's name, for people: in questions, `log` and `why`.
    #[must_use]
    pub fn short(&self) -> String {
        short_id(&self.id)
    }

    /// Tells whether a text names this record: its name or the beginning of it, its short form, or the
    /// agent's own name of the call.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        let begins = !name.is_empty() && self.id.starts_with(name);
        begins || self.short() == name || self.call.id.as_deref() == Some(name)
    }

    /// Returns the record as JSON, secrets redacted and long texts cut.
    #[must_use]
    pub fn to_json(&self) -> Value {
        redact_value(self.plain())
    }

    fn plain(&self) -> Value {
        let number = self.number.map(|it| Value::Number(it.to_string()));
        let whole = Members::default()
            .put("v", Value::Number(VERSION.to_owned()))
            .maybe_value("number", number)
            .text("kind", KIND)
            .text("id", &self.id)
            .text("at", &self.at.stamp())
            .maybe("machine", self.machine.as_deref())
            .maybe("user", self.user.as_deref())
            .text("mode", &self.mode)
            .put("enforced", Value::Bool(self.enforced))
            .maybe("rung", self.rung.as_deref())
            .maybe("settings", self.settings.as_deref())
            .maybe("policy", self.policy.as_deref())
            .maybe_value("model", self.model.clone())
            .put("call", call_to_json(&self.call))
            .put("judgement", judgement_to_json(&self.judgement))
            .maybe_value("shadow", self.shadow.as_ref().map(Shadow::to_json))
            .texts("answers", self.short_answers())
            .done();
        shortened(whole)
    }

    /// Half an answer would be another answer: a pair that would be cut is left out, and not known
    /// to whoever replays the record.
    fn short_answers(&self) -> impl Iterator<Item = &str> {
        let pairs = self.answers.chunks(2);
        let short = |pair: &&[String]| pair.iter().all(|it| it.len() <= LONGEST_TEXT);
        pairs.filter(short).flatten().map(String::as_str)
    }

    /// Returns the record as one line, its end included.
    #[must_use]
    pub fn line(&self) -> String {
        self.line_with(Secrets::Redacted)
    }

    pub(crate) fn line_with(&self, secrets: Secrets) -> String {
        let value = match secrets {
            Secrets::Redacted => self.to_json(),
            Secrets::Kept => self.plain(),
        };
        let mut line = json::compact(&value);
        line.push('\n');
        line
    }

    /// Reads a record; nothing when the text is not one of this version.
    #[must_use]
    pub fn read(line: &[u8]) -> Option<Self> {
        let value = json::read(line).ok()?;
        let version = value.get("v").and_then(number)?;
        let kind = text(&value, "kind");
        if !READ.contains(&version) || kind.is_some_and(|it| it != KIND) {
            return None;
        }
        let mode = text(&value, "mode")?;
        let answers = value
            .get("answers")
            .and_then(Value::items)
            .unwrap_or_default();
        Some(Self {
            id: text(&value, "id")?,
            at: Moment::parse(&text(&value, "at")?)?,
            number: value
                .get("number")
                .and_then(number)
                .and_then(|it| it.parse().ok()),
            machine: text(&value, "machine"),
            user: text(&value, "user"),
            enforced: match value.get("enforced") {
                Some(said) => *said == Value::Bool(true),
                None => mode == "auto",
            },
            mode,
            rung: text(&value, "rung"),
            model: value.get("model").cloned(),
            settings: text(&value, "settings"),
            policy: text(&value, "policy"),
            call: read_call(value.get("call")?).ok()?,
            judgement: read_judgement(value.get("judgement")?)?,
            shadow: value.get("shadow").and_then(Shadow::read),
            answers: answers
                .iter()
                .filter_map(Value::text)
                .map(str::to_owned)
                .collect(),
        })
    }
}

fn number(value: &Value) -> Option<&str> {
    match value {
        Value::Number(number) => Some(number),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    }
}

/// Names begin with the time, so that their beginnings do not tell them apart: the short form is a hash
/// (FNV-1a). Whoever looks one up takes the newest.
fn short_id(id: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    format!("{:05x}", (hash >> 44) & 0xf_ffff)
}

/// Moment, process and count together are one record's own.
fn fresh_id(at: Moment) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{:x}-{:x}-{count:x}", at.0, std::process::id())
}

fn shortened(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(shortened_text(text)),
        Value::Array(items) => Value::Array(items.into_iter().map(shortened).collect()),
        Value::Object(members) => Value::Object(
            members
                .into_iter()
                .map(|(name, it)| (name, shortened(it)))
                .collect(),
        ),
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

fn shortened_text(mut text: String) -> String {
    if text.len() <= LONGEST_TEXT {
        return text;
    }
    let whole = text.len();
    let kept = text.floor_char_boundary(LONGEST_TEXT);
    text.truncate(kept);
    text.push_str(&format!("[and {} bytes more]", whole - kept));
    text
}

#[cfg(test)]
pub(crate) mod tests {
    use belay_model::{Layer, Reason, Risk, Verdict};

    use super::*;

    pub(crate) fn record(command: &str) -> Record {
        let input = Value::Object(vec![("command".to_owned(), Value::from(command))]);
        let call = Call {
            tool: "Bash".to_owned(),
            input,
            ..Call::default()
        };
        let judgement = Judgement {
            id: None,
            verdict: Verdict::Ask,
            layer: Layer::Fallback,
            reason: Reason::new("nobody knew"),
            risk: Risk::UNSURE,
            effects: Vec::new(),
            troubles: Vec::new(),
            trail: Vec::new(),
            micros: 7,
        };
        Record::new(call, judgement)
    }

    #[test]
    fn a_record_reads_back() {
        let mut record = record("ls");
        record.rung = Some("cached".to_owned());
        record.shadow = Some(Shadow {
            verdict: Verdict::Deny,
            rule: Some("no-prod".to_owned()),
            because: None,
            sets: vec!["new".to_owned()],
        });
        record.answers = vec!["kind\t/a".to_owned(), "name\tfile".to_owned()];
        assert_eq!(Record::read(record.line().as_bytes()), Some(record));
    }

    #[test]
    fn a_record_is_one_line() {
        assert_eq!(record("a\nb\u{2028}").line().matches('\n').count(), 1);
    }

    #[test]
    fn a_record_holds_no_secret() {
        let line = record("curl -H 'Authorization: Bearer abcdefgh12345678'").line();
        assert!(!line.contains("abcdefgh12345678"), "{line}");
    }

    #[test]
    fn a_long_text_is_cut() {
        let line = record(&"x".repeat(1_000_000)).line();
        assert!(line.len() < 2 * LONGEST_TEXT);
        assert!(line.contains("bytes more]"));
    }

    #[test]
    fn half_an_answer_is_none() {
        let mut record = record("ls");
        let long = "x".repeat(LONGEST_TEXT + 1);
        record.answers = ["text\t/a", &long, "kind\t/b", "name\tfile"]
            .map(str::to_owned)
            .to_vec();
        let read = Record::read(record.line().as_bytes()).unwrap();
        assert_eq!(read.answers, ["kind\t/b", "name\tfile"]);
    }

    #[test]
    fn another_version_is_no_record() {
        let line = record("ls").line().replace(r#"{"v":2,"#, r#"{"v":3,"#);
        assert_eq!(Record::read(line.as_bytes()), None);
    }

    #[test]
    fn records_of_the_first_version_are_read() {
        let record = record("ls");
        let line = record
            .line()
            .replace(r#"{"v":2,"kind":"call","#, r#"{"v":1,"#);
        let line = line.replace(r#","enforced":true"#, "");
        assert_eq!(Record::read(line.as_bytes()), Some(record));
        let observed = line.replace(r#""mode":"auto""#, r#""mode":"observe""#);
        assert!(!Record::read(observed.as_bytes()).unwrap().enforced);
    }
}
