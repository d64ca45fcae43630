//! Members, subscripts, calls and assignments to them: the ways from one value to another.

use belay_model::Verb;

use super::members;
use super::things;
use super::tree::{Key, Link, Node};
use super::values::{HOME, Value};
use super::walk::Walk;
use crate::{Doing, Use};

/// How a callee was reached.
#[derive(Clone, Copy)]
enum Way<'a> {
    Bare,
    Method(&'a str),
    Computed,
}

impl<'a> Walk<'a> {
    pub(super) fn assigned(
        &mut self,
        target: &'a Node,
        operator: &str,
        value: &'a Node,
    ) -> Option<Value> {
        let given = self.value(value)?;
        if let Node::Name(..) = target {
            if matches!(operator, "" | "||") {
                return Some(given);
            }
            self.given(given)?;
            return Some(Value::Unknown);
        }
        let given = self.given(given)?;
        self.target(target, &given)?;
        Some(given)
    }

    fn target(&mut self, target: &'a Node, given: &Value) -> Option<()> {
        match target {
            Node::Name(..) => Some(()),
            Node::Chain(base, links) => self.changed(base, links, given),
            Node::List(items) => items
                .iter()
                .try_for_each(|it| self.target(it, &Value::Stranger)),
            Node::Object(entries) => entries.iter().try_for_each(|(key, it)| match key {
                Key::Known(name) if !members::is_denied(name) => self.target(it, &Value::Stranger),
                Key::Known(_) | Key::Computed(_) | Key::Spread => None,
            }),
            Node::Spread(inner) => self.target(inner, &Value::Stranger),
            Node::Text(_)
            | Node::Number(_)
            | Node::Bool(_)
            | Node::Plain
            | Node::Template(..)
            | Node::This
            | Node::Function(_)
            | Node::Class(..)
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
            | Node::Return(_)
            | Node::Declare(_)
            | Node::Each(..)
            | Node::Block(_)
            | Node::Imported(..) => None,
        }
    }

    /// A member is given a value.
    fn changed(&mut self, base: &'a Node, links: &'a [Link], given: &Value) -> Option<()> {
        let (last, before) = links.split_last()?;
        let owner = self.links(base, before)?;
        let name = match last {
            Link::Member(name) => Some(name.clone()),
            Link::Index(key) => {
                let key = self.data(key)?;
                match key.one() {
                    None if key.counts() => {
                        return (!matches!(owner, Value::Thing(_))).then_some(());
                    }
                    name => name.map(str::to_owned),
                }
            }
            Link::Call(_) => return None,
        };
        let Some(name) = name else {
            self.signs.stored |= *given == Value::Stranger;
            self.signs.polluting |= matches!(owner, Value::Stranger);
            return (!matches!(owner, Value::Thing(_) | Value::Safe)).then_some(());
        };
        self.stored(&name, given)?;
        match owner {
            Value::Thing(path) => things::may_change(&path, &name).then_some(()),
            Value::Safe => matches!(given, Value::Safe).then_some(()),
            Value::Texts(_)
            | Value::Starts(_)
            | Value::List(_)
            | Value::Object(_)
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Plain
            | Value::Unknown
            | Value::Stranger
            | Value::Project
            | Value::Mixed => Some(()),
        }
    }

    pub(super) fn links(&mut self, base: &'a Node, links: &'a [Link]) -> Option<Value> {
        let value = self.value(base)?;
        if let (Node::Name(name, scope), Some((Link::Call(given), rest))) =
            (base, links.split_first())
            && value == Value::Safe
            && let Some(returned) = self.returned(name, *scope)
        {
            self.call(value, Way::Bare, given)?;
            return self.reached(returned, rest);
        }
        self.reached(value, links)
    }

    /// Returns `process.argv`.
    fn words(&self) -> Value {
        let Some(given) = self.given.as_ref().filter(|it| !it.several) else {
            return Value::Unknown;
        };
        let word = |it: &Option<String>| match it {
            Some(text) => Value::text(text),
            None => Value::Unknown,
        };
        let interpreter = std::iter::once(Value::Unknown);
        Value::List(interpreter.chain(given.words.iter().map(word)).collect()).bounded()
    }

