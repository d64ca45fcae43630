//! Parameters whose text names a variable or is a prompt: it is evaluated once more.

use belay_model::{Span, TroubleKind};

use crate::machine::options::Tri;
use crate::machine::params::Found;
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::Val;
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Returns what the variable holds that a text names.
    pub(crate) fn indirect(&mut self, name: Found, state: &mut State) -> Found {
        let mut all = Vec::new();
        for choice in name.val.choices() {
            let named = choice.text().map(str::to_owned);
            let Some(text) = named.filter(|it| crate::machine::variables::is_name(it)) else {
                // What is no name gives up the line.
                self.may_abort = true;
                self.named_by(&choice, state);
                all.push(Val::unknown().carrying(choice.carries));
                continue;
            };
            let variable = self.read_variable(&text, state);
            all.push(variable.held.first());
        }
        Found {
            val: Val::any_of(all),
            set: Tri::Perhaps,
        }
    }

    /// A variable is named by a text that is no plain name: it may hold a subscript that runs something.
    fn named_by(&mut self, val: &Val, state: &mut State) {
        match val.text() {
            Some(_) => self.named(val, state, Span::default()),
            None => self.trouble(
                TroubleKind::Unknown,
                "a variable named by another",
                Span::default(),
            ),
        }
    }

    /// `${x@P}` runs what it finds in the value.
    pub(crate) fn prompt(&mut self, val: &Val, state: &mut State) {
        for choice in val.choices() {
            match choice.text() {
                Some(text) if !text.contains(['$', '`', '\\']) => {}
                Some(text) => {
                    let text = format!(": \"{}\"", text.replace('"', "\\\""));
                    let mut apart = state.clone();
                    self.nested(&text, &mut apart, &Stream::terminal());
                }
                None => self.trouble(
                    TroubleKind::Unknown,
                    "a prompt whose text is not known is expanded",
                    Span::default(),
                ),
            }
        }
    }
}
