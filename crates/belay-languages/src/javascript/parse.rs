//! Expressions. What is rare or means something else in another mode is not read: `None` ends the reading.

use super::tokens::{Kind, Words};
use super::tree::{Life, Link, Node, Operator, ScopeId, Scopes};

/// How deep a program may nest.
const DEPTH: usize = 80;

pub(super) struct Parser {
    words: Words,
    pub(super) at: usize,
    depth: usize,
    /// How many classes stand around this place.
    pub(super) classes: usize,
    pub(super) scopes: Scopes,
    pub(super) scope: ScopeId,
}

/// Words that are never names.
pub(super) const RESERVED: [&str; 41] = [
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "finally",
    "for",
    "function",
    "if",
    "import",
    "in",
    "instanceof",
    "let",
    "new",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "try",
    "typeof",
    "var",
    "void",
    "while",
    "with",
    "yield",
    "null",
    "true",
    "false",
    "async",
];

impl Parser {
    pub(super) fn new(words: Words) -> Self {
        let mut scopes = Scopes::default();
        let scope = scopes.open(None, true);
        Self {
            words,
            at: 0,
            depth: 0,
            classes: 0,
            scopes,
            scope,
        }
    }

    pub(super) fn ahead(&self, by: usize) -> Option<&Kind> {
        self.words.tokens.get(self.at + by).map(|it| &it.kind)
    }

    pub(super) fn peek(&self) -> Option<&Kind> {
        self.ahead(0)
    }

    pub(super) fn newline(&self, by: usize) -> bool {
        let token = self.words.tokens.get(self.at + by);
        token.is_none_or(|it| it.newline)
    }

    pub(super) fn is(&self, mark: &str) -> bool {
        matches!(self.peek(), Some(Kind::Mark(it)) if *it == mark)
    }

    pub(super) fn mark_ahead(&self, by: usize, marks: &[&str]) -> bool {
        matches!(self.ahead(by), Some(Kind::Mark(it)) if marks.contains(it))
    }

    pub(super) fn take(&mut self, mark: &str) -> bool {
        let is = self.is(mark);
        self.at += usize::from(is);
        is
    }

    pub(super) fn expect(&mut self, mark: &str) -> Option<()> {
        self.take(mark).then_some(())
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.word_ahead(0, word)
    }

    pub(super) fn word_ahead(&self, by: usize, word: &str) -> bool {
        matches!(self.ahead(by), Some(Kind::Name(it)) if it == word)
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        self.at += usize::from(is);
        is
    }

    pub(super) fn next(&mut self) -> Option<Kind> {
        let kind = self.peek()?.clone();
        self.at += 1;
        Some(kind)
    }

    pub(super) fn ended(&self) -> bool {
        self.at >= self.words.tokens.len()
    }

    /// Skips from an opening mark past its partner.
    pub(super) fn skip_partner(&mut self) -> Option<()> {
        self.at = *self.words.partners.get(self.at)? + 1;
        Some(())
    }

