//! Arithmetic: every name and expansion in it, because the shell evaluates what variables hold.

use belay_model::TroubleKind;
use belay_shell::{Arith, ArithKind, ArithToken, Id, Subscript, SubscriptKind, Tree};

use crate::machine::options::Tri;
use crate::machine::state::State;
use crate::machine::value::{DIGITS, NUMBER, PLAIN, Text, Val};
use crate::machine::variable::Held;
use crate::machine::variables::Setting;
use crate::machine::walk::{Walker, lossy, span};
use crate::scene::Shell;

/// How deep values may lie in values that arithmetic evaluates.
const DEPTH: u32 = 16;

impl Walker<'_> {
    /// Walks the numbers that say which part is taken. Of what is not set nothing is, and behind its end nothing either: then
    /// they are not evaluated.
    pub(crate) fn bounds(
        &mut self,
        tree: &Tree<'_>,
        bounds: belay_shell::SliceBounds,
        state: &mut State,
    ) {
        for number in [Some(bounds.offset), bounds.length].into_iter().flatten() {
            let before = state.clone();
            self.arith(tree, number, state);
            if !before.is_like(state) {
                *state = before.or(std::mem::take(state));
            }
        }
    }

    /// Walks arithmetic and returns what it gives: a number.
    pub(crate) fn arith(&mut self, tree: &Tree<'_>, arith: Arith, state: &mut State) -> Val {
        let tokens = tree.many(arith);
        self.arith_words(tree, tokens);
        let known = self.constant(tree, arith, state);
        let mut may_abort = may_divide_by_nothing(tree, tokens) || !is_expression(tree, tokens);
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                ArithKind::Number(_) | ArithKind::Operator(_) => {}
                // What is only given a value is not read.
                ArithKind::Name(_) if is_given(tree, tokens.get(at + 1)) => {}
                ArithKind::Subscript(id) => {
                    self.subscript(tree, id, state);
                    may_abort = true;
                }
                ArithKind::Quoted(inner) => {
                    self.arith(tree, inner, state);
                    may_abort = true;
                }
                ArithKind::Expansion(parts) => {
                    let val = self.parts(tree, parts, state);
                    may_abort |= !is_number(&val);
                    self.evaluated(&val, state, span(token.span));
                }
                ArithKind::Name(name) => {
                    let name = lossy(tree.bytes(name));
                    may_abort |= !matches!(
                        state.variables.get(&name).map(|it| &it.held),
                        Some(Held::One(val)) if is_number(val)
                    );
                    self.content(&name, state, span(token.span));
                }
            }
        }
        self.arith_assigns(tree, tokens, state);
        self.may_abort |= may_abort;
        known.map_or_else(Val::number, |it| Val::known(it.to_string()))
    }

    /// Says where values stand side by side: that is no arithmetic.
    fn arith_words(&mut self, tree: &Tree<'_>, tokens: &[ArithToken]) {
        let mut value_before = false;
        for token in tokens {
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
        }
    }

    /// Sets the variables that arithmetic assigns.
    fn arith_assigns(&mut self, tree: &Tree<'_>, tokens: &[ArithToken], state: &mut State) {
        let operator = |at: Option<&ArithToken>| match at.map(|it| it.kind) {
            Some(ArithKind::Operator(bytes)) => Some(tree.bytes(bytes)),
            _ => None,
        };
        let steps = |it: Option<&[u8]>| matches!(it, Some(b"++" | b"--"));
        let perhaps = tokens
            .iter()
            .any(|it| matches!(operator(Some(it)), Some(b"&&" | b"||" | b"?")));
        for (at, token) in tokens.iter().enumerate() {
            let ArithKind::Name(name) = token.kind else {
                continue;
            };
            let keyed = matches!(
                tokens.get(at + 1).map(|it| it.kind),
                Some(ArithKind::Subscript(_))
            );
            let next = operator(tokens.get(at + if keyed { 2 } else { 1 }));
            let before = operator(at.checked_sub(1).and_then(|it| tokens.get(it)));
            if !(next.is_some_and(gives) || steps(next) || steps(before)) {
                continue;
            }
            let setting = Setting {
                key: keyed.then(Val::unknown),
                held: Held::One(Val::number()),
                name: lossy(tree.bytes(name)),
                append: false,
            };
            let old = perhaps.then(|| state.clone());
            let name = setting.name.clone();
            self.assign(setting, state, span(token.span));
            // In zsh a variable that arithmetic makes stays a number.
            if self.scene.shell == Shell::Zsh
                && let Some(variable) = state.variables.get_mut(&name)
            {
                variable.ways.integer = variable.ways.integer.or(Tri::Yes);
            }
            if let Some(old) = old {
                *state = old.or(std::mem::take(state));
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
        if self.depth > DEPTH {
            return self.limit("arithmetic lies too deep", belay_model::Span::default());
        }
        self.depth += 1;
        self.arith(tree, arith, state);
        self.depth -= 1;
    }

    /// Walks what a variable holds, which arithmetic evaluates again.
    fn content(&mut self, name: &str, state: &mut State, at: belay_model::Span) {
        let Some(variable) = state.variables.get(name) else {
            return;
        };
        let val = match &variable.held {
            Held::One(val) => val.clone(),
            held @ (Held::List(_) | Held::Any(_)) => held.elements().values,
        };
        for choice in val.choices() {
            match &choice.text {
                Text::Known(text) if is_plain(text) => {}
                Text::Glob(text) if matches!(text.as_str(), DIGITS | NUMBER | PLAIN) => {}
                Text::Known(_)
                | Text::Glob(_)
                | Text::Prefix { .. }
                | Text::Unknown { .. }
                | Text::OneOf(_) => self.evaluated(&choice, state, at),
            }
        }
    }

    /// Tells whether the keys of a variable are texts, for certain.
    pub(crate) fn has_keys(&self, name: &str, state: &State) -> bool {
        let ways = state.variables.get(name).map(|it| it.ways);
        ways.is_some_and(|it| it.keyed.must() && !it.reference.may())
    }

    /// Walks a subscript that is a text: what stands in it is expanded, and evaluated no further.
    pub(crate) fn walk_key(&mut self, tree: &Tree<'_>, id: Id<Subscript>, state: &mut State) {
        if let SubscriptKind::Index(arith) = tree.one(id).kind {
            self.expanded_tokens(tree, arith, state);
        }
    }

    fn expanded_tokens(&mut self, tree: &Tree<'_>, arith: Arith, state: &mut State) {
        for token in tree.many(arith) {
            match token.kind {
                ArithKind::Expansion(parts) => {
                    self.parts(tree, parts, state);
                }
                ArithKind::Quoted(inner) => self.expanded_tokens(tree, inner, state),
                ArithKind::Subscript(id) => self.walk_key(tree, id, state),
                ArithKind::Name(_) | ArithKind::Number(_) | ArithKind::Operator(_) => {}
            }
        }
    }

    /// Walks a subscript.
    pub(crate) fn subscript(&mut self, tree: &Tree<'_>, id: Id<Subscript>, state: &mut State) {
        match tree.one(id).kind {
            SubscriptKind::At | SubscriptKind::Star => {}
            SubscriptKind::Index(arith) => {
                self.arith(tree, arith, state);
            }
        }
    }
}

/// Tells whether a value is given to what stands before this, whatever that held.
fn is_given(tree: &Tree<'_>, next: Option<&ArithToken>) -> bool {
    let gives = |kind| matches!(kind, ArithKind::Operator(bytes) if tree.bytes(bytes) == b"=");
    next.is_some_and(|it| gives(it.kind))
}

/// Tells whether a value is a number, whichever it is, or nothing, which counts as zero.
fn is_number(val: &Val) -> bool {
    let is = |text: &Text| match text {
        Text::Known(text) => text.is_empty() || text.len() < 16 && text.parse::<i64>().is_ok(),
        Text::Glob(text) => matches!(text.as_str(), DIGITS | NUMBER),
        Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => false,
    };
    match &val.text {
        Text::OneOf(texts) => texts.iter().all(is),
        text @ Text::Known(_)
        | text @ Text::Glob(_)
        | text @ Text::Prefix { .. }
        | text @ Text::Unknown { .. } => is(text),
    }
}

/// Tells whether tokens are an expression that every shell evaluates to its end: operands and operators by turns, numbers in
/// plain form, and values given to names alone.
fn is_expression(tree: &Tree<'_>, tokens: &[ArithToken]) -> bool {
    let mut operand = false;
    let mut open = 0_u32;
    // Whether a name that stands here may be given a value.
    let mut fresh = true;
    let mut name = false;
    for token in tokens {
        let bytes = match token.kind {
            ArithKind::Operator(bytes) => tree.bytes(bytes),
            ArithKind::Subscript(_) if name => continue,
            ArithKind::Number(bytes) if !is_plain_number(tree.bytes(bytes)) => return false,
            ArithKind::Number(_) | ArithKind::Name(_) | ArithKind::Expansion(_) if !operand => {
                operand = true;
                name = fresh && matches!(token.kind, ArithKind::Name(_));
                fresh = false;
                continue;
            }
            ArithKind::Number(_)
            | ArithKind::Name(_)
            | ArithKind::Expansion(_)
            | ArithKind::Subscript(_)
            | ArithKind::Quoted(_) => return false,
        };
        match (bytes, operand) {
            (b"(", false) => (open, fresh) = (open + 1, true),
            (b")", true) if open > 0 => open -= 1,
            (b"+" | b"-" | b"!" | b"~", false) => fresh = false,
            (b"++" | b"--", true) if name => {}
            (b"," | b"?", true) => (operand, fresh) = (false, true),
            (other, true) if gives(other) && name => (operand, fresh) = (false, true),
            (other, true) if !gives(other) && !matches!(other, b"(" | b"++" | b"--") => {
                (operand, fresh) = (false, false);
            }
            _ => return false,
        }
        name = false;
    }
    open == 0 && (operand || tokens.is_empty())
}

/// Tells whether a number is read alike everywhere: no sign of another base, and not too large.
fn is_plain_number(digits: &[u8]) -> bool {
    let decimal = digits.iter().all(u8::is_ascii_digit) && digits.len() < 16;
    decimal && (digits.len() == 1 || !digits.starts_with(b"0"))
}

/// Tells whether an operator gives a value to what stands before it.
fn gives(operator: &[u8]) -> bool {
    matches!(
        operator,
        b"=" | b"+=" | b"-=" | b"*=" | b"/=" | b"%=" | b"<<=" | b">>=" | b"&=" | b"^=" | b"|="
    )
}

/// Tells whether something may be divided by zero, or raised to less than it.
fn may_divide_by_nothing(tree: &Tree<'_>, tokens: &[ArithToken]) -> bool {
    let nonzero = |it: Option<&ArithToken>| match it.map(|it| it.kind) {
        Some(ArithKind::Number(bytes)) => tree
            .bytes(bytes)
            .iter()
            .any(|it| (b'1'..=b'9').contains(it)),
        _ => false,
    };
    tokens
        .iter()
        .enumerate()
        .any(|(at, token)| match token.kind {
            ArithKind::Operator(bytes) => {
                matches!(tree.bytes(bytes), b"/" | b"%" | b"/=" | b"%=" | b"**")
                    && !nonzero(tokens.get(at + 1))
            }
            ArithKind::Name(_)
            | ArithKind::Subscript(_)
            | ArithKind::Number(_)
            | ArithKind::Expansion(_)
            | ArithKind::Quoted(_) => false,
        })
}

/// Tells whether a text is a number or a name without a subscript that could run something.
fn is_plain(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '-' | '+' | ' '))
}
