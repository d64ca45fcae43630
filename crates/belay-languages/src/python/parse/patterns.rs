//! `match`: which names a pattern binds.

use super::{KEYWORDS, Parser};
use crate::python::tokens::Token;
use crate::python::tree::{Case, Statement};

impl Parser<'_> {
    /// A `match` statement; nothing when the word is a plain name here.
    pub(super) fn matched(&mut self) -> Option<Option<Statement>> {
        let start = self.at;
        self.at += 1;
        let subject = if self.is_mark("=") || self.is_mark(".") {
            None
        } else {
            self.expressions()
        };
        let opens = self.takes_mark(":")
            && self.token(&Token::Newline).is_some()
            && self.token(&Token::Indent).is_some();
        let Some(subject) = subject.filter(|_| opens && self.is_word("case")) else {
            self.at = start;
            return Some(None);
        };
        let mut cases = Vec::new();
        while self.token(&Token::Dedent).is_none() {
            self.word("case")?;
            cases.push(self.case()?);
        }
        Some(Some(Statement::Match(subject, cases)))
    }

    fn case(&mut self) -> Option<Case> {
        let (mut binds, mut members) = (Vec::new(), Vec::new());
        let mut depth = 0;
        loop {
            match self.peek()? {
                Token::Mark("(" | "[" | "{") => depth += 1,
                Token::Mark(")" | "]" | "}") => depth -= 1,
                Token::Mark(":") if depth == 0 => break,
                Token::Name(word) if depth == 0 && word == "if" => break,
                Token::Name(word) => {
                    let before = self.tokens.get(self.at.wrapping_sub(1));
                    let after = self.tokens.get(self.at + 1);
                    let named = matches!(after, Some(Token::Mark("(" | "." | "=")))
                        || matches!(before, Some(Token::Mark(".")));
                    if !named && !KEYWORDS.contains(&word.as_str()) {
                        binds.push(word.clone());
                    }
                    if matches!(after, Some(Token::Mark("="))) {
                        members.push(word.clone());
                    }
                }
                Token::Newline | Token::Indent | Token::Dedent => return None,
                Token::Mark(_) | Token::Text(_) | Token::Bytes(_) | Token::Number(_) => {}
            }
            self.at += 1;
        }
        let guard = if self.takes_word("if") {
            Some(self.named()?)
        } else {
            None
        };
        let body = self.block()?;
        Some(Case {
            binds,
            members,
            guard,
            body,
        })
    }
}
