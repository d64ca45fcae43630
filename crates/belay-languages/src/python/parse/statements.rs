//! Statements.

use std::rc::Rc;

use super::Parser;
use crate::python::tokens::Token;
use crate::python::tree::{
    Alias, Block, Caught, Class, Expression, For, From, Function, Kind, Operator, Parameter,
    Statement, Try,
};

type Parameters = (Vec<Parameter>, Vec<Expression>);

impl Parser<'_> {
    /// Reads one statement, or several simple ones of one line.
    pub(super) fn statement(&mut self, into: &mut Block) -> Option<()> {
        if let Some(statement) = self.deeper(Self::compound)? {
            into.push(statement);
            return Some(());
        }
        loop {
            into.push(self.simple()?);
            if self.takes_mark(";") {
                if self.token(&Token::Newline).is_some() {
                    return Some(());
                }
                continue;
            }
            return self.token(&Token::Newline);
        }
    }

    /// A statement with a block; nothing when none begins here.
    fn compound(&mut self) -> Option<Option<Statement>> {
        if self.is_mark("@") {
            return self.decorated().map(Some);
        }
        let Some(Token::Name(word)) = self.peek() else {
            return Some(None);
        };
        let word = word.clone();
        Some(Some(match word.as_str() {
            "if" => self.branches()?,
            "while" => {
                self.at += 1;
                let condition = self.named()?;
                Statement::While(condition, self.block()?, self.otherwise()?)
            }
            "for" => self.looped()?,
            "with" => self.with()?,
            "try" => self.tried()?,
            "def" => self.define(Vec::new())?,
            "class" => self.class(Vec::new())?,
            "async" => {
                self.at += 1;
                let Token::Name(word) = self.peek()? else {
                    return None;
                };
                match word.as_str() {
                    "def" => self.coroutine(Vec::new())?,
                    "for" => self.looped()?,
                    "with" => self.with()?,
                    _ => return None,
                }
            }
            "match" => return self.matched(),
            _ => return Some(None),
        }))
    }

    /// A block after a colon: on the same line, or indented.
    pub(super) fn block(&mut self) -> Option<Block> {
        self.mark(":")?;
        let mut block = Vec::new();
        if self.token(&Token::Newline).is_none() {
            loop {
                block.push(self.simple()?);
                if self.takes_mark(";") && self.peek() != Some(&Token::Newline) {
                    continue;
                }
                self.token(&Token::Newline)?;
                return Some(block);
            }
        }
        self.token(&Token::Indent)?;
        while self.token(&Token::Dedent).is_none() {
            self.statement(&mut block)?;
        }
        Some(block)
    }

    fn otherwise(&mut self) -> Option<Block> {
        if self.takes_word("else") {
            return self.block();
        }
        Some(Vec::new())
    }

    fn branches(&mut self) -> Option<Statement> {
        let mut branches = Vec::new();
        loop {
            self.at += 1;
            let condition = self.named()?;
            branches.push((condition, self.block()?));
            if !self.is_word("elif") {
                return Some(Statement::If(branches, self.otherwise()?));
            }
        }
    }

    fn looped(&mut self) -> Option<Statement> {
        self.word("for")?;
        let target = self.targets()?;
        self.word("in")?;
        let over = self.expressions()?;
        let body = self.block()?;
        let otherwise = self.otherwise()?;
        Some(Statement::For(For {
            target,
            over,
            body,
            otherwise,
        }))
    }

    fn with(&mut self) -> Option<Statement> {
        self.word("with")?;
        let start = self.at;
        if self.takes_mark("(") {
            let items = self.with_items();
            if let Some(items) = items
                && self.takes_mark(")")
                && self.is_mark(":")
            {
                return Some(Statement::With(items, self.block()?));
            }
        }
        self.at = start;
        let items = self.with_items()?;
        Some(Statement::With(items, self.block()?))
    }

    fn with_items(&mut self) -> Option<Vec<(Expression, Option<Expression>)>> {
        let mut items = Vec::new();
        loop {
            if self.is_mark(")") {
                return Some(items);
            }
            let value = self.named()?;
            let target = if self.takes_word("as") {
                Some(self.starred()?)
            } else {
                None
            };
            items.push((value, target));
            if !self.takes_mark(",") {
                return Some(items);
            }
        }
    }

    fn tried(&mut self) -> Option<Statement> {
        self.at += 1;
        let body = self.block()?;
        let mut handlers = Vec::new();
        while self.takes_word("except") {
            self.takes_mark("*");
            let kind = if self.is_mark(":") {
                None
            } else {
                Some(self.expressions()?)
            };
            let name = if self.takes_word("as") {
                Some(self.name()?)
            } else {
                None
            };
            let body = self.block()?;
            handlers.push(Caught { kind, name, body });
        }
        let otherwise = self.otherwise()?;
        let finally = if self.takes_word("finally") {
            self.block()?
        } else {
            Vec::new()
        };
        Some(Statement::Try(Try {
            body,
            handlers,
            otherwise,
            finally,
        }))
    }

    fn decorated(&mut self) -> Option<Statement> {
        let mut decorators = Vec::new();
        while self.takes_mark("@") {
            decorators.push(self.named()?);
            self.token(&Token::Newline)?;
        }
        if self.is_word("class") {
            return self.class(decorators);
        }
        if self.takes_word("async") {
            return self.coroutine(decorators);
        }
        self.define(decorators)
    }

    /// A coroutine: its body runs when somebody waits for it.
    fn coroutine(&mut self, decorators: Vec<Expression>) -> Option<Statement> {
        let mut define = self.function(decorators)?;
        define.lazy = true;
        Some(Statement::Define(Rc::new(define)))
    }

    fn define(&mut self, decorators: Vec<Expression>) -> Option<Statement> {
        let define = self.function(decorators)?;
        Some(Statement::Define(Rc::new(define)))
    }

    fn function(&mut self, decorators: Vec<Expression>) -> Option<Function> {
        let at = self.place();
        self.word("def")?;
        let name = self.name()?;
        self.type_parameters()?;
        self.mark("(")?;
        let (parameters, mut annotations) = self.parameters(")")?;
        if self.takes_mark("->") {
            annotations.push(self.expressions()?);
        }
        self.yields.push(false);
        let body = self.block()?;
        let generator = self.yields.pop()?;
        Some(Function {
            at,
            name,
            parameters,
            decorators,
            annotations,
            body,
            lazy: generator,
            generator,
        })
    }

    /// `[T, U]` after the name of a function or class: only plain names are read.
    fn type_parameters(&mut self) -> Option<()> {
        if !self.takes_mark("[") {
            return Some(());
        }
        while !self.takes_mark("]") {
            self.name()?;
            self.takes_mark(",");
        }
        Some(())
    }

    /// Parameters up to a mark, with what their annotations and defaults say.
    pub(super) fn parameters(&mut self, close: &str) -> Option<Parameters> {
        let (mut parameters, mut annotations) = (Vec::new(), Vec::new());
        let mut kind = Kind::Plain;
        while !self.takes_mark(close) {
            let this = if self.takes_mark("**") {
                Kind::Keywords
            } else if self.takes_mark("*") {
                Kind::Rest
            } else {
                kind
            };
            let bare = this == Kind::Rest && self.is_mark(",");
            if this == Kind::Rest {
                kind = Kind::Keyword;
            }
            if !bare && !self.takes_mark("/") {
                let name = self.name()?;
                if close == ")" && self.takes_mark(":") {
                    annotations.push(self.starred()?);
                }
                let default = if self.takes_mark("=") {
                    Some(self.expression()?)
                } else {
                    None
                };
                parameters.push(Parameter {
                    name,
                    kind: this,
                    default,
                });
            }
            if !self.takes_mark(",") {
                self.mark(close)?;
                break;
            }
        }
        Some((parameters, annotations))
    }

    fn class(&mut self, decorators: Vec<Expression>) -> Option<Statement> {
        let at = self.place();
        self.word("class")?;
        let name = self.name()?;
        self.type_parameters()?;
        let arguments = if self.takes_mark("(") {
            self.deeper(Self::arguments)?
        } else {
            Vec::new()
        };
        let body = self.block()?;
        Some(Statement::Class(Rc::new(Class {
            at,
            name,
            arguments,
            decorators,
            body,
        })))
    }

    /// A statement without a block.
    fn simple(&mut self) -> Option<Statement> {
        let Some(Token::Name(word)) = self.peek() else {
            return self.assignment();
        };
        let word = word.clone();
        match word.as_str() {
            "pass" | "break" | "continue" => {
                self.at += 1;
                Some(Statement::Nothing)
            }
            "return" => {
                self.at += 1;
                Some(Statement::Return(self.perhaps()?))
            }
            "raise" => {
                self.at += 1;
                let mut values = Vec::from_iter(self.perhaps()?);
                if self.takes_word("from") {
                    values.push(self.expression()?);
                }
                Some(Statement::Raise(values))
            }
            "del" => {
                self.at += 1;
                Some(Statement::Delete(vec![self.expressions()?]))
            }
            "assert" => {
                self.at += 1;
                let mut values = vec![self.expression()?];
                if self.takes_mark(",") {
                    values.push(self.expression()?);
                }
                Some(Statement::Assert(values))
            }
            "global" | "nonlocal" => {
                self.at += 1;
                let mut names = vec![self.name()?];
                while self.takes_mark(",") {
                    names.push(self.name()?);
                }
                Some(Statement::Outer(names))
            }
            "import" => self.import(),
            "from" => self.from(),
            _ => self.assignment(),
        }
    }

    fn perhaps(&mut self) -> Option<Option<Expression>> {
        if matches!(self.peek(), None | Some(Token::Newline)) || self.is_mark(";") {
            return Some(None);
        }
        self.expressions().map(Some)
    }

    fn import(&mut self) -> Option<Statement> {
        self.at += 1;
        let mut names = Vec::new();
        loop {
            let name = self.dotted()?;
            let called = self.called()?;
            names.push(Alias { name, called });
            if !self.takes_mark(",") {
                return Some(Statement::Import(names));
            }
        }
    }

    fn called(&mut self) -> Option<Option<String>> {
        if self.takes_word("as") {
            return self.name().map(Some);
        }
        Some(None)
    }

    fn dotted(&mut self) -> Option<String> {
        let mut name = self.name()?;
        while self.takes_mark(".") {
            name.push('.');
            name.push_str(&self.name()?);
        }
        Some(name)
    }

    fn from(&mut self) -> Option<Statement> {
        self.at += 1;
        let mut dots = 0;
        loop {
            if self.takes_mark(".") {
                dots += 1;
            } else if self.takes_mark("...") {
                dots += 3;
            } else {
                break;
            }
        }
        let module = if self.is_word("import") {
            String::new()
        } else {
            self.dotted()?
        };
        self.word("import")?;
        if self.takes_mark("*") {
            let names = None;
            return Some(Statement::From(From {
                dots,
                module,
                names,
            }));
        }
        let round = self.takes_mark("(");
        let mut names = Vec::new();
        loop {
            let name = self.name()?;
            let called = self.called()?;
            names.push(Alias { name, called });
            if !self.takes_mark(",") || round && self.is_mark(")") {
                break;
            }
        }
        if round {
            self.mark(")")?;
        }
        let names = Some(names);
        Some(Statement::From(From {
            dots,
            module,
            names,
        }))
    }

    /// An expression, or an assignment of one of the three kinds.
    fn assignment(&mut self) -> Option<Statement> {
        let first = self.value()?;
        if self.takes_mark(":") {
            let kind = self.expression()?;
            let value = if self.takes_mark("=") {
                Some(self.value()?)
            } else {
                None
            };
            return Some(Statement::Annotate(first, kind, value));
        }
        if let Some(operator) = self.augments() {
            return Some(Statement::Augment(first, operator, self.value()?));
        }
        if !self.is_mark("=") {
            return Some(Statement::Expression(first));
        }
        let mut all = vec![first];
        while self.takes_mark("=") {
            all.push(self.value()?);
        }
        let value = all.pop()?;
        Some(Statement::Assign(all, value))
    }

    fn value(&mut self) -> Option<Expression> {
        if self.is_word("yield") {
            return self.yielded();
        }
        self.expressions()
    }

    fn augments(&mut self) -> Option<Operator> {
        let Some(Token::Mark(mark)) = self.peek() else {
            return None;
        };
        let operator = match *mark {
            "+=" => Operator::Add,
            "/=" => Operator::Divide,
            "%=" => Operator::Modulo,
            "-=" | "*=" | "//=" | "**=" | ">>=" | "<<=" | "@=" | "&=" | "|=" | "^=" => {
                Operator::Other
            }
            _ => return None,
        };
        self.at += 1;
        Some(operator)
    }
}
