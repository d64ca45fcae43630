//! OTLP logs as protobuf, as collectors pass them on: read into the same values that the JSON form has.
//!
//! INVARIANT: what is not whole is nothing; fields that we do not know are skipped. Nothing nests deeper than the protocol does.

use belay_model::Value;

use crate::otlp::object;

/// Values inside values; more is nobody's record.
const DEEPEST: usize = 8;

/// What a field holds on the wire.
enum Wire<'b> {
    Number(u64),
    Fixed(u64),
    Bytes(&'b [u8]),
}

/// The fields of a message, in the order they came; nothing when it is not one.
struct Fields<'b>(&'b [u8]);

impl<'b> Fields<'b> {
    fn varint(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..70).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn bytes(&mut self, count: usize) -> Option<&'b [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    fn field(&mut self) -> Option<(u64, Wire<'b>)> {
        let tag = self.varint()?;
        let held = match tag & 7 {
            0 => Wire::Number(self.varint()?),
            1 => Wire::Fixed(little(self.bytes(8)?)),
            2 => {
                let count = usize::try_from(self.varint()?).ok()?;
                Wire::Bytes(self.bytes(count)?)
            }
            5 => Wire::Fixed(little(self.bytes(4)?)),
            _ => return None,
        };
        Some((tag >> 3, held))
    }

    fn all(mut self) -> Option<Vec<(u64, Wire<'b>)>> {
        let mut all = Vec::new();
        while !self.0.is_empty() {
            all.push(self.field()?);
        }
        Some(all)
    }
}

fn little(bytes: &[u8]) -> u64 {
    let step = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
    bytes.iter().rev().fold(0, step)
}

fn text(bytes: &[u8]) -> Value {
    Value::from(String::from_utf8_lossy(bytes).as_ref())
}

