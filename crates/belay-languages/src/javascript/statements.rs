//! Statements, functions, classes and patterns.

use super::parse::Parser;
use super::tokens::Kind;
use super::tree::{Function, Key, Life, Node, Pattern, Yields};

impl Parser {
    pub(super) fn statement(&mut self) -> Option<Node> {
        self.deeper(Self::statement_here)
    }

    fn statement_here(&mut self) -> Option<Node> {
        match self.peek()? {
            Kind::Mark("{") => self.block(),
            Kind::Mark(";") => {
                self.next();
                Some(Node::Plain)
            }
            Kind::Name(word) => {
                let word = word.clone();
                self.worded(&word)
            }
            Kind::Text(_)
            | Kind::Number(_)
            | Kind::Regex
            | Kind::Mark(_)
            | Kind::Template
            | Kind::Piece(_)
            | Kind::Close => self.expression_statement(),
        }
    }

    fn worded(&mut self, word: &str) -> Option<Node> {
        match word {
            "var" | "let" | "const" => {
                self.next();
                let node = self.declarations(life_of(word))?;
                self.semicolon()?;
                Some(node)
            }
            "async" if self.word_ahead(1, "function") && !self.newline(1) => {
                self.next();
                self.next();
                self.function_declaration()
            }
            "function" => {
                self.next();
                self.function_declaration()
            }
            "class" => {
                self.next();
                let name = self.identifier()?;
                let var = self.declare(&name, Life::Block)?;
                let class = self.class_rest()?;
                Some(Node::Declare(vec![(Pattern::Name(var), Some(class))]))
            }
            "if" | "while" => {
                self.next();
                let mut all = vec![self.parenthesised()?, self.statement()?];
                if word == "if" && self.take_word("else") {
                    all.push(self.statement()?);
                }
                Some(Node::Block(all))
            }
            "do" => self.do_while(),
            "for" => {
                self.next();
                self.scoped(false, Self::for_loop)
            }
            "return" | "throw" => self.returned(),
            "break" | "continue" => {
                self.next();
                if !self.newline(0) && matches!(self.peek(), Some(Kind::Name(_))) {
                    self.next();
                }
                self.semicolon()?;
                Some(Node::Plain)
            }
            "try" => self.tried(),
            "switch" => self.switched(),
            "import" if !self.mark_ahead(1, &["(", "."]) => self.import(),
            "export" | "with" | "debugger" | "enum" => None,
            _ if self.mark_ahead(1, &[":"]) => {
                self.identifier()?;
                self.next();
                self.statement()
            }
            _ => self.expression_statement(),
        }
    }

    fn expression_statement(&mut self) -> Option<Node> {
        let node = self.expression()?;
        self.semicolon()?;
        Some(node)
    }

    /// A statement must end here, by a mark or by the end of a line.
    pub(super) fn semicolon(&mut self) -> Option<()> {
        let ends = self.take(";") || self.ended() || self.is("}") || self.newline(0);
        ends.then_some(())
    }

    fn block(&mut self) -> Option<Node> {
        self.expect("{")?;
        self.scoped(false, |it| Some(Node::Block(it.until_brace()?)))
    }

    fn until_brace(&mut self) -> Option<Vec<Node>> {
        let mut all = Vec::new();
        while !self.take("}") {
            all.push(self.statement()?);
        }
        Some(all)
    }

    fn parenthesised(&mut self) -> Option<Node> {
        self.expect("(")?;
        let node = self.expression()?;
        self.expect(")")?;
        Some(node)
    }

    fn do_while(&mut self) -> Option<Node> {
        self.next();
        let body = self.statement()?;
        if !self.take_word("while") {
            return None;
        }
        let test = self.parenthesised()?;
        self.take(";");
        Some(Node::Block(vec![body, test]))
    }

    fn returned(&mut self) -> Option<Node> {
        self.next();
        let nothing = self.ended() || self.newline(0) || self.is(";") || self.is("}");
        let value = if nothing {
            None
        } else {
            Some(Box::new(self.expression()?))
        };
        self.semicolon()?;
        Some(Node::Return(value))
    }

    fn tried(&mut self) -> Option<Node> {
        self.next();
        let mut all = vec![self.block()?];
        if self.take_word("catch") {
            let caught = self.scoped(false, |it| {
                let mut all = Vec::new();
                if it.take("(") {
                    let pattern = it.pattern(Life::Block)?;
                    all.push(Node::Declare(vec![(pattern, None)]));
                    it.expect(")")?;
                }
                all.push(it.block()?);
                Some(Node::Block(all))
            })?;
            all.push(caught);
        }
        if self.take_word("finally") {
            all.push(self.block()?);
        }
        Some(Node::Block(all))
    }

    fn switched(&mut self) -> Option<Node> {
        self.next();
        let mut all = vec![self.parenthesised()?];
        self.expect("{")?;
        self.scoped(false, |it| {
            while !it.take("}") {
                if it.take_word("case") {
                    all.push(it.expression()?);
                    it.expect(":")?;
                } else if it.is_word("default") {
                    it.next();
                    it.expect(":")?;
                } else {
                    all.push(it.statement()?);
                }
            }
            Some(Node::Block(all))
        })
    }

    fn declarations(&mut self, life: Life) -> Option<Node> {
        let mut all = Vec::new();
        loop {
            let pattern = self.pattern(life)?;
            let value = if self.take("=") {
                Some(self.assign()?)
            } else {
                None
            };
            all.push((pattern, value));
            if !self.take(",") {
                return Some(Node::Declare(all));
            }
        }
    }

