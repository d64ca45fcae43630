//! What was shipped, counted for alerts. The trail is exact; these are lost with the process that holds them.

use std::collections::BTreeMap;

use belay_journal::calendar::Moment;
use belay_journal::json;
use belay_model::Value;

use crate::event::DECISION;
use crate::otlp::{Attribute, LogRecord, Resource, nanos, object, pair, resource, scope};

/// Verdict, layer and agent.
type Key = [String; 3];

const NAMES: [&str; 3] = ["belay.verdict", "belay.layer", "gen_ai.agent.name"];
/// Counts since the last time they were sent.
const DELTA: &str = "1";

/// Counts of records that arrived, until somebody takes them.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    decisions: BTreeMap<Key, u64>,
    since: Option<Moment>,
}

/// What is measured now.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gauges {
    /// How many records wait.
    pub unshipped: u64,
    /// How old the bundle in force is, in seconds.
    pub bundle_age: Option<u64>,
}

impl Gauges {
    fn all(self) -> impl Iterator<Item = Gauge> {
        let waiting = Gauge {
            name: "belay.records.unshipped",
            unit: "{record}",
            value: self.unshipped,
        };
        let age = self.bundle_age.map(|value| Gauge {
            name: "belay.bundle.age",
            unit: "s",
            value,
        });
        [waiting].into_iter().chain(age)
    }
}

impl Counts {
    /// Counts a record.
    pub fn add(&mut self, record: &LogRecord) {
        if record.event == DECISION {
            let key = NAMES.map(|it| record.said(it).unwrap_or("-").to_owned());
            *self.decisions.entry(key).or_default() += 1;
        }
    }

    /// Tells whether there is nothing to say.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.decisions.is_empty()
    }

    /// Forgets what was sent.
    pub fn sent(&mut self, at: Moment) {
        self.decisions.clear();
        self.since = Some(at);
    }

    /// Writes a request with these counts.
    #[must_use]
    pub fn request(&self, from: &Resource, gauges: Gauges, at: Moment) -> String {
        let point = |key: &Key, count: u64| {
            let said = NAMES.iter().zip(key);
            let said = said.map(|(name, it)| pair(name, &Attribute::Text(it.clone())));
            object(vec![
                ("startTimeUnixNano", nanos(self.since.unwrap_or(at))),
                ("timeUnixNano", nanos(at)),
                ("asInt", Value::String(count.to_string())),
                ("attributes", Value::Array(said.collect())),
            ])
        };
        let points = self.decisions.iter().map(|(key, count)| point(key, *count));
        let sum = object(vec![
            ("dataPoints", Value::Array(points.collect())),
            ("aggregationTemporality", Value::Number(DELTA.to_owned())),
            ("isMonotonic", Value::Bool(true)),
        ]);
        let mut metrics = vec![object(vec![
            ("name", Value::from("belay.decisions")),
            ("unit", Value::from("{call}")),
            ("sum", sum),
        ])];
        metrics.extend(gauges.all().map(|it| it.to_json(at)));
        let scoped = object(vec![scope(), ("metrics", Value::Array(metrics))]);
        let whole = object(vec![
            ("resource", resource(from)),
            ("scopeMetrics", Value::Array(vec![scoped])),
        ]);
        json::compact(&object(vec![(
            "resourceMetrics",
            Value::Array(vec![whole]),
        )]))
    }
}

/// One value that goes up and down.
struct Gauge {
    name: &'static str,
    unit: &'static str,
    value: u64,
}

impl Gauge {
    fn to_json(&self, at: Moment) -> Value {
        let point = object(vec![
            ("timeUnixNano", nanos(at)),
            ("asInt", Value::String(self.value.to_string())),
        ]);
        let points = Value::Array(vec![point]);
        object(vec![
            ("name", Value::from(self.name)),
            ("unit", Value::from(self.unit)),
            ("gauge", object(vec![("dataPoints", points)])),
        ])
    }
}
