//! `[[ ... ]]`.

use super::rows::Row;
use super::words::Mode;
use super::{Read, Reader, Stop};
use crate::tree::{BinaryTest, CommandKind, Dialect, TestItem, TestKind, Word};

impl Reader<'_, '_> {
    /// Reads a test; `[[` is behind.
    pub(crate) fn test_command(&mut self, start: usize) -> Read<CommandKind> {
        let mut row = Row::new();
        let mut open = 0usize;
        loop {
            let read = self
                .test_term(&mut row, &mut open)
                .and_then(|()| self.test_joined(&mut row, &mut open));
            match read {
                Ok(false) if !self.cx.limited => {}
                Ok(_) => break,
                // After an error in here bash may read on with the next line.
                Err(_) => {
                    return Err(Stop::NextLine {
                        in_parentheses: true,
                    });
                }
            }
        }
        if self.cx.dialect == Dialect::Sh {
            self.dialect(start, "`[[` is an ordinary command in other shells");
        }
        Ok(CommandKind::Test(row.finish(self.cx)))
    }

    /// Reads one operand or comparison with what may stand before it.
    fn test_term(&mut self, row: &mut Row<TestItem>, open: &mut usize) -> Read<()> {
        loop {
            self.skip_lines()?;
            let start = self.at;
            let kind = match self.cur() {
                Some(b'!') if super::chars::ends_word(self.peek()) => TestKind::Not,
                Some(b'(') => {
                    *open += 1;
                    TestKind::Open
                }
                Some(_) | None => break,
            };
            self.bump();
            let span = self.since(start);
            row.push(self.cx, TestItem { span, kind });
        }
        let start = self.at;
        if self.test_ends() && !self.cx.limited {
            return self.fail("`[[` needs an expression");
        }
        let kind = self.test_comparison()?;
        let span = self.since(start);
        row.push(self.cx, TestItem { span, kind });
        if matches!(kind, TestKind::Word(_)) {
            Ok(())
        } else {
            self.skip_lines()
        }
    }

    /// Reads closing parentheses and `&&`, `||` or `]]`; true at the end.
    fn test_joined(&mut self, row: &mut Row<TestItem>, open: &mut usize) -> Read<bool> {
        loop {
            self.skip_blanks();
            let start = self.at;
            let kind = match (self.cur(), self.cur().and(self.peek())) {
                (Some(b')'), _) if *open > 0 => {
                    *open -= 1;
                    TestKind::Close
                }
                (Some(b'&'), Some(b'&')) => TestKind::And,
                (Some(b'|'), Some(b'|')) => TestKind::Or,
                (Some(b']'), _) if *open == 0 && self.test_ends() => {
                    self.bump();
                    self.bump();
                    return Ok(true);
                }
                (_, _) if self.cx.limited => return Ok(true),
                (_, _) => return self.unexpected(),
            };
            self.bump();
            if !matches!(kind, TestKind::Close) {
                self.bump();
            }
            let span = self.since(start);
            row.push(self.cx, TestItem { span, kind });
            if !matches!(kind, TestKind::Close) {
                return Ok(false);
            }
            self.skip_lines()?;
        }
    }

    /// Tells whether `]]` stands here.
    fn test_ends(&self) -> bool {
        self.cur() == Some(b']')
            && self.peek() == Some(b']')
            && super::chars::ends_word(self.peek2())
    }

    fn test_comparison(&mut self) -> Read<TestKind> {
        if let Some(letter) = self.unary_letter() {
            self.bump();
            self.bump();
            self.skip_blanks();
            if self.test_ends() || self.cur() == Some(b'\n') {
                return self.fail("an operand is missing");
            }
            let word = self.word(Mode::Test)?;
            return Ok(TestKind::Unary {
                letter,
                operand: self.keep_word(word),
            });
        }
        let left = self.word(Mode::Test)?;
        self.skip_blanks();
        let Some(operator) = self.binary_operator() else {
            return Ok(TestKind::Word(self.keep_word(left)));
        };
        self.skip_blanks();
        if self.test_ends() {
            return self.fail("an operand is missing");
        }
        let right = self.word_of_test(operator)?;
        let mut row = Row::new();
        row.push(self.cx, left);
        row.push(self.cx, right);
        Ok(TestKind::Binary {
            operator,
            operands: row.finish(self.cx),
        })
    }

    fn word_of_test(&mut self, operator: BinaryTest) -> Read<Word> {
        if operator == BinaryTest::Regex {
            return self.word(Mode::Regex);
        }
        self.word(Mode::Test)
    }

    /// Returns the letter of a unary operator under the cursor.
    fn unary_letter(&self) -> Option<u8> {
        if self.cur() != Some(b'-') || !super::chars::ends_word(self.peek2()) {
            return None;
        }
        self.peek()
            .filter(|letter| b"abcdefghknoprstuvwxzGLNOSR".contains(letter))
    }

    /// Moves past a binary operator.
    fn binary_operator(&mut self) -> Option<BinaryTest> {
        match self.cur()? {
            b'<' if !matches!(self.peek(), Some(b'<' | b'>' | b'&' | b'(')) => {
                self.bump();
                return Some(BinaryTest::Less);
            }
            b'>' if !matches!(self.peek(), Some(b'>' | b'&' | b'|' | b'(')) => {
                self.bump();
                return Some(BinaryTest::Greater);
            }
            _ => {}
        }
        let mut word = [0u8; 3];
        let mut length = 0;
        let mut at = self.at;
        let mut next = self.cur();
        while let Some(byte) = next.filter(|&byte| !super::chars::ends_word(Some(byte))) {
            *word.get_mut(length)? = byte;
            length += 1;
            (next, at) = self.after(at);
        }
        let operator = match word.get(..length)? {
            b"=" | b"==" => BinaryTest::Equal,
            b"!=" => BinaryTest::Unequal,
            b"=~" => BinaryTest::Regex,
            b"-eq" | b"-ne" | b"-lt" | b"-le" | b"-gt" | b"-ge" => {
                BinaryTest::Number([word[1], word[2]])
            }
            b"-nt" | b"-ot" | b"-ef" => BinaryTest::File([word[1], word[2]]),
            _ => return None,
        };
        self.go(at);
        Some(operator)
    }
}
