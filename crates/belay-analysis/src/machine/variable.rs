//! A variable: what it holds, whether it is set, and how it behaves when it is set again.

use std::collections::BTreeMap;

use belay_model::Carries;

use crate::machine::options::Tri;
use crate::machine::pairs::Pairs;
use crate::machine::value::{Text, Val};

/// So many elements of an array are known one by one.
pub(crate) const ELEMENTS: usize = 1024;

/// What a variable or the positional parameters hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Held {
    /// One text.
    One(Val),
    /// An array whose elements are all known, from the first on.
    List(Vec<Val>),
    /// An array of any length: what its keys and its elements are like.
    Any(Box<Elements>),
}

/// What the keys and elements of an array are like.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Elements {
    pub(crate) keys: Val,
    pub(crate) values: Val,
    /// The elements one by one, each pattern for as many names as it finds; empty where their order is not known.
    pub(crate) row: Vec<Val>,
    /// What these keys hold for certain, in the order of the keys' texts.
    pub(crate) pairs: Pairs,
}

impl Elements {
    /// Elements in any order.
    pub(crate) const fn of(keys: Val, values: Val) -> Self {
        Self {
            keys,
            values,
            row: Vec::new(),
            pairs: Pairs::none(),
        }
    }

    /// Elements of which each is known by its key.
    pub(crate) fn paired(pairs: Pairs) -> Self {
        let keys = pairs.all.iter().map(|it| Val::known(it.0.clone()));
        let values = pairs.all.iter().map(|it| it.1.clone());
        Self {
            pairs: pairs.clone(),
            ..Self::of(Val::any_of(keys), Val::any_of(values))
        }
    }

    /// Returns the elements from this one on, where those before it are one each.
    pub(crate) fn from(&self, at: usize) -> Option<&[Val]> {
        let before = self.row.get(..at)?;
        let plain = before.iter().all(Val::is_one_word);
        self.row.get(at..).filter(|it| plain && !it.is_empty())
    }
}

/// A variable of the shell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Variable {
    pub(crate) held: Held,
    /// Whether it is set.
    pub(crate) set: Tri,
    pub(crate) ways: Ways,
}

/// How a variable behaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ways {
    /// Child processes get it. A variable of the environment stays exported when it is set again, so most may be.
    pub(crate) exported: Tri,
    /// It cannot be set again.
    pub(crate) readonly: Tri,
    /// Its value is evaluated as arithmetic.
    pub(crate) integer: Tri,
    /// Its value is changed to lower case.
    pub(crate) lower: Tri,
    /// Its value is changed to upper case.
    pub(crate) upper: Tri,
    /// The first letter of its value is changed to upper case, the others to lower case.
    pub(crate) capital: Tri,
    /// It stands for the variable that it names.
    pub(crate) reference: Tri,
    /// Its keys are texts.
    pub(crate) keyed: Tri,
    /// It was set in front of a command, for it alone; perhaps, when the command has touched it since: bash then keeps it
    /// or not, by rules of its own.
    pub(crate) lent: Tri,
}

impl Ways {
    fn or(self, other: Self) -> Self {
        Self {
            exported: self.exported.or(other.exported),
            readonly: self.readonly.or(other.readonly),
            integer: self.integer.or(other.integer),
            lower: self.lower.or(other.lower),
            upper: self.upper.or(other.upper),
            capital: self.capital.or(other.capital),
            reference: self.reference.or(other.reference),
            keyed: self.keyed.or(other.keyed),
            lent: self.lent.or(other.lent),
        }
    }

    /// Says that what changes a value when it is set may not do so.
    pub(crate) fn loosen(&mut self) {
        for way in [
            &mut self.integer,
            &mut self.lower,
            &mut self.upper,
            &mut self.capital,
        ] {
            *way = way.or(Tri::No);
        }
    }

    /// Tells whether a value may be changed when it is set.
    pub(crate) fn may_change(self) -> bool {
        self.integer.may() || self.lower.may() || self.upper.may() || self.capital.may()
    }

    /// Says that of the letters' cases only one can be asked for; of several given at once none may be left.
    pub(crate) fn one_case(&mut self) {
        let cases = [self.lower, self.upper, self.capital];
        if cases.iter().filter(|it| it.may()).count() > 1 {
            for way in [&mut self.lower, &mut self.upper, &mut self.capital] {
                *way = way.or(Tri::No);
            }
        }
    }

    /// Says that something was done to the variable: one that was lent is no longer just that.
    pub(crate) fn touched(mut self) -> Self {
        self.lent = self.lent.or(Tri::No);
        self
    }

