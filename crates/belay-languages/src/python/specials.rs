//! Members that need code of their own: builtins that hand values on, and those that can hide a name.

use super::apply::Call;
use super::arguments::Arguments;
use super::tables::Place;
use super::texts;
use super::value::{Atom, Value};
use super::walk::Walker;

/// Returns what `enumerate` counts with: from nothing, unless it is told from what.
fn counts(arguments: &Arguments) -> Value {
    let told = arguments.each().count() > 1 || arguments.more.is_some();
    if told {
        Value::inert()
    } else {
        Value::number()
    }
}

impl Walker {
    /// Does what one member does that no table can say.
    pub(super) fn special(&mut self, word: &str, call: &Call<'_>) -> Option<Value> {
        let arguments = call.arguments;
        let first = arguments.get(Place::At(0, "")).unwrap_or_default();
        let at = arguments.at;
        Some(match word {
            "value" => return None,
            "map" | "filter" => self.mapped(word, arguments),
            // A function is called until it returns what stands behind it.
            "iter" if arguments.each().count() > 1 => {
                let made = self.call_back(&first, &Value::never(), at);
                self.many(self.site(at), &made)
            }
            "list" | "iter" => {
                let items = self.exactly(&first);
                match items {
                    Some(items) => self.list(self.site(at), items),
                    None => {
                        let inner = self.elements(&first);
                        self.many(self.site(at), &inner)
                    }
                }
            }
            "sorted" => {
                let inner = self.elements(&first);
                if let Some(key) = arguments.by_name("key") {
                    self.call_back(&key, &inner, at);
                }
                self.many(self.site(at), &inner)
            }
            "chosen" => {
                let inner = self.elements(&first);
                // Of one list the members are compared; where nothing is in it, another is given.
                let listed = arguments.plain.len() == 1 && arguments.more.is_none();
                let all = match (listed, arguments.by_name("default")) {
                    (false, _) => arguments.all().or(&inner),
                    (true, Some(default)) => inner.or(&default),
                    (true, None) => inner,
                };
                if let Some(key) = arguments.by_name("key") {
                    self.call_back(&key, &all, at);
                }
                all
            }
            "zip" => {
                let items = arguments.plain.iter().map(|it| self.elements(it)).collect();
                let (at, context) = self.site(at);
                let row = self.list((at, context ^ 1), items);
                self.many((at, context), &row)
            }
            "enumerate" => {
                let inner = self.elements(&first);
                let (at, context) = self.site(at);
                let row = self.list((at, context ^ 1), vec![counts(arguments), inner]);
                self.many((at, context), &row)
            }
            "range" => self.many(self.site(at), &Value::number()),
            "number" => Value::number(),
            "table" => self.new_table(arguments),
            "getattr" => self.gotten(arguments),
            "hasattr" => self.has_member(arguments),
            "setattr" => {
                self.unread();
                Value::inert()
            }
            "str" => texts::as_text(&first),
            "dedent" => match first.whole() {
                Some(text) => Value::text(texts::dedented(text)).labelled(&first.labels),
                None => Value::inert().labelled(&first.labels),
            },
            "type" if arguments.each().count() > 1 => self.unread(),
            "type" => self.type_of(&first),
            "super" => self.parent_of(),
            word => return self.special_path(word, &first, call),
        })
    }

