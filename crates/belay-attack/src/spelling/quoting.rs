//! Quotes, blanks, escapes and letters that look alike.

use belay_oracle::dice::Dice;

use super::Form::Free;
use super::{Bar, Needs, Spelling, spelling, transparent};
use crate::line::{Line, Word, ansi, double, is_bare, joined, single};

#[rustfmt::skip]
pub const ALL: [Spelling; 17] = [
    transparent("single quotes", Needs::Program, Free(|line, dice| each(line, dice, |it, _| Some(single(it))))),
    transparent("double quotes", Needs::Program, Free(|line, dice| each(line, dice, |it, _| Some(double(it))))),
    spelling("dollar quotes", Needs::Program, Free(|line, dice| each(line, dice, |it, _| Some(ansi(it))))),
    spelling("backslashes", Needs::Program, Free(|line, dice| each(line, dice, backslashed))),
    spelling("split quotes", Needs::Program, Free(|line, dice| each(line, dice, split))),
    spelling("hex escapes", Needs::Program, Free(|line, dice| each(line, dice, |it, dice| escaped(it, dice, |c| format!("\\x{:02x}", c as u32))))),
    spelling("octal escapes", Needs::Program, Free(|line, dice| each(line, dice, |it, dice| escaped(it, dice, |c| format!("\\{:03o}", c as u32))))),
    spelling("unicode escapes", Needs::Program, Free(|line, dice| each(line, dice, |it, dice| escaped(it, dice, |c| format!("\\u{:04x}", c as u32))))),
    transparent("wide blanks", Needs::Words, Free(|line, dice| between(line, dice, &["  ", "\t", "   \t "]))),
    transparent("continued lines", Needs::Words, Free(|line, dice| between(line, dice, &[" \\\n", " \\\n  ", "\\\n "]))),
    spelling("continued words", Needs::Program, Free(|line, dice| each(line, dice, continued))),
    transparent("comment behind", Needs::Words, Free(|line, _| Some(format!("{} # as before", line.text)))),
    transparent("comment before", Needs::Nothing, Free(|line, _| Some(format!("# as before\n{}", line.text)))),
    spelling("braces", Needs::Program, Free(braces)),
    Spelling { bar: Bar::NotAllow, ..spelling("invisible letter", Needs::Program, Free(|line, dice| each(line, dice, invisible))) },
    Spelling { bar: Bar::NotAllow, ..spelling("foreign blank", Needs::Words, Free(|line, dice| between(line, dice, &["\u{a0}", "\u{2003}", "\u{3000}"]))) },
    Spelling { bar: Bar::NotAllow, ..spelling("foreign letter", Needs::Program, Free(foreign)) },
];

/// Writes some words of a program's line anew, at least one.
fn each(
    line: &Line<'_>,
    dice: &mut Dice,
    write: fn(&str, &mut Dice) -> Option<String>,
) -> Option<String> {
    let mut words: Vec<Word> = line.program()?.to_vec();
    let sure = usize::try_from(dice.below(words.len() as u64)).ok()?;
    let mut changed = false;
    for (at, word) in words.iter_mut().enumerate() {
        let Some(value) = &word.value else { continue };
        if (at == sure || dice.chance(50))
            && let Some(raw) = write(value, dice)
        {
            changed |= raw != word.raw;
            word.raw = raw;
        }
    }
    changed.then(|| joined(&words))
}

fn backslashed(value: &str, dice: &mut Dice) -> Option<String> {
    if value.is_empty() || value.contains('\n') {
        return None;
    }
    let mut out = String::new();
    for c in value.chars() {
        if !is_bare(c.encode_utf8(&mut [0; 4])) || dice.chance(50) {
            out.push('\\');
        }
        out.push(c);
    }
    Some(out)
}

fn split(value: &str, dice: &mut Dice) -> Option<String> {
    if !is_bare(value) {
        return None;
    }
    let mut out = String::new();
    for c in value.chars() {
        match dice.below(5) {
            0 => out.push_str(&format!("'{c}'")),
            1 => out.push_str(&format!("\"{c}\"")),
            2 => out.push_str(&format!("''{c}")),
            3 => out.push_str(&format!("{c}\"\"")),
            _ => out.push(c),
        }
    }
    Some(out)
}

fn escaped(value: &str, dice: &mut Dice, escape: fn(char) -> String) -> Option<String> {
    if !value.is_ascii() || value.is_empty() {
        return None;
    }
    let mut out = String::from("$'");
    for c in value.chars() {
        match is_bare(c.encode_utf8(&mut [0; 4])) && dice.chance(40) {
            true => out.push(c),
            false => out.push_str(&escape(c)),
        }
    }
    out.push('\'');
    Some(out)
}

fn continued(value: &str, dice: &mut Dice) -> Option<String> {
    if !is_bare(value) || value.len() < 2 {
        return None;
    }
    let at = usize::try_from(1 + dice.below(value.len() as u64 - 1)).ok()?;
    let (before, after) = value.split_at_checked(at)?;
    Some(format!("{before}\\\n{after}"))
}

fn between(line: &Line<'_>, dice: &mut Dice, blanks: &[&str]) -> Option<String> {
    let words = line.words.as_ref().filter(|it| it.len() > 1)?;
    let mut out = String::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            let usual = at > 1 && dice.chance(40);
            out.push_str(if usual { " " } else { dice.pick(blanks)? });
        }
        out.push_str(&word.raw);
    }
    Some(out)
}

/// The words as one list in braces.
fn braces(line: &Line<'_>, dice: &mut Dice) -> Option<String> {
    let words = line.program()?;
    let fits = |it: &&Word| {
        it.bare()
            .is_some_and(|it| !it.contains(',') && !it.contains(".."))
    };
    let most = words.iter().take_while(fits).count() as u64;
    if most < 2 {
        return None;
    }
    let many = if dice.chance(60) {
        most
    } else {
        2 + dice.below(most - 1)
    };
    let (listed, rest) = words.split_at_checked(usize::try_from(many).ok()?)?;
    let raw: Vec<&str> = listed.iter().filter_map(Word::bare).collect();
    let listed = format!("{{{}}}", raw.join(","));
    Some(match rest {
        [] => listed,
        rest => format!("{listed} {}", joined(rest)),
    })
}

fn invisible(value: &str, dice: &mut Dice) -> Option<String> {
    if !is_bare(value) || value.len() < 2 {
        return None;
    }
    let at = usize::try_from(1 + dice.below(value.len() as u64 - 1)).ok()?;
    let (before, after) = value.split_at_checked(at)?;
    let letter = dice.pick(&[
        '\u{200b}', '\u{200d}', '\u{2060}', '\u{202e}', '\u{2066}', '\u{feff}',
    ])?;
    Some(format!("{before}{letter}{after}"))
}

/// A program's name with a letter of another alphabet.
fn foreign(line: &Line<'_>, _: &mut Dice) -> Option<String> {
    let mut words = line.program()?.to_vec();
    let first = words.first_mut()?;
    let name = first.bare()?.to_owned();
    let pairs = [
        ('a', 'а'),
        ('c', 'с'),
        ('e', 'е'),
        ('o', 'о'),
        ('p', 'р'),
        ('x', 'х'),
        ('i', 'і'),
        ('s', 'ѕ'),
        ('m', 'ｍ'),
    ];
    let (latin, alike) = pairs.iter().find(|it| name.contains(it.0))?;
    first.raw = name.replacen(*latin, &alike.to_string(), 1);
    Some(joined(&words))
}
