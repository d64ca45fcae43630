//! The folders we may be in: that of the last `cd`, and those of every one before that may have failed.

use std::rc::Rc;

use crate::machine::state::{FOLDERS, Shared, State};
use crate::machine::value::Val;

impl State {
    /// Adds the folders that another state may be in.
    pub(crate) fn join_folders(&mut self, other: &Self) {
        if self.found != other.found {
            return self.lose_folder();
        }
        if self.cwd == other.cwd && self.elsewhere == other.elsewhere {
            return;
        }
        if self.cwd.is_none() || other.cwd.is_none() {
            return self.lose_folder();
        }
        for folder in other.cwd.iter().chain(&other.elsewhere) {
            if self.cwd.as_ref() != Some(folder) && !self.elsewhere.contains(folder) {
                self.elsewhere.push(folder.clone());
            }
        }
        self.elsewhere.sort();
        if self.elsewhere.len() >= FOLDERS {
            self.lose_folder();
        }
    }

    /// Adds how the shell stood at another moment, but for its variables.
    pub(crate) fn stood_like(&mut self, other: &Self) {
        if Rc::ptr_eq(&self.0, &other.0) {
            return;
        }
        self.join_folders(other);
        if self.positional != other.positional {
            let mine = std::mem::take(&mut self.positional).take();
            self.positional = Shared::new(mine.or(&other.positional));
        }
        self.files = std::mem::take(&mut self.files).or(other.files.clone());
        self.options = self.options.or(&other.options);
        if self.functions.is_same(&other.functions) {
            return;
        }
        for (name, function) in other.functions.iter() {
            match self.functions.get_mut(name) {
                Some(own) => own.add(&function.bodies),
                None => {
                    let mut function = function.clone();
                    function.perhaps = true;
                    self.functions.insert(name.clone(), function);
                }
            }
        }
    }

    /// Returns the folder we are in: one of those we may be in.
    pub(crate) fn here(&self) -> Val {
        let Some(cwd) = &self.cwd else {
            return Val::unknown();
        };
        let others = self.elsewhere.iter().map(Val::known);
        Val::any_of(std::iter::once(Val::known(cwd)).chain(others))
    }

    /// Forgets where we are.
    pub(crate) fn lose_folder(&mut self) {
        self.cwd = None;
        self.found = None;
        self.elsewhere.clear();
    }

    /// Returns this state once for each folder we may be in.
    pub(crate) fn by_folder(mut self) -> Vec<Self> {
        let others = std::mem::take(&mut self.elsewhere);
        let mut all: Vec<Self> = others
            .into_iter()
            .map(|folder| {
                let mut there = self.clone();
                there.cwd = Some(folder);
                there
            })
            .collect();
        all.push(self);
        all
    }
}
