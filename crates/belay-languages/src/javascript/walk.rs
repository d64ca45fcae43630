//! Every expression of a program, each once: what it stands for and what it does.
//!
//! Things of the host may be named, followed through names and called. Given away, stored or mixed with other
//! values they could be called unseen: such a program is not read.

use std::collections::{BTreeMap, BTreeSet};

use belay_model::Verb;

use super::bind::Bindings;
use super::members;
use super::things;
use super::tree::{Function, Key, Link, Node, Operator, Pattern};
use super::values::Value;
use crate::{Doing, Given, Use};

/// How deep expressions and the names in them are followed.
const DEPTH: usize = 160;

pub(super) struct Walk<'a> {
    pub(super) bindings: &'a Bindings<'a>,
    pub(super) vars: Vec<Option<Value>>,
    pub(super) busy: Vec<bool>,
    pub(super) nodes: BTreeMap<usize, Value>,
    pub(super) out: Vec<Doing>,
    pub(super) muted: bool,
    /// What names are taken for while what they stand for is found out by itself.
    pub(super) assumed: BTreeMap<usize, Value>,
    /// Names whose values were asked for while they were found out.
    pub(super) turned: BTreeSet<usize>,
    /// What was found out, in this order.
    pub(super) found: Vec<Found>,
    /// The words that the program is given, where they are known.
    pub(super) given: Option<Given>,
    depth: usize,
    pub(super) signs: Signs,
}

/// Something of which is known what it stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    Name(usize),
    /// An expression by its place in memory.
    Node(usize),
}

/// Signs that a function which nobody wrote down could be made, kept and called.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a sign of its own")]
pub(super) struct Signs {
    /// Something was read under a computed name.
    pub(super) strangers: bool,
    /// Something was called that is neither a function of the program nor a method of data.
    pub(super) loose: bool,
    /// Something that was read under a computed name was stored under another.
    pub(super) stored: bool,
    /// Names were made of letters.
    pub(super) crafted: bool,
    /// A function, or something below a computed name, was looked into by a computed name.
    pub(super) deep: bool,
    /// Something below a computed name was changed.
    pub(super) polluting: bool,
    /// What packages of others, and what comes out of them, were used for.
    pub(super) packages: Use,
}

impl<'a> Walk<'a> {
    pub(super) fn new(bindings: &'a Bindings<'a>) -> Self {
        let count = bindings.scopes.vars.len();
        Self {
            bindings,
            vars: vec![None; count],
            busy: vec![false; count],
            nodes: BTreeMap::new(),
            out: Vec::new(),
            muted: false,
            assumed: BTreeMap::new(),
            turned: BTreeSet::new(),
            found: Vec::new(),
            given: None,
            depth: 0,
            signs: Signs::default(),
        }
    }

    pub(super) fn emit(&mut self, doing: Doing) {
        if !self.muted && (self.out.len() > 64 || !self.out.contains(&doing)) {
            self.out.push(doing);
        }
    }

    /// Returns what an expression stands for; `None` when it cannot be told or must not be.
    pub(super) fn value(&mut self, node: &'a Node) -> Option<Value> {
        self.depth += 1;
        let value = if self.depth > DEPTH {
            None
        } else {
            self.value_here(node)
        };
        self.depth -= 1;
        value.filter(|it| *it != Value::Mixed)
    }

