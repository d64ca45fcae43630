//! Flags of programs that carry a secret: `mysql -pX`, `redis-cli -a X`, `curl -u me:X`.

use std::ops::Range;

use crate::glimpse::Glimpse;
use crate::lists::{FLAGS, Flag};
use crate::values::is_value;

/// A flag stands within so many words of its program.
const FAR: usize = 64;

/// Finds the values.
pub(crate) fn find(text: &str, glimpse: &Glimpse, found: &mut Vec<Range<usize>>) {
    let mut programs = FLAGS.iter().flat_map(|it| it.programs);
    if !programs.any(|it| glimpse.may_hold(it) && text.contains(it)) {
        return;
    }
    let mut line: Vec<Range<usize>> = Vec::new();
    for word in words(text) {
        let shown = text.get(word.clone()).unwrap_or_default();
        if matches!(shown, ";" | "|" | "||" | "&&" | "&" | "\n") {
            command(text, &line, found);
            line.clear();
        } else {
            line.push(word);
        }
    }
    command(text, &line, found);
}

fn command(text: &str, line: &[Range<usize>], found: &mut Vec<Range<usize>>) {
    let shown = |it: &Range<usize>| text.get(inner(text, it)).unwrap_or_default();
    for (at, word) in line.iter().enumerate() {
        let name = shown(word).rsplit('/').next().unwrap_or_default();
        for flag in FLAGS.iter().filter(|it| it.programs.contains(&name)) {
            let most = line.len().min(at + 1 + FAR);
            let rest = line.get(at + 1..most).unwrap_or_default();
            let with = flag
                .with
                .is_none_or(|with| rest.iter().any(|it| shown(it) == with));
            if with {
                found.extend(of_flag(text, flag, rest));
            }
        }
    }
}

fn of_flag(text: &str, flag: &Flag, rest: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (at, word) in rest.iter().enumerate() {
        let place = inner(text, word);
        let shown = text.get(place.clone()).unwrap_or_default();
        for name in flag.flags {
            let value = match shown.strip_prefix(name) {
                Some("") if flag.next => rest.get(at + 1).map(|it| inner(text, it)),
                Some(glued) if flag.glued && !glued.is_empty() => {
                    Some(place.end - glued.len()..place.end)
                }
                Some(_) => None,
                None if flag.next && is_cluster(shown, name) => {
                    rest.get(at + 1).map(|it| inner(text, it))
                }
                None => None,
            };
            found.extend(value.and_then(|it| secret(text, flag, it)));
        }
    }
    found
}

/// `-su` is `-s -u`.
fn is_cluster(word: &str, name: &str) -> bool {
    let letters = word.strip_prefix('-').unwrap_or_default();
    let single = name.len() == 2 && name.starts_with('-');
    let plain = letters.len() > 1
        && letters.len() < 6
        && letters.bytes().all(|it| it.is_ascii_alphabetic());
    single && plain && letters.ends_with(name.trim_start_matches('-'))
}

fn secret(text: &str, flag: &Flag, value: Range<usize>) -> Option<Range<usize>> {
    let start = match flag.part {
        Some(part) => {
            let at = text.get(value.clone())?.find(part)?;
            value.start + at + 1
        }
        None => value.start,
    };
    let range = start..value.end;
    let shown = text.get(range.clone())?;
    let number = flag.part.is_some() && shown.bytes().all(|it| it.is_ascii_digit());
    let other = shown.starts_with('-') || shown.starts_with("//") || number;
    (is_value(shown) && !other).then_some(range)
}

/// Takes the quotes off a word.
fn inner(text: &str, word: &Range<usize>) -> Range<usize> {
    let shown = text.get(word.clone()).unwrap_or_default();
    let quoted =
        |quote: char| shown.len() > 1 && shown.starts_with(quote) && shown.ends_with(quote);
    if quoted('"') || quoted('\'') {
        return word.start + 1..word.end - 1;
    }
    // `-p'x'`: the quote at the end belongs to the value.
    let cut = if shown.contains(['"', '\'']) && shown.ends_with(['"', '\'']) {
        1
    } else {
        0
    };
    word.start..word.end - cut
}

/// Parts a text into words as a shell does, roughly; a line's end and a separator are words.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    let mut quote: Option<char> = None;
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        let ends = quote.is_none()
            && !escaped
            && (letter.is_whitespace() || matches!(letter, ';' | '|' | '&'));
        if ends {
            found.extend(start.take().map(|it| it..at));
            if !letter.is_whitespace() || letter == '\n' {
                found.push(at..at + letter.len_utf8());
            }
        } else {
            start.get_or_insert(at);
            match (quote, letter) {
                (None, '"' | '\'') if !escaped => quote = Some(letter),
                (Some(open), close) if open == close && !escaped => quote = None,
                _ => {}
            }
        }
        escaped = letter == '\\' && !escaped;
    }
    found.extend(start.map(|it| it..text.len()));
    found
}
