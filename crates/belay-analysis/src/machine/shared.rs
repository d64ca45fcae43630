//! Things that many states hold and few change.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use crate::machine::came::Filled;
use crate::machine::descriptors::{End, Source};
use crate::machine::files::Note;
use crate::machine::links::Linked;
use crate::machine::options::Tri;
use crate::machine::origins::Brought;
use crate::machine::state::{Core, Function, Shadowed, State, Trap};
use crate::machine::stream::Stream;
use crate::machine::value::Val;
use crate::machine::variable::{Held, Variable};

/// Copied when one of several holders changes it; nothing is kept of what is as it began.
#[derive(Clone, Debug)]
pub(crate) struct Shared<T>(Option<Rc<T>>);

/// What has a beginning that all share.
pub(crate) trait Blank: Clone + Default + 'static {
    /// Returns how it began.
    fn blank() -> &'static Self;
}

macro_rules! blank {
    ($($kind:ty,)*) => {
        $(impl Blank for $kind {
            fn blank() -> &'static Self {
                thread_local! {
                    static BLANK: &'static $kind = Box::leak(Box::default());
                }
                BLANK.with(|it| *it)
            }
        })*
    };
}

blank! {
    BTreeMap<String, Variable>,
    BTreeMap<String, (Val, Tri)>,
    Vec<Brought>,
    Vec<Filled>,
    Vec<String>,
    BTreeMap<String, Function>,
    BTreeMap<String, Note>,
    Vec<BTreeMap<String, Shadowed>>,
    Option<Vec<String>>,
    Held,
    Vec<(Val, String)>,
    Vec<Linked>,
    Vec<Trap>,
    Vec<(String, Note)>,
    Vec<(u32, End)>,
    Vec<Stream>,
    Vec<Source>,
    Vec<(String, Val)>,
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Blank + PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || **self == **other
    }
}

impl<T> Shared<T> {
    pub(crate) fn new(inner: T) -> Self {
        Self(Some(Rc::new(inner)))
    }

    /// Tells whether two hold the very same thing.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(mine), Some(theirs)) => Rc::ptr_eq(mine, theirs),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

impl<T: Blank> Shared<T> {
    pub(crate) fn take(self) -> T {
        match self.0 {
            Some(inner) => Rc::unwrap_or_clone(inner),
            None => T::blank().clone(),
        }
    }
}

impl<T: Blank> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.0 {
            Some(inner) => inner,
            None => T::blank(),
        }
    }
}

impl<T: Blank> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Rc::make_mut(self.0.get_or_insert_with(|| Rc::new(T::blank().clone())))
    }
}

impl State {
    /// Makes a state that nobody else holds.
    pub(crate) fn of(core: Core) -> Self {
        Self(Rc::new(core))
    }
}

impl Deref for State {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.0
    }
}

impl DerefMut for State {
    fn deref_mut(&mut self) -> &mut Core {
        Rc::make_mut(&mut self.0)
    }
}