    fn value_here(&mut self, node: &'a Node) -> Option<Value> {
        match node {
            Node::Text(text) => {
                self.signs.crafted |= text.contains("constructor") || text.contains("__proto__");
                (!members::leads(text)).then(|| Value::text(text))
            }
            Node::Number(number) => Some(Value::Number(number.clone())),
            Node::Bool(truth) => Some(Value::Bool(*truth)),
            Node::Plain => Some(Value::Plain),
            Node::Template(pieces, codes) => self.template(pieces, codes),
            Node::Name(name, scope) => self.name(name, *scope),
            Node::This => Some(Value::Unknown),
            Node::List(items) => self.list(items),
            Node::Object(entries) => self.object(entries),
            Node::Function(function) => self.function(function),
            Node::Class(parent, members) => {
                let mut safe = true;
                for member in parent.iter().map(AsRef::as_ref).chain(members) {
                    let value = self.data(member)?;
                    safe &= !value.holds_stranger() && value != Value::Unknown;
                }
                Some(if safe { Value::Safe } else { Value::Unknown })
            }
            Node::Chain(base, links) => self.links(base, links),
            Node::New(class, arguments) => self.made(class, arguments),
            Node::Import(module) => {
                let value = self.value(module)?;
                let module = self.module(value.one()?)?;
                if let Value::Thing(path) = &module {
                    return Some(Value::Thing(format!("coming {path}")));
                }
                Some(module)
            }
            Node::Meta => Some(Value::thing("import.meta")),
            Node::Unary(inner) | Node::Delete(inner) => {
                self.tested(inner)?;
                Some(Value::Plain)
            }
            Node::Update(inner) => {
                self.data(inner)?;
                Some(Value::Plain)
            }
            Node::Await(inner) => {
                let value = self.value(inner)?;
                if let Value::Thing(path) = &value {
                    return Some(Value::thing(path.strip_prefix("coming ")?));
                }
                Some(value)
            }
            Node::Operators(operands, operator) => self.operators(operands, *operator),
            Node::Choose(nodes) => {
                let [test, yes, no] = nodes.as_ref();
                self.tested(test)?;
                Some(self.value(yes)?.or(self.value(no)?))
            }
            Node::Assign(target, operator, value) => self.assigned(target, operator, value),
            Node::Sequence(nodes) => {
                let mut last = Value::Plain;
                for node in nodes {
                    last = self.value(node)?;
                }
                Some(last)
            }
            Node::Spread(inner) => {
                self.data(inner)?;
                Some(Value::Unknown)
            }
            Node::Return(value) => {
                value.iter().try_for_each(|it| self.data(it).map(drop))?;
                Some(Value::Unknown)
            }
            Node::Declare(declared) => self.declared(declared),
            Node::Each(pattern, over, _) => {
                self.data(over)?;
                self.pattern(pattern)?;
                Some(Value::Plain)
            }
            Node::Block(nodes) => {
                nodes.iter().try_for_each(|it| self.value(it).map(drop))?;
                Some(Value::Plain)
            }
            Node::Imported(module, _) => {
                self.module(module)?;
                Some(Value::Plain)
            }
        }
    }

    /// Returns the value of an expression that is given away.
    pub(super) fn data(&mut self, node: &'a Node) -> Option<Value> {
        let value = self.value(node)?;
        self.given(value)
    }

    pub(super) fn given(&mut self, value: Value) -> Option<Value> {
        match value {
            Value::Thing(path) if path == "process.env" => {
                self.emit(Doing::Other(Verb::Read, vec!["environment"]));
                Some(Value::Unknown)
            }
            Value::Thing(path) => things::is_harmless(&path).then_some(Value::Safe),
            Value::Mixed => None,
            value @ (Value::Texts(_)
            | Value::Starts(_)
            | Value::List(_)
            | Value::Object(_)
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Plain
            | Value::Safe
            | Value::Unknown
            | Value::Stranger
            | Value::Project) => Some(value),
        }
    }

    /// Looks at something of which only the truth or the kind is asked: a variable's value stays unseen.
    fn tested(&mut self, node: &'a Node) -> Option<Value> {
        let variable = if let Node::Chain(base, links) = node {
            matches!((base.as_ref(), links.as_slice()), (Node::Name(name, _), [Link::Member(env), Link::Member(_)]) if name == "process" && env == "env")
        } else {
            false
        };
        if variable {
            Some(Value::Plain)
        } else {
            self.value(node)
        }
    }

    fn template(&mut self, pieces: &[String], codes: &'a [Node]) -> Option<Value> {
        let mut whole = Value::text("");
        let mut codes = codes.iter();
        for piece in pieces {
            whole = whole.then(Value::text(piece));
            if let Some(code) = codes.next() {
                whole = whole.then(self.data(code)?);
            }
        }
        Some(whole)
    }

    fn list(&mut self, items: &'a [Node]) -> Option<Value> {
        let mut all = Vec::new();
        let mut spread = false;
        for item in items {
            spread |= matches!(item, Node::Spread(_));
            all.push(self.data(item)?);
        }
        Some(if spread {
            Value::Unknown
        } else {
            Value::List(all).bounded()
        })
    }

