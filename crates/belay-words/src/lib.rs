//! Reads what a person typed: what it lets an agent do, and what it forbids.
//!
//! INVARIANT: nothing is guessed. A grant is a whole clause that stands in a table, of a short prompt in one
//! line that depends on nothing; everything else grants nothing. A limit may stand anywhere in a sentence that
//! is no question. Who typed the text is for others to prove.

mod clauses;
mod own;
mod slots;

use clauses::{Sentence, Token, sentences};
use slots::Slot;

pub use own::{Phrase, classes};

/// The longest prompt that grants anything, in characters.
const LONGEST_GRANT: usize = 300;

/// The longest prompt that is read at all, in bytes.
const LONGEST: usize = 64 * 1024;

/// One thing that a person said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Whether it lets something through or forbids it.
    pub kind: Kind,
    /// The class of acts: `push`, `install`; policy knows what belongs to it.
    pub class: &'static str,
    /// What it is about, where it names that: a branch, a package, a port, a host, a path.
    pub target: Option<String>,
    /// The sentence it stands in.
    pub sentence: String,
}

/// Whether words let something through or forbid it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It may be done.
    Grant,
    /// It must not be done.
    Limit,
}

/// The words of one language.
struct Language {
    grants: bool,
    unspaced: bool,
    opening: &'static [&'static str],
    closing: &'static [&'static str],
    polite: &'static [&'static str],
    doubts: &'static [&'static str],
    beside: &'static [&'static str],
    joins: &'static [&'static str],
    follows: &'static [&'static str],
    classes: &'static [Class],
}

/// The phrases of one class of acts.
struct Class {
    name: &'static str,
    bare: &'static [&'static str],
    grant: &'static [&'static str],
    limit: &'static [&'static str],
    whole: &'static [&'static str],
    after: &'static [&'static str],
    implied: &'static [&'static str],
    unless: &'static [&'static str],
}

include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// Returns what a text lets an agent do, and what it forbids.
#[must_use]
pub fn heard(text: &str) -> Vec<Said> {
    heard_with(text, &[])
}

/// Returns what a text lets an agent do, and what it forbids, by our own tables and by phrases of somebody's own.
#[must_use]
pub fn heard_with(text: &str, own: &[Phrase]) -> Vec<Said> {
    if text.len() > LONGEST {
        return Vec::new();
    }
    let text = text.trim();
    let may_grant = text.chars().count() <= LONGEST_GRANT && !text.contains('\n');
    let mut all = Vec::new();
    for sentence in sentences(text) {
        for language in LANGUAGES {
            all.extend(language.limits(&sentence));
            if may_grant && language.grants {
                all.extend(language.granted(&sentence));
            }
        }
        let said = own.iter().filter_map(|it| it.said(&sentence));
        all.extend(said.filter(|it| may_grant || it.kind == Kind::Limit));
    }
    // A text that forbids an act does not also let it through.
    let forbidden: Vec<&str> = limits(&all).map(|it| it.class).collect();
    all.retain(|it| it.kind == Kind::Limit || !forbidden.contains(&it.class));
    all.dedup();
    all
}

fn limits(all: &[Said]) -> impl Iterator<Item = &Said> {
    all.iter().filter(|it| it.kind == Kind::Limit)
}

