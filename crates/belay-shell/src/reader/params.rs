//! Parameter expansions.

use super::arithmetic::ArithEnd;
use super::chars::{is_letter, is_name};
use super::rows::Row;
use super::words::{Mode, QuotedEnd};
use super::{Read, Reader};
use crate::tree::{
    Bytes, Fallback, Id, Param, ParamName, ParamOp, Part, PartKind, Replace, SliceBounds, TrimEnd,
    Word,
};

impl Reader<'_, '_> {
    /// Tells whether the dollar under the cursor begins an expansion or a quote.
    pub(crate) fn dollar_begins(&self, quoted: bool) -> bool {
        match self.peek() {
            Some(b'(' | b'{' | b'[' | b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => true,
            Some(b'\'' | b'"') => !quoted,
            Some(byte) => is_name(byte),
            None => false,
        }
    }

    /// Reads an expansion that begins with a dollar.
    pub(crate) fn dollar(&mut self, quoted: bool) -> Read<Part> {
        let start = self.at;
        match self.peek() {
            Some(b'(') => return self.dollar_parenthesis(quoted),
            Some(b'{') => return self.dollar_brace(quoted),
            Some(b'[') => return self.dollar_bracket(quoted),
            Some(_) | None => {}
        }
        self.bump();
        let name = self.short_name();
        if self.zsh() && matches!(self.cur(), Some(b'[' | b':')) {
            self.dialect(start, "a subscript or modifier after `$name` in zsh");
        }
        Ok(self.param(
            start,
            quoted,
            Param {
                name,
                subscript: None,
                indirect: false,
                length: false,
                op: ParamOp::None,
            },
        ))
    }

    fn param(&mut self, start: usize, quoted: bool, param: Param) -> Part {
        self.cx.store.params.push(param);
        let kind = PartKind::Param(Id::new(self.cx.store.params.len() - 1));
        Part {
            span: self.since(start),
            kind,
            quoted,
        }
    }

    /// Reads the name after `$`: a variable, one digit or a special character.
    fn short_name(&mut self) -> ParamName {
        let start = self.at;
        match self.cur() {
            Some(byte) if is_letter(byte) => ParamName::Variable(self.name_bytes()),
            Some(b'0'..=b'9') => {
                self.bump();
                ParamName::Positional(self.literal(start, start + 1, 0))
            }
            Some(byte) => {
                self.bump();
                ParamName::Special(byte)
            }
            None => ParamName::Bad,
        }
    }

    /// Reads a name that begins under the cursor.
    fn name_bytes(&mut self) -> Bytes {
        let start = self.at;
        let end = self.name_end(start).unwrap_or(start);
        self.go(end);
        self.literal(start, end, 0)
    }

    fn dollar_brace(&mut self, quoted: bool) -> Read<Part> {
        let start = self.at;
        self.bump();
        self.bump();
        if matches!(self.cur(), Some(b' ' | b'\t' | b'\n' | b'|')) {
            let mark = self.mark();
            match self.brace_substitution(start, quoted) {
                Ok(part) => return Ok(part),
                // Before bash 5.3 this is an expansion that is refused when it runs.
                Err(_) => self.rewind(&mark),
            }
            self.ambiguous(start, "`${ ...; }` runs in bash 5.3 and is an error before");
        }
        let empty = Param {
            name: ParamName::Bad,
            subscript: None,
            indirect: false,
            length: false,
            op: ParamOp::None,
        };
        let param = self.deeper(empty, |reader| reader.braced(quoted))?;
        self.expect(b'}', "`}` is missing")?;
        Ok(self.param(start, quoted, param))
    }

    /// Reads what stands between `${` and `}`.
    fn braced(&mut self, quoted: bool) -> Read<Param> {
        let mut param = Param {
            name: ParamName::Bad,
            subscript: None,
            indirect: false,
            length: false,
            op: ParamOp::None,
        };
        if self.cur() == Some(b'#') && self.length_follows() {
            self.bump();
            param.length = true;
        } else if self.cur() == Some(b'!') && self.indirection_follows() {
            self.bump();
            param.indirect = true;
        }
        param.name = self.long_name();
        if param.name == ParamName::Bad {
            if self.zsh() {
                self.dialect(self.at, "`${(` and `${${` are zsh's");
            }
            param.op = ParamOp::Unknown(self.operand(quoted)?);
            return Ok(param);
        }
        if self.cur() == Some(b'[') && matches!(param.name, ParamName::Variable(_)) {
            param.subscript = Some(self.subscript_in(ArithEnd::Brace)?);
        }
        param.op = self.operator_and_operand(&param, quoted)?;
        Ok(param)
    }

    /// Tells whether `#` after `${` asks for a length rather than naming `$#`.
    fn length_follows(&self) -> bool {
        match self.peek() {
            Some(b'}') | None => false,
            Some(byte) if is_name(byte) => true,
            Some(b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => {
                matches!(self.peek2(), Some(b'}'))
            }
            Some(_) => false,
        }
    }

    fn indirection_follows(&self) -> bool {
        match self.peek() {
            Some(b'}') | None => false,
            Some(byte) if is_name(byte) => true,
            Some(b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => {
                matches!(
                    self.peek2(),
                    Some(b'}' | b':' | b'@' | b'#' | b'%' | b'/' | b'^' | b',')
                )
            }
            Some(_) => false,
        }
    }

    /// Reads the name after `${`.
    fn long_name(&mut self) -> ParamName {
        let start = self.at;
        match self.cur() {
            Some(byte) if is_letter(byte) => ParamName::Variable(self.name_bytes()),
            Some(b'0'..=b'9') => {
                while matches!(self.cur(), Some(b'0'..=b'9')) {
                    self.bump();
                }
                ParamName::Positional(self.literal(start, self.at, 0))
            }
            Some(b'$')
                if !self
                    .peek()
                    .is_none_or(|byte| b"}:-=?+#%/^,~@*".contains(&byte)) =>
            {
                ParamName::Bad
            }
            Some(byte @ (b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')) => {
                self.bump();
                ParamName::Special(byte)
            }
            Some(_) | None => ParamName::Bad,
        }
    }

    fn operator_and_operand(&mut self, param: &Param, quoted: bool) -> Read<ParamOp> {
        let Some(byte) = self.cur() else {
            return Ok(ParamOp::None);
        };
        match byte {
            b'}' => Ok(ParamOp::None),
            b'*' | b'@' if param.indirect && self.peek() == Some(b'}') => {
                self.bump();
                Ok(ParamOp::Names(byte))
            }
            b'@' => self.transform(quoted),
            b':' => self.colon(quoted),
            b'-' | b'=' | b'?' | b'+' => self.fallback(false, quoted),
            b'#' | b'%' => self.trim(),
            b'/' => self.replace(),
            b'^' | b',' | b'~' => self.change_case(),
            _ => Ok(ParamOp::Unknown(self.operand(quoted)?)),
        }
    }

    fn transform(&mut self, quoted: bool) -> Read<ParamOp> {
        match self.peek() {
            Some(letter) if is_letter(letter) && self.peek2() == Some(b'}') => {
                self.bump();
                self.bump();
                Ok(ParamOp::Transform(letter))
            }
            Some(_) | None => Ok(ParamOp::Unknown(self.operand(quoted)?)),
        }
    }

    fn colon(&mut self, quoted: bool) -> Read<ParamOp> {
        self.bump();
        if matches!(self.cur(), Some(b'-' | b'=' | b'?' | b'+')) {
            return self.fallback(true, quoted);
        }
        let offset = self.arith(ArithEnd::Slice)?;
        let length = if self.eat(b':') {
            Some(self.arith(ArithEnd::Brace)?)
        } else {
            None
        };
        self.cx.store.slices.push(SliceBounds { offset, length });
        Ok(ParamOp::Slice(Id::new(self.cx.store.slices.len() - 1)))
    }

    fn fallback(&mut self, colon: bool, quoted: bool) -> Read<ParamOp> {
        let kind = match self.cur() {
            Some(b'-') => Fallback::Use,
            Some(b'=') => Fallback::Assign,
            Some(b'?') => Fallback::Fail,
            Some(_) | None => Fallback::Alternative,
        };
        self.bump();
        Ok(ParamOp::Fallback {
            kind,
            colon,
            word: self.operand(quoted)?,
        })
    }

    fn trim(&mut self) -> Read<ParamOp> {
        let byte = self.cur();
        let end = if byte == Some(b'#') {
            TrimEnd::Start
        } else {
            TrimEnd::End
        };
        self.bump();
        let longest = self.cur() == byte;
        if longest {
            self.bump();
        }
        Ok(ParamOp::Trim {
            end,
            longest,
            pattern: self.operand(false)?,
        })
    }

    fn replace(&mut self) -> Read<ParamOp> {
        self.bump();
        let kind = match self.cur() {
            Some(b'/') => Replace::All,
            Some(b'#') => Replace::Start,
            Some(b'%') => Replace::End,
            Some(_) | None => Replace::First,
        };
        if kind != Replace::First {
            self.bump();
        }
        let pattern = self.word_or_empty(Mode::Replaced)?;
        let mut row = Row::new();
        row.push(self.cx, pattern);
        if self.eat(b'/') {
            let with = self.word_or_empty(Mode::Operand)?;
            row.push(self.cx, with);
        }
        Ok(ParamOp::Replace {
            kind,
            words: row.finish(self.cx),
        })
    }

    fn change_case(&mut self) -> Read<ParamOp> {
        let Some(to) = self.cur() else {
            return Ok(ParamOp::None);
        };
        self.bump();
        let all = self.eat(to);
        Ok(ParamOp::Case {
            to,
            all,
            pattern: self.operand(false)?,
        })
    }

    /// Reads an operand up to the closing brace.
    pub(crate) fn operand(&mut self, quoted: bool) -> Read<Id<Word>> {
        let start = self.at;
        let word = if quoted {
            let mut parts = Row::new();
            self.quoted_parts(QuotedEnd::Brace, &mut parts)?;
            Word {
                span: self.since(start),
                parts: parts.finish(self.cx),
            }
        } else {
            self.word_or_empty(Mode::Operand)?
        };
        if self.cur().is_none() && !self.cx.limited {
            return self.fail("`}` is missing");
        }
        Ok(self.keep_word(word))
    }

    /// Returns the literal bytes of a word without expansions; empty if it has any.
    pub(crate) fn static_text(&self, word: &Word) -> Vec<u8> {
        let mut text = Vec::new();
        for id in word.parts.ids() {
            match self
                .cx
                .store
                .parts
                .get(id.index as usize)
                .map(|part| part.kind)
            {
                Some(PartKind::Text(bytes)) => text.extend_from_slice(self.bytes_of(bytes)),
                Some(_) | None => return Vec::new(),
            }
        }
        text
    }

    /// Returns bytes of the tree while it is being made.
    pub(crate) fn bytes_of(&self, bytes: Bytes) -> &[u8] {
        let start = (bytes.start & !Bytes::POOL) as usize;
        let source: &[u8] = if bytes.start & Bytes::POOL == 0 {
            self.src
        } else {
            &self.cx.store.pool
        };
        source
            .get(start..start + bytes.len as usize)
            .unwrap_or_default()
    }
}
