//! Assignments to names, items and members.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::heap::Key;
use super::tree::{After, Expression};
use super::value::{Atom, Site, Value};
use super::walk::Walker;

/// Something that holds what is assigned, and the name it was reached by.
#[derive(Clone, Copy)]
struct Spot<'a> {
    holder: &'a Value,
    root: Option<&'a str>,
}

impl Walker {
    pub(super) fn assign(&mut self, target: &Expression, value: Value) {
        match target {
            Expression::Name(name) => self.bind(name, value),
            Expression::Star(inner) => {
                let mut names = Vec::new();
                super::tree::bound_names(inner, &mut names);
                let list = self.many(named_site(&names.join(",")), &value);
                self.assign(inner, list);
            }
            Expression::List(targets, _) => self.unpack(targets, &value),
            Expression::Chain(first, afters) => {
                let Some((last, before)) = afters.split_last() else {
                    return;
                };
                let holder = if before.is_empty() {
                    self.value(first)
                } else {
                    self.value(&Expression::Chain(first.clone(), before.to_vec()))
                };
                let root = if let Expression::Name(name) = first.as_ref() {
                    Some(name.as_str())
                } else {
                    None
                };
                match last {
                    After::Member(name) => self.set_member(
                        Spot {
                            holder: &holder,
                            root,
                        },
                        name,
                        &value,
                    ),
                    After::Item(item) => {
                        let key = self.key(item);
                        self.set_item(
                            Spot {
                                holder: &holder,
                                root,
                            },
                            &key,
                            &value,
                        );
                        self.keyed(&holder, item);
                    }
                    After::Call(..) => {
                        self.unread();
                    }
                }
            }
            Expression::Text(_)
            | Expression::Number(_)
            | Expression::Constant(_)
            | Expression::Operation(..)
            | Expression::Unary(_)
            | Expression::Not(_)
            | Expression::Lambda(_)
            | Expression::Choice(_)
            | Expression::Table(..)
            | Expression::Comprehension(_)
            | Expression::Await(_)
            | Expression::Yield(_)
            | Expression::Walrus(..)
            | Expression::Slice(_) => {
                self.unread();
            }
        }
    }

    fn unpack(&mut self, targets: &[Expression], value: &Value) {
        let starred = targets.iter().any(|it| matches!(it, Expression::Star(_)));
        match self.exactly(value) {
            Some(items) if !starred && items.len() == targets.len() => {
                for (target, item) in targets.iter().zip(items) {
                    self.assign(target, item.labelled(&value.labels));
                }
            }
            _ => {
                for (at, target) in targets.iter().enumerate() {
                    let item = if starred {
                        self.elements(value)
                    } else {
                        self.item(value, &Key::Number(i64::try_from(at).unwrap_or(0)))
                    };
                    self.assign(target, item);
                }
            }
        }
    }

    fn set_item(&mut self, spot: Spot<'_>, key: &Key, value: &Value) {
        let Spot { holder, root } = spot;
        for atom in &holder.atoms {
            let holder = Value::of(atom.clone());
            match (atom, key) {
                (Atom::Object(thing, _), key) if thing.name == "environ" => {
                    let name = match key {
                        Key::Name(name) => Some(name.clone()),
                        Key::Number(_) | Key::Part | Key::Behind | Key::Unknown => None,
                    };
                    self.export(name, value);
                }
                (Atom::Object(thing, _), _) if thing.name == "search_path" => self.search(value),
                (Atom::Table(_) | Atom::List(_), Key::Name(name)) => {
                    self.pour_field(&holder, name, value);
                }
                (Atom::Table(_) | Atom::List(_), Key::Part | Key::Behind) => {
                    let items = self.elements(value);
                    self.pour(&holder, &items);
                }
                (Atom::Table(_) | Atom::List(_), Key::Number(_) | Key::Unknown) => {
                    self.pour(&holder, value);
                }
                (Atom::Inert | Atom::Text(_), _) => self.hide(root, value),
                (Atom::Package(_), _) => self.reaches_package(value),
                (Atom::Anything | Atom::Path(_) | Atom::Instance(..), _) => {
                    self.unread();
                }
                (Atom::Module(_) | Atom::Member(_) | Atom::Object(..) | Atom::Method(..), _) => {
                    self.unread();
                }
                (Atom::Function(_) | Atom::Bound(..) | Atom::Class(_), _) => {
                    self.unread();
                }
            }
        }
        if !value.labels.is_empty()
            && let Some(root) = root
        {
            let label = Value::never().labelled(&value.labels);
            self.join_name(root, &label);
        }
    }

