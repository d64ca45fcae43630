//! A glance at every line of the journal: enough to count, to choose and to find the line again.

use std::collections::HashMap;

use belay_model::{Layer, Value, Verdict};

use crate::calendar::Moment;
use crate::journal::last_start;
use crate::{Record, json, number, text};

/// A name that many rows share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Name(pub u32);

/// What kind of line a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A call and its judgement.
    Call(Verdict),
    /// A person said yes.
    Yes,
    /// A person said no.
    No,
    /// What became of a call.
    Outcome,
}

/// One line of the journal, at a glance. Of lines other than calls only the moment counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Where its line begins in the day's file.
    pub offset: u64,
    /// How long the line is.
    pub length: u32,
    /// When.
    pub at: Moment,
    /// What kind of line.
    pub kind: Kind,
    /// Whether the agent was told.
    pub enforced: bool,
    /// Who settled it.
    pub layer: Name,
    /// Which agent.
    pub agent: Name,
    /// Which tool.
    pub tool: Name,
    /// Which project.
    pub project: Name,
    /// Which session.
    pub session: Name,
    /// Which rule; an empty name is none.
    pub rule: Name,
    /// Tells apart what was asked: the same call in the same project has the same number.
    pub same: u64,
    /// How long the verdict took.
    pub micros: u32,
    /// How long the model took; 0 where none was asked.
    pub model_millis: u32,
    /// Tokens sent to a model.
    pub input_tokens: u32,
    /// Tokens that came back.
    pub output_tokens: u32,
    /// What that cost, in millionths of a dollar.
    pub micro_dollars: u32,
}

/// Rows of one or more days, with their names.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    names: Vec<String>,
    known: HashMap<String, Name>,
    rows: Vec<Row>,
}

impl Rows {
    /// Returns the rows, the oldest first.
    #[must_use]
    pub fn all(&self) -> &[Row] {
        &self.rows
    }

    /// Returns what a name stands for.
    #[must_use]
    pub fn name(&self, name: Name) -> &str {
        let at = usize::try_from(name.0).unwrap_or(usize::MAX);
        self.names.get(at).map_or("", String::as_str)
    }

    /// Takes a glance at records that somebody chose.
    #[must_use]
    pub fn of_records(records: impl Iterator<Item = Record>) -> Self {
        let mut rows = Self::default();
        records.for_each(|it| rows.read(it.line().trim_end().as_bytes(), 0));
        rows.rows.sort_by_key(|it| it.at);
        rows
    }

