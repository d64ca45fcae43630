//! GrowthBook's features endpoint, evaluated here: default values, conditions on attributes,
//! percentages and experiments.

use serde_json::{Map, Value};

use super::{Asker, Request};

type Attributes = Map<String, Value>;

const DEEPEST: usize = 16;

pub(super) fn request(url: &str, asker: &Asker) -> Request {
    let key = asker.key.as_deref().unwrap_or_default();
    let url = match (url.contains("/api/features"), key) {
        (true, _) => url.to_owned(),
        (false, key) => format!("{url}/api/features/{key}"),
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
    attributes: &Attributes,
) -> Result<Map<String, Value>, &'static str> {
    let features = body.get("features").and_then(Value::as_object);
    let features = features.ok_or("no `features` (encrypted features cannot be read)")?;
    let mut values = Map::new();
    for (name, feature) in features {
        if let Some(value) = evaluate(name, feature, attributes) {
            values.insert(name.clone(), value);
        }
    }
    Ok(values)
}

fn evaluate(name: &str, feature: &Value, attributes: &Attributes) -> Option<Value> {
    let rules = feature.get("rules").and_then(Value::as_array);
    for rule in rules.into_iter().flatten() {
        if let Some(value) = apply(name, rule, attributes) {
            return Some(value);
        }
    }
    feature
        .get("defaultValue")
        .filter(|it| !it.is_null())
        .cloned()
}

/// Returns the value a rule gives, if it speaks. What we cannot evaluate does not speak.
fn apply(name: &str, rule: &Value, attributes: &Attributes) -> Option<Value> {
    let foreign = ["parentConditions", "namespace", "filters", "savedGroups"];
    if foreign
        .iter()
        .any(|it| rule.get(it).is_some_and(|it| !it.is_null()))
    {
        return None;
    }
    if let Some(condition) = rule.get("condition")
        && holds(condition, attributes, 0) != Some(true)
    {
        return None;
    }
    if let Some(force) = rule.get("force") {
        return included(name, rule, attributes).then(|| force.clone());
    }
    variation(name, rule, attributes)
}

fn included(name: &str, rule: &Value, attributes: &Attributes) -> bool {
    let coverage = rule.get("coverage").and_then(Value::as_f64);
    match coverage {
        None => rule.get("range").is_none(),
        Some(share) => bucket(name, rule, attributes).is_some_and(|it| it <= share),
    }
}

fn variation(name: &str, rule: &Value, attributes: &Attributes) -> Option<Value> {
    let variations = rule.get("variations")?.as_array()?;
    let name = rule.get("key").and_then(Value::as_str).unwrap_or(name);
    let bucket = bucket(name, rule, attributes)?;
    let coverage = rule.get("coverage").and_then(Value::as_f64).unwrap_or(1.0);
    let equal = 1.0 / f64::from(u32::try_from(variations.len()).ok()?);
    let weights = rule.get("weights").and_then(Value::as_array);
    let mut start = 0.0;
    for (at, variation) in variations.iter().enumerate() {
        let weight = weights
            .and_then(|it| it.get(at))
            .and_then(Value::as_f64)
            .unwrap_or(equal);
        if bucket >= start && bucket < start + weight * coverage {
            return Some(variation.clone());
        }
        start += weight;
    }
    None
}

/// Returns where in 0..1 the asker falls.
fn bucket(name: &str, rule: &Value, attributes: &Attributes) -> Option<f64> {
    let attribute = rule
        .get("hashAttribute")
        .and_then(Value::as_str)
        .unwrap_or("id");
    let value = match attributes.get(attribute)? {
        Value::String(text) if !text.is_empty() => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            return None;
        }
    };
    let seed = rule.get("seed").and_then(Value::as_str).unwrap_or(name);
    match rule.get("hashVersion").and_then(Value::as_u64).unwrap_or(1) {
        1 => Some(f64::from(fnv(&format!("{value}{seed}")) % 1000) / 1000.0),
        2 => {
            let first = fnv(&format!("{seed}{value}"));
            Some(f64::from(fnv(&first.to_string()) % 10_000) / 10_000.0)
        }
        _ => None,
    }
}

fn fnv(text: &str) -> u32 {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    text.bytes().fold(0x811c_9dc5, step)
}

/// Tells whether a condition holds; none where it cannot be told.
fn holds(condition: &Value, attributes: &Attributes, depth: usize) -> Option<bool> {
    if depth > DEEPEST {
        return None;
    }
    let each = |list: &Value| -> Option<Vec<bool>> {
        list.as_array()?
            .iter()
            .map(|it| holds(it, attributes, depth + 1))
            .collect()
    };
    for (name, wanted) in condition.as_object()? {
        let met = match name.as_str() {
            "$and" => each(wanted)?.into_iter().all(|it| it),
            "$or" => each(wanted)?.into_iter().any(|it| it),
            "$nor" => !each(wanted)?.into_iter().any(|it| it),
            "$not" => !holds(wanted, attributes, depth + 1)?,
            path => fits(wanted, lookup(path, attributes), depth)?,
        };
        if !met {
            return Some(false);
        }
    }
    Some(true)
}

fn lookup<'a>(path: &str, attributes: &'a Attributes) -> &'a Value {
    let mut names = path.split('.');
    let mut value = names.next().and_then(|it| attributes.get(it));
    for name in names {
        value = value.and_then(|it| it.get(name));
    }
    value.unwrap_or(&Value::Null)
}

fn fits(wanted: &Value, value: &Value, depth: usize) -> Option<bool> {
    let operators = wanted
        .as_object()
        .filter(|it| it.keys().any(|it| it.starts_with('$')));
    let Some(operators) = operators else {
        return Some(wanted == value);
    };
    for (operator, operand) in operators {
        if !operate(operator, operand, (value, depth))? {
            return Some(false);
        }
    }
    Some(true)
}

fn operate(operator: &str, operand: &Value, (value, depth): (&Value, usize)) -> Option<bool> {
    let among = || Some(operand.as_array()?.contains(value));
    let order = || {
        if let (Some(a), Some(b)) = (value.as_f64(), operand.as_f64()) {
            return a.partial_cmp(&b);
        }
        Some(value.as_str()?.cmp(operand.as_str()?))
    };
    match operator {
        "$eq" => Some(operand == value),
        "$ne" => Some(operand != value),
        "$in" => among(),
        "$nin" => among().map(|it| !it),
        "$gt" => Some(order()?.is_gt()),
        "$gte" => Some(order()?.is_ge()),
        "$lt" => Some(order()?.is_lt()),
        "$lte" => Some(order()?.is_le()),
        "$exists" => Some(operand.as_bool()? != value.is_null()),
        "$not" if depth <= DEEPEST => fits(operand, value, depth + 1).map(|it| !it),
        _ => None,
    }
}
