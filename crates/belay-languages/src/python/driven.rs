//! Objects of the program in other hands: who is given one calls its methods.

use super::arguments::Arguments;
use super::tables;
use super::value::{Atom, Site, Value};
use super::walk::{Later, Walker};

/// Who is given an object.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Hands {
    /// The library treats it as the file or table it takes it for, and hands it data.
    Library,
    /// A package may call whatever it finds, with anything.
    Package,
}

impl Walker {
    /// Calls the methods of objects that were handed on.
    pub(super) fn driven(&mut self, value: &Value, hands: Hands) {
        let all = self.blend(&[value]);
        for atom in &all.atoms {
            if let Atom::Instance(id, site) = atom {
                self.driven_object(*id, Some(*site), hands);
            } else if let Atom::Class(id) = atom {
                self.driven_object(*id, None, hands);
            }
        }
    }

    fn driven_object(&mut self, id: usize, site: Option<Site>, hands: Hands) {
        let called = |name: &str| match hands {
            Hands::Library => tables::is_driven(name),
            Hands::Package => !name.starts_with("__"),
        };
        let given = match hands {
            Hands::Library => Value::inert(),
            Hands::Package => Value::anything(),
        };
        let own = site.map(|it| self.contents(it).fields).unwrap_or_default();
        for (_, value) in own.iter().filter(|it| called(it.0)) {
            self.driven_method(value, None, &given);
        }
        for id in self.line(id) {
            let Some(class) = self.classes.get(id).cloned() else {
                continue;
            };
            let myself = Value::of(Atom::Instance(id, site.unwrap_or((class.at, 0))));
            for (_, value) in class.fields.iter().filter(|it| called(it.0)) {
                self.driven_method(value, Some(&myself), &given);
            }
        }
    }

    fn driven_method(&mut self, method: &Value, myself: Option<&Value>, given: &Value) {
        for atom in &method.atoms {
            if let Atom::Function(own) | Atom::Bound(own, _) = atom {
                let later = Later {
                    own: own.clone(),
                    arguments: Arguments {
                        plain: myself.cloned().into_iter().collect(),
                        more: Some(given.clone()),
                        ..Arguments::default()
                    },
                };
                if !self.later.contains(&later) {
                    self.later.push(later);
                }
            } else if super::classes::acts(atom) {
                self.unread();
            }
        }
    }

    /// `hasattr`: what a class makes up when it is asked for is made up here too.
    pub(super) fn has_member(&mut self, arguments: &Arguments) -> Value {
        let holder = arguments.plain.first().cloned().unwrap_or_default();
        let own = |it: &&Atom| matches!(it, Atom::Instance(..) | Atom::Class(_));
        let atoms: Vec<Atom> = holder.atoms.iter().filter(own).cloned().collect();
        let holder = Value {
            atoms,
            ..Value::never()
        };
        let name = arguments.plain.get(1).and_then(Value::whole);
        match name.map(str::to_owned) {
            Some(name) => {
                self.member(&holder, &name);
            }
            None => self.driven(&holder, Hands::Package),
        }
        Value::inert()
    }
}
