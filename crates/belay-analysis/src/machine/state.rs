//! The shell's own state, as far as it is known: what holds in every run that agrees with what was read.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::machine::descriptors::{Descriptors, End};
use crate::machine::files::Files;
use crate::machine::links::Linked;
use crate::machine::options::{Options, Tri};
pub(crate) use crate::machine::shared::Shared;
use crate::machine::value::Val;
use crate::machine::variable::{Held, Variable, join_maps};
use crate::machine::zero::Zero;

/// So many folders we may stand in before nothing is known of it.
const FOLDERS: usize = 4;

/// So many bodies a function may have before nothing is known of it.
const BODIES: usize = 4;

/// So few things by name are compared one by one.
pub(crate) const FEW: usize = 16;

/// Things by name.
pub(crate) type Named<T> = Shared<BTreeMap<String, T>>;

/// Variables, folder, functions, descriptors: what a command leaves for the next.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// Variables set in this call.
    pub(crate) variables: Named<Variable>,
    /// What the variables were that functions we are in made their own, innermost last.
    pub(crate) scopes: Shared<Vec<BTreeMap<String, Shadowed>>>,
    /// The working folder, absolute; `None` when not known.
    pub(crate) cwd: Option<String>,
    /// The pattern of the folders of which we are in one, absolute, where the folder itself is not known.
    pub(crate) found: Option<String>,
    /// Other folders we may be in, because a `cd` may have failed.
    pub(crate) elsewhere: Vec<String>,
    /// The folder before the last `cd`.
    pub(crate) previous: Option<String>,
    /// The folders below the top of the stack of `pushd`; `None` when not known.
    pub(crate) stack: Shared<Option<Vec<String>>>,
    /// Functions by name.
    pub(crate) functions: Named<Function>,
    /// `$0`, where a command gave it.
    pub(crate) zero: Option<Zero>,
    /// The positional parameters.
    pub(crate) positional: Shared<Held>,
    /// Files written in this call: what is in them.
    pub(crate) files: Files,
    /// What was moved in this call, and where to.
    pub(crate) moved: Shared<Vec<(Val, String)>>,
    /// Links that were made in this call.
    pub(crate) links: Shared<Vec<Linked>>,
    /// Code that waits for the end of the shell or for a signal.
    pub(crate) traps: Shared<Vec<Trap>>,
    /// How the shell behaves.
    pub(crate) options: Options,
    /// Where input comes from and output goes.
    pub(crate) descriptors: Descriptors,
    /// Whether variables that are not known here may be of any kind: arrays too.
    pub(crate) clouded: bool,
    /// Whether this shell left a job in the background, which `$!` names.
    pub(crate) has_job: Tri,
    /// Whether code that waits for a signal may change this state between any two commands.
    pub(crate) haunted: bool,
}

/// A variable that a function hides behind one of its own.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shadowed {
    /// What it was; `None` when nothing had set it in this call.
    pub(crate) before: Option<Variable>,
    /// Whether it is hidden in every run.
    pub(crate) certain: bool,
}

/// What a name means that was defined as a function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Function {
    /// The text of its body; `None` when it cannot be read again.
    pub(crate) bodies: Vec<Option<Rc<str>>>,
    /// Whether the name may mean something else still.
    pub(crate) perhaps: bool,
    /// Whether child shells may get it.
    pub(crate) exported: bool,
    /// Whether it may be read-only: then it cannot be defined again or unset.
    pub(crate) readonly: bool,
}

impl Function {
    /// Adds bodies that it may have, too.
    pub(crate) fn add(&mut self, others: &[Option<Rc<str>>]) {
        for body in others {
            if !self.bodies.contains(body) {
                self.bodies.push(body.clone());
            }
        }
        if self.bodies.len() > BODIES {
            self.bodies = vec![None];
        }
    }
}

/// Code that a shell keeps for later.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trap {
    /// The code.
    pub(crate) code: Rc<str>,
    /// Whether only the end of the shell runs it, not a signal at any moment.
    pub(crate) at_end: bool,
}

impl Default for Held {
    fn default() -> Self {
        Self::anything()
    }
}

impl State {
    /// Tells whether a program that starts now learns nothing from the call but its words: no variable
    /// that the call set reaches it, and its input is the shell's own.
    pub(crate) fn leaves_alone(&self) -> bool {
        let reaches = |it: &Variable| it.ways.exported.may();
        let silent = matches!(self.descriptors.get(0), End::Terminal | End::Nothing);
        silent && !self.haunted && !self.variables.values().any(reaches)
    }

    /// Tells whether a program that starts now may get a variable from the call that is none of these.
    pub(crate) fn may_steer(&self, harmless: &[&str]) -> bool {
        let mut set = self.variables.iter();
        let steers =
            |name: &str, it: &Variable| it.ways.exported.may() && !harmless.contains(&name);
        self.haunted || set.any(|(name, it)| steers(name, it))
    }

