//! Rows of the store, made from records as they came: text in the form that `COPY` reads.

use belay_journal::calendar::Moment;
use belay_ship::otlp::Received;
use belay_ship::{DECISION, FOLLOW, GAP, STATUS};

/// No text of a row is longer.
const LONGEST: usize = 64 * 1024;

/// What one request brings.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Lines for `decision`.
    pub decisions: String,
    /// How many.
    pub decided: usize,
    /// Lines for `follow`.
    pub follows: String,
    /// How machines fare.
    pub statuses: Vec<Received>,
    /// The days that rows are of, as numbers since 1970.
    pub days: Vec<u64>,
    /// The hours that decisions are of.
    pub hours: Vec<u64>,
    /// How many records are not for us.
    pub rejected: usize,
    /// The team of the token.
    pub team: Option<String>,
}

const DAY: u64 = 86_400_000;
const HOUR: u64 = 3_600_000;

impl Batch {
    /// Makes rows of records.
    pub fn of(records: Vec<Received>, team: Option<&str>) -> Self {
        let mut batch = Self {
            team: team.map(str::to_owned),
            ..Self::default()
        };
        for record in records {
            if batch.add(record).is_none() {
                batch.rejected += 1;
            }
        }
        batch.days.sort_unstable();
        batch.days.dedup();
        batch.hours.sort_unstable();
        batch.hours.dedup();
        batch
    }

    /// Takes up another batch, written with this one.
    pub fn join(&mut self, other: &Self) {
        self.decisions.push_str(&other.decisions);
        self.decided += other.decided;
        self.follows.push_str(&other.follows);
        self.days.extend(&other.days);
        self.hours.extend(&other.hours);
        self.hours.sort_unstable();
        self.hours.dedup();
    }

    fn add(&mut self, record: Received) -> Option<()> {
        match record.event.as_str() {
            DECISION => {
                let row = decision(&record, self.team.as_deref())?;
                self.decisions.push_str(&row);
                self.decided += 1;
                self.hours.push(record.at.0 / HOUR);
            }
            FOLLOW | GAP => self.follows.push_str(&follow(&record)?),
            STATUS => {
                machine(&record)?;
                self.statuses.push(record);
                return Some(());
            }
            _ => return None,
        }
        self.days.push(record.at.0 / DAY);
        Some(())
    }
}

/// Returns the machine; a name that is none or absurd is nobody's.
pub fn machine(record: &Received) -> Option<&str> {
    let name = record.text("host.id")?;
    (1..=128).contains(&name.len()).then_some(name)
}

const fn verdict(word: &str) -> Option<&'static str> {
    match word.as_bytes() {
        b"allow" => Some("0"),
        b"ask" => Some("1"),
        b"deny" => Some("2"),
        _ => None,
    }
}

fn decision(record: &Received, team: Option<&str>) -> Option<String> {
    let mut row = Row::begin(record)?;
    row.word(verdict(record.text("belay.verdict")?)?);
    row.word(if record.flag("belay.enforced")? {
        "t"
    } else {
        "f"
    });
    row.text(record.text("user.name"));
    row.text(team.or_else(|| record.text("belay.team")).or(Some("")));
    for key in [
        "gen_ai.agent.name",
        "session.id",
        "gen_ai.tool.call.id",
        "belay.project",
        "gen_ai.tool.name",
        "belay.layer",
        "security_rule.name",
    ] {
        row.text(record.text(key));
    }
    row.number(record.int("belay.risk").map(|it| it.clamp(0, 100)));
    row.number(
        record
            .int("belay.duration_us")
            .map(|it| it.clamp(0, i64::from(i32::MAX))),
    );
    row.text(record.text("belay.mode"));
    row.text(record.text("belay.policy.hash"));
    row.number(record.int("belay.bundle.serial"));
    row.text(record.text("belay.shadow.verdict").and_then(verdict));
    row.text(record.text("belay.privacy").or(Some("unknown")));
    row.text(record.text("process.command_line"));
    row.text(record.body.as_deref());
    row.texts(&record.texts("belay.effects"));
    row.text(record.text("belay.chain"));
    row.text(record.text("belay.id"));
    Some(row.end())
}