    /// Does what one member of paths does that no table can say.
    fn special_path(&mut self, word: &str, first: &Value, call: &Call<'_>) -> Option<Value> {
        let arguments = call.arguments;
        let at = arguments.at;
        Some(match word {
            "glob" => {
                let found = first
                    .texts()
                    .iter()
                    .map(texts::glob_folder)
                    .fold(Value::never(), |all, it| all.or(&Value::of(Atom::Text(it))));
                self.many(self.site(at), &found)
            }
            "path-glob" => {
                let upwards = first
                    .texts()
                    .iter()
                    .any(|it| it.whole().is_none_or(|it| it.contains("..")));
                let folder = call.get(Place::Myself).unwrap_or_default();
                let rest = if upwards {
                    super::value::Rest::Anything
                } else {
                    super::value::Rest::Below
                };
                let name = Value::of(Atom::Text(super::value::Text::begins("", rest)));
                let found = super::expressions::within(&folder, &name);
                self.many(self.site(at), &found)
            }
            "with-name" => {
                let name = arguments
                    .get(Place::At(0, "name"))
                    .unwrap_or_else(Value::inert);
                let mut all = Value::never();
                for text in call.get(Place::Myself).unwrap_or_default().texts() {
                    all.join(&super::members::beside(&text, &name));
                }
                all
            }
            "with-suffix" => self.with_suffix(call),
            "within" => {
                let mut whole = call.get(Place::Myself).unwrap_or_default();
                for part in &arguments.plain {
                    whole = super::expressions::within(&whole, part);
                }
                whole
            }
            word => return self.special_environment(word, first, call),
        })
    }

    /// Does what one member of the environment does that no table can say.
    fn special_environment(&mut self, word: &str, first: &Value, call: &Call<'_>) -> Option<Value> {
        let arguments = call.arguments;
        let at = arguments.at;
        Some(match word {
            "environ-get" => {
                let holder = call.get(Place::Myself).unwrap_or_default();
                let mut value = Value::never();
                for key in super::heap::keys(first) {
                    let found = self.item(&holder, &key);
                    value.join(&found);
                }
                value.or(&arguments.plain.get(1).cloned().unwrap_or_default())
            }
            "environ-all" => {
                let mut value = Value::inert();
                value.labels.environment = true;
                let (at, context) = self.site(at);
                let row = self.list((at, context ^ 1), vec![Value::inert(), value]);
                self.many((at, context), &row)
            }
            "environ-update" => {
                for (name, value) in &arguments.named {
                    self.export(Some(name.clone()), value);
                }
                for table in &arguments.plain {
                    self.export_all(table);
                }
                Value::inert()
            }
            word => return self.handed(word, first, call),
        })
    }

    fn export_all(&mut self, table: &Value) {
        for atom in &table.atoms {
            let Atom::Table(site) = atom else {
                self.unread();
                continue;
            };
            let contents = self.contents(*site);
            if contents.rest != Value::never() || contents.items.is_some() {
                self.unread();
            }
            for (name, value) in contents.fields {
                self.export(Some(name), &value);
            }
        }
    }

    fn mapped(&mut self, word: &str, arguments: &Arguments) -> Value {
        let mut plain = arguments.plain.iter();
        let function = plain.next().cloned().unwrap_or_default();
        let items: Vec<Value> = plain.map(|it| self.elements(it)).collect();
        let given = Arguments {
            plain: items.clone(),
            more: arguments.more.clone(),
            at: arguments.at,
            ..Arguments::default()
        };
        let kept = items.iter().fold(Value::never(), |all, it| all.or(it));
        let skipped = function == Value::inert();
        let result = if skipped {
            Value::inert()
        } else {
            self.call(&function, &given)
        };
        let inner = if word == "filter" { kept } else { result };
        self.many(self.site(arguments.at), &inner)
    }