    /// What comes of a list by a method that gives all it knows of its items on.
    fn of_list(&mut self, value: &Value, links: Option<&'a [Link]>) -> Option<Value> {
        let (Value::List(items), Some([Link::Member(name), Link::Call(arguments)])) =
            (value, links)
        else {
            return None;
        };
        match (name.as_str(), arguments.as_slice()) {
            ("join", [between]) => {
                let between = self.data(between)?;
                between.texts()?;
                let parts = items.iter().cloned();
                let all = parts.reduce(|all, it| all.then(between.clone()).then(it))?;
                all.texts().is_some().then_some(all)
            }
            ("sort" | "reverse" | "slice", []) => Some(value.clone()),
            // Which of them are left, and in which places, nobody knows.
            ("filter", [chosen @ Node::Function(_)]) => {
                self.data(chosen)?;
                let any = items.iter().cloned().reduce(Value::or);
                Some(any.map_or(Value::Unknown, |it| Value::List(vec![it])))
            }
            ("slice", [Node::Number(from)]) => {
                let from: usize = from.parse().ok()?;
                let rest = items.get(from..).filter(|it| !it.is_empty());
                Some(rest.map_or(Value::Unknown, |it| Value::List(it.to_vec())))
            }
            _ => None,
        }
    }

    fn reached(&mut self, mut value: Value, links: &'a [Link]) -> Option<Value> {
        let mut way = Way::Bare;
        for (at, link) in links.iter().enumerate() {
            if let Some(value) = self.of_list(&value, links.get(at..at + 2)) {
                return self.reached(value, links.get(at + 2..).unwrap_or_default());
            }
            (value, way) = match link {
                Link::Member(name) => {
                    self.signs.crafted |= members::crafts(name);
                    let called = matches!(links.get(at + 1), Some(Link::Call(_)));
                    self.signs.deep |= !called && members::is_method(name);
                    (self.member(value, name)?, Way::Method(name))
                }
                Link::Index(key) => {
                    let key = self.data(key)?;
                    (self.index(value, &key)?, Way::Computed)
                }
                Link::Call(arguments) => (self.call(value, way, arguments)?, Way::Bare),
            };
            if value == Value::Mixed {
                return None;
            }
        }
        Some(value)
    }

    pub(super) fn member(&mut self, whole: Value, name: &str) -> Option<Value> {
        if members::is_denied(name) {
            return None;
        }
        match whole {
            Value::Thing(path) if path == "process.env" => {
                self.emit(Doing::Variable(name.to_owned()));
                Some(match name {
                    "HOME" | "USERPROFILE" => Value::text(&HOME.to_string()),
                    _ => Value::Unknown,
                })
            }
            Value::Thing(path) if path == "process" && name == "argv" => Some(self.words()),
            Value::Thing(path) => things::member(&path, name),
            Value::Object(entries) => {
                let found = entries.into_iter().rev().find(|(key, _)| key == name);
                Some(found.map_or(Value::Unknown, |(_, value)| value))
            }
            Value::List(_) if name == "length" => Some(Value::Plain),
            Value::Mixed => None,
            _ if members::is_suspicious(name) => None,
            Value::Safe => Some(Value::Safe),
            Value::Project => {
                if crate::python::acts(name) && !things::is_quiet_member(name) {
                    self.signs.packages = Use::Acted;
                }
                Some(Value::Project)
            }
            Value::Stranger => Some(Value::Stranger),
            Value::List(_)
            | Value::Texts(_)
            | Value::Starts(_)
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Plain
            | Value::Unknown => Some(Value::Unknown),
        }
    }

