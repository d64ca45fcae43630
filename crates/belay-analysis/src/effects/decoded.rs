//! Texts that programs turn into others, letter by letter: encodings, and letters for letters.
//!
//! INVARIANT: what is not written just as its encoding says stays unknown; programs differ in what they make of the rest.

use crate::machine::stream::Stream;
use crate::machine::value::Val;

/// Returns what comes out where all that goes in is known.
pub(crate) fn turned(input: &Stream, turn: impl Fn(&str) -> Option<String>) -> Option<Stream> {
    let val = input.text.as_ref()?;
    let mut out = Vec::new();
    for choice in val.choices() {
        let text = turn(choice.text()?)?;
        out.push(Val::known(text).carrying(choice.carries));
    }
    Some(Stream::of(Val::any_of(out)))
}

/// Decodes base64, with its padding.
pub(crate) fn from_base64(text: &str) -> Option<String> {
    let letters: Vec<u8> = text.bytes().filter(|it| *it != b'\n').collect();
    if !letters.len().is_multiple_of(4) {
        return None;
    }
    let mut out = Vec::with_capacity(letters.len());
    let last = letters.len().saturating_sub(4);
    for (at, four) in letters.chunks(4).enumerate() {
        let padded = four.iter().rev().take_while(|it| **it == b'=').count();
        if padded > 2 || (padded > 0 && at * 4 != last) {
            return None;
        }
        let mut bits = 0_u32;
        for letter in four.iter().take(4 - padded) {
            bits = (bits << 6) | sextet(*letter)?;
        }
        bits <<= 6 * padded;
        let bytes = bits.to_be_bytes();
        // What the last letter holds beyond the last byte is nothing.
        if bytes.iter().skip(4 - padded).any(|it| *it != 0) {
            return None;
        }
        out.extend(bytes.iter().skip(1).take(3 - padded));
    }
    plain(out)
}

fn sextet(letter: u8) -> Option<u32> {
    let number = match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(number.into())
}

/// Decodes lines of plain hex.
pub(crate) fn from_hex(text: &str) -> Option<String> {
    let mut out = Vec::new();
    for line in text.lines() {
        let digits: Option<Vec<u32>> = line.chars().map(|it| it.to_digit(16)).collect();
        for pair in digits?.chunks(2) {
            let [high, low] = pair else { return None };
            out.push(u8::try_from(high * 16 + low).ok()?);
        }
    }
    plain(out)
}

/// A text that every program reads alike.
fn plain(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes)
        .ok()
        .filter(|it| !it.contains('\0'))
}

/// Turns each line round. What a letter is beyond ASCII, the locale says.
pub(crate) fn reversed(text: &str) -> Option<String> {
    let turn = |line: &str| match line.strip_suffix('\n') {
        Some(line) => line.chars().rev().chain(['\n']).collect::<String>(),
        None => line.chars().rev().collect(),
    };
    let fits = text.is_ascii() && !text.contains('\r');
    fits.then(|| text.split_inclusive('\n').map(turn).collect())
}

/// Puts the letters of one set in the place of those of another; a set that is too short goes on with its last letter.
pub(crate) fn translated(text: &str, from: &str, to: &str) -> Option<String> {
    let (from, to) = (letters(from)?, letters(to)?);
    let last = to.last()?;
    let turn = |c: char| match from.iter().position(|it| *it == c) {
        Some(at) => *to.get(at).unwrap_or(last),
        None => c,
    };
    text.is_ascii().then(|| text.chars().map(turn).collect())
}

/// Leaves out the letters of a set.
pub(crate) fn lacking(text: &str, set: &str) -> Option<String> {
    let set = letters(set)?;
    let left = || text.chars().filter(|it| !set.contains(it)).collect();
    text.is_ascii().then(left)
}

/// Returns the letters of a set that is made of letters and ranges alone, none of them twice.
fn letters(set: &str) -> Option<Vec<char>> {
    let mut out: Vec<char> = Vec::new();
    let mut rest = set.chars().peekable();
    while let Some(first) = rest.next() {
        if !first.is_ascii() || matches!(first, '\\' | '[' | ']' | '\0') {
            return None;
        }
        let range = rest.peek() == Some(&'-') && rest.clone().count() > 1;
        let last = match range {
            true => rest.nth(1)?,
            false => first,
        };
        // What lies between letters of different kinds, the locale may say.
        let alike = first == last
            || [
                char::is_ascii_lowercase,
                char::is_ascii_uppercase,
                char::is_ascii_digit,
            ]
            .iter()
            .any(|kind: &fn(&char) -> bool| kind(&first) && kind(&last));
        if !alike || first > last {
            return None;
        }
        out.extend(first..=last);
    }
    let mut once = out.clone();
    once.sort_unstable();
    once.dedup();
    (!out.is_empty() && once.len() == out.len()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_written_as_it_should_be_is_decoded() {
        let some = |it: &str| Some(it.to_owned());
        assert_eq!(from_base64("cm0gLXJm\nIHg=\n"), some("rm -rf x"));
        for text in [
            "cm0gLXJmIHg",
            "cg==cg==",
            "c m0=",
            "cm0_",
            "AA==",
            "ch==",
            "/w==",
        ] {
            assert_eq!(from_base64(text), None, "{text}");
        }
        assert_eq!(from_hex("726d\n2078\n"), some("rm x"));
        for text in ["726", "72 6d", "0x72", "00", "7\n2"] {
            assert_eq!(from_hex(text), None, "{text}");
        }
        assert_eq!(reversed("ba\ndc"), some("ab\ncd"));
        assert_eq!(reversed("é"), None);
        assert_eq!(translated("ez", "A-Za-z", "N-ZA-Mn-za-m"), some("rm"));
        assert_eq!(translated("abc", "abc", "x"), some("xxx"));
        for (from, to) in [
            ("[:lower:]", "x"),
            ("a\\n", "b"),
            ("z-a", "b"),
            ("aa", "bc"),
            ("A-z", "b"),
            ("a", ""),
        ] {
            assert_eq!(translated("a", from, to), None, "{from} {to}");
        }
        assert_eq!(lacking("r-m", "-"), some("rm"));
        assert_eq!(lacking("r,m", "a-c,"), some("rm"));
    }
}
