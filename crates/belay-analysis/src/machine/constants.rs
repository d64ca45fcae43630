//! Arithmetic of numbers that are known: `n+1`, `${a[$i]}`, `i < 3`, `(n += 2, n % 3)`.

use belay_shell::{Arith, ArithKind, ArithToken, ParamName, ParamOp, Part, PartKind, Tree};

use crate::machine::elements::is_volatile;
use crate::machine::options::Tri;
use crate::machine::state::State;
use crate::machine::value::Val;
use crate::machine::variable::Held;
use crate::machine::walk::{Walker, lossy};
use crate::scene::Shell;

/// How deep operands may lie in each other.
const DEPTH: u32 = 24;

/// So many variables may be set on the way.
const SETS: usize = 16;

/// Arithmetic, and what its expansions gave, one after the other, where they were walked.
#[derive(Clone, Copy)]
pub(crate) struct Reckoning<'a> {
    pub(crate) tree: &'a Tree<'a>,
    pub(crate) tokens: &'a [ArithToken],
    pub(crate) given: Option<&'a [Val]>,
}

/// What arithmetic gives whose numbers are all known, and what it sets on the way.
pub(crate) struct Reckoned {
    pub(crate) value: i64,
    pub(crate) sets: Vec<(String, i64)>,
}

/// Arithmetic that is read from its first token to its last.
struct Sum<'a> {
    walker: &'a Walker<'a>,
    state: &'a State,
    tree: &'a Tree<'a>,
    tokens: std::slice::Iter<'a, ArithToken>,
    expanded: Option<std::slice::Iter<'a, Val>>,
    sets: Vec<(String, i64)>,
    depth: u32,
    /// How many operators around this need it not, so that it is read but not evaluated.
    idle: u32,
    /// Whether anything stands in front.
    begun: bool,
}

impl Walker<'_> {
    /// Returns what arithmetic gives, where it changes nothing and all its numbers are known.
    pub(crate) fn constant(&self, tree: &Tree<'_>, arith: Arith, state: &State) -> Option<i64> {
        let reckoning = Reckoning {
            tree,
            tokens: tree.many(arith),
            given: None,
        };
        let found = self.reckoned(reckoning, state)?;
        found.sets.is_empty().then_some(found.value)
    }

    /// Returns what arithmetic gives and sets, where all its numbers are known and every shell reads it the same.
    pub(crate) fn reckoned(&self, reckoning: Reckoning<'_>, state: &State) -> Option<Reckoned> {
        let mut sum = Sum {
            walker: self,
            state,
            tree: reckoning.tree,
            tokens: reckoning.tokens.iter(),
            expanded: reckoning.given.map(<[Val]>::iter),
            sets: Vec::new(),
            depth: 0,
            idle: 0,
            begun: false,
        };
        let value = sum.list()?;
        let Sum { tokens, sets, .. } = sum;
        let whole = tokens.as_slice().is_empty();
        // zsh looks up what a name holds where it is needed, not where it stands.
        let alike = self.scene.shell != Shell::Zsh || sets_apart(reckoning, &sets);
        (whole && alike).then_some(Reckoned { value, sets })
    }
}

impl<'a> Sum<'a> {
    /// Reads what commas part: the last counts.
    fn list(&mut self) -> Option<i64> {
        let mut value = self.given()?;
        // A plain `sh` has none.
        while self.operator() == Some(b",") && self.shell() != Shell::Sh {
            self.tokens.next();
            value = self.given()?;
        }
        Some(value)
    }

    /// Reads a value that is given to a variable, or one that is not.
    fn given(&mut self) -> Option<i64> {
        let Some((name, operator)) = self.target() else {
            return self.chosen();
        };
        self.begun = true;
        self.tokens.next();
        self.tokens.next();
        let value = self.deeper(Self::given)?;
        let value = match operator.split_last()? {
            (_, []) => value,
            (_, with) => {
                let old = self.number_in(&name)?;
                self.applied(with, [old, value])?
            }
        };
        self.set(name, value)
    }

    /// Returns the variable that is given a value here, and the operator that says so.
    fn target(&self) -> Option<(String, &'a [u8])> {
        let [first, second, ..] = self.tokens.as_slice() else {
            return None;
        };
        let (ArithKind::Name(name), ArithKind::Operator(operator)) = (first.kind, second.kind)
        else {
            return None;
        };
        let operator = self.tree.bytes(operator);
        crate::machine::arith::gives(operator).then(|| (lossy(self.tree.bytes(name)), operator))
    }

