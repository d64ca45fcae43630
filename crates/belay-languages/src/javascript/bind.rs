//! What every name of a program is given, wherever that happens: order plays no part.

use std::collections::BTreeMap;

use super::tree::{Function, Imports, Key, Link, Node, Pattern, Scopes, VarId, Yields};

/// So many steps from a name to a list are followed: each method of a long chain would walk all before it again.
const NEAR: usize = 8;

/// Something a name is given.
#[derive(Clone, Debug)]
pub(super) enum Source<'a> {
    Node(&'a Node),
    /// A member of something.
    Member(Box<Source<'a>>, &'a str),
    /// An item of a list.
    Item(Box<Source<'a>>, usize),
    /// Any item of a list.
    Each(&'a Node),
    /// Any item of the list that comes of something.
    EachOf(&'a Node, &'a [Link]),
    /// What callers give to a function in a place.
    Argument(VarId, usize),
    Module(&'a str, &'a Imports),
    /// The step of a counter.
    Number,
    /// A function of the language.
    Safe,
    Unknown,
}

/// The names of a program.
#[derive(Debug)]
pub(super) struct Bindings<'a> {
    pub(super) scopes: &'a Scopes,
    pub(super) sources: Vec<Vec<Source<'a>>>,
    /// Names that are assigned and declared nowhere.
    pub(super) globals: BTreeMap<&'a str, Vec<Source<'a>>>,
    /// The arguments of all calls of a name.
    pub(super) calls: Vec<Vec<&'a [Node]>>,
    /// Names that are used in other ways than being called.
    pub(super) escaped: Vec<bool>,
    /// What a function that a name stands for returns, where it does nothing else.
    pub(super) returns: Vec<Option<&'a Node>>,
    /// Names of lists and objects that are changed where they lie.
    pub(super) changed: Vec<bool>,
    /// Whether a list or object is changed by another name than its own.
    pub(super) changes_any: bool,
}

/// Methods that change the list or object they are called on.
const CHANGE: [&str; 11] = [
    "copyWithin",
    "fill",
    "pop",
    "push",
    "reverse",
    "set",
    "shift",
    "sort",
    "splice",
    "unshift",
    "add",
];

/// Functions that change what they are given first.
const CHANGE_GIVEN: [&str; 5] = [
    "assign",
    "defineProperties",
    "defineProperty",
    "set",
    "setPrototypeOf",
];

/// Who calls a function.
enum Caller<'a> {
    Anyone,
    /// Those who call a name.
    Named(VarId),
    /// A method of a list, with each item and its place.
    List(Option<(&'a Node, &'a [Link])>),
    /// `new Promise`, with functions of the language.
    Promise,
}

/// Methods that call their first argument with each item and its place.
const EACH: [&str; 8] = [
    "forEach",
    "map",
    "filter",
    "flatMap",
    "find",
    "findIndex",
    "some",
    "every",
];

