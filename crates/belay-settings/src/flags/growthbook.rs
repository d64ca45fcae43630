//! GrowthBook's features endpoint, evaluated here: default values, conditions on attributes,
//! prerequisites, percentages, namespaces and experiments, as its specification says (0.7).
//!
//! Not understood, and said so: encrypted features, sticky buckets. A rule that cannot be told is
//! passed over.

use serde_json::{Map, Value};

use super::buckets::{self, Bucket};
use super::conditions::{Scales, holds};
use super::{Asker, Evaluated, Request};

/// How many features may hang on each other.
const DEEPEST: usize = 8;

pub(super) fn request(url: &str, asker: &Asker) -> Request {
    let key = asker.key.as_deref().unwrap_or_default();
    let url = if url.contains("/api/features") {
        url.to_owned()
    } else {
        format!("{url}/api/features/{key}")
    };
    Request {
        method: "GET",
        url,
        headers: vec![("Accept".to_owned(), "application/json".to_owned())],
        body: None,
    }
}

/// Evaluates all features for someone with these attributes.
pub(super) fn values(
    body: &Value,
    attributes: &Map<String, Value>,
) -> Result<Evaluated, &'static str> {
    let features = match (body.get("features"), body.get("encryptedFeatures")) {
        (Some(features), _) => features.as_object().ok_or("`features` is not an object")?,
        (None, Some(_)) => return Err("the features are encrypted; serve them plain"),
        (None, None) => return Err("no `features`"),
    };
    let attributes = Value::Object(attributes.clone());
    let evaluation = Evaluation {
        features,
        scales: Scales {
            groups: body.get("savedGroups").unwrap_or(&Value::Null),
        },
        attributes: &attributes,
    };
    let mut evaluated = Evaluated::default();
    for name in features.keys() {
        let mut notes = Vec::new();
        let value = evaluation.feature(name, &mut Trace::of(&mut notes));
        if super::ours(name).is_some() {
            evaluated.notes.append(&mut notes);
        }
        if let Some(value) = value.filter(|it| !it.is_null()) {
            evaluated.values.insert(name.clone(), value);
        }
    }
    Ok(evaluated)
}

struct Evaluation<'a> {
    features: &'a Map<String, Value>,
    scales: Scales<'a>,
    attributes: &'a Value,
}

/// What was met on the way to one value.
struct Trace<'a> {
    notes: &'a mut Vec<String>,
    way: Vec<String>,
}

impl<'a> Trace<'a> {
    const fn of(notes: &'a mut Vec<String>) -> Self {
        Self {
            notes,
            way: Vec::new(),
        }
    }
}

/// What a rule says.
enum Said {
    /// This value.
    Value(Value),
    /// Nothing: the next rule speaks.
    Nothing,
    /// The feature has no value at all.
    Blocked,
}

/// Why a rule cannot be told.
type Untold = &'static str;

