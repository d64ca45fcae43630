//! Arithmetic: a flat row of tokens in which every name and every expansion is visible.

use super::chars::{DIGIT, LETTER, SPECIAL, class, is_identifier, is_letter, is_name};
use super::rows::Row;
use super::substitutions::Place;
use super::{Read, Reader};
use crate::tree::{Arith, ArithKind, ArithToken, Id, Part, Subscript, SubscriptKind};

/// What ends arithmetic; it is not consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArithEnd {
    /// A `;` that stands in no parentheses, or the end: a clause of `for ((`.
    Clause,
    /// A `]` that matches none inside.
    Bracket,
    /// `:` or `}` of `${x:offset:length}`.
    Slice,
    /// The closing brace.
    Brace,
    /// A double quote.
    Quote,
    /// The end of the source.
    All,
}

impl ArithEnd {
    /// Tells whether bash reads `<(` as a process substitution here, although it may not run it.
    fn reads_process(self) -> bool {
        match self {
            Self::Bracket | Self::Slice | Self::Brace => true,
            Self::Clause | Self::Quote | Self::All => false,
        }
    }
}

/// Brackets that are open.
#[derive(Default)]
struct Open {
    parentheses: usize,
    brackets: usize,
    questions: usize,
    /// Inside the brackets after a name: they end it, and so does what ends the arithmetic around them.
    element: bool,
}

impl Reader<'_, '_> {
    /// Reads arithmetic.
    pub(crate) fn arith(&mut self, end: ArithEnd) -> Read<Arith> {
        self.arith_in(end, Open::default())
    }

    fn arith_in(&mut self, end: ArithEnd, mut open: Open) -> Read<Arith> {
        let mut row = Row::new();
        loop {
            while matches!(self.cur(), Some(b' ' | b'\t' | b'\n')) {
                self.bump();
            }
            let Some(byte) = self.cur() else {
                if !matches!(end, ArithEnd::All | ArithEnd::Clause) && !self.cx.limited {
                    return self.fail("arithmetic is not closed");
                }
                break;
            };
            if open.ends(end, byte) {
                break;
            }
            let kept = row.len();
            let contained = matches!(end, ArithEnd::All | ArithEnd::Clause);
            let mark = (contained && class(byte) & (SPECIAL | LETTER) != 0).then(|| self.mark());
            match (self.token(end, &mut open, &mut row), mark) {
                (Ok(()), _) => {}
                (Err(stop), None) => return Err(stop),
                (Err(_), Some(mark)) => {
                    row.cut(self.cx, kept);
                    self.skip_token(&mark, &mut row);
                }
            }
        }
        Ok(row.finish(self.cx))
    }

    fn token(&mut self, end: ArithEnd, open: &mut Open, row: &mut Row<ArithToken>) -> Read<()> {
        let start = self.at;
        let byte = self.cur().unwrap_or_default();
        let kind = match byte {
            b'$' if self.dollar_begins(true) => self.expansions()?,
            b'`' => self.expansions()?,
            b'<' | b'>' if self.peek() == Some(b'(') && (open.element || end.reads_process()) => {
                return self.arith_process(row);
            }
            b'\'' => self.arith_single(end)?,
            b'"' => self.arith_double()?,
            b'\\' => {
                self.go(start + 2);
                let end = self.at.min(start + 2).min(self.src.len());
                ArithKind::Operator(self.literal(start, end, 2))
            }
            _ if is_letter(byte) => return self.arith_name(row, end),
            _ if class(byte) & DIGIT != 0 => {
                while self
                    .cur()
                    .is_some_and(|byte| is_name(byte) || matches!(byte, b'#' | b'@' | b'.'))
                {
                    self.bump();
                }
                ArithKind::Number(self.literal(start, self.at, 0))
            }
            _ => {
                open.count(byte);
                self.arith_operator(byte);
                ArithKind::Operator(self.literal(start, self.at, 0))
            }
        };
        let span = self.since(start);
        row.push(self.cx, ArithToken { span, kind });
        Ok(())
    }

    /// Reads a process substitution in a subscript.
    fn arith_process(&mut self, row: &mut Row<ArithToken>) -> Read<()> {
        let start = self.at;
        let part = self.process()?;
        let mut parts = Row::new();
        parts.push(self.cx, part);
        let kind = ArithKind::Expansion(parts.finish(self.cx));
        let span = self.since(start);
        row.push(self.cx, ArithToken { span, kind });
        Ok(())
    }

    /// Moves past an operator of one to three bytes.
    fn arith_operator(&mut self, byte: u8) {
        self.bump();
        let doubles = b"<>&|=*+-".contains(&byte) && self.cur() == Some(byte);
        if doubles {
            self.bump();
        }
        // `n++==2` counts on, and compares then.
        let steps = doubles && matches!(byte, b'+' | b'-');
        if !steps && b"<>=!*/%+-&|^".contains(&byte) && self.cur() == Some(b'=') {
            self.bump();
        }
    }

    fn arith_name(&mut self, row: &mut Row<ArithToken>, around: ArithEnd) -> Read<()> {
        let start = self.at;
        let end = self.name_end(start).unwrap_or(start + 1);
        let name = self.literal(start, end, 0);
        self.go(end);
        let span = self.span(start, end);
        row.push(
            self.cx,
            ArithToken {
                span,
                kind: ArithKind::Name(name),
            },
        );
        if self.cur() == Some(b'[') {
            let start = self.at;
            let subscript = self.subscript_in(around)?;
            let span = self.since(start);
            row.push(
                self.cx,
                ArithToken {
                    span,
                    kind: ArithKind::Subscript(subscript),
                },
            );
        }
        Ok(())
    }

