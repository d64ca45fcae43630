//! Forks: a test narrows what a variable may hold, so each text is looked at on its own.

use belay_shell::{Many, ParamName, ParamOp, PartKind, Tree, Word};

use crate::machine::state::State;
use crate::machine::value::CHOICES;
use crate::machine::variable::{Held, Variable};
use crate::machine::walk::lossy;

/// Tells whether a command is a test, whose answer narrows what variables may hold.
pub(crate) fn is_test(tree: &Tree<'_>, words: Many<Word>) -> bool {
    tree.many(words).first().is_some_and(|it| {
        tree.value(it)
            .known()
            .is_some_and(|it| matches!(it, b"[" | b"test"))
    })
}

/// Returns the names of variables that a word uses as they are.
pub(crate) fn plain_names(tree: &Tree<'_>, word: &Word) -> Vec<String> {
    let mut names = Vec::new();
    for part in tree.many(word.parts) {
        if let PartKind::Param(id) = part.kind {
            let param = tree.one(id);
            if let (ParamName::Variable(name), ParamOp::None, None, false, false) = (
                param.name,
                param.op,
                param.subscript,
                param.indirect,
                param.length,
            ) {
                names.push(lossy(tree.bytes(name)));
            }
        }
    }
    names
}

/// Returns the state once for each text that these variables may hold.
pub(crate) fn forked(state: State, names: &[String]) -> Vec<State> {
    let mut states = vec![state];
    for name in names {
        let choices = match states.first().and_then(|it| it.variables.get(name)) {
            Some(Variable {
                held: Held::One(val),
                ..
            }) if val.is_choice() => val.choices(),
            _ => continue,
        };
        if states.len() * choices.len() > CHOICES {
            break;
        }
        states = states
            .iter()
            .flat_map(|state| {
                choices.iter().map(|choice| {
                    let mut state = state.clone();
                    if let Some(variable) = state.variables.get_mut(name) {
                        variable.held = Held::One(choice.clone());
                    }
                    state
                })
            })
            .collect();
    }
    states
}
