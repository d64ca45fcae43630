//! Reads JSON so that nothing is lost (a member that comes twice is seen twice), and makes it so
//! that members keep their order.

use std::fmt;

use belay_model::Value;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::Fault;

/// Reads a reply; a member that comes twice anywhere makes it worthless, as readers differ on
/// which one counts.
pub(crate) fn read(bytes: &[u8]) -> Result<Value, Fault> {
    let malformed = |why: &dyn fmt::Display| Fault::Malformed(why.to_string());
    let whole: Whole = serde_json::from_slice(bytes).map_err(|why| malformed(&why))?;
    if whole.0.has_duplicates() {
        return Err(malformed(&"a member comes twice"));
    }
    Ok(whole.0)
}

/// Returns a number that counts something.
pub(crate) fn count(value: &Value, path: &[&str]) -> Option<u64> {
    let found = path.iter().try_fold(value, |it, name| it.get(name))?;
    match found {
        Value::Number(text) => text.parse().ok(),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    }
}

/// Makes an object; its members stay in this order.
pub(crate) fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    with(Value::Object(Vec::new()), members)
}

/// Adds members at the end of an object.
pub(crate) fn with<const N: usize>(object: Value, more: [(&str, Value); N]) -> Value {
    let mut members = match object {
        Value::Object(members) => members,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Vec::new()
        }
    };
    members.extend(more.map(|(name, value)| (name.to_owned(), value)));
    Value::Object(members)
}

/// Makes a list.
pub(crate) fn list<T: Into<Value>>(items: impl IntoIterator<Item = T>) -> Value {
    Value::Array(items.into_iter().map(Into::into).collect())
}

/// Makes a number.
pub(crate) fn number(number: u64) -> Value {
    Value::Number(number.to_string())
}

/// Writes a value as JSON text, members in their order.
pub(crate) fn text(value: &Value) -> Result<String, Fault> {
    serde_json::to_string(&Ordered(value)).map_err(|why| Fault::Malformed(why.to_string()))
}

/// A value for writers that sort nothing. `serde_json::Value` sorts its members by name, and a
/// schema sorted by name makes a model decide before it has thought.
pub(crate) struct Ordered<'a>(pub(crate) &'a Value);

impl Serialize for Ordered<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(it) => serializer.serialize_bool(*it),
            Value::Number(text) => match (text.parse::<u64>(), text.parse::<f64>()) {
                (Ok(it), _) => serializer.serialize_u64(it),
                (Err(_), Ok(it)) => serializer.serialize_f64(it),
                (Err(_), Err(_)) => serializer.serialize_str(text),
            },
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(items) => serializer.collect_seq(items.iter().map(Ordered)),
            Value::Object(members) => {
                serializer.collect_map(members.iter().map(|(name, it)| (name, Ordered(it))))
            }
        }
    }
}

struct Whole(Value);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Whole;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Whole, E> {
        Ok(Whole(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Whole, E> {
        Ok(Whole(Value::Bool(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Whole, E> {
        Ok(Whole(Value::Number(value.to_string())))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Whole, E> {
        Ok(Whole(Value::Number(value.to_string())))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Whole, E> {
        Ok(Whole(Value::Number(value.to_string())))
    }

    fn visit_str<E>(self, value: &str) -> Result<Whole, E> {
        Ok(Whole(Value::from(value)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Whole, A::Error> {
        let mut all = Vec::new();
        while let Some(Whole(item)) = items.next_element()? {
            all.push(item);
        }
        Ok(Whole(Value::Array(all)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Whole, A::Error> {
        let mut all = Vec::new();
        while let Some((name, Whole(item))) = members.next_entry::<String, Whole>()? {
            all.push((name, item));
        }
        Ok(Whole(Value::Object(all)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_that_comes_twice_is_refused() {
        assert!(read(br#"{"a":{"b":1,"b":2}}"#).is_err());
        assert!(read(br#"{"a":[1,null,"x",true,1.5]}"#).is_ok());
        assert!(read(br#"{"a":1} trailing"#).is_err());
    }
}
