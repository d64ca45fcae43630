//! Where between 0 and 1 somebody falls, by GrowthBook's hashes.

use std::ops::Range;

use serde_json::Value;

type Untold = &'static str;

/// What decides where somebody falls.
pub(super) struct Bucket<'a> {
    pub attribute: &'a str,
    pub fallback: Option<&'a str>,
    pub seed: &'a str,
    pub version: u64,
}

impl Bucket<'_> {
    /// Returns where the asker falls; none where the attribute is not there.
    pub(super) fn place(&self, attributes: &Value) -> Result<Option<f64>, Untold> {
        match self.subject(attributes) {
            Some(subject) => hash(self.seed, &subject, self.version)
                .map(Some)
                .ok_or("its `hashVersion` is not known"),
            None => Ok(None),
        }
    }

    fn subject(&self, attributes: &Value) -> Option<String> {
        let named = |name: &str| match attributes.get(name)? {
            Value::String(text) if !text.is_empty() => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(true) => Some("true".to_owned()),
            Value::Null
            | Value::Bool(false)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_) => None,
        };
        named(self.attribute).or_else(|| named(self.fallback?))
    }
}

/// Tells whether the asker is in a namespace: its name, and a range.
pub(super) fn in_namespace(
    bucket: &Bucket<'_>,
    attributes: &Value,
    namespace: &Value,
) -> Result<bool, Untold> {
    let wrong = "`namespace` is not a name and a range";
    let [name, from, to] = namespace.as_array().map_or(&[][..], Vec::as_slice) else {
        return Err(wrong);
    };
    let (Some(name), Some(from), Some(to)) = (name.as_str(), from.as_f64(), to.as_f64()) else {
        return Err(wrong);
    };
    let inside = |subject: String| {
        let place = hash(&format!("__{name}"), &subject, 1);
        place.is_some_and(|it| (from..to).contains(&it))
    };
    Ok(bucket.subject(attributes).is_some_and(inside))
}

/// Returns the range of each variation: as written, or from weights and coverage.
pub(super) fn ranges(rule: &Value, count: usize) -> Result<Vec<Range<f64>>, Untold> {
    if let Some(written) = rule.get("ranges").and_then(Value::as_array) {
        let ranges: Option<Vec<_>> = written.iter().map(range).collect();
        return ranges.ok_or("`ranges` are not pairs of numbers");
    }
    let coverage = rule.get("coverage").and_then(Value::as_f64).unwrap_or(1.0);
    let coverage = coverage.clamp(0.0, 1.0);
    let equal = 1.0 / f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    let weights = rule.get("weights").and_then(Value::as_array);
    let weights: Option<Vec<f64>> = weights.and_then(|it| it.iter().map(Value::as_f64).collect());
    let sums_up =
        |it: &Vec<f64>| it.len() == count && (0.99..=1.01).contains(&it.iter().sum::<f64>());
    let weights = weights.filter(sums_up);
    let weights = weights.unwrap_or_else(|| vec![equal; count]);
    let mut start = 0.0;
    let mut found = Vec::with_capacity(count);
    for weight in weights {
        found.push(start..start + weight * coverage);
        start += weight;
    }
    Ok(found)
}

/// Reads a pair of numbers as a range.
pub(super) fn range(value: &Value) -> Option<Range<f64>> {
    match value.as_array().map(Vec::as_slice) {
        Some([from, to]) => Some(from.as_f64()?..to.as_f64()?),
        Some(_) | None => None,
    }
}

/// Returns where between 0 and 1 a subject falls.
pub(crate) fn bucket(seed: &str, subject: &str) -> Option<f64> {
    hash(seed, subject, 2)
}

fn hash(seed: &str, subject: &str, version: u64) -> Option<f64> {
    match version {
        1 => Some(f64::from(fnv(&format!("{subject}{seed}")) % 1000) / 1000.0),
        2 => {
            let first = fnv(&format!("{seed}{subject}"));
            Some(f64::from(fnv(&first.to_string()) % 10_000) / 10_000.0)
        }
        _ => None,
    }
}

/// The hash reads units of UTF-16, as the first of GrowthBook's clients does.
fn fnv(text: &str) -> u32 {
    let step = |hash: u32, unit: u16| (hash ^ u32::from(unit)).wrapping_mul(0x0100_0193);
    text.encode_utf16().fold(0x811c_9dc5, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_specification() {
        for (subject, one, (seed, two)) in [
            ("a", 0.22, ("seed", 0.0505)),
            ("b", 0.077, ("seed", 0.2696)),
            ("ab", 0.946, ("foo", 0.2575)),
            ("def", 0.652, ("foo", 0.2019)),
            ("8952klfjas09ujkasdf", 0.549, ("89123klj", 0.124)),
            ("123", 0.011, ("90850943850283058242805", 0.7516)),
            ("___)((*\":&", 0.563, ("()**(%$##$%#$#", 0.0128)),
        ] {
            assert_eq!(hash("", subject, 1), Some(one), "{subject}");
            assert_eq!(hash(seed, subject, 2), Some(two), "{subject}");
        }
        assert_eq!(hash("", "a", 99), None);
    }

    #[test]
    fn weights_that_do_not_sum_up_are_equal() {
        let rule = serde_json::json!({"weights": [0.9, 0.9], "coverage": 0.5});
        assert_eq!(ranges(&rule, 2).unwrap(), [0.0..0.25, 0.5..0.75]);
    }
}
