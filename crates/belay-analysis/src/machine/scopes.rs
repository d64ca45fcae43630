//! What functions make their own, and what it hides.

use std::collections::BTreeMap;

use crate::machine::options::Tri;
use crate::machine::state::{Shadowed, Shared, State};
use crate::machine::variable::Variable;
use crate::machine::variables::{VARIABLES, is_relied_on};
use crate::machine::walk::Walker;
use crate::scene::Shell;

impl Walker<'_> {
    /// Makes a variable the function's own; tells whether there was room to remember what it hides.
    pub(crate) fn make_local(&mut self, name: &str, state: &mut State) -> bool {
        let is_full = |it: &BTreeMap<String, Shadowed>| {
            it.len() >= VARIABLES && !it.contains_key(name) && !is_relied_on(name)
        };
        if state.scopes.last().is_some_and(is_full) {
            state.variables.remove(name);
            state.learned = Shared::default();
            return false;
        }
        let mut before = state.variables.get(name).cloned();
        if let Some(before) = &mut before {
            before.ways = before.ways.touched();
        }
        let mut scopes = std::mem::take(&mut state.scopes).take();
        let mut outer = scopes.iter().rev().skip(1);
        let callers = outer.any(|it| it.contains_key(name));
        let is_new = match scopes.last_mut() {
            Some(scope) if !scope.contains_key(name) => {
                let shadowed = Shadowed {
                    before: before.clone().map(Variable::hidden),
                    certain: true,
                    options: None,
                };
                scope.insert(name.to_owned(), shadowed);
                true
            }
            Some(_) | None => false,
        };
        state.scopes = Shared::new(scopes);
        // In zsh what cannot be set can be hidden.
        let hides = self.scene.shell == Shell::Zsh && !is_relied_on(name);
        let stuck = !hides && before.as_ref().is_some_and(|it| it.ways.readonly.may());
        let lent = before.is_some_and(|it| it.ways.lent.may());
        // What a calling function made its own can be hidden although it cannot be set.
        if is_new && (!stuck || callers) {
            let mut own = Variable::unset();
            // In some plain shells it begins with the older value.
            let inherits = state.options.inherits.may() || self.scene.shell == Shell::Sh;
            if inherits || lent || stuck {
                own = own.or(&self.lookup(name, state));
            }
            own.ways.exported = Tri::Perhaps;
            state.variables.insert(name.to_owned(), own);
        }
        true
    }

    /// Makes the options of `set` the function's own: `local -`.
    pub(crate) fn local_options(&self, state: &mut State) {
        let options = Some(Box::new(state.options.clone()));
        if let Some(scope) = state.scopes.last_mut() {
            scope.entry("-".to_owned()).or_insert(Shadowed {
                before: None,
                certain: true,
                options,
            });
        }
    }

    /// Gives variables back that a function made its own.
    pub(crate) fn leave_scope(&self, state: &mut State) {
        let mut scopes = std::mem::take(&mut state.scopes).take();
        let scope = scopes.pop().unwrap_or_default();
        state.scopes = Shared::new(scopes);
        for (name, shadowed) in scope {
            if let Some(options) = shadowed.options {
                state.options = match shadowed.certain {
                    true => options.with_shopt(&state.options),
                    false => state.options.or(&options),
                };
                continue;
            }
            let older = shadowed.before;
            let now = state.variables.remove(&name);
            let after = match (older, now, shadowed.certain) {
                (older, _, true) => older,
                (Some(older), Some(now), false) => Some(now.or(&older)),
                (None, Some(now), false) => Some(now.or(&self.inherited(&name, state))),
                (older, None, false) => older,
            };
            if let Some(after) = after {
                state.variables.insert(name, after);
            }
        }
    }
}
