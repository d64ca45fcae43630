//! Phrases of somebody's own, from settings: `push: hands off the remote`.
//!
//! INVARIANT: what forbids may stand anywhere in a sentence that is no question, because too much forbidden is only a question more;
//! what lets through is a whole clause under the same conditions as ours.

use crate::clauses::Sentence;
use crate::slots::Slot;
use crate::{Kind, LANGUAGES, Language, Said, filled, holds};

/// The longest phrase, in bytes.
const LONGEST: usize = 200;

/// A phrase of somebody's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    kind: Kind,
    class: &'static str,
    words: String,
}

/// Returns the classes of acts that words can speak of.
#[must_use]
pub fn classes() -> Vec<&'static str> {
    let all = LANGUAGES.iter().flat_map(|it| it.classes);
    let mut all: Vec<&str> = all.map(|it| it.name).collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl Phrase {
    /// Reads a line: a class of acts, a colon, and words. One word alone lets nothing through: it stands in too many sentences.
    #[must_use]
    pub fn parse(kind: Kind, line: &str) -> Option<Self> {
        let (class, words) = line.split_once(':')?;
        let class = classes().into_iter().find(|it| *it == class.trim())?;
        let words: Vec<String> = words
            .split_whitespace()
            .map(|it| match Slot::of(it) {
                Some(_) => it.to_owned(),
                None => it.to_lowercase().replace(['\u{2019}', '\u{2018}'], "'"),
            })
            .collect();
        let least = match kind {
            Kind::Grant => 2,
            Kind::Limit => 1,
        };
        let speaks = words.iter().any(|it| Slot::of(it).is_none());
        let words = Some(words).filter(|it| it.len() >= least && speaks)?;
        let words = words.join(" ");
        (words.len() <= LONGEST).then_some(Self { kind, class, words })
    }

    /// Returns what the phrase says in a sentence.
    pub(crate) fn said(&self, sentence: &Sentence) -> Option<Said> {
        let target = match self.kind {
            Kind::Limit => self.forbids(sentence),
            Kind::Grant => self.grants(sentence),
        }?;
        Some(Said {
            kind: self.kind,
            class: self.class,
            target,
            sentence: sentence.text.clone(),
        })
    }

    fn forbids(&self, sentence: &Sentence) -> Option<Option<String>> {
        if sentence.asks {
            return None;
        }
        // Where words are not parted by blanks, a phrase is a part of the text.
        if !self.words.is_ascii() && sentence.lower.contains(&self.words.replace(' ', "")) {
            return Some(None);
        }
        let length = self.words.split(' ').count();
        let mut windows = sentence.tokens.windows(length);
        windows.find_map(|it| filled(it, &self.words))
    }

    fn grants(&self, sentence: &Sentence) -> Option<Option<String>> {
        let mut doubts = LANGUAGES.iter().flat_map(|it| it.doubts);
        if sentence.asks || doubts.any(|it| holds(&sentence.tokens, it)) {
            return None;
        }
        let whole = |language: &Language| {
            let mut clauses = sentence.clauses().into_iter();
            clauses.find_map(|it| filled(language.trimmed(it), &self.words))
        };
        LANGUAGES.iter().filter(|it| it.grants).find_map(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heard_with;

    fn said(kind: Kind, line: &str, text: &str) -> Vec<(Kind, Option<String>)> {
        let own = Phrase::parse(kind, line).unwrap();
        let said = heard_with(text, &[own]).into_iter();
        said.map(|it| (it.kind, it.target)).collect()
    }

    #[test]
    fn a_phrase_needs_a_class_that_is_known() {
        for wrong in [
            "hands off",
            "nonsense: hands off",
            "push:",
            "push: BRANCH",
            "push ship it",
            "",
        ] {
            assert_eq!(Phrase::parse(Kind::Limit, wrong), None, "{wrong}");
        }
        assert_eq!(Phrase::parse(Kind::Grant, "push: ship"), None);
        assert!(Phrase::parse(Kind::Limit, "push: freeze").is_some());
        assert!(classes().contains(&"push"), "{:?}", classes());
    }

    #[test]
    fn what_forbids_may_stand_anywhere() {
        let line = "push: hands off the remote";
        let limit = vec![(Kind::Limit, None)];
        for text in [
            "hands off the remote",
            "Fix it, but hands off the remote!",
            "Hands off the remote until I am back.",
        ] {
            assert_eq!(said(Kind::Limit, line, text), limit, "{text}");
        }
        for text in ["hands off the remote?", "> hands off the remote", "fix it"] {
            assert_eq!(said(Kind::Limit, line, text), [], "{text}");
        }
        let onto = "push: freeze BRANCH";
        let main = vec![(Kind::Limit, Some("main".to_owned()))];
        assert_eq!(said(Kind::Limit, onto, "freeze main please"), main);
    }

    #[test]
    fn what_lets_through_is_a_whole_clause() {
        let line = "push: ship it";
        let grant = vec![(Kind::Grant, None)];
        for text in ["ship it", "Ok, ship it please", "commit and ship it"] {
            assert_eq!(said(Kind::Grant, line, text), grant, "{text}");
        }
        for text in [
            "ship it?",
            "don't ship it",
            "if it works ship it",
            "we ship it with a bug",
            "ship it\nand more",
        ] {
            assert_eq!(said(Kind::Grant, line, text), [], "{text}");
        }
        // A text that forbids an act does not also let it through.
        let both = said(Kind::Grant, line, "ship it. never push to main");
        assert!(both.iter().all(|it| it.0 == Kind::Limit), "{both:?}");
    }
}