impl Language {
    /// Returns what a sentence lets through: every clause for itself.
    fn granted(&self, sentence: &Sentence) -> Vec<Said> {
        let tokens = &sentence.tokens;
        let polite = self.polite.iter().any(|it| begins(tokens, it));
        // People mix languages: a doubt in any of them is one.
        let mut doubts = LANGUAGES.iter().flat_map(|it| it.doubts);
        if (sentence.asks && !polite) || doubts.any(|it| holds(tokens, it)) {
            return Vec::new();
        }
        let clauses: Vec<&[Token]> = sentence
            .clauses()
            .into_iter()
            .map(|it| self.trimmed(it))
            .collect();
        let mut all = Vec::new();
        for (at, clause) in clauses.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|it| clauses.get(it));
            let is_verb = match before {
                None => clauses.len() == 1,
                Some(before) => self.beside.iter().any(|it| is(before, it)),
            };
            for class in self.classes {
                let bare = is_verb && class.bare.iter().any(|it| is(clause, it));
                let said = |target| Said {
                    kind: Kind::Grant,
                    class: class.name,
                    target,
                    sentence: sentence.text.clone(),
                };
                match class.grant.iter().find_map(|it| filled(clause, it)) {
                    Some(target) => all.push(said(target)),
                    None if bare => all.push(said(None)),
                    None => {}
                }
            }
        }
        all
    }

    /// Takes away words at both ends that change nothing.
    fn trimmed<'t>(&self, clause: &'t [Token]) -> &'t [Token] {
        let mut rest = clause;
        loop {
            let opened = self.opening.iter().filter(|it| begins(rest, it));
            let closed = self.closing.iter().filter(|it| ends(rest, it));
            let length = |it: &&&str| it.split(' ').count();
            let (open, close) = (
                opened.map(|it| length(&it)).max().unwrap_or(0),
                closed.map(|it| length(&it)).max().unwrap_or(0),
            );
            if open == 0 && close == 0 {
                return rest;
            }
            let inner = rest.get(open..).unwrap_or_default();
            // A clause of such words alone is one of them.
            let kept = inner.get(..inner.len().saturating_sub(close));
            rest = kept.unwrap_or_default();
        }
    }

    /// Returns what a sentence forbids.
    fn limits(&self, sentence: &Sentence) -> Vec<Said> {
        if sentence.asks {
            return Vec::new();
        }
        let mut all = Vec::new();
        for class in self.classes {
            let speaks = |word: &&str| match self.unspaced {
                true => sentence.lower.contains(*word),
                false => holds(&sentence.tokens, word),
            };
            let implied = match class.unless.iter().any(speaks) {
                true => &[],
                false => class.implied,
            };
            let mut phrases = class.limit.iter().chain(implied);
            let found = phrases.find_map(|it| self.forbids(class, it, sentence));
            all.extend(found.map(|target| Said {
                kind: Kind::Limit,
                class: class.name,
                target,
                sentence: sentence.text.clone(),
            }));
        }
        all
    }

    /// Returns the target that a phrase forbids in a sentence, if it stands there; a phrase may have none.
    fn forbids(&self, class: &Class, phrase: &str, sentence: &Sentence) -> Option<Option<String>> {
        if self.unspaced {
            return sentence.lower.contains(phrase).then_some(None);
        }
        if class.whole.contains(&phrase) {
            let mut clauses = sentence.clauses().into_iter();
            return clauses.any(|it| self.is_whole(it, phrase)).then_some(None);
        }
        let tokens = &sentence.tokens;
        let length = phrase.split(' ').count();
        (0..tokens.len()).find_map(|at| {
            let target = filled(tokens.get(at..at + length)?, phrase)?;
            let last = tokens.get(at + length - 1)?;
            let next = tokens.get(at + length);
            let ended = last.ends || next.is_none_or(|it| class.after.contains(&it.text.as_str()));
            let first = phrase.split(' ').next().unwrap_or_default();
            let begun = self.follows.contains(&first) || self.may_open(tokens, at);
            (ended && begun).then_some(target)
        })
    }

    /// Tells whether a clause is that phrase, between words that change nothing.
    fn is_whole(&self, clause: &[Token], phrase: &str) -> bool {
        let length = phrase.split(' ').count();
        (0..clause.len()).any(|at| {
            let (before, rest) = clause.split_at(at);
            let after = rest.get(length..).unwrap_or_default();
            begins(rest, phrase)
                && self.trimmed(before).is_empty()
                && self.trimmed(after).is_empty()
        })
    }

    /// Tells whether a demand may begin at this word: nobody else is said to do it.
    fn may_open(&self, tokens: &[Token], at: usize) -> bool {
        let Some(before) = at.checked_sub(1).and_then(|it| tokens.get(it)) else {
            return true;
        };
        let word = before.text.as_str();
        let marked = before.ends || before.announces || matches!(word, "-" | "&");
        marked || self.joins.contains(&word) || self.opening.contains(&word)
    }
}

fn begins(tokens: &[Token], phrase: &str) -> bool {
    let length = phrase.split(' ').count();
    tokens.get(..length).is_some_and(|it| is(it, phrase))
}

fn ends(tokens: &[Token], phrase: &str) -> bool {
    let length = phrase.split(' ').count();
    let from = tokens.len().checked_sub(length);
    from.and_then(|it| tokens.get(it..))
        .is_some_and(|it| is(it, phrase))
}

fn holds(tokens: &[Token], phrase: &str) -> bool {
    let length = phrase.split(' ').count();
    tokens.windows(length).any(|it| is(it, phrase))
}

fn is(tokens: &[Token], phrase: &str) -> bool {
    let words = phrase.split(' ');
    tokens.len() == words.clone().count() && tokens.iter().zip(words).all(|(a, b)| a.text == b)
}

/// Compares words with a phrase; returns what stands in its slot, if it has one.
fn filled(tokens: &[Token], phrase: &str) -> Option<Option<String>> {
    let words = phrase.split(' ');
    if tokens.len() != words.clone().count() {
        return None;
    }
    let mut target = None;
    for (token, word) in tokens.iter().zip(words) {
        match Slot::of(word) {
            None if token.text == word => {}
            None => return None,
            Some(slot) => target = Some(slot.take(&token.whole)?),
        }
    }
    Some(target)
}

#[cfg(test)]
mod tests;
