//! Command substitution, process substitution and arithmetic expansion.

use super::arithmetic::ArithEnd;
use super::lists::Reserved;
use super::{Read, Reader};
use crate::tree::{Arith, CommandForm, Direction, List, Part, PartKind};

/// Where backticks stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Outside quotes.
    Bare,
    /// Where nothing is split: arithmetic, here-documents, operands inside quotes.
    Quoted,
    /// Directly inside double quotes, where a backslash also quotes a double quote.
    DoubleQuotes,
}

/// The here-documents that wait outside a substitution.
struct Outside {
    base: usize,
    early: usize,
}

impl Reader<'_, '_> {
    /// Reads `$(...)` or `$((...))`.
    pub(crate) fn dollar_parenthesis(&mut self, quoted: bool) -> Read<Part> {
        let start = self.at;
        self.bump();
        if self.peek() == Some(b'(') {
            let nothing = Part {
                span: self.since(start),
                kind: PartKind::Arith(Arith::NONE),
                quoted,
            };
            return self.deeper(nothing, |reader| reader.double_dollar(start, quoted));
        }
        self.command_substitution(start, quoted)
    }

    /// Reads `$((`: arithmetic if the parentheses match in pairs, else a script that bash reads at run time.
    fn double_dollar(&mut self, start: usize, quoted: bool) -> Read<Part> {
        let inner = self.after(self.at).1;
        self.go(inner + 1);
        let inner_close = self.matching_parenthesis()?;
        if self.cx.limited {
            return Ok(Part {
                span: self.since(start),
                kind: PartKind::Arith(Arith::NONE),
                quoted,
            });
        }
        let (next, mut close) = self.after(inner_close);
        let arithmetic = next == Some(b')') && self.balanced(inner + 1, inner_close);
        if next != Some(b')') {
            self.go(inner_close + 1);
            close = self.matching_parenthesis()?;
            if !self.cx.limited {
                self.go(inner + 1);
            }
        }
        if arithmetic || self.cx.limited {
            let arith = self.arith_until(inner_close)?;
            if !self.cx.limited {
                self.go(close + 1);
            }
            return Ok(Part {
                span: self.since(start),
                kind: PartKind::Arith(arith),
                quoted,
            });
        }
        let outside = self.enter_substitution();
        let list = self.deeper(List::NONE, |reader| Ok(reader.nested_script(inner, close)))?;
        self.cx.pending.truncate(self.pending_base);
        (self.pending_base, self.early) = (outside.base, outside.early);
        if !self.cx.limited {
            self.go(close + 1);
        }
        self.ambiguous(start, "`$((` that is not arithmetic");
        let kind = PartKind::Command {
            form: CommandForm::Dollar,
            list,
        };
        Ok(Part {
            span: self.since(start),
            kind,
            quoted,
        })
    }

    /// Reads a script that ends earlier than the source.
    fn nested_script(&mut self, start: usize, end: usize) -> List {
        self.isolated(end, |reader| {
            reader.go(start);
            reader.script()
        })
    }

    fn command_substitution(&mut self, start: usize, quoted: bool) -> Read<Part> {
        let list = self.parenthesised()?;
        let kind = PartKind::Command {
            form: CommandForm::Dollar,
            list,
        };
        Ok(Part {
            span: self.since(start),
            kind,
            quoted,
        })
    }

    /// Reads `(list)` of a substitution; here-documents that wait outside stay there.
    fn parenthesised(&mut self) -> Read<List> {
        self.bump();
        self.skip_blanks();
        if self
            .reserved()
            .is_some_and(|(word, _)| word == Reserved::Time)
        {
            self.ambiguous(
                self.at,
                "`time` at the start of a substitution is a keyword only in some versions of bash",
            );
        }
        let outer = self.enter_substitution();
        let outer_parentheses = std::mem::replace(&mut self.in_parentheses, true);
        let list = self.deeper(List::NONE, Self::list_or_nothing)?;
        self.leave_substitution(outer);
        self.in_parentheses = outer_parentheses;
        self.expect(b')', "a substitution is not closed")?;
        Ok(list)
    }

    /// Sets aside the here-documents that wait outside.
    fn enter_substitution(&mut self) -> Outside {
        Outside {
            base: std::mem::replace(&mut self.pending_base, self.cx.pending.len()),
            early: std::mem::take(&mut self.early),
        }
    }

    /// Returns to the here-documents outside. Those still waiting inside have their bodies after this line, before
    /// the bodies of those outside.
    fn leave_substitution(&mut self, outside: Outside) {
        let Outside { base, early } = outside;
        let inner = self.cx.pending.len() - self.pending_base;
        if inner > 0 {
            self.ambiguous(self.at, "a here-document that a substitution leaves open");
            let from = (base + early).min(self.pending_base);
            if let Some(rest) = self.cx.pending.get_mut(from..) {
                rest.rotate_right(inner);
            }
        }
        self.pending_base = base;
        self.early = early + inner;
    }

