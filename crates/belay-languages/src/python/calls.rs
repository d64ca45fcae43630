//! Calls of whatever can be called.

use super::arguments::Arguments;
use super::driven::Hands;
use super::functions::is_callable;
use super::heap::Key;
use super::tables::{self, Step};
use super::texts;
use super::value::{Atom, Site, Text, Value};
use super::walk::Walker;
use crate::Use;

/// A value whose method is called, and the name it was reached by.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) value: &'a Value,
    pub(super) root: Option<&'a str>,
}

/// One of the things that a value may be, and the name it was reached by.
#[derive(Clone, Copy)]
struct Part<'a> {
    atom: &'a Atom,
    root: Option<&'a str>,
}

/// A list or a table, and where it was made.
#[derive(Clone, Copy)]
struct Container<'a> {
    atom: &'a Atom,
    site: Site,
}

impl Walker {
    /// Calls a value.
    pub(super) fn call(&mut self, value: &Value, arguments: &Arguments) -> Value {
        let mut all = Value::never();
        for atom in &value.atoms {
            let found = self.call_atom(atom, arguments);
            all.join(&found);
        }
        all.labelled(&value.labels)
    }

    pub(super) fn call_atom(&mut self, atom: &Atom, arguments: &Arguments) -> Value {
        self.deeper(|it| it.called(atom, arguments))
    }

    fn called(&mut self, atom: &Atom, arguments: &Arguments) -> Value {
        match atom {
            Atom::Anything => self.unread(),
            Atom::Inert => self.calm(arguments),
            Atom::Text(_) | Atom::Path(_) | Atom::Module(_) => Value::never(),
            Atom::List(site) | Atom::Table(site) => {
                let inner = self.contents(*site).rest;
                let given = arguments.all().or(&inner);
                self.call_back(&inner, &given, arguments.at).or(&inner)
            }
            Atom::Member(member) => self.apply(member, None, arguments),
            Atom::Object(thing, _) => match thing.member("__call__") {
                Some(member) => self.apply(member, Some(atom), arguments),
                None => self.unread(),
            },
            Atom::Method(holder, name) => self.method(
                Part {
                    atom: holder,
                    root: None,
                },
                name,
                arguments,
            ),
            Atom::Function(own) => self.call_own(own, arguments),
            Atom::Bound(own, holder) => {
                let mut given = arguments.clone();
                given.plain.insert(0, (**holder).clone());
                self.call_own(own, &given)
            }
            Atom::Class(id) => self.construct(*id, arguments),
            Atom::Instance(id, site) => {
                let called = self.of_instance(*id, *site, "__call__");
                if called.atoms.is_empty() {
                    return self.unread();
                }
                self.call(&called, arguments)
            }
            Atom::Package(path) => self.call_package(path, arguments),
        }
    }

    /// Calls something that does nothing outside the program, but may call what it is given.
    pub(super) fn calm(&mut self, arguments: &Arguments) -> Value {
        let values: Vec<&Value> = arguments.each().collect();
        let all = self.blend(&values);
        self.driven(&all, Hands::Library);
        let given = all.clone().or(&Value::inert());
        for value in values {
            // One by one: next to something of which nothing is known, a function is still a function.
            let value = self.blend(&[value]);
            if value.atoms != [Atom::Anything] {
                self.call_back(&value, &given, arguments.at);
            }
        }
        self.holding(&all, arguments.at)
    }

    /// Returns a value of which nobody follows the inside, but which may hold what it was made from.
    pub(super) fn holding(&mut self, all: &Value, at: usize) -> Value {
        let plain = |it: &&Atom| {
            !matches!(
                it,
                Atom::Inert | Atom::Text(_) | Atom::List(_) | Atom::Table(_)
            ) && !is_file(it)
        };
        let kept: Vec<Atom> = all.atoms.iter().filter(plain).cloned().collect();
        let result = Value::inert().labelled(&all.labels);
        if kept.is_empty() {
            return result;
        }
        let kept = Value {
            atoms: kept,
            labels: all.labels.clone(),
        };
        let list = self.many(self.site(at), &kept);
        result.or(&list)
    }

    /// Calls a method by its name.
    pub(super) fn call_method(
        &mut self,
        named: Named<'_>,
        name: &str,
        arguments: &Arguments,
    ) -> Value {
        let Named { value, root } = named;
        if tables::leads(name) {
            return self.unread();
        }
        let mut all = Value::never();
        for atom in &value.atoms {
            let found = self.method(Part { atom, root }, name, arguments);
            all.join(&found);
        }
        let narrowed = value.atoms.iter().all(|it| {
            matches!(it, Atom::Module(_))
                || matches!(it, Atom::Object(thing, _) if thing.name == "environ")
        });
        if narrowed {
            all
        } else {
            all.labelled(&value.labels)
        }
    }

