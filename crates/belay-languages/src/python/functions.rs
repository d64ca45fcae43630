//! Functions of the program: each call walks the body with what it is given.

use super::arguments::Arguments;
use super::tables::Step;
use super::tree::{Block, Function, Kind, Statement};
use super::value::{Atom, Own, Value};
use super::walk::{Frame, Later, Walker};

/// So often the body of a function that calls itself is walked anew.
const ROUNDS: usize = 4;

/// A function whose body is being walked.
pub(super) struct Calling {
    at: usize,
    /// What any call of it was given, and what it returned so far.
    given: Vec<(String, Value)>,
    result: Value,
    /// Whether it called itself, and whether it was given something new there.
    entered: bool,
    grew: bool,
}

impl Walker {
    /// Calls a function of the program.
    pub(super) fn call_own(&mut self, own: &Own, arguments: &Arguments) -> Value {
        if own.function.lazy {
            let later = Later {
                own: own.clone(),
                arguments: arguments.clone(),
            };
            if !self.later.contains(&later) {
                self.later.push(later);
            }
        }
        self.invoke(own, arguments)
    }

    /// A function that somebody may call at any time, with anything.
    pub(super) fn escape(&mut self, own: &Own, given: &[Value]) {
        let later = Later {
            own: own.clone(),
            arguments: Arguments {
                plain: given.to_vec(),
                more: Some(Value::anything()),
                ..Arguments::default()
            },
        };
        if !self.later.contains(&later) {
            self.later.push(later);
        }
    }

    /// Walks the body of a function.
    pub(super) fn invoke(&mut self, own: &Own, arguments: &Arguments) -> Value {
        let function = own.function.clone();
        let given = self.parameters(&function, arguments);
        if let Some(calling) = self.calling.iter_mut().find(|it| it.at == function.at) {
            calling.entered = true;
            for ((_, old), (_, new)) in calling.given.iter_mut().zip(&given) {
                calling.grew |= old.join(new);
            }
            return calling.result.clone();
        }
        self.deeper(|it| it.body(&function, given, arguments.at))
    }

    fn body(&mut self, function: &Function, given: Vec<(String, Value)>, at: usize) -> Value {
        let outside = self.context;
        self.context = self.entered(at);
        self.walked.insert(function.at);
        self.calling.push(Calling {
            at: function.at,
            given,
            result: Value::never(),
            entered: false,
            grew: false,
        });
        for round in 0..=ROUNDS {
            let given = self
                .calling
                .last()
                .map(|it| it.given.clone())
                .unwrap_or_default();
            let returned = self.once(function, given);
            let Some(calling) = self.calling.last_mut() else {
                break;
            };
            let news = calling.result.join(&returned);
            if !calling.entered || !news && !calling.grew {
                break;
            }
            calling.grew = false;
            if round == ROUNDS {
                self.unread();
            } else if round > 0 {
                calling.given.iter_mut().for_each(|(_, it)| it.widen());
            }
        }
        let result = self.calling.pop().map(|it| it.result).unwrap_or_default();
        self.context = outside;
        if function.generator {
            let site = (function.at, self.entered(at));
            return self.many(site, &result);
        }
        // Who comes to the end of a body returns nothing; so does who never seems to return.
        if ends(&function.body) && result != Value::never() {
            return result;
        }
        result.or(&Value::inert())
    }

    /// Walks a body once, in a scope of its own.
    fn once(&mut self, function: &Function, given: Vec<(String, Value)>) -> Value {
        let scope = function.at + 1;
        self.frames.push(Frame {
            scope,
            ..Frame::default()
        });
        for (name, value) in given {
            self.bind(&name, value);
        }
        self.returns.push(Value::never());
        self.block(&function.body);
        self.frames.pop();
        self.returns.pop().unwrap_or_default()
    }

