//! What parameter expansion cuts out of texts and lists.

use crate::machine::fields::Bit;
use crate::machine::options::Tri;
use crate::machine::pairs::held_by;
use crate::machine::params::Found;
use crate::machine::value::{DIGITS, PLAIN, Text, Val};
use crate::machine::variable::{Held, Variable};

/// Changes each text a value may be; what is not known stays so.
pub(crate) fn each(val: &Val, change: impl Fn(&str) -> Option<String>) -> Val {
    each_or(val, change, |_| None)
}

/// Changes each text a value may be, and each shape of which it can be told what becomes of it.
pub(crate) fn each_or(
    val: &Val,
    change: impl Fn(&str) -> Option<String>,
    shape: impl Fn(&Val) -> Option<Val>,
) -> Val {
    Val::any_of(val.choices().into_iter().map(|it| {
        match it.text().map(|text| changed(text, &change)) {
            Some(Some(text)) => Val::known(text).carrying(it.carries),
            Some(None) => Val::unknown().carrying(it.carries),
            None => shape(&it).unwrap_or_else(|| part_of(&it)),
        }
    }))
}

fn changed(text: &str, change: impl Fn(&str) -> Option<String>) -> Option<String> {
    change(text).filter(|_| !is_made_up(text))
}

/// Tells whether a text may be a name that a program makes up: only its template is known, none of its letters is.
pub(crate) fn is_made_up(text: &str) -> bool {
    text.contains("XX")
}

/// Returns a value that is some part of a shape: a number stays one, or nothing is left.
fn part_of(val: &Val) -> Val {
    match &val.text {
        Text::Glob(text) if matches!(text.as_str(), DIGITS | PLAIN) => {
            val.or(&Val::known("").carrying(val.carries))
        }
        Text::Known(_)
        | Text::Glob(_)
        | Text::Prefix { .. }
        | Text::Unknown { .. }
        | Text::OneOf(_) => Val::any(val.carries),
    }
}

pub(crate) fn keys(held: &Held) -> Held {
    match held {
        Held::One(_) => Held::List(vec![Val::known("0")]),
        Held::List(vals) => Held::List(
            (0..vals.len())
                .map(|it| Val::known(it.to_string()))
                .collect(),
        ),
        Held::Any(it) => Held::any(it.keys.clone()),
    }
}

/// Returns which element a number means: one below zero counts from the end.
fn index(number: &str, held: &Held) -> Option<usize> {
    let number = number.parse::<i64>().ok()?;
    let Held::List(vals) = held else {
        return usize::try_from(number).ok();
    };
    let count = i64::try_from(vals.len()).ok()?;
    usize::try_from(if number < 0 { count + number } else { number }).ok()
}

/// Returns what `$0` may be where nobody gave it: the shell, by its name or by its path.
pub(crate) fn shell_name() -> Val {
    let names = [
        "bash",
        "/bin/bash",
        "/usr/bin/bash",
        "zsh",
        "/bin/zsh",
        "sh",
        "/bin/sh",
    ];
    Val::any_of(names.map(Val::known))
}

/// Returns one element of an array, and whether it is set.
pub(crate) fn found_element(variable: &Variable, key: &Val) -> Found {
    let keys = key.each();
    let found = keys.iter().map(|key| {
        let (val, there) = match held_by(variable, key) {
            Some(Some(val)) => (val, Tri::Yes),
            Some(None) => (Val::known(""), Tri::No),
            None => (element(variable, key), Tri::Perhaps),
        };
        let set = match there {
            Tri::Yes => variable.set,
            Tri::No => Tri::No,
            Tri::Perhaps => variable.set.or(Tri::Perhaps),
        };
        Found { val, set }
    });
    let either = |a: Found, b: Found| Found {
        val: a.val.or(&b.val),
        set: a.set.or(b.set),
    };
    found.reduce(either).unwrap_or_else(|| Found {
        val: Val::unknown(),
        set: Tri::Perhaps,
    })
}

