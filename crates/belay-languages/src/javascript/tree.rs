//! The tree of a program: statements and expressions are nodes alike, and operators have no order of their own.

use std::collections::BTreeMap;

/// A place where names are declared.
pub(super) type ScopeId = usize;

/// A declared name.
pub(super) type VarId = usize;

#[derive(Debug)]
pub(super) enum Node {
    Text(String),
    Number(String),
    Bool(bool),
    /// Something that is neither text nor function: `null`, a regular expression, a comparison.
    Plain,
    Template(Vec<String>, Vec<Node>),
    Name(String, ScopeId),
    /// `this` and `super` in a class.
    This,
    List(Vec<Node>),
    Object(Vec<(Key, Node)>),
    Function(Box<Function>),
    Class(Option<Box<Node>>, Vec<Node>),
    /// Members, calls and subscripts in a row.
    Chain(Box<Node>, Vec<Link>),
    New(Box<Node>, Vec<Node>),
    Import(Box<Node>),
    /// `import.meta`
    Meta,
    /// `-x`, `!x`, `typeof x`: never a text that could name a member.
    Unary(Box<Node>),
    Delete(Box<Node>),
    Update(Box<Node>),
    Await(Box<Node>),
    Operators(Vec<Node>, Operator),
    Choose(Box<[Node; 3]>),
    /// An assignment; the text is the operator before `=`.
    Assign(Box<Node>, &'static str, Box<Node>),
    Sequence(Vec<Node>),
    Spread(Box<Node>),
    /// What a function gives back or throws.
    Return(Option<Box<Node>>),
    Declare(Vec<(Pattern, Option<Node>)>),
    /// `for (pattern of node)`; `in` yields names.
    Each(Pattern, Box<Node>, Yields),
    Block(Vec<Node>),
    /// `import pattern from 'module'`
    Imported(String, Vec<(Imports, VarId)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Yields {
    Items,
    Names,
}

#[derive(Debug)]
pub(super) enum Imports {
    Whole,
    Member(String),
}

/// What operators between operands do, where all are of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    /// `||`, `??` and `&&`: one of the operands.
    Either,
    /// Numbers and truth values only.
    Count,
    Several,
}

#[derive(Debug)]
pub(super) enum Key {
    Known(String),
    Computed(Node),
    Spread,
}

#[derive(Debug)]
pub(super) enum Link {
    Member(String),
    Index(Node),
    Call(Vec<Node>),
}

#[derive(Debug)]
pub(super) struct Function {
    pub(super) parameters: Vec<Pattern>,
    pub(super) body: Vec<Node>,
}

#[derive(Debug)]
pub(super) enum Pattern {
    Name(VarId),
    Object(Vec<(Option<String>, Pattern)>),
    List(Vec<Option<Pattern>>),
    Default(Box<Pattern>, Box<Node>),
    Rest(Box<Pattern>),
    /// Something that was declared before.
    Target(Box<Node>),
}

/// All scopes and declared names of a program.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    all: Vec<Scope>,
    pub(super) vars: Vec<Var>,
}

#[derive(Debug)]
struct Scope {
    parent: Option<ScopeId>,
    function: bool,
    names: BTreeMap<String, VarId>,
}

/// A declared name. One that the outermost scope hoists may keep what the host gave to it.
#[derive(Debug)]
pub(super) struct Var {
    pub(super) name: String,
    pub(super) global: bool,
}

/// How long a declared name lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    Block,
    /// As long as the function around it: `var`.
    Function,
    /// As `var`, or as its block: a declared function.
    Hoisted,
}

impl Scopes {
    pub(super) fn open(&mut self, parent: Option<ScopeId>, function: bool) -> ScopeId {
        self.all.push(Scope {
            parent,
            function,
            names: BTreeMap::new(),
        });
        self.all.len() - 1
    }

    /// Declares a name; `None` when it is one that programs do not declare.
    pub(super) fn declare(&mut self, name: &str, scope: ScopeId, life: Life) -> Option<VarId> {
        if CLOSED.contains(&name) {
            return None;
        }
        let from = scope;
        let mut scope = scope;
        while life != Life::Block && !self.all.get(scope)?.function {
            scope = self.all.get(scope)?.parent?;
        }
        // A function in a block is declared around it in some modes only.
        let global = life != Life::Block && scope == 0 || life == Life::Hoisted && scope != from;
        let next = self.vars.len();
        let found = *self
            .all
            .get_mut(scope)?
            .names
            .entry(name.to_owned())
            .or_insert(next);
        if found == next {
            self.vars.push(Var {
                name: name.to_owned(),
                global,
            });
        } else if let Some(var) = self.vars.get_mut(found) {
            var.global |= global;
        }
        Some(found)
    }

    pub(super) fn find(&self, name: &str, scope: ScopeId) -> Option<VarId> {
        let mut at = Some(scope);
        while let Some(scope) = at.and_then(|it| self.all.get(it)) {
            if let Some(var) = scope.names.get(name) {
                return Some(*var);
            }
            at = scope.parent;
        }
        None
    }
}

/// Names that would change what other code means.
const CLOSED: [&str; 22] = [
    "arguments",
    "async",
    "await",
    "eval",
    "enum",
    "exports",
    "global",
    "globalThis",
    "let",
    "new",
    "of",
    "require",
    "self",
    "static",
    "super",
    "this",
    "undefined",
    "window",
    "with",
    "yield",
    "Function",
    "process",
];
