//! Lists, tables and objects: what they hold, whoever holds them.

use super::value::{Atom, Rest, Site, Text, Value};
use super::walk::{Contents, Walker};

impl Walker {
    /// Makes a list of known items.
    pub(super) fn list(&mut self, site: Site, items: Vec<Value>) -> Value {
        let labels = items.iter().fold(Value::never(), |mut all, it| {
            all.labels.add(&it.labels);
            all
        });
        match self.heap.get_mut(&site) {
            None => {
                let contents = Contents {
                    items: Some(items),
                    ..Contents::default()
                };
                self.heap.insert(site, contents);
            }
            Some(contents) => {
                let before = contents.clone();
                contents.add_items(&items);
                self.version += usize::from(before != *contents);
            }
        }
        Value::of(Atom::List(site)).labelled(&labels.labels)
    }

    /// Makes a list of any number of one value.
    pub(super) fn many(&mut self, site: Site, item: &Value) -> Value {
        let contents = self.heap.entry(site).or_default();
        let loosened = contents.items.is_some();
        contents.loosen();
        if contents.rest.join(item) || loosened {
            self.version += 1;
        }
        Value::of(Atom::List(site)).labelled(&item.labels)
    }

    /// Makes a table of fields and of others whose keys are not known.
    pub(super) fn table(&mut self, site: Site, fields: Vec<(String, Value)>, rest: Value) -> Value {
        let mut made = Value::of(Atom::Table(site)).labelled(&rest.labels);
        let contents = self.heap.entry(site).or_default();
        let mut news = contents.rest.join(&rest);
        for (name, value) in fields {
            made.labels.add(&value.labels);
            news |= contents.fields.entry(name).or_default().join(&value);
        }
        self.version += usize::from(news);
        made
    }

    /// Adds something to whatever lists and tables a value may be.
    pub(super) fn pour(&mut self, into: &Value, item: &Value) {
        for atom in &into.atoms {
            if let Atom::List(site) | Atom::Table(site) = atom {
                let contents = self.heap.entry(*site).or_default();
                let loosened = contents.items.is_some();
                contents.loosen();
                if contents.rest.join(item) || loosened {
                    self.version += 1;
                }
            }
        }
    }

    /// Sets a field of whatever tables and objects a value may be.
    pub(super) fn pour_field(&mut self, into: &Value, name: &str, item: &Value) {
        for atom in &into.atoms {
            if let Atom::List(site) | Atom::Table(site) | Atom::Instance(_, site) = atom {
                let contents = self.heap.entry(*site).or_default();
                let field = contents.fields.entry(name.to_owned()).or_default();
                self.version += usize::from(field.join(item));
            }
        }
    }

    /// Returns what a loop over a value binds.
    pub(super) fn elements(&mut self, value: &Value) -> Value {
        let mut all = Value::never();
        for atom in &value.atoms {
            match atom {
                Atom::List(site) => all.join(&self.contents(*site).all(Fields::Values)),
                Atom::Table(site) => all.join(&self.contents(*site).all(Fields::Names)),
                Atom::Inert | Atom::Text(_) => all.join(&Value::inert()),
                Atom::Object(thing, _) => {
                    let inner = match thing.name {
                        "environ" | "file" => Value::inert(),
                        _ => Value::of(atom.clone()).or(&Value::inert()),
                    };
                    all.join(&inner)
                }
                Atom::Anything | Atom::Instance(..) => all.join(&Value::anything()),
                Atom::Path(_)
                | Atom::Module(_)
                | Atom::Member(_)
                | Atom::Method(..)
                | Atom::Function(_)
                | Atom::Bound(..)
                | Atom::Class(_)
                | Atom::Package(_) => all.join(&Value::of(atom.clone())),
            };
        }
        let names_only = value
            .atoms
            .iter()
            .all(|it| matches!(it, Atom::Object(thing, _) if thing.name == "environ"));
        if names_only {
            all
        } else {
            all.labelled(&value.labels)
        }
    }

    pub(super) fn contents(&self, site: Site) -> Contents {
        self.heap.get(&site).cloned().unwrap_or_default()
    }

    /// Returns an item by its key.
    pub(super) fn item(&mut self, value: &Value, key: &Key) -> Value {
        let mut all = Value::never();
        for atom in &value.atoms {
            let found = match (atom, key) {
                (Atom::List(site), Key::Part | Key::Behind) => {
                    let inner = self.contents(*site).all(Fields::Values);
                    let other = if matches!(key, Key::Behind) { 1 } else { 3 };
                    self.many((site.0, site.1 ^ other), &inner)
                }
                (Atom::List(site) | Atom::Table(site), Key::Number(at)) => {
                    self.contents(*site).number(*at)
                }
                (Atom::List(site) | Atom::Table(site), Key::Name(name)) => {
                    self.contents(*site).field(name)
                }
                (Atom::List(site) | Atom::Table(site), Key::Unknown) => {
                    self.contents(*site).all(Fields::Values)
                }
                (Atom::Object(thing, _), key) if thing.name == "environ" => variable(key),
                _ => self.elements(&Value::of(atom.clone())),
            };
            all.join(&found);
        }
        let environment = value
            .atoms
            .iter()
            .all(|it| matches!(it, Atom::Object(thing, _) if thing.name == "environ"));
        if environment {
            all
        } else {
            all.labelled(&value.labels)
        }
    }

