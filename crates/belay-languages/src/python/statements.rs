//! Statements.

use super::tree::{Block, Case, Expression, For, Function, Operator, Statement, Try};
use super::value::{Atom, Own, Value};
use super::walk::{Walker, Ways};

impl Walker {
    pub(super) fn block(&mut self, block: &Block) {
        for statement in block {
            if !self.steps() {
                return;
            }
            self.deeper(|it| {
                it.statement(statement);
                Value::never()
            });
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Expression(value) => {
                let value = self.value(value);
                if self.prompt {
                    self.show(&[&value]);
                }
            }
            Statement::Assign(targets, value) => {
                let value = self.value(value);
                targets.iter().for_each(|it| self.assign(it, value.clone()));
            }
            Statement::Augment(target, operator, value) => self.augment(target, *operator, value),
            Statement::Annotate(target, kind, value) => {
                self.value(kind);
                if let Some(value) = value {
                    let value = self.value(value);
                    self.assign(target, value);
                }
            }
            Statement::Return(value) => {
                let value = value
                    .as_ref()
                    .map_or_else(Value::inert, |it| self.value(it));
                self.returned(&value);
            }
            Statement::Raise(values) | Statement::Assert(values) => {
                for value in values {
                    let value = self.value(value);
                    self.show(&[&value]);
                    self.raised.join(&value);
                }
            }
            Statement::Delete(targets) => targets.iter().for_each(|it| self.forget(it)),
            Statement::Nothing => {}
            Statement::Outer(names) => {
                if let [_, .., frame] = self.frames.as_mut_slice() {
                    frame.outer.extend(names.iter().cloned());
                }
            }
            Statement::Import(names) => self.import(names),
            Statement::From(from) => self.import_from(from),
            Statement::If(branches, otherwise) => self.branches(branches, otherwise),
            Statement::While(condition, body, otherwise) => {
                self.looped(&mut |it| {
                    it.value(condition);
                    it.block(body);
                });
                self.value(condition);
                self.block(otherwise);
            }
            Statement::For(it) => self.for_each(it),
            Statement::With(items, body) => self.with(items, body),
            Statement::Try(it) => self.tried(it),
            Statement::Match(subject, cases) => self.matched(subject, cases),
            Statement::Define(function) => self.define(function),
            Statement::Class(class) => self.class(class),
        }
    }

    /// Adds to what the function we are in returns.
    pub(super) fn returned(&mut self, value: &Value) {
        if let Some(last) = self.returns.last_mut() {
            last.join(value);
        }
    }

    fn branches(&mut self, branches: &[(Expression, Block)], otherwise: &Block) {
        let mut ways: Ways<'_, Self> = Vec::new();
        for (at, (condition, body)) in branches.iter().enumerate() {
            if at == 0 {
                self.value(condition);
            } else {
                // A later condition may bind a name, or never be asked.
                self.perhaps(|it| {
                    it.value(condition);
                });
            }
            ways.push(Box::new(|it: &mut Self| it.block(body)));
        }
        ways.push(Box::new(|it: &mut Self| it.block(otherwise)));
        self.ways(ways);
    }

    fn for_each(&mut self, each: &For) {
        let over = self.value(&each.over);
        self.looped(&mut |it| {
            let item = it.elements(&over);
            it.assign(&each.target, item);
            it.block(&each.body);
        });
        self.block(&each.otherwise);
    }

    fn with(&mut self, items: &[(Expression, Option<Expression>)], body: &Block) {
        for (value, target) in items {
            let value = self.value(value);
            let entered = self.entering(&value);
            if let Some(target) = target {
                self.assign(target, entered);
            }
        }
        self.block(body);
    }

