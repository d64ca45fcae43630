//! Patterns that declare names, and imports.

use super::parse::Parser;
use super::tokens::Kind;
use super::tree::{Imports, Key, Life, Node, Pattern, VarId};

impl Parser {
    pub(super) fn pattern(&mut self, life: Life) -> Option<Pattern> {
        self.deeper(|it| {
            if it.take("{") {
                it.object_pattern(life)
            } else if it.take("[") {
                it.list_pattern(life)
            } else {
                let name = it.identifier()?;
                Some(Pattern::Name(it.declare(&name, life)?))
            }
        })
    }

    /// A pattern with what it stands for by default, or a rest.
    pub(super) fn element(&mut self, life: Life) -> Option<Pattern> {
        if self.take("...") {
            return Some(Pattern::Rest(Box::new(self.pattern(life)?)));
        }
        let pattern = self.pattern(life)?;
        self.defaulted(pattern)
    }

    fn defaulted(&mut self, pattern: Pattern) -> Option<Pattern> {
        if !self.take("=") {
            return Some(pattern);
        }
        let value = self.assign()?;
        Some(Pattern::Default(Box::new(pattern), Box::new(value)))
    }

    fn object_pattern(&mut self, life: Life) -> Option<Pattern> {
        let mut all = Vec::new();
        while !self.take("}") {
            if self.is("...") {
                all.push((None, self.element(life)?));
            } else {
                let name = if let Kind::Name(name) = self.peek()? {
                    Some(name.clone())
                } else {
                    None
                };
                let shorthand = self.mark_ahead(1, &[",", "}", "="]);
                if let Some(name) = name.filter(|_| shorthand) {
                    all.push((Some(name), self.element(life)?));
                } else {
                    let key = match self.key()? {
                        Key::Known(name) => name,
                        Key::Computed(_) | Key::Spread => return None,
                    };
                    self.expect(":")?;
                    all.push((Some(key), self.element(life)?));
                }
            }
            if !self.is("}") {
                self.expect(",")?;
            }
        }
        Some(Pattern::Object(all))
    }

    fn list_pattern(&mut self, life: Life) -> Option<Pattern> {
        let mut all = Vec::new();
        while !self.take("]") {
            all.push(if self.is(",") {
                None
            } else {
                Some(self.element(life)?)
            });
            if !self.is("]") {
                self.expect(",")?;
            }
        }
        Some(Pattern::List(all))
    }

    pub(super) fn import(&mut self) -> Option<Node> {
        self.next();
        let mut names = Vec::new();
        if let Some(Kind::Text(module)) = self.peek() {
            let module = module.clone();
            self.next();
            self.semicolon()?;
            return Some(Node::Imported(module, names));
        }
        loop {
            if self.take("*") {
                if !self.take_word("as") {
                    return None;
                }
                names.push((Imports::Whole, self.imported_name()?));
            } else if self.take("{") {
                self.import_list(&mut names)?;
            } else {
                names.push((Imports::Member("default".to_owned()), self.imported_name()?));
            }
            if !self.take(",") {
                break;
            }
        }
        let Some(Kind::Text(module)) = self.take_word("from").then(|| self.next()).flatten() else {
            return None;
        };
        if (self.is_word("with") || self.is_word("assert")) && self.mark_ahead(1, &["{"]) {
            self.next();
            self.skip_partner()?;
        }
        self.semicolon()?;
        Some(Node::Imported(module, names))
    }

    fn import_list(&mut self, names: &mut Vec<(Imports, VarId)>) -> Option<()> {
        while !self.take("}") {
            let Kind::Name(member) = self.next()? else {
                return None;
            };
            let alias = if self.take_word("as") {
                self.identifier()?
            } else {
                member.clone()
            };
            let var = self.declare(&alias, Life::Block)?;
            names.push((Imports::Member(member), var));
            if !self.is("}") {
                self.expect(",")?;
            }
        }
        Some(())
    }

    fn imported_name(&mut self) -> Option<VarId> {
        let name = self.identifier()?;
        self.declare(&name, Life::Block)
    }
}