    /// Reads a name that may be declared or used.
    pub(super) fn identifier(&mut self) -> Option<String> {
        match self.next()? {
            Kind::Name(name) if !RESERVED.contains(&name.as_str()) && !name.starts_with('#') => {
                Some(name)
            }
            Kind::Name(_)
            | Kind::Text(_)
            | Kind::Number(_)
            | Kind::Regex
            | Kind::Mark(_)
            | Kind::Template
            | Kind::Piece(_)
            | Kind::Close => None,
        }
    }

    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth += 1;
        let out = if self.depth > DEPTH { None } else { read(self) };
        self.depth -= 1;
        out
    }

    pub(super) fn scoped<T>(
        &mut self,
        function: bool,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let before = self.scope;
        self.scope = self.scopes.open(Some(before), function);
        let out = self.deeper(read);
        self.scope = before;
        out
    }

    pub(super) fn declare(&mut self, name: &str, life: Life) -> Option<usize> {
        self.scopes.declare(name, self.scope, life)
    }

    /// `a, b`
    pub(super) fn expression(&mut self) -> Option<Node> {
        let first = self.assign()?;
        if !self.is(",") {
            return Some(first);
        }
        let mut all = vec![first];
        while self.take(",") {
            all.push(self.assign()?);
        }
        Some(Node::Sequence(all))
    }

    pub(super) fn assign(&mut self) -> Option<Node> {
        self.deeper(Self::assign_here)
    }

    fn assign_here(&mut self) -> Option<Node> {
        if let Some(arrow) = self.arrow() {
            return arrow;
        }
        if self.is_word("yield") {
            return self.yielded();
        }
        let left = self.conditional()?;
        let Some(Kind::Mark(mark)) = self.peek() else {
            return Some(left);
        };
        let operator = match *mark {
            "=" => "",
            "+=" => "+",
            "||=" | "&&=" | "??=" => "||",
            "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" | ">>>=" | "**=" => "-",
            _ => return Some(left),
        };
        self.at += 1;
        let right = self.assign()?;
        Some(Node::Assign(Box::new(left), operator, Box::new(right)))
    }

    /// An arrow function, if one begins here.
    fn arrow(&mut self) -> Option<Option<Node>> {
        let skip = usize::from(self.is_word("async") && !self.newline(1));
        let skip = if self.mark_ahead(1, &["=>"]) { 0 } else { skip };
        let end = match self.ahead(skip)? {
            Kind::Name(_) => skip + 1,
            Kind::Mark("(") => self.words.partners.get(self.at + skip)? + 1 - self.at,
            Kind::Text(_)
            | Kind::Number(_)
            | Kind::Regex
            | Kind::Mark(_)
            | Kind::Template
            | Kind::Piece(_)
            | Kind::Close => return None,
        };
        if !self.mark_ahead(end, &["=>"]) || self.newline(end) {
            return None;
        }
        self.at += skip;
        Some(self.arrow_function())
    }

    fn yielded(&mut self) -> Option<Node> {
        self.at += 1;
        self.take("*");
        let nothing =
            self.ended() || self.newline(0) || self.mark_ahead(0, &[")", "]", "}", ",", ";", ":"]);
        let value = if nothing {
            None
        } else {
            Some(Box::new(self.assign()?))
        };
        Some(Node::Return(value))
    }

    fn conditional(&mut self) -> Option<Node> {
        let test = self.operators()?;
        if !self.take("?") {
            return Some(test);
        }
        let yes = self.assign()?;
        self.expect(":")?;
        let no = self.assign()?;
        Some(Node::Choose(Box::new([test, yes, no])))
    }

    fn operators(&mut self) -> Option<Node> {
        let first = self.unary()?;
        let mut all = vec![first];
        let mut kind: Option<Operator> = None;
        while let Some(operator) = self.operator() {
            self.at += 1;
            all.push(self.unary()?);
            kind = Some(match kind {
                Some(before) if before != operator => Operator::Several,
                _ => operator,
            });
        }
        match kind {
            None => all.pop(),
            Some(kind) => Some(Node::Operators(all, kind)),
        }
    }

    fn operator(&self) -> Option<Operator> {
        match self.peek()? {
            Kind::Mark("+") => Some(Operator::Add),
            Kind::Mark("||" | "??" | "&&") => Some(Operator::Either),
            Kind::Mark(
                "-" | "*" | "/" | "%" | "**" | "==" | "===" | "!=" | "!==" | "<" | ">" | "<="
                | ">=" | "&" | "|" | "^" | "<<" | ">>" | ">>>",
            ) => Some(Operator::Count),
            Kind::Name(word) if word == "in" || word == "instanceof" => Some(Operator::Count),
            Kind::Name(_)
            | Kind::Text(_)
            | Kind::Number(_)
            | Kind::Regex
            | Kind::Mark(_)
            | Kind::Template
            | Kind::Piece(_)
            | Kind::Close => None,
        }
    }

    fn unary(&mut self) -> Option<Node> {
        let word = match self.peek()? {
            Kind::Mark(mark @ ("!" | "-" | "+" | "~" | "++" | "--")) => mark,
            Kind::Name(word) => match word.as_str() {
                "typeof" | "void" => "!",
                "delete" => "delete",
                "await" => "await",
                _ => return self.postfix(),
            },
            Kind::Text(_)
            | Kind::Number(_)
            | Kind::Regex
            | Kind::Mark(_)
            | Kind::Template
            | Kind::Piece(_)
            | Kind::Close => return self.postfix(),
        };
        self.at += 1;
        let inner = Box::new(self.deeper(Self::unary)?);
        Some(match word {
            "delete" => Node::Delete(inner),
            "await" => Node::Await(inner),
            "++" | "--" => Node::Update(inner),
            _ => Node::Unary(inner),
        })
    }

    fn postfix(&mut self) -> Option<Node> {
        let base = self.primary()?;
        let links = self.links(true)?;
        let node = if links.is_empty() {
            base
        } else {
            Node::Chain(Box::new(base), links)
        };
        if self.mark_ahead(0, &["++", "--"]) && !self.newline(0) {
            self.at += 1;
            return Some(Node::Update(Box::new(node)));
        }
        Some(node)
    }

    fn links(&mut self, calls: bool) -> Option<Vec<Link>> {
        let mut links = Vec::new();
        loop {
            match self.peek() {
                Some(Kind::Mark(".")) => {
                    self.at += 1;
                    links.push(Link::Member(self.property()?));
                }
                Some(Kind::Mark("?.")) => {
                    self.at += 1;
                    match self.peek()? {
                        Kind::Name(_) => links.push(Link::Member(self.property()?)),
                        Kind::Mark("(" | "[") => {}
                        Kind::Text(_)
                        | Kind::Number(_)
                        | Kind::Regex
                        | Kind::Mark(_)
                        | Kind::Template
                        | Kind::Piece(_)
                        | Kind::Close => return None,
                    }
                }
                Some(Kind::Mark("[")) => {
                    self.at += 1;
                    links.push(Link::Index(self.expression()?));
                    self.expect("]")?;
                }
                Some(Kind::Mark("(")) if calls => links.push(Link::Call(self.arguments()?)),
                // A tag is a call that does not look like one.
                Some(Kind::Template) => return None,
                _ => return Some(links),
            }
        }
    }

    fn property(&mut self) -> Option<String> {
        if let Kind::Name(name) = self.next()? {
            Some(name)
        } else {
            None
        }
    }

    pub(super) fn arguments(&mut self) -> Option<Vec<Node>> {
        self.expect("(")?;
        self.items(")")
    }

    /// Items up to a closing mark; in lists they may be left out.
    fn items(&mut self, end: &str) -> Option<Vec<Node>> {
        let mut all = Vec::new();
        while !self.take(end) {
            if self.is(",") && end == "]" {
                all.push(Node::Plain);
            } else if self.take("...") {
                all.push(Node::Spread(Box::new(self.assign()?)));
            } else {
                all.push(self.assign()?);
            }
            if !self.is(end) {
                self.expect(",")?;
            }
        }
        Some(all)
    }

    fn primary(&mut self) -> Option<Node> {
        match self.next()? {
            Kind::Text(text) => Some(Node::Text(text)),
            Kind::Number(number) => Some(Node::Number(number)),
            Kind::Regex => Some(Node::Plain),
            Kind::Template => self.template(),
            Kind::Mark("(") => {
                let inner = self.expression()?;
                self.expect(")")?;
                Some(inner)
            }
            Kind::Mark("[") => Some(Node::List(self.items("]")?)),
            Kind::Mark("{") => self.object(),
            Kind::Name(name) => self.named(name),
            Kind::Mark(_) | Kind::Piece(_) | Kind::Close => None,
        }
    }

    fn named(&mut self, name: String) -> Option<Node> {
        match name.as_str() {
            "null" => Some(Node::Plain),
            "true" => Some(Node::Bool(true)),
            "false" => Some(Node::Bool(false)),
            "this" | "super" => (self.classes > 0).then_some(Node::This),
            "function" => self.function_expression(),
            "async" if self.is_word("function") && !self.newline(0) => {
                self.at += 1;
                self.function_expression()
            }
            "class" => self.class_expression(),
            "new" => self.deeper(Self::new_object),
            "import" if self.take(".") => self.take_word("meta").then_some(Node::Meta),
            "import" => {
                let mut arguments = self.arguments()?;
                let module = arguments.pop().filter(|_| arguments.is_empty())?;
                Some(Node::Import(Box::new(module)))
            }
            word if RESERVED.contains(&word) || word.starts_with('#') => None,
            _ => Some(Node::Name(name, self.scope)),
        }
    }

    fn new_object(&mut self) -> Option<Node> {
        if self.is(".") {
            return None;
        }
        let base = self.primary()?;
        let links = self.links(false)?;
        let class = if links.is_empty() {
            base
        } else {
            Node::Chain(Box::new(base), links)
        };
        let arguments = if self.is("(") {
            self.arguments()?
        } else {
            Vec::new()
        };
        Some(Node::New(Box::new(class), arguments))
    }
}

/// Reads a whole program.
pub(super) fn parse(words: Words) -> Option<(Vec<Node>, Scopes)> {
    let mut parser = Parser::new(words);
    let mut all = Vec::new();
    while !parser.ended() {
        all.push(parser.statement()?);
    }
    Some((all, parser.scopes))
}
