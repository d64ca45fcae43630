//! Members: what stands behind a dot.

use std::rc::Rc;

use super::arguments::Arguments;
use super::expressions::within;
use super::tables::{self, Member, Step};
use super::value::{Atom, Text, Value};
use super::walk::Walker;
use crate::Use;

/// Methods of lists, tables and sets.
const OF_LISTS: [&str; 38] = [
    "append",
    "extend",
    "insert",
    "remove",
    "pop",
    "clear",
    "index",
    "count",
    "sort",
    "reverse",
    "copy",
    "keys",
    "values",
    "items",
    "get",
    "setdefault",
    "update",
    "popitem",
    "fromkeys",
    "add",
    "discard",
    "union",
    "intersection",
    "difference",
    "symmetric_difference",
    "issubset",
    "issuperset",
    "isdisjoint",
    "intersection_update",
    "difference_update",
    "appendleft",
    "popleft",
    "extendleft",
    "rotate",
    "most_common",
    "put",
    "move_to_end",
    "total",
];

impl Walker {
    /// Returns a member of a value.
    pub(super) fn member(&mut self, value: &Value, name: &str) -> Value {
        if tables::leads(name) {
            return self.unread();
        }
        let mut all = Value::never();
        for atom in &value.atoms {
            let found = self.member_of(atom, name);
            all.join(&found);
        }
        let narrowed = value.atoms.iter().all(|it| matches!(it, Atom::Module(_)));
        if narrowed {
            all
        } else {
            all.labelled(&value.labels)
        }
    }

    fn member_of(&mut self, atom: &Atom, name: &str) -> Value {
        let method = || Value::of(Atom::Method(Rc::new(atom.clone()), name.into()));
        match atom {
            Atom::Anything => Value::anything(),
            Atom::Inert => Value::inert(),
            Atom::Text(_) => method(),
            Atom::Path(text) => path_member(text, name).unwrap_or_else(method),
            Atom::Table(site) if super::given::is_parsed(*site) => self.contents(*site).field(name),
            Atom::List(_) | Atom::Table(_) if OF_LISTS.contains(&name) => method(),
            Atom::List(site) | Atom::Table(site) => {
                let held = self.contents(*site).field(name);
                let mut all = held.clone();
                let acting = |it: &&Atom| {
                    matches!(
                        it,
                        Atom::Path(_) | Atom::Package(_) | Atom::Instance(..) | Atom::Anything
                    )
                };
                for atom in held.atoms.iter().filter(acting) {
                    let found = self.member_of(atom, name);
                    all.join(&found);
                }
                all
            }
            Atom::Module(module) => self.of_module(module, name),
            Atom::Member(member) => self.of_member(member, name),
            Atom::Object(thing, _) => match thing.member(name) {
                Some(member) if is_value(member) => {
                    self.apply(member, Some(atom), &Arguments::default())
                }
                Some(_) => method(),
                None => self.unread(),
            },
            Atom::Method(..) => self.unread(),
            Atom::Function(_) | Atom::Bound(..) => Value::inert(),
            Atom::Class(id) => self.of_class(*id, name),
            Atom::Instance(id, site) => self.of_instance(*id, *site, name),
            Atom::Package(path) => self.of_package(path, name),
        }
    }

    /// Returns a member of a module of the library.
    pub(super) fn of_module(&mut self, module: &str, name: &str) -> Value {
        let below = format!("{module}.{name}");
        let member = tables::module(module).and_then(|it| it.member(name));
        match member {
            Some(member) => self.member_value(member),
            None if tables::holds_modules(&below) => Value::of(Atom::Module(below.into())),
            None => self.unread(),
        }
    }

    /// Returns what a member of a table is when it is named.
    pub(super) fn member_value(&mut self, member: &'static Member) -> Value {
        if let [Step::Alias(other)] = member.steps() {
            return self.aliased(other);
        }
        if is_value(member) {
            return self.apply(member, None, &Arguments::default());
        }
        Value::of(Atom::Member(member))
    }

