//! Codex: `prefix_rule(pattern = [...], decision = "...")` of its rules files.

use belay_model::Verdict;

use super::{ImportError, Imported, Part};

const MOST_SPELLINGS: usize = 64;
const DEEPEST: usize = 8;

/// Turns the prefix rules of Codex into ours. Only plain calls are read; a file is never run.
///
/// # Errors
/// When a string or a parenthesis is not closed.
pub fn codex(text: &str) -> Result<Imported, ImportError> {
    let mut imported = Imported::default();
    let mut reader = Reader {
        tokens: tokens(text)?.into_iter().peekable(),
    };
    while let Some(token) = reader.tokens.next() {
        let Token::Name(name) = token else {
            continue;
        };
        if reader.tokens.next_if_eq(&Token::Mark('(')).is_none() {
            imported.leave(&name, "only plain calls of `prefix_rule` are read");
            continue;
        }
        let arguments = reader.arguments()?;
        match name.as_str() {
            "prefix_rule" => prefix_rule(&mut imported, &arguments),
            "network_rule" | "host_executable" => {
                imported.leave(&name, "it has no counterpart in belay");
            }
            _ => imported.leave(&name, "only plain calls of `prefix_rule` are read"),
        }
    }
    Ok(imported)
}

fn prefix_rule(imported: &mut Imported, arguments: &[(String, Term)]) {
    let named = |name: &str| {
        arguments
            .iter()
            .find(|(it, _)| it == name)
            .map(|(_, term)| term)
    };
    let text = |name: &str| named(name).and_then(Term::text);
    let verdict = match text("decision") {
        None | Some("allow") => Verdict::Allow,
        Some("prompt") => Verdict::Ask,
        Some("forbidden") => Verdict::Deny,
        Some(_) => return imported.leave("prefix_rule", "its decision is not known"),
    };
    let Some(spellings) = named("pattern").and_then(spellings) else {
        return imported.leave("prefix_rule", "its pattern is no list of words");
    };
    let because = text("justification").map(str::to_owned);
    for words in spellings {
        let line = format!("prefix_rule: {words}");
        let part = Part {
            line: &line,
            text: &words,
        };
        imported.command(part, verdict, because.clone());
    }
}

/// Returns every way to spell a pattern.
fn spellings(pattern: &Term) -> Option<Vec<String>> {
    let Term::List(items) = pattern else {
        return None;
    };
    let mut found = vec![String::new()];
    for item in items {
        let words: Vec<&str> = match item {
            Term::Text(text) => vec![text],
            Term::List(items) => items.iter().map(Term::text).collect::<Option<_>>()?,
            Term::Other => return None,
        };
        let plain = |it: &&str| !it.contains(['\'', '"']) && !it.contains(char::is_whitespace);
        if !words.iter().all(plain) || found.len() * words.len() > MOST_SPELLINGS {
            return None;
        }
        let longer = |start: &String| -> Vec<String> {
            words
                .iter()
                .map(|it| format!("{start} {it}").trim().to_owned())
                .collect()
        };
        found = found.iter().flat_map(longer).collect();
    }
    (!items.is_empty()).then_some(found)
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Name(String),
    Text(String),
    Mark(char),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Term {
    Text(String),
    List(Vec<Term>),
    Other,
}

impl Term {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::List(_) | Self::Other => None,
        }
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, ImportError> {
    let mut found = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '#' => while letters.next_if(|it| *it != '\n').is_some() {},
            '"' | '\'' => found.push(Token::Text(string(letter, &mut letters)?)),
            it if it.is_alphanumeric() || it == '_' => {
                let mut name = String::from(it);
                while let Some(it) = letters.next_if(|it| it.is_alphanumeric() || *it == '_') {
                    name.push(it);
                }
                found.push(Token::Name(name));
            }
            it if it.is_whitespace() => {}
            it => found.push(Token::Mark(it)),
        }
    }
    Ok(found)
}

fn string(
    quote: char,
    letters: &mut std::iter::Peekable<std::str::Chars<'_>>,
) -> Result<String, ImportError> {
    let open = || ImportError("a string is not closed".to_owned());
    let mut text = String::new();
    loop {
        match letters.next().ok_or_else(open)? {
            it if it == quote => return Ok(text),
            '\\' => match letters.next().ok_or_else(open)? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                it => text.push(it),
            },
            it => text.push(it),
        }
    }
}

struct Reader {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
}

impl Reader {
    /// Reads `name = term, ...` up to the closing parenthesis.
    fn arguments(&mut self) -> Result<Vec<(String, Term)>, ImportError> {
        let mut found = Vec::new();
        loop {
            let token = self.tokens.next();
            match token.ok_or_else(|| ImportError("a parenthesis is not closed".to_owned()))? {
                Token::Mark(')') => return Ok(found),
                Token::Name(name) if self.tokens.next_if_eq(&Token::Mark('=')).is_some() => {
                    let term = self.term(0);
                    found.push((name, term));
                }
                Token::Name(_) | Token::Text(_) | Token::Mark(_) => {}
            }
        }
    }

    fn term(&mut self, depth: usize) -> Term {
        match self.tokens.next() {
            Some(Token::Text(text)) => Term::Text(text),
            Some(Token::Mark('[')) if depth < DEEPEST => {
                let mut items = Vec::new();
                while let Some(token) = self.tokens.peek() {
                    match token {
                        Token::Mark(']') => {
                            self.tokens.next();
                            break;
                        }
                        Token::Mark(',') => {
                            self.tokens.next();
                        }
                        Token::Name(_) | Token::Text(_) | Token::Mark(_) => {
                            items.push(self.term(depth + 1));
                        }
                    }
                }
                Term::List(items)
            }
            Some(Token::Name(_) | Token::Mark(_)) | None => Term::Other,
        }
    }
}
