//! Expressions.

use std::rc::Rc;

use super::Parser;
use crate::python::tokens::Token;
use crate::python::tree::{Comprehension, Expression, Function, Loop, Operator, Statement};

/// Operators by rank, the loosest first; comparisons stand apart.
const RANKS: [&[&str]; 6] = [
    &["|"],
    &["^"],
    &["&"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "//", "%", "@"],
];

/// What one word joins, from its first part on.
struct Joined<'a> {
    first: Expression,
    word: &'a str,
    operator: Operator,
}

impl Parser<'_> {
    /// One expression, or several with commas between: a tuple.
    pub(super) fn expressions(&mut self) -> Option<Expression> {
        let at = self.place();
        let first = self.starred()?;
        if !self.is_mark(",") {
            return Some(first);
        }
        let mut items = vec![first];
        while self.takes_mark(",") {
            if self.ends_list() {
                break;
            }
            items.push(self.starred()?);
        }
        Some(Expression::List(items, at))
    }

    /// Tells whether no further expression follows a comma.
    fn ends_list(&self) -> bool {
        match self.peek() {
            None | Some(Token::Newline | Token::Dedent | Token::Indent) => true,
            Some(Token::Mark(mark)) => matches!(
                *mark,
                ")" | "]" | "}" | ";" | ":" | "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "|=" | "&="
            ),
            Some(Token::Name(word)) => word == "in" || word == "for",
            Some(Token::Text(_) | Token::Bytes(_) | Token::Number(_)) => false,
        }
    }

    /// An expression, or one with a star in front.
    pub(super) fn starred(&mut self) -> Option<Expression> {
        if self.takes_mark("*") {
            let inner = self.binary(0)?;
            return Some(Expression::Star(Box::new(inner)));
        }
        self.named()
    }

    /// An expression, or `name := expression`.
    pub(super) fn named(&mut self) -> Option<Expression> {
        if let (Some(Token::Name(_)), Some(Token::Mark(":="))) =
            (self.peek(), self.tokens.get(self.at + 1))
        {
            let name = self.name()?;
            self.mark(":=")?;
            let value = self.expression()?;
            return Some(Expression::Walrus(name, Box::new(value)));
        }
        self.expression()
    }

    /// One expression without commas.
    pub(super) fn expression(&mut self) -> Option<Expression> {
        self.deeper(|it| {
            if it.is_word("lambda") {
                return it.lambda();
            }
            if it.is_word("yield") {
                return it.yielded();
            }
            let value = it.disjunction()?;
            if !it.takes_word("if") {
                return Some(value);
            }
            let condition = it.disjunction()?;
            it.word("else")?;
            let other = it.expression()?;
            Some(Expression::Choice(Box::new([condition, value, other])))
        })
    }

    pub(super) fn yielded(&mut self) -> Option<Expression> {
        self.word("yield")?;
        *self.yields.last_mut()? = true;
        if self.takes_word("from") {
            let inner = self.expression()?;
            return Some(Expression::Yield(Some(Box::new(Expression::Star(
                Box::new(inner),
            )))));
        }
        if self.ends_list() {
            return Some(Expression::Yield(None));
        }
        Some(Expression::Yield(Some(Box::new(self.expressions()?))))
    }

    fn lambda(&mut self) -> Option<Expression> {
        let at = self.place();
        self.word("lambda")?;
        let (parameters, annotations) = self.parameters(":")?;
        self.yields.push(false);
        let body = self.expression()?;
        let generator = self.yields.pop()?;
        let body = Statement::Return(Some(body));
        Some(Expression::Lambda(Rc::new(Function {
            at,
            name: "lambda".to_owned(),
            parameters,
            decorators: Vec::new(),
            annotations,
            body: vec![body],
            lazy: generator,
            generator,
        })))
    }

    fn disjunction(&mut self) -> Option<Expression> {
        let first = self.conjunction()?;
        self.same_word(
            Joined {
                first,
                word: "or",
                operator: Operator::Or,
            },
            Self::conjunction,
        )
    }

    fn conjunction(&mut self) -> Option<Expression> {
        let first = self.inversion()?;
        self.same_word(
            Joined {
                first,
                word: "and",
                operator: Operator::And,
            },
            Self::inversion,
        )
    }

    fn same_word(
        &mut self,
        joined: Joined<'_>,
        next: fn(&mut Self) -> Option<Expression>,
    ) -> Option<Expression> {
        let Joined {
            first,
            word,
            operator,
        } = joined;
        if !self.is_word(word) {
            return Some(first);
        }
        let (mut values, mut operators) = (vec![first], Vec::new());
        while self.takes_word(word) {
            values.push(next(self)?);
            operators.push(operator);
        }
        Some(Expression::Operation(values, operators))
    }

    fn inversion(&mut self) -> Option<Expression> {
        if self.takes_word("not") {
            let inner = self.deeper(Self::inversion)?;
            return Some(Expression::Not(Box::new(inner)));
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Option<Expression> {
        let first = self.binary(0)?;
        let (mut values, mut operators) = (vec![first], Vec::new());
        while self.compares() {
            values.push(self.binary(0)?);
            operators.push(Operator::Compare);
        }
        one_or(values, operators)
    }

    fn compares(&mut self) -> bool {
        if ["==", "!=", "<", ">", "<=", ">="]
            .iter()
            .any(|it| self.takes_mark(it))
        {
            return true;
        }
        if self.takes_word("in") {
            return true;
        }
        if self.takes_word("is") {
            self.takes_word("not");
            return true;
        }
        let not_in = self.is_word("not")
            && matches!(self.tokens.get(self.at + 1), Some(Token::Name(it)) if it == "in");
        self.at += if not_in { 2 } else { 0 };
        not_in
    }

    /// Values between operators of a rank or tighter.
    pub(super) fn binary(&mut self, rank: usize) -> Option<Expression> {
        let Some(marks) = RANKS.get(rank) else {
            return self.unary();
        };
        let first = self.binary(rank + 1)?;
        let (mut values, mut operators) = (vec![first], Vec::new());
        while let Some(operator) = self.operator(marks) {
            values.push(self.binary(rank + 1)?);
            operators.push(operator);
        }
        one_or(values, operators)
    }

    fn operator(&mut self, marks: &[&str]) -> Option<Operator> {
        let Some(Token::Mark(mark)) = self.peek() else {
            return None;
        };
        if !marks.contains(mark) {
            return None;
        }
        self.at += 1;
        Some(match *mark {
            "+" => Operator::Add,
            "%" => Operator::Modulo,
            "/" => Operator::Divide,
            _ => Operator::Other,
        })
    }

    fn unary(&mut self) -> Option<Expression> {
        if ["+", "-", "~"].iter().any(|it| self.takes_mark(it)) {
            let inner = self.deeper(Self::unary)?;
            return Some(Expression::Unary(Box::new(inner)));
        }
        let value = if self.takes_word("await") {
            Expression::Await(Box::new(self.deeper(Self::postfix)?))
        } else {
            self.postfix()?
        };
        if self.takes_mark("**") {
            let power = self.deeper(Self::unary)?;
            return Some(Expression::Operation(
                vec![value, power],
                vec![Operator::Other],
            ));
        }
        Some(value)
    }

    /// `for x in y if z ...` after a value; nothing when there is none.
    pub(super) fn comprehension(&mut self, values: Vec<Expression>) -> Option<Expression> {
        let at = self.place();
        let mut loops = Vec::new();
        loop {
            self.takes_word("async");
            if !self.takes_word("for") {
                break;
            }
            let target = self.targets()?;
            self.word("in")?;
            let over = self.disjunction()?;
            let mut conditions = Vec::new();
            while self.takes_word("if") {
                conditions.push(self.condition()?);
            }
            loops.push(Loop {
                target,
                over,
                conditions,
            });
        }
        if loops.is_empty() {
            return None;
        }
        Some(Expression::Comprehension(Box::new(Comprehension {
            at,
            values,
            loops,
        })))
    }

    fn condition(&mut self) -> Option<Expression> {
        if let Some(Token::Mark(":=")) = self.tokens.get(self.at + 1) {
            return self.named();
        }
        self.disjunction()
    }

    /// What a loop binds: names with commas, and whatever can be assigned.
    pub(super) fn targets(&mut self) -> Option<Expression> {
        let at = self.place();
        let mut items = vec![self.target()?];
        if !self.is_mark(",") {
            return items.pop();
        }
        while self.takes_mark(",") {
            if self.is_word("in") {
                break;
            }
            items.push(self.target()?);
        }
        Some(Expression::List(items, at))
    }

    fn target(&mut self) -> Option<Expression> {
        if self.takes_mark("*") {
            return Some(Expression::Star(Box::new(self.postfix()?)));
        }
        self.postfix()
    }
}

fn one_or(mut values: Vec<Expression>, operators: Vec<Operator>) -> Option<Expression> {
    if operators.is_empty() {
        return values.pop();
    }
    Some(Expression::Operation(values, operators))
}