    /// Returns the member or module that another name stands for.
    fn aliased(&mut self, other: &str) -> Value {
        if tables::module(other).is_some() {
            return Value::of(Atom::Module(other.into()));
        }
        match other.rsplit_once('.') {
            Some((module, name)) => self.of_module(module, name),
            None => self.unread(),
        }
    }

    /// `datetime.datetime.now`: a member of a member.
    fn of_member(&mut self, member: &'static Member, name: &str) -> Value {
        let thing = tables::module(member.of()).or_else(|| tables::package(member.of()));
        let full = format!("{}.{name}", member.name());
        match thing.and_then(|it| it.member(&full)) {
            Some(found) => self.member_value(found),
            None if member.steps().is_empty() => Value::inert(),
            None if tables::package(member.of()).is_some() => self.of_package(member.of(), name),
            None => self.unread(),
        }
    }

    /// Returns a member of something that a package made.
    pub(super) fn of_package(&mut self, path: &str, name: &str) -> Value {
        let top = path.split('.').next().unwrap_or(path).to_owned();
        if let Some(thing) = tables::package(&top) {
            let full = path.get(top.len() + 1..).map(|it| format!("{it}.{name}"));
            let found = full
                .and_then(|it| thing.member(&it))
                .or_else(|| thing.member(name));
            if let Some(member) = found {
                return self.member_value(member);
            }
        }
        Value::of(Atom::Package(format!("{top}.{name}").into()))
    }

    /// Notes how a package is used.
    pub(super) fn uses(&mut self, path: &str, how: Use) {
        let top = path.split('.').next().unwrap_or(path);
        let top = if path.starts_with('.') { "." } else { top };
        let before = self.packages.entry(top.to_owned()).or_insert(how);
        *before = (*before).max(how);
    }

    /// Something is handed to a package: it may call it.
    pub(super) fn reaches_package(&mut self, value: &Value) {
        let all = self.blend(&[value]);
        self.show(&[value]);
        self.driven(&all, super::driven::Hands::Package);
        for atom in &all.atoms {
            match atom {
                Atom::Module(_) | Atom::Anything => {
                    self.unread();
                }
                Atom::Function(own) | Atom::Bound(own, _) => self.escape(own, &[]),
                Atom::Member(member) if member.steps().is_empty() => {}
                Atom::Member(_) | Atom::Method(..) => {
                    self.call_atom(atom, &Arguments::anything(0));
                }
                Atom::Inert
                | Atom::Text(_)
                | Atom::Path(_)
                | Atom::List(_)
                | Atom::Table(_)
                | Atom::Object(..)
                | Atom::Class(_)
                | Atom::Instance(..)
                | Atom::Package(_) => {}
            }
        }
    }
}

/// Tells whether a member is a thing, not a function.
fn is_value(member: &Member) -> bool {
    member.steps().contains(&Step::Special("value"))
}

/// Properties of a path.
fn path_member(text: &Text, name: &str) -> Option<Value> {
    Some(match name {
        "parent" => Value::of(Atom::Path(text.parent())),
        "parents" => {
            let mut all = Value::never();
            let mut up = text.parent();
            for _ in 0..6 {
                all.join(&Value::of(Atom::Path(up.clone())));
                up = up.parent();
            }
            all.or(&Value::of(Atom::Path(up)))
        }
        "name" => Value::of(Atom::Text(text.last())),
        "stem" => match text.last().whole().and_then(|it| it.rsplit_once('.')) {
            Some((stem, _)) if !stem.is_empty() => Value::text(stem),
            _ => Value::of(Atom::Text(text.last())),
        },
        "suffix" => match text.last().whole().and_then(|it| it.rsplit_once('.')) {
            Some((_, suffix)) => Value::text(format!(".{suffix}")),
            None => Value::inert(),
        },
        "suffixes" | "parts" | "anchor" | "drive" | "root" => Value::inert(),
        _ => return None,
    })
}

/// Returns a path with its last segment changed.
pub(super) fn beside(text: &Text, name: &Value) -> Value {
    within(&Value::of(Atom::Path(text.parent())), name)
}
