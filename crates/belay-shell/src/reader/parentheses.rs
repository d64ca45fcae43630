//! Where `((` ends, and arithmetic that bash only evaluates later.

use super::arithmetic::ArithEnd;
use super::rows::Row;
use super::words::QuotedEnd;
use super::{Mark, Read, Reader};
use crate::tree::{Arith, ArithKind, ArithToken, Dialect};

impl Reader<'_, '_> {
    /// Takes the first byte of what cannot be read as an operator: bash finds out when it evaluates.
    pub(crate) fn skip_token(&mut self, mark: &Mark, row: &mut Row<ArithToken>) {
        let start = mark.place();
        self.rewind(mark);
        if self.cx.limited {
            return;
        }
        if let Some(kind) = self.beyond(Self::expansions) {
            let span = self.since(start);
            row.push(self.cx, ArithToken { span, kind });
        }
        self.bump();
        self.ambiguous(start, "arithmetic that bash cannot evaluate");
        let kind = ArithKind::Operator(self.literal(start, start + 1, 0));
        let span = self.since(start);
        row.push(self.cx, ArithToken { span, kind });
    }

    /// Finds the parenthesis that matches one before the cursor, the way bash does for `((`: quotes,
    /// backslashes and command substitutions hide a parenthesis, other expansions do not.
    pub(crate) fn matching_parenthesis(&mut self) -> Read<usize> {
        let start = self.at;
        let close = self.close_of_parenthesis()?;
        let text = self.src.get(start..close).unwrap_or_default();
        if text.contains(&b'\'') {
            self.plain_in_zsh(start);
        }
        Ok(close)
    }

    /// Notes single quotes, or parentheses, that hide something from bash. Zsh reads arithmetic, and expansions inside double quotes,
    /// as if all of it stood in double quotes, so nothing is hidden there.
    pub(crate) fn plain_in_zsh(&mut self, start: usize) {
        if self.cx.dialect == Dialect::Zsh {
            self.ambiguous(start, "quotes that hide nothing from zsh");
        }
    }

    fn close_of_parenthesis(&mut self) -> Read<usize> {
        let start = self.at;
        if let Some(&found) = self.closes.get(&start) {
            return Ok(found);
        }
        let mut open = 1usize;
        while let Some(byte) = self.cur() {
            match byte {
                b'(' => open += 1,
                b')' => open -= 1,
                _ => {}
            }
            if open == 0 {
                let found = self.at;
                self.at = start;
                self.closes.insert(start, found);
                return Ok(found);
            }
            self.skip_quoted(byte)?;
        }
        if self.cx.limited {
            return Ok(self.src.len());
        }
        self.fail("a parenthesis is not closed")
    }

    /// Moves past a byte, or past the quotes it begins.
    fn skip_quoted(&mut self, byte: u8) -> Read<()> {
        match byte {
            b'\\' => self.go(self.at + 2),
            b'`' => {
                let end = self.backtick_end(self.at + 1)?;
                self.go(end + 1);
            }
            b'\'' => self.skip_quotes(|reader| reader.single_quotes().map(drop))?,
            b'$' if self.peek() == Some(b'\'') => {
                self.skip_quotes(|reader| reader.ansi_c_quotes().map(drop))?
            }
            b'$' if self.peek() == Some(b'(') => {
                self.skip_quotes(|reader| reader.dollar(false).map(drop))?
            }
            b'"' => self.skip_quotes(|reader| {
                reader.bump();
                reader.deeper((), |reader| {
                    reader.quoted_parts(QuotedEnd::Quote, &mut Row::new())
                })?;
                reader.expect(b'"', "a double quote is not closed")
            })?,
            _ => self.bump(),
        }
        Ok(())
    }

    /// Tells whether parentheses match in a part of the source, see [`parentheses_match`].
    pub(crate) fn balanced(&self, start: usize, end: usize) -> bool {
        parentheses_match(self.src.get(start..end).unwrap_or_default())
    }

    /// Reads quotes only to find where they end.
    fn skip_quotes(&mut self, read: impl FnOnce(&mut Self) -> Read<()>) -> Read<()> {
        let mark = self.mark();
        read(self)?;
        let end = self.at;
        self.rewind(&mark);
        if !self.cx.limited {
            self.at = end;
        }
        Ok(())
    }

    /// Reads the arithmetic up to a place and moves there.
    pub(crate) fn arith_until(&mut self, end: usize) -> Read<Arith> {
        let arith = self.within(end, |reader| {
            reader.deeper(Arith::NONE, |reader| reader.arith(ArithEnd::All))
        })?;
        if !self.cx.limited {
            self.go(end);
        }
        Ok(arith)
    }
}

/// Tells whether parentheses match in text where only quotes hide them: bash asks that before it takes `$((` for
/// arithmetic.
pub(crate) fn parentheses_match(text: &[u8]) -> bool {
    let (mut open, mut at) = (0usize, 0);
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'(' => open += 1,
            b')' if open == 0 => return false,
            b')' => open -= 1,
            b'\\' => at += 1,
            b'\'' | b'"' => at = quote_end(text, at, byte),
            _ => {}
        }
    }
    open == 0
}

/// Returns the place after the closing quote.
fn quote_end(text: &[u8], mut at: usize, quote: u8) -> usize {
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte == quote {
            break;
        }
        if byte == b'\\' && quote == b'"' {
            at += 1;
        }
    }
    at
}
