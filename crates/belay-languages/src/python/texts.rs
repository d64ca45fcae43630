//! Texts: what operators and methods make of them.

use super::arguments::Arguments;
use super::value::{Atom, LONGEST, Rest, Text, Value};

/// So many texts are made from others.
const MOST: usize = 8;

/// Returns a value as it stands in a string.
pub(super) fn as_text(value: &Value) -> Value {
    let mut all = Value::never();
    for atom in &value.atoms {
        let text = if let Atom::Text(text) | Atom::Path(text) = atom {
            Atom::Text(text.clone())
        } else {
            Atom::Inert
        };
        all.join(&Value::of(text));
    }
    all.labelled(&value.labels).telling(value)
}

/// Tells whether a format shows a whole number, in digits, and nothing else.
pub(super) fn in_digits(format: &str) -> bool {
    let width = format.strip_suffix('d').unwrap_or_default();
    format.ends_with('d') && width.bytes().all(|it| it.is_ascii_digit())
}

/// Returns a number as it stands in a string, in a format of digits: what is no number makes no text.
pub(super) fn counted(value: &Value) -> Value {
    let is_number = |it: &Atom| matches!(it, Atom::Text(text) if text.is_number());
    let shown = if value.atoms.iter().all(is_number) {
        Value::number()
    } else {
        Value::inert()
    };
    shown.labelled(&value.labels).telling(value)
}

/// One text with another behind it.
pub(super) fn joined(left: &Value, right: &Value) -> Value {
    let mut all = Value::never();
    for first in left.texts() {
        for second in right.texts() {
            let text = first.then(&second);
            let atom = if text.known.is_empty() && text.rest == Rest::Anything {
                Atom::Inert
            } else {
                Atom::Text(text)
            };
            all.join(&Value::of(atom));
        }
    }
    all.labelled(&left.labels).labelled(&right.labels)
}

/// `'%s/x' % value`: known where the format holds `%s` alone.
pub(super) fn filled(format: &Value, value: &Value, items: Option<&[Value]>) -> Value {
    let unknown = || {
        let beginning = |it: &str| it.split(['%', '{']).next().unwrap_or_default().to_owned();
        match format.whole().map(beginning) {
            Some(known) if !known.is_empty() => {
                Value::of(Atom::Text(Text::begins(known, Rest::Anything)))
            }
            _ => Value::inert(),
        }
    };
    let Some(text) = format.whole() else {
        return unknown();
    };
    let pieces: Vec<&str> = text.split("%s").collect();
    let one = [value.clone()];
    let values = items.unwrap_or(&one);
    if pieces.iter().any(|it| it.contains('%')) || pieces.len() != values.len() + 1 {
        return unknown();
    }
    let mut pieces = pieces.into_iter();
    let mut made = Value::text(pieces.next().unwrap_or_default());
    for (value, piece) in values.iter().zip(pieces) {
        made = joined(&made, &as_text(value));
        made = joined(&made, &Value::text(piece));
    }
    made
}

/// Tells whether a format walks from its arguments to their members.
pub(super) fn walks(format: &str) -> bool {
    let fields = format.replace("{{", "");
    let mut fields = fields.split('{').skip(1);
    fields.any(|it| {
        let name = it.split(['}', ':', '!']).next().unwrap_or_default();
        name.contains(['.', '['])
    })
}