    /// Reads a value, or one of two by a condition.
    fn chosen(&mut self) -> Option<i64> {
        let condition = self.binary(0)?;
        if self.operator() != Some(b"?") {
            return Some(condition);
        }
        self.tokens.next();
        let yes = self.idly(condition == 0, |it| it.deeper(Self::given))?;
        if self.operator() != Some(b":") {
            return None;
        }
        self.tokens.next();
        let no = self.idly(condition != 0, |it| it.deeper(Self::chosen))?;
        Some(if condition == 0 { no } else { yes })
    }

    /// Reads operands with operators between them that bind at least so strongly.
    fn binary(&mut self, weakest: u8) -> Option<i64> {
        let mut left = self.unary()?;
        while let Some(operator) = self.operator() {
            let Some(strength) = strength(operator, self.shell()) else {
                break;
            };
            if strength < weakest {
                break;
            }
            self.tokens.next();
            let settled = matches!(
                (operator, left),
                (b"&&", 0) | (b"||", i64::MIN..=-1 | 1..=i64::MAX)
            );
            let next = strength + u8::from(operator != b"**");
            let right = self.idly(settled, |it| it.deeper(|it| it.binary(next)))?;
            left = self.applied(operator, [left, right])?;
        }
        Some(left)
    }

    /// Reads an operand and the signs before it.
    fn unary(&mut self) -> Option<i64> {
        let first = !std::mem::replace(&mut self.begun, true);
        let token = self.tokens.next()?;
        match token.kind {
            ArithKind::Number(bytes) => decimal(&lossy(self.tree.bytes(bytes))),
            ArithKind::Name(name) => self.name(&lossy(self.tree.bytes(name))),
            ArithKind::Expansion(parts) => {
                let value = self.expansion(self.tree.many(parts))?;
                // It is read together with what stands before it: a minus may join another.
                (first || value >= 0).then_some(value)
            }
            ArithKind::Operator(bytes) => match self.tree.bytes(bytes) {
                b"-" => self.deeper(Self::unary)?.checked_neg(),
                b"+" => self.deeper(Self::unary),
                b"!" => self.deeper(Self::unary).map(|it| i64::from(it == 0)),
                b"~" => self.deeper(Self::unary).map(|it| !it),
                b"(" => {
                    let value = self.deeper(Self::list)?;
                    let closes = self.operator() == Some(b")");
                    self.tokens.next();
                    closes.then_some(value)
                }
                step @ (b"++" | b"--") if self.shell() != Shell::Sh => self.stepped(step),
                _ => None,
            },
            ArithKind::Subscript(_) | ArithKind::Quoted(_) => None,
        }
    }

    /// Reads a name, and whether it counts on behind it.
    fn name(&mut self, name: &str) -> Option<i64> {
        let value = self.number_in(name)?;
        let step = match self.operator() {
            Some(b"++") if self.shell() != Shell::Sh => 1,
            Some(b"--") if self.shell() != Shell::Sh => -1,
            Some(_) | None => return Some(value),
        };
        self.tokens.next();
        self.set(name.to_owned(), value.checked_add(step)?)?;
        Some(value)
    }

    /// Reads a name that counts on before it is read.
    fn stepped(&mut self, step: &[u8]) -> Option<i64> {
        let ArithKind::Name(name) = self.tokens.next()?.kind else {
            return None;
        };
        let name = lossy(self.tree.bytes(name));
        let step = if step == b"++" { 1 } else { -1 };
        let value = self.number_in(&name)?.checked_add(step)?;
        let value = self.set(name, value)?;
        // What stands behind it is another operator, or none.
        (!matches!(self.operator(), Some(b"++" | b"--" | b""))).then_some(value)
    }

    /// Returns the number that an expansion gave.
    fn expansion(&mut self, parts: &[Part]) -> Option<i64> {
        match &mut self.expanded {
            Some(values) => decimal(values.next()?.text()?),
            None => match parts {
                [one] => self.number_in(&plain_name(self.tree, one)?),
                _ => None,
            },
        }
    }

    /// Returns the number that a variable holds, for certain.
    fn number_in(&self, name: &str) -> Option<i64> {
        if self.idle > 0 {
            return Some(1);
        }
        if let Some((_, value)) = self.sets.iter().rev().find(|it| it.0 == name) {
            return Some(*value);
        }
        let variable = self.walker.lookup(name, self.state);
        if variable.ways.reference.may() || self.state.is_stirred(name) {
            return None;
        }
        let plain = variable.set.must();
        match &variable.held {
            // What is not set counts as nothing.
            Held::One(_) if variable.set == Tri::No => {
                (!self.state.options.nounset.may()).then_some(0)
            }
            Held::One(val) if plain => decimal(val.text()?),
            Held::One(_) | Held::List(_) | Held::Any(_) => None,
        }
    }

