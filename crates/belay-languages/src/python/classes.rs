//! Classes of the program.

use std::rc::Rc;

use super::arguments::Arguments;
use super::tables::Step;
use super::tree::{Argument, Class};
use super::value::{Atom, Own, Site, Value};
use super::walk::{Frame, OwnClass, Walker};

/// Tells whether a call of something may do more than compute.
pub(super) fn acts(atom: &Atom) -> bool {
    match atom {
        Atom::Member(member) => !member.steps().is_empty(),
        Atom::Method(..) | Atom::Bound(..) | Atom::Anything => true,
        Atom::Inert
        | Atom::Text(_)
        | Atom::Path(_)
        | Atom::List(_)
        | Atom::Table(_)
        | Atom::Module(_)
        | Atom::Object(..)
        | Atom::Function(_)
        | Atom::Class(_)
        | Atom::Package(_)
        | Atom::Instance(..) => false,
    }
}

/// So many classes above a class are looked at.
const ABOVE: usize = 16;

impl Walker {
    pub(super) fn class(&mut self, class: &Rc<Class>) {
        let mut made = OwnClass {
            at: class.at,
            ..OwnClass::default()
        };
        for argument in &class.arguments {
            self.above(argument, &mut made);
        }
        let around = self
            .frames
            .last()
            .map_or(super::walk::MODULE, |it| it.scope);
        self.around.insert(class.at + 1, around);
        if !self.bodies.contains(&(class.at + 1)) {
            self.bodies.push(class.at + 1);
        }
        self.frames.push(Frame {
            scope: class.at + 1,
            ..Frame::default()
        });
        self.block(&class.body);
        let fields = self.frames.pop().map(|it| it.names).unwrap_or_default();
        made.fields = fields;
        let id = self.class_number(made);
        // A method's names come from around the class, not from the class.
        self.called_by_others(id);
        let value = self.decorated(Value::of(Atom::Class(id)), &class.decorators, class.at);
        self.bind(&class.name, value);
    }

    /// Returns the number of a class; one that was made before gains what is new.
    fn class_number(&mut self, made: OwnClass) -> usize {
        let Some(id) = self.classes.iter().position(|it| it.at == made.at) else {
            self.classes.push(made);
            return self.classes.len() - 1;
        };
        if let Some(class) = self.classes.get_mut(id) {
            for (name, value) in made.fields {
                class.fields.entry(name).or_default().join(&value);
            }
            class.foreign |= made.foreign;
            class.bases.extend(made.bases);
            class.bases.dedup();
        }
        id
    }

    /// One class above, or a setting of the class.
    fn above(&mut self, argument: &Argument, made: &mut OwnClass) {
        let base = match argument {
            Argument::Plain(base) => self.value(base),
            Argument::Named(name, _) if matches!(name.as_str(), "total" | "frozen" | "slots") => {
                return;
            }
            Argument::Named(..) | Argument::Spread(_) | Argument::SpreadNamed(_) => {
                self.unread();
                return;
            }
        };
        for atom in &base.atoms {
            match atom {
                Atom::Class(id) => made.bases.push(*id),
                Atom::Member(member) if member.name() == "object" => {}
                Atom::Member(member) if is_base(member.steps()) => made.foreign = true,
                Atom::Inert | Atom::List(_) => made.foreign = true,
                Atom::Package(path) => {
                    let path = path.clone();
                    self.uses(&path, crate::Use::Called);
                    made.foreign = true;
                }
                Atom::Anything
                | Atom::Text(_)
                | Atom::Path(_)
                | Atom::Table(_)
                | Atom::Module(_)
                | Atom::Member(_)
                | Atom::Object(..)
                | Atom::Method(..)
                | Atom::Function(_)
                | Atom::Bound(..)
                | Atom::Instance(..) => {
                    self.unread();
                    made.foreign = true;
                }
            }
        }
    }

    /// Methods that Python itself calls, and all methods of a class that others have a hand in.
    pub(super) fn called_by_others(&mut self, id: usize) {
        let Some(class) = self.classes.get(id).cloned() else {
            return;
        };
        let myself = Value::of(Atom::Instance(id, (class.at, 0)));
        for (name, value) in &class.fields {
            let own = name.starts_with("__") && name != "__init__";
            if !own && !class.foreign {
                continue;
            }
            for atom in &value.atoms {
                if let Atom::Function(own) = atom {
                    self.escape(own, std::slice::from_ref(&myself));
                } else if own && acts(atom) {
                    // Python calls it with whatever it is asked for.
                    self.unread();
                }
            }
        }
    }

    /// Makes an object.
    pub(super) fn construct(&mut self, id: usize, arguments: &Arguments) -> Value {
        let Some(class) = self.classes.get(id).cloned() else {
            return Value::anything();
        };
        // All objects of a class share one place: whoever calls a method later may have any of them.
        let site = (class.at, 0);
        let object = Value::of(Atom::Instance(id, site));
        self.heap.entry(site).or_default();
        let init = self.of_instance(id, site, "__init__");
        if init.atoms.is_empty() {
            self.fill(&object, &class, arguments);
        } else {
            self.call(&init, arguments);
        }
        object
    }

