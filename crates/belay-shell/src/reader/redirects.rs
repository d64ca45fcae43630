//! Redirections.

use super::words::Mode;
use super::{Read, Reader};
use crate::tree::{Fd, Redirect, RedirectOp, Target, Word};

impl Reader<'_, '_> {
    /// Reads a redirection if one begins here.
    pub(crate) fn redirect(&mut self) -> Read<Option<Redirect>> {
        let start = self.at;
        let fd = match self.cur() {
            Some(b'<' | b'>') => Fd::Default,
            Some(b'&') if self.peek() == Some(b'>') => Fd::Default,
            Some(b'0'..=b'9') => match self.numbered() {
                Some(fd) => fd,
                None => return Ok(None),
            },
            Some(b'{') => match self.named()? {
                Some(fd) => fd,
                None => return Ok(None),
            },
            Some(_) | None => return Ok(None),
        };
        if matches!(fd, Fd::Default) && self.cur() != Some(b'&') && self.peek() == Some(b'(') {
            return Ok(None);
        }
        let op = self.operator();
        self.skip_blanks_only();
        if !matches!(op, RedirectOp::DuplicateInput | RedirectOp::DuplicateOutput) {
            self.check_target()?;
        }
        if matches!(op, RedirectOp::HereDoc | RedirectOp::HereDocTabs) {
            let target = Target::HereDoc(self.heredoc_start(op == RedirectOp::HereDocTabs)?);
            return Ok(Some(Redirect {
                span: self.since(start),
                fd,
                op,
                target,
            }));
        }
        let process = matches!(self.cur(), Some(b'<' | b'>')) && self.peek() == Some(b'(');
        if self.cur().is_none_or(|byte| b"\n;&|()<>#".contains(&byte))
            && !process
            && !self.cx.limited
        {
            return self.fail("a redirection has no target");
        }
        let word = self.target_word(op)?;
        let target = Target::Word(self.keep_word(word));
        Ok(Some(Redirect {
            span: self.since(start),
            fd,
            op,
            target,
        }))
    }

    /// Reads the word after an operator. A dash after `<&` or `>&` is a word of its own, whatever follows it.
    fn target_word(&mut self, op: RedirectOp) -> Read<Word> {
        let duplicates = matches!(op, RedirectOp::DuplicateInput | RedirectOp::DuplicateOutput);
        if duplicates && self.cur() == Some(b'-') {
            return Ok(self.plain_word(self.at, self.at + 1));
        }
        if op == RedirectOp::HereString {
            self.word(Mode::Value)
        } else {
            self.word(Mode::Word)
        }
    }

    /// A number directly before another operator is a file descriptor to bash, not a target.
    fn check_target(&mut self) -> Read<()> {
        let at = self.at;
        if matches!(self.cur(), Some(b'0'..=b'9')) && self.numbered().is_some() {
            return self.fail("a redirection has no target");
        }
        if self.cur() == Some(b'{') && self.named()?.is_some() {
            return self.fail("a redirection has no target");
        }
        self.at = at;
        Ok(())
    }

    /// Moves past blanks, not comments.
    fn skip_blanks_only(&mut self) {
        while let Some(b' ' | b'\t') = self.cur() {
            self.bump();
        }
    }

    /// Moves past digits that stand directly before `<` or `>`.
    fn numbered(&mut self) -> Option<Fd> {
        let mut at = self.at;
        let mut value = 0u32;
        let mut next = self.cur();
        while let Some(digit @ b'0'..=b'9') = next {
            value = value
                .saturating_mul(10)
                .saturating_add(u32::from(digit - b'0'));
            (next, at) = self.after(at);
        }
        let operator = matches!(next, Some(b'<' | b'>')) && self.after(at).0 != Some(b'(');
        if !operator || value > i32::MAX as u32 {
            return None;
        }
        self.at = at;
        Some(Fd::Number(value))
    }

    /// Moves past `{NAME}` or `{NAME[...]}` that stands directly before `<` or `>`.
    fn named(&mut self) -> Read<Option<Fd>> {
        let Some(name_end) = self.name_end(self.after(self.at).1) else {
            return Ok(None);
        };
        let name_start = self.after(self.at).1;
        let (next, place) = self.after(name_end - 1);
        match next {
            Some(b'}') if self.operator_follows(place) => {
                let name = self.literal(name_start, name_end, 0);
                self.go(place + 1);
                Ok(Some(Fd::Variable {
                    name,
                    subscript: None,
                }))
            }
            Some(b'[') => self.named_element(name_start, name_end),
            Some(_) | None => Ok(None),
        }
    }

    /// Tells whether a redirection operator follows directly after a place.
    fn operator_follows(&self, place: usize) -> bool {
        let (next, at) = self.after(place);
        matches!(next, Some(b'<' | b'>')) && self.after(at).0 != Some(b'(')
    }

    fn named_element(&mut self, start: usize, end: usize) -> Read<Option<Fd>> {
        let mark = self.mark();
        let word_end = self.word(Mode::Plain).map(|_| self.at);
        self.rewind(&mark);
        let Ok(word_end) = word_end else {
            return Ok(None);
        };
        self.go(end);
        let subscript = self.subscript();
        if let Ok(subscript) = subscript
            && self.eat(b'}')
            && self.at == word_end
            && matches!(self.cur(), Some(b'<' | b'>'))
        {
            let name = self.literal(start, end, 0);
            return Ok(Some(Fd::Variable {
                name,
                subscript: Some(subscript),
            }));
        }
        self.rewind(&mark);
        Ok(None)
    }

    /// Moves past a redirection operator.
    fn operator(&mut self) -> RedirectOp {
        let first = self.cur();
        self.bump();
        let op = match (first, self.cur()) {
            (Some(b'<'), Some(b'<')) => {
                self.bump();
                return match self.cur() {
                    Some(b'<') => self.then(RedirectOp::HereString),
                    Some(b'-') => self.then(RedirectOp::HereDocTabs),
                    Some(_) | None => RedirectOp::HereDoc,
                };
            }
            (Some(b'<'), Some(b'>')) => RedirectOp::ReadWrite,
            (Some(b'<'), Some(b'&')) => RedirectOp::DuplicateInput,
            (Some(b'<'), _) => return RedirectOp::Read,
            (Some(b'&'), _) => return self.both(),
            (_, Some(b'>')) => RedirectOp::Append,
            (_, Some(b'|')) => RedirectOp::Clobber,
            (_, Some(b'&')) => RedirectOp::DuplicateOutput,
            (_, Some(b'!')) if self.zsh() => RedirectOp::Clobber,
            (_, _) => return RedirectOp::Write,
        };
        self.bump();
        if self.zsh() && matches!(self.cur(), Some(b'!' | b'|')) && op != RedirectOp::Clobber {
            self.dialect(self.at, "`!` and `|` after an operator force it in zsh");
            self.bump();
        }
        op
    }

    fn then(&mut self, op: RedirectOp) -> RedirectOp {
        self.bump();
        op
    }

    fn both(&mut self) -> RedirectOp {
        let start = self.at;
        self.bump();
        if self.cx.dialect == crate::tree::Dialect::Sh {
            self.dialect(start, "`&>` is `&` and `>` in shells other than bash");
        }
        if self.cur() == Some(b'>') {
            return self.then(RedirectOp::AppendBoth);
        }
        if self.zsh() && matches!(self.cur(), Some(b'!' | b'|')) {
            return self.then(RedirectOp::WriteBoth);
        }
        RedirectOp::WriteBoth
    }
}
