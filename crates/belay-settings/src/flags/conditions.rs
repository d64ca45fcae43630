//! Conditions on attributes, in the manner of MongoDB's queries.
//!
//! INVARIANT: every condition is told in bounded time; what cannot be told is an error, never a yes.

use std::cmp::Ordering;

use regex_lite::RegexBuilder;
use serde_json::{Map, Value};

const DEEPEST: usize = 16;
/// The longest regular expression, and the longest text it is tried on.
const LONGEST: usize = 1024;
/// The most bytes of a compiled regular expression.
const LARGEST: usize = 64 * 1024;

type Untold = &'static str;

/// What conditions are measured with, beside attributes.
pub(super) struct Scales<'a> {
    /// Saved groups by their name.
    pub groups: &'a Value,
}

/// Tells whether a condition holds for an object.
pub(super) fn holds(condition: &Value, given: &Value, scales: &Scales<'_>) -> Result<bool, Untold> {
    Reader { scales, depth: 0 }.holds(condition, given)
}

#[derive(Clone, Copy)]
struct Reader<'a> {
    scales: &'a Scales<'a>,
    depth: usize,
}

impl Reader<'_> {
    const fn deeper(self) -> Result<Self, Untold> {
        if self.depth >= DEEPEST {
            return Err("its condition is nested too deeply");
        }
        Ok(Self {
            depth: self.depth + 1,
            ..self
        })
    }

    fn holds(self, condition: &Value, given: &Value) -> Result<bool, Untold> {
        let condition = condition
            .as_object()
            .ok_or("a condition is not an object")?;
        for (name, wanted) in condition {
            let met = match name.as_str() {
                "$and" => self.count(wanted, given)? == items(wanted)?.len(),
                "$or" => items(wanted)?.is_empty() || self.count(wanted, given)? > 0,
                "$nor" => !items(wanted)?.is_empty() && self.count(wanted, given)? == 0,
                "$not" => !self.deeper()?.holds(wanted, given)?,
                path => self.fits(wanted, lookup(path, given))?,
            };
            if !met {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Counts the conditions of a list that hold.
    fn count(self, list: &Value, given: &Value) -> Result<usize, Untold> {
        let inner = self.deeper()?;
        let mut held = 0;
        for condition in items(list)? {
            held += usize::from(inner.holds(condition, given)?);
        }
        Ok(held)
    }

    fn fits(self, wanted: &Value, value: &Value) -> Result<bool, Untold> {
        match wanted {
            Value::String(text) => Ok(as_text(value).as_deref() == Some(text)),
            Value::Number(number) => Ok(as_number(value) == number.as_f64()),
            Value::Bool(answer) => Ok(!value.is_null() && is_something(value) == *answer),
            Value::Null => Ok(value.is_null()),
            Value::Object(object) if is_operators(object) => self.operators(object, value),
            Value::Array(_) | Value::Object(_) => Ok(wanted == value),
        }
    }

    fn operators(self, object: &Map<String, Value>, value: &Value) -> Result<bool, Untold> {
        let inner = self.deeper()?;
        for (operator, operand) in object {
            if !inner.operate(operator, operand, value)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn operate(self, operator: &str, operand: &Value, value: &Value) -> Result<bool, Untold> {
        Ok(match operator {
            "$eq" => operand == value,
            "$ne" => operand != value,
            "$in" => among(value, items(operand)?, Case::Counts),
            "$nin" => !among(value, items(operand)?, Case::Counts),
            "$ini" => among(value, items(operand)?, Case::Ignored),
            "$nini" => !among(value, items(operand)?, Case::Ignored),
            "$inGroup" => among(value, self.group(operand), Case::Counts),
            "$notInGroup" => !among(value, self.group(operand), Case::Counts),
            "$gt" => order(value, operand).is_some_and(Ordering::is_gt),
            "$gte" => order(value, operand).is_some_and(Ordering::is_ge),
            "$lt" => order(value, operand).is_some_and(Ordering::is_lt),
            "$lte" => order(value, operand).is_some_and(Ordering::is_le),
            "$veq" => versions(value, operand).is_eq(),
            "$vne" => versions(value, operand).is_ne(),
            "$vgt" => versions(value, operand).is_gt(),
            "$vgte" => versions(value, operand).is_ge(),
            "$vlt" => versions(value, operand).is_lt(),
            "$vlte" => versions(value, operand).is_le(),
            "$exists" => is_something(operand) != value.is_null(),
            "$type" => operand.as_str() == Some(kind(value)),
            "$regex" => found(operand, value, Case::Counts)?,
            "$regexi" => found(operand, value, Case::Ignored)?,
            "$not" => !self.fits(operand, value)?,
            "$size" => match value.as_array() {
                Some(list) => self.fits(operand, &Value::from(list.len()))?,
                None => false,
            },
            "$elemMatch" => self.any_fits(operand, value)?,
            "$all" => self.all_fit(operand, value)?,
            _ => return Err("its condition uses an operator that belay does not know"),
        })
    }

    fn group(&self, name: &Value) -> &[Value] {
        let name = name.as_str().unwrap_or_default();
        let group = self.scales.groups.get(name).and_then(Value::as_array);
        group.map_or(&[], Vec::as_slice)
    }

    fn any_fits(self, operand: &Value, value: &Value) -> Result<bool, Untold> {
        let operators = operand.as_object().is_some_and(is_operators);
        for item in value.as_array().into_iter().flatten() {
            let fits = if operators {
                self.fits(operand, item)?
            } else {
                self.holds(operand, item)?
            };
            if fits {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn all_fit(self, operand: &Value, value: &Value) -> Result<bool, Untold> {
        let Some(list) = value.as_array() else {
            return Ok(false);
        };
        for wanted in items(operand)? {
            let mut fits = false;
            for item in list {
                fits |= self.fits(wanted, item)?;
            }
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn lookup<'a>(path: &str, given: &'a Value) -> &'a Value {
    let found = path.split('.').try_fold(given, |at, name| at.get(name));
    found.unwrap_or(&Value::Null)
}

fn items(value: &Value) -> Result<&[Value], Untold> {
    let items = value.as_array().map(Vec::as_slice);
    items.ok_or("its condition wants a list")
}

/// Tells whether all names of an object are operators.
fn is_operators(object: &Map<String, Value>) -> bool {
    !object.is_empty() && object.keys().all(|it| it.starts_with('$'))
}

fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        Value::Bool(answer) => Some(f64::from(u8::from(*answer))),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn is_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(answer) => *answer,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Counts,
    Ignored,
}

/// Tells whether a value, or one of a list of values, is in a list.
fn among(value: &Value, list: &[Value], case: Case) -> bool {
    let same = |a: &Value, b: &Value| match (case, a, b) {
        (Case::Ignored, Value::String(a), Value::String(b)) => a.to_lowercase() == b.to_lowercase(),
        (Case::Ignored | Case::Counts, a, b) => a == b,
    };
    let listed = |it: &Value| list.iter().any(|other| same(it, other));
    match value {
        Value::Array(values) => values.iter().any(listed),
        single @ Value::Null
        | single @ Value::Bool(_)
        | single @ Value::Number(_)
        | single @ Value::String(_)
        | single @ Value::Object(_) => listed(single),
    }
}

/// Compares texts with texts, and all else as numbers; what is not there counts as 0.
fn order(value: &Value, operand: &Value) -> Option<Ordering> {
    let number = |it: &Value| {
        if it.is_null() {
            Some(0.0)
        } else {
            as_number(it)
        }
    };
    match (value, operand) {
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        (a, b) => number(a)?.partial_cmp(&number(b)?),
    }
}

/// Compares versions: numbers by their size, and a release after its candidates.
fn versions(value: &Value, operand: &Value) -> Ordering {
    let padded = |it: &Value| pad(as_text(it).as_deref().unwrap_or("0"));
    padded(value).cmp(&padded(operand))
}

fn pad(version: &str) -> String {
    let bare = version.strip_prefix('v').unwrap_or(version);
    let bare = bare.split('+').next().unwrap_or(bare);
    let mut parts: Vec<&str> = bare.split(['-', '.']).collect();
    if parts.len() == 3 {
        parts.push("~");
    }
    let padded = parts.iter().map(|part| {
        let number = !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
        if number {
            format!("{part:>5}")
        } else {
            (*part).to_owned()
        }
    });
    padded.collect::<Vec<_>>().join("-")
}

/// Tells whether a regular expression is found in a text; its time is bounded by both lengths.
fn found(expression: &Value, value: &Value, case: Case) -> Result<bool, Untold> {
    let expression = expression.as_str().ok_or("its `$regex` is not text")?;
    let Some(text) = as_text(value) else {
        return Ok(false);
    };
    if expression.len() > LONGEST || text.len() > LONGEST {
        return Err("its `$regex`, or the attribute, is too long");
    }
    let mut builder = RegexBuilder::new(expression);
    builder
        .size_limit(LARGEST)
        .case_insensitive(case == Case::Ignored);
    match builder.build() {
        Ok(regex) => Ok(regex.is_match(&text)),
        Err(_) => Err("its `$regex` cannot be read (no look-around, no back-references)"),
    }
}
