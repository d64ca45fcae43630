//! JSON to [`Value`] and back, losing nothing a judge could need.
//!
//! Written here because the usual readers drop duplicate members and the text of numbers, and two
//! readers that differ on either see two different calls. Strict (RFC 8259), bounded in depth.

use std::fmt;

use belay_model::Value;

/// How deep arrays and objects may lie in each other.
pub const MAX_DEPTH: usize = 128;

/// Why a text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// What is wrong.
    pub kind: JsonErrorKind,
    /// At which byte.
    pub at: usize,
}

/// What can be wrong with a text that should be JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonErrorKind {
    /// The text ends too early, or is empty.
    Ended,
    /// A byte that cannot stand there.
    Stray,
    /// Something follows the value.
    Rest,
    /// A number that is not one.
    Number,
    /// An escape that is not one.
    Escape,
    /// A control character inside a string.
    Control,
    /// Bytes that are not UTF-8.
    Encoding,
    /// Nested deeper than [`MAX_DEPTH`].
    Depth,
}

impl JsonErrorKind {
    const fn word(self) -> &'static str {
        match self {
            Self::Ended => "text ended too early",
            Self::Stray => "unexpected byte",
            Self::Rest => "text after the value",
            Self::Number => "malformed number",
            Self::Escape => "malformed escape",
            Self::Control => "control character in a string",
            Self::Encoding => "not UTF-8",
            Self::Depth => "nested too deeply",
        }
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not JSON: {} at byte {}", self.kind.word(), self.at)
    }
}

impl std::error::Error for JsonError {}

/// Reads one JSON value; nothing but white space may follow it.
///
/// A surrogate without its partner becomes U+FFFD, as it does when such a string is executed.
///
/// # Errors
/// Returns what is wrong, and where, when the text is not JSON.
pub fn read(bytes: &[u8]) -> Result<Value, JsonError> {
    let text = std::str::from_utf8(bytes).map_err(|error| JsonError {
        kind: JsonErrorKind::Encoding,
        at: error.valid_up_to(),
    })?;
    let mut reader = Reader { text, at: 0 };
    reader.space();
    let value = reader.value(MAX_DEPTH)?;
    reader.space();
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.wrong(JsonErrorKind::Rest)),
    }
}

/// Returns the value as JSON without white space.
#[must_use]
pub fn compact(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

/// Appends the value as JSON without white space.
pub fn write(value: &Value, text: &mut String) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(true) => text.push_str("true"),
        Value::Bool(false) => text.push_str("false"),
        Value::Number(number) => text.push_str(number),
        Value::String(string) => write_string(string, text),
        Value::Array(items) => write_items(items, text),
        Value::Object(members) => write_members(members, text),
    }
}

/// Appends a string in quotes, with the escapes JSON needs.
pub fn write_string(string: &str, text: &mut String) {
    text.reserve(string.len() + 2);
    text.push('"');
    let special = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    let mut rest = string;
    // All between two special letters is written at once.
    while let Some(at) = rest.bytes().position(special) {
        let (plain, from) = rest.split_at(at);
        text.push_str(plain);
        let mut letters = from.chars();
        if let Some(letter) = letters.next() {
            write_escaped(letter, text);
        }
        rest = letters.as_str();
    }
    text.push_str(rest);
    text.push('"');
}

fn write_escaped(letter: char, text: &mut String) {
    match letter {
        '"' => text.push_str("\\\""),
        '\\' => text.push_str("\\\\"),
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        '\u{8}' => text.push_str("\\b"),
        '\u{c}' => text.push_str("\\f"),
        control => text.push_str(&format!("\\u{:04x}", u32::from(control))),
    }
}

fn write_items(items: &[Value], text: &mut String) {
    text.push('[');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        write(item, text);
    }
    text.push(']');
}

fn write_members(members: &[(String, Value)], text: &mut String) {
    text.push('{');
    for (at, (name, value)) in members.iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        write_string(name, text);
        text.push(':');
        write(value, text);
    }
    text.push('}');
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

