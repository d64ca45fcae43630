//! Assignments in front of a command: it alone gets them, and afterwards all is as it was.

use belay_shell::{Assignment, Many, Tree};

use crate::machine::options::Tri;
use crate::machine::state::State;
use crate::machine::value::{Arg, Text};
use crate::machine::variable::Variable;
use crate::machine::variables::is_name;
use crate::machine::walk::{Walker, lossy};
use crate::scene::Shell;

/// What variables were before a command got others.
#[derive(Default)]
pub(crate) struct Prefixes {
    before: Vec<(String, Option<Variable>)>,
}

impl Prefixes {
    /// Returns the state after the command, with the variables as they were, unless the command did something with them;
    /// `stays` when they may also stay.
    pub(crate) fn taken_back(&self, state: State, stays: bool) -> State {
        let mut after = state.clone();
        for (name, older) in self.before.iter().rev() {
            let own = state.variables.get(name);
            let untouched = own.is_some_and(|it| it.ways.lent.must());
            match older {
                older if !untouched => after.variables.insert(name.clone(), lost(older.as_ref())),
                Some(older) => after.variables.insert(name.clone(), older.clone()),
                None => after.variables.remove(name),
            };
        }
        if stays { after.or(state) } else { after }
    }
}

/// Returns the names of a variable and of those that it stands for.
fn meant(name: String, state: &State) -> Vec<String> {
    let mut names = vec![name];
    while let Some(variable) = names.last().and_then(|it| state.variables.get(it))
        && variable.ways.reference.may()
        && let Some(next) = variable.held.first().text().map(str::to_owned)
        && !names.contains(&next)
    {
        names.push(next);
    }
    names
}

/// Returns what is known of a variable after a command that got another in its place and did something with that one.
fn lost(older: Option<&Variable>) -> Variable {
    let mut lost = Variable::lost();
    lost.ways.lent = older.map_or(Tri::No, |it| it.ways.touched().lent);
    lost
}

impl Walker<'_> {
    /// Sets what stands in front of a command.
    pub(crate) fn prefixed(
        &mut self,
        tree: &Tree<'_>,
        assignments: Many<Assignment>,
        state: &mut State,
    ) -> Prefixes {
        let name = |it: &Assignment| lossy(tree.bytes(it.name));
        let names: Vec<String> = tree
            .many(assignments)
            .iter()
            .flat_map(|it| meant(name(it), state))
            .collect();
        let held = |name: &String| (name.clone(), state.variables.get(name).cloned());
        let before: Vec<(String, Option<Variable>)> = names.iter().map(held).collect();
        // It is set as it is written, or as the variable's attributes say: shells differ.
        for name in &names {
            if let Some(variable) = state.variables.get_mut(name) {
                variable.ways.loosen();
            }
        }
        self.assignments(tree, assignments, state);
        for (name, older) in &before {
            let Some(variable) = state.variables.get_mut(name) else {
                continue;
            };
            // Where it cannot be set, bash runs the command all the same, which gets what it would get without this.
            variable.ways.exported = match older.as_ref().map(|it| it.ways) {
                Some(ways) if ways.readonly.must() => ways.exported,
                Some(ways) if ways.readonly.may() => ways.exported.or(Tri::Yes),
                Some(_) | None => Tri::Yes,
            };
            variable.ways.lent = Tri::Yes;
        }
        Prefixes { before }
    }

    /// Sets a variable from a text such as `NAME=value` for a process that is started. What the shell knows of a variable of
    /// that name (it cannot be set, its letters are changed) means nothing to the program that starts it.
    pub(crate) fn give_text(&mut self, arg: &Arg, state: &mut State) {
        let Some(name) = given_name(&arg.val.text) else {
            self.assign_odd(arg, state);
            return;
        };
        state.variables.insert(name.clone(), Variable::unset());
        self.assign_text(arg, state);
        if let Some(variable) = state.variables.get_mut(&name) {
            variable.ways.exported = Tri::Yes;
        }
    }

    /// Returns the state with which a jump leaves the commands we are in: it may leave behind what was set for them alone.
    pub(crate) fn left_behind(&self, mut state: State) -> State {
        for (name, older) in self.lent.iter().rev().flat_map(|it| &it.before) {
            let older = match older {
                Some(older) => older.clone(),
                None => self.inherited(name, &state),
            };
            let either = match state.variables.get(name) {
                Some(own) if own.ways.lent.must() && older.ways.lent != Tri::Perhaps => {
                    let mut either = own.clone().or(&older);
                    either.ways.lent = Tri::Yes;
                    either
                }
                Some(_) | None => Variable::lost(),
            };
            state.variables.insert(name.clone(), either);
        }
        state
    }

    /// Tells whether what stands before a command may stay set after it.
    pub(crate) fn keeps_prefix(&self, args: &[Arg], state: &State) -> bool {
        let special = matches!(
            args.first().and_then(Arg::text),
            Some(
                ":" | "."
                    | "eval"
                    | "exec"
                    | "exit"
                    | "export"
                    | "readonly"
                    | "return"
                    | "set"
                    | "shift"
                    | "source"
                    | "times"
                    | "trap"
                    | "unset"
                    | "break"
                    | "continue"
            )
        );
        let called = args
            .first()
            .and_then(Arg::text)
            .is_some_and(|it| state.functions.contains_key(it));
        (special || called) && (self.scene.shell == Shell::Sh || state.options.posix.may())
    }
}

/// Returns the name that a text such as `NAME=value` sets, where that is a variable's.
fn given_name(text: &Text) -> Option<String> {
    let text = match text {
        Text::Known(text) | Text::Prefix { known: text, .. } | Text::Glob(text) => text,
        Text::Unknown { .. } | Text::OneOf(_) => return None,
    };
    let (name, _) = text.split_once('=')?;
    is_name(name).then(|| name.to_owned())
}