    /// Returns the way of an attribute's letter, as `declare` has them.
    pub(crate) fn lettered(&mut self, letter: char) -> Option<&mut Tri> {
        Some(match letter {
            'x' => &mut self.exported,
            'r' => &mut self.readonly,
            'i' => &mut self.integer,
            'l' => &mut self.lower,
            'u' => &mut self.upper,
            'c' => &mut self.capital,
            'n' => &mut self.reference,
            'A' => &mut self.keyed,
            _ => return None,
        })
    }
}

impl Held {
    /// Any number of texts nobody knows.
    pub(crate) fn anything() -> Self {
        Self::Any(Box::new(Elements::of(Val::unknown(), Val::unknown())))
    }

    /// Any number of texts like this one.
    pub(crate) fn any(values: Val) -> Self {
        Self::Any(Box::new(Elements::of(Val::digits(), values)))
    }

    /// A list, or a summary of one that is too long.
    pub(crate) fn list(vals: Vec<Val>) -> Self {
        if vals.len() <= ELEMENTS {
            Self::List(vals)
        } else {
            Self::any(Val::any_of(vals).summed_up())
        }
    }

    /// Returns what is held when either may be so.
    pub(crate) fn or(self, other: &Self) -> Self {
        match (self, other) {
            (a, b) if a == *b => a,
            (Self::One(a), Self::One(b)) => Self::One(a.or(b)),
            (Self::List(a), Self::List(b)) if a.len() == b.len() => {
                Self::List(a.iter().zip(b).map(|(a, b)| a.or(b)).collect())
            }
            (a, b) => {
                let pairs = match (&a, b) {
                    (Self::Any(a), Self::Any(b)) => a.pairs.or(&b.pairs),
                    (Self::One(_) | Self::List(_) | Self::Any(_), _) => Pairs::none(),
                };
                let (a, b) = (a.elements(), b.elements());
                let keys = a.keys.or(&b.keys);
                Self::Any(Box::new(Elements {
                    pairs,
                    ..Elements::of(keys, a.values.or(&b.values))
                }))
            }
        }
    }

    /// A list in which each pattern stands for the names that it finds.
    pub(crate) fn row(vals: Vec<Val>) -> Self {
        if vals.len() > ELEMENTS || vals.iter().all(Val::is_one_word) {
            return Self::list(vals);
        }
        Self::Any(Box::new(Elements {
            row: vals.clone(),
            ..Elements::of(Val::digits(), Val::any_of(vals))
        }))
    }

    /// Returns the elements in their order, where that is known.
    pub(crate) fn in_order(&self) -> Option<&[Val]> {
        match self {
            Self::One(_) => None,
            Self::List(vals) => Some(vals),
            Self::Any(it) if it.row.is_empty() => None,
            Self::Any(it) => Some(&it.row),
        }
    }

    /// Returns what keys and elements are like, in whichever order.
    pub(crate) fn elements(&self) -> Elements {
        match self {
            Self::One(val) => Elements::of(Val::known("0"), val.clone()),
            Self::List(vals) => {
                let keys = match vals.len() {
                    0 => Val::known("0"),
                    1..=8 => Val::any_of((0..vals.len()).map(|it| Val::known(it.to_string()))),
                    _ => Val::digits(),
                };
                Elements::of(keys, Val::any_of(vals.iter().cloned()))
            }
            Self::Any(it) => Elements::of(it.keys.clone(), it.values.clone()),
        }
    }

    /// Returns what a plain `$name` gives: the first element of an array.
    pub(crate) fn first(&self) -> Val {
        match self {
            Self::One(val) => val.clone(),
            Self::List(vals) => vals.first().cloned().unwrap_or_else(|| Val::known("")),
            Self::Any(elements) => elements.values.or(&Val::known("")),
        }
    }

    /// Returns the labels of all it holds.
    pub(crate) fn carries(&self) -> Carries {
        match self {
            Self::One(val) => val.carries,
            Self::List(vals) => vals
                .iter()
                .fold(Carries::NOTHING, |sum, it| sum.and(it.carries)),
            Self::Any(elements) => elements.values.carries.and(elements.keys.carries),
        }
    }
}

impl Variable {
    /// A variable that was just set.
    pub(crate) fn of(held: Held) -> Self {
        Self {
            held,
            set: Tri::Yes,
            ways: Ways {
                exported: Tri::Perhaps,
                ..Ways::default()
            },
        }
    }

    /// A variable that was unset.
    pub(crate) fn unset() -> Self {
        Self {
            held: Held::One(Val::known("")),
            set: Tri::No,
            ways: Ways::default(),
        }
    }

    /// Returns what is known when either may be so.
    pub(crate) fn or(self, other: &Self) -> Self {
        Self {
            held: self.held.or(&other.held),
            set: self.set.or(other.set),
            ways: self.ways.or(other.ways),
        }
    }