fn follow(record: &Received) -> Option<String> {
    let mut row = Row::begin(record)?;
    let gap = record.event == GAP;
    row.text(Some(if gap {
        "gap"
    } else {
        record.text("belay.kind")?
    }));
    row.text(
        record
            .text("belay.of")
            .or_else(|| record.text("gen_ai.tool.call.id")),
    );
    row.text(record.text("session.id"));
    row.text(
        record
            .text("belay.said")
            .or_else(|| record.text("belay.gap.why")),
    );
    row.number(record.int("belay.gap.first"));
    row.number(record.int("belay.gap.last"));
    Some(row.end())
}

/// A row in the text form of `COPY`.
struct Row(String);

const NULL: &str = "\\N";

impl Row {
    /// Begins with moment, machine and number: the key.
    fn begin(record: &Received) -> Option<Self> {
        let mut row = Self(String::with_capacity(512));
        row.word(&stamp(record.at)?);
        row.text(Some(machine(record)?));
        row.word(&record.int("belay.seq")?.to_string());
        Some(row)
    }

    fn word(&mut self, word: &str) {
        if !self.0.is_empty() {
            self.0.push('\t');
        }
        self.0.push_str(word);
    }

    fn number(&mut self, number: Option<i64>) {
        match number {
            Some(number) => self.word(&number.to_string()),
            None => self.word(NULL),
        }
    }

    fn text(&mut self, text: Option<&str>) {
        match text {
            Some(text) => {
                self.word("");
                escape(cut(text), &mut self.0);
            }
            None => self.word(NULL),
        }
    }

    fn texts(&mut self, texts: &[String]) {
        let quoted = texts.iter().map(|it| {
            let it = cut(it).replace('\\', "\\\\").replace('"', "\\\"");
            format!("\"{it}\"")
        });
        let quoted: Vec<String> = quoted.collect();
        self.word("");
        escape(&format!("{{{}}}", quoted.join(",")), &mut self.0);
    }

    fn end(mut self) -> String {
        self.0.push('\n');
        self.0
    }
}

fn cut(text: &str) -> &str {
    let end = text.floor_char_boundary(LONGEST);
    text.get(..end).unwrap_or(text)
}

/// PostgreSQL has no text with a zero byte in it.
fn escape(text: &str, row: &mut String) {
    for letter in text.chars() {
        match letter {
            '\\' => row.push_str("\\\\"),
            '\n' => row.push_str("\\n"),
            '\r' => row.push_str("\\r"),
            '\t' => row.push_str("\\t"),
            '\0' => row.push('\u{fffd}'),
            other => row.push(other),
        }
    }
}

/// Returns a moment as PostgreSQL reads it; nothing for one that no machine can mean.
fn stamp(at: Moment) -> Option<String> {
    const LAST: u64 = 4_102_444_800_000;
    (at.0 < LAST).then(|| at.stamp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use belay_ship::otlp::{Attribute, LogRecord, Resource, logs, read_logs};

    fn batch(record: LogRecord) -> Batch {
        let from = Resource {
            machine: "m".to_owned(),
            team: Some("claimed".to_owned()),
            ..Resource::default()
        };
        let records = read_logs(logs(&from, &[record]).as_bytes()).unwrap();
        let team = Some("core".to_owned());
        Batch::of(records, team.as_deref())
    }

    fn record(command: &str) -> LogRecord {
        let mut record = LogRecord::new(DECISION, 9);
        record.text("belay.verdict", "deny");
        record.put("belay.enforced", Attribute::Flag(true));
        record.number("belay.seq", Some(7));
        record.text("belay.privacy", "redacted");
        record.text("process.command_line", command);
        record.texts("belay.effects", vec!["write \"a\\b\"".to_owned()]);
        record
    }

    #[test]
    fn a_row_has_the_key_first_and_the_team_of_the_token() {
        let batch = batch(record("a\tb\n\\c\0"));
        let row: Vec<&str> = batch.decisions.trim_end_matches('\n').split('\t').collect();
        assert_eq!(row.len(), 26);
        assert_eq!(
            row[..7],
            ["1970-01-01T00:00:00.000Z", "m", "7", "2", "t", NULL, "core"]
        );
        assert_eq!(row[21], "a\\tb\\n\\\\c\u{fffd}");
        assert_eq!(row[23], r#"{"write \\"a\\\\b\\""}"#);
    }

    #[test]
    fn what_is_not_ours_is_rejected() {
        assert_eq!(batch(LogRecord::new("other.event", 9)).rejected, 1);
        let mut numberless = record("x");
        numberless.attributes.retain(|(key, _)| *key != "belay.seq");
        assert_eq!(batch(numberless).rejected, 1);
    }
}