impl<'a> Bindings<'a> {
    pub(super) fn of(program: &'a [Node], scopes: &'a Scopes) -> Self {
        let count = scopes.vars.len();
        let mut bindings = Self {
            scopes,
            sources: vec![Vec::new(); count],
            globals: BTreeMap::new(),
            calls: vec![Vec::new(); count],
            escaped: vec![false; count],
            returns: vec![None; count],
            changed: vec![false; count],
            changes_any: false,
        };
        bindings.all(program);
        let fresh = |sources: &Vec<Source<'a>>| {
            let literal = |it: &Source<'a>| {
                matches!(
                    it,
                    Source::Node(Node::List(_) | Node::Object(_) | Node::New(..))
                )
            };
            sources.iter().all(literal)
        };
        let mut all = bindings.changed.iter().zip(&bindings.sources);
        bindings.changes_any |= all.any(|(changed, sources)| *changed && !fresh(sources));
        bindings
    }

    /// Tells whether what a name stands for may hold something else than it was made with.
    pub(super) fn may_change(&self, var: VarId) -> bool {
        self.changes_any || self.changed.get(var) == Some(&true)
    }

    /// Something is changed where it lies.
    fn change(&mut self, node: &'a Node) {
        let owner = if let Node::Chain(base, _) = node {
            base
        } else {
            node
        };
        let Node::Name(name, scope) = owner else {
            self.changes_any = true;
            return;
        };
        match self.scopes.find(name, *scope) {
            Some(var) => {
                if let Some(changed) = self.changed.get_mut(var) {
                    *changed = true;
                }
            }
            None => self.changes_any |= self.globals.contains_key(name.as_str()),
        }
    }

    /// Sees what a chain of members and calls changes.
    fn changes(&mut self, base: &'a Node, links: &'a [Link]) {
        for (at, link) in links.iter().enumerate() {
            let next = links.get(at + 1);
            match (link, next) {
                (Link::Member(name), Some(Link::Call(given)))
                    if CHANGE_GIVEN.contains(&name.as_str())
                        && matches!(base, Node::Name(it, _) if it == "Object" || it == "Reflect") =>
                {
                    given.iter().take(1).for_each(|it| self.change(it));
                }
                (Link::Member(name), Some(Link::Call(_))) if CHANGE.contains(&name.as_str()) => {
                    self.change(base);
                }
                (Link::Member(name), _) => {
                    self.changes_any |= name == "prototype" || CHANGE.contains(&name.as_str());
                }
                (Link::Index(_), Some(Link::Call(_))) => self.changes_any = true,
                (Link::Index(_) | Link::Call(_), _) => {}
            }
        }
    }

    fn all(&mut self, nodes: &'a [Node]) {
        for node in nodes {
            self.node(node);
        }
    }

    fn give(&mut self, var: VarId, source: Source<'a>) {
        if let Some(sources) = self.sources.get_mut(var) {
            sources.push(source);
        }
    }

    fn node(&mut self, node: &'a Node) {
        match node {
            Node::Text(_)
            | Node::Number(_)
            | Node::Bool(_)
            | Node::Plain
            | Node::This
            | Node::Meta
            | Node::Return(None) => {}
            Node::Name(name, scope) => {
                if let Some(escaped) = self
                    .scopes
                    .find(name, *scope)
                    .and_then(|it| self.escaped.get_mut(it))
                {
                    *escaped = true;
                }
            }
            Node::Template(_, nodes)
            | Node::List(nodes)
            | Node::Sequence(nodes)
            | Node::Operators(nodes, _)
            | Node::Block(nodes) => self.all(nodes),
            Node::Object(entries) => {
                for (key, value) in entries {
                    if let Key::Computed(key) = key {
                        self.node(key);
                    }
                    self.node(value);
                }
            }
            Node::Function(function) => self.function(function, &Caller::Anyone),
            Node::Class(parent, members) => {
                parent.iter().for_each(|it| self.node(it));
                self.all(members);
            }
            Node::Chain(base, links) => self.chain(base, links),
            Node::New(class, arguments) => self.made(class, arguments),
            Node::Delete(inner) => {
                self.change(inner);
                self.node(inner);
            }
            Node::Import(inner)
            | Node::Unary(inner)
            | Node::Await(inner)
            | Node::Spread(inner)
            | Node::Return(Some(inner)) => self.node(inner),
            Node::Update(inner) => {
                self.target(inner, Source::Number);
                self.node(inner);
            }
            Node::Choose(nodes) => self.all(nodes.as_slice()),
            Node::Assign(target, operator, value) => {
                let source = match *operator {
                    "" | "||" => Source::Node(value),
                    "+" if matches!(**value, Node::Number(_)) => Source::Number,
                    "+" => Source::Unknown,
                    _ => Source::Number,
                };
                self.target(target, source);
                if !matches!(**target, Node::Name(..)) {
                    self.node(target);
                }
                self.node(value);
            }
            Node::Declare(declared) => {
                for (pattern, value) in declared {
                    self.declared(pattern, value.as_ref());
                }
            }
            Node::Each(pattern, over, yields) => {
                self.node(over);
                let source = match yields {
                    Yields::Items => Source::Each(over),
                    Yields::Names => Source::Unknown,
                };
                self.pattern(pattern, &source);
            }
            Node::Imported(module, names) => {
                for (what, var) in names {
                    self.give(*var, Source::Module(module, what));
                }
            }
        }
    }

    fn declared(&mut self, pattern: &'a Pattern, value: Option<&'a Node>) {
        match (pattern, value) {
            (Pattern::Name(var), Some(Node::Function(function))) => {
                self.give(*var, Source::Safe);
                if let ([Node::Return(Some(value))], Some(returns)) =
                    (function.body.as_slice(), self.returns.get_mut(*var))
                {
                    *returns = Some(value);
                }
                self.function(function, &Caller::Named(*var));
            }
            (pattern, Some(value)) => {
                self.pattern(pattern, &Source::Node(value));
                self.node(value);
            }
            (Pattern::Name(_), None) => {}
            (pattern, None) => self.pattern(pattern, &Source::Unknown),
        }
    }

    fn chain(&mut self, base: &'a Node, links: &'a [Link]) {
        self.changes(base, links);
        match (base, links.first()) {
            (Node::Name(name, scope), Some(Link::Call(arguments))) => {
                if let Some(calls) = self
                    .scopes
                    .find(name, *scope)
                    .and_then(|it| self.calls.get_mut(it))
                {
                    calls.push(arguments);
                }
            }
            _ => self.node(base),
        }
        for (at, link) in links.iter().enumerate() {
            match link {
                Link::Member(_) => {}
                Link::Index(key) => self.node(key),
                Link::Call(arguments) => {
                    let method = at.checked_sub(1).and_then(|it| links.get(it));
                    let near = at.checked_sub(1).filter(|it| *it <= NEAR);
                    let over = near.and_then(|it| links.get(..it));
                    let over = over.map(|it| (base, it));
                    self.arguments(arguments, method, over);
                }
            }
        }
    }

    fn arguments(
        &mut self,
        arguments: &'a [Node],
        method: Option<&'a Link>,
        over: Option<(&'a Node, &'a [Link])>,
    ) {
        let each = matches!(method, Some(Link::Member(name)) if EACH.contains(&name.as_str()));
        for (at, argument) in arguments.iter().enumerate() {
            if let Node::Function(function) = argument
                && each
                && at == 0
            {
                self.function(function, &Caller::List(over));
            } else {
                self.node(argument)
            }
        }
    }

    fn made(&mut self, class: &'a Node, arguments: &'a [Node]) {
        self.node(class);
        let promise = matches!(class, Node::Name(name, _) if name == "Promise");
        for argument in arguments {
            if let Node::Function(function) = argument
                && promise
            {
                self.function(function, &Caller::Promise)
            } else {
                self.node(argument)
            }
        }
    }

    fn function(&mut self, function: &'a Function, caller: &Caller<'a>) {
        for (at, parameter) in function.parameters.iter().enumerate() {
            let source = match (caller, at) {
                (Caller::Named(var), at) => Source::Argument(*var, at),
                (Caller::List(Some((over, []))), 0) => Source::Each(over),
                (Caller::List(Some((over, links))), 0) => Source::EachOf(over, links),
                (Caller::List(_), 1) => Source::Number,
                (Caller::Promise, _) => Source::Safe,
                (Caller::List(_) | Caller::Anyone, _) => Source::Unknown,
            };
            self.pattern(parameter, &source);
        }
        self.all(&function.body);
    }

    fn pattern(&mut self, pattern: &'a Pattern, source: &Source<'a>) {
        match pattern {
            Pattern::Name(var) => self.give(*var, source.clone()),
            Pattern::Object(entries) => {
                for (key, inner) in entries {
                    let source = match key {
                        Some(key) => Source::Member(Box::new(source.clone()), key),
                        None => source.clone(),
                    };
                    self.pattern(inner, &source);
                }
            }
            Pattern::List(items) => {
                for (at, inner) in items.iter().enumerate() {
                    if let Some(inner) = inner {
                        self.pattern(inner, &Source::Item(Box::new(source.clone()), at));
                    }
                }
            }
            Pattern::Default(inner, value) => {
                self.pattern(inner, source);
                self.pattern(inner, &Source::Node(value));
                self.node(value);
            }
            // What is left of something is not followed; the walk refuses it where it matters.
            Pattern::Rest(inner) => {
                self.pattern(inner, &Source::Member(Box::new(source.clone()), "..."))
            }
            Pattern::Target(target) => self.target(target, source.clone()),
        }
    }

    /// An assignment to something that is not declared there.
    fn target(&mut self, target: &'a Node, source: Source<'a>) {
        match target {
            Node::Name(name, scope) => match self.scopes.find(name, *scope) {
                Some(var) => self.give(var, source),
                None => self.globals.entry(name).or_default().push(source),
            },
            Node::List(items) => {
                for item in items {
                    self.target(item, Source::Unknown);
                }
            }
            Node::Object(entries) => {
                for (_, value) in entries {
                    self.target(value, Source::Unknown);
                }
            }
            Node::Spread(inner) | Node::Assign(inner, _, _) => self.target(inner, Source::Unknown),
            Node::Chain(base, _) => self.change(base),
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
            | Node::Sequence(_)
            | Node::Return(_)
            | Node::Declare(_)
            | Node::Each(..)
            | Node::Block(_)
            | Node::Imported(..) => {}
        }
    }
}
