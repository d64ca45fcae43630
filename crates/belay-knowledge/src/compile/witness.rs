//! Lowering needs a witness: what makes a command do less is shown alone and beside something stronger.

use super::model::{Case, Example, Flag, Level};
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
        for case in flag.cases.iter().filter(|it| it.actions.lowers()) {
            if seen.contains(&case.key.text.as_str()) {
                continue;
            }
            seen.push(&case.key.text);
            shown(source, level, (case, lines));
        }
    }
    for value in level.values.iter().filter(|it| it.case.actions.lowers()) {
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

fn shown(source: &mut Source<'_>, level: &Level, (case, lines): (&Case, &[Vec<String>])) {
    let same = |flag: &&Flag| flag.cases.iter().any(|it| it.key.text == case.key.text);
    let stronger: Vec<&Flag> = level
        .flags
        .iter()
        .filter(|it| !same(it))
        .filter(|it| {
            it.cases
                .iter()
                .any(|case| case.actions.effects().next().is_some() && !case.actions.lowers())
        })
        .collect();
    let using: Vec<&Vec<String>> = lines
        .iter()
        .filter(|line| {
            level
                .flags
                .iter()
                .filter(same)
                .any(|flag| uses(line, flag, case.values.as_deref()))
        })
        .collect();
    let beside = |line: &&&Vec<String>| stronger.iter().any(|it| uses(line, it, None));
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

/// Tells whether a line has a flag, with one of the values where they are given.
fn uses(line: &[String], flag: &Flag, values: Option<&[String]>) -> bool {
    flag.spellings.iter().any(|spelling| {
        line.iter().enumerate().any(|(at, word)| {
            let Some(rest) = has(word, spelling, at) else {
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

/// Returns what follows a flag in a word.
fn has<'w>(word: &'w str, spelling: &str, at: usize) -> Option<&'w str> {
    if let Some(rest) = word.strip_prefix(spelling) {
        return match rest.strip_prefix('=') {
            Some(value) => Some(value),
            None if rest.is_empty() || !spelling.starts_with("--") => Some(rest),
            None => None,
        };
    }
    if matches!(spelling, "-NUM" | "+NUM") {
        let digits = word.get(1..)?;
        let number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
        return (number && word.get(..1) == spelling.get(..1)).then_some("");
    }
    let letter = spelling.strip_prefix('-').filter(|it| it.len() == 1)?;
    let cluster = match word.strip_prefix('-') {
        Some(rest) if !rest.starts_with('-') => rest,
        None if at == 1 => word,
        Some(_) | None => return None,
    };
    let (_, rest) = cluster.split_once(letter)?;
    Some(rest)
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