    /// Tells whether two states are surely the same. Little is compared: of two that are large and were made apart
    /// nobody can tell.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        // Each is named, so that none is forgotten.
        let Self {
            variables,
            scopes,
            cwd,
            found,
            elsewhere,
            previous,
            stack,
            functions,
            zero,
            positional,
            files,
            moved,
            links,
            traps,
            options,
            descriptors,
            clouded,
            has_job,
            haunted,
        } = self;
        let same = variables.is_same(&other.variables)
            || variables.len() <= FEW && *variables == other.variables;
        same && *cwd == other.cwd
            && *found == other.found
            && *elsewhere == other.elsewhere
            && *previous == other.previous
            && *zero == other.zero
            && *options == other.options
            && *clouded == other.clouded
            && *has_job == other.has_job
            && *haunted == other.haunted
            && *scopes == other.scopes
            && *stack == other.stack
            && functions.is_same(&other.functions)
            && positional.is_same(&other.positional)
            && files.is_like(&other.files)
            && moved.is_same(&other.moved)
            && links.is_same(&other.links)
            && traps.is_same(&other.traps)
            && descriptors.is_like(&other.descriptors)
    }

    /// Returns the state after one of two ways was taken.
    pub(crate) fn or(mut self, other: Self) -> Self {
        self.join_folders(&other);
        self.led_too(&other);
        if self.previous != other.previous {
            self.previous = None;
        }
        if !self.variables.is_same(&other.variables) {
            self.variables = Shared::new(join_maps(self.variables.take(), other.variables.take()));
        }
        if self.scopes != other.scopes {
            self.scopes = Shared::new(join_scopes(self.scopes.take(), &other.scopes));
        }
        if self.stack != other.stack {
            self.stack = Shared::new(None);
        }
        if !self.functions.is_same(&other.functions) {
            self.functions = Shared::new(join_functions(self.functions.take(), &other.functions));
        }
        if self.zero != other.zero {
            self.zero = Zero::either(self.zero.take(), other.zero);
        }
        if self.positional != other.positional {
            self.positional = Shared::new(self.positional.take().or(&other.positional));
        }
        self.files = self.files.or(other.files);
        for trap in other.traps.iter() {
            if !self.traps.contains(trap) {
                self.traps.push(trap.clone());
            }
        }
        self.options = self.options.or(&other.options);
        self.haunted |= other.haunted;
        self.clouded |= other.clouded;
        self.has_job = self.has_job.or(other.has_job);
        self.descriptors = self.descriptors.or(other.descriptors);
        self
    }

    /// Returns the state of either way, where one may not exist.
    pub(crate) fn either(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        match (a, b) {
            (Some(a), Some(b)) => Some(a.or(b)),
            (a, b) => a.or(b),
        }
    }

    fn join_folders(&mut self, other: &Self) {
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
            .map(|folder| Self {
                cwd: Some(folder),
                ..self.clone()
            })
            .collect();
        all.push(self);
        all
    }

    /// Returns a state that covers this one and all that another round may still add to it.
    pub(crate) fn widened(mut self, before: &Self) -> Self {
        let moved = self.cwd != before.cwd || self.found != before.found;
        if moved || self.elsewhere != before.elsewhere {
            self.lose_folder();
        }
        if self.variables != before.variables {
            for (name, variable) in self.variables.iter_mut() {
                if before.variables.get(name) != Some(variable) {
                    variable.widen();
                }
            }
        }
        if self.positional != before.positional {
            self.positional = Shared::new(Held::anything());
        }
        if self.functions != before.functions {
            for (name, function) in self.functions.iter_mut() {
                if before.functions.get(name) != Some(function) {
                    function.bodies = vec![None];
                }
            }
        }
        self.files = self.files.widened(&before.files);
        self.descriptors = self.descriptors.widened(&before.descriptors);
        self
    }

    /// Forgets everything that code which nobody read could change.
    pub(crate) fn forget(&mut self) {
        self.lose_folder();
        self.previous = None;
        self.stack = Shared::new(None);
        self.forget_variables();
        for function in self.functions.values_mut() {
            function.bodies = vec![None];
            function.perhaps = true;
        }
        self.positional = Shared::new(Held::anything());
        self.options = Options::anything();
        self.files.anything();
        self.has_job = self.has_job.or(Tri::Perhaps);
        self.descriptors.forget();
    }

    /// Forgets what every variable holds, and what kind of thing it is.
    pub(crate) fn forget_variables(&mut self) {
        self.clouded = true;
        if !self.variables.contains_key("IFS") {
            let ifs = Variable::of(Held::One(Val::unknown()));
            self.variables.insert("IFS".to_owned(), ifs);
        }
        for variable in self.variables.values_mut() {
            variable.forget();
        }
    }

    /// Takes over what a shell beside this one did to files and to what both write to.
    pub(crate) fn after(&mut self, mut child: Self) {
        self.descriptors
            .take_flow(std::mem::take(&mut child.descriptors));
        self.after_process(child);
    }

    /// Takes over what another process did to files.
    pub(crate) fn after_process(&mut self, child: Self) {
        self.moved_too(&child);
        self.files = child.files;
        self.links = child.links;
    }
}