    /// Returns everything that some values hold, two levels deep.
    pub(super) fn blend(&mut self, values: &[&Value]) -> Value {
        let mut all = Value::never();
        for value in values {
            all.join(value);
            let inner = self.inside(value);
            all.join(&inner);
            let deeper = self.inside(&inner);
            all.join(&deeper);
        }
        all
    }

    /// Returns what lists and tables hold, keys too.
    fn inside(&mut self, value: &Value) -> Value {
        let mut all = Value::never();
        for atom in &value.atoms {
            if let Atom::List(site) | Atom::Table(site) | Atom::Instance(_, site) = atom {
                let contents = self.contents(*site);
                all.join(&contents.all(Fields::Values));
                all.join(&contents.all(Fields::Names));
            }
        }
        all
    }

    /// Tells whether something that is no data can be reached from a value.
    pub(super) fn holds_code(&mut self, value: &Value) -> bool {
        let all = self.blend(&[value]);
        let deepest = all.clone();
        let inner = self.inside(&deepest);
        let holds = |it: &Value| {
            it.atoms.iter().any(|it| {
                !matches!(
                    it,
                    Atom::Inert | Atom::Text(_) | Atom::List(_) | Atom::Table(_)
                ) && !super::calls::is_file(it)
            })
        };
        holds(&all) || holds(&inner)
    }
}

/// A key in brackets.
pub(super) enum Key {
    Number(i64),
    Name(String),
    /// A part of a list.
    Part,
    /// All but the first of a list, or the first alone.
    Behind,
    Unknown,
}

/// Returns the keys that a value may be.
pub(super) fn keys(value: &Value) -> Vec<Key> {
    let key = |it: Text| {
        it.whole()
            .map_or(Key::Unknown, |it| Key::Name(it.to_owned()))
    };
    value.texts().into_iter().map(key).collect()
}

/// A variable of the environment.
fn variable(key: &Key) -> Value {
    let mut value = Value::inert();
    match key {
        Key::Name(name) => return named_variable(name),
        Key::Number(_) | Key::Part | Key::Behind | Key::Unknown => value.labels.environment = true,
    }
    value
}

/// Returns what is known of a variable of the environment.
pub(super) fn named_variable(name: &str) -> Value {
    let mut value = match name {
        "HOME" => Value::text("~"),
        "PWD" => Value::text("."),
        "TMPDIR" | "TEMP" | "TMP" => Value::of(Atom::Text(Text::begins("", Rest::Anything))),
        _ => Value::inert(),
    };
    value.labels.variables.push(name.to_owned());
    value
}

/// Which side of fields is meant.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Fields {
    Names,
    Values,
}

impl Contents {
    fn add_items(&mut self, items: &[Value]) {
        match &mut self.items {
            Some(mine) if mine.len() == items.len() => {
                for (mine, other) in mine.iter_mut().zip(items) {
                    mine.join(other);
                }
            }
            _ => {
                self.loosen();
                for item in items {
                    self.rest.join(item);
                }
            }
        }
    }

    /// Forgets the order and number of items.
    pub(super) fn loosen(&mut self) {
        for item in self.items.take().unwrap_or_default() {
            self.rest.join(&item);
        }
    }

    /// Returns everything in it, or the names of its fields.
    pub(super) fn all(&self, fields: Fields) -> Value {
        let mut all = Value::never();
        match fields {
            Fields::Names => {
                for name in self.fields.keys() {
                    all.join(&Value::text(name));
                }
                if self.rest != Value::never() {
                    all.join(&Value::inert());
                }
                // Keys that are no texts are kept beside the values.
                let plain = |it: &&Atom| {
                    matches!(
                        it,
                        Atom::Inert | Atom::Text(_) | Atom::List(_) | Atom::Table(_)
                    )
                };
                for atom in self.rest.atoms.iter().filter(|it| !plain(it)) {
                    all.join(&Value::of(atom.clone()));
                }
            }
            Fields::Values => {
                for value in self.fields.values() {
                    all.join(value);
                }
            }
        }
        if fields == Fields::Values || self.items.is_some() {
            for item in self.items.iter().flatten() {
                all.join(item);
            }
        }
        if fields == Fields::Values {
            all.join(&self.rest);
        }
        all
    }

    fn number(&self, at: i64) -> Value {
        let item = |items: &Vec<Value>| {
            let at = if at < 0 {
                i64::try_from(items.len()).ok()? + at
            } else {
                at
            };
            items.get(usize::try_from(at).ok()?).cloned()
        };
        match &self.items {
            Some(items) if self.rest == Value::never() && self.fields.is_empty() => {
                item(items).unwrap_or_default()
            }
            _ => self.all(Fields::Values),
        }
    }

    pub(super) fn field(&self, name: &str) -> Value {
        let mut value = self.fields.get(name).cloned().unwrap_or_default();
        value.join(&self.rest);
        for item in self.items.iter().flatten() {
            value.join(item);
        }
        value
    }
}