    /// Returns what is known when nothing in this call may have set it.
    fn or_untouched(mut self, name: &str) -> Self {
        let untouched = match name {
            // The shell sets it itself and takes it from nobody.
            "IFS" => Val::known(" \t\n"),
            "PATH" => Val::known("$PATH"),
            _ => Val::unknown(),
        };
        self.held = self.held.or(&Held::One(untouched));
        self.set = Tri::Perhaps;
        let plain = Ways {
            exported: self.ways.exported,
            ..Ways::default()
        };
        self.ways = self.ways.or(plain);
        self
    }

    /// Sums up what a loop changes from round to round.
    pub(crate) fn widen(&mut self) {
        self.held = match &self.held {
            Held::One(val) => {
                let carries = val.carries;
                let summed = val.clone().summed_up();
                Held::One(match summed.text {
                    Text::Glob(_) => summed,
                    Text::Known(_)
                    | Text::Prefix { .. }
                    | Text::Unknown { .. }
                    | Text::OneOf(_) => Val::unknown().carrying(carries),
                })
            }
            held @ (Held::List(_) | Held::Any(_)) => {
                let carries = held.carries();
                let any = Val::unknown().carrying(carries);
                let Elements { keys, values, .. } = held.elements();
                let values = values.summed_up();
                let values = if values.is_number() {
                    values
                } else {
                    any.clone()
                };
                let keys = keys.summed_up();
                let keys = if keys.is_number() { keys } else { any };
                Held::Any(Box::new(Elements::of(keys, values)))
            }
        };
        self.set = Tri::Perhaps;
    }

    /// Forgets what it holds, not how it behaves.
    pub(crate) fn lose_text(&mut self) {
        if self.ways.readonly.must() {
            return;
        }
        let carries = self.held.carries();
        self.held = match self.held {
            Held::One(_) => Held::One(Val::unknown().carrying(carries)),
            Held::List(_) | Held::Any(_) => Held::anything(),
        };
        self.set = Tri::Perhaps;
        self.ways = self.ways.touched();
    }

    /// Says that it may have been set to a text since, or taken away.
    pub(crate) fn blur(&mut self, val: &Val) {
        if self.ways.readonly.must() {
            return;
        }
        self.held = match &self.held {
            Held::One(own) => Held::One(own.or(val)),
            held @ (Held::List(_) | Held::Any(_)) => held.clone().or(&Held::any(val.clone())),
        };
        self.set = Tri::Perhaps;
        self.ways = self.ways.touched();
    }

    /// Forgets all that code nobody read may have changed; what is read-only stays.
    pub(crate) fn forget(&mut self) {
        if self.ways.readonly.must() {
            return;
        }
        let carries = self.held.carries();
        self.held = match self.held {
            Held::One(_) => Held::One(Val::unknown().carrying(carries)),
            Held::List(_) | Held::Any(_) => Held::anything(),
        };
        self.set = Tri::Perhaps;
        self.ways = Ways {
            exported: Tri::Perhaps,
            readonly: Tri::Perhaps,
            integer: Tri::Perhaps,
            lower: Tri::Perhaps,
            upper: Tri::Perhaps,
            capital: Tri::Perhaps,
            reference: Tri::Perhaps,
            keyed: Tri::Perhaps,
            lent: self.ways.touched().lent,
        };
    }

    /// What comes back when a function ends that hid it: what was only lent is taken back in its own time, perhaps before.
    pub(crate) fn hidden(self) -> Self {
        if self.ways.lent.may() {
            Self::lost()
        } else {
            self
        }
    }

    /// A variable that was set for a command alone, and that the command did something with: it may hold anything.
    pub(crate) fn lost() -> Self {
        let mut it = Self::of(Held::anything());
        it.forget();
        it.ways.lent = Tri::Perhaps;
        it
    }
}

/// Joins variables by name; one that only one side set may be untouched.
pub(crate) fn join_maps(
    mine: BTreeMap<String, Variable>,
    mut theirs: BTreeMap<String, Variable>,
) -> BTreeMap<String, Variable> {
    let mut joined = BTreeMap::new();
    for (name, variable) in mine {
        let either = match theirs.remove(&name) {
            Some(other) => variable.or(&other),
            None => variable.or_untouched(&name),
        };
        joined.insert(name, either);
    }
    joined.extend(
        theirs
            .into_iter()
            .map(|(name, it)| (name.clone(), it.or_untouched(&name))),
    );
    joined
}

/// Joins what tests told: what only one side knows, nobody does.
pub(crate) fn join_learned(
    mine: BTreeMap<String, (Val, Tri)>,
    theirs: &BTreeMap<String, (Val, Tri)>,
) -> BTreeMap<String, (Val, Tri)> {
    let both = mine.into_iter().filter_map(|(name, (val, set))| {
        let (other, other_set) = theirs.get(&name)?;
        let either = (val.or(other), set.or(*other_set));
        Some((name, either))
    });
    both.collect()
}