fn join_functions(
    mut mine: BTreeMap<String, Function>,
    theirs: &BTreeMap<String, Function>,
) -> BTreeMap<String, Function> {
    for (name, function) in &mut mine {
        match theirs.get(name) {
            Some(other) => {
                function.add(&other.bodies);
                function.perhaps |= other.perhaps;
                function.exported |= other.exported;
                function.readonly |= other.readonly;
            }
            None => function.perhaps = true,
        }
    }
    for (name, function) in theirs {
        mine.entry(name.clone()).or_insert_with(|| Function {
            perhaps: true,
            ..function.clone()
        });
    }
    mine
}

fn join_scopes(
    mut mine: Vec<BTreeMap<String, Shadowed>>,
    theirs: &[BTreeMap<String, Shadowed>],
) -> Vec<BTreeMap<String, Shadowed>> {
    for (scope, other) in mine.iter_mut().zip(theirs) {
        for (name, shadowed) in scope.iter_mut() {
            shadowed.certain &= other.get(name).is_some_and(|it| it.certain);
        }
        for (name, shadowed) in other {
            scope.entry(name.clone()).or_insert_with(|| Shadowed {
                certain: false,
                ..shadowed.clone()
            });
        }
    }
    mine
}

/// How a command ends: with which state after success, and with which after failure.
#[derive(Clone)]
pub(crate) enum Ends {
    /// Either way the same.
    Either(State),
    /// It always succeeds.
    Ok(State),
    /// It always fails.
    Bad(State),
    /// Success and failure leave different states.
    Both(Box<(State, State)>),
    /// It never comes back.
    Never,
}

impl Ends {
    /// Puts the two ways together.
    pub(crate) fn of(ok: Option<State>, bad: Option<State>) -> Self {
        match (ok, bad) {
            (Some(ok), Some(bad)) => Self::Both(Box::new((ok, bad))),
            (Some(ok), None) => Self::Ok(ok),
            (None, Some(bad)) => Self::Bad(bad),
            (None, None) => Self::Never,
        }
    }

    /// Returns the state after success, and the one after failure.
    pub(crate) fn parts(self) -> (Option<State>, Option<State>) {
        match self {
            Self::Either(state) => (Some(state.clone()), Some(state)),
            Self::Ok(state) => (Some(state), None),
            Self::Bad(state) => (None, Some(state)),
            Self::Both(both) => (Some(both.0), Some(both.1)),
            Self::Never => (None, None),
        }
    }

    /// Returns copies of the state after success and of the one after failure.
    pub(crate) fn peek(&self) -> (Option<State>, Option<State>) {
        match self {
            Self::Either(state) => (Some(state.clone()), Some(state.clone())),
            Self::Ok(state) => (Some(state.clone()), None),
            Self::Bad(state) => (None, Some(state.clone())),
            Self::Both(both) => (Some(both.0.clone()), Some(both.1.clone())),
            Self::Never => (None, None),
        }
    }

    /// Returns the state when nobody asks how it ended.
    pub(crate) fn any(self) -> Option<State> {
        match self {
            Self::Either(state) | Self::Ok(state) | Self::Bad(state) => Some(state),
            Self::Both(both) => Some(both.0.or(both.1)),
            Self::Never => None,
        }
    }

    /// Returns the same with success and failure exchanged.
    pub(crate) fn inverted(self) -> Self {
        match self {
            Self::Ok(state) => Self::Bad(state),
            Self::Bad(state) => Self::Ok(state),
            Self::Both(both) => Self::Both(Box::new((both.1, both.0))),
            Self::Either(_) | Self::Never => self,
        }
    }

    /// Returns what is left of two runs of which one happens.
    pub(crate) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Never, it) | (it, Self::Never) => it,
            (Self::Either(a), Self::Either(b)) => Self::Either(a.or(b)),
            (Self::Ok(a), Self::Ok(b)) => Self::Ok(a.or(b)),
            (Self::Bad(a), Self::Bad(b)) => Self::Bad(a.or(b)),
            (a, b) => {
                let ((a_ok, a_bad), (b_ok, b_bad)) = (a.parts(), b.parts());
                Self::of(State::either(a_ok, b_ok), State::either(a_bad, b_bad))
            }
        }
    }

    /// Changes the states, however it ended.
    pub(crate) fn map(self, mut change: impl FnMut(State) -> State) -> Self {
        match self {
            Self::Either(state) => Self::Either(change(state)),
            Self::Ok(state) => Self::Ok(change(state)),
            Self::Bad(state) => Self::Bad(change(state)),
            Self::Both(both) => Self::Both(Box::new((change(both.0), change(both.1)))),
            Self::Never => Self::Never,
        }
    }
}
