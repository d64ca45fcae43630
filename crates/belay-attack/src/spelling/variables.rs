//! Words that come out of variables, arrays, substitutions and positional words.

use belay_oracle::dice::Dice;

use super::Form::Free;
use super::{Needs, Spelling, spelling, transparent};
use crate::line::{Line, Word, is_bare, joined, quoted, single};

#[rustfmt::skip]
pub const ALL: [Spelling; 27] = [
    transparent("variable for a word", Needs::Program, Free(|line, dice| named(line, dice, |value, name, dice| Some((format!("{name}={}; ", quoted(value, dice)), format!("\"${name}\"")))))),
    transparent("variable in braces", Needs::Program, Free(|line, dice| named(line, dice, |value, name, dice| Some((format!("{name}={}\n", quoted(value, dice)), format!("\"${{{name}}}\"")))))),
    spelling("variable unquoted", Needs::Program, Free(|line, dice| named(line, dice, |value, name, _| is_bare(value).then(|| (format!("{name}={value}; "), format!("${name}")))))),
    spelling("variable exported", Needs::Program, Free(|line, dice| named(line, dice, |value, name, dice| Some((format!("export {name}={}; ", quoted(value, dice)), format!("\"${name}\"")))))),
    spelling("variable declared", Needs::Program, Free(|line, dice| named(line, dice, |value, name, dice| Some((format!("declare -r {name}={}; ", quoted(value, dice)), format!("\"${name}\"")))))),
    spelling("variable printed", Needs::Program, Free(|line, dice| named(line, dice, |value, name, dice| Some((format!("printf -v {name} %s {}; ", quoted(value, dice)), format!("\"${name}\"")))))),
    spelling("variable read", Needs::Program, Free(|line, dice| named(line, dice, |value, name, _| is_bare(value).then(|| (format!("read -r {name} <<< {value}; "), format!("\"${name}\"")))))),
    spelling("variable of two parts", Needs::Program, Free(|line, dice| named(line, dice, parts))),
    spelling("variable grown", Needs::Program, Free(|line, dice| named(line, dice, grown))),
    spelling("variable cut", Needs::Program, Free(|line, dice| named(line, dice, |value, name, _| is_bare(value).then(|| (format!("{name}=__{value}__; "), format!("\"${{{name}:2:{}}}\"", value.len())))))),
    spelling("variable trimmed", Needs::Program, Free(|line, dice| named(line, dice, |value, name, _| is_bare(value).then(|| (format!("{name}={value}__; "), format!("\"${{{name}%__}}\"")))))),
    spelling("variable replaced", Needs::Program, Free(|line, dice| named(line, dice, replaced))),
    spelling("variable lowered", Needs::Program, Free(|line, dice| named(line, dice, lowered))),
    spelling("variable by name", Needs::Program, Free(|line, dice| named(line, dice, |value, name, dice| Some((format!("{name}={}; {name}n={name}; ", quoted(value, dice)), format!("\"${{!{name}n}}\"")))))),
    spelling("variable by reference", Needs::Program, Free(|line, dice| named(line, dice, |value, name, dice| Some((format!("{name}={}; declare -n {name}n={name}; ", quoted(value, dice)), format!("\"${name}n\"")))))),
    spelling("default of a variable", Needs::Program, Free(|line, dice| named(line, dice, |value, name, _| is_bare(value).then(|| (format!("unset {name}; "), format!("\"${{{name}:-{value}}}\"")))))),
    spelling("default of an unset variable", Needs::Program, Free(|line, dice| named(line, dice, |value, _, _| is_bare(value).then(|| (String::new(), format!("\"${{BELAY_UNSET:-{value}}}\"")))))),
    spelling("default assigned", Needs::Program, Free(|line, dice| named(line, dice, |value, name, _| is_bare(value).then(|| (format!("unset {name}; : ${{{name}:={value}}}; "), format!("\"${name}\"")))))),
    spelling("substituted word", Needs::Program, Free(|line, dice| named(line, dice, |value, _, dice| Some((String::new(), format!("\"$(printf %s {})\"", quoted(value, dice))))))),
    spelling("substituted word unquoted", Needs::Program, Free(|line, dice| named(line, dice, |value, _, dice| (is_bare(value) && !value.starts_with('-')).then(|| (String::new(), match dice.chance(50) { true => format!("$(echo {value})"), false => format!("`echo {value}`") }))))),
    spelling("all words in one variable", Needs::Program, Free(|line, _| Some(format!("c={}; $c", single(&plain(line)?.join(" ")))))),
    spelling("array", Needs::Program, Free(|line, _| Some(format!("a=({}); \"${{a[@]}}\"", joined(line.program()?))))),
    spelling("positional words", Needs::Program, Free(|line, _| Some(format!("set -- {}; \"$@\"", joined(line.program()?))))),
    spelling("words parted otherwise", Needs::Program, Free(|line, _| Some(format!("IFS=,; c={}; $c", plain(line).filter(|it| !it.concat().contains(','))?.join(","))))),
    spelling("array read", Needs::Program, Free(|line, _| Some(format!("read -ra a <<< {}; \"${{a[@]}}\"", single(&plain(line)?.join(" ")))))),
    spelling("array of lines", Needs::Program, Free(|line, _| Some(format!("mapfile -t a < <(printf '%s\\n' {}); \"${{a[@]}}\"", plain(line)?.join(" "))))),
    spelling("variable printed by numbers", Needs::Program, Free(|line, dice| named(line, dice, |value, name, _| is_bare(value).then(|| (format!("printf -v {name} '{}'; ", value.bytes().map(|it| format!("\\x{it:02x}")).collect::<String>()), format!("\"${name}\"")))))),
];

