//! What names stand for: everything they are given, wherever that happens.

use super::bind::Source;
use super::members;
use super::things;
use super::tree::{Imports, Node, ScopeId, VarId};
use super::values::Value;
use super::walk::{Found, Walk};

impl<'a> Walk<'a> {
    pub(super) fn name(&mut self, name: &'a str, scope: ScopeId) -> Option<Value> {
        self.signs.crafted |= members::crafts(name);
        if let Some(var) = self.bindings.scopes.find(name, scope) {
            return self.var(var);
        }
        let meaning = things::global(name);
        let Some(sources) = self.bindings.globals.get(name) else {
            return meaning;
        };
        let mut value = meaning;
        for source in sources {
            let given = self.silently(|it| it.source(source));
            value = Some(value.map_or_else(|| given.clone(), |it| it.or(given.clone())));
        }
        value
    }

    fn var(&mut self, var: VarId) -> Option<Value> {
        if let Some(Some(value)) = self.vars.get(var) {
            return Some(value.clone());
        }
        if *self.busy.get(var)? {
            self.turned.insert(var);
            let assumed = self.assumed.get(&var).cloned();
            return Some(assumed.unwrap_or(Value::Unknown));
        }
        let value = self.settled(var)?;
        self.found.push(Found::Name(var));
        *self.vars.get_mut(var)? = Some(value.clone());
        Some(value)
    }

    /// Returns what a name stands for. Where that depends on itself, as what a function gives to itself does, it is assumed,
    /// and true where nothing else comes of it.
    fn settled(&mut self, var: VarId) -> Option<Value> {
        /// So often what comes of it is assumed anew.
        const ROUNDS: usize = 4;
        let mark = self.found.len();
        let value = self.gathered(var)?;
        if !self.turned.contains(&var) || !self.assumed.is_empty() {
            return Some(value);
        }
        let mut assumed = Value::Texts(Vec::new());
        for _ in 0..ROUNDS {
            self.forget(mark);
            self.assumed.insert(var, assumed.clone());
            let found = self.gathered(var);
            self.assumed.clear();
            match found? {
                found if found == assumed => return Some(found),
                found => assumed = found,
            }
        }
        self.forget(mark);
        self.gathered(var)
    }

    /// Forgets what was found out since.
    fn forget(&mut self, mark: usize) {
        for found in self.found.drain(mark.min(self.found.len())..) {
            match found {
                Found::Name(var) => {
                    if let Some(value) = self.vars.get_mut(var) {
                        *value = None;
                    }
                }
                Found::Node(place) => {
                    self.nodes.remove(&place);
                }
            }
        }
    }

    /// Puts together all that a name is given.
    fn gathered(&mut self, var: VarId) -> Option<Value> {
        *self.busy.get_mut(var)? = true;
        let declared = self.bindings.scopes.vars.get(var)?;
        let mut value = if declared.global {
            things::global(&declared.name)
        } else {
            None
        };
        for source in self.bindings.sources.get(var)? {
            let given = self.silently(|it| it.source(source));
            value = Some(value.map_or_else(|| given.clone(), |it| it.or(given.clone())));
        }
        let value = value.unwrap_or(Value::Unknown).bounded();
        let value = if self.bindings.may_change(var) {
            value.changed()
        } else {
            value
        };
        *self.busy.get_mut(var)? = false;
        Some(value)
    }

    /// Returns the data that a function of the program returns to all who call it by its name.
    pub(super) fn returned(&mut self, name: &'a str, scope: ScopeId) -> Option<Value> {
        let var = self.bindings.scopes.find(name, scope)?;
        let node = (*self.bindings.returns.get(var)?)?;
        let once = self.bindings.sources.get(var)?.len() == 1;
        if !once || std::mem::replace(self.busy.get_mut(var)?, true) {
            return None;
        }
        let value = self.silently(|it| it.known(node));
        *self.busy.get_mut(var)? = false;
        matches!(value, Value::Texts(_) | Value::Starts(_)).then_some(value)
    }

    /// Looks at something that is walked elsewhere.
    fn silently<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.muted, true);
        let out = look(self);
        self.muted = before;
        out
    }

    /// Returns the value of a node that is walked elsewhere.
    fn known(&mut self, node: &'a Node) -> Value {
        let place = std::ptr::from_ref(node).addr();
        if let Some(value) = self.nodes.get(&place) {
            return value.clone();
        }
        let value = self.value(node).unwrap_or(Value::Mixed).bounded();
        self.found.push(Found::Node(place));
        self.nodes.insert(place, value.clone());
        value
    }

    fn source(&mut self, source: &Source<'a>) -> Value {
        match source {
            Source::Node(node) => self.known(node),
            Source::Member(whole, name) => {
                let whole = self.source(whole);
                match (whole, *name) {
                    (Value::Thing(_), "...") => Value::Mixed,
                    (_, "...") => Value::Unknown,
                    (whole, name) => self.member(whole, name).unwrap_or(Value::Mixed),
                }
            }
            Source::Item(whole, at) => match self.source(whole) {
                Value::List(items) => items.get(*at).cloned().unwrap_or(Value::Unknown),
                Value::Thing(_) | Value::Mixed => Value::Mixed,
                Value::Project => Value::Project,
                Value::Texts(_)
                | Value::Starts(_)
                | Value::Object(_)
                | Value::Bool(_)
                | Value::Number(_)
                | Value::Plain
                | Value::Safe
                | Value::Unknown
                | Value::Stranger => Value::Unknown,
            },
            Source::EachOf(base, links) => {
                let list = self.links(base, links).unwrap_or(Value::Mixed);
                Self::any_item(list.bounded())
            }
            Source::Each(node) => {
                let list = self.known(node);
                Self::any_item(list)
            }
            Source::Argument(function, at) => self.argument(*function, *at),
            Source::Module(module, imports) => {
                let whole = self.module(module);
                match (whole, imports) {
                    (None, _) => Value::Mixed,
                    (Some(whole), Imports::Whole) => whole,
                    (Some(whole), Imports::Member(name)) => {
                        self.member(whole, name).unwrap_or(Value::Mixed)
                    }
                }
            }
            Source::Number => Value::Plain,
            Source::Safe => Value::Safe,
            Source::Unknown => Value::Unknown,
        }
    }

    /// Returns what any item of a list is.
    fn any_item(list: Value) -> Value {
        match list {
            Value::List(items) => items
                .into_iter()
                .reduce(Value::or)
                .unwrap_or(Value::Unknown),
            Value::Thing(_) | Value::Mixed => Value::Mixed,
            Value::Texts(_)
            | Value::Starts(_)
            | Value::Object(_)
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Plain
            | Value::Safe
            | Value::Unknown
            | Value::Stranger
            | Value::Project => Value::Unknown,
        }
    }

    /// What callers give to a function that is only ever called by its name.
    fn argument(&mut self, function: VarId, at: usize) -> Value {
        let bindings = self.bindings;
        let single = bindings
            .sources
            .get(function)
            .is_some_and(|it| it.len() == 1);
        let escaped = bindings.escaped.get(function) != Some(&false);
        let calls = bindings
            .calls
            .get(function)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let mut value: Option<Value> = None;
        for arguments in calls {
            let spread = arguments.iter().any(|it| matches!(it, Node::Spread(_)));
            let given = match arguments.get(at) {
                _ if spread => Value::Unknown,
                Some(node) => self.known(node),
                None => Value::Plain,
            };
            value = Some(value.map_or_else(|| given.clone(), |it| it.or(given.clone())));
        }
        value
            .filter(|_| single && !escaped)
            .unwrap_or(Value::Unknown)
    }
}
