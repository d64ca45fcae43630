//! Arithmetic: every name and expansion in it, because the shell evaluates what variables hold.

use belay_model::TroubleKind;
use belay_shell::{Arith, ArithKind, ArithToken, Id, Subscript, SubscriptKind, Tree};

use crate::machine::constants::{Reckoned, Reckoning};
use crate::machine::elements::held_values;
use crate::machine::options::Tri;
use crate::machine::state::State;
use crate::machine::value::{DIGITS, NUMBER, PLAIN, Text, Val};
use crate::machine::variable::{Held, Variable};
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
        let mut given = Vec::new();
        let mut may_abort = false;
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
                    given.push(val);
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
        let reckoning = Reckoning {
            tree,
            tokens,
            given: Some(&given),
        };
        match self.reckoned(reckoning, state) {
            Some(Reckoned { value, sets }) => {
                for (name, value) in sets {
                    self.arith_sets(
                        Setting::one(name, text_of(value)),
                        state,
                        arith_span(tokens),
                    );
                }
                text_of(value)
            }
            None => {
                let broken = !is_expression(tree, tokens);
                self.may_abort |= may_abort || broken || may_divide_by_nothing(tree, tokens);
                self.arith_assigns(tree, tokens, state);
                Val::number()
            }
        }
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
            self.arith_sets(setting, state, span(token.span));
            if let Some(old) = old {
                *state = old.or(std::mem::take(state));
            }
        }
    }

    /// Sets a variable that arithmetic gives a value.
    fn arith_sets(&mut self, setting: Setting, state: &mut State, at: belay_model::Span) {
        let name = (self.scene.shell == Shell::Zsh).then(|| setting.name.clone());
        self.assign(setting, state, at);
        // In zsh a variable that arithmetic makes stays a number.
        if let Some(variable) = name.and_then(|it| state.variables.get_mut(&it)) {
            variable.ways.integer = variable.ways.integer.or(Tri::Yes);
        }
    }

    /// Walks arithmetic read from a text of its own, with that text's troubles.
    pub(crate) fn arith_of(&mut self, tree: &Tree<'_>, arith: Arith, state: &mut State) -> Val {
        for trouble in tree.troubles() {
            self.trouble(
                TroubleKind::Unknown,
                trouble.what,
                belay_model::Span::default(),
            );
        }
        if self.depth > DEPTH {
            self.limit("arithmetic lies too deep", belay_model::Span::default());
            return Val::number();
        }
        if !self.fuel.may_evaluate() {
            self.limit(
                "arithmetic is evaluated too often",
                belay_model::Span::default(),
            );
            state.forget();
            return Val::number();
        }
        self.depth += 1;
        self.fuel.texts += 1;
        let val = self.arith(tree, arith, state);
        self.fuel.texts -= 1;
        self.depth -= 1;
        // What is read from a text is expanded in subscripts alone: elsewhere a `$` makes it no number.
        let expands =
            |it: &ArithToken| matches!(it.kind, ArithKind::Expansion(_) | ArithKind::Quoted(_));
        let tokens = tree.many(arith);
        if tokens.iter().any(expands) {
            self.may_abort = true;
            // In zsh it stands for the shell's own number.
            self.arith_assigns(tree, tokens, state);
            return Val::number();
        }
        val
    }

    /// Walks what a variable holds, which arithmetic evaluates again.
    fn content(&mut self, name: &str, state: &mut State, at: belay_model::Span) {
        let Some(variable) = state.variables.get(name) else {
            return self.content_of_any(state, at);
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

    /// Walks what the environment's variable may name: any of ours, whose text is evaluated then.
    fn content_of_any(&mut self, state: &mut State, at: belay_model::Span) {
        // What such a text reads in turn may be any of them again: once is enough to see what each does.
        if std::mem::replace(&mut self.guessing, true) {
            return;
        }
        let acts = |it: &Val| {
            let steps = |it: &str| it.contains("++") || it.contains("--");
            it.text()
                .is_some_and(|it| it.contains(['=', '[', '$', '`']) || steps(it))
        };
        let vals = |it: &Variable| held_values(&it.held);
        let all = state.variables.values().flat_map(vals);
        let armed: Vec<Val> = all.flat_map(|it| it.choices()).filter(acts).collect();
        for val in armed {
            let before = state.clone();
            let told = self.out.troubles.len();
            self.evaluated(&val, state, at);
            // Most are no arithmetic, and nobody is asked about that: what one of them would do counts, and every limit.
            let mut new = self.out.troubles.split_off(told);
            new.retain(|it| it.kind == TroubleKind::Limit);
            self.out.troubles.extend(new);
            *state = before.or(std::mem::take(state));
        }
        self.guessing = false;
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

/// Returns where arithmetic stands.
fn arith_span(tokens: &[ArithToken]) -> belay_model::Span {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => span(first.span.to(last.span)),
        _ => belay_model::Span::default(),
    }
}

fn text_of(value: i64) -> Val {
    Val::known(value.to_string())
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
pub(crate) fn gives(operator: &[u8]) -> bool {
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