impl Evaluation<'_> {
    fn feature(&self, name: &str, trace: &mut Trace<'_>) -> Option<Value> {
        let feature = self.features.get(name)?;
        if trace.way.len() >= DEEPEST || trace.way.iter().any(|it| it == name) {
            trace
                .notes
                .push(format!("`{name}` depends on itself, so it has no value"));
            return None;
        }
        trace.way.push(name.to_owned());
        let value = self.by_rules(name, feature, trace);
        trace.way.pop();
        value
    }

    fn by_rules(&self, name: &str, feature: &Value, trace: &mut Trace<'_>) -> Option<Value> {
        let rules = feature.get("rules").and_then(Value::as_array);
        for (at, rule) in rules.into_iter().flatten().enumerate() {
            match self.rule(name, rule, trace) {
                Ok(Said::Value(value)) => return Some(value),
                Ok(Said::Blocked) => return None,
                Ok(Said::Nothing) => {}
                Err(why) => trace
                    .notes
                    .push(format!("rule {} of `{name}` is skipped: {why}", at + 1)),
            }
        }
        feature.get("defaultValue").cloned()
    }

    fn rule(&self, name: &str, rule: &Value, trace: &mut Trace<'_>) -> Result<Said, Untold> {
        for parent in list(rule, "parentConditions")? {
            let id = text(parent, "id").ok_or("a prerequisite without `id`")?;
            let value = self.feature(id, trace).unwrap_or_default();
            let given = Value::Object([("value".to_owned(), value)].into_iter().collect());
            let condition = parent
                .get("condition")
                .ok_or("a prerequisite without `condition`")?;
            if !holds(condition, &given, &self.scales)? {
                let gate = parent.get("gate").and_then(Value::as_bool);
                return Ok(if gate == Some(true) {
                    Said::Blocked
                } else {
                    Said::Nothing
                });
            }
        }
        if let Some(condition) = present(rule, "condition")
            && !holds(condition, self.attributes, &self.scales)?
        {
            return Ok(Said::Nothing);
        }
        for filter in list(rule, "filters")? {
            if !self.filtered_in(filter)? {
                return Ok(Said::Nothing);
            }
        }
        match (rule.get("force"), present(rule, "variations")) {
            (Some(force), _) => Ok(match self.rolled_out(name, rule)? {
                true => Said::Value(force.clone()),
                false => Said::Nothing,
            }),
            (None, Some(_)) => self.experiment(name, rule),
            (None, None) => Ok(Said::Nothing),
        }
    }

    fn filtered_in(&self, filter: &Value) -> Result<bool, Untold> {
        let seed = text(filter, "seed").ok_or("a filter without `seed`")?;
        let bucket = Bucket {
            attribute: text(filter, "attribute").unwrap_or("id"),
            fallback: None,
            seed,
            version: filter
                .get("hashVersion")
                .and_then(Value::as_u64)
                .unwrap_or(2),
        };
        let Some(place) = bucket.place(self.attributes)? else {
            return Ok(false);
        };
        let ranges = list(filter, "ranges")?;
        let ranges: Option<Vec<_>> = ranges.iter().map(buckets::range).collect();
        let ranges = ranges.ok_or("a filter's range is not a pair of numbers")?;
        Ok(ranges.iter().any(|it| it.contains(&place)))
    }

    fn rolled_out(&self, name: &str, rule: &Value) -> Result<bool, Untold> {
        let range = present(rule, "range");
        let coverage = rule.get("coverage").and_then(Value::as_f64);
        if range.is_none() && coverage.is_none() {
            return Ok(true);
        }
        let Some(place) = bucket(name, rule).place(self.attributes)? else {
            return Ok(false);
        };
        Ok(match (range, coverage) {
            (Some(range), _) => buckets::range(range)
                .ok_or("`range` is not a pair of numbers")?
                .contains(&place),
            (None, Some(share)) => share > 0.0 && place <= share,
            (None, None) => true,
        })
    }

    fn experiment(&self, name: &str, rule: &Value) -> Result<Said, Untold> {
        let variations = list(rule, "variations")?;
        let name = text(rule, "key").unwrap_or(name);
        let bucket = bucket(name, rule);
        if variations.len() < 2 || rule.get("active") == Some(&Value::Bool(false)) {
            return Ok(Said::Nothing);
        }
        if list(rule, "filters")?.is_empty()
            && let Some(namespace) = present(rule, "namespace")
            && !buckets::in_namespace(&bucket, self.attributes, namespace)?
        {
            return Ok(Said::Nothing);
        }
        let Some(place) = bucket.place(self.attributes)? else {
            return Ok(Said::Nothing);
        };
        let ranges = buckets::ranges(rule, variations.len())?;
        let chosen = ranges.iter().position(|it| it.contains(&place));
        let Some(chosen) = chosen else {
            return Ok(Said::Nothing);
        };
        let meta = list(rule, "meta")?.get(chosen);
        let holdout = meta.and_then(|it| it.get("passthrough")?.as_bool()) == Some(true);
        Ok(match variations.get(chosen) {
            Some(value) if !holdout => Said::Value(value.clone()),
            Some(_) | None => Said::Nothing,
        })
    }
}

fn bucket<'a>(name: &'a str, rule: &'a Value) -> Bucket<'a> {
    Bucket {
        attribute: text(rule, "hashAttribute").unwrap_or("id"),
        fallback: text(rule, "fallbackAttribute"),
        seed: text(rule, "seed").unwrap_or(name),
        version: rule.get("hashVersion").and_then(Value::as_u64).unwrap_or(1),
    }
}

fn present<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    value.get(name).filter(|it| !it.is_null())
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value
        .get(name)
        .and_then(Value::as_str)
        .filter(|it| !it.is_empty())
}

fn list<'a>(value: &'a Value, name: &str) -> Result<&'a [Value], Untold> {
    match present(value, name) {
        None => Ok(&[]),
        Some(Value::Array(items)) => Ok(items),
        Some(
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_),
        ) => Err("a list is something else"),
    }
}