/// Returns the messages of one field, each read in one way.
fn each(
    all: &[(u64, Wire<'_>)],
    number: u64,
    read: impl Fn(&[u8]) -> Option<Value>,
) -> Option<Value> {
    let messages = all.iter().filter_map(|(at, held)| match held {
        Wire::Bytes(bytes) if *at == number => Some(*bytes),
        Wire::Bytes(_) | Wire::Number(_) | Wire::Fixed(_) => None,
    });
    let read: Option<Vec<Value>> = messages.map(read).collect();
    read.map(Value::Array)
}

/// Reads a request; nothing when it is not one.
pub(crate) fn request(bytes: &[u8]) -> Option<Value> {
    let logs = each(&Fields(bytes).all()?, 1, of_resource)?;
    Some(object(vec![("resourceLogs", logs)]))
}

/// Writes an answer: how many records nobody can store.
pub(crate) fn taken(rejected: u64) -> Vec<u8> {
    if rejected == 0 {
        return Vec::new();
    }
    let mut inner = vec![0x08];
    let mut rest = rejected;
    while rest > 0x7f {
        inner.push(u8::try_from(rest & 0x7f).unwrap_or(0) | 0x80);
        rest >>= 7;
    }
    inner.push(u8::try_from(rest).unwrap_or(0));
    let length = u8::try_from(inner.len()).unwrap_or(0);
    [vec![0x0a, length], inner].concat()
}

fn of_resource(bytes: &[u8]) -> Option<Value> {
    let all = Fields(bytes).all()?;
    let mut members = vec![("scopeLogs", each(&all, 2, of_scope)?)];
    if let Value::Array(resources) = each(&all, 1, resource)? {
        members.extend(resources.into_iter().map(|it| ("resource", it)));
    }
    Some(object(members))
}

fn resource(bytes: &[u8]) -> Option<Value> {
    let attributes = each(&Fields(bytes).all()?, 1, pair)?;
    Some(object(vec![("attributes", attributes)]))
}

fn of_scope(bytes: &[u8]) -> Option<Value> {
    let records = each(&Fields(bytes).all()?, 2, record)?;
    Some(object(vec![("logRecords", records)]))
}

fn record(bytes: &[u8]) -> Option<Value> {
    let all = Fields(bytes).all()?;
    let mut members = vec![("attributes", each(&all, 6, pair)?)];
    for (number, held) in &all {
        match (number, held) {
            (1, Wire::Fixed(at)) => members.push(("timeUnixNano", Value::String(at.to_string()))),
            (5, Wire::Bytes(bytes)) => members.push(("body", value(bytes, 0)?)),
            (12, Wire::Bytes(bytes)) => members.push(("eventName", text(bytes))),
            (_, Wire::Bytes(_) | Wire::Number(_) | Wire::Fixed(_)) => {}
        }
    }
    Some(object(members))
}

fn pair(bytes: &[u8]) -> Option<Value> {
    let mut members = Vec::new();
    for (number, held) in Fields(bytes).all()? {
        match (number, held) {
            (1, Wire::Bytes(bytes)) => members.push(("key", text(bytes))),
            (2, Wire::Bytes(bytes)) => members.push(("value", value(bytes, 0)?)),
            (_, Wire::Bytes(_) | Wire::Number(_) | Wire::Fixed(_)) => {}
        }
    }
    Some(object(members))
}

fn value(bytes: &[u8], depth: usize) -> Option<Value> {
    if depth > DEEPEST {
        return None;
    }
    let mut members = Vec::new();
    for (number, held) in Fields(bytes).all()? {
        match (number, held) {
            (1, Wire::Bytes(bytes)) => members.push(("stringValue", text(bytes))),
            (2, Wire::Number(flag)) => members.push(("boolValue", Value::Bool(flag != 0))),
            (3, Wire::Number(bits)) => {
                let number = bits.cast_signed().to_string();
                members.push(("intValue", Value::String(number)));
            }
            (5, Wire::Bytes(bytes)) => {
                let values = each(&Fields(bytes).all()?, 1, |it| value(it, depth + 1))?;
                members.push(("arrayValue", object(vec![("values", values)])));
            }
            (_, Wire::Bytes(_) | Wire::Number(_) | Wire::Fixed(_)) => {}
        }
    }
    Some(object(members))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::otlp::{read_logs, read_logs_packed};

    /// One record, as opentelemetry-proto writes it.
    const REQUEST: &str = "0a6d0a120a100a07686f73742e696412050a036d2d3112570a070a0562656c6179124c0900000db77e91e51810092a030a0162320f0a\
        0962656c61792e7365711202180532070a01781202100132100a0174120b2a090a030a01710a020a00620e62656c61792e6465636973696f6e";

    fn bytes() -> Vec<u8> {
        let digits: Vec<u8> = REQUEST.bytes().filter(u8::is_ascii_hexdigit).collect();
        let byte = |it: &[u8]| u8::from_str_radix(std::str::from_utf8(it).unwrap(), 16).unwrap();
        digits.chunks(2).map(byte).collect()
    }

    #[test]
    fn both_forms_say_the_same() {
        let json = r#"{"resourceLogs":[{"resource":{"attributes":[{"key":"host.id","value":{"stringValue":"m-1"}}]},"scopeLogs":[{"scope":{"name":"belay"},"logRecords":[{"timeUnixNano":"1794000000000000000","severityNumber":9,"eventName":"belay.decision","body":{"stringValue":"b"},"attributes":[{"key":"belay.seq","value":{"intValue":"5"}},{"key":"x","value":{"boolValue":true}},{"key":"t","value":{"arrayValue":{"values":[{"stringValue":"q"},{"stringValue":""}]}}}]}]}]}]}"#;
        let read = read_logs_packed(&bytes()).unwrap();
        assert_eq!(read.len(), 1);
        assert_eq!(read, read_logs(json.as_bytes()).unwrap());
    }

    #[test]
    fn an_answer_counts_what_was_rejected() {
        assert_eq!(taken(0), b"");
        assert_eq!(taken(5), b"\x0a\x02\x08\x05");
        assert_eq!(taken(300), b"\x0a\x03\x08\xac\x02");
    }

    #[test]
    fn half_of_it_is_nothing_and_nothing_breaks() {
        let whole = bytes();
        for end in 1..whole.len() {
            assert_eq!(read_logs_packed(&whole[..end]), None, "{end}");
        }
        for at in 0..whole.len() {
            for flip in [1, 0x80, 0xff] {
                let mut bent = whole.clone();
                bent[at] ^= flip;
                let _ = read_logs_packed(&bent);
            }
        }
        let deep = (0..100).fold(b"\x0a\x01x".to_vec(), |inner, _| {
            let of = |tag: u8, it: Vec<u8>| {
                [vec![tag, u8::try_from(it.len()).unwrap_or(0x7f)], it].concat()
            };
            of(0x2a, of(0x0a, inner))
        });
        assert_eq!(value(&deep, 0), None);
        assert_eq!(read_logs_packed(b""), Some(Vec::new()));
    }
}
