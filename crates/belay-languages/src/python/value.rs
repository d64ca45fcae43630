//! What is known of a Python value before anything runs.

use std::rc::Rc;

use super::tables::{Member, Thing};
use super::tree::Function;

/// So many things one value may be; of more, nobody keeps count.
const MOST: usize = 12;

/// So long a text is followed.
pub(super) const LONGEST: usize = 4096;

/// A value: one of a few things, and what flowed into it. Nothing at all is a value that never comes to be.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Value {
    pub(super) atoms: Vec<Atom>,
    pub(super) labels: Labels,
}

/// What flowed into a value.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Labels {
    /// Variables of the environment by name.
    pub(super) variables: Vec<String>,
    /// All of the environment.
    pub(super) environment: bool,
    /// Something a host sent.
    pub(super) fetched: bool,
}

/// Where a list, table or object was made: a place in the program, and the call it was reached by.
pub(super) type Site = (usize, u64);

/// One thing a value may be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Atom {
    /// Anything at all, code too.
    Anything,
    /// Numbers, texts, and objects from which nothing leads to an act.
    Inert,
    Text(Text),
    /// A path object.
    Path(Text),
    List(Site),
    Table(Site),
    /// A module of the library.
    Module(Rc<str>),
    /// A member of a module or builtin.
    Member(&'static Member),
    /// An object of a known kind, and the path or address it was made with.
    Object(&'static Thing, Rc<Value>),
    /// A method, and what it belongs to.
    Method(Rc<Atom>, Rc<str>),
    Function(Own),
    /// A method of an own class, with the object it is called on.
    Bound(Own, Rc<Value>),
    Class(usize),
    Instance(usize, Site),
    /// Something of a package of others, or of the project.
    Package(Rc<str>),
}

/// A function of the program, and the scope it was made in.
#[derive(Clone, Debug)]
pub(super) struct Own {
    pub(super) function: Rc<Function>,
    pub(super) scope: usize,
}

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        self.function.at == other.function.at && self.scope == other.scope
    }
}

/// A text as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) known: String,
    pub(super) rest: Rest,
}

/// What may stand after the known part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    Nothing,
    /// Path segments that do not lead upwards.
    Below,
    Anything,
}

impl Text {
    pub(super) fn exact(text: impl Into<String>) -> Self {
        Self {
            known: text.into(),
            rest: Rest::Nothing,
        }
    }

    /// Something whose beginning is known.
    pub(super) fn begins(known: impl Into<String>, rest: Rest) -> Self {
        Self {
            known: known.into(),
            rest,
        }
    }

    /// Tells whether this may be a whole number, and nothing that leads elsewhere.
    pub(super) fn is_number(&self) -> bool {
        self.known.is_empty() && self.rest == Rest::Below
    }

    /// Returns the text when all of it is known.
    pub(super) fn whole(&self) -> Option<&str> {
        (self.rest == Rest::Nothing).then_some(self.known.as_str())
    }

    /// Returns this text with another behind it.
    pub(super) fn then(&self, next: &Self) -> Self {
        let unknown = || Self::begins(self.known.clone(), Rest::Anything);
        let mut segments = next.known.split('/');
        // Behind a dot, another one would lead upwards.
        let level = segments.next() != Some(".") && next.known.split('/').all(|it| it != "..");
        match (self.rest, next.rest) {
            _ if self.known.len() + next.known.len() > LONGEST => unknown(),
            (Rest::Nothing, Rest::Below) if next.known.is_empty() && self.known.ends_with('.') => {
                unknown()
            }
            (Rest::Nothing, rest) => Self::begins(format!("{}{}", self.known, next.known), rest),
            (Rest::Below, Rest::Nothing) if level => self.clone(),
            (Rest::Below | Rest::Anything, _) => unknown(),
        }
    }

    /// Returns the path of something in this folder.
    pub(super) fn within(&self, next: &Self) -> Self {
        if next.known.starts_with(['/', '~']) {
            return next.clone();
        }
        if next.known.is_empty() && next.rest == Rest::Anything {
            return next.clone();
        }
        let safe = next.known.split('/').all(|it| it != "..");
        match (self.rest, next.rest) {
            (Rest::Nothing, rest) => {
                let folder = self.known.trim_end_matches('/');
                let known = match self.known.as_str() {
                    "" | "." => next.known.clone(),
                    _ => format!("{folder}/{}", next.known),
                };
                if known.is_empty() && rest == Rest::Nothing {
                    return Self::exact(".");
                }
                if next.known.is_empty() && rest == Rest::Nothing {
                    return self.clone();
                }
                Self::begins(known, rest)
            }
            (Rest::Below, Rest::Nothing | Rest::Below) if safe => self.clone(),
            _ => Self::begins(self.known.clone(), Rest::Anything),
        }
    }

    /// Returns the folder that holds this path.
    pub(super) fn parent(&self) -> Self {
        match (self.rest, self.known.trim_end_matches('/').rsplit_once('/')) {
            (Rest::Nothing, Some(("", _))) => Self::exact("/"),
            (Rest::Nothing, Some((_, ".." | "."))) => Self::begins("", Rest::Anything),
            (Rest::Nothing, Some((folder, _))) => Self::exact(folder),
            (Rest::Nothing, None) if matches!(self.known.as_str(), "" | "." | ".." | "/" | "~") => {
                Self::begins("", Rest::Anything)
            }
            (Rest::Nothing, None) => Self::exact("."),
            (Rest::Below | Rest::Anything, _) => Self::begins(self.known.clone(), Rest::Anything),
        }
    }

