//! The shell's own state, as far as it is known: what holds in every run that agrees with what was read.

use std::collections::BTreeMap;
use std::mem::take;
use std::rc::Rc;

use crate::machine::descriptors::{Descriptors, End};
pub(crate) use crate::machine::ends::Ends;
use crate::machine::files::Files;
use crate::machine::links::Linked;
use crate::machine::options::{Options, Tri};
pub(crate) use crate::machine::shared::Shared;
use crate::machine::value::Val;
use crate::machine::variable::{Held, Variable, join_learned, join_maps};
use crate::machine::zero::Zero;

/// So many folders we may stand in before nothing is known of it.
pub(crate) const FOLDERS: usize = 4;

/// So many bodies a function may have before nothing is known of it.
const BODIES: usize = 4;

/// So few things by name are compared one by one.
pub(crate) const FEW: usize = 16;

/// Things by name.
pub(crate) type Named<T> = Shared<BTreeMap<String, T>>;

/// What a command leaves for the next; copied when one of several holders changes it, because it is handed on at every step.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State(pub(super) Rc<Core>);

/// Variables, folder, functions, descriptors.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Core {
    /// Variables set in this call.
    pub(crate) variables: Named<Variable>,
    /// What tests told about variables of the environment: what each holds, and whether it is set.
    pub(crate) learned: Named<(Val, Tri)>,
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
    /// Variables that may be set between any two commands, and to what.
    pub(crate) stirred: Shared<Vec<(String, Val)>>,
}

/// A variable that a function hides behind one of its own.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shadowed {
    /// What it was; `None` when nothing had set it in this call.
    pub(crate) before: Option<Variable>,
    /// Whether it is hidden in every run.
    pub(crate) certain: bool,
    /// The options that come back with it, where `local -` asked for that.
    pub(crate) options: Option<Box<Options>>,
}

impl Shadowed {
    /// Forgets what was hidden.
    fn forget(&mut self) {
        if let Some(before) = &mut self.before {
            before.forget();
        } else {
            let mut before = Variable::of(Held::anything());
            before.forget();
            self.before = Some(before);
        }
    }
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
    /// The code; `None` when nobody can read it.
    pub(crate) code: Option<Rc<str>>,
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
        if Rc::ptr_eq(&self.0, &other.0) {
            return true;
        }
        // Each is named, so that none is forgotten.
        let Core {
            variables,
            learned,
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
            stirred,
        } = &**self;
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
            && *stirred == other.stirred
            && *learned == other.learned
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
    pub(crate) fn or(mut self, mut other: Self) -> Self {
        if Rc::ptr_eq(&self.0, &other.0) {
            return self;
        }
        self.join_folders(&other);
        self.led_too(&other);
        let (mine, theirs) = (&mut *self, &mut *other);
        if mine.previous != theirs.previous {
            mine.previous = None;
        }
        if !mine.variables.is_same(&theirs.variables) {
            let both = (take(&mut mine.variables), take(&mut theirs.variables));
            mine.variables = Shared::new(join_maps(both.0.take(), both.1.take()));
        }
        if !mine.learned.is_same(&theirs.learned) {
            let learned = take(&mut mine.learned).take();
            mine.learned = Shared::new(join_learned(learned, &theirs.learned));
        }
        if mine.scopes != theirs.scopes {
            let scopes = take(&mut mine.scopes).take();
            mine.scopes = Shared::new(join_scopes(scopes, &theirs.scopes));
        }
        if mine.stack != theirs.stack {
            mine.stack = Shared::new(None);
        }
        if !mine.functions.is_same(&theirs.functions) {
            let functions = take(&mut mine.functions).take();
            mine.functions = Shared::new(join_functions(functions, &theirs.functions));
        }
        if mine.zero != theirs.zero {
            mine.zero = Zero::either(mine.zero.take(), theirs.zero.take());
        }
        if mine.positional != theirs.positional {
            let positional = take(&mut mine.positional).take();
            mine.positional = Shared::new(positional.or(&theirs.positional));
        }
        mine.files = take(&mut mine.files).or(take(&mut theirs.files));
        for trap in theirs.traps.iter() {
            if !mine.traps.contains(trap) {
                mine.traps.push(trap.clone());
            }
        }
        mine.options = mine.options.or(&theirs.options);
        mine.haunted |= theirs.haunted;
        for pair in theirs.stirred.iter() {
            if !mine.stirred.contains(pair) {
                mine.stirred.push(pair.clone());
            }
        }
        mine.clouded |= theirs.clouded;
        mine.has_job = mine.has_job.or(theirs.has_job);
        mine.descriptors = take(&mut mine.descriptors).or(take(&mut theirs.descriptors));
        self
    }

    /// Returns the state of either way, where one may not exist.
    pub(crate) fn either(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        match (a, b) {
            (Some(a), Some(b)) => Some(a.or(b)),
            (a, b) => a.or(b),
        }
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
        self.files = take(&mut self.files).widened(&before.files);
        self.descriptors = take(&mut self.descriptors).widened(&before.descriptors);
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
        self.learned = Shared::default();
        if !self.variables.contains_key("IFS") {
            let ifs = Variable::of(Held::One(Val::unknown()));
            self.variables.insert("IFS".to_owned(), ifs);
        }
        for variable in self.variables.values_mut() {
            variable.forget();
        }
        if self.scopes.iter().any(|it| !it.is_empty()) {
            for shadowed in self.scopes.iter_mut().flat_map(BTreeMap::values_mut) {
                shadowed.forget();
            }
        }
    }

    /// Forgets what functions hid behind variables of this name.
    pub(crate) fn forget_hidden(&mut self, name: &str) {
        if self.scopes.iter().any(|it| it.contains_key(name)) {
            for scope in self.scopes.iter_mut() {
                if let Some(shadowed) = scope.get_mut(name) {
                    shadowed.forget();
                }
            }
        }
    }

    /// Takes over what a shell beside this one did to files and to what both write to.
    pub(crate) fn after(&mut self, mut child: Self) {
        self.descriptors.take_flow(take(&mut child.descriptors));
        self.after_process(child);
    }

    /// Takes over what another process did to files.
    pub(crate) fn after_process(&mut self, child: Self) {
        self.moved_too(&child);
        self.files = child.files.clone();
        self.links = child.links.clone();
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
            let theirs = other.get(name);
            shadowed.certain &= theirs.is_some_and(|it| it.certain);
            let both = (
                &mut shadowed.options,
                theirs.and_then(|it| it.options.as_ref()),
            );
            if let (Some(mine), Some(theirs)) = both {
                **mine = mine.or(theirs);
            }
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