/// Returns what a method makes of a text; nothing when it is not followed.
pub(super) fn method(text: &Text, name: &str, arguments: &Arguments) -> Option<Value> {
    let exact = |made: String| Some(Value::text(made));
    let whole = text.whole();
    let given: Vec<Option<&str>> = arguments.plain.iter().map(Value::whole).collect();
    match (name, given.as_slice()) {
        ("encode" | "decode" | "expanduser" | "expandtabs", _) => {
            Some(Value::of(Atom::Text(text.clone())))
        }
        ("strip", []) => exact(whole?.trim().to_owned()),
        ("rstrip", []) => exact(whole?.trim_end().to_owned()),
        ("lstrip", []) => exact(whole?.trim_start().to_owned()),
        ("lower" | "casefold", []) => exact(whole?.to_lowercase()),
        ("upper", []) => exact(whole?.to_uppercase()),
        ("replace", [Some(from), Some(to)]) if !from.is_empty() => exact(whole?.replace(from, to))
            .filter(|it| it.whole().is_some_and(|it| it.len() <= LONGEST)),
        ("removesuffix", [Some(end)]) => {
            let whole = whole?;
            exact(whole.strip_suffix(end).unwrap_or(whole).to_owned())
        }
        ("removeprefix", [Some(start)]) => {
            let whole = whole?;
            exact(whole.strip_prefix(start).unwrap_or(whole).to_owned())
        }
        _ => None,
    }
}

/// Returns the words of a text.
pub(super) fn split(text: &Text, arguments: &Arguments) -> Option<Vec<Value>> {
    let whole = text.whole()?;
    let words: Vec<Value> = match arguments.plain.as_slice() {
        [] if arguments.named.is_empty() => whole.split_whitespace().map(Value::text).collect(),
        [by] => whole
            .split(by.whole().filter(|it| !it.is_empty())?)
            .map(Value::text)
            .collect(),
        _ => return None,
    };
    (words.len() <= 64).then_some(words)
}

/// `'{}/{}'.format(a, b)`: known where the braces are empty.
pub(super) fn formatted(format: &str, arguments: &Arguments) -> Option<Value> {
    let pieces: Vec<&str> = format.split("{}").collect();
    let braces = pieces.iter().any(|it| it.contains(['{', '}']));
    if braces || pieces.len() != arguments.plain.len() + 1 || arguments.more.is_some() {
        return None;
    }
    let mut pieces = pieces.into_iter();
    let mut made = Value::text(pieces.next()?);
    for (value, piece) in arguments.plain.iter().zip(pieces) {
        made = joined(&made, &as_text(value));
        made = joined(&made, &Value::text(piece));
    }
    (made.atoms.len() <= MOST).then_some(made)
}

/// Returns the part of a glob that every match begins with, up to the folder.
pub(super) fn glob_folder(pattern: &Text) -> Text {
    let known = pattern
        .known
        .split(['*', '?', '['])
        .next()
        .unwrap_or_default();
    if known == pattern.known && pattern.rest == Rest::Nothing {
        return pattern.clone();
    }
    let folder = known.rsplit_once('/').map_or("", |(folder, _)| folder);
    let upwards = pattern.known.split('/').any(|it| it == "..") && !known.contains("..");
    if upwards || pattern.rest == Rest::Anything {
        return Text::begins(known, Rest::Anything);
    }
    let folder = match (folder, known.starts_with('/')) {
        ("", true) => "/".to_owned(),
        ("", false) => String::new(),
        (folder, _) => format!("{folder}/"),
    };
    Text::begins(folder, Rest::Below)
}

/// Returns a text without the blanks that all of its lines begin with.
pub(super) fn dedented(text: &str) -> String {
    let blank = |it: &str| it.trim_matches([' ', '\t']).is_empty();
    let margin = |it: &str| it.len() - it.trim_start_matches([' ', '\t']).len();
    let mut lines = text.split('\n').filter(|it| !blank(it));
    let Some(first) = lines.next() else {
        return text.replace([' ', '\t'], "");
    };
    let mut common = first.get(..margin(first)).unwrap_or_default();
    for line in lines {
        let same = line.bytes().zip(common.bytes());
        let same = same.take_while(|(one, other)| one == other).count();
        common = common.get(..same).unwrap_or_default();
    }
    let cut = |it: &str| it.strip_prefix(common).unwrap_or_default().to_owned();
    let lines: Vec<String> = text
        .split('\n')
        .map(|it| if blank(it) { String::new() } else { cut(it) })
        .collect();
    lines.join("\n")
}
