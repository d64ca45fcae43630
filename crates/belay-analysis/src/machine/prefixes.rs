//! Assignments in front of a command: it alone gets them, and afterwards all is as it was.

use belay_shell::{Assignment, Many, Tree};

use crate::machine::options::Tri;
use crate::machine::state::State;
use crate::machine::value::Arg;
use crate::machine::variable::Variable;
use crate::machine::walk::{Walker, lossy};
use crate::scene::Shell;

/// What variables were before a command got others.
pub(crate) struct Prefixes {
    before: Vec<(String, Option<Variable>)>,
}

impl Prefixes {
    /// Returns the state after the command, with the variables as they were; `stays` when they may also stay.
    pub(crate) fn taken_back(&self, state: State, stays: bool) -> State {
        let mut after = state.clone();
        for (name, variable) in &self.before {
            match variable {
                Some(variable) => after.variables.insert(name.clone(), variable.clone()),
                None => after.variables.remove(name),
            };
        }
        if stays { after.or(state) } else { after }
    }
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
        let names: Vec<String> = tree.many(assignments).iter().map(name).collect();
        let held = |name: &String| (name.clone(), state.variables.get(name).cloned());
        let before: Vec<(String, Option<Variable>)> = names.iter().map(held).collect();
        // It is set as it is written, or as the variable's attributes say: shells differ.
        for name in &names {
            if let Some(variable) = state.variables.get_mut(name) {
                variable.ways.loosen();
            }
        }
        self.assignments(tree, assignments, state);
        for name in &names {
            if let Some(variable) = state.variables.get_mut(name) {
                variable.ways.exported = Tri::Yes;
            }
        }
        Prefixes { before }
    }

    /// Whoever leaves from here may not take along what was set for the command alone.
    pub(crate) fn left_behind(&self, prefixes: &Prefixes, state: &mut State) {
        for (name, variable) in &prefixes.before {
            let older = match variable {
                Some(variable) => variable.clone(),
                None => self.inherited(name, state),
            };
            let either = match state.variables.get(name) {
                Some(own) => own.clone().or(&older),
                None => older,
            };
            state.variables.insert(name.clone(), either);
        }
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
        // What is exported or declared with a value before it keeps that value.
        let declares = matches!(
            args.first().and_then(Arg::text),
            Some("export" | "readonly" | "declare" | "typeset" | "local")
        );
        declares
            || (special || called) && (self.scene.shell == Shell::Sh || state.options.posix.may())
    }
}

/// Tells whether a command leaves a loop, a function or the shell.
pub(crate) fn leaves(args: &[Arg]) -> bool {
    let name = args.first().and_then(Arg::text);
    matches!(
        name,
        Some("return" | "break" | "continue" | "exit" | "logout" | "eval" | "source" | ".")
    )
}
