//! The shell's own state, as far as it is known.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use belay_model::Carries;

use crate::machine::value::Val;

/// Something that many states hold and few change: copied when one of several holders changes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shared<T>(Rc<T>);

impl<T: Clone> Shared<T> {
    pub(crate) fn take(self) -> T {
        Rc::unwrap_or_clone(self.0)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Rc::make_mut(&mut self.0)
    }
}

/// Things by name.
type Named<T> = Shared<BTreeMap<String, T>>;

/// Variables, folder, functions: what a command leaves for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// Variables set in this call; unset ones are `None`.
    pub(crate) variables: Named<Option<Val>>,
    /// Arrays set in this call.
    pub(crate) arrays: Named<Vec<Val>>,
    /// The working folder, absolute; `None` when not known.
    pub(crate) cwd: Option<String>,
    /// The folder we may still be in, if the last `cd` failed and nobody looked.
    pub(crate) perhaps: Option<String>,
    /// The folder before the last `cd`.
    pub(crate) previous: Option<String>,
    /// The folders below the top of the stack of `pushd`.
    pub(crate) stack: Vec<Option<String>>,
    /// Functions by name: the text of their body, `None` when it cannot be read again.
    pub(crate) functions: Named<Option<String>>,
    /// `$0`, where a command gave it.
    pub(crate) zero: Option<Val>,
    /// The positional parameters; `None` when not known.
    pub(crate) positional: Option<Vec<Val>>,
    /// Files written in this call: what is in them.
    pub(crate) files: Named<Note>,
    /// What was moved in this call, and where to.
    pub(crate) moved: Shared<Vec<(Val, String)>>,
    /// Code that runs when the shell ends.
    pub(crate) traps: Vec<String>,
    /// Whether a failing command ends the shell.
    pub(crate) stops_on_failure: bool,
}

/// What is known of a file that this call wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Note {
    /// What flowed into it.
    pub(crate) carries: Carries,
    /// Its text, when known.
    pub(crate) text: Option<String>,
    /// Whether its text came from elsewhere as it is: copied, appended, edited.
    pub(crate) copied: bool,
}

impl State {
    /// Returns the state after one of two ways was taken.
    pub(crate) fn or(mut self, other: Self) -> Self {
        if self.cwd != other.cwd {
            self.perhaps = None;
            self.cwd = None;
        }
        if self.variables != other.variables {
            self.variables = Shared(Rc::new(merge(
                self.variables.take(),
                other.variables.take(),
            )));
        }
        for (name, values) in other.arrays.take() {
            if self.arrays.get(&name) != Some(&values) {
                self.arrays.insert(name, vec![Val::unknown()]);
            }
        }
        for (name, body) in other.functions.take() {
            self.functions
                .entry(name)
                .and_modify(|mine| {
                    if *mine != body {
                        *mine = None
                    }
                })
                .or_insert(body);
        }
        for (path, note) in other.files.take() {
            self.files
                .entry(path)
                .and_modify(|mine| *mine = mine.clone().or(&note))
                .or_insert(note);
        }
        if self.positional != other.positional {
            self.positional = None;
        }
        if self.stack != other.stack {
            self.stack.clear();
        }
        for trap in other.traps {
            if !self.traps.contains(&trap) {
                self.traps.push(trap);
            }
        }
        self.stops_on_failure &= other.stops_on_failure;
        self
    }

    /// Sets a variable.
    pub(crate) fn set(&mut self, name: &str, val: Val) {
        self.arrays.remove(name);
        self.variables.insert(name.to_owned(), Some(val));
    }
}

impl Note {
    fn or(self, other: &Self) -> Self {
        let text = if self.text == other.text {
            self.text
        } else {
            None
        };
        Self {
            carries: self.carries.and(other.carries),
            text,
            copied: self.copied || other.copied,
        }
    }
}

type Variables = BTreeMap<String, Option<Val>>;

fn merge(mine: Variables, mut theirs: Variables) -> Variables {
    let mut merged = Variables::new();
    for (name, val) in mine {
        let either = match (val, theirs.remove(&name)) {
            (Some(a), Some(Some(b))) => Some(a.or(&b)),
            (None, Some(None)) => None,
            (Some(a), Some(None) | None) | (None, Some(Some(a))) => {
                Some(Val::unknown().carrying(a.carries))
            }
            (None, None) => Some(Val::unknown()),
        };
        merged.insert(name, either);
    }
    for (name, val) in theirs {
        let carries = val.map_or(Carries::UNKNOWN, |it| it.carries);
        merged.insert(name, Some(Val::unknown().carrying(carries)));
    }
    merged
}