    /// Returns the names in their order.
    #[must_use]
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the number of a name, made where it is new. What parts names in the index is in none: two that the index
    /// takes for one would give all after them to others.
    pub(crate) fn named(&mut self, name: &str) -> Name {
        if name.contains('\0') {
            return self.named(&name.replace('\0', "\u{fffd}"));
        }
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        let fresh = Name(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        self.names.push(name.to_owned());
        self.known.insert(name.to_owned(), fresh);
        fresh
    }

    /// Puts older rows, whose names are ours, before those that are there.
    pub(crate) fn put_before(&mut self, mut older: Vec<Row>) {
        older.append(&mut self.rows);
        self.rows = older;
    }

    /// Adds the rows of another, with its names.
    pub(crate) fn join(&mut self, other: Self) {
        if self.rows.is_empty() {
            *self = other;
            return;
        }
        let names: Vec<Name> = other.names.iter().map(|it| self.named(it)).collect();
        let ours = |it: Name| {
            let at = usize::try_from(it.0).unwrap_or(usize::MAX);
            names.get(at).copied().unwrap_or_default()
        };
        self.rows.extend(other.rows.iter().map(|row| Row {
            layer: ours(row.layer),
            agent: ours(row.agent),
            tool: ours(row.tool),
            project: ours(row.project),
            session: ours(row.session),
            rule: ours(row.rule),
            ..*row
        }));
    }

    /// Drops what was before a moment.
    pub(crate) fn begin_at(&mut self, since: Moment) {
        if self.rows.iter().any(|it| it.at < since) {
            self.rows.retain(|it| it.at >= since);
        }
    }

    /// Adds what a line says; one that says nothing adds nothing.
    pub(crate) fn read(&mut self, line: &[u8], offset: u64) {
        let Ok(value) = json::read(line) else {
            // Half a record that was never ended may stand before a whole one.
            let whole = last_start(line).and_then(|at| Some((line.get(at..)?, at as u64)));
            if let Some((rest, torn)) = whole {
                self.read(rest, offset + torn);
            }
            return;
        };
        let Some(at) = text(&value, "at").and_then(|it| Moment::parse(&it)) else {
            return;
        };
        let Some(kind) = kind_of(&value) else { return };
        let length = u32::try_from(line.len()).unwrap_or(u32::MAX);
        let row = self.row_of(&value, kind);
        self.rows.push(Row {
            offset,
            length,
            at,
            ..row
        });
    }

    fn row_of(&mut self, value: &Value, kind: Kind) -> Row {
        let call = value.get("call").unwrap_or(&Value::Null);
        let judgement = value.get("judgement").unwrap_or(&Value::Null);
        let model = value.get("model").unwrap_or(&Value::Null);
        let mut named = |value: &Value, name: &str| {
            let text = value.get(name).and_then(Value::text).unwrap_or_default();
            self.named(text)
        };
        let (layer, rule) = (named(judgement, "layer"), named(judgement, "rule"));
        let (agent, tool) = (named(call, "agent"), named(call, "tool"));
        let session = named(call, "session");
        let folder = project_of(call);
        let project = self.named(&folder);
        let mode = text(value, "mode");
        Row {
            offset: 0,
            length: 0,
            at: Moment::default(),
            kind,
            enforced: match value.get("enforced") {
                Some(said) => *said == Value::Bool(true),
                None => mode.as_deref() == Some("auto"),
            },
            layer,
            agent,
            tool,
            project,
            session,
            rule,
            same: same(call, &folder),
            micros: number(judgement, "micros").unwrap_or(0),
            model_millis: number(model, "millis").unwrap_or(0),
            input_tokens: number(model, "input_tokens").unwrap_or(0),
            output_tokens: number(model, "output_tokens").unwrap_or(0),
            micro_dollars: micro_dollars(model),
        }
    }
}

fn kind_of(value: &Value) -> Option<Kind> {
    match text(value, "kind").as_deref() {
        None | Some("call") => {
            let judgement = value.get("judgement")?;
            // A record that cannot be read back is none.
            Layer::from_word(&text(judgement, "layer")?)?;
            Verdict::from_word(&text(judgement, "verdict")?).map(Kind::Call)
        }
        Some("answer") => match text(value, "said")?.as_str() {
            "yes" => Some(Kind::Yes),
            _ => Some(Kind::No),
        },
        Some("outcome") => Some(Kind::Outcome),
        Some(_) => None,
    }
}

fn project_of(call: &Value) -> String {
    let roots = call.get("project_roots").and_then(Value::items);
    let first = roots.and_then(|it| it.first()).and_then(Value::text);
    let first = first.or_else(|| call.get("project_root").and_then(Value::text));
    let first = first.or_else(|| call.get("cwd").and_then(Value::text));
    first.unwrap_or_default().to_owned()
}

fn micro_dollars(model: &Value) -> u32 {
    match model.get("usd") {
        Some(Value::Number(text)) => whole_millionths(text).unwrap_or(0),
        Some(
            Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_),
        )
        | None => 0,
    }
}

/// Reads `0.001234` as 1234, without the rounding of floating point.
fn whole_millionths(text: &str) -> Option<u32> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let part: String = part.chars().chain("000000".chars()).take(6).collect();
    let whole: u32 = whole.parse().ok()?;
    whole
        .checked_mul(1_000_000)?
        .checked_add(part.parse().ok()?)
}

/// A hash of what was asked (FNV-1a): it counts repeats and proves nothing.
fn same(call: &Value, project: &str) -> u64 {
    let tool = call.get("tool").and_then(Value::text).unwrap_or_default();
    let input = call.get("input").map(json::compact).unwrap_or_default();
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let bytes = [tool, project, &input];
    let bytes = bytes.iter().flat_map(|it| it.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_read_exactly() {
        assert_eq!(whole_millionths("0.001234"), Some(1234));
        assert_eq!(whole_millionths("2.5"), Some(2_500_000));
        assert_eq!(whole_millionths("3"), Some(3_000_000));
        assert_eq!(whole_millionths("x"), None);
    }
}