    fn for_loop(&mut self) -> Option<Node> {
        self.take_word("await");
        self.expect("(")?;
        let mut all = Vec::new();
        let declares = ["var", "let", "const"]
            .into_iter()
            .find(|it| self.is_word(it));
        if let Some(word) = declares {
            self.next();
            let mut pattern = self.pattern(life_of(word))?;
            if let Some(each) = self.each(&mut pattern) {
                all.push(each?);
            } else {
                let value = if self.take("=") {
                    Some(self.assign()?)
                } else {
                    None
                };
                all.push(Node::Declare(vec![(pattern, value)]));
                if self.take(",") {
                    all.push(self.declarations(life_of(word))?);
                }
                self.counts(&mut all)?;
            }
        } else if self.word_ahead(1, "of") || self.word_ahead(1, "in") {
            let name = self.identifier()?;
            let mut pattern = Pattern::Target(Box::new(Node::Name(name, self.scope)));
            all.push(self.each(&mut pattern)??);
        } else {
            if !self.is(";") {
                all.push(self.expression()?);
            }
            self.counts(&mut all)?;
        }
        self.expect(")")?;
        all.push(self.statement()?);
        Some(Node::Block(all))
    }

    /// `of x` or `in x` in the head of a loop.
    fn each(&mut self, pattern: &mut Pattern) -> Option<Option<Node>> {
        let yields = match self.peek()? {
            Kind::Name(word) if word == "of" => Yields::Items,
            Kind::Name(word) if word == "in" => Yields::Names,
            Kind::Name(_)
            | Kind::Text(_)
            | Kind::Number(_)
            | Kind::Regex
            | Kind::Mark(_)
            | Kind::Template
            | Kind::Piece(_)
            | Kind::Close => return None,
        };
        self.next();
        let pattern = std::mem::replace(pattern, Pattern::List(Vec::new()));
        Some(
            self.expression()
                .map(|it| Node::Each(pattern, Box::new(it), yields)),
        )
    }

    /// `; test; step` in the head of a loop.
    fn counts(&mut self, all: &mut Vec<Node>) -> Option<()> {
        self.expect(";")?;
        if !self.is(";") {
            all.push(self.expression()?);
        }
        self.expect(";")?;
        if !self.is(")") {
            all.push(self.expression()?);
        }
        Some(())
    }

    fn function_declaration(&mut self) -> Option<Node> {
        self.take("*");
        let name = self.identifier()?;
        let var = self.declare(&name, Life::Hoisted)?;
        let function = self.method()?;
        Some(Node::Declare(vec![(Pattern::Name(var), Some(function))]))
    }

    pub(super) fn function_expression(&mut self) -> Option<Node> {
        self.take("*");
        if self.is("(") {
            return self.method();
        }
        let name = self.identifier()?;
        self.scoped(false, |it| {
            it.declare(&name, Life::Block)?;
            it.method()
        })
    }

    /// Parameters and body of a function.
    pub(super) fn method(&mut self) -> Option<Node> {
        self.scoped(true, |it| {
            it.expect("(")?;
            let parameters = it.parameters()?;
            it.expect("{")?;
            let body = it.until_brace()?;
            Some(Node::Function(Box::new(Function { parameters, body })))
        })
    }

    pub(super) fn arrow_function(&mut self) -> Option<Node> {
        self.scoped(true, |it| {
            let parameters = if it.take("(") {
                it.parameters()?
            } else {
                vec![it.pattern(Life::Block)?]
            };
            it.expect("=>")?;
            let body = if it.take("{") {
                it.until_brace()?
            } else {
                vec![Node::Return(Some(Box::new(it.assign()?)))]
            };
            Some(Node::Function(Box::new(Function { parameters, body })))
        })
    }

    fn parameters(&mut self) -> Option<Vec<Pattern>> {
        let mut all = Vec::new();
        while !self.take(")") {
            all.push(self.element(Life::Block)?);
            if !self.is(")") {
                self.expect(",")?;
            }
        }
        Some(all)
    }

    pub(super) fn class_expression(&mut self) -> Option<Node> {
        if self.is("{") || self.is_word("extends") {
            return self.class_rest();
        }
        let name = self.identifier()?;
        self.scoped(false, |it| {
            it.declare(&name, Life::Block)?;
            it.class_rest()
        })
    }

    fn class_rest(&mut self) -> Option<Node> {
        let parent = if self.take_word("extends") {
            Some(Box::new(self.assign()?))
        } else {
            None
        };
        self.expect("{")?;
        self.classes += 1;
        let mut members = Vec::new();
        while !self.take("}") {
            if !self.take(";") {
                members.push(self.class_member()?);
            }
        }
        self.classes -= 1;
        Some(Node::Class(parent, members))
    }

    fn class_member(&mut self) -> Option<Node> {
        for word in ["static", "async", "get", "set"] {
            if self.is_word(word) && !self.mark_ahead(1, &["(", "=", ";", "}"]) {
                self.next();
            }
        }
        self.take("*");
        // A block that runs when the class is made.
        if self.is("{") {
            return self.block();
        }
        let Key::Known(_) = self.key()? else {
            return None;
        };
        if self.is("(") {
            return self.method();
        }
        let value = if self.take("=") {
            self.assign()?
        } else {
            Node::Plain
        };
        self.semicolon()?;
        Some(value)
    }
}

fn life_of(word: &str) -> Life {
    match word {
        "var" => Life::Function,
        _ => Life::Block,
    }
}