    /// Returns what `with` binds: most things return themselves.
    fn entering(&mut self, value: &Value) -> Value {
        let mut entered = value.clone();
        for atom in &value.atoms {
            match atom {
                Atom::Instance(..) => entered = Value::anything(),
                // What a generator yields, once it was made into a manager.
                Atom::List(_) => {
                    let inner = self.elements(&Value::of(atom.clone()));
                    entered.join(&inner);
                }
                Atom::Anything
                | Atom::Inert
                | Atom::Text(_)
                | Atom::Path(_)
                | Atom::Table(_)
                | Atom::Module(_)
                | Atom::Member(_)
                | Atom::Object(..)
                | Atom::Method(..)
                | Atom::Function(_)
                | Atom::Bound(..)
                | Atom::Class(_)
                | Atom::Package(_) => {}
            }
        }
        entered
    }

    fn tried(&mut self, tried: &Try) {
        self.perhaps(|it| it.block(&tried.body));
        let mut ways: Ways<'_, Self> = vec![Box::new(|it: &mut Self| it.block(&tried.otherwise))];
        for caught in &tried.handlers {
            ways.push(Box::new(move |it: &mut Self| {
                if let Some(kind) = &caught.kind {
                    it.value(kind);
                }
                if let Some(name) = &caught.name {
                    let raised = it.raised.clone().or(&Value::inert());
                    it.bind(name, raised);
                }
                it.block(&caught.body);
            }));
        }
        self.ways(ways);
        if !tried.finally.is_empty() {
            self.perhaps(|_| {});
            self.block(&tried.finally);
        }
    }

    fn matched(&mut self, subject: &Expression, cases: &[Case]) {
        let subject = self.value(subject);
        let part = self.blend(&[&subject]);
        let mut ways: Ways<'_, Self> = vec![Box::new(|_: &mut Self| {})];
        for case in cases {
            let mut part = part.clone();
            ways.push(Box::new(move |it: &mut Self| {
                for name in &case.members {
                    let held = it.member(&part, name);
                    part.join(&held);
                }
                case.binds
                    .iter()
                    .for_each(|name| it.bind(name, part.clone()));
                if let Some(guard) = &case.guard {
                    it.value(guard);
                }
                it.block(&case.body);
            }));
        }
        self.ways(ways);
    }

    fn define(&mut self, function: &std::rc::Rc<Function>) {
        for parameter in &function.parameters {
            if let Some(default) = &parameter.default {
                let value = self.value(default);
                self.remember(function.at + 1, &format!("={}", parameter.name), &value);
            }
        }
        function.annotations.iter().for_each(|it| {
            self.value(it);
        });
        let scope = self
            .frames
            .last()
            .map_or(super::walk::MODULE, |it| it.scope);
        self.around.insert(function.at + 1, scope);
        let own = Own {
            function: function.clone(),
            scope,
        };
        self.defines(&own);
        let value = self.decorated(
            Value::of(Atom::Function(own)),
            &function.decorators,
            function.at,
        );
        self.bind(&function.name, value);
    }

    /// Returns what decorators make of a function or class.
    pub(super) fn decorated(
        &mut self,
        mut value: Value,
        decorators: &[Expression],
        at: usize,
    ) -> Value {
        for decorator in decorators.iter().rev() {
            let decorator = self.value(decorator);
            value = self.decorate(&decorator, value, at);
        }
        value
    }

    fn augment(&mut self, target: &Expression, operator: Operator, value: &Expression) {
        let old = self.value(target);
        let value = self.value(value);
        let lists = old
            .atoms
            .iter()
            .any(|it| matches!(it, Atom::List(_) | Atom::Table(_)));
        if lists {
            let added = self.elements(&value);
            self.pour(&old, &added);
        }
        let new = self.operated(operator, &old, &value);
        self.assign(target, if lists { old.or(&new) } else { new });
    }

    /// Takes a name or item away.
    fn forget(&mut self, target: &Expression) {
        match target {
            Expression::Name(name) => {
                let last = self.frames.len().saturating_sub(1);
                self.set(last, name, None);
            }
            Expression::List(items, _) => items.iter().for_each(|it| self.forget(it)),
            other @ (Expression::Text(_)
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
            | Expression::Star(_)
            | Expression::Walrus(..)
            | Expression::Slice(_)) => self.reset(other),
        }
    }
}
