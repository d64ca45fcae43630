//! Imports, and where modules are looked for.

use super::tables;
use super::tree::{Alias, From};
use super::value::{Atom, Value};
use super::walk::Walker;
use crate::{Doing, Use};

impl Walker {
    pub(super) fn import(&mut self, names: &[Alias]) {
        for alias in names {
            let top = alias.name.split('.').next().unwrap_or(&alias.name);
            let whole = self.module(&alias.name);
            match &alias.called {
                Some(called) => self.bind(called, whole),
                None => {
                    let value = self.module(top);
                    self.bind(top, value);
                }
            }
        }
    }

    /// Loads a module by its name.
    pub(super) fn module(&mut self, name: &str) -> Value {
        let top = name.split('.').next().unwrap_or(name);
        if !self.imports.iter().any(|it| it == top) {
            self.imports.push(top.to_owned());
        }
        // Whoever has the program as a module may set all its names.
        if top == "__main__" {
            return self.unread();
        }
        if !tables::is_library(top) {
            self.uses(top, Use::Imported);
            return Value::of(Atom::Package(name.into()));
        }
        if name == "os.path" {
            return Value::of(Atom::Module("posixpath".into()));
        }
        if name != "builtins" && (tables::module(name).is_some() || tables::holds_modules(name)) {
            return Value::of(Atom::Module(name.into()));
        }
        self.unread()
    }

    pub(super) fn import_from(&mut self, from: &From) {
        let Some(names) = &from.names else {
            self.import_all(from);
            return;
        };
        if from.dots == 0 && from.module == "__future__" {
            return;
        }
        for alias in names {
            let value = if from.dots > 0 {
                self.uses(".", Use::Imported);
                self.member(&Value::of(Atom::Package(".".into())), &alias.name)
            } else {
                self.member_from(&from.module, &alias.name)
            };
            self.bind(alias.called.as_ref().unwrap_or(&alias.name), value);
        }
    }

    fn member_from(&mut self, module: &str, name: &str) -> Value {
        let whole = self.module(module);
        let below = format!("{module}.{name}");
        if tables::module(&below).is_some()
            && tables::is_library(module.split('.').next().unwrap_or(module))
        {
            return Value::of(Atom::Module(below.into()));
        }
        self.member(&whole, name)
    }

    /// `from module import *`: the library brings no more than it lists; what a package brings is the package's.
    fn import_all(&mut self, from: &From) {
        let whole = if from.dots > 0 {
            self.unread()
        } else {
            self.module(&from.module)
        };
        if let [Atom::Package(path)] = whole.atoms.as_slice() {
            // Its names may also stand in place of those that are bound already.
            self.uses(path, Use::Called);
            self.stars.push(path.to_string());
            return;
        }
        let thing = match whole.atoms.as_slice() {
            [Atom::Module(name)] if tables::is_pure(name) => tables::module(name),
            _ => None,
        };
        let Some(thing) = thing else {
            self.unread();
            return;
        };
        for member in thing
            .members()
            .iter()
            .filter(|it| !it.name().contains('.') && !it.name().starts_with('_'))
        {
            let value = self.member_value(member);
            self.bind(member.name(), value);
        }
    }

    /// Modules are looked for in these folders too.
    pub(super) fn search(&mut self, folders: &Value) {
        let folders = self.blend(&[folders]);
        for atom in &folders.atoms {
            match atom {
                // Of a folder that is not known by name nobody can read what lies there.
                Atom::Text(text) | Atom::Path(text) => {
                    self.does(Doing::Search(text.whole().map(str::to_owned)));
                }
                Atom::List(_) | Atom::Table(_) => {}
                Atom::Object(thing, _) if thing.name == "search_path" => {}
                Atom::Anything
                | Atom::Inert
                | Atom::Module(_)
                | Atom::Member(_)
                | Atom::Object(..)
                | Atom::Method(..)
                | Atom::Function(_)
                | Atom::Bound(..)
                | Atom::Class(_)
                | Atom::Instance(..)
                | Atom::Package(_) => self.does(Doing::Search(None)),
            }
        }
    }

    /// Sets a variable of the environment for all programs run from here.
    pub(super) fn export(&mut self, name: Option<String>, value: &Value) {
        match name {
            Some(name) => {
                let export = (name, value.clone());
                if !self.exports.contains(&export) {
                    self.exports.push(export);
                    self.version += 1;
                }
            }
            None => {
                self.unread();
            }
        }
    }
}
