//! What a plain `sh` does otherwise: it ends where a special command fails, and knows fewer commands and operators.

use belay_shell::{Param, ParamOp};

use crate::machine::builtins::Handled;
use crate::machine::state::{Ends, State};
use crate::machine::value::Arg;
use crate::machine::variables::is_name;
use crate::machine::walk::Walker;
use crate::scene::Shell;

impl Walker<'_> {
    /// Does what a builtin does, where the shell has it.
    pub(crate) fn builtin_of(&mut self, name: &str, args: &[Arg], state: State) -> Handled {
        if self.scene.shell != Shell::Sh {
            return self.builtin(name, args, state);
        }
        let rest = args.get(1..).unwrap_or_default();
        if self.may_end_shell(name, rest, &state) {
            self.fail_shell(state.clone());
        }
        let into = name == "printf" && rest.first().is_none_or(|it| it.text() != Some("--"));
        let into = into && rest.iter().any(|it| it.text().is_none_or(is_flag));
        if is_everywhere(name) && !into {
            return self.builtin(name, args, state);
        }
        let before = state.clone();
        match self.builtin(name, args, state) {
            Handled::Done(ends) => Handled::Done(ends.or(Ends::Bad(before))),
            Handled::Not(state) => Handled::Not(state),
        }
    }

    /// Tells whether a special command may fail: then the shell ends.
    fn may_end_shell(&self, name: &str, rest: &[Arg], state: &State) -> bool {
        let named = |it: &Arg| {
            let name = it.text().map(|it| it.split('=').next().unwrap_or(it));
            name.is_some_and(|it| {
                let free = !self.lookup(it, state).ways.readonly.may();
                matches!(it, "-p" | "-v" | "-f" | "--") || is_name(it) && free
            })
        };
        match name {
            "." => true,
            "eval" => rest.iter().any(|it| it.text().is_none()),
            "export" | "readonly" | "unset" => !rest.iter().all(named),
            "set" => !rest.iter().all(is_common_option),
            _ => false,
        }
    }

    /// Says that the shell may end where an operator of a parameter is one that only some shells have.
    pub(crate) fn strange_operator(&mut self, param: &Param, state: &State) {
        let common = match param.op {
            ParamOp::None | ParamOp::Fallback { .. } | ParamOp::Trim { .. } => !param.indirect,
            ParamOp::Slice(_)
            | ParamOp::Replace { .. }
            | ParamOp::Case { .. }
            | ParamOp::Transform(_)
            | ParamOp::Names(_)
            | ParamOp::Unknown(_) => false,
        };
        if self.scene.shell == Shell::Sh && !common {
            self.fail_shell(state.clone());
        }
    }
}

fn is_flag(text: &str) -> bool {
    text.starts_with('-') && text.len() > 1
}

/// Tells whether a word of `set` is an option that every shell has, or none at all.
fn is_common_option(arg: &Arg) -> bool {
    arg.text().is_some_and(|it| {
        let letters = it.strip_prefix(['-', '+']);
        letters.is_none_or(|it| it == "-" || it.chars().all(|c| "abCefhmnuvx".contains(c)))
    })
}

/// Tells whether a command redirected to where that fails ends a plain `sh`.
pub(crate) fn is_special(name: Option<&str>) -> bool {
    matches!(
        name,
        Some(
            ":" | "."
                | "eval"
                | "exec"
                | "export"
                | "readonly"
                | "set"
                | "shift"
                | "times"
                | "trap"
                | "unset"
        )
    )
}

/// Tells whether a posix shell takes a name for the builtin's, whatever function has it.
pub(crate) fn outranks_functions(name: &str) -> bool {
    is_special(Some(name)) || matches!(name, "break" | "continue" | "exit" | "return" | "source")
}

/// Tells whether a builtin is one of every shell.
fn is_everywhere(name: &str) -> bool {
    !matches!(
        name,
        "pushd"
            | "popd"
            | "dirs"
            | "declare"
            | "typeset"
            | "shopt"
            | "setopt"
            | "unsetopt"
            | "emulate"
            | "source"
            | "builtin"
            | "noglob"
            | "nocorrect"
            | "mapfile"
            | "readarray"
            | "let"
            | "enable"
            | "bind"
            | "complete"
            | "compgen"
            | "compopt"
            | "history"
            | "logout"
            | "caller"
            | "help"
            | "disown"
            | "suspend"
    )
}
