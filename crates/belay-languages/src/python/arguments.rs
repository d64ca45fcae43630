//! Arguments of a call.

use super::tables::Place;
use super::value::{Labels, Value};

/// What a call is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Arguments {
    pub(super) plain: Vec<Value>,
    pub(super) named: Vec<(String, Value)>,
    /// Arguments of which neither number nor names are known.
    pub(super) more: Option<Value>,
    /// Where the call stands.
    pub(super) at: usize,
}

impl Arguments {
    pub(super) fn of(plain: Vec<Value>, at: usize) -> Self {
        Self {
            plain,
            at,
            ..Self::default()
        }
    }

    /// Arguments of which nothing is known.
    pub(super) fn anything(at: usize) -> Self {
        Self {
            more: Some(Value::anything()),
            at,
            ..Self::default()
        }
    }

    /// Returns the argument in a place.
    pub(super) fn get(&self, place: Place) -> Option<Value> {
        match place {
            Place::At(at, name) => {
                let plain = self.plain.get(usize::from(at)).cloned();
                plain.or_else(|| self.by_name(name))
            }
            Place::Named(name) => self.by_name(name),
            Place::All => Some(self.all()),
            Place::Text(text) => Some(match text {
                "?" => Value::inert(),
                text => Value::text(text),
            }),
            Place::Myself => None,
        }
    }

    /// Returns the argument with a name.
    pub(super) fn by_name(&self, name: &str) -> Option<Value> {
        let named = self.named.iter().find(|(it, _)| it == name);
        named
            .map(|(_, it)| it.clone())
            .or_else(|| self.more.clone())
    }

    pub(super) fn each(&self) -> impl Iterator<Item = &Value> {
        let named = self.named.iter().map(|(_, it)| it);
        self.plain.iter().chain(named).chain(&self.more)
    }

    /// Returns all arguments as one value.
    pub(super) fn all(&self) -> Value {
        self.each().fold(Value::never(), |all, it| all.or(it))
    }

    /// Returns all that flowed into them.
    pub(super) fn labels(&self) -> Labels {
        let mut labels = Labels::default();
        self.each().for_each(|it| labels.add(&it.labels));
        labels
    }
}