/// Returns one element of an array.
fn element(variable: &Variable, key: &Val) -> Val {
    let at = key.text().and_then(|it| index(it, &variable.held));
    match (&variable.held, at) {
        (Held::One(val), Some(0)) => val.clone(),
        (Held::One(_), Some(_)) => Val::known(""),
        (Held::List(vals), Some(at)) => vals.get(at).cloned().unwrap_or_else(|| Val::known("")),
        (held, _) => held.elements().values.or(&Val::known("")),
    }
}

/// Returns a text in upper or lower case, or only its first letter; `None` where a locale has a say.
pub(crate) fn recased(text: &str, to: u8, all: bool) -> Option<String> {
    let change = |c: char| match to {
        b'^' => Some(c.to_ascii_uppercase()),
        b',' => Some(c.to_ascii_lowercase()),
        _ => None,
    };
    let letters = text.char_indices().map(|(at, c)| match at {
        0 => change(c),
        _ if all => change(c),
        _ => Some(c),
    });
    text.is_ascii().then(|| letters.collect())?
}

/// Returns a text in single quotes, as the shell writes it to be read again; `None` where it needs others.
pub(crate) fn quoted(text: &str) -> Option<String> {
    let plain = |c: char| (c.is_ascii_graphic() || c == ' ') && c != '\'';
    text.chars().all(plain).then(|| format!("'{text}'"))
}

/// Cuts a piece out of a text, as `${x:from:length}` does.
pub(crate) fn cut(text: &str, from: Option<i64>, length: Option<Option<i64>>) -> Option<String> {
    // How many letters there are beyond ASCII depends on the locale.
    if !text.is_ascii() {
        return None;
    }
    let letters: Vec<char> = text.chars().collect();
    let count = i64::try_from(letters.len()).ok()?;
    let from = from?;
    let start = if from < 0 { count + from } else { from };
    if start < 0 || start > count {
        return Some(String::new());
    }
    let end = match length {
        None => count,
        Some(length) => {
            let length = length?;
            let end = if length < 0 {
                count + length
            } else {
                start.saturating_add(length)
            };
            end.min(count)
        }
    };
    let (start, end) = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
    Some(letters.get(start..end)?.iter().collect())
}

/// Which part of a value is taken; `None` where a number is not known.
#[derive(Clone, Copy)]
pub(crate) struct Slice {
    pub(crate) from: Option<i64>,
    pub(crate) length: Option<Option<i64>>,
}

/// Cuts a piece out of a list.
pub(crate) fn sliced(held: Held, slice: Slice) -> Held {
    let Slice { from, length } = slice;
    let any = |held: &Held| Held::any(held.elements().values);
    let Held::List(vals) = &held else {
        return any(&held);
    };
    let (Some(from), length) = (from, length.unwrap_or(Some(i64::MAX))) else {
        return any(&held);
    };
    let Some(length) = length.filter(|it| *it >= 0) else {
        return any(&held);
    };
    let count = i64::try_from(vals.len()).unwrap_or(i64::MAX);
    let from = if from < 0 { count + from } else { from };
    // What would begin before the first is nothing.
    let Ok(from) = usize::try_from(from) else {
        return Held::List(Vec::new());
    };
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    Held::List(vals.iter().skip(from).take(length).cloned().collect())
}

/// Returns the positional parameters as a part of them is counted: `$0` comes first.
pub(crate) fn with_zero(held: Held, zero: Val) -> Held {
    match held {
        Held::List(mut vals) => {
            vals.insert(0, zero);
            Held::List(vals)
        }
        Held::One(val) => Held::List(vec![zero, val]),
        Held::Any(it) => Held::any(it.values.or(&zero)),
    }
}

/// Returns the words that zsh makes of a list without quotes: it splits none and drops those that are empty.
pub(crate) fn unsplit(mut vals: Vec<Val>, any: bool) -> Bit {
    vals.retain(|it| it.text() != Some(""));
    let any = any || vals.iter().any(Val::may_be_empty);
    Bit {
        vals: if any { vec![Val::any_of(vals)] } else { vals },
        any,
        splits: false,
    }
}