    fn object(&mut self, entries: &'a [(Key, Node)]) -> Option<Value> {
        let mut all = Vec::new();
        let mut open = false;
        for (key, node) in entries {
            let value = self.data(node)?;
            match key {
                Key::Known(name) => {
                    self.stored(name, &value)?;
                    all.push((name.clone(), value));
                }
                Key::Computed(key) => {
                    self.data(key)?;
                    self.signs.stored |= value == Value::Stranger;
                    open = true;
                }
                Key::Spread => open = true,
            }
        }
        Some(if open {
            Value::Unknown
        } else {
            Value::Object(last_of_each(all)).bounded()
        })
    }

    /// A value is stored under a name: not under one that is called unseen, if it may be any function.
    pub(super) fn stored(&self, name: &str, value: &Value) -> Option<()> {
        let hides = members::is_denied(name)
            || *value == Value::Stranger
                && (members::is_method(name) || members::is_implicit(name));
        (!hides).then_some(())
    }

    fn function(&mut self, function: &'a Function) -> Option<Value> {
        if !self.muted {
            for parameter in &function.parameters {
                self.pattern(parameter)?;
            }
            for node in &function.body {
                self.value(node)?;
            }
        }
        Some(Value::Safe)
    }

    /// Looks at what a pattern stands for by default and at what it assigns to.
    fn pattern(&mut self, pattern: &'a Pattern) -> Option<()> {
        match pattern {
            Pattern::Name(_) => Some(()),
            Pattern::Object(entries) => entries.iter().try_for_each(|(key, inner)| {
                if key.as_deref().is_some_and(members::is_denied) {
                    return None;
                }
                self.pattern(inner)
            }),
            Pattern::List(items) => items.iter().flatten().try_for_each(|it| self.pattern(it)),
            Pattern::Default(inner, value) => {
                self.value(value)?;
                self.pattern(inner)
            }
            Pattern::Rest(inner) => self.pattern(inner),
            Pattern::Target(target) => {
                if let Node::Name(..) = target.as_ref() {
                    Some(())
                } else {
                    None
                }
            }
        }
    }

    fn declared(&mut self, declared: &'a [(Pattern, Option<Node>)]) -> Option<Value> {
        for (pattern, value) in declared {
            if let Some(value) = value {
                let value = self.value(value)?;
                match pattern {
                    Pattern::Name(_) => {}
                    Pattern::Object(entries) => self.taken(&value, entries)?,
                    Pattern::List(_)
                    | Pattern::Default(..)
                    | Pattern::Rest(_)
                    | Pattern::Target(_) => {
                        self.given(value)?;
                    }
                }
            }
            self.pattern(pattern)?;
        }
        Some(Value::Plain)
    }

    /// Members are taken out of something, each under its name.
    fn taken(&mut self, whole: &Value, entries: &[(Option<String>, Pattern)]) -> Option<()> {
        for (key, _) in entries {
            match key {
                Some(key) => {
                    self.signs.deep |= members::is_method(key);
                    self.member(whole.clone(), key)?;
                }
                None => {
                    self.given(whole.clone())?;
                }
            }
        }
        Some(())
    }

    fn operators(&mut self, operands: &'a [Node], operator: Operator) -> Option<Value> {
        let mut whole: Option<Value> = None;
        for operand in operands {
            let value = match operator {
                Operator::Add | Operator::Several => self.data(operand)?,
                Operator::Either => self.value(operand)?,
                Operator::Count => self.tested(operand)?,
            };
            whole = Some(match (whole, operator) {
                (None, Operator::Add | Operator::Either) => value,
                (Some(before), Operator::Add) if before.counts() && value.counts() => Value::Plain,
                (Some(before), Operator::Add) => before.then(value),
                (Some(before), Operator::Either) => before.or(value),
                (_, Operator::Count) => Value::Plain,
                (_, Operator::Several) => Value::Unknown,
            });
        }
        whole
    }
}

/// Of entries with one name the last counts.
fn last_of_each(entries: Vec<(String, Value)>) -> Vec<(String, Value)> {
    let map: BTreeMap<String, Value> = entries.into_iter().collect();
    map.into_iter().collect()
}