    /// A record without a maker of its own: arguments become fields.
    fn fill(&mut self, object: &Value, class: &OwnClass, arguments: &Arguments) {
        for (name, value) in &arguments.named {
            self.pour_field(object, name, value);
        }
        let all = arguments
            .plain
            .iter()
            .chain(&arguments.more)
            .fold(Value::never(), |all, it| all.or(it));
        if all != Value::never() {
            let site = match object.atoms.first() {
                Some(Atom::Instance(_, site)) => *site,
                _ => return,
            };
            let contents = self.heap.entry(site).or_default();
            self.version += usize::from(contents.rest.join(&all));
        }
        if class.foreign {
            let all = arguments.all();
            self.call_back(&all, &all.clone().or(&Value::inert()), arguments.at);
        }
    }

    /// Returns a member of a class.
    pub(super) fn of_class(&mut self, id: usize, name: &str) -> Value {
        let mut found = Value::never();
        let mut foreign = false;
        for id in self.line(id) {
            if let Some(class) = self.classes.get(id) {
                foreign |= class.foreign;
                if let Some(value) = class.fields.get(name) {
                    found.join(value);
                    found.join(&bound_to_class(value, id));
                }
            }
        }
        if found.atoms.is_empty() || foreign {
            found.join(&Value::inert());
        }
        found
    }

    /// Returns a member of an object: its own, then its class's.
    pub(super) fn of_instance(&mut self, id: usize, site: Site, name: &str) -> Value {
        let contents = self.contents(site);
        let mut found = contents.fields.get(name).cloned().unwrap_or_default();
        found.join(&contents.rest);
        let object = Value::of(Atom::Instance(id, site));
        let mut foreign = false;
        for id in self.line(id) {
            let Some(class) = self.classes.get(id) else {
                continue;
            };
            foreign |= class.foreign;
            let value = class.fields.get(name).cloned().unwrap_or_default();
            for atom in &value.atoms {
                let member = match atom {
                    Atom::Function(own) => self.bound_to(own, &object),
                    other @ (Atom::Anything
                    | Atom::Inert
                    | Atom::Text(_)
                    | Atom::Path(_)
                    | Atom::List(_)
                    | Atom::Table(_)
                    | Atom::Module(_)
                    | Atom::Member(_)
                    | Atom::Object(..)
                    | Atom::Method(..)
                    | Atom::Bound(..)
                    | Atom::Class(_)
                    | Atom::Instance(..)
                    | Atom::Package(_)) => Value::of(other.clone()),
                };
                found.join(&member);
            }
        }
        if foreign {
            found.join(&Value::inert());
        }
        if self.answers_anything(id) {
            return Value::anything();
        }
        found
    }

    /// Tells whether a class makes up its members as it likes.
    fn answers_anything(&self, id: usize) -> bool {
        let made_up = |id: &usize| {
            let fields = self.classes.get(*id).map(|it| &it.fields);
            fields.is_some_and(|it| {
                it.contains_key("__getattr__") || it.contains_key("__getattribute__")
            })
        };
        self.line(id).iter().any(made_up)
    }

    /// A method with its object; what is decorated as a property is its result.
    fn bound_to(&mut self, own: &Own, object: &Value) -> Value {
        let decorated = |word: &str| {
            own.function
                .decorators
                .iter()
                .any(|it| matches!(it, super::tree::Expression::Name(name) if name == word))
        };
        if decorated("staticmethod") {
            return Value::of(Atom::Function(own.clone()));
        }
        if decorated("property") {
            return self.call_own(own, &Arguments::of(vec![object.clone()], own.function.at));
        }
        if !own.function.decorators.is_empty() && !decorated("classmethod") {
            // Both ways of getting at what a decorator made.
            let plain = Value::of(Atom::Function(own.clone()));
            let bound = Value::of(Atom::Bound(own.clone(), Rc::new(object.clone())));
            let called = self.call_own(own, &Arguments::of(vec![object.clone()], own.function.at));
            return plain.or(&bound).or(&called);
        }
        Value::of(Atom::Bound(own.clone(), Rc::new(object.clone())))
    }

    /// Returns a class and those above it.
    pub(super) fn line(&self, id: usize) -> Vec<usize> {
        let mut line = vec![id];
        let mut at = 0;
        while let Some(next) = line.get(at).copied() {
            let bases = self
                .classes
                .get(next)
                .map(|it| it.bases.clone())
                .unwrap_or_default();
            for base in bases {
                if !line.contains(&base) && line.len() < ABOVE {
                    line.push(base);
                }
            }
            at += 1;
        }
        line
    }
}

/// Decorated functions of a class may take the class first.
fn bound_to_class(value: &Value, id: usize) -> Value {
    let mut all = Value::never();
    for atom in &value.atoms {
        if let Atom::Function(own) = atom
            && !own.function.decorators.is_empty()
        {
            let class = Rc::new(Value::of(Atom::Class(id)));
            all.join(&Value::of(Atom::Bound(own.clone(), class)));
        }
    }
    all
}

/// Tells whether a class of the library does nothing but what its sub-class makes it do.
fn is_base(steps: &[Step]) -> bool {
    let calm = |it: &Step| {
        matches!(
            it,
            Step::Keeps | Step::Quiet | Step::Special("thread" | "table" | "list" | "str")
        )
    };
    steps.iter().all(calm)
}
