//! Prompts: texts that the shell expands, or runs, each time it shows them.

use belay_model::{Effect, Verb};

use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Text};
use crate::machine::walk::{Nested, Walker};

/// No prompt has such a line.
const END: &str = "the-end-of-the-prompt";

impl Walker<'_> {
    /// Walks what a prompt does when it is shown: on what the shell knows by then, in whatever folder. What it changes all
    /// others find changed.
    pub(crate) fn prompts(&mut self, name: &str, value: &Arg, state: &mut State) {
        for choice in value.val.choices() {
            let Text::Known(text) = &choice.text else {
                // Only what is told of commands is shown where nobody sits at the shell.
                if name == "PS4" {
                    self.emit(Effect::of(Verb::Eval, ["text"]).spanning(value.span));
                    state.haunted = true;
                }
                continue;
            };
            let code = match name {
                "PROMPT_COMMAND" => text.clone(),
                _ => format!(": <<{END}\n{}\n{END}", decoded(text)),
            };
            if name != "PROMPT_COMMAND" && !code.contains(['$', '`']) {
                continue;
            }
            let mut apart = state.clone();
            apart.forget();
            let nested = Nested {
                text: &code,
                at: value.span,
            };
            self.nested_at(nested, &mut apart, &Stream::terminal());
            self.haunts(&code, value.span, state);
        }
    }
}

/// Returns a prompt with its octal characters written out and without any other mark, as if none of them kept anything
/// from being expanded.
fn decoded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let mut code = 0;
        let mut digits = 0;
        while let Some(digit) = rest
            .peek()
            .and_then(|it| it.to_digit(8))
            .filter(|_| digits < 3)
        {
            code = code * 8 + digit;
            digits += 1;
            rest.next();
        }
        if digits > 0 {
            out.extend(char::from_u32(code));
        }
    }
    out
}
