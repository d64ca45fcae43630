//! Python's words: names, strings, numbers, marks. The code in the braces of f-strings stands among them.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Name(String),
    /// A plain string with nothing computed in it.
    Text(String),
    /// A string of which only some is known.
    Made,
    Number,
    Mark(char),
    /// The end of a logical line, or `;`.
    End,
}

pub(super) fn tokens(code: &str) -> Option<Vec<Token>> {
    let mut reader = Reader {
        chars: code.chars().collect(),
        at: 0,
        out: Vec::new(),
        depth: 0,
    };
    while reader.at < reader.chars.len() {
        reader.one()?;
    }
    reader.out.push(Token::End);
    (reader.depth == 0).then_some(reader.out)
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    out: Vec<Token>,
    depth: i32,
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn one(&mut self) -> Option<()> {
        let c = self.peek(0)?;
        match c {
            '\n' => {
                if self.depth == 0 {
                    self.out.push(Token::End);
                }
                self.at += 1;
            }
            ';' => {
                self.out.push(Token::End);
                self.at += 1;
            }
            c if c.is_whitespace() => self.at += 1,
            '\\' if matches!(self.peek(1), Some('\n')) => self.at += 2,
            '\\' => return None,
            '#' => {
                self.at += self
                    .chars
                    .iter()
                    .skip(self.at)
                    .take_while(|c| **c != '\n')
                    .count()
            }
            '"' | '\'' => self.string("")?,
            c if c.is_alphabetic() || c == '_' => self.name()?,
            c if c.is_ascii_digit() => {
                self.at += self
                    .chars
                    .iter()
                    .skip(self.at)
                    .take_while(|c| c.is_ascii_alphanumeric() || matches!(**c, '.' | '_'))
                    .count();
                self.out.push(Token::Number);
            }
            c => {
                match c {
                    '(' | '[' | '{' => self.depth += 1,
                    ')' | ']' | '}' => self.depth -= 1,
                    _ => {}
                }
                self.out.push(Token::Mark(c));
                self.at += 1;
            }
        }
        Some(())
    }

    fn name(&mut self) -> Option<()> {
        let count = self
            .chars
            .iter()
            .skip(self.at)
            .take_while(|c| c.is_alphanumeric() || **c == '_')
            .count();
        let name: String = self.chars.get(self.at..self.at + count)?.iter().collect();
        let quote = self.peek(count);
        let prefix = name.to_ascii_lowercase();
        if matches!(quote, Some('"' | '\''))
            && matches!(
                prefix.as_str(),
                "r" | "b" | "u" | "f" | "rb" | "br" | "fr" | "rf" | "t" | "rt" | "tr"
            )
        {
            self.at += count;
            return self.string(&prefix);
        }
        if !name.is_ascii() {
            return None;
        }
        self.at += count;
        self.out.push(Token::Name(name));
        Some(())
    }

    /// Reads a string, its prefix already taken.
    fn string(&mut self, prefix: &str) -> Option<()> {
        let quote = self.peek(0)?;
        let long = self.peek(1) == Some(quote) && self.peek(2) == Some(quote);
        self.at += if long { 3 } else { 1 };
        let raw = prefix.contains('r');
        let formatted = prefix.contains(['f', 't']);
        let mut text = String::new();
        let mut made = prefix.contains('b');
        loop {
            let c = self.peek(0)?;
            if c == quote && (!long || self.peek(1) == Some(quote) && self.peek(2) == Some(quote)) {
                self.at += if long { 3 } else { 1 };
                break;
            }
            match c {
                '\\' => made |= self.escape(raw, &mut text)?,
                '\n' if !long => return None,
                '{' if formatted && self.peek(1) == Some('{') => {
                    text.push('{');
                    self.at += 2;
                }
                '{' if formatted => {
                    made = true;
                    self.at += 1;
                    self.braces()?;
                }
                c => {
                    text.push(c);
                    self.at += 1;
                }
            }
        }
        self.join(if made { Token::Made } else { Token::Text(text) });
        Some(())
    }

    /// Reads a backslash; tells whether what it stands for is not known.
    fn escape(&mut self, raw: bool, text: &mut String) -> Option<bool> {
        let next = self.peek(1)?;
        self.at += 2;
        if raw {
            text.push('\\');
            text.push(next);
            return Some(false);
        }
        match next {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            '\\' | '\'' | '"' => text.push(next),
            '\n' => {}
            'x' | 'u' | 'U' | 'N' | '0'..='7' => return Some(true),
            other => {
                text.push('\\');
                text.push(other);
            }
        }
        Some(false)
    }

    /// Reads the code in the braces of an f-string, and the format after it.
    fn braces(&mut self) -> Option<()> {
        let outer = self.depth;
        self.out.push(Token::Mark('('));
        loop {
            match self.peek(0)? {
                '}' if self.depth == outer => {
                    self.at += 1;
                    self.out.push(Token::Mark(')'));
                    return Some(());
                }
                ':' if self.depth == outer => {
                    self.at += 1;
                    self.out.push(Token::Mark(')'));
                    return self.format();
                }
                '!' if self.depth == outer && self.peek(1) != Some('=') => self.at += 2,
                '\n' => self.at += 1,
                _ => self.one()?,
            }
        }
    }

    /// Reads a format after a colon, which may hold braces of its own.
    fn format(&mut self) -> Option<()> {
        loop {
            match self.peek(0)? {
                '}' => {
                    self.at += 1;
                    return Some(());
                }
                '{' => {
                    self.at += 1;
                    self.braces()?;
                }
                '\n' => return None,
                _ => self.at += 1,
            }
        }
    }

    /// Adds a string; strings side by side are one.
    fn join(&mut self, token: Token) {
        match (self.out.last_mut(), token) {
            (Some(Token::Text(before)), Token::Text(text)) => before.push_str(&text),
            (Some(last @ (Token::Text(_) | Token::Made)), Token::Text(_) | Token::Made) => {
                *last = Token::Made
            }
            (_, token) => self.out.push(token),
        }
    }
}