    /// Reads `$[...]`.
    pub(crate) fn dollar_bracket(&mut self, quoted: bool) -> Read<Part> {
        let start = self.at;
        if self.cx.dialect == crate::tree::Dialect::Sh {
            self.ambiguous(
                start,
                "`$[` is arithmetic in some shells and two letters in others",
            );
        }
        self.bump();
        self.bump();
        let arith = self.deeper(Arith::NONE, |reader| reader.arith(ArithEnd::Bracket))?;
        self.expect(b']', "`]` is missing")?;
        Ok(Part {
            span: self.since(start),
            kind: PartKind::Arith(arith),
            quoted,
        })
    }

    /// Reads `<(...)` or `>(...)`.
    pub(crate) fn process(&mut self) -> Read<Part> {
        let start = self.at;
        let direction = if self.cur() == Some(b'<') {
            Direction::Input
        } else {
            Direction::Output
        };
        self.bump();
        let list = if self.peek() == Some(b'(') {
            self.double_process()?
        } else {
            self.parenthesised()?
        };
        Ok(Part {
            span: self.since(start),
            kind: PartKind::Process { direction, list },
            quoted: false,
        })
    }

    /// Reads what stands after `<` in `<((...)...)`: bash looks for the parenthesis that matches and reads the rest at run
    /// time, so that an error in it does not reject the line.
    fn double_process(&mut self) -> Read<List> {
        let mark = self.mark();
        match self.parenthesised() {
            Ok(list) => return Ok(list),
            Err(_) => self.rewind(&mark),
        }
        let inner = self.after(self.at).1;
        self.go(inner);
        let close = self.matching_parenthesis()?;
        let outside = self.enter_substitution();
        let list = self.deeper(List::NONE, |reader| Ok(reader.nested_script(inner, close)))?;
        self.cx.pending.truncate(self.pending_base);
        (self.pending_base, self.early) = (outside.base, outside.early);
        if !self.cx.limited {
            self.go(close + 1);
        }
        self.ambiguous(mark.place(), "`<((` that bash only reads when it runs");
        Ok(list)
    }

    /// Reads `${ ...; }` of bash 5.3; the brace is behind.
    pub(crate) fn brace_substitution(&mut self, start: usize, quoted: bool) -> Read<Part> {
        self.eat(b'|');
        let outer = self.enter_substitution();
        let outer_depth = self.cx.brace_depth;
        let list = self.deeper(List::NONE, |reader| {
            reader.cx.brace_depth = reader.cx.depth;
            reader.list_or_nothing()
        });
        self.cx.brace_depth = outer_depth;
        let list = list?;
        self.leave_substitution(outer);
        self.expect_reserved_brace()?;
        self.ambiguous(start, "`${ ...; }` runs in bash 5.3 and is an error before");
        let kind = PartKind::Command {
            form: CommandForm::Brace,
            list,
        };
        Ok(Part {
            span: self.since(start),
            kind,
            quoted,
        })
    }

    fn expect_reserved_brace(&mut self) -> Read<()> {
        if self.cur() == Some(b'}') {
            self.bump();
            return Ok(());
        }
        self.expect_reserved(Reserved::CloseBrace, "`}` is missing")
    }

    /// Reads a command in backticks: one level of backslashes is removed, then the rest is read as a script.
    pub(crate) fn backticks(&mut self, place: Place) -> Read<Part> {
        let quoted = place != Place::Bare;
        let start = self.at;
        let at = self.backtick_end(start + 1)?;
        let list = self.deeper(List::NONE, |reader| {
            Ok(reader.backtick_list(start + 1, at, place))
        })?;
        if !self.cx.limited {
            self.go(at + 1);
        }
        let kind = PartKind::Command {
            form: CommandForm::Backtick,
            list,
        };
        Ok(Part {
            span: self.span(start, at + 1),
            kind,
            quoted,
        })
    }

    /// Finds the backtick that ends a substitution.
    pub(crate) fn backtick_end(&mut self, start: usize) -> Read<usize> {
        let mut at = start;
        loop {
            match self.src.get(at) {
                None => return self.fail("a backtick is not closed"),
                Some(b'`') => return Ok(at),
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
            }
        }
    }

    fn backtick_list(&mut self, start: usize, end: usize, place: Place) -> List {
        let raw = self.src.get(start..end).unwrap_or_default();
        let outside = self.enter_substitution();
        let outer_parentheses = std::mem::replace(&mut self.in_parentheses, false);
        let list = if raw.contains(&b'\\') {
            let text = unescape(raw, place == Place::DoubleQuotes);
            let span = self.span(start, end);
            Reader::new(&text, Some(span), self.cx).script()
        } else {
            self.nested_script(start, end)
        };
        self.cx.pending.truncate(self.pending_base);
        (self.pending_base, self.early) = (outside.base, outside.early);
        self.in_parentheses = outer_parentheses;
        if self.cx.limited {
            self.at = self.src.len();
        }
        list
    }
}

/// Removes one level of backslashes, as bash does before it reads what stands in backticks.
fn unescape(raw: &[u8], quoted: bool) -> Vec<u8> {
    let mut text = Vec::with_capacity(raw.len());
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        let escaped = match raw.get(at + 1) {
            Some(b'$' | b'`' | b'\\') => true,
            Some(b'"') => quoted,
            Some(_) | None => false,
        };
        if byte == b'\\' && escaped {
            at += 1;
        }
        text.extend(raw.get(at));
        at += 1;
    }
    text
}
