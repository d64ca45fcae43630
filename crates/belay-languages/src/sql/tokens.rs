//! The words of SQL as each engine parts them. What engines read in different ways is not read at all.

use super::Engine;

/// One word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name or a keyword as it was typed, in small letters.
    Word(String),
    /// A name in quotes, in small letters: never a keyword.
    Name(String),
    /// A text, as far as it is known: one with escapes is not.
    Text(Option<String>),
    /// A number.
    Number(String),
    /// Anything else.
    Mark(char),
}

/// Parts one statement, without the client's commands; `None` when it cannot be read in one way only.
pub(super) fn tokens(engine: Engine, text: &str) -> Option<Vec<Token>> {
    let mut reader = Reader { engine, rest: text };
    let mut tokens = Vec::new();
    while let Some(token) = reader.next()? {
        tokens.push(token);
    }
    Some(tokens)
}

/// Where a statement of a longer text ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    /// With a semicolon.
    Semicolon,
    /// Before a backslash, which begins a command of the client.
    Backslash,
    /// With the text.
    Text,
}

/// Returns the statement that a text begins with, how it ends, and what follows.
pub(super) fn statement(engine: Engine, text: &str) -> Option<(&str, End, &str)> {
    let mut reader = Reader { engine, rest: text };
    loop {
        let before = reader.rest;
        let upto = |rest: &str| text.get(..text.len() - rest.len());
        if reader.at_backslash() {
            reader.skip_blanks()?;
            return Some((upto(reader.rest)?, End::Backslash, reader.rest));
        }
        match reader.next()? {
            None => return Some((text, End::Text, "")),
            Some(Token::Mark(';')) => {
                let part = upto(before)?;
                return Some((part, End::Semicolon, reader.rest));
            }
            Some(_) => {}
        }
    }
}

