//! Arithmetic: every name and expansion in it, because the shell evaluates what variables hold.

use belay_model::{Carries, TroubleKind};
use belay_shell::{Arith, ArithKind, Id, Subscript, SubscriptKind, Tree};

use crate::machine::state::State;
use crate::machine::value::Text;
use crate::machine::walk::{Walker, lossy, span};

impl Walker<'_> {
    /// Walks arithmetic.
    pub(crate) fn arith(&mut self, tree: &Tree<'_>, arith: Arith, state: &mut State) {
        let mut value_before = false;
        for token in tree.many(arith) {
            let value = matches!(token.kind, ArithKind::Number(_) | ArithKind::Name(_));
            let unary =
                matches!(token.kind, ArithKind::Operator(bytes) if tree.bytes(bytes) == b"~");
            if value_before && (value || unary) {
                self.trouble(
                    TroubleKind::Ambiguous,
                    "this is no arithmetic",
                    span(token.span),
                );
            }
            value_before = value;
            match token.kind {
                ArithKind::Number(_) | ArithKind::Operator(_) => {}
                ArithKind::Subscript(id) => self.subscript(tree, id, state),
                ArithKind::Quoted(inner) => self.arith(tree, inner, state),
                ArithKind::Expansion(parts) => {
                    let val = self.parts(tree, parts, state);
                    self.evaluated(&val, state, span(token.span));
                }
                ArithKind::Name(name) => {
                    self.content(&lossy(tree.bytes(name)), state, span(token.span))
                }
            }
        }
    }

    /// Walks arithmetic read from a text of its own, with that text's troubles.
    pub(crate) fn arith_of(&mut self, tree: &Tree<'_>, arith: Arith, state: &mut State) {
        for trouble in tree.troubles() {
            self.trouble(
                TroubleKind::Unknown,
                trouble.what,
                belay_model::Span::default(),
            );
        }
        if self.depth > 16 {
            return self.trouble(
                TroubleKind::Limit,
                "arithmetic lies too deep",
                belay_model::Span::default(),
            );
        }
        self.depth += 1;
        self.arith(tree, arith, state);
        self.depth -= 1;
    }

    /// Walks what a variable holds, which arithmetic evaluates again.
    fn content(&mut self, name: &str, state: &mut State, at: belay_model::Span) {
        let Some(Some(val)) = state.variables.get(name).cloned() else {
            return;
        };
        match &val.text {
            Text::Known(text) if is_plain(text) => {}
            Text::Glob(text) if text == "*" => {}
            Text::Known(_) => self.evaluated(&val, state, at),
            Text::Glob(_) | Text::Prefix { .. } | Text::Unknown { .. } => {
                if val.carries != Carries::NOTHING {
                    self.trouble(
                        TroubleKind::Unknown,
                        "arithmetic on a text that is not known",
                        at,
                    );
                }
            }
        }
    }

    /// Walks a subscript.
    pub(crate) fn subscript(&mut self, tree: &Tree<'_>, id: Id<Subscript>, state: &mut State) {
        match tree.one(id).kind {
            SubscriptKind::At | SubscriptKind::Star => {}
            SubscriptKind::Index(arith) => self.arith(tree, arith, state),
        }
    }
}

/// Tells whether a text is a number or a name without a subscript that could run something.
fn is_plain(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '-' | '+' | ' '))
}
