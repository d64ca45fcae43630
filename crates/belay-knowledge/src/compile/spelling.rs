//! Keys of flags: spellings, and what values they take.

use super::effect::is_slot;
use super::model::{Arity, Dialect};
use super::source::{Placed, Source};

/// One flag of a key.
#[derive(Clone, Debug)]
pub struct Spelled {
    /// Each spelling with how many words it takes: `--no-x` of `--[no-]x=V` takes none.
    pub spellings: Vec<(String, Arity)>,
    /// Names of the values it takes.
    pub names: Vec<String>,
    /// The values it speaks for; none for all others.
    pub values: Option<Vec<String>>,
}

impl Spelled {
    /// Tells whether its value is a run of words.
    pub fn takes_words(&self) -> bool {
        let arities = self.spellings.iter().map(|(_, arity)| arity);
        arities
            .into_iter()
            .any(|it| matches!(it, Arity::Until | Arity::Rest))
    }
}

/// Reads a key, or an `inert` list.
pub fn flags(source: &mut Source<'_>, key: &Placed, dialect: Dialect) -> Vec<Spelled> {
    parted(&key.text)
        .filter_map(|it| match flag(it, dialect) {
            Ok(flag) => Some(flag),
            Err(what) => {
                source.fault(
                    key.span.clone(),
                    what,
                    "write `-n --lines=N`, `--color[=WHEN]`, `--arg=NAME VALUE`, `--args=REST...`, `-exec=COMMAND;`, `--[no-]x`; commas part flags, spaces part spellings",
                );
                None
            }
        })
        .collect()
}

/// Parts flags at commas that a blank or the next flag follows.
fn parted(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.match_indices(',').find(|(at, _)| {
            let after = rest.get(at + 1..).unwrap_or("");
            after.is_empty()
                || after.starts_with(|c: char| c.is_whitespace() || c == '-' || c == '+')
        });
        let (one, more) = match end {
            Some((at, _)) => (rest.get(..at), rest.get(at + 1..)),
            None => (Some(rest), None),
        };
        rest = more.unwrap_or("");
        one.map(str::trim)
    })
    .filter(|it| !it.is_empty())
}

/// A spelling with its value, as written.
struct Part<'a> {
    name: &'a str,
    value: Option<(&'a str, Glue)>,
}

/// How a value follows its flag.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Glue {
    /// `=X`: as the dialect has it.
    Usual,
    /// `[=X]`: only after `=` or glued on.
    Only,
    /// `[=]X`: glued on or in the next word, whatever the dialect.
    Either,
}

fn flag(text: &str, dialect: Dialect) -> Result<Spelled, String> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut more = Vec::new();
    for word in text.split_whitespace() {
        let dashed = word.starts_with(['-', '+']) || dialect == Dialect::Assign;
        if dashed {
            parts.push(part(word));
        } else if is_slot(word) && parts.last().is_some_and(|it| it.value.is_some()) {
            more.push(word);
        } else {
            return Err(format!("`{word}` is not a flag"));
        }
    }
    let mut value = None;
    for part in &parts {
        match (value, part.value) {
            (Some(one), Some(other)) if one != other => {
                return Err(format!("spellings of `{text}` take different values"));
            }
            (_, Some(other)) => value = Some(other),
            (_, None) => {}
        }
    }
    if dialect == Dialect::Assign && value.is_none() {
        value = Some(("VALUE", Glue::Usual));
    }
    let (arity, mut names, values) = meaning(value, !more.is_empty());
    names.extend(more.into_iter().map(str::to_owned));
    let spellings = parts.iter().flat_map(|it| spread(it.name, arity)).collect();
    Ok(Spelled {
        spellings,
        names,
        values,
    })
}

fn part(word: &str) -> Part<'_> {
    if let Some(optional) = word.strip_suffix(']')
        && let Some((name, value)) = optional.split_once("[=")
    {
        return Part {
            name,
            value: Some((value, Glue::Only)),
        };
    }
    if let Some((name, value)) = word.split_once("[=]") {
        return Part {
            name,
            value: Some((value, Glue::Either)),
        };
    }
    match word.split_once('=') {
        Some((name, value)) => Part {
            name,
            value: Some((value, Glue::Usual)),
        },
        None => Part {
            name: word,
            value: None,
        },
    }
}

type Meaning = (Arity, Vec<String>, Option<Vec<String>>);

fn meaning(value: Option<(&str, Glue)>, two: bool) -> Meaning {
    let Some((text, glue)) = value else {
        return (Arity::None, Vec::new(), None);
    };
    if let Some(name) = text.strip_suffix("...") {
        return (Arity::Rest, vec![name.to_owned()], None);
    }
    if let Some(name) = text.strip_suffix(';') {
        return (Arity::Until, vec![name.to_owned()], None);
    }
    let arity = match (two, glue) {
        (true, _) => Arity::Two,
        (false, Glue::Only) => Arity::Optional,
        (false, Glue::Either) => Arity::Either,
        (false, Glue::Usual) => Arity::One,
    };
    if is_slot(text) {
        return (arity, vec![text.to_owned()], None);
    }
    let values = text.split('|').map(str::to_owned).collect();
    (arity, Vec::new(), Some(values))
}

fn spread(name: &str, arity: Arity) -> Vec<(String, Arity)> {
    match name.split_once("[no-]") {
        None => vec![(name.to_owned(), arity)],
        Some((dashes, rest)) => vec![
            (format!("{dashes}{rest}"), arity),
            (format!("{dashes}no-{rest}"), Arity::None),
        ],
    }
}
