//! Parameters whose text names a variable or is a prompt: it is evaluated once more.

use belay_model::{Span, TroubleKind};
use belay_shell::{Param, ParamName, Tree};

use crate::machine::options::Tri;
use crate::machine::params::Found;
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::Val;
use crate::machine::walk::{Walker, lossy};

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

    /// Returns what a reference stands for: `${!R}` gives that name, and does not go on to what it names.
    pub(crate) fn stood_for(&self, tree: &Tree<'_>, param: &Param, state: &State) -> Option<Val> {
        let ParamName::Variable(name) = param.name else {
            return None;
        };
        let variable = self.lookup(&lossy(tree.bytes(name)), state);
        if !variable.ways.reference.may() {
            return None;
        }
        let target = variable.held.first();
        let chained = target
            .text()
            .is_none_or(|it| self.lookup(it, state).ways.reference.may());
        Some(if chained { Val::unknown() } else { target })
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
                    // It is expanded as a here-document is: quotes are letters, but not inside of what it runs.
                    let text = numbered(text);
                    let mut end = "PROMPT".to_owned();
                    while text.contains(&end) {
                        end.push('_');
                    }
                    let text = format!(": <<{end}\n{text}\n{end}\n");
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

/// Puts in the letters that a prompt writes as octal numbers: they are there before anything is expanded.
fn numbered(prompt: &str) -> String {
    let mut out = String::with_capacity(prompt.len());
    let mut letters = prompt.chars().peekable();
    while let Some(c) = letters.next() {
        out.push(c);
        if c != '\\' {
            continue;
        }
        let digits: String = std::iter::from_fn(|| letters.next_if(|it| it.is_digit(8)))
            .take(3)
            .collect();
        match u8::from_str_radix(&digits, 8) {
            Ok(number) => {
                out.pop();
                out.push(char::from(number));
            }
            // A backslash takes the next letter with it.
            Err(_) => out.extend(letters.next()),
        }
    }
    out
}
