//! Texts that run something when the shell evaluates them: as arithmetic, as a name, as an array.

use belay_model::TroubleKind;
use belay_shell::{Arith, ArithKind, Tree};

use crate::machine::options::Tri;
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Text, Val};
use crate::machine::variables::is_name;
use crate::machine::walk::Nested;
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Walks the commands in the subscripts of a text that becomes a variable's value. Where the variable is a number or
    /// a reference, or is used in arithmetic later, the shell runs them; which it is cannot be told from here.
    pub(crate) fn armed(&mut self, val: &Val, state: &mut State) {
        let text = match &val.text {
            Text::Known(text) | Text::Glob(text) | Text::Prefix { known: text, .. } => text,
            Text::Unknown { .. } => return,
            Text::OneOf(_) => {
                for choice in val.choices() {
                    self.armed(&choice, state);
                }
                return;
            }
        };
        if !text.contains('[') || !(text.contains("$(") || text.contains('`')) || self.depth > 16 {
            return;
        }
        let text = text.clone();
        let (tree, arith) = belay_shell::parse_arith(text.as_bytes());
        let mut apart = state.clone();
        self.depth += 1;
        self.armed_tokens(&tree, arith, &mut apart);
        self.depth -= 1;
    }

    fn armed_tokens(&mut self, tree: &Tree<'_>, arith: Arith, state: &mut State) {
        for token in tree.many(arith) {
            match token.kind {
                ArithKind::Subscript(id) => self.subscript(tree, id, state),
                ArithKind::Quoted(inner) => self.armed_tokens(tree, inner, state),
                ArithKind::Name(_)
                | ArithKind::Number(_)
                | ArithKind::Operator(_)
                | ArithKind::Expansion(_) => {}
            }
        }
    }

    /// Walks `NAME=(...)` that `declare` and its kin take from a text, quoted or from a variable: for an array they read
    /// it as they would read code.
    pub(crate) fn array_text(&mut self, arg: &Arg, state: &mut State) {
        let (text, whole) = match &arg.val.text {
            Text::Known(text) | Text::Glob(text) => (text, true),
            Text::Prefix { known, .. } => (known, false),
            Text::Unknown { .. } | Text::OneOf(_) => return,
        };
        let Some((_, value)) = text.split_once('=') else {
            return;
        };
        if !value.trim_start().starts_with('(') {
            return;
        }
        if !whole {
            let what = "an array from a text that is not known";
            return self.trouble(TroubleKind::Unknown, what, arg.span);
        }
        let code = format!("array={}", value.trim_start());
        let mut apart = state.clone();
        self.nested_at(
            Nested {
                text: &code,
                at: arg.span,
            },
            &mut apart,
            &Stream::terminal(),
        );
    }

    /// Walks `wait -p NAME`.
    pub(crate) fn waits(&mut self, rest: &[Arg], state: &mut State) {
        let mut words = rest.iter();
        while let Some(arg) = words.next() {
            match arg.text() {
                Some("-p" | "-np" | "-fp") => {
                    if let Some(name) = words.next() {
                        self.waited_for(name, state);
                    }
                }
                Some(glued) if glued.starts_with("-p") => {
                    let name = Arg::known(glued.trim_start_matches("-p"), arg.span);
                    self.waited_for(&name, state);
                }
                Some(_) | None => {}
            }
        }
    }

    /// Sets a variable to the number of a process, or unsets it where there was none to wait for.
    fn waited_for(&mut self, name: &Arg, state: &mut State) {
        self.forget(name, Val::digits().or(&Val::known("")), state);
        let Some(variable) = name.text().and_then(|it| state.variables.get_mut(it)) else {
            return;
        };
        if variable.ways.reference.may() {
            return self.any_variable(state, name.span);
        }
        variable.set = variable.set.or(Tri::No);
    }

    /// Walks the words of `test`, some of which name variables.
    pub(crate) fn test_words(&mut self, rest: &[Arg], state: &mut State) {
        let mut words = rest.iter();
        while let Some(arg) = words.next() {
            if matches!(arg.text(), Some("-v" | "-R"))
                && let Some(name) = words.next()
            {
                self.named(&name.val, state, name.span);
            }
        }
    }

    /// Walks `printf -v NAME`: what it writes may be evaluated where the variable is a number.
    pub(crate) fn printf_into(&mut self, rest: &[Arg], state: &mut State) {
        let target = match rest.first().and_then(Arg::text) {
            Some("-v") => rest.get(1).cloned(),
            Some(glued) => rest
                .first()
                .map(|it| Arg::known(glued.trim_start_matches("-v"), it.span)),
            None => None,
        };
        for arg in rest {
            self.armed(&arg.val, state);
        }
        let used = match rest.first().and_then(Arg::text) {
            Some("-v") => 1,
            _ => 0,
        };
        let output = crate::machine::prints::printed(
            rest.get(used..).unwrap_or_default(),
            self.knows_hex(state),
        );
        let val = output.text.unwrap_or_else(|| Val::any(output.carries));
        if let Some(target) = target {
            self.forget(&target, val, state);
        }
    }

    /// Walks a format of `printf` and its words: `%n` sets the variable that its word names.
    pub(crate) fn counts_into(&mut self, rest: &[Arg], state: &mut State) {
        let Some((format, words)) = rest.split_first() else {
            return;
        };
        let certain = format.text().is_some();
        if format.text().is_some_and(|it| !counts(it)) {
            return;
        }
        for word in words {
            let named = word.text().is_some_and(is_name);
            // That a text nobody knows asks for it, and names a variable besides, is not assumed.
            if named || certain {
                let before = state.clone();
                self.forget(word, Val::digits(), state);
                *state = before.or(std::mem::take(state));
            }
        }
    }

    /// Walks a value that the shell evaluates as arithmetic although it was quoted.
    pub(crate) fn evaluated(&mut self, val: &Val, state: &mut State, at: belay_model::Span) {
        use crate::machine::value::{DIGITS, NUMBER, PLAIN, PROCESS};
        for choice in val.choices() {
            match &choice.text {
                Text::Known(text) => {
                    let (tree, arith) = belay_shell::parse_arith(text.as_bytes());
                    self.arith_of(&tree, arith, state);
                }
                Text::Glob(text) if matches!(text.as_str(), DIGITS | PROCESS | NUMBER | PLAIN) => {}
                // What no stranger had a say in is a number or nothing that could run.
                Text::Prefix { .. } | Text::Unknown { .. } if choice.carries.is_nothing() => {}
                // A name that a search found may hold a subscript that runs code.
                Text::Glob(_) | Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => {
                    self.trouble(
                        TroubleKind::Unknown,
                        "arithmetic on a text that is not known",
                        at,
                    );
                }
            }
        }
    }

    /// Walks a value that names a variable, perhaps with a subscript.
    pub(crate) fn named(&mut self, val: &Val, state: &mut State, at: belay_model::Span) {
        let Some(text) = val.text().map(str::to_owned) else {
            return self.trouble(
                TroubleKind::Unknown,
                "a variable whose name is not known",
                at,
            );
        };
        let (tree, name) = belay_shell::parse_name(text.as_bytes());
        if let Some(subscript) = name.and_then(|it| it.subscript) {
            self.subscript(&tree, subscript, state);
        }
    }
}

/// Tells whether a format of `printf` may ask how much was printed.
fn counts(format: &str) -> bool {
    format.split('%').skip(1).any(|it| {
        let kind =
            it.trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #.*'hjlLtz".contains(c));
        kind.starts_with('n')
    })
}
