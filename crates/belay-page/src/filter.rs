//! The filter over the stream: it stands in the address, so that it can be kept, and is applied to the whole journal.

use belay_journal::{Kind, Record, Row, Rows, subject};

/// What is looked for: `verdict:ask -tool:Read agent:codex words`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    text: String,
    terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    not: bool,
    field: Field,
    value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Verdict,
    Agent,
    Tool,
    Project,
    Session,
    Rule,
    Layer,
    Words,
}

const FIELDS: [(&str, Field); 7] = [
    ("verdict", Field::Verdict),
    ("agent", Field::Agent),
    ("tool", Field::Tool),
    ("project", Field::Project),
    ("session", Field::Session),
    ("rule", Field::Rule),
    ("layer", Field::Layer),
];

impl Filter {
    /// Reads a filter.
    ///
    /// # Errors
    /// Returns what is not understood.
    pub fn parse(text: &str) -> Result<Self, String> {
        let terms = text
            .split_whitespace()
            .map(term)
            .collect::<Result<_, _>>()?;
        Ok(Self {
            text: text.trim().to_owned(),
            terms,
        })
    }

    /// Returns the filter as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Tells whether everything is wanted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Tells whether a row may be wanted: words of the call are not known there.
    #[must_use]
    pub fn glances(&self, rows: &Rows, row: &Row) -> bool {
        let Kind::Call(verdict) = row.kind else {
            return false;
        };
        self.terms.iter().all(|term| {
            let found = match term.field {
                Field::Verdict => verdict.word(),
                Field::Agent => rows.name(row.agent),
                Field::Tool => rows.name(row.tool),
                Field::Project => rows.name(row.project),
                Field::Session => rows.name(row.session),
                Field::Rule => rows.name(row.rule),
                Field::Layer => rows.name(row.layer),
                Field::Words => return true,
            };
            term.fits(found)
        })
    }

    /// Tells whether a record is wanted.
    #[must_use]
    pub fn wants(&self, record: &Record) -> bool {
        let call = &record.call;
        self.terms.iter().all(|term| match term.field {
            Field::Verdict => term.fits(record.judgement.verdict.word()),
            Field::Agent => term.fits(call.agent.as_deref().unwrap_or_default()),
            Field::Tool => term.fits(&call.tool),
            Field::Project => term.fits(call.project_roots.first().unwrap_or(&call.cwd)),
            Field::Session => term.fits(call.session.as_deref().unwrap_or_default()),
            Field::Rule => term.fits(record.judgement.reason.rule.as_deref().unwrap_or_default()),
            Field::Layer => term.fits(record.judgement.layer.word()),
            Field::Words => {
                let value = term.value.to_lowercase();
                let texts = [subject(call), record.judgement.reason.because.clone()];
                texts.iter().any(|it| it.to_lowercase().contains(&value)) != term.not
            }
        })
    }
}

impl Term {
    /// Verdicts, agents, tools and layers are said whole; of the others a part will do.
    fn fits(&self, found: &str) -> bool {
        let fits = match self.field {
            Field::Verdict | Field::Agent | Field::Tool | Field::Layer => {
                found.eq_ignore_ascii_case(&self.value)
            }
            Field::Project | Field::Session | Field::Rule | Field::Words => {
                found.contains(&self.value)
            }
        };
        fits != self.not
    }
}

fn term(word: &str) -> Result<Term, String> {
    let (not, word) = match word.strip_prefix('-').filter(|it| it.contains(':')) {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let Some((name, value)) = word.split_once(':') else {
        return Ok(Term {
            not,
            field: Field::Words,
            value: word.to_owned(),
        });
    };
    let known = FIELDS.iter().find(|(it, _)| *it == name);
    let Some((_, field)) = known else {
        let names = FIELDS.map(|(it, _)| it).join(", ");
        return Err(format!("`{name}:` is not known; there are {names}"));
    };
    if *field == Field::Verdict && belay_model::Verdict::from_word(value).is_none() {
        return Err("a verdict is `allow`, `ask` or `deny`".to_owned());
    }
    Ok(Term {
        not,
        field: *field,
        value: value.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_read_or_said_to_be_wrong() {
        assert!(Filter::parse("verdict:ask -tool:Read npm").is_ok());
        assert!(Filter::parse("").unwrap().is_empty());
        assert!(Filter::parse("verdict:maybe").is_err());
        assert!(
            Filter::parse("colour:red")
                .unwrap_err()
                .contains("verdict, agent")
        );
    }

    #[test]
    fn terms_all_hold() {
        let line = br#"{"v":2,"kind":"call","id":"1","at":"2026-03-02T10:00:00.000Z","mode":"auto","call":{"tool":"Bash","input":{"command":"npm publish"},"cwd":"/work/shop","agent":"codex"},"judgement":{"id":null,"verdict":"ask","layer":"analysis","rule":"x","risk":70,"reason":"why","effects":[],"troubles":[],"trail":[],"micros":1},"answers":[]}"#;
        let record = Record::read(line).unwrap();
        let wants = |text: &str| Filter::parse(text).unwrap().wants(&record);
        assert!(wants("verdict:ask agent:codex project:shop NPM"));
        assert!(!wants("verdict:ask -agent:codex"));
        assert!(wants("-tool:Read"));
        assert!(!wants("cargo"));
    }
}
