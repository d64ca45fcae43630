//! Programs that call the host's own tools (`await tools.exec_command({cmd: "ls"})`): which calls, with which input.
//!
//! INVARIANT: every call that the program could make is in the list, or there is none. Values are literals, or they
//! are not known; a value that is not known is no part of a call. Both sides of every condition run, and a function
//! that is handed to somebody runs with arguments that nobody knows.

mod calls;
mod changes;
mod values;

use belay_model::Value;
use calls::Callee;

use super::tree::{Key, Link, Node, Operator, Pattern, Scopes, VarId, Yields};
use crate::ToolCall;
use values::{Known, LEADING, member, text_of};

/// So many steps a program may take.
const STEPS: usize = 20_000;

/// So deep calls of its own functions may nest.
const DEPTH: usize = 24;

/// So many calls of tools a program may make.
const CALLS: usize = 64;

/// Functions of the host that show, keep or wait, and objects whose members only compute.
const HARMLESS: [&str; 22] = [
    "Array",
    "Boolean",
    "Date",
    "Error",
    "JSON",
    "Map",
    "Math",
    "Number",
    "Object",
    "Promise",
    "RegExp",
    "Set",
    "String",
    "console",
    "image",
    "isNaN",
    "load",
    "notify",
    "parseFloat",
    "parseInt",
    "store",
    "text",
];

/// Methods of a list that are followed for each of its literals.
const EACH: [&str; 4] = ["map", "forEach", "flatMap", "join"];

/// Reads a program; `None` when it could make a call that cannot be told.
pub(super) fn calls(program: &[Node], scopes: &Scopes) -> Option<Vec<ToolCall>> {
    let mut walk = Walk {
        scopes,
        values: vec![None; scopes.vars.len()],
        changed: vec![false; scopes.vars.len()],
        calls: Vec::new(),
        steps: 0,
        depth: 0,
    };
    program.iter().try_for_each(|it| walk.note_changes(it))?;
    walk.all(program)?;
    Some(walk.calls)
}

struct Walk<'a> {
    scopes: &'a Scopes,
    values: Vec<Option<Known<'a>>>,
    /// Names that are given something after they were declared: of these nothing is known.
    changed: Vec<bool>,
    calls: Vec<ToolCall>,
    steps: usize,
    depth: usize,
}

/// What each round of a loop binds.
#[derive(Clone, Copy)]
struct Round<'a> {
    pattern: &'a Pattern,
    yields: Yields,
}

impl<'a> Walk<'a> {
    fn step(&mut self) -> Option<()> {
        self.steps += 1;
        (self.steps <= STEPS).then_some(())
    }