    /// Sets a variable that holds what it is given, and nothing else.
    fn set(&mut self, name: String, value: i64) -> Option<i64> {
        if self.idle > 0 {
            return Some(value);
        }
        let ways = self.walker.lookup(&name, self.state).ways;
        let moves = is_volatile(&name) || self.state.is_stirred(&name);
        let odd = ways.reference.may() || ways.readonly.may() || ways.keyed.may();
        if moves || odd || self.sets.len() >= SETS {
            return None;
        }
        self.sets.push((name, value));
        Some(value)
    }

    /// Returns what an operator makes of two numbers; `None` where shells do not agree on it, or fail.
    fn applied(&self, operator: &[u8], [a, b]: [i64; 2]) -> Option<i64> {
        if self.idle > 0 {
            return Some(1);
        }
        let bits = || u32::try_from(b).ok().filter(|it| *it < 63);
        let is = |it: bool| Some(i64::from(it));
        match operator {
            b"+" => a.checked_add(b),
            b"-" => a.checked_sub(b),
            b"*" => a.checked_mul(b),
            b"/" => a.checked_div(b),
            b"%" => a.checked_rem(b),
            b"**" => a.checked_pow(u32::try_from(b).ok()?),
            b"<<" => a.checked_mul(1_i64.checked_shl(bits()?)?),
            b">>" => a.checked_shr(bits()?),
            b"&" => Some(a & b),
            b"^" => Some(a ^ b),
            b"|" => Some(a | b),
            b"<" => is(a < b),
            b"<=" => is(a <= b),
            b">" => is(a > b),
            b">=" => is(a >= b),
            b"==" => is(a == b),
            b"!=" => is(a != b),
            b"&&" => is(a != 0 && b != 0),
            b"||" => is(a != 0 || b != 0),
            _ => None,
        }
    }

    /// Reads something that may not be evaluated.
    fn idly(&mut self, idle: bool, read: impl FnOnce(&mut Self) -> Option<i64>) -> Option<i64> {
        self.idle += u32::from(idle);
        let value = read(self);
        self.idle -= u32::from(idle);
        value
    }

    /// Reads something inside something else, as long as that does not lie too deep.
    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Option<i64>) -> Option<i64> {
        if self.depth >= DEPTH {
            return None;
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn shell(&self) -> Shell {
        self.walker.scene.shell
    }

    /// Returns the operator that comes next.
    fn operator(&self) -> Option<&'a [u8]> {
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

/// Tells whether at most one variable is set, which is read nowhere else, or given a value as the very last thing.
fn sets_apart(reckoning: Reckoning<'_>, sets: &[(String, i64)]) -> bool {
    let Reckoning { tree, tokens, .. } = reckoning;
    let [(name, _)] = sets else {
        return sets.is_empty();
    };
    let named = |it: &&ArithToken| matches!(it.kind, ArithKind::Name(bytes) if lossy(tree.bytes(bytes)) == *name);
    let last = match tokens {
        [first, second, ..] => {
            let gives =
                matches!(second.kind, ArithKind::Operator(bytes) if tree.bytes(bytes) == b"=");
            named(&first) && gives
        }
        _ => false,
    };
    last || tokens.iter().filter(named).count() == 1
}

/// Returns how strongly an operator binds; `None` of what is none, or not the same in every shell.
fn strength(operator: &[u8], shell: Shell) -> Option<u8> {
    let strength = match operator {
        b"||" => 0,
        b"&&" => 1,
        b"|" => 2,
        b"^" => 3,
        b"&" => 4,
        b"==" | b"!=" => 5,
        b"<" | b"<=" | b">" | b">=" => 6,
        b"<<" | b">>" => 7,
        b"+" | b"-" => 8,
        b"*" | b"/" | b"%" => 9,
        b"**" => 10,
        _ => return None,
    };
    let common = match shell {
        Shell::Bash => true,
        Shell::Sh => strength != 10,
        // Bits bind more strongly there than sums.
        Shell::Zsh => !matches!(strength, 2..=4 | 7 | 10),
    };
    common.then_some(strength)
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
pub(crate) fn decimal(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits.len() < 16 && digits.bytes().all(|it| it.is_ascii_digit());
    let octal = digits.len() > 1 && digits.starts_with('0');
    text.parse::<i64>().ok().filter(|_| plain && !octal)
}
