//! Reading TOML with places, and saying what is wrong with it.

use std::fmt;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::model::Example;

/// What is wrong with a file, where, and the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong, one line in lower case.
    pub what: String,
    /// What to do about it.
    pub hint: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error: {}", self.what)?;
        write!(f, "  --> {}:{}:{}", self.file, self.line, self.column)?;
        if self.hint.is_empty() {
            return Ok(());
        }
        write!(f, "\nhint: {}", self.hint)
    }
}

impl std::error::Error for Fault {}

/// A file that is being read, and what is wrong with it so far.
pub struct Source<'t> {
    /// Its name, for people.
    pub file: &'t str,
    text: &'t str,
    pub faults: Vec<Fault>,
    /// The examples that it shows.
    pub examples: Vec<Example>,
}

/// A text and where it stands.
#[derive(Clone, Debug)]
pub struct Placed {
    pub text: String,
    pub span: Range<usize>,
}

impl Placed {
    /// Parts a text into words, all at the same place.
    pub fn words(&self) -> Vec<Self> {
        let word = |text: &str| Self {
            text: text.to_owned(),
            span: self.span.clone(),
        };
        self.text.split_whitespace().map(word).collect()
    }
}

impl<'t> Source<'t> {
    pub const fn new(file: &'t str, text: &'t str) -> Self {
        Self {
            file,
            text,
            faults: Vec::new(),
            examples: Vec::new(),
        }
    }

    /// Parses the whole file.
    pub fn parse(&mut self) -> Option<DeTable<'t>> {
        match DeTable::parse(self.text) {
            Ok(table) => Some(table.into_inner()),
            Err(error) => {
                let span = error.span().unwrap_or(0..0);
                let what = error.message().lines().next().unwrap_or("not TOML");
                self.fault(span, what.to_lowercase(), "the file must be TOML");
                None
            }
        }
    }

    /// Notes that something is wrong.
    pub fn fault(&mut self, span: Range<usize>, what: impl Into<String>, hint: impl Into<String>) {
        let (line, column) = self.place(span.start);
        self.faults.push(Fault {
            file: self.file.to_owned(),
            line,
            column,
            what: what.into(),
            hint: hint.into(),
        });
    }

    /// Returns line and column of a byte, both from 1.
    pub fn place(&self, at: usize) -> (usize, usize) {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |it| it + 1);
        (line, before.len() - start + 1)
    }

    /// Faults every key that is not one of these.
    pub fn only(&mut self, table: &DeTable<'_>, keys: &[&str]) {
        for key in table.keys() {
            let name: &str = key.get_ref();
            if !keys.contains(&name) {
                let hint = format!("keys are `{}`{}", keys.join("`, `"), nearest(name, keys));
                self.fault(key.span(), format!("unknown key `{name}`"), hint);
            }
        }
    }

    /// Returns a string; faults anything else.
    pub fn string(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Placed> {
        let DeValue::String(text) = value.get_ref() else {
            self.fault(value.span(), "not a string", "write it in quotes");
            return None;
        };
        Some(Placed {
            text: text.to_string(),
            span: value.span(),
        })
    }

    /// Returns the strings of a list, or one string as a list of one.
    pub fn strings(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<Placed> {
        match value.get_ref() {
            DeValue::Array(items) => items.iter().filter_map(|it| self.string(it)).collect(),
            DeValue::String(_) => self
                .string(value)
                .into_iter()
                .filter(|it| !it.text.is_empty())
                .collect(),
            DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Table(_) => {
                self.fault(value.span(), "not a list of strings", "write `[\"...\"]`");
                Vec::new()
            }
        }
    }

    /// Returns a string member; nothing when it is absent.
    pub fn member(&mut self, table: &DeTable<'_>, key: &str) -> Option<Placed> {
        let value = table.get(key)?;
        self.string(value)
    }

    /// Returns the strings of a member; none when it is absent.
    pub fn members(&mut self, table: &DeTable<'_>, key: &str) -> Vec<Placed> {
        table
            .get(key)
            .map(|it| self.strings(it))
            .unwrap_or_default()
    }

    /// Returns a switch; false when it is absent.
    pub fn switch(&mut self, table: &DeTable<'_>, key: &str) -> bool {
        match table.get(key).map(|it| (it.get_ref(), it.span())) {
            None => false,
            Some((DeValue::Boolean(on), _)) => *on,
            Some((_, span)) => {
                self.fault(span, format!("`{key}` is not true or false"), "");
                false
            }
        }
    }

    /// Returns a table member's entries, in the order of the file.
    pub fn entries<'a, 'i>(&mut self, table: &'a DeTable<'i>, key: &str) -> Entries<'a, 'i> {
        let Some(value) = table.get(key) else {
            return Vec::new();
        };
        let DeValue::Table(inner) = value.get_ref() else {
            self.fault(value.span(), format!("`{key}` is not a table"), "");
            return Vec::new();
        };
        in_order(inner)
    }
}

/// Keys and values with their places.
pub type Entries<'a, 't> = Vec<(Placed, &'a Spanned<DeValue<'t>>)>;

/// Returns a table's entries in the order of the file.
pub fn in_order<'a, 't>(table: &'a DeTable<'t>) -> Entries<'a, 't> {
    let mut out: Entries<'a, 't> = table
        .iter()
        .map(|(key, value)| {
            let placed = Placed {
                text: key.get_ref().to_string(),
                span: key.span(),
            };
            (placed, value)
        })
        .collect();
    out.sort_by_key(|(key, _)| key.span.start);
    out
}

/// Suggests the word nearest to what was written, if one is near.
pub fn nearest(word: &str, words: &[&str]) -> String {
    let best = words
        .iter()
        .map(|it| (distance(word, it), *it))
        .min_by_key(|(far, _)| *far);
    match best {
        Some((far, it)) if far <= 2 && far < it.len() => format!("; did you mean `{it}`?"),
        _ => String::new(),
    }
}

fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (down, a) in one.chars().enumerate() {
        let mut corner = down;
        let mut left = down + 1;
        let mut next = vec![left];
        for (b, up) in other.iter().zip(row.iter().skip(1)) {
            left = (left + 1).min(up + 1).min(corner + usize::from(a != *b));
            corner = *up;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}