    /// Returns the last segment of this path.
    pub(super) fn last(&self) -> Self {
        match self.rest {
            Rest::Nothing => {
                let path = self.known.trim_end_matches('/');
                Self::exact(path.rsplit('/').next().unwrap_or(path))
            }
            Rest::Below => Self::begins("", Rest::Below),
            Rest::Anything => Self::begins("", Rest::Anything),
        }
    }

    /// Returns how whoever reads our answers writes it.
    pub(super) fn shown(&self) -> String {
        match self.rest {
            Rest::Nothing => self.known.clone(),
            Rest::Below => format!("{}{}", self.known, crate::WITHIN),
            Rest::Anything => format!("{}{}", self.known, crate::ANYTHING),
        }
    }
}

impl Labels {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn add(&mut self, other: &Self) {
        for name in &other.variables {
            if !self.variables.contains(name) {
                self.variables.push(name.clone());
            }
        }
        self.environment |= other.environment;
        self.fetched |= other.fetched;
    }
}

impl Value {
    /// Labels what is made of a value that may be the whole environment.
    pub(super) fn telling(mut self, from: &Self) -> Self {
        let whole = |it: &Atom| matches!(it, Atom::Object(thing, _) if thing.name == "environ");
        self.labels.environment |= from.atoms.iter().any(whole);
        self
    }

    pub(super) fn of(atom: Atom) -> Self {
        Self {
            atoms: vec![atom],
            labels: Labels::default(),
        }
    }

    pub(super) fn inert() -> Self {
        Self::of(Atom::Inert)
    }

    pub(super) fn anything() -> Self {
        Self::of(Atom::Anything)
    }

    pub(super) fn never() -> Self {
        Self::default()
    }

    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::of(Atom::Text(Text::exact(text)))
    }

    /// A whole number that nobody knows: in a text it stands in digits.
    pub(super) fn number() -> Self {
        Self::of(Atom::Text(Text::begins("", Rest::Below)))
    }

    pub(super) fn labelled(mut self, labels: &Labels) -> Self {
        self.labels.add(labels);
        self
    }

    /// Adds what another value may be; tells whether that was news.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let before = (self.atoms.len(), self.labels.clone());
        self.labels.add(&other.labels);
        if self.atoms == [Atom::Anything] {
            return self.labels != before.1;
        }
        for atom in &other.atoms {
            if !self.atoms.contains(atom) {
                self.atoms.push(atom.clone());
            }
        }
        if self.atoms.contains(&Atom::Anything) {
            self.atoms = vec![Atom::Anything];
            return true;
        }
        if self.atoms.len() > MOST {
            self.widen();
        }
        self.atoms.len() != before.0 || self.labels != before.1
    }

    pub(super) fn or(mut self, other: &Self) -> Self {
        self.join(other);
        self
    }

    /// Forgets which texts and paths it may be.
    pub(super) fn widen(&mut self) {
        let text = self.atoms.iter().any(|it| matches!(it, Atom::Text(_)));
        let path = self.atoms.iter().any(|it| matches!(it, Atom::Path(_)));
        self.atoms
            .retain(|it| !matches!(it, Atom::Text(_) | Atom::Path(_)));
        if text && !self.atoms.contains(&Atom::Inert) {
            self.atoms.push(Atom::Inert);
        }
        if path {
            self.atoms
                .push(Atom::Path(Text::begins("", Rest::Anything)));
        }
        if self.atoms.len() > MOST {
            self.atoms = vec![Atom::Anything];
        }
    }

    /// Returns the texts it may be; one may be anything where that is not known.
    pub(super) fn texts(&self) -> Vec<Text> {
        let unknown = || Text::begins("", Rest::Anything);
        let subject = |atom: &Atom| {
            if let Atom::Text(text) | Atom::Path(text) = atom {
                text.clone()
            } else {
                unknown()
            }
        };
        let each = |atom: &Atom| match atom {
            Atom::Text(text) | Atom::Path(text) => vec![text.clone()],
            Atom::Object(_, about) if !about.atoms.is_empty() => {
                about.atoms.iter().map(subject).collect()
            }
            Atom::Object(..)
            | Atom::Anything
            | Atom::Inert
            | Atom::List(_)
            | Atom::Table(_)
            | Atom::Module(_)
            | Atom::Member(_)
            | Atom::Method(..)
            | Atom::Function(_)
            | Atom::Bound(..)
            | Atom::Class(_)
            | Atom::Instance(..)
            | Atom::Package(_) => vec![unknown()],
        };
        self.atoms.iter().flat_map(each).collect()
    }

    /// Returns the one text it is.
    pub(super) fn whole(&self) -> Option<&str> {
        match self.atoms.as_slice() {
            [Atom::Text(text) | Atom::Path(text)] => text.whole(),
            _ => None,
        }
    }

    /// Tells whether nothing is in it but data, and members of the library that do nothing when they are called.
    pub(super) fn does_nothing(&self) -> bool {
        let idle = |it: &Atom| match it {
            Atom::Inert | Atom::Text(_) => true,
            Atom::Member(member) => member.steps().is_empty(),
            Atom::Anything
            | Atom::Path(_)
            | Atom::List(_)
            | Atom::Table(_)
            | Atom::Module(_)
            | Atom::Object(..)
            | Atom::Method(..)
            | Atom::Function(_)
            | Atom::Bound(..)
            | Atom::Class(_)
            | Atom::Instance(..)
            | Atom::Package(_) => false,
        };
        self.atoms.iter().all(idle)
    }

    /// Tells whether nothing but data is in it, lists and tables left aside.
    pub(super) fn is_plain(&self) -> bool {
        let plain = |it: &Atom| matches!(it, Atom::Inert | Atom::Text(_));
        self.atoms.iter().all(plain)
    }
}
