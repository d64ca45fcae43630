//! Patterns and regular expressions inside words.

use super::rows::Row;
use super::words::{Draft, Mode};
use super::{Read, Reader, Stop};
use crate::tree::{ExtGlob, Id, Many, Part, PartKind, Word};

impl Reader<'_, '_> {
    /// Tells whether the byte before the cursor makes `(` a pattern list.
    pub(crate) fn extglob_before(&self, draft: &Draft) -> bool {
        if self.at <= draft.run
            || matches!(
                draft.mode,
                Mode::Regex | Mode::FunctionName | Mode::Operand | Mode::Replaced
            )
        {
            return false;
        }
        let Some(b'?' | b'*' | b'+' | b'@' | b'!') = self.src.get(self.at - 1) else {
            return false;
        };
        !(matches!(draft.mode, Mode::Word) && self.empty_parentheses_and_body())
    }

    /// Tells whether `()` and something that can be a function body follow.
    pub(crate) fn empty_parentheses_and_body(&self) -> bool {
        let (next, place) = self.after(self.at);
        if next != Some(b')') {
            return false;
        }
        let rest = self.src.get(place + 1..).unwrap_or_default();
        let skipped = rest
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        matches!(
            rest.get(skipped),
            Some(b'{' | b'(' | b'[' | b'i' | b'w' | b'u' | b'f' | b's' | b'c' | b'#' | b'\\')
        )
    }

    /// Reads a pattern list; when it cannot be one, the word ends before the parenthesis, as without extglob.
    pub(crate) fn extglob_or_end(&mut self, draft: &mut Draft) -> Read<bool> {
        let (mark, kept, run) = (self.mark(), draft.parts.len(), draft.run);
        match self.extglob(draft) {
            Ok(()) if !self.cx.extglob => self.check_array_in_pattern(mark.place()).map(|()| true),
            Ok(()) => Ok(true),
            Err(Stop::Reject)
                if !self.cx.extglob && !matches!(draft.mode, Mode::Test | Mode::Alternative) =>
            {
                draft.parts.cut(self.cx, kept);
                self.rewind(&mark);
                draft.run = run;
                Ok(false)
            }
            Err(stop) => Err(stop),
        }
    }

    /// Without extglob bash reads the word after the parenthesis before it rejects it, and an error in an array there
    /// makes it read on with the next line.
    fn check_array_in_pattern(&mut self, parenthesis: usize) -> Read<()> {
        let mark = self.mark();
        self.go(parenthesis + 1);
        if !self.assignment_follows() {
            self.at = mark.place();
            return Ok(());
        }
        self.spend(mark.place() - parenthesis);
        let read = if self.cx.limited {
            Ok(())
        } else {
            self.assignment().map(drop)
        };
        if let Err(stop @ Stop::NextLine { .. }) = read {
            return Err(stop);
        }
        self.rewind(&mark);
        Ok(())
    }

    pub(crate) fn extglob(&mut self, draft: &mut Draft) -> Read<()> {
        let start = self.at - 1;
        self.flush(draft, start);
        let op = self.src.get(start).copied().unwrap_or_default();
        self.bump();
        let alternatives = self.deeper(Many::NONE, Self::alternatives)?;
        self.expect(b')', "a pattern is not closed")?;
        if !self.balanced(start, self.at) {
            self.ambiguous(start, "parentheses in a pattern that do not match in pairs");
        }
        if !self.cx.extglob && draft.mode != Mode::Test {
            self.ambiguous(start, "a pattern that only extglob allows");
        }
        self.cx.store.extglobs.push(ExtGlob { op, alternatives });
        let kind = PartKind::ExtGlob(Id::new(self.cx.store.extglobs.len() - 1));
        let span = self.since(start);
        self.add(
            draft,
            Part {
                span,
                kind,
                quoted: false,
            },
        );
        Ok(())
    }

    pub(crate) fn alternatives(&mut self) -> Read<Many<Word>> {
        let mut row = Row::new();
        loop {
            let word = self.word_or_empty(Mode::Alternative)?;
            row.push(self.cx, word);
            if !self.eat(b'|') {
                return Ok(row.finish(self.cx));
            }
        }
    }

    /// Inside a pattern list, parentheses nest and everything else is text.
    pub(crate) fn alternative_meta(&mut self, draft: &mut Draft, byte: u8) -> Read<bool> {
        match byte {
            b'(' => draft.depth += 1,
            b')' if draft.depth == 0 => return Ok(false),
            b')' => draft.depth -= 1,
            b'|' if draft.depth == 0 => return Ok(false),
            _ => {}
        }
        self.bump();
        Ok(true)
    }

    /// In a regular expression parentheses nest, and inside them nothing ends it.
    pub(crate) fn regex_meta(&mut self, draft: &mut Draft, byte: u8) -> bool {
        match byte {
            b'(' => draft.depth += 1,
            b')' if draft.depth > 0 => draft.depth -= 1,
            b'|' => {
                if draft.depth == 0 && self.peek() == Some(b'|') {
                    return false;
                }
            }
            _ if draft.depth > 0 => {}
            _ => return false,
        }
        self.bump();
        true
    }

    /// Reads a glob qualifier or group of zsh as text, with a trouble.
    pub(crate) fn zsh_qualifier(&mut self, draft: &mut Draft) -> Read<bool> {
        self.dialect(
            self.at,
            "parentheses in a word are a pattern or a qualifier in zsh",
        );
        let at = self.at;
        self.flush(draft, at);
        self.bump();
        let word = self.deeper(None, |reader| {
            reader.word_or_empty(Mode::Alternative).map(Some)
        })?;
        while self.eat(b'|') {
            self.word_or_empty(Mode::Alternative)?;
        }
        self.expect(b')', "`)` is missing")?;
        if let Some(word) = word {
            self.add_parts(draft, word.parts);
        }
        draft.run = self.at;
        Ok(true)
    }
}
