//! Which names are given something after they were declared.

use super::super::tree::{Key, Link, Node};
use super::{EACH, Walk};

impl<'a> Walk<'a> {
    /// Notes which names are given something after they were declared.
    pub(super) fn note_changes(&mut self, node: &'a Node) -> Option<()> {
        self.step()?;
        match node {
            Node::Assign(target, _, value) => {
                self.note_target(target);
                self.note_changes(target)?;
                self.note_changes(value)
            }
            Node::Update(target) => {
                self.note_target(target);
                self.note_changes(target)
            }
            Node::Chain(base, links) => {
                // `list.push(x)` changes the list.
                let changes =
                    |it: &Link| matches!(it, Link::Member(name) if !EACH.contains(&name.as_str()));
                if links.iter().any(changes) && links.iter().any(|it| matches!(it, Link::Call(_))) {
                    self.note_list(base);
                }
                self.note_changes(base)?;
                links.iter().try_for_each(|it| match it {
                    Link::Member(_) => Some(()),
                    Link::Index(node) => self.note_changes(node),
                    Link::Call(nodes) => nodes.iter().try_for_each(|it| self.note_changes(it)),
                })
            }
            Node::Text(_)
            | Node::Number(_)
            | Node::Bool(_)
            | Node::Plain
            | Node::Template(..)
            | Node::Name(..)
            | Node::This
            | Node::List(_)
            | Node::Object(_)
            | Node::Function(_)
            | Node::Class(..)
            | Node::New(..)
            | Node::Import(_)
            | Node::Meta
            | Node::Unary(_)
            | Node::Delete(_)
            | Node::Await(_)
            | Node::Operators(..)
            | Node::Choose(_)
            | Node::Sequence(_)
            | Node::Spread(_)
            | Node::Return(_)
            | Node::Declare(_)
            | Node::Each(..)
            | Node::Block(_)
            | Node::Imported(..) => inner(node)
                .into_iter()
                .try_for_each(|it| self.note_changes(it)),
        }
    }

    fn note_target(&mut self, target: &Node) {
        if let Node::Name(name, scope) = target {
            if let Some(var) = self.scopes.find(name, *scope)
                && let Some(slot) = self.changed.get_mut(var)
            {
                *slot = true;
            }
        } else if let Node::Chain(base, _) = target {
            self.note_target(base);
        }
    }

    /// Names of functions stay what they are, whatever of theirs is called.
    fn note_list(&mut self, base: &Node) {
        if matches!(base, Node::Name(..)) {
            self.note_target(base);
        }
    }
}

/// Returns the nodes right below a node that is neither an assignment nor a chain.
fn inner(node: &Node) -> Vec<&Node> {
    match node {
        Node::Template(_, nodes)
        | Node::List(nodes)
        | Node::Operators(nodes, _)
        | Node::Sequence(nodes)
        | Node::Block(nodes) => nodes.iter().collect(),
        Node::Object(entries) => entries
            .iter()
            .flat_map(|(key, node)| match key {
                Key::Computed(key) => vec![key, node],
                Key::Known(_) | Key::Spread => vec![node],
            })
            .collect(),
        Node::Function(function) => function.body.iter().collect(),
        Node::Class(_, nodes) => nodes.iter().collect(),
        Node::New(class, nodes) => std::iter::once(class.as_ref()).chain(nodes).collect(),
        Node::Import(node)
        | Node::Unary(node)
        | Node::Delete(node)
        | Node::Await(node)
        | Node::Spread(node)
        | Node::Each(_, node, _)
        | Node::Update(node) => vec![node],
        Node::Choose(nodes) => nodes.iter().collect(),
        Node::Return(node) => node.as_deref().into_iter().collect(),
        Node::Declare(entries) => entries.iter().filter_map(|(_, it)| it.as_ref()).collect(),
        Node::Assign(..)
        | Node::Chain(..)
        | Node::Text(_)
        | Node::Number(_)
        | Node::Bool(_)
        | Node::Plain
        | Node::Name(..)
        | Node::This
        | Node::Meta
        | Node::Imported(..) => Vec::new(),
    }
}
