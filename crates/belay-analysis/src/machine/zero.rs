//! What a shell is called by: `$0`, and the file it reads; and what is surely set.

use belay_shell::{
    Assigned, Assignment, CommandForm, Id, Param, ParamName, ParamOp, Part, PartKind, Subscript,
    Tree,
};

use crate::machine::cuts::shell_name;
use crate::machine::elements::volatile;
use crate::machine::simple::Simple;
use crate::machine::state::State;
use crate::machine::value::Val;
use crate::machine::variable::Held;
use crate::machine::walk::{Walker, lossy};
use crate::scene::Shell;

/// `$0`, where something gave it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Zero {
    pub(crate) val: Val,
    /// Whether that is the script that is being read, and nothing else was read into this shell.
    pub(crate) script: bool,
}

impl Zero {
    /// A word that a command gave.
    pub(crate) const fn given(val: Val) -> Self {
        Self { val, script: false }
    }

    /// Returns what it may be after one of two ways was taken.
    pub(crate) fn either(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        if a.is_none() && b.is_none() {
            return None;
        }
        let known = |it: Option<Self>| it.unwrap_or_else(|| Self::given(shell_name()));
        let (a, b) = (known(a), known(b));
        Some(Self {
            script: a.script && b.script && a.val == b.val,
            val: a.val.or(&b.val),
        })
    }
}

impl Walker<'_> {
    /// Tells whether all that a command expands itself is surely set, so that `set -u` lets it pass. What a substitution in it
    /// lacks ends that one's own shell.
    pub(crate) fn surely_set(&self, tree: &Tree<'_>, simple: &Simple, state: &State) -> bool {
        let given = |it: &Assignment| match it.value {
            Assigned::Word(word) if it.subscript.is_none() => Some(tree.one(word)),
            Assigned::Word(_) | Assigned::Array(_) => None,
        };
        let assignments = tree.many(simple.assignments).iter().map(given);
        let words = tree.many(simple.words).iter().map(Some);
        let is_set = |it: &Part| self.is_set(tree, it, state);
        simple.redirects.is_empty()
            && assignments
                .chain(words)
                .all(|it| it.is_some_and(|it| tree.many(it.parts).iter().all(is_set)))
    }

    fn is_set(&self, tree: &Tree<'_>, part: &Part, state: &State) -> bool {
        match part.kind {
            PartKind::Text(_) | PartKind::Tilde(_) => true,
            PartKind::Command { form, .. } => match form {
                CommandForm::Dollar | CommandForm::Backtick => true,
                CommandForm::Brace => false,
            },
            PartKind::Param(id) => {
                let param = tree.one(id);
                let plain = matches!(param.op, ParamOp::None) && !param.indirect && !param.length;
                plain && self.is_param_set(tree, param, state)
            }
            PartKind::Arith(_)
            | PartKind::Process { .. }
            | PartKind::Brace(_)
            | PartKind::Sequence(_)
            | PartKind::ExtGlob(_)
            | PartKind::Array(_)
            | PartKind::Either(_) => false,
        }
    }

    fn is_param_set(&self, tree: &Tree<'_>, param: &Param, state: &State) -> bool {
        match param.name {
            ParamName::Positional(digits) => tree.bytes(digits) == b"0",
            // Old shells give up at `$@` where there are no words.
            ParamName::Special(name) => b"#?$-".contains(&name),
            ParamName::Variable(name) => {
                let is_first = |it: Id<Subscript>| tree.source(tree.one(it).span) == b"0";
                let variable = self.lookup(&lossy(tree.bytes(name)), state);
                let held = match &variable.held {
                    Held::One(_) => true,
                    Held::List(vals) => !vals.is_empty(),
                    Held::Any(_) => false,
                };
                held && variable.set.must() && param.subscript.is_none_or(is_first)
            }
            ParamName::Bad => false,
        }
    }

    /// Returns `$0`: where nobody gave it, the name of the shell.
    pub(crate) fn zero(&self, state: &State) -> Val {
        // Bash lets a shell change its own name.
        if state.variables.contains_key("BASH_ARGV0") {
            return Val::unknown();
        }
        let Some(zero) = &state.zero else {
            return shell_name();
        };
        // Functions and files that are sourced have names of their own in zsh.
        if state.clouded || self.scene.shell == Shell::Zsh {
            Val::unknown()
        } else {
            zero.val.clone()
        }
    }

    /// Returns what a variable holds that the shell itself changes. Outside functions the first file that bash reads from is
    /// the script, and the only one.
    pub(crate) fn volatile(&self, name: &str, state: &State) -> Held {
        let whole = |it: &&Zero| it.script && !state.clouded;
        let script = state.zero.as_ref().filter(whole);
        match script {
            Some(zero)
                if name == "BASH_SOURCE"
                    && self.scene.shell == Shell::Bash
                    && state.scopes.is_empty() =>
            {
                Held::List(vec![zero.val.clone()])
            }
            Some(_) | None => volatile(name),
        }
    }
}
