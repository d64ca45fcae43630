//! Names, strings, brackets, and what stands after them: members, calls, items.

use super::{KEYWORDS, Parser};
use crate::python::tokens::{Piece, Token};
use crate::python::tree::{After, Argument, Expression, Part};

/// Places in the code of strings are numbered from here on.
const STRINGS: usize = 1 << 20;

impl Parser<'_> {
    /// A value and what stands after it.
    pub(super) fn postfix(&mut self) -> Option<Expression> {
        let value = self.atom()?;
        let mut afters = Vec::new();
        loop {
            let at = self.place();
            if self.takes_mark(".") {
                afters.push(After::Member(self.name()?));
            } else if self.takes_mark("(") {
                let arguments = self.deeper(Self::arguments)?;
                afters.push(After::Call(arguments, at));
            } else if self.takes_mark("[") {
                let item = self.deeper(Self::item)?;
                self.mark("]")?;
                afters.push(After::Item(item));
            } else {
                break;
            }
        }
        if afters.is_empty() {
            return Some(value);
        }
        Some(Expression::Chain(Box::new(value), afters))
    }

    /// Arguments up to the closing bracket.
    pub(super) fn arguments(&mut self) -> Option<Vec<Argument>> {
        let mut arguments = Vec::new();
        while !self.takes_mark(")") {
            arguments.push(self.argument()?);
            if !self.takes_mark(",") {
                self.mark(")")?;
                break;
            }
        }
        Some(arguments)
    }

    fn argument(&mut self) -> Option<Argument> {
        if self.takes_mark("**") {
            return Some(Argument::SpreadNamed(self.expression()?));
        }
        if self.takes_mark("*") {
            return Some(Argument::Spread(self.expression()?));
        }
        if let (Some(Token::Name(_)), Some(Token::Mark("="))) =
            (self.peek(), self.tokens.get(self.at + 1))
        {
            let name = self.name()?;
            self.mark("=")?;
            return Some(Argument::Named(name, self.expression()?));
        }
        let value = self.named()?;
        if self.is_word("for") || self.is_word("async") {
            return Some(Argument::Plain(self.comprehension(vec![value])?));
        }
        Some(Argument::Plain(value))
    }

    /// What stands in the brackets of an item.
    fn item(&mut self) -> Option<Expression> {
        let at = self.place();
        let first = self.slice()?;
        if !self.is_mark(",") {
            return Some(first);
        }
        let mut items = vec![first];
        while self.takes_mark(",") {
            if self.is_mark("]") {
                break;
            }
            items.push(self.slice()?);
        }
        Some(Expression::List(items, at))
    }

    fn slice(&mut self) -> Option<Expression> {
        let mut parts = Vec::new();
        let mut sliced = false;
        loop {
            if self.takes_mark(":") {
                sliced = true;
            } else if self.is_mark("]") || self.is_mark(",") {
                break;
            } else {
                parts.push(self.starred()?);
                if !self.is_mark(":") {
                    break;
                }
            }
        }
        if sliced {
            return Some(Expression::Slice(parts));
        }
        parts.pop()
    }

    fn atom(&mut self) -> Option<Expression> {
        let at = self.place();
        match self.peek()? {
            Token::Name(word) => match word.as_str() {
                "None" => self.constant("None"),
                "True" => self.constant("True"),
                "False" => self.constant("False"),
                word if KEYWORDS.contains(&word) => None,
                _ => self.name().map(Expression::Name),
            },
            Token::Text(pieces) | Token::Bytes(pieces) => {
                self.at += 1;
                Some(Expression::Text(self.parts(pieces, at)?))
            }
            Token::Number(value) => {
                self.at += 1;
                Some(Expression::Number(*value))
            }
            Token::Mark("...") => self.constant("..."),
            Token::Mark("(") => self.deeper(|it| it.round(at)),
            Token::Mark("[") => self.deeper(|it| it.square(at)),
            Token::Mark("{") => self.deeper(|it| it.curly(at)),
            Token::Mark(_) | Token::Newline | Token::Indent | Token::Dedent => None,
        }
    }

    fn constant(&mut self, word: &'static str) -> Option<Expression> {
        self.at += 1;
        Some(Expression::Constant(word))
    }

    /// The pieces of a string, with the code in its braces read.
    fn parts(&mut self, pieces: &[Piece], at: usize) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        for (number, piece) in pieces.iter().enumerate() {
            parts.push(match piece {
                Piece::Known(text) => Part::Known(text.clone()),
                Piece::Unknown => Part::Unknown,
                Piece::Code(tokens, format) => {
                    let mut inner = Parser {
                        tokens,
                        at: 0,
                        depth: self.depth + 1,
                        base: STRINGS.checked_mul(at + 1)?.checked_add(number << 12)?,
                        yields: Vec::new(),
                    };
                    let code = if inner.is_word("yield") {
                        None
                    } else {
                        inner.expressions()
                    };
                    if inner.at != tokens.len() {
                        return None;
                    }
                    let format = self.deeper(|it| it.parts(format, at))?;
                    Part::Code(code?, format)
                }
            });
        }
        Some(parts)
    }

    fn round(&mut self, at: usize) -> Option<Expression> {
        self.mark("(")?;
        if self.takes_mark(")") {
            return Some(Expression::List(Vec::new(), at));
        }
        if self.is_word("yield") {
            let value = self.yielded()?;
            self.mark(")")?;
            return Some(value);
        }
        let value = self.starred()?;
        if self.is_word("for") || self.is_word("async") {
            let made = self.comprehension(vec![value])?;
            self.mark(")")?;
            return Some(made);
        }
        if self.takes_mark(")") {
            return (!matches!(value, Expression::Star(_))).then_some(value);
        }
        self.rest_of_list(value, ")", at)
    }

    fn square(&mut self, at: usize) -> Option<Expression> {
        self.mark("[")?;
        if self.takes_mark("]") {
            return Some(Expression::List(Vec::new(), at));
        }
        let value = self.starred()?;
        if self.is_word("for") || self.is_word("async") {
            let made = self.comprehension(vec![value])?;
            self.mark("]")?;
            return Some(made);
        }
        self.rest_of_list(value, "]", at)
    }

    /// The items after the first, up to the closing bracket.
    fn rest_of_list(&mut self, first: Expression, close: &str, at: usize) -> Option<Expression> {
        let mut items = vec![first];
        while !self.takes_mark(close) {
            self.mark(",")?;
            if self.takes_mark(close) {
                break;
            }
            items.push(self.starred()?);
        }
        Some(Expression::List(items, at))
    }

    fn curly(&mut self, at: usize) -> Option<Expression> {
        self.mark("{")?;
        if self.takes_mark("}") {
            return Some(Expression::Table(Vec::new(), at));
        }
        if !self.is_mark("**") {
            let value = self.starred()?;
            if self.is_word("for") || self.is_word("async") {
                let made = self.comprehension(vec![value])?;
                self.mark("}")?;
                return Some(made);
            }
            if !self.is_mark(":") {
                return self.rest_of_list(value, "}", at);
            }
            self.mark(":")?;
            let held = self.expression()?;
            if self.is_word("for") || self.is_word("async") {
                let made = self.comprehension(vec![value, held])?;
                self.mark("}")?;
                return Some(made);
            }
            return self.rest_of_table(vec![(Some(value), held)], at);
        }
        self.mark("**")?;
        let first = self.binary(0)?;
        self.rest_of_table(vec![(None, first)], at)
    }

    fn rest_of_table(
        &mut self,
        mut entries: Vec<(Option<Expression>, Expression)>,
        at: usize,
    ) -> Option<Expression> {
        while !self.takes_mark("}") {
            self.mark(",")?;
            if self.takes_mark("}") {
                break;
            }
            if self.takes_mark("**") {
                entries.push((None, self.binary(0)?));
                continue;
            }
            let key = self.expression()?;
            self.mark(":")?;
            entries.push((Some(key), self.expression()?));
        }
        Some(Expression::Table(entries, at))
    }
}