    fn all(&mut self, nodes: &'a [Node]) -> Option<Known<'a>> {
        // Functions are there before the first statement.
        for node in nodes {
            if let Node::Declare(entries) = node {
                for (pattern, value) in entries {
                    if let (Pattern::Name(var), Some(Node::Function(function))) = (pattern, value) {
                        self.bind(*var, Known::Function(function))?;
                    }
                }
            }
        }
        let mut returned = None;
        let mut at = 0;
        while let Some(node) = nodes.get(at) {
            at += 1;
            if let (Node::Each(pattern, over, yields), Some(body)) = (node, nodes.get(at)) {
                self.each(
                    Round {
                        pattern,
                        yields: *yields,
                    },
                    over,
                    body,
                )?;
                at += 1;
                continue;
            }
            let value = self.value(node)?;
            if !holds_return(node) {
                continue;
            }
            // One of several values is none that is known.
            returned = Some(match (returned, node) {
                (None, Node::Return(_)) => value,
                (before, _) => {
                    self.given(before.unwrap_or(Known::Unknown))?;
                    self.given(value)?;
                    Known::Unknown
                }
            });
        }
        Some(returned.unwrap_or(Known::Unknown))
    }

    /// A loop over literals runs for each of them; over anything else for something nobody knows.
    fn each(&mut self, round: Round<'a>, over: &'a Node, body: &'a Node) -> Option<()> {
        let Round { pattern, yields } = round;
        let items = match (self.value(over)?, yields) {
            (Known::List(items), Yields::Items) => items,
            (other, _) => {
                self.given(other)?;
                vec![Known::Unknown]
            }
        };
        for item in items {
            self.step()?;
            self.pattern(pattern, item)?;
            self.value(body)?;
        }
        Some(())
    }

    fn bind(&mut self, var: VarId, value: Known<'a>) -> Option<()> {
        let changed = self.changed.get(var).copied().unwrap_or(true);
        let value = if changed {
            self.given(value)?;
            Known::Unknown
        } else {
            value
        };
        *self.values.get_mut(var)? = Some(value);
        Some(())
    }

    fn pattern(&mut self, pattern: &'a Pattern, value: Known<'a>) -> Option<()> {
        let is_rest = |it: &Pattern| matches!(it, Pattern::Rest(_));
        match (pattern, value) {
            // Another name for the tools could be followed, but nobody writes one who means well.
            (_, Known::Tools | Known::Tool(_)) => None,
            (Pattern::Name(var), value) => self.bind(*var, value),
            (Pattern::Object(entries), Known::Object(members))
                if !entries.iter().any(|(_, it)| is_rest(it)) =>
            {
                entries.iter().try_for_each(|(name, inner)| {
                    let mut found = members.iter().rev();
                    let found = found.find(|(it, _)| Some(it) == name.as_ref());
                    let value = found.map_or(Known::Unknown, |(_, it)| it.clone());
                    self.pattern(inner, value)
                })
            }
            (Pattern::List(entries), Known::List(items))
                if !entries.iter().flatten().any(is_rest) =>
            {
                let mut items = items.into_iter();
                entries.iter().try_for_each(|inner| {
                    let value = items.next().unwrap_or(Known::Unknown);
                    inner
                        .as_ref()
                        .map_or(Some(()), |it| self.pattern(it, value))
                })
            }
            (pattern, value) => {
                self.given(value)?;
                self.forget(pattern)
            }
        }
    }

    /// Binds all names of a pattern to what nobody knows.
    fn forget(&mut self, pattern: &'a Pattern) -> Option<()> {
        match pattern {
            Pattern::Name(var) => self.bind(*var, Known::Unknown),
            Pattern::Object(entries) => entries.iter().try_for_each(|(_, it)| self.forget(it)),
            Pattern::List(entries) => entries.iter().flatten().try_for_each(|it| self.forget(it)),
            Pattern::Default(inner, value) => {
                self.plain(value)?;
                self.forget(inner)
            }
            Pattern::Rest(inner) => self.forget(inner),
            Pattern::Target(_) => None,
        }
    }

    fn value(&mut self, node: &'a Node) -> Option<Known<'a>> {
        self.step()?;
        let literal = |it: Value| Some(Known::Literal(it));
        match node {
            Node::Text(text) => literal(Value::String(text.clone())),
            Node::Number(text) => literal(Value::Number(text.clone())),
            Node::Bool(it) => literal(Value::Bool(*it)),
            Node::Plain => literal(Value::Null),
            Node::Template(texts, nodes) => self.template(texts, nodes),
            Node::Name(name, scope) => self.name(name, *scope),
            Node::List(nodes) => self.list(nodes),
            Node::Object(entries) => self.object(entries),
            Node::Function(function) => Some(Known::Function(function)),
            Node::Chain(base, links) => self.chain(base, links),
            Node::New(class, arguments) => {
                let Known::Host = self.value(class)? else {
                    return None;
                };
                self.hand_over(arguments)?;
                Some(Known::Unknown)
            }
            Node::Await(inner) => self.value(inner),
            Node::Unary(inner) | Node::Update(inner) => {
                self.plain(inner)?;
                Some(Known::Unknown)
            }
            Node::Spread(inner) => {
                self.plain(inner)?;
                Some(Known::Unknown)
            }
            Node::Operators(nodes, operator) => self.operators(nodes, *operator),
            Node::Choose(nodes) => {
                for node in nodes.iter() {
                    self.plain(node)?;
                }
                Some(Known::Unknown)
            }
            Node::Assign(target, _, value) => self.assign(target, value),
            Node::Sequence(nodes) => {
                for node in nodes {
                    self.plain(node)?;
                }
                Some(Known::Unknown)
            }
            Node::Return(inner) => match inner {
                Some(inner) => self.value(inner),
                None => Some(Known::Unknown),
            },
            Node::Declare(entries) => {
                for (pattern, value) in entries {
                    let value = match value {
                        Some(it) => self.value(it)?,
                        None => Known::Unknown,
                    };
                    self.pattern(pattern, value)?;
                }
                Some(Known::Unknown)
            }
            Node::Block(nodes) => self.all(nodes),
            Node::This
            | Node::Class(..)
            | Node::Import(_)
            | Node::Meta
            | Node::Delete(_)
            | Node::Each(..)
            | Node::Imported(..) => None,
        }
    }

    /// A value that is neither the tools nor a function.
    fn plain(&mut self, node: &'a Node) -> Option<Known<'a>> {
        let value = self.value(node)?;
        self.given(value)
    }

    /// A value that goes where nobody follows it: a function among it may be called with anything.
    fn given(&mut self, value: Known<'a>) -> Option<Known<'a>> {
        match value {
            Known::Tools | Known::Tool(_) => None,
            Known::Function(function) => {
                self.run(function, Vec::new())?;
                Some(Known::Unknown)
            }
            Known::List(items) => {
                let items: Option<Vec<Known<'a>>> =
                    items.into_iter().map(|it| self.given(it)).collect();
                items.map(Known::List)
            }
            Known::Object(members) => {
                let given = |(name, it)| Some((name, self.given(it)?));
                let members: Option<Vec<_>> = members.into_iter().map(given).collect();
                members.map(Known::Object)
            }
            Known::Literal(_) | Known::Host | Known::Unknown => Some(value),
        }
    }

    fn hand_over(&mut self, nodes: &'a [Node]) -> Option<()> {
        nodes.iter().try_for_each(|it| self.plain(it).map(drop))
    }

    fn name(&self, name: &str, scope: usize) -> Option<Known<'a>> {
        if let Some(var) = self.scopes.find(name, scope) {
            // A name that is used before it is declared is not known; `tools` must be the host's.
            let known = self.values.get(var).cloned().flatten();
            return (name != "tools").then(|| known.unwrap_or(Known::Unknown));
        }
        match name {
            "tools" => Some(Known::Tools),
            "undefined" => Some(Known::Literal(Value::Null)),
            _ => HARMLESS.contains(&name).then_some(Known::Host),
        }
    }

    fn template(&mut self, texts: &'a [String], nodes: &'a [Node]) -> Option<Known<'a>> {
        let mut whole = Some(texts.first().cloned().unwrap_or_default());
        for (at, node) in nodes.iter().enumerate() {
            let part = text_of(&self.plain(node)?);
            let after = texts.get(at + 1).cloned().unwrap_or_default();
            whole = whole.zip(part).map(|(whole, part)| whole + &part + &after);
        }
        Some(whole.map_or(Known::Unknown, |it| Known::Literal(Value::String(it))))
    }

    fn list(&mut self, nodes: &'a [Node]) -> Option<Known<'a>> {
        let mut items = Vec::new();
        let mut whole = true;
        for node in nodes {
            whole &= !matches!(node, Node::Spread(_));
            items.push(self.value(node)?);
        }
        Some(if whole {
            Known::List(items)
        } else {
            Known::Unknown
        })
    }

    fn object(&mut self, entries: &'a [(Key, Node)]) -> Option<Known<'a>> {
        let mut members = Vec::new();
        let mut whole = true;
        for (key, node) in entries {
            let value = self.value(node)?;
            match key {
                Key::Known(name) if LEADING.contains(&name.as_str()) => return None,
                Key::Known(name) => members.push((name.clone(), value)),
                Key::Computed(node) => {
                    self.plain(node)?;
                    self.given(value)?;
                    whole = false;
                }
                Key::Spread => {
                    self.given(value)?;
                    whole = false;
                }
            }
        }
        Some(if whole {
            Known::Object(members)
        } else {
            Known::Unknown
        })
    }

    fn operators(&mut self, nodes: &'a [Node], operator: Operator) -> Option<Known<'a>> {
        let mut texts = Some(String::new());
        for node in nodes {
            let value = self.plain(node)?;
            // A sum of numbers is a number: only texts are joined.
            let text = if let Known::Literal(Value::String(it)) = value {
                Some(it)
            } else {
                None
            };
            texts = texts.zip(text).map(|(whole, it)| whole + &it);
        }
        Some(match texts {
            Some(it) if operator == Operator::Add => Known::Literal(Value::String(it)),
            Some(_) | None => Known::Unknown,
        })
    }

    fn assign(&mut self, target: &'a Node, value: &'a Node) -> Option<Known<'a>> {
        self.plain(value)?;
        if let Node::Name(name, scope) = target {
            self.scopes.find(name, *scope)?;
        } else if let Node::Chain(base, links) = target {
            let base = self.value(base)?;
            let own = !matches!(
                base,
                Known::Tools | Known::Tool(_) | Known::Host | Known::Function(_)
            );
            let leads = |it: &Link| match it {
                Link::Member(name) => LEADING.contains(&name.as_str()),
                Link::Index(node) => !matches!(node, Node::Number(_)),
                Link::Call(_) => true,
            };
            if !own || links.iter().any(leads) {
                return None;
            }
        } else {
            return None;
        }
        Some(Known::Unknown)
    }

    fn chain(&mut self, base: &'a Node, links: &'a [Link]) -> Option<Known<'a>> {
        let mut value = self.value(base)?;
        let mut method: Option<&'a str> = None;
        let mut owner = Known::Unknown;
        for (at, link) in links.iter().enumerate() {
            let before = value.clone();
            value = match link {
                Link::Member(name) => {
                    let called = matches!(links.get(at + 1), Some(Link::Call(_)));
                    if !called || !EACH.contains(&name.as_str()) {
                        self.lose(&before)?;
                    }
                    method = Some(name);
                    owner = before.clone();
                    member(before, name)?
                }
                Link::Index(node) => {
                    method = None;
                    let key = self.plain(node)?;
                    match (before, key) {
                        (Known::Tools, Known::Literal(Value::String(name))) => {
                            member(Known::Tools, &name)?
                        }
                        (Known::Tools | Known::Tool(_) | Known::Host, _) => return None,
                        (Known::Object(members), Known::Literal(Value::String(name))) => {
                            member(Known::Object(members), &name)?
                        }
                        (before, _) => {
                            self.given(before)?;
                            Known::Unknown
                        }
                    }
                }
                Link::Call(arguments) => {
                    let called = self.call(
                        Callee {
                            callee: before,
                            method,
                        },
                        &owner,
                        arguments,
                    )?;
                    method = None;
                    called
                }
            };
        }
        Some(value)
    }
}

fn holds_return(node: &Node) -> bool {
    if let Node::Return(_) = node {
        true
    } else if let Node::Block(nodes) = node {
        nodes.iter().any(holds_return)
    } else {
        false
    }
}
