//! Arithmetic of numbers that are known: `n+1`, `${a[$i]}`.

use belay_shell::{Arith, ArithKind, ArithToken, ParamName, ParamOp, Part, PartKind, Tree};

use crate::machine::options::Tri;
use crate::machine::state::State;
use crate::machine::variable::Held;
use crate::machine::walk::{Walker, lossy};

/// How deep parentheses may lie in each other.
const DEPTH: u32 = 8;

/// Arithmetic that is read from its first token to its last.
struct Sum<'a> {
    tree: &'a Tree<'a>,
    tokens: std::slice::Iter<'a, ArithToken>,
    state: &'a State,
    depth: u32,
}

impl Walker<'_> {
    /// Returns what arithmetic gives, where it changes nothing and all its numbers are known.
    pub(crate) fn constant(&self, tree: &Tree<'_>, arith: Arith, state: &State) -> Option<i64> {
        let mut sum = Sum {
            tree,
            tokens: tree.many(arith).iter(),
            state,
            depth: 0,
        };
        let value = self.sum(&mut sum)?;
        sum.tokens.as_slice().is_empty().then_some(value)
    }

    /// Reads products with `+` and `-` between them.
    fn sum(&self, sum: &mut Sum<'_>) -> Option<i64> {
        let mut value = self.product(sum)?;
        loop {
            value = match sum.operator() {
                Some(b"+") => value.checked_add(self.next(sum)?)?,
                Some(b"-") => value.checked_sub(self.next(sum)?)?,
                Some(b")") | None => return Some(value),
                Some(_) => return None,
            };
        }
    }

    fn next(&self, sum: &mut Sum<'_>) -> Option<i64> {
        sum.tokens.next();
        self.product(sum)
    }

    /// Reads numbers with `*` between them.
    fn product(&self, sum: &mut Sum<'_>) -> Option<i64> {
        let mut value = self.operand(sum)?;
        while sum.operator() == Some(b"*") {
            sum.tokens.next();
            value = value.checked_mul(self.operand(sum)?)?;
        }
        Some(value)
    }

    fn operand(&self, sum: &mut Sum<'_>) -> Option<i64> {
        let token = sum.tokens.next()?;
        match token.kind {
            ArithKind::Number(bytes) => decimal(&lossy(sum.tree.bytes(bytes))),
            ArithKind::Name(name) => self.number_in(&lossy(sum.tree.bytes(name)), sum.state),
            ArithKind::Expansion(parts) => match sum.tree.many(parts) {
                [one] => self.number_in(&plain_name(sum.tree, one)?, sum.state),
                _ => None,
            },
            ArithKind::Operator(bytes) => match sum.tree.bytes(bytes) {
                b"-" => self.operand(sum)?.checked_neg(),
                b"(" if sum.depth < DEPTH => {
                    sum.depth += 1;
                    let value = self.sum(sum)?;
                    sum.depth -= 1;
                    let closes = sum.operator() == Some(b")");
                    sum.tokens.next();
                    closes.then_some(value)
                }
                _ => None,
            },
            ArithKind::Subscript(_) | ArithKind::Quoted(_) => None,
        }
    }

    /// Returns the number that a variable holds, for certain.
    fn number_in(&self, name: &str, state: &State) -> Option<i64> {
        let variable = self.lookup(name, state);
        let plain = variable.set == Tri::Yes && !variable.ways.reference.may() && !state.haunted;
        match &variable.held {
            Held::One(val) if plain => decimal(val.text()?),
            Held::One(_) | Held::List(_) | Held::Any(_) => None,
        }
    }
}

impl Sum<'_> {
    /// Returns the operator that comes next.
    fn operator(&self) -> Option<&[u8]> {
        match self.tokens.as_slice().first()?.kind {
            ArithKind::Operator(bytes) => Some(self.tree.bytes(bytes)),
            // What stands here without one makes the whole no arithmetic.
            ArithKind::Number(_)
            | ArithKind::Name(_)
            | ArithKind::Subscript(_)
            | ArithKind::Expansion(_)
            | ArithKind::Quoted(_) => Some(b""),
        }
    }
}

/// Returns the name of a variable that is expanded as it is.
fn plain_name(tree: &Tree<'_>, part: &Part) -> Option<String> {
    let PartKind::Param(id) = part.kind else {
        return None;
    };
    let param = tree.one(id);
    let plain = param.subscript.is_none() && !param.indirect && !param.length;
    match (param.name, param.op) {
        (ParamName::Variable(name), ParamOp::None) if plain => Some(lossy(tree.bytes(name))),
        _ => None,
    }
}

/// Reads a number that every shell reads as the same: no other base, and not too large.
fn decimal(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits.len() < 16 && digits.bytes().all(|it| it.is_ascii_digit());
    let octal = digits.len() > 1 && digits.starts_with('0');
    text.parse::<i64>().ok().filter(|_| plain && !octal)
}