    fn index(&mut self, whole: Value, key: &Value) -> Option<Value> {
        if let Some(names) = key.texts() {
            let mut found: Option<Value> = None;
            for name in names {
                let one = self.member(whole.clone(), name)?;
                found = Some(found.map_or_else(|| one.clone(), |it| it.or(one.clone())));
            }
            return found;
        }
        match (whole, key) {
            (Value::Thing(path), _) if path == "process.env" => {
                self.emit(Doing::Other(Verb::Read, vec!["environment"]));
                Some(Value::Unknown)
            }
            (Value::Thing(_) | Value::Mixed, _) => None,
            (Value::List(items), Value::Number(number)) => {
                let at: Option<usize> = number.parse().ok();
                let item = at.and_then(|it| items.get(it)).cloned();
                // Of some lists only one item is known.
                Some(item.unwrap_or(Value::Unknown))
            }
            (Value::Project, key) if key.counts() => Some(Value::Project),
            (Value::Stranger | Value::Safe, _) => {
                self.signs.strangers = true;
                self.signs.deep = true;
                Some(Value::Stranger)
            }
            (_, key) if key.counts() => Some(Value::Unknown),
            _ => {
                self.signs.strangers = true;
                Some(Value::Stranger)
            }
        }
    }

    fn call(&mut self, callee: Value, way: Way<'_>, arguments: &'a [Node]) -> Option<Value> {
        if let Value::Thing(path) = &callee {
            let mut given = Vec::new();
            let mut spread = false;
            for argument in arguments {
                spread |= matches!(argument, Node::Spread(_));
                given.push(self.value(argument)?);
            }
            if spread {
                given = vec![Value::Unknown; 4];
            }
            return self.do_call(path, &given);
        }
        let (mut strange, mut hands) = (false, false);
        for argument in arguments {
            let value = self.data(argument)?;
            if callee == Value::Project {
                self.handed(&value);
            }
            strange |= matches!(value, Value::Unknown | Value::Stranger);
            hands |= value.holds_stranger();
        }
        let keeps = matches!(way, Way::Bare)
            || matches!(way, Way::Method(name) if members::only_looks(name));
        self.signs.loose |= hands && (!keeps || callee == Value::Project);
        match (callee, way) {
            (Value::Mixed | Value::Thing(_), _) => None,
            (Value::Project, _) => {
                self.signs.packages = self.signs.packages.max(Use::Called);
                Some(Value::Project)
            }
            (Value::Safe, way) => {
                let hands = matches!(way, Way::Method(name) if members::takes_function(name));
                self.signs.loose |= strange && hands;
                Some(Value::Unknown)
            }
            (Value::Stranger, Way::Bare | Way::Computed) => None,
            (_, Way::Bare | Way::Computed) => {
                self.signs.loose = true;
                Some(Value::Unknown)
            }
            (callee, Way::Method(name)) => {
                let reaches = matches!(name, "call" | "apply" | "bind");
                if reaches && callee == Value::Stranger {
                    return None;
                }
                self.signs.loose |= reaches
                    || !members::is_method(name)
                    || strange && members::takes_function(name);
                Some(Value::Unknown)
            }
        }
    }

    pub(super) fn made(&mut self, class: &'a Node, arguments: &'a [Node]) -> Option<Value> {
        let class = self.value(class)?;
        for argument in arguments {
            let value = self.data(argument)?;
            if class == Value::Project {
                self.handed(&value);
            }
        }
        match class {
            Value::Thing(path) => things::is_harmless(&path).then_some(Value::Unknown),
            Value::Safe => Some(Value::Unknown),
            Value::Project => {
                self.signs.packages = self.signs.packages.max(Use::Called);
                Some(Value::Project)
            }
            Value::Stranger | Value::Mixed => None,
            Value::Texts(_)
            | Value::Starts(_)
            | Value::List(_)
            | Value::Object(_)
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Plain
            | Value::Unknown => {
                self.signs.loose = true;
                Some(Value::Unknown)
            }
        }
    }

    pub(super) fn module(&mut self, name: &str) -> Option<Value> {
        let (value, file) = things::module(name)?;
        if let Some(file) = file {
            // A package that is called by its own name says what it does there.
            if matches!(&file, Doing::NodePackage { name, .. } if crate::python::acts(name)) {
                self.signs.packages = Use::Acted;
            }
            self.emit(file);
        }
        Some(value)
    }
}
