//! Tildes: home folders, and folders of the stack.

use crate::machine::options::Tri;
use crate::machine::state::State;
use crate::machine::value::{Val, escape};
use crate::machine::walk::Walker;
use crate::scene::Shell;

impl Walker<'_> {
    /// A tilde that braces bring to the front is expanded, unless it was quoted.
    pub(crate) fn tilde_after_braces(&mut self, text: &str, state: &State) -> Val {
        let (user, rest) = match text.split_once('/') {
            Some((user, rest)) => (user, format!("/{rest}")),
            None => (text, String::new()),
        };
        let home = self.tilde(user.trim_start_matches('~'), state);
        home.then(&Val::known(rest)).or(&Val::known(text))
    }

    /// Returns what a variable holds, or the word as it stands where it is not set.
    fn tilde_of(&self, name: &str, word: &str, state: &State) -> Val {
        let variable = self.lookup(name, state);
        let held = variable.held.first();
        match variable.set {
            Tri::Yes => held,
            Tri::Perhaps => held.or(&Val::known(word)),
            Tri::No => Val::known(word),
        }
    }

    pub(crate) fn tilde(&mut self, user: &str, state: &State) -> Val {
        let folder = self.tilde_folder(user, state);
        let stacked = user.starts_with(|c: char| matches!(c, '+' | '-') || c.is_ascii_digit());
        if stacked && self.scene.shell == Shell::Sh || state.options.posix.may() {
            // Only some shells know these; and as POSIX has it, none is expanded behind a `=` in a plain word.
            return folder.or(&Val::known(format!("~{user}")));
        }
        folder
    }

    fn tilde_folder(&mut self, user: &str, state: &State) -> Val {
        match user {
            "" => self
                .variable("HOME", state)
                .unwrap_or_else(|| Val::known(self.scene.frame.home())),
            "+" => self.tilde_of("PWD", "~+", state),
            "-" => self.tilde_of("OLDPWD", "~-", state),
            "root" => Val::known("/root"),
            user if user.starts_with(['+', '-']) || user.chars().all(|c| c.is_ascii_digit()) => {
                self.stacked(user, state)
            }
            user if user
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')) =>
            {
                // Of a user who is not there the word stays as it is.
                let home = Val::known(format!("/home/{}", escape(user)));
                home.or(&Val::known(format!("~{user}")))
            }
            _ => Val::unknown(),
        }
    }

    /// Returns a folder of the stack of `pushd`: `~2`, `~+1`, `~-0`.
    fn stacked(&self, user: &str, state: &State) -> Val {
        let digits = user.trim_start_matches(['+', '-']);
        let (Some(stack), Ok(number)) = (state.stack.as_ref(), digits.parse::<usize>()) else {
            return Val::unknown();
        };
        let at = match user.starts_with('-') {
            true => stack.len().checked_sub(number),
            false => Some(number),
        };
        match at {
            // The folder that we are in goes by what the shell's variable says.
            Some(0) => self.tilde_of("PWD", &format!("~{user}"), state),
            Some(at) => stack
                .iter()
                .rev()
                .nth(at - 1)
                .map_or_else(Val::unknown, |it| Val::known(it.clone())),
            None => Val::unknown(),
        }
    }
}