    /// Reads expansions that stand side by side.
    pub(crate) fn expansions(&mut self) -> Read<ArithKind> {
        let mut parts: Row<Part> = Row::new();
        loop {
            let mark = (parts.len() > 0).then(|| self.mark());
            let part = match self.cur() {
                Some(b'`') => self.backticks(Place::Quoted),
                Some(b'$') if self.dollar_begins(true) => self.dollar(true),
                Some(_) | None => break,
            };
            match (part, mark) {
                (Ok(part), _) => parts.push(self.cx, part),
                (Err(stop), None) => return Err(stop),
                (Err(_), Some(mark)) => {
                    self.rewind(&mark);
                    break;
                }
            }
        }
        Ok(ArithKind::Expansion(parts.finish(self.cx)))
    }

    /// Reads what stands in single quotes: they hide brackets, but bash expands and evaluates the content.
    fn arith_single(&mut self, end: ArithEnd) -> Read<ArithKind> {
        let start = self.at;
        let rest = self.src.get(start + 1..).unwrap_or_default();
        let Some(length) = rest.iter().position(|&byte| byte == b'\'') else {
            if !matches!(end, ArithEnd::All | ArithEnd::Clause) {
                return self.fail("a single quote is not closed");
            }
            self.bump();
            self.ambiguous(start, "arithmetic that bash cannot evaluate");
            return Ok(ArithKind::Operator(self.literal(start, start + 1, 0)));
        };
        let close = start + 1 + length;
        self.plain_in_zsh(start);
        let inner = self.within(close, |reader| {
            reader.go(start + 1);
            reader.deeper(Arith::NONE, |reader| reader.arith(ArithEnd::All))
        });
        let inner = inner?;
        if !self.cx.limited {
            self.go(close + 1);
        }
        Ok(ArithKind::Quoted(inner))
    }

    fn arith_double(&mut self) -> Read<ArithKind> {
        self.bump();
        let inner = self.deeper(Arith::NONE, |reader| reader.arith(ArithEnd::Quote))?;
        self.expect(b'"', "a double quote is not closed")?;
        Ok(ArithKind::Quoted(inner))
    }

    /// Reads `[...]`.
    pub(crate) fn subscript(&mut self) -> Read<Id<Subscript>> {
        self.subscript_in(ArithEnd::Bracket)
    }

    /// Reads `[...]` inside arithmetic, whose end may come before the bracket: bash finds out at run time.
    pub(crate) fn subscript_in(&mut self, around: ArithEnd) -> Read<Id<Subscript>> {
        self.bump();
        let start = self.at;
        let all = match (self.cur(), self.cur().and(self.peek())) {
            (Some(b'@'), Some(b']')) => Some(SubscriptKind::At),
            (Some(b'*'), Some(b']')) => Some(SubscriptKind::Star),
            (_, _) => None,
        };
        let kind = if let Some(kind) = all {
            self.bump();
            kind
        } else {
            let open = Open {
                element: true,
                ..Open::default()
            };
            SubscriptKind::Index(self.deeper(Arith::NONE, |reader| reader.arith_in(around, open))?)
        };
        let span = self.since(start);
        if around == ArithEnd::Bracket {
            self.expect(b']', "`]` is missing")?;
        } else if !self.eat(b']') {
            self.ambiguous(start, "a subscript that is not closed");
        }
        self.cx.store.subscripts.push(Subscript { span, kind });
        Ok(Id::new(self.cx.store.subscripts.len() - 1))
    }

    /// Reads a whole source as arithmetic.
    pub(crate) fn whole_arith(&mut self) -> Arith {
        self.arith(ArithEnd::All).unwrap_or(Arith::NONE)
    }

    /// Reads a whole source as a name with an optional subscript.
    pub(crate) fn name_and_subscript(&mut self) -> Option<crate::read::Name> {
        let end = self.name_end(0)?;
        let name = self.literal(0, end, 0);
        self.go(end);
        let subscript = match self.cur() {
            None => None,
            Some(b'[') => Some(self.subscript().ok()?),
            Some(_) => return None,
        };
        let known = is_identifier(self.bytes_of(name)) && self.at >= self.src.len();
        known.then_some(crate::read::Name { name, subscript })
    }
}

impl Open {
    /// Tells whether a byte ends the arithmetic here.
    fn ends(&mut self, end: ArithEnd, byte: u8) -> bool {
        if self.element && byte == b']' {
            return self.brackets == 0;
        }
        match (end, byte) {
            (ArithEnd::Clause, b';') => self.parentheses == 0,
            (ArithEnd::Bracket, b']') => self.brackets == 0,
            (ArithEnd::Slice | ArithEnd::Brace, b'}') => true,
            (ArithEnd::Slice, b':') if self.questions > 0 => {
                self.questions -= 1;
                false
            }
            (ArithEnd::Slice, b':') => self.parentheses == 0,
            (ArithEnd::Quote, b'"') => true,
            (_, _) => false,
        }
    }

    fn count(&mut self, byte: u8) {
        match byte {
            b'(' => self.parentheses += 1,
            b')' => self.parentheses = self.parentheses.saturating_sub(1),
            b'[' => self.brackets += 1,
            b']' => self.brackets = self.brackets.saturating_sub(1),
            b'?' => self.questions += 1,
            _ => {}
        }
    }
}
