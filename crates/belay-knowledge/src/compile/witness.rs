//! Lowering needs a witness: what makes a command do less is shown alone and beside something stronger.

use belay_model::{How, Verb};

use super::model::{Case, Dialect, Effect, EffectKind, Example, Flag, Level};
use super::source::Source;
use crate::glob;

/// Faults every lowering flag or value of a file without its two examples.
pub fn check(source: &mut Source<'_>, level: &Level, examples: &[Example]) {
    let lines: Vec<Vec<String>> = examples.iter().map(|it| words(&it.command.text)).collect();
    walk(source, level, &lines);
}

fn walk(source: &mut Source<'_>, level: &Level, lines: &[Vec<String>]) {
    let mut seen: Vec<&str> = Vec::new();
    for flag in &level.flags {
        for case in flag.cases.iter().filter(|it| lowers(level, it)) {
            if seen.contains(&case.key.text.as_str()) {
                continue;
            }
            seen.push(&case.key.text);
            shown(source, case, &Shown { level, lines });
        }
    }
    for value in level.values.iter().filter(|it| lowers(level, &it.case)) {
        let patterns = value.case.values.as_deref().unwrap_or_default();
        let hits = |line: &&Vec<String>| {
            line.iter()
                .any(|word| patterns.iter().any(|it| glob::matches(it, word)))
        };
        if lines.iter().filter(hits).count() < 2 {
            missing(source, &value.case, "two examples");
        }
    }
    for sub in &level.subs {
        walk(source, sub, lines);
    }
}

/// Tells whether a case makes a command do less: it says so, or only reads where the command does more.
fn lowers(level: &Level, case: &Case) -> bool {
    let instead = case.actions.instead.as_ref();
    let milder = || {
        let mut own = level.forms.iter().flat_map(|it| &it.effects);
        instead.is_some_and(|it| it.iter().chain(&case.actions.also).all(reads))
            && own.any(|it| !reads(it))
    };
    case.actions.lowers() || milder()
}

const fn reads(effect: &Effect) -> bool {
    matches!(effect.kind, EffectKind::Effect(Verb::Read | Verb::Probe, how) if !matches!(how, How::Secret))
}

/// The examples of a file, and the command that they show.
struct Shown<'a> {
    level: &'a Level,
    lines: &'a [Vec<String>],
}

fn shown(source: &mut Source<'_>, case: &Case, examples: &Shown<'_>) {
    let Shown { level, lines } = *examples;
    let same = |flag: &&Flag| flag.cases.iter().any(|it| it.key.text == case.key.text);
    let stronger: Vec<&Flag> = level
        .flags
        .iter()
        .filter(|it| !same(it))
        .filter(|it| {
            it.cases
                .iter()
                .any(|case| case.actions.effects().next().is_some() && !lowers(level, case))
        })
        .collect();
    let using: Vec<&Vec<String>> = lines
        .iter()
        .filter(|line| {
            level
                .flags
                .iter()
                .filter(same)
                .any(|flag| Line { words: line, level }.uses(flag, case.values.as_deref()))
        })
        .collect();
    let beside = |line: &&&Vec<String>| {
        stronger
            .iter()
            .any(|it| Line { words: line, level }.uses(it, None))
    };
    let together = using.iter().filter(beside).count();
    if using.len() == together {
        missing(source, case, "an example of it alone");
    } else if together == 0 && !stronger.is_empty() {
        missing(source, case, "an example beside a flag that does more");
    }
}

fn missing(source: &mut Source<'_>, case: &Case, what: &str) {
    source.fault(
        case.key.span.clone(),
        format!("`{}` lowers but lacks {what}", case.key.text),
        "what lowers is shown twice under `[examples]`: alone, and beside the strongest other flag",
    );
}

/// One example.
struct Line<'a> {
    words: &'a [String],
    level: &'a Level,
}

impl Line<'_> {
    /// Tells whether it has a flag, with one of the values where they are given.
    fn uses(&self, flag: &Flag, values: Option<&[String]>) -> bool {
        let Self { words: line, level } = *self;
        flag.spellings.iter().any(|spelling| {
            line.iter().enumerate().any(|(at, word)| {
                let Some(rest) = has(Word { word, at }, spelling, level) else {
                    return false;
                };
                let value = if rest.is_empty() {
                    line.get(at + 1).map_or("", String::as_str)
                } else {
                    rest
                };
                values.is_none_or(|all| {
                    all.iter()
                        .any(|it| glob::matches(it, value) || (it.is_empty() && rest.is_empty()))
                })
            })
        })
    }
}

/// A word of an example, and the how manieth it is.
#[derive(Clone, Copy)]
struct Word<'w> {
    word: &'w str,
    at: usize,
}

/// Returns what follows a flag in a word.
fn has<'w>(word: Word<'w>, spelling: &str, level: &Level) -> Option<&'w str> {
    let Word { word, at } = word;
    let dialect = level.dialect;
    if let Some(rest) = word.strip_prefix(spelling) {
        return match rest.strip_prefix('=') {
            Some(value) => Some(value),
            None if rest.is_empty() => Some(rest),
            None => glues(spelling, dialect).then_some(rest),
        };
    }
    if matches!(spelling, "-NUM" | "+NUM") {
        let digits = word.get(1..)?;
        let number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
        return (number && word.get(..1) == spelling.get(..1)).then_some("");
    }
    let letter = spelling.strip_prefix('-').filter(|it| it.len() == 1)?;
    let spelled = |flag: &Flag| flag.spellings.iter().any(|it| it == word);
    if !clusters(dialect) || level.flags.iter().any(spelled) {
        return None;
    }
    let cluster = match word.strip_prefix('-') {
        Some(rest) if !rest.starts_with('-') => rest,
        None if at == 1 && dialect == Dialect::Tar => word,
        Some(_) | None => return None,
    };
    let (_, rest) = cluster.split_once(letter)?;
    Some(rest)
}

/// Tells whether a value may be glued to a flag.
fn glues(spelling: &str, dialect: Dialect) -> bool {
    !spelling.starts_with("--") && (clusters(dialect) || spelling.len() == 2)
}

/// Tells whether letters after one dash are flags of their own.
const fn clusters(dialect: Dialect) -> bool {
    match dialect {
        Dialect::Gnu | Dialect::Exact | Dialect::Posix | Dialect::Tar => true,
        Dialect::Go | Dialect::Single | Dialect::Find | Dialect::Assign | Dialect::None => false,
    }
}

/// Parts a line into words, quotes taken away; operators part words too.
fn words(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, ' ' | '\n' | '\t' | '|' | ';' | '&') => out.push(String::new()),
            (Some(_) | None, c) => {
                if let Some(last) = out.last_mut() {
                    last.push(c);
                }
            }
        }
    }
    out.retain(|it| !it.is_empty());
    out
}