struct Reader<'a> {
    engine: Engine,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn first(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn take(&mut self, bytes: usize) -> Option<&'a str> {
        let (taken, rest) = self.rest.split_at_checked(bytes)?;
        self.rest = rest;
        Some(taken)
    }

    fn while_(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|it| !belongs(it)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// Tells whether blanks and comments are followed by a backslash.
    fn at_backslash(&self) -> bool {
        let mut ahead = Reader {
            engine: self.engine,
            rest: self.rest,
        };
        ahead.skip_blanks().is_some() && ahead.first() == Some('\\')
    }

    /// Skips blanks and comments; `None` for a comment that some engine would run or end elsewhere.
    fn skip_blanks(&mut self) -> Option<()> {
        loop {
            self.while_(|it| it.is_ascii_whitespace() || it == '\u{b}');
            let rest = self.rest;
            if let Some(after) = rest.strip_prefix("--") {
                // MySQL needs a blank here; without one, it takes away twice.
                let spaced =
                    after.is_empty() || after.starts_with(|it: char| it.is_ascii_whitespace());
                if !spaced && !self.engine.has_bare_dashes() {
                    return None;
                }
                self.while_(|it| it != '\n');
            } else if rest.starts_with('#') && self.engine == Engine::MySql {
                self.while_(|it| it != '\n');
            } else if rest.starts_with("/*") {
                self.comment()?;
            } else {
                return Some(());
            }
        }
    }

    /// Some engines nest comments and some do not; one of MySQL's kinds is code.
    fn comment(&mut self) -> Option<()> {
        let inside = self.rest.get(2..)?;
        let end = inside.find("*/")?;
        let body = inside.get(..end)?;
        let is_code = body.starts_with('!') || body.starts_with("M!") || body.starts_with("m!");
        if body.contains("/*") || body.ends_with('/') || is_code {
            return None;
        }
        self.take(end + 4).map(drop)
    }

    fn next(&mut self) -> Option<Option<Token>> {
        self.skip_blanks()?;
        let Some(first) = self.first() else {
            return Some(None);
        };
        let token = match first {
            '\'' => self.text()?,
            '"' if self.engine == Engine::MySql => self.text()?,
            '"' => Token::Name(self.quoted('"')?),
            '`' => self.backtick()?,
            '[' if self.engine == Engine::Sqlite => self.bracket()?,
            '$' => self.dollar()?,
            '0'..='9' => Token::Number(self.number()),
            it if it.is_alphabetic() || it == '_' => self.word()?,
            // Zero bytes end the text for some and not for others; a colon may stand for a variable of `psql`.
            '\0' | '\\' => return None,
            ':' => self.colon()?,
            it => {
                self.take(it.len_utf8())?;
                Token::Mark(it)
            }
        };
        Some(Some(token))
    }

    fn word(&mut self) -> Option<Token> {
        let word = self.while_(|it| it.is_alphanumeric() || it == '_' || it == '$');
        let prefixed = self.rest.starts_with('\'') && self.engine != Engine::Sqlite;
        let word = word.to_lowercase();
        match word.as_str() {
            "e" if prefixed && self.engine.has_escape_texts() => self.escaped_text(),
            "u" if self.rest.starts_with("&'") || self.rest.starts_with("&\"") => None,
            // Bits, bytes and national texts are plain ones.
            "b" | "x" | "n" if prefixed => self.text(),
            // `_utf8'...'` of MySQL.
            it if prefixed && it.starts_with('_') => None,
            _ => Some(Token::Word(word)),
        }
    }

    fn number(&mut self) -> String {
        self.while_(|it| it.is_ascii_alphanumeric() || it == '.' || it == '_')
            .to_owned()
    }

    /// A text in quotes. A backslash before a quote ends it for some engines and modes and not for others.
    fn text(&mut self) -> Option<Token> {
        let quote = self.first()?;
        let body = self.quoted(quote)?;
        if body.contains('\\') && !self.engine.keeps_backslashes() {
            let hides = body.contains("\\'") || body.contains("\\\"") || body.ends_with('\\');
            return (!hides).then_some(Token::Text(None));
        }
        Some(Token::Text(Some(body)))
    }

    /// `E'...'`: a backslash escapes.
    fn escaped_text(&mut self) -> Option<Token> {
        let mut inside = self.rest.get(1..)?.char_indices();
        while let Some((at, it)) = inside.next() {
            match it {
                '\\' => drop(inside.next()),
                '\'' if self.rest.get(at + 2..)?.starts_with('\'') => drop(inside.next()),
                '\'' => {
                    self.take(at + 2)?;
                    return Some(Token::Text(None));
                }
                _ => {}
            }
        }
        None
    }

    fn quoted(&mut self, quote: char) -> Option<String> {
        let mut body = String::new();
        let mut inside = self.rest.get(1..)?;
        loop {
            let end = inside.find(quote)?;
            body.push_str(inside.get(..end)?);
            inside = inside.get(end + 1..)?;
            match inside.strip_prefix(quote) {
                Some(after) => {
                    body.push(quote);
                    inside = after;
                }
                None => {
                    self.rest = inside;
                    return Some(if quote == '\'' {
                        body
                    } else {
                        body.to_lowercase()
                    });
                }
            }
        }
    }

    fn backtick(&mut self) -> Option<Token> {
        if !self.engine.has_backticks() {
            return None;
        }
        let name = self.quoted('`')?;
        (!name.contains('\\')).then_some(Token::Name(name))
    }

    fn bracket(&mut self) -> Option<Token> {
        let end = self.rest.find(']')?;
        let name = self.take(end + 1)?;
        Some(Token::Name(name.trim_matches(['[', ']']).to_lowercase()))
    }

    /// A text between dollars, or a parameter.
    fn dollar(&mut self) -> Option<Token> {
        let tag = self.rest.get(1..)?;
        let length = tag
            .find(|it: char| !it.is_alphanumeric() && it != '_')
            .unwrap_or(tag.len());
        let numbered = tag.starts_with(|it: char| it.is_ascii_digit());
        if !tag.get(length..)?.starts_with('$') || numbered {
            self.take(1 + length)?;
            return Some(Token::Number("$".to_owned()));
        }
        if !self.engine.has_dollars() {
            return None;
        }
        let close = self.take(length + 2)?;
        let end = self.rest.find(close)?;
        let body = self.take(end)?;
        self.take(close.len())?;
        Some(Token::Text(Some(body.to_owned())))
    }

    /// `::` casts and `:=` names; after one colon `psql` puts the value of a variable in.
    fn colon(&mut self) -> Option<Token> {
        let after = self.rest.get(1..)?;
        if after.starts_with([':', '=']) {
            self.take(2)?;
            return Some(Token::Mark(':'));
        }
        let named = after.starts_with(|it: char| it.is_alphanumeric() || "_'\"{".contains(it));
        if named && self.engine.puts_variables() {
            return None;
        }
        self.take(1)?;
        Some(Token::Mark(':'))
    }
}
