//! What single keys of an array hold: those of an associative one, and of one with holes.

use belay_shell::{
    Arith, ArithKind, Id, ParamName, ParamOp, PartKind, Subscript, SubscriptKind, Tree,
};

use crate::machine::assignments::{is_plain_key, written_key};
use crate::machine::constants::decimal;
use crate::machine::options::Tri;
use crate::machine::state::State;
use crate::machine::value::Val;
use crate::machine::variable::{Elements, Held, Variable};
use crate::machine::walk::{Walker, lossy};
use crate::scene::Shell;

/// So many keys are known one by one.
const PAIRS: usize = 64;

/// What keys hold, for certain.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pairs {
    /// Keys and what they hold, in the order of their texts.
    pub(crate) all: Vec<(String, Val)>,
    /// Whether no other key is set.
    pub(crate) closed: bool,
}

impl Pairs {
    /// Nothing that is known.
    pub(crate) const fn none() -> Self {
        Self {
            all: Vec::new(),
            closed: false,
        }
    }

    /// No key that is set.
    const fn empty() -> Self {
        Self {
            all: Vec::new(),
            closed: true,
        }
    }

    /// Returns what is known of an array before it is changed.
    fn before(variable: &Variable) -> Self {
        let keyed = variable.ways.keyed;
        match &variable.held {
            _ if !variable.set.may() => Self::empty(),
            Held::List(vals) if vals.is_empty() => Self::empty(),
            Held::List(vals) if !keyed.may() && vals.len() <= PAIRS => {
                let mut pairs = Self::empty();
                for (at, val) in vals.iter().enumerate() {
                    pairs.put(at.to_string(), val.clone());
                }
                pairs
            }
            Held::Any(it) => it.pairs.clone(),
            Held::One(_) | Held::List(_) => Self::none(),
        }
    }

    /// Returns what a key holds, where that is known.
    pub(crate) fn get(&self, key: &str) -> Option<&Val> {
        let at = self
            .all
            .binary_search_by(|it| it.0.as_str().cmp(key))
            .ok()?;
        self.all.get(at).map(|it| &it.1)
    }

    /// Sets a key; of too many none is known.
    pub(crate) fn put(&mut self, key: String, val: Val) {
        match self.all.binary_search_by(|it| it.0.cmp(&key)) {
            Ok(at) => {
                if let Some(pair) = self.all.get_mut(at) {
                    pair.1 = val;
                }
            }
            Err(at) if self.all.len() < PAIRS => self.all.insert(at, (key, val)),
            Err(_) => *self = Self::none(),
        }
    }

    /// Returns what is known when either may be so.
    pub(crate) fn or(&self, other: &Self) -> Self {
        let both = self.all.iter().filter_map(|(key, val)| {
            let other = other.get(key)?;
            Some((key.clone(), val.or(other)))
        });
        let all: Vec<(String, Val)> = both.collect();
        let alike = all.len() == self.all.len() && all.len() == other.all.len();
        let closed = self.closed && other.closed && alike;
        Self { all, closed }
    }

    /// Says that any key may hold this since.
    fn blur(&mut self, val: &Val) {
        for (_, own) in &mut self.all {
            *own = own.or(val);
        }
        self.closed = false;
    }
}

/// Tells whether keys of this variable can be told apart: all texts, or all numbers.
fn has_one_kind(variable: &Variable) -> bool {
    variable.ways.keyed.must() || !variable.ways.keyed.may()
}

/// Returns an array of which one key was set to a value; its other elements are like those before.
pub(crate) fn with_key(variable: &Variable, key: &Val, val: &Val) -> Elements {
    let old = match variable.set.may() {
        true => variable.held.elements(),
        false => Elements::of(key.clone(), val.clone()),
    };
    let keys = old.keys.or(key);
    let values = old.values.or(val);
    let mut pairs = match has_one_kind(variable) {
        true => Pairs::before(variable),
        false => Pairs::none(),
    };
    match key.text().filter(|it| can_be_told(variable, it)) {
        Some(key) => pairs.put(key.to_owned(), val.clone()),
        None => pairs.blur(val),
    }
    if pairs.closed {
        return Elements::paired(pairs);
    }
    Elements {
        pairs,
        ..Elements::of(keys, values)
    }
}