    fn method(&mut self, part: Part<'_>, name: &str, arguments: &Arguments) -> Value {
        let Part { atom, root } = part;
        match atom {
            Atom::Inert => {
                self.hide(root, &arguments.all());
                self.calm(arguments)
            }
            Atom::Text(text) => self.text_method(text, name, arguments),
            Atom::Path(_) => match tables::object("path").and_then(|it| it.member(name)) {
                Some(member) => self.apply(member, Some(atom), arguments),
                // No path has it, unless it is one of Python's own, or Python learns it one day.
                None => self.unread(),
            },
            Atom::List(site) | Atom::Table(site) => {
                self.list_method(Container { atom, site: *site }, name, arguments)
            }
            Atom::Object(thing, _) => match thing.member(name) {
                Some(member) if !member.steps().contains(&Step::Special("value")) => {
                    self.apply(member, Some(atom), arguments)
                }
                Some(_) => self.member_then_call(atom, name, arguments),
                None => self.unread(),
            },
            Atom::Package(path) => {
                let found = self.of_package(path, name);
                self.call(&found, arguments)
            }
            Atom::Anything
            | Atom::Module(_)
            | Atom::Member(_)
            | Atom::Method(..)
            | Atom::Function(_)
            | Atom::Bound(..)
            | Atom::Class(_)
            | Atom::Instance(..) => self.member_then_call(atom, name, arguments),
        }
    }

    fn member_then_call(&mut self, atom: &Atom, name: &str, arguments: &Arguments) -> Value {
        let found = self.member(&Value::of(atom.clone()), name);
        self.call(&found, arguments)
    }

    fn text_method(&mut self, text: &Text, name: &str, arguments: &Arguments) -> Value {
        let labels = arguments.labels();
        if matches!(name, "format" | "format_map") {
            return self.formatted(text, name, arguments);
        }
        if name == "join"
            && let Some(list) = arguments.plain.first()
        {
            return self.text_joined(text, list);
        }
        if matches!(name, "split" | "splitlines" | "rsplit") {
            let words = texts::split(text, arguments).filter(|_| name == "split");
            return match words {
                Some(words) => self.list(self.site(arguments.at), words),
                None => self.many(self.site(arguments.at), &Value::inert().labelled(&labels)),
            };
        }
        texts::method(text, name, arguments)
            .unwrap_or_else(Value::inert)
            .labelled(&labels)
    }

