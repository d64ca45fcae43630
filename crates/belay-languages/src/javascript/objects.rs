//! Objects and templates.

use super::parse::{Parser, RESERVED};
use super::tokens::Kind;
use super::tree::{Key, Node};

impl Parser {
    pub(super) fn template(&mut self) -> Option<Node> {
        let (mut pieces, mut codes) = (Vec::new(), Vec::new());
        loop {
            let Kind::Piece(piece) = self.next()? else {
                return None;
            };
            pieces.push(piece);
            match self.next()? {
                Kind::Close => return Some(Node::Template(pieces, codes)),
                Kind::Mark("${") => {
                    codes.push(self.expression()?);
                    self.expect("}")?;
                }
                Kind::Name(_)
                | Kind::Text(_)
                | Kind::Number(_)
                | Kind::Regex
                | Kind::Mark(_)
                | Kind::Template
                | Kind::Piece(_) => return None,
            }
        }
    }

    pub(super) fn object(&mut self) -> Option<Node> {
        let mut all = Vec::new();
        while !self.take("}") {
            all.push(self.entry()?);
            if !self.is("}") {
                self.expect(",")?;
            }
        }
        Some(Node::Object(all))
    }

    fn entry(&mut self) -> Option<(Key, Node)> {
        if self.take("...") {
            return Some((Key::Spread, self.assign()?));
        }
        let plain = self.mark_ahead(1, &[",", ":", "(", "}", "="]);
        if (self.is_word("get") || self.is_word("set")) && !plain {
            return None;
        }
        if self.is_word("async") && !plain {
            self.at += 1;
        }
        self.take("*");
        let name = if let Kind::Name(name) = self.peek()? {
            Some(name.clone())
        } else {
            None
        };
        let key = self.key()?;
        if self.is("(") {
            return Some((key, self.method()?));
        }
        if self.take(":") {
            return Some((key, self.assign()?));
        }
        let name = name.filter(|it| !RESERVED.contains(&it.as_str()))?;
        Some((key, Node::Name(name, self.scope)))
    }

    pub(super) fn key(&mut self) -> Option<Key> {
        Some(match self.next()? {
            Kind::Name(name) | Kind::Text(name) | Kind::Number(name) => Key::Known(name),
            Kind::Mark("[") => {
                let key = self.assign()?;
                self.expect("]")?;
                match key {
                    Node::Text(text) => Key::Known(text),
                    other @ (Node::Number(_)
                    | Node::Bool(_)
                    | Node::Plain
                    | Node::Template(..)
                    | Node::Name(..)
                    | Node::This
                    | Node::List(_)
                    | Node::Object(_)
                    | Node::Function(_)
                    | Node::Class(..)
                    | Node::Chain(..)
                    | Node::New(..)
                    | Node::Import(_)
                    | Node::Meta
                    | Node::Unary(_)
                    | Node::Delete(_)
                    | Node::Update(_)
                    | Node::Await(_)
                    | Node::Operators(..)
                    | Node::Choose(_)
                    | Node::Assign(..)
                    | Node::Sequence(_)
                    | Node::Spread(_)
                    | Node::Return(_)
                    | Node::Declare(_)
                    | Node::Each(..)
                    | Node::Block(_)
                    | Node::Imported(..)) => Key::Computed(other),
                }
            }
            Kind::Regex | Kind::Mark(_) | Kind::Template | Kind::Piece(_) | Kind::Close => {
                return None;
            }
        })
    }
}
