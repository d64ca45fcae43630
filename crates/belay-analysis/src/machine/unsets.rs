//! `unset`: variables, elements, references and functions that are taken away.

use crate::machine::options::Tri;
use crate::machine::pairs::without_key;
use crate::machine::state::State;
use crate::machine::value::{Arg, Val};
use crate::machine::variable::{Held, Variable};
use crate::machine::variables::Setting;
use crate::machine::walk::Walker;
use crate::scene::Shell;

impl Walker<'_> {
    pub(crate) fn unset(&mut self, rest: &[Arg], state: &mut State) {
        let flags: Vec<&str> = rest
            .iter()
            .map_while(|it| it.text().filter(|it| it.starts_with('-')))
            .collect();
        let only_functions = flags.iter().any(|it| it.contains('f'));
        let only_variables = flags.iter().any(|it| it.contains('v'));
        for arg in rest.iter().skip(flags.len()) {
            let Some(name) = arg.text().map(str::to_owned) else {
                self.any_variable(state, arg.span);
                for function in state.functions.values_mut() {
                    function.perhaps = true;
                }
                continue;
            };
            if flags.iter().any(|it| it.contains('n')) {
                self.unset_reference(&name, state);
                continue;
            }
            let set = self.lookup(&name, state).set;
            if !only_functions && set.may() {
                self.unset_named(&name, arg, state);
            }
            // Without a flag a name means the function only when there is no such variable.
            let removes = only_functions || !only_variables && set == Tri::No;
            let stuck = state.functions.get(&name).is_some_and(|it| it.readonly);
            if removes && !stuck {
                state.functions.remove(&name);
            } else if (removes || !only_variables && set == Tri::Perhaps)
                && let Some(function) = state.functions.get_mut(&name)
            {
                function.perhaps = true;
            }
        }
    }

    /// Takes a reference away; what is none stays.
    fn unset_reference(&self, name: &str, state: &mut State) {
        let before = self.lookup(name, state);
        let after = match before.ways.reference {
            Tri::Yes => Variable::unset(),
            Tri::No => return,
            Tri::Perhaps => before.or(&Variable::unset()),
        };
        state.variables.insert(name.to_owned(), after);
    }

    fn unset_named(&mut self, name: &str, arg: &Arg, state: &mut State) {
        match self.target_of(name, state, arg.span) {
            Some((name, None)) => {
                self.assigned(&name, &Arg::known("", arg.span), state);
                self.unset_variable(&name, state);
            }
            Some((name, Some(key))) => {
                let variable = self.lookup(&name, state);
                let without = without_key(&variable, &key);
                let without = without.filter(|_| self.scene.shell == Shell::Bash);
                let held = without.unwrap_or_else(|| Held::Any(Box::new(variable.held.elements())));
                let setting = Setting {
                    held,
                    ..Setting::one(name.clone(), Val::known(""))
                };
                self.assign(setting, state, arg.span);
                if let Some(variable) = state.variables.get_mut(&name) {
                    variable.set = variable.set.or(Tri::No);
                }
            }
            None => self.named(&arg.val, state, arg.span),
        }
    }
}
