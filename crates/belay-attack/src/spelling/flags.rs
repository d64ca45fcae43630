//! Other ways to write the same flags, for programs whose flags are read by GNU's getopt.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use belay_knowledge::{Outline, outlines};
use belay_oracle::dice::Dice;

use super::Form::Free;
use super::{Needs, Spelling, spelling, transparent};
use crate::line::{Line, Word, joined};

#[rustfmt::skip]
pub const ALL: [Spelling; 7] = [
    transparent("flags apart", Needs::Program, Free(|line, _| flags(line, apart))),
    transparent("flags together", Needs::Program, Free(together)),
    transparent("flags spelled otherwise", Needs::Program, Free(otherwise)),
    spelling("flags cut short", Needs::Program, Free(|line, _| flags(line, cut))),
    spelling("flags last", Needs::Program, Free(last)),
    transparent("end of flags", Needs::Program, Free(ended)),
    spelling("busybox", Needs::Program, Free(|line, _| Some(format!("busybox {}", joined(gnu(line)?.0))))),
];

/// Programs that read their flags with GNU's getopt, have no sub-commands, and take operands behind `--`.
const GNU: &str =
    "cat chmod chown cp du head ln ls mkdir mv rm rmdir shred sort tail tee touch truncate wc";

/// The words of a line, and what is known of its program's flags.
fn gnu<'a>(line: &'a Line<'_>) -> Option<(&'a [Word], &'static Outline)> {
    static KNOWN: OnceLock<BTreeMap<String, Outline>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let all = outlines().into_iter().filter(|it| it.path.len() == 1);
        let named = all.filter_map(|it| Some((it.path.first()?.clone(), it)));
        named
            .filter(|it| GNU.split(' ').any(|name| name == it.0))
            .collect()
    });
    let words = line.program()?;
    let outline = known.get(words.first()?.bare()?)?;
    // Past `--` nothing is a flag, and a value must not be taken for one.
    let plain = |it: &Word| match it.value.as_deref() {
        Some("--") => false,
        Some(flag) if flag.starts_with('-') && flag.len() > 1 => switches(outline, flag),
        Some(_) | None => !it.raw.starts_with(['$', '{']),
    };
    words.iter().skip(1).all(plain).then_some((words, outline))
}

/// Tells whether a word is nothing but flags that take no value.
fn switches(outline: &Outline, word: &str) -> bool {
    match word.strip_prefix("--") {
        Some(_) => takes(outline, word) == Some(0),
        None => word
            .chars()
            .skip(1)
            .all(|c| takes(outline, &format!("-{c}")) == Some(0)),
    }
}

fn takes(outline: &Outline, flag: &str) -> Option<u8> {
    let own = outline.flags.iter().flatten().find(|it| it.text == flag);
    own.and_then(|it| it.takes)
}

/// Writes each word of flags anew, as words.
fn flags(line: &Line<'_>, write: fn(&Outline, &str) -> Vec<String>) -> Option<String> {
    let (words, outline) = gnu(line)?;
    let mut out: Vec<String> = Vec::new();
    for word in words {
        match word.bare().filter(|it| it.starts_with('-') && it.len() > 1) {
            Some(flag) => out.extend(write(outline, flag)),
            None => out.push(word.raw.clone()),
        }
    }
    let out = out.join(" ");
    (out != joined(words)).then_some(out)
}

fn apart(_: &Outline, word: &str) -> Vec<String> {
    match word.starts_with("--") {
        true => vec![word.to_owned()],
        false => word.chars().skip(1).map(|c| format!("-{c}")).collect(),
    }
}

fn cut(outline: &Outline, word: &str) -> Vec<String> {
    let longs = || {
        outline
            .flags
            .iter()
            .flatten()
            .filter(|it| it.text.starts_with("--"))
    };
    let only = |cut: &str| longs().filter(|it| it.text.starts_with(cut)).count() == 1;
    // Not every flag of the program may be known, so as much is left as makes another unlikely.
    let shortest = (5..word.len())
        .filter_map(|at| word.get(..at))
        .find(|it| only(it));
    let cut = shortest.filter(|_| word.starts_with("--"));
    vec![cut.unwrap_or(word).to_owned()]
}

fn together(line: &Line<'_>, _: &mut Dice) -> Option<String> {
    let (words, _) = gnu(line)?;
    let short = |it: &&Word| {
        it.bare()
            .is_some_and(|it| it.starts_with('-') && !it.starts_with("--") && it.len() > 1)
    };
    let letters: Vec<String> = words
        .iter()
        .filter(short)
        .filter_map(|it| it.bare()?.get(1..).map(str::to_owned))
        .collect();
    let (first, rest) = words.split_first()?;
    let rest: Vec<Word> = rest.iter().filter(|it| !short(it)).cloned().collect();
    (letters.len() > 1).then(|| format!("{} -{} {}", first.raw, letters.concat(), joined(&rest)))
}

/// Each flag by another of its names.
fn otherwise(line: &Line<'_>, dice: &mut Dice) -> Option<String> {
    let (words, outline) = gnu(line)?;
    let mut out: Vec<String> = Vec::new();
    for word in words {
        match word.bare().filter(|it| it.starts_with('-') && it.len() > 1) {
            Some(flag) => {
                for flag in apart(outline, flag) {
                    let own = outline
                        .flags
                        .iter()
                        .find(|it| it.iter().any(|it| it.text == flag))?;
                    out.push(dice.pick(own)?.text.clone());
                }
            }
            None => out.push(word.raw.clone()),
        }
    }
    let out = out.join(" ");
    (out != joined(words)).then_some(out)
}

fn is_flag(word: &Word) -> bool {
    word.bare()
        .is_some_and(|it| it.starts_with('-') && it.len() > 1)
}

fn last(line: &Line<'_>, _: &mut Dice) -> Option<String> {
    let (words, _) = gnu(line)?;
    let operands = words.iter().filter(|it| !is_flag(it));
    let flags = words.iter().filter(|it| is_flag(it));
    let turned: Vec<Word> = operands.chain(flags).cloned().collect();
    (turned != words).then(|| joined(&turned))
}

fn ended(line: &Line<'_>, _: &mut Dice) -> Option<String> {
    let (words, _) = gnu(line)?;
    let (first, rest) = words.split_first()?;
    let flags: Vec<Word> = rest.iter().filter(|it| is_flag(it)).cloned().collect();
    let operands: Vec<Word> = rest.iter().filter(|it| !is_flag(it)).cloned().collect();
    let head = [std::slice::from_ref(first), &flags].concat();
    (!operands.is_empty()).then(|| format!("{} -- {}", joined(&head), joined(&operands)))
}
