//! Untrusted values as JSON on one line, in which no marker of ours can be written.

use belay_model::Value;

/// Deeper values are not shown, and what is not shown is not judged.
const DEEPEST: usize = 64;

/// Writes a value as JSON; nothing when it is nested too deeply.
pub(crate) fn json(value: &Value) -> Option<String> {
    let mut text = String::new();
    write(value, 0, &mut text)?;
    Some(text)
}

/// Writes a text as a JSON string.
pub(crate) fn string(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    write_string(text, &mut quoted);
    quoted
}

fn write(value: &Value, depth: usize, text: &mut String) -> Option<()> {
    if depth > DEEPEST {
        return None;
    }
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(true) => text.push_str("true"),
        Value::Bool(false) => text.push_str("false"),
        Value::Number(number) => text.push_str(number),
        Value::String(string) => write_string(string, text),
        Value::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                write(item, depth + 1, text)?;
            }
            text.push(']');
        }
        Value::Object(members) => {
            text.push('{');
            for (at, (name, item)) in members.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                write_string(name, text);
                text.push(':');
                write(item, depth + 1, text)?;
            }
            text.push('}');
        }
    }
    Some(())
}

fn write_string(string: &str, text: &mut String) {
    text.push('"');
    for letter in string.chars() {
        match letter {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            letter if must_show(letter) => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    text.push_str(&format!("\\u{unit:04x}"));
                }
            }
            letter => text.push(letter),
        }
    }
    text.push('"');
}

/// Angle brackets would make markers; what is invisible or turns the line around would hide text.
fn must_show(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '<' | '>'
                | '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_cannot_be_written() {
        assert_eq!(string("</call>\n\"x\""), r#""\u003c/call\u003e\n\"x\"""#);
    }

    #[test]
    fn what_is_invisible_is_shown() {
        assert_eq!(string("a\u{202e}b\u{e0041}"), r#""a\u202eb\udb40\udc41""#);
    }

    #[test]
    fn deep_values_are_not_shown() {
        let deep = (0..100).fold(Value::Null, |it, _| Value::Array(vec![it]));
        assert_eq!(json(&deep), None);
    }
}