type Read<T> = Result<T, JsonError>;

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    const fn wrong(&self, kind: JsonErrorKind) -> JsonError {
        JsonError { kind, at: self.at }
    }

    const fn step(&mut self) {
        self.at += 1;
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.step();
        }
    }

    fn stray<T>(&self) -> Read<T> {
        Err(self.wrong(match self.peek() {
            Some(_) => JsonErrorKind::Stray,
            None => JsonErrorKind::Ended,
        }))
    }

    fn value(&mut self, depth: usize) -> Read<Value> {
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            Some(_) | None => self.stray(),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Read<Value> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        if !rest.starts_with(word.as_bytes()) {
            return self.stray();
        }
        self.at += word.len();
        Ok(value)
    }

    fn array(&mut self, depth: usize) -> Read<Value> {
        let below = self.below(depth)?;
        let mut items = Vec::new();
        if self.closes(b']') {
            return Ok(Value::Array(items));
        }
        loop {
            self.space();
            items.push(self.value(below)?);
            if self.closes(b']') {
                return Ok(Value::Array(items));
            }
            self.expect(b',')?;
        }
    }

    fn object(&mut self, depth: usize) -> Read<Value> {
        let below = self.below(depth)?;
        let mut members = Vec::new();
        if self.closes(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            self.space();
            let name = self.string()?;
            self.space();
            self.expect(b':')?;
            self.space();
            members.push((name, self.value(below)?));
            if self.closes(b'}') {
                return Ok(Value::Object(members));
            }
            self.expect(b',')?;
        }
    }

    fn below(&mut self, depth: usize) -> Read<usize> {
        let Some(below) = depth.checked_sub(1) else {
            return Err(self.wrong(JsonErrorKind::Depth));
        };
        self.step();
        Ok(below)
    }

    fn closes(&mut self, bracket: u8) -> bool {
        self.space();
        let closes = self.peek() == Some(bracket);
        if closes {
            self.step();
        }
        closes
    }

    fn expect(&mut self, byte: u8) -> Read<()> {
        if self.peek() != Some(byte) {
            return self.stray();
        }
        self.step();
        Ok(())
    }

    fn number(&mut self) -> Read<Value> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.step();
        }
        if self.peek() == Some(b'0') {
            self.step();
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.step();
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.step();
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.step();
            }
            self.digits()?;
        }
        Ok(Value::Number(self.since(start).to_owned()))
    }

    fn digits(&mut self) -> Read<()> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.step();
        }
        if self.at == start {
            return Err(self.wrong(JsonErrorKind::Number));
        }
        Ok(())
    }

    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn string(&mut self) -> Read<String> {
        self.expect(b'"')?;
        let mut string = String::new();
        loop {
            let start = self.at;
            while !matches!(self.peek(), None | Some(b'"' | b'\\' | 0..=0x1f)) {
                self.step();
            }
            string.push_str(self.since(start));
            match self.peek() {
                None => return self.stray(),
                Some(b'"') => {
                    self.step();
                    return Ok(string);
                }
                Some(b'\\') => string.push(self.escape()?),
                Some(_) => return Err(self.wrong(JsonErrorKind::Control)),
            }
        }
    }

    fn escape(&mut self) -> Read<char> {
        self.step();
        let letter = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.step();
                return self.unicode();
            }
            Some(_) => return Err(self.wrong(JsonErrorKind::Escape)),
            None => return self.stray(),
        };
        self.step();
        Ok(letter)
    }

    fn unicode(&mut self) -> Read<char> {
        let first = self.hex()?;
        if !(0xd800..0xdc00).contains(&first) {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        if !rest.starts_with(b"\\u") {
            return Ok(char::REPLACEMENT_CHARACTER);
        }
        let back = self.at;
        self.at += 2;
        let second = self.hex()?;
        if !(0xdc00..0xe000).contains(&second) {
            self.at = back;
            return Ok(char::REPLACEMENT_CHARACTER);
        }
        let joined = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        Ok(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex(&mut self) -> Read<u32> {
        let mut number = 0;
        for _ in 0..4 {
            let Some(byte) = self.peek() else {
                return self.stray();
            };
            let Some(digit) = char::from(byte).to_digit(16) else {
                return Err(self.wrong(JsonErrorKind::Escape));
            };
            number = number * 16 + digit;
            self.step();
        }
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{JsonErrorKind, MAX_DEPTH, compact, read};

    fn same(text: &str) {
        assert_eq!(compact(&read(text.as_bytes()).unwrap()), text);
    }

    fn becomes(text: &str, other: &str) {
        assert_eq!(compact(&read(text.as_bytes()).unwrap()), other);
    }

    fn fails(text: &[u8], kind: JsonErrorKind) {
        assert_eq!(read(text).unwrap_err().kind, kind);
    }

    #[test]
    fn duplicates_and_order_stay() {
        same(r#"{"b":1,"a":2,"b":[]}"#);
    }
    #[test]
    fn numbers_keep_their_text() {
        same("[1e400,-0,1.0,123456789012345678901234567890]");
    }
    #[test]
    fn white_space_goes() {
        becomes(" { \"a\" :\n[ 1 , 2 ] } ", r#"{"a":[1,2]}"#);
    }
    #[test]
    fn surrogate_pairs_join() {
        becomes(r#""\ud83d\ude00""#, "\"\u{1f600}\"");
    }
    #[test]
    fn lone_surrogates_are_replaced() {
        becomes(
            r#""\ud83dx\udc00\ud83d\u0041""#,
            "\"\u{fffd}x\u{fffd}\u{fffd}A\"",
        );
    }
    #[test]
    fn escapes_come_back() {
        same(r#""\"\\\n\r\t\b\f\u0001/é""#);
    }
    #[test]
    fn empty_text_is_no_value() {
        fails(b"  ", JsonErrorKind::Ended);
    }
    #[test]
    fn two_values_are_one_too_many() {
        fails(b"{} {}", JsonErrorKind::Rest);
    }
    #[test]
    fn leading_zeros_are_no_number() {
        fails(b"[01]", JsonErrorKind::Stray);
    }
    #[test]
    fn raw_line_breaks_are_not_text() {
        fails(b"\"a\nb\"", JsonErrorKind::Control);
    }
    #[test]
    fn latin_1_is_not_utf_8() {
        fails(b"\"\xe9\"", JsonErrorKind::Encoding);
    }
    #[test]
    fn depth_is_bounded() {
        let deep = |depth| [b"[".repeat(depth), b"]".repeat(depth)].concat();
        assert!(read(&deep(MAX_DEPTH)).is_ok());
        fails(&deep(MAX_DEPTH + 1), JsonErrorKind::Depth);
        fails(&b"[".repeat(1 << 20), JsonErrorKind::Depth);
    }

    /// Whether the widely used reader takes the text, the things it is stricter about set aside.
    fn others_take(text: &str) -> Option<bool> {
        match serde_json::from_str::<serde_json::Value>(text) {
            Ok(_) => Some(true),
            Err(error) if error.to_string().contains("surrogate") => None,
            Err(error) if error.to_string().contains("out of range") => None,
            Err(error) if error.to_string().contains("hex escape") => None,
            Err(_) => Some(false),
        }
    }

    proptest! {
        #[test]
        fn takes_what_others_take(text in r#"[\[\]{}:,"a\\u0deE.+ntrfls \-]{0,12}"#) {
            if let Some(taken) = others_take(&text) {
                prop_assert_eq!(read(text.as_bytes()).is_ok(), taken, "{}", text);
            }
        }

        #[test]
        fn what_is_written_reads_back(string in any::<String>()) {
            let value = belay_model::Value::String(string);
            prop_assert_eq!(read(compact(&value).as_bytes()).unwrap(), value);
        }

        #[test]
        fn never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = read(&bytes);
        }
    }
}