    fn new_table(&mut self, arguments: &Arguments) -> Value {
        let mut rest = Value::never();
        let mut fields: Vec<(String, Value)> = arguments.named.clone();
        for value in &arguments.plain {
            for atom in &value.atoms {
                match atom {
                    Atom::Table(site) => {
                        let contents = self.contents(*site);
                        fields.extend(contents.fields);
                        rest.join(&contents.rest);
                    }
                    Atom::Object(thing, _) if thing.name == "environ" => {
                        rest.join(&Value::of(atom.clone()));
                        rest.labels.environment = true;
                    }
                    Atom::Member(_) | Atom::Function(_) => {
                        let made =
                            self.call_atom(atom, &Arguments::of(Vec::new(), arguments.at + 1));
                        rest.join(&made);
                    }
                    Atom::Anything
                    | Atom::Inert
                    | Atom::Text(_)
                    | Atom::Path(_)
                    | Atom::List(_)
                    | Atom::Module(_)
                    | Atom::Object(..)
                    | Atom::Method(..)
                    | Atom::Bound(..)
                    | Atom::Class(_)
                    | Atom::Instance(..)
                    | Atom::Package(_) => {
                        self.driven(&Value::of(atom.clone()), super::driven::Hands::Library);
                        let pair = self.elements(&Value::of(atom.clone()));
                        rest.join(&pair);
                        let held = self.elements(&pair);
                        rest.join(&held);
                    }
                }
            }
        }
        if let Some(more) = &arguments.more {
            rest.join(more);
        }
        self.table(self.site(arguments.at), fields, rest)
    }

    fn gotten(&mut self, arguments: &Arguments) -> Value {
        let holder = arguments.plain.first().cloned().unwrap_or_default();
        let default = arguments.plain.get(2).cloned().unwrap_or_default();
        match arguments.plain.get(1).and_then(Value::whole) {
            Some(name) => {
                let name = name.to_owned();
                self.member(&holder, &name).or(&default)
            }
            // Of data and of own objects any member is harmless to name.
            None if holder.is_plain() && arguments.more.is_none() => Value::inert().or(&default),
            None => self.unread(),
        }
    }

    fn type_of(&mut self, value: &Value) -> Value {
        let mut all = Value::never();
        for atom in &value.atoms {
            let kind = match atom {
                Atom::Instance(id, _) => Value::of(Atom::Class(*id)),
                Atom::Inert | Atom::Text(_) | Atom::List(_) | Atom::Table(_) => Value::inert(),
                Atom::Path(_) => super::tables::module("pathlib")
                    .and_then(|it| it.member("Path"))
                    .map_or_else(Value::anything, |it| Value::of(Atom::Member(it))),
                Atom::Anything
                | Atom::Module(_)
                | Atom::Member(_)
                | Atom::Object(..)
                | Atom::Method(..)
                | Atom::Function(_)
                | Atom::Bound(..)
                | Atom::Class(_)
                | Atom::Package(_) => Value::anything(),
            };
            all.join(&kind);
        }
        all
    }

    /// `super()`: what the classes above hold; their makers run with the same object.
    fn parent_of(&mut self) -> Value {
        let myself = self
            .frames
            .last()
            .and_then(|it| it.names.get("self").or_else(|| it.names.get("cls")));
        let Some(myself) = myself.cloned() else {
            return self.unread();
        };
        let mut all = Value::inert();
        for atom in &myself.atoms {
            let id = if let Atom::Instance(id, _) | Atom::Class(id) = atom {
                *id
            } else {
                return self.unread();
            };
            let bases = self
                .classes
                .get(id)
                .map(|it| it.bases.clone())
                .unwrap_or_default();
            for base in bases {
                let above = if let Atom::Instance(_, site) = atom {
                    Atom::Instance(base, *site)
                } else {
                    Atom::Class(base)
                };
                all.join(&Value::of(above));
            }
        }
        all
    }

    fn with_suffix(&mut self, call: &Call<'_>) -> Value {
        let suffix = call
            .arguments
            .get(Place::At(0, "suffix"))
            .unwrap_or_else(Value::inert);
        let mut all = Value::never();
        for text in call.get(Place::Myself).unwrap_or_default().texts() {
            let stem = text.whole().map(|it| match it.rsplit_once('.') {
                Some((stem, end))
                    if !end.contains('/') && !stem.is_empty() && !stem.ends_with('/') =>
                {
                    stem.to_owned()
                }
                _ => it.to_owned(),
            });
            let made = match stem {
                Some(stem) => texts::joined(&Value::text(stem), &suffix),
                None => Value::of(Atom::Text(text)),
            };
            for text in made.texts() {
                all.join(&Value::of(Atom::Path(text)));
            }
        }
        all
    }
}
