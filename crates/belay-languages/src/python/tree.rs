//! A Python program as a tree. Chains of one kind (`a + b + c`, `a.b().c`) are lists, so that only what nests is deep.

use std::rc::Rc;

/// Statements in their order.
pub(super) type Block = Vec<Statement>;

/// One statement.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    Expression(Expression),
    /// `a = b = value`
    Assign(Vec<Expression>, Expression),
    /// `a += value`
    Augment(Expression, Operator, Expression),
    /// `a: kind = value`
    Annotate(Expression, Expression, Option<Expression>),
    Return(Option<Expression>),
    Raise(Vec<Expression>),
    Delete(Vec<Expression>),
    Assert(Vec<Expression>),
    /// `pass`, `break`, `continue`
    Nothing,
    /// `global` and `nonlocal`
    Outer(Vec<String>),
    Import(Vec<Alias>),
    From(From),
    /// Conditions with their blocks, and what is done else.
    If(Vec<(Expression, Block)>, Block),
    While(Expression, Block, Block),
    For(For),
    With(Vec<(Expression, Option<Expression>)>, Block),
    Try(Try),
    Match(Expression, Vec<Case>),
    Define(Rc<Function>),
    Class(Rc<Class>),
}

/// `import a.b as c`
#[derive(Clone, Debug)]
pub(super) struct Alias {
    pub(super) name: String,
    pub(super) called: Option<String>,
}

/// `from ..a.b import c as d`
#[derive(Clone, Debug)]
pub(super) struct From {
    pub(super) dots: usize,
    pub(super) module: String,
    /// Nothing for `*`.
    pub(super) names: Option<Vec<Alias>>,
}

#[derive(Clone, Debug)]
pub(super) struct For {
    pub(super) target: Expression,
    pub(super) over: Expression,
    pub(super) body: Block,
    pub(super) otherwise: Block,
}

#[derive(Clone, Debug)]
pub(super) struct Try {
    pub(super) body: Block,
    pub(super) handlers: Vec<Caught>,
    pub(super) otherwise: Block,
    pub(super) finally: Block,
}

#[derive(Clone, Debug)]
pub(super) struct Caught {
    pub(super) kind: Option<Expression>,
    pub(super) name: Option<String>,
    pub(super) body: Block,
}

/// One case of a `match`: the names its pattern binds, the members it asks for, its guard.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) binds: Vec<String>,
    pub(super) members: Vec<String>,
    pub(super) guard: Option<Expression>,
    pub(super) body: Block,
}

/// A function, or a lambda with one `return`.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) at: usize,
    pub(super) name: String,
    pub(super) parameters: Vec<Parameter>,
    pub(super) decorators: Vec<Expression>,
    pub(super) annotations: Vec<Expression>,
    pub(super) body: Block,
    /// Whether its body runs later than its call: generators and coroutines.
    pub(super) lazy: bool,
    /// Whether it hands out values one by one.
    pub(super) generator: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) default: Option<Expression>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    /// After `*`: by keyword alone.
    Keyword,
    /// `*args`
    Rest,
    /// `**kwargs`
    Keywords,
}

#[derive(Debug)]
pub(super) struct Class {
    pub(super) at: usize,
    pub(super) name: String,
    pub(super) arguments: Vec<Argument>,
    pub(super) decorators: Vec<Expression>,
    pub(super) body: Block,
}

/// One argument of a call.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    Plain(Expression),
    Named(String, Expression),
    /// `*list`
    Spread(Expression),
    /// `**table`
    SpreadNamed(Expression),
}

/// What stands after a value.
#[derive(Clone, Debug)]
pub(super) enum After {
    Member(String),
    Call(Vec<Argument>, usize),
    Item(Expression),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Modulo,
    Divide,
    /// Comparisons: what comes out is a truth value.
    Compare,
    And,
    Or,
    Other,
}

/// Part of a string.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Known(String),
    Unknown,
    Code(Expression, Vec<Part>),
}

#[derive(Clone, Debug)]
pub(super) enum Expression {
    Name(String),
    Text(Vec<Part>),
    Number(Option<i64>),
    /// `None`, `True`, `False`, `...`
    Constant(&'static str),
    /// A value and what stands after it.
    Chain(Box<Expression>, Vec<After>),
    /// Values between operators of one rank.
    Operation(Vec<Expression>, Vec<Operator>),
    Unary(Box<Expression>),
    Not(Box<Expression>),
    Lambda(Rc<Function>),
    /// `a if condition else b`
    Choice(Box<[Expression; 3]>),
    /// A list, tuple or set, with the place where it is made.
    List(Vec<Expression>, usize),
    /// A table; nothing in place of the key for `**other`.
    Table(Vec<(Option<Expression>, Expression)>, usize),
    Comprehension(Box<Comprehension>),
    Await(Box<Expression>),
    Yield(Option<Box<Expression>>),
    /// `*a`
    Star(Box<Expression>),
    /// `a := b`
    Walrus(String, Box<Expression>),
    /// `a:b:c`
    Slice(Vec<Expression>),
}

#[derive(Clone, Debug)]
pub(super) struct Comprehension {
    pub(super) at: usize,
    /// One value, or key and value.
    pub(super) values: Vec<Expression>,
    pub(super) loops: Vec<Loop>,
}

#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub(super) target: Expression,
    pub(super) over: Expression,
    pub(super) conditions: Vec<Expression>,
}

/// Adds the names that an assignment binds.
pub(super) fn bound_names(target: &Expression, into: &mut Vec<String>) {
    match target {
        Expression::Name(name) => into.push(name.clone()),
        Expression::List(items, _) => items.iter().for_each(|it| bound_names(it, into)),
        Expression::Star(inner) => bound_names(inner, into),
        Expression::Text(_)
        | Expression::Number(_)
        | Expression::Constant(_)
        | Expression::Chain(..)
        | Expression::Operation(..)
        | Expression::Unary(_)
        | Expression::Not(_)
        | Expression::Lambda(_)
        | Expression::Choice(_)
        | Expression::Table(..)
        | Expression::Comprehension(_)
        | Expression::Await(_)
        | Expression::Yield(_)
        | Expression::Walrus(..)
        | Expression::Slice(_) => {}
    }
}