/// Returns an array from which one key was taken; nothing where that is not known.
pub(crate) fn without_key(variable: &Variable, key: &Val) -> Option<Held> {
    let key = key.text().filter(|it| can_be_told(variable, it))?;
    let mut pairs = Pairs::before(variable);
    pairs.all.retain(|it| it.0 != key);
    let gone = has_one_kind(variable) && pairs.closed && !pairs.all.is_empty();
    gone.then(|| Held::Any(Box::new(Elements::paired(pairs))))
}

/// Tells whether a key is the only way to write what it means.
fn can_be_told(variable: &Variable, key: &str) -> bool {
    match variable.ways.keyed.must() {
        true => is_plain_key(key),
        false => decimal(key).is_some_and(|it| it >= 0),
    }
}

/// Returns what a key of an array holds, where that is known; nothing where it is not set.
pub(crate) fn held_by(variable: &Variable, key: &Val) -> Option<Option<Val>> {
    let Held::Any(it) = &variable.held else {
        return None;
    };
    if !has_one_kind(variable) {
        return None;
    }
    let key = key.text().filter(|it| can_be_told(variable, it))?;
    match it.pairs.get(key) {
        Some(val) => Some(Some(val.clone())),
        None => it.pairs.closed.then_some(None),
    }
}

/// A subscript, and the name it stands behind.
#[derive(Clone, Copy)]
pub(crate) struct Behind<'a> {
    pub(crate) name: &'a str,
    pub(crate) subscript: Id<Subscript>,
}

impl Walker<'_> {
    /// Returns the key of a subscript where keys are texts: as it is written, or what the one variable in it holds.
    pub(crate) fn key_of_texts(&self, tree: &Tree<'_>, id: Id<Subscript>, state: &State) -> Val {
        if self.scene.shell != Shell::Bash {
            return Val::unknown();
        }
        if let Some(key) = written_key(tree, id) {
            return Val::known(key);
        }
        match tree.one(id).kind {
            SubscriptKind::At | SubscriptKind::Star => Val::unknown(),
            SubscriptKind::Index(arith) => self
                .key_expanded(tree, arith, state)
                .unwrap_or_else(Val::unknown),
        }
    }

    /// Returns the key that a subscript means behind this name.
    pub(crate) fn key_in(&mut self, tree: &Tree<'_>, behind: Behind<'_>, state: &State) -> Val {
        let Behind { name, subscript } = behind;
        match self.read_variable(name, state).ways.keyed {
            Tri::Yes => self.key_of_texts(tree, subscript, state),
            Tri::Perhaps => Val::unknown(),
            Tri::No => self.key(tree, subscript, state),
        }
    }

    fn key_expanded(&self, tree: &Tree<'_>, arith: Arith, state: &State) -> Option<Val> {
        let lone = |arith: Arith| match tree.many(arith) {
            [token] => Some(token.kind),
            _ => None,
        };
        let mut kind = lone(arith)?;
        if let ArithKind::Quoted(inner) = kind {
            kind = lone(inner)?;
        }
        let ArithKind::Expansion(parts) = kind else {
            return None;
        };
        let [part] = tree.many(parts) else {
            return None;
        };
        let PartKind::Param(id) = part.kind else {
            return None;
        };
        let param = tree.one(id);
        let plain = param.subscript.is_none() && !param.indirect && !param.length;
        let (ParamName::Variable(name), ParamOp::None, true) = (param.name, param.op, plain) else {
            return None;
        };
        let name = lossy(tree.bytes(name));
        let variable = self.lookup(&name, state);
        let odd = variable.ways.reference.may() || state.is_stirred(&name);
        match variable.held {
            Held::One(val) if variable.set.must() && !odd => Some(val),
            Held::One(_) | Held::List(_) | Held::Any(_) => None,
        }
    }
}