/// What stands before a line, and what stands for a word in it.
type Named = (String, String);

/// Writes some words of a program's line by way of a variable each, at least one.
fn named(
    line: &Line<'_>,
    dice: &mut Dice,
    write: fn(&str, &str, &mut Dice) -> Option<Named>,
) -> Option<String> {
    let mut words: Vec<Word> = line.program()?.to_vec();
    let sure = match dice.chance(50) {
        true => 0,
        false => usize::try_from(dice.below(words.len() as u64)).ok()?,
    };
    let mut before = String::new();
    let mut changed = false;
    for (at, word) in words.iter_mut().enumerate() {
        let Some(value) = word.value.clone().filter(|it| !it.is_empty()) else {
            continue;
        };
        if (at == sure || dice.chance(25))
            && let Some((first, raw)) = write(&value, &format!("w{at}"), dice)
        {
            before.push_str(&first);
            word.raw = raw;
            changed = true;
        }
    }
    changed.then(|| before + &joined(&words))
}

fn plain<'a>(line: &'a Line<'_>) -> Option<Vec<&'a str>> {
    line.program()?.iter().map(Word::bare).collect()
}

fn halves<'a>(value: &'a str, dice: &mut Dice) -> Option<(&'a str, &'a str)> {
    if !is_bare(value) || value.len() < 2 {
        return None;
    }
    value.split_at_checked(usize::try_from(1 + dice.below(value.len() as u64 - 1)).ok()?)
}

fn parts(value: &str, name: &str, dice: &mut Dice) -> Option<Named> {
    let (one, two) = halves(value, dice)?;
    Some((
        format!("{name}a={one}; {name}b={two}; "),
        format!("\"${name}a${name}b\""),
    ))
}

fn grown(value: &str, name: &str, dice: &mut Dice) -> Option<Named> {
    let (one, two) = halves(value, dice)?;
    Some((
        format!("{name}={one}; {name}+={two}; "),
        format!("\"${name}\""),
    ))
}

fn replaced(value: &str, name: &str, dice: &mut Dice) -> Option<Named> {
    let (one, two) = halves(value, dice)?;
    Some((
        format!("{name}={one}QQ{two}; "),
        format!("\"${{{name}/QQ/}}\""),
    ))
    .filter(|_| !value.contains('Q'))
}

fn lowered(value: &str, name: &str, _: &mut Dice) -> Option<Named> {
    let fits = is_bare(value) && !value.contains(|c: char| c.is_ascii_uppercase());
    fits.then(|| {
        (
            format!("{name}={}; ", value.to_uppercase()),
            format!("\"${{{name},,}}\""),
        )
    })
}
