//! Reads tokens into a tree; `None` where Python would refuse, or where nobody here is sure.

mod expressions;
mod patterns;
mod postfix;
mod statements;

use super::tokens::Token;
use super::tree::Block;

/// How deep things may nest.
const DEEPEST: usize = 90;

/// Reads a program.
pub(super) fn parse(tokens: &[Token]) -> Option<Block> {
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        base: 0,
        yields: Vec::new(),
    };
    let mut block = Vec::new();
    while parser.at < tokens.len() {
        parser.statement(&mut block)?;
    }
    Some(block)
}

/// Words that cannot be names.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

pub(super) struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    /// Tells places in strings from those outside: each string's code counts from here.
    base: usize,
    /// Whether the functions we are in have a `yield`, innermost last.
    yields: Vec<bool>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    /// Returns the place of the next token, told apart from those of other strings.
    fn place(&self) -> usize {
        self.base + self.at
    }

    fn is_mark(&self, mark: &str) -> bool {
        matches!(self.peek(), Some(Token::Mark(it)) if *it == mark)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Name(it)) if it == word)
    }

    fn takes_mark(&mut self, mark: &str) -> bool {
        let taken = self.is_mark(mark);
        self.at += usize::from(taken);
        taken
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let taken = self.is_word(word);
        self.at += usize::from(taken);
        taken
    }

    fn mark(&mut self, mark: &str) -> Option<()> {
        self.takes_mark(mark).then_some(())
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.takes_word(word).then_some(())
    }

    fn token(&mut self, token: &Token) -> Option<()> {
        let taken = self.peek() == Some(token);
        self.at += usize::from(taken);
        taken.then_some(())
    }

    /// Reads a name that is no keyword.
    fn name(&mut self) -> Option<String> {
        if let Token::Name(name) = self.peek()?
            && !KEYWORDS.contains(&name.as_str())
        {
            self.at += 1;
            Some(name.clone())
        } else {
            None
        }
    }

    /// Reads something one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }
}