    /// A key that is no text is more than the name it is found by: a loop binds it.
    fn keyed(&mut self, holder: &Value, item: &Expression) {
        let written = matches!(
            item,
            Expression::Slice(_)
                | Expression::Number(_)
                | Expression::Unary(_)
                | Expression::Text(_)
        );
        if written {
            return;
        }
        let key = self.value(item);
        if !key.is_plain() {
            self.pour(holder, &key);
        }
    }

    /// Puts something into an object whose insides nobody follows: its name may now hold that too.
    pub(super) fn hide(&mut self, root: Option<&str>, value: &Value) {
        if !self.holds_code(value) && value.labels.is_empty() {
            return;
        }
        match root {
            Some(root) => {
                let inner = self.blend(&[value]);
                let list = self.many(named_site(root), &inner);
                self.join_name(root, &list);
            }
            None => {
                self.shown(&value.labels);
                self.unread();
            }
        }
    }

    fn set_member(&mut self, spot: Spot<'_>, name: &str, value: &Value) {
        let Spot { holder, root } = spot;
        if super::tables::leads(name) {
            self.unread();
            return;
        }
        for atom in &holder.atoms {
            match atom {
                Atom::Instance(..) => self.pour_field(&Value::of(atom.clone()), name, value),
                Atom::Class(id) => {
                    if let Some(class) = self.classes.get_mut(*id) {
                        class.fields.entry(name.to_owned()).or_default().join(value);
                    }
                    self.called_by_others(*id);
                }
                Atom::Module(module) if &**module == "sys" && name == "path" => {
                    let items = self.elements(value);
                    self.search(&items);
                }
                Atom::Module(module) if &**module == "sys" && name == "argv" => {
                    let words = self.elements(value);
                    self.many(super::handed::ARGV, &words);
                }
                Atom::Module(module) if &**module == "os" && name == "environ" => {
                    self.unread();
                }
                Atom::Inert => self.hide(root, value),
                Atom::Table(_) | Atom::List(_) => {
                    self.pour_field(&Value::of(atom.clone()), name, value);
                }
                Atom::Package(_) => self.reaches_package(value),
                Atom::Function(_) | Atom::Bound(..) if value.is_plain() => {}
                // How rows are shown: `connection.row_factory = sqlite3.Row`.
                Atom::Object(thing, _)
                    if thing.name == "database"
                        && matches!(name, "row_factory" | "text_factory" | "isolation_level")
                        && value.does_nothing() => {}
                Atom::Anything
                | Atom::Text(_)
                | Atom::Path(_)
                | Atom::Module(_)
                | Atom::Member(_)
                | Atom::Object(..)
                | Atom::Method(..)
                | Atom::Function(_)
                | Atom::Bound(..) => {
                    self.unread();
                }
            }
        }
    }

    /// A member or item is taken away.
    pub(super) fn reset(&mut self, target: &Expression) {
        let Expression::Chain(first, afters) = target else {
            self.unread();
            return;
        };
        let Some((last, before)) = afters.split_last() else {
            return;
        };
        let holder = self.value(&Expression::Chain(first.clone(), before.to_vec()));
        if let After::Item(item) = last {
            self.key(item);
        }
        let calm = |it: &Atom| {
            matches!(
                it,
                Atom::Inert
                    | Atom::Table(_)
                    | Atom::List(_)
                    | Atom::Instance(..)
                    | Atom::Package(_)
            ) || matches!(it, Atom::Object(thing, _) if thing.name == "environ")
        };
        if holder.atoms.iter().all(calm) {
            self.pour(&holder, &Value::never());
        } else {
            self.unread();
        }
    }
}

/// The place of what is made for a name.
fn named_site(name: &str) -> Site {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    (usize::MAX, hasher.finish())
}
