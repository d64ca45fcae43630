//! Tells commands from prose.

use belay_model::Verb;

use super::Lexicon;
use crate::exact::EffectPattern;

/// One word of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub text: String,
    pub quoted: bool,
}

const MOST_WORDS: usize = 12;

/// Words that stand in sentences and hardly ever in commands. Sorted.
const SENTENCE: &[&str] = &[
    "a",
    "about",
    "after",
    "always",
    "an",
    "and",
    "any",
    "anything",
    "are",
    "asking",
    "be",
    "because",
    "before",
    "but",
    "by",
    "can",
    "do",
    "don't",
    "ever",
    "every",
    "everything",
    "except",
    "for",
    "from",
    "if",
    "in",
    "inside",
    "into",
    "is",
    "it",
    "its",
    "may",
    "must",
    "my",
    "never",
    "not",
    "of",
    "on",
    "only",
    "or",
    "our",
    "outside",
    "please",
    "should",
    "that",
    "the",
    "their",
    "them",
    "these",
    "they",
    "this",
    "to",
    "unless",
    "until",
    "when",
    "where",
    "while",
    "with",
    "without",
    "you",
    "your",
];

/// Parts a line into words, or none where no shell would read it as one simple command.
pub(super) fn words(text: &str) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut letters = text.trim().chars().peekable();
    while letters.peek().is_some() {
        if words.len() == MOST_WORDS {
            return None;
        }
        let mut word = Word {
            text: String::new(),
            quoted: false,
        };
        while let Some(letter) = letters.next_if(|it| !it.is_whitespace()) {
            match letter {
                '\'' | '"' => {
                    word.quoted = true;
                    loop {
                        match letters.next()? {
                            it if it == letter => break,
                            it => word.text.push(it),
                        }
                    }
                }
                '|' | ';' | '&' | '<' | '>' | '`' | '$' | '(' | ')' => return None,
                it => word.text.push(it),
            }
        }
        words.push(word);
        while letters.next_if(|it| it.is_whitespace()).is_some() {}
    }
    (!words.is_empty()).then_some(words)
}

/// Tells whether words are a sentence rather than a command.
pub(super) fn reads_as_prose(words: &[Word], lexicon: &dyn Lexicon) -> bool {
    let Some((first, rest)) = words.split_first() else {
        return true;
    };
    if !is_program(&first.text)
        || rest
            .iter()
            .any(|it| !it.quoted && is_sentence_word(&it.text))
    {
        return true;
    }
    if words.iter().any(|it| !it.quoted && ends_a_clause(&it.text)) {
        return true;
    }
    let marked = rest.iter().any(|it| has_marks(&it.text));
    let capital = first.text.starts_with(char::is_uppercase);
    if marked || rest.is_empty() {
        return capital && rest.is_empty() && !lexicon.knows(&first.text);
    }
    let english = belay_knowledge::OURS.lists("english-programs", &first.text);
    let long = words.len() > 3;
    capital || (long && (english || !lexicon.knows(&first.text)))
}

fn is_program(word: &str) -> bool {
    let letter = |it: char| it.is_ascii_alphanumeric() || "._/~+@-".contains(it);
    word.chars().all(letter) && word.starts_with(|it: char| it != '-' && it != '+' && it != '@')
}

pub(super) fn is_sentence_word(word: &str) -> bool {
    let lower = word.to_lowercase();
    SENTENCE.binary_search(&lower.as_str()).is_ok()
}

/// Tells whether a word ends a sentence or a part of one.
fn ends_a_clause(word: &str) -> bool {
    let spoken = word.chars().any(char::is_alphanumeric);
    spoken && word.ends_with(['.', ',', '!', '?', ':', '…'])
}

/// Tells whether a word has what sentences lack: a flag's dash, a path, a glob, a number, a name.
fn has_marks(word: &str) -> bool {
    word.starts_with(['-', '.', '~', '@', '+']) || word.contains(['/', '*', '=', ':', '_'])
}

/// Statements of SQL by their first words, in lower case.
const STATEMENTS: &[&[&str]] = &[
    &["alter", "table"],
    &["create", "table"],
    &["delete", "from"],
    &["drop", "column"],
    &["drop", "database"],
    &["drop", "index"],
    &["drop", "schema"],
    &["drop", "table"],
    &["drop", "user"],
    &["drop", "view"],
    &["insert", "into"],
    &["truncate", "table"],
];
const SHOUTED: &[&str] = &[
    "ALTER", "CREATE", "DELETE", "DROP", "GRANT", "INSERT", "REVOKE", "TRUNCATE", "UPDATE",
];

/// Returns the statement of SQL that the words are, in lower case.
pub(super) fn statement(words: &[Word]) -> Option<String> {
    let texts: Vec<&str> = words.iter().map(|it| it.text.as_str()).collect();
    let lower: Vec<String> = texts.iter().map(|it| it.to_lowercase()).collect();
    let known = STATEMENTS
        .iter()
        .any(|it| lower.iter().map(String::as_str).eq(it.iter().copied()));
    let shouted = texts.first().is_some_and(|it| SHOUTED.contains(it))
        && texts.iter().all(|it| !it.contains(char::is_lowercase));
    (known || shouted).then(|| lower.join(" "))
}

/// Tells whether the words name a push that rewrites history.
pub(super) fn is_force_push(words: &[Word]) -> bool {
    let lower: Vec<String> = words.iter().map(|it| it.text.to_lowercase()).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    matches!(
        lower.as_slice(),
        ["force", "push" | "pushing" | "pushes"]
            | ["force-push" | "force-pushing" | "force-pushes"]
    )
}

/// Returns the effect pattern that the words are.
pub(super) fn effect(words: &[Word]) -> Option<EffectPattern> {
    Verb::from_word(&words.first()?.text)?;
    let line: Vec<&str> = words.iter().map(|it| it.text.as_str()).collect();
    EffectPattern::parse(&line.join(" ")).ok()
}
