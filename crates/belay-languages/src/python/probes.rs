//! Members that reach hosts by sockets, or look at processes, profiles and modules.

use super::apply::{Call, known};
use super::tables::Place;
use super::value::{Atom, Value};
use super::walk::Walker;
use crate::Doing;

impl Walker {
    /// Does what one member does that connects or looks.
    pub(super) fn probed(&mut self, word: &str, first: &Value, call: &Call<'_>) -> Option<Value> {
        let arguments = call.arguments;
        let at = arguments.at;
        Some(match word {
            "connects" => {
                self.connected(first);
                return None;
            }
            "members" => self.members_of(first, at),
            "process-fields" => {
                let fields = arguments.get(Place::At(0, "attrs"));
                let listed = fields.as_ref().map(|it| self.exactly(it));
                let plain = |it: &Value| it.whole().is_some_and(|it| it != "environ");
                match listed {
                    None => {}
                    Some(Some(fields)) if fields.iter().all(plain) => {}
                    Some(_) => {
                        self.unread();
                    }
                }
                return None;
            }
            "profile-file" => {
                for atom in &first.atoms {
                    if let Atom::Text(text) = atom {
                        self.does(Doing::Read(text.shown()));
                    }
                }
                return None;
            }
            word => return self.loaded(word, call),
        })
    }

    /// A socket is connected to a host, named with its port; what is a path may lead to any service of this machine.
    fn connected(&mut self, address: &Value) {
        let host = self.exactly(address).and_then(|it| it.into_iter().next());
        match host.as_ref().and_then(Value::whole) {
            Some(host) => self.does(Doing::Send(known(host.to_owned()))),
            None => {
                self.unread();
            }
        }
    }

    /// The names of what a module of the project or a package holds, each with the thing itself.
    fn members_of(&mut self, module: &Value, at: usize) -> Value {
        let others = |it: &Atom| matches!(it, Atom::Package(_));
        if module.atoms.is_empty() || !module.atoms.iter().all(others) {
            return self.unread();
        }
        let (at, context) = self.site(at);
        let row = self.list((at, context ^ 1), vec![Value::inert(), Value::anything()]);
        self.many((at, context), &row)
    }
}