    fn text_joined(&mut self, text: &Text, list: &Value) -> Value {
        let items = self.exactly(list);
        let elements = self.elements(list);
        let Some(items) = items else {
            return Value::inert().labelled(&elements.labels);
        };
        let mut made = Value::text("");
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                made = texts::joined(&made, &Value::of(Atom::Text(text.clone())));
            }
            made = texts::joined(&made, &texts::as_text(item));
        }
        made.labelled(&elements.labels)
    }

    /// `format` walks from its arguments to their members where its text says so.
    fn formatted(&mut self, text: &Text, name: &str, arguments: &Arguments) -> Value {
        let values: Vec<&Value> = arguments.each().collect();
        let all = self.blend(&values);
        let walks = text.whole().is_none_or(texts::walks);
        if walks
            && all.atoms.iter().any(|it| {
                !matches!(
                    it,
                    Atom::Inert | Atom::Text(_) | Atom::List(_) | Atom::Table(_)
                )
            })
        {
            return self.unread();
        }
        let made = text
            .whole()
            .filter(|_| name == "format")
            .and_then(|it| texts::formatted(it, arguments));
        made.unwrap_or_else(Value::inert)
            .labelled(&all.labels)
            .telling(&all)
    }

    fn list_method(
        &mut self,
        container: Container<'_>,
        name: &str,
        arguments: &Arguments,
    ) -> Value {
        let Container { atom, site } = container;
        let value = Value::of(atom.clone());
        let values: Vec<&Value> = arguments.each().collect();
        match name {
            "append" | "add" | "appendleft" | "insert" | "put" | "setdefault" | "remove"
            | "discard" => {
                let all = arguments.all();
                if !matches!(name, "remove" | "discard") || matches!(atom, Atom::List(_)) {
                    self.pour(&value, &all);
                }
                let inner = self.contents(site).all(super::heap::Fields::Values);
                if name == "setdefault" {
                    inner
                } else {
                    Value::inert()
                }
            }
            "extend"
            | "update"
            | "extendleft"
            | "union"
            | "symmetric_difference"
            | "symmetric_difference_update" => {
                let mut poured = Value::never();
                for argument in &arguments.plain {
                    let inner = self.elements(argument);
                    poured.join(&inner);
                    let held = self.item(argument, &Key::Unknown);
                    poured.join(&held);
                }
                poured.join(&arguments.more.clone().unwrap_or_default());
                self.pour(&value, &poured);
                for (name, held) in &arguments.named {
                    self.pour_field(&value, name, held);
                }
                value
            }
            "get" | "pop" | "popleft" | "popitem" => {
                let key = match arguments.plain.first().and_then(Value::whole) {
                    Some(name) => Key::Name(name.to_owned()),
                    None => Key::Unknown,
                };
                let default = arguments.plain.get(1).cloned().unwrap_or_default();
                if name != "get" {
                    self.pour(&value, &Value::never());
                }
                self.item(&value, &key).or(&default).or(&Value::inert())
            }
            "keys" => {
                let names = self.contents(site).all(super::heap::Fields::Names);
                self.many((site.0, site.1 ^ 4), &names)
            }
            "values" => {
                let inner = self.contents(site).all(super::heap::Fields::Values);
                self.many((site.0, site.1 ^ 8), &inner)
            }
            "items" => {
                let contents = self.contents(site);
                let names = contents.all(super::heap::Fields::Names);
                let inner = contents.all(super::heap::Fields::Values);
                let pair = self.list((site.0, site.1 ^ 16), vec![names, inner]);
                self.many((site.0, site.1 ^ 32), &pair)
            }
            "sort" => {
                let all = self.blend(&values);
                let inner = self.elements(&value);
                self.call_back(&all, &inner, arguments.at);
                self.pour(&value, &Value::never());
                Value::inert()
            }
            "copy" | "difference" | "intersection" => value,
            "reverse" | "rotate" | "clear" | "move_to_end" => {
                self.pour(&value, &Value::never());
                Value::inert()
            }
            "most_common" => {
                let inner = self.elements(&value);
                let pair = self.list((site.0, site.1 ^ 16), vec![inner, Value::inert()]);
                self.many((site.0, site.1 ^ 32), &pair)
            }
            "index" | "count" | "issubset" | "issuperset" | "isdisjoint" | "total" => {
                Value::inert()
            }
            name => self.other_method(container, name, arguments),
        }
    }

    /// A method that lists and tables may have besides: a function among what they hold, or one of Python's own names.
    fn other_method(
        &mut self,
        container: Container<'_>,
        name: &str,
        arguments: &Arguments,
    ) -> Value {
        let held = self.contents(container.site).field(name);
        let mut result = self.held(&held, name, arguments);
        if held.atoms.iter().any(is_callable) {
            let called = self.call(&held, arguments);
            result.join(&called);
        }
        // Python's own names change what they belong to.
        if name.starts_with("__") {
            let poured = self.mixed(arguments);
            self.pour(&Value::of(container.atom.clone()), &poured);
        }
        let calm = self.calm(arguments);
        result.or(&calm)
    }

    /// Calls a method of whatever may stand in for its holder.
    fn held(&mut self, held: &Value, name: &str, arguments: &Arguments) -> Value {
        let mut result = Value::never();
        let acting = held.atoms.iter().filter(|it| {
            matches!(
                it,
                Atom::Path(_)
                    | Atom::Object(..)
                    | Atom::Package(_)
                    | Atom::Instance(..)
                    | Atom::Anything
            )
        });
        for atom in acting {
            let found = self.method(Part { atom, root: None }, name, arguments);
            result.join(&found);
        }
        result
    }

    /// Returns what a decorator makes of a function or class.
    pub(super) fn decorate(&mut self, decorator: &Value, value: Value, at: usize) -> Value {
        let mut all = Value::never();
        for atom in &decorator.atoms {
            let keeps = |steps: &[Step]| steps.contains(&Step::Keeps);
            let found = match atom {
                Atom::Member(member) if keeps(member.steps()) => value.clone(),
                // A decorator of the library that was given its settings.
                Atom::Inert => {
                    self.escape_all(&value);
                    value.clone()
                }
                Atom::Package(path) => {
                    self.uses(path, Use::Called);
                    self.escape_all(&value);
                    value.clone().or(&Value::of(atom.clone()))
                }
                atom @ (Atom::Anything
                | Atom::Text(_)
                | Atom::Path(_)
                | Atom::List(_)
                | Atom::Table(_)
                | Atom::Module(_)
                | Atom::Member(_)
                | Atom::Object(..)
                | Atom::Method(..)
                | Atom::Function(_)
                | Atom::Bound(..)
                | Atom::Class(_)
                | Atom::Instance(..)) => {
                    self.call_atom(atom, &Arguments::of(vec![value.clone()], at))
                }
            };
            all.join(&found);
        }
        all
    }

    /// Somebody may call these at any time.
    pub(super) fn escape_all(&mut self, value: &Value) {
        let atoms: Vec<Atom> = value.atoms.clone();
        for atom in &atoms {
            if let Atom::Function(own) | Atom::Bound(own, _) = atom {
                self.escape(own, &[]);
            }
        }
    }
}

/// Tells whether a thing is an open file: whatever holds it can do no more than was said when it was opened.
pub(super) fn is_file(atom: &Atom) -> bool {
    match atom {
        Atom::Object(thing, _) => thing.name == "file",
        Atom::Method(holder, _) => is_file(holder),
        Atom::Anything
        | Atom::Inert
        | Atom::Text(_)
        | Atom::Path(_)
        | Atom::List(_)
        | Atom::Table(_)
        | Atom::Module(_)
        | Atom::Member(_)
        | Atom::Function(_)
        | Atom::Bound(..)
        | Atom::Class(_)
        | Atom::Instance(..)
        | Atom::Package(_) => false,
    }
}