    /// Returns what each parameter stands for.
    fn parameters(&mut self, function: &Function, arguments: &Arguments) -> Vec<(String, Value)> {
        let mut plain = arguments.plain.iter();
        let mut named: Vec<&(String, Value)> = arguments.named.iter().collect();
        let mut given = Vec::new();
        for parameter in &function.parameters {
            let by_name = named.iter().position(|it| it.0 == parameter.name);
            let slot = format!("={}", parameter.name);
            let value = match parameter.kind {
                Kind::Rest => {
                    let mut rest: Vec<Value> = plain.by_ref().cloned().collect();
                    let site = (function.at + 2 + given.len(), self.entered(arguments.at));
                    match &arguments.more {
                        Some(more) => {
                            rest.push(more.clone());
                            let all = rest.iter().fold(Value::never(), |all, it| all.or(it));
                            self.many(site, &all)
                        }
                        None => self.list(site, rest),
                    }
                }
                Kind::Keywords => {
                    let site = (function.at + 2 + given.len(), self.entered(arguments.at));
                    let fields = named.drain(..).cloned().collect();
                    self.table(site, fields, arguments.more.clone().unwrap_or_default())
                }
                Kind::Plain | Kind::Keyword => {
                    let next = if parameter.kind == Kind::Plain {
                        plain.next().cloned()
                    } else {
                        None
                    };
                    let chosen = match (next, by_name) {
                        (Some(value), _) => Some(value),
                        (None, Some(at)) => Some(named.remove(at).1.clone()),
                        (None, None) => None,
                    };
                    let default = self.ever(function.at + 1, &slot).cloned();
                    match (chosen, &arguments.more) {
                        (Some(value), _) => value,
                        (None, Some(more)) => more.clone().or(&default.unwrap_or_default()),
                        (None, None) => default.unwrap_or_default(),
                    }
                }
            };
            given.push((parameter.name.clone(), value));
        }
        given
    }

    /// Calls whatever can be called with arguments of which only their contents are known.
    pub(super) fn call_back(&mut self, value: &Value, given: &Value, at: usize) -> Value {
        let mut result = Value::never();
        for atom in &value.atoms {
            match atom {
                // What it is given is called on its own.
                Atom::Member(member)
                    if member.steps().is_empty() || member.steps().contains(&Step::Quiet) => {}
                Atom::Function(_)
                | Atom::Bound(..)
                | Atom::Member(_)
                | Atom::Method(..)
                | Atom::Class(_) => {
                    if self.handed_on.contains(atom) {
                        continue;
                    }
                    self.handed_on.push(atom.clone());
                    let arguments = Arguments {
                        more: Some(given.clone()),
                        at,
                        ..Arguments::default()
                    };
                    if let Atom::Function(own) | Atom::Bound(own, _) = atom {
                        self.later_with(own, &arguments);
                    }
                    let found = self.call_atom(atom, &arguments);
                    self.handed_on.pop();
                    result.join(&found);
                }
                Atom::List(site) | Atom::Table(site) => {
                    let inner = self
                        .heap
                        .get(site)
                        .map(|it| it.rest.clone())
                        .unwrap_or_default();
                    if inner.atoms.iter().any(is_callable) {
                        let found = self.call_back(&inner, given, at);
                        result.join(&found);
                    }
                }
                // Code too: it may be called like any function.
                Atom::Anything => {
                    let unread = self.unread();
                    result.join(&unread);
                }
                Atom::Inert
                | Atom::Text(_)
                | Atom::Path(_)
                | Atom::Module(_)
                | Atom::Object(..)
                | Atom::Instance(..)
                | Atom::Package(_) => {}
            }
        }
        result
    }

    fn later_with(&mut self, own: &Own, arguments: &Arguments) {
        let later = Later {
            own: own.clone(),
            arguments: arguments.clone(),
        };
        if !self.later.contains(&later) {
            self.later.push(later);
        }
    }
}

/// Tells whether nothing runs on behind a block: it returns or raises at its end.
fn ends(block: &Block) -> bool {
    match block.last() {
        Some(Statement::Return(_) | Statement::Raise(_)) => true,
        Some(Statement::If(ways, otherwise)) => {
            ways.iter().all(|(_, it)| ends(it)) && ends(otherwise)
        }
        // Who is left alone in `with` may be led on behind it, whatever was raised.
        Some(
            Statement::Expression(_)
            | Statement::Assign(..)
            | Statement::Augment(..)
            | Statement::Annotate(..)
            | Statement::Delete(_)
            | Statement::Assert(_)
            | Statement::Nothing
            | Statement::Outer(_)
            | Statement::Import(_)
            | Statement::From(_)
            | Statement::While(..)
            | Statement::For(_)
            | Statement::With(..)
            | Statement::Try(_)
            | Statement::Match(..)
            | Statement::Define(_)
            | Statement::Class(_),
        )
        | None => false,
    }
}

/// Tells whether a thing may be called.
pub(super) fn is_callable(atom: &Atom) -> bool {
    matches!(
        atom,
        Atom::Function(_) | Atom::Bound(..) | Atom::Member(_) | Atom::Method(..) | Atom::Class(_)
    )
}
