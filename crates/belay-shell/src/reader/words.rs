//! Words: runs of text, quotes and expansions without a blank between them.

use super::chars::{BRACE, META, SPECIAL, SUSPECT, class, ends_word, is_name};
use super::rows::Row;
use super::substitutions::Place;
use super::{Read, Reader};
use crate::tree::{Many, Part, PartKind, Word};

/// What sort of word is read; decides where it ends and what in it is special.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// An argument: braces and tildes are expanded.
    Word,
    /// An argument of `declare` and the like: `NAME=(...)` is an array.
    Declared,
    /// The value of an assignment: tildes also after a colon, no braces.
    Value,
    /// Neither braces nor arrays: a `case` word or pattern, a delimiter.
    Plain,
    /// An operand of `[[`, where extended patterns are always allowed.
    Test,
    /// The name after `function`.
    FunctionName,
    /// A regular expression after `=~`.
    Regex,
    /// The operand of `${x:-...}`, up to the brace.
    Operand,
    /// The pattern of `${x/...}`, up to the slash or the brace.
    Replaced,
    /// An alternative of `@(...|...)`.
    Alternative,
}

/// What ends a run of quoted parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuotedEnd {
    /// A double quote.
    Quote,
    /// The brace of `${x:-...}` inside double quotes.
    Brace,
    /// The end of the source: a here-document.
    Body,
}

/// A word being read.
pub(crate) struct Draft {
    pub(crate) parts: Row<Part>,
    /// Where the unquoted text begins that is not a part yet.
    pub(crate) run: usize,
    pub(crate) mode: Mode,
    pub(crate) start: usize,
    /// An unquoted opening brace was seen.
    braces: bool,
    /// A byte was seen that may be an unseen character.
    suspect: bool,
    /// Open parentheses in a regular expression.
    pub(crate) depth: usize,
}

impl Mode {
    fn expands_braces(self) -> bool {
        matches!(self, Self::Word | Self::Declared)
    }
}

/// Tells whether a word has a tilde that bash may expand though it is not the first byte: `of=~/x`.
fn has_inner_tilde(word: &[u8]) -> bool {
    word.windows(2).any(|it| matches!(it, b"=~" | b":~"))
}

impl Reader<'_, '_> {
    /// Reads a word that must be there.
    pub(crate) fn word(&mut self, mode: Mode) -> Read<Word> {
        let start = self.at;
        let rest = self.src.get(start..).unwrap_or_default();
        let length = rest
            .iter()
            .position(|&byte| class(byte) & (META | SPECIAL | BRACE | SUSPECT) != 0);
        let length = length.unwrap_or(rest.len());
        let first = rest.first().copied();
        let plain = length > 0 && rest.get(length).is_none_or(|&byte| class(byte) & META != 0);
        let simple = plain
            && !matches!(first, Some(b'~' | b'='))
            && !has_inner_tilde(rest.get(..length).unwrap_or_default())
            && !matches!(mode, Mode::Value | Mode::Regex)
            && !goes_on(rest.get(length..).unwrap_or_default());
        if simple {
            return Ok(self.plain_word(start, start + length));
        }
        let word = self.word_or_empty(mode)?;
        if self.at == start && !self.cx.limited {
            self.fail("a word is missing")
        } else {
            Ok(word)
        }
    }

    /// Makes a word of one run of unquoted text.
    pub(crate) fn plain_word(&mut self, start: usize, end: usize) -> Word {
        let bytes = self.literal(start, end, 0);
        let span = self.span(start, end);
        self.cx.store.parts.push(Part {
            span,
            kind: PartKind::Text(bytes),
            quoted: false,
        });
        self.go(end);
        Word {
            span,
            parts: Many::new(self.cx.store.parts.len() - 1, 1),
        }
    }

    /// Reads a word that may be empty.
    pub(crate) fn word_or_empty(&mut self, mode: Mode) -> Read<Word> {
        let start = self.at;
        self.word_rest(start, Row::new(), mode)
    }

    /// Reads the rest of a word of which some parts are known.
    pub(crate) fn word_rest(&mut self, start: usize, parts: Row<Part>, mode: Mode) -> Read<Word> {
        let mut draft = Draft {
            parts,
            run: self.at,
            mode,
            start: self.at,
            braces: false,
            suspect: false,
            depth: 0,
        };
        if mode == Mode::Value || start == self.at {
            self.tilde(&mut draft);
        }
        while let Some(byte) = self.cur() {
            if !self.word_byte(&mut draft, byte)? {
                break;
            }
        }
        let end = self.at;
        self.flush(&mut draft, end);
        if draft.suspect {
            self.check_visible_parts(&draft);
        }
        if mode == Mode::Regex && !self.balanced(draft.start, end) {
            self.ambiguous(
                start,
                "parentheses in a regular expression that do not match in pairs",
            );
        }
        let span = self.span(start, end);
        let (braces, mode) = (draft.braces && draft.mode.expands_braces(), draft.mode);
        let parts = draft.parts.finish(self.cx);
        // For zsh what is declared is an assignment; bash still makes several words of it.
        let whole = mode == Mode::Declared && self.zsh() && self.is_assignment_word(parts);
        if braces && !whole {
            return Ok(Word {
                span,
                parts: self.expand_braces(parts),
            });
        }
        Ok(Word { span, parts })
    }

    /// Tells whether an equals sign stands alone, as between what `[` compares.
    fn compares(&self) -> bool {
        let (next, at) = self.after(self.at);
        let last = if next == Some(b'=') {
            self.after(at).0
        } else {
            next
        };
        last.is_none() || ends_word(last)
    }

    /// Reads what begins with a byte; false when the word ends here.
    fn word_byte(&mut self, draft: &mut Draft, byte: u8) -> Read<bool> {
        let kind = class(byte);
        if kind & (META | SPECIAL) == 0 {
            match (byte, draft.mode) {
                (b'}', Mode::Operand | Mode::Replaced) | (b'/', Mode::Replaced) => {
                    return Ok(false);
                }
                (b'=', _)
                    if self.at == draft.start
                        && self.zsh()
                        && draft.mode == Mode::Word
                        && !self.compares() =>
                {
                    self.dialect(self.at, "`=name` is the path of a command in zsh");
                }
                (b':' | b'=', Mode::Value | Mode::Word | Mode::Declared) => {
                    self.bump();
                    self.inner_tilde(draft, byte);
                    return Ok(true);
                }
                _ => {}
            }
            draft.braces |= kind & BRACE != 0;
            draft.suspect |= kind & SUSPECT != 0;
            self.bump();
            return Ok(true);
        }
        if kind & META != 0 {
            return self.word_meta(draft, byte);
        }
        self.word_special(draft, byte)?;
        Ok(true)
    }

    fn word_meta(&mut self, draft: &mut Draft, byte: u8) -> Read<bool> {
        let open = byte == b'(';
        if open && self.extglob_before(draft) {
            return self.extglob_or_end(draft);
        }
        if matches!(byte, b'<' | b'>') && self.peek() == Some(b'(') {
            return self.word_process(draft);
        }
        match draft.mode {
            Mode::Operand | Mode::Replaced => {
                self.bump();
                Ok(true)
            }
            Mode::Alternative => self.alternative_meta(draft, byte),
            Mode::Regex => Ok(self.regex_meta(draft, byte)),
            Mode::Word | Mode::Declared if open && self.array_before(draft) => {
                let at = self.at;
                self.flush(draft, at);
                self.bump();
                let elements = self.array()?;
                let span = self.since(at);
                self.add(
                    draft,
                    Part {
                        span,
                        kind: PartKind::Array(elements),
                        quoted: false,
                    },
                );
                Ok(true)
            }
            // Behind a name, empty parentheses define a function in every shell.
            Mode::Word | Mode::Declared
                if open && self.zsh() && self.at > draft.start && self.peek() != Some(b')') =>
            {
                self.zsh_qualifier(draft)
            }
            Mode::Word
            | Mode::Declared
            | Mode::Value
            | Mode::Plain
            | Mode::Test
            | Mode::FunctionName => Ok(false),
        }
    }

    fn word_process(&mut self, draft: &mut Draft) -> Read<bool> {
        let at = self.at;
        self.flush(draft, at);
        let part = self.process()?;
        self.add(draft, part);
        Ok(true)
    }

    /// Adds parts that are already in the tree.
    pub(crate) fn add_parts(&mut self, draft: &mut Draft, parts: Many<Part>) {
        for id in parts.ids() {
            if let Some(part) = self.cx.store.parts.get(id.index as usize).copied() {
                draft.parts.push(self.cx, part);
            }
        }
    }

    fn word_special(&mut self, draft: &mut Draft, byte: u8) -> Read<()> {
        let at = self.at;
        match byte {
            b'\\' => {
                self.flush(draft, at);
                self.escaped(draft);
                return Ok(());
            }
            b'$' => {
                if !self.dollar_begins(false) {
                    if self.zsh() && matches!(self.peek(), Some(b'=' | b'~' | b'^' | b'+')) {
                        self.dialect(at, "`$=name` and its kin are expansions in zsh");
                    }
                    self.bump();
                    return Ok(());
                }
                self.flush(draft, at);
                match self.cur().and(self.peek()) {
                    Some(b'\'') => self.ansi_c(draft)?,
                    Some(b'"') => {
                        self.bump();
                        self.double_quotes(draft)?;
                    }
                    _ => {
                        let part = self.dollar(false)?;
                        self.add(draft, part);
                    }
                }
            }
            b'`' => {
                self.flush(draft, at);
                let part = self.backticks(Place::Bare)?;
                self.add(draft, part);
            }
            b'\'' => {
                self.flush(draft, at);
                let part = self.single_quotes()?;
                self.add(draft, part);
            }
            _ => {
                self.flush(draft, at);
                self.double_quotes(draft)?;
            }
        }
        draft.run = self.at;
        Ok(())
    }

    pub(crate) fn add(&mut self, draft: &mut Draft, part: Part) {
        draft.parts.push(self.cx, part);
        draft.run = self.at;
    }

    /// Reads a backslash and the byte it quotes.
    fn escaped(&mut self, draft: &mut Draft) {
        let start = self.at;
        if start + 1 >= self.src.len() {
            let bytes = self.literal(start, start + 1, 1);
            self.bump();
            let span = self.since(start);
            return self.add(
                draft,
                Part {
                    span,
                    kind: PartKind::Text(bytes),
                    quoted: true,
                },
            );
        }
        let bytes = self.literal(start + 1, start + 2, 1);
        let span = self.span(start, start + 2);
        self.go(start + 2);
        self.add(
            draft,
            Part {
                span,
                kind: PartKind::Text(bytes),
                quoted: true,
            },
        );
    }

    fn ansi_c(&mut self, draft: &mut Draft) -> Read<()> {
        let part = self.ansi_c_quotes()?;
        self.add(draft, part);
        Ok(())
    }

    fn double_quotes(&mut self, draft: &mut Draft) -> Read<()> {
        let start = self.at;
        self.bump();
        let before = draft.parts.len();
        self.deeper((), |reader| {
            reader.quoted_parts(QuotedEnd::Quote, &mut draft.parts)
        })?;
        self.expect(b'"', "a double quote is not closed")?;
        if draft.parts.len() == before {
            let span = self.since(start);
            let bytes = self.literal(start, start, 0);
            self.add(
                draft,
                Part {
                    span,
                    kind: PartKind::Text(bytes),
                    quoted: true,
                },
            );
        }
        draft.run = self.at;
        Ok(())
    }

    /// Makes a part of the unquoted text read so far.
    pub(crate) fn flush(&mut self, draft: &mut Draft, end: usize) {
        if end <= draft.run {
            return;
        }
        let bytes = self.literal(draft.run, end, 0);
        if !bytes.is_empty() {
            let span = self.span(draft.run, end);
            draft.parts.push(
                self.cx,
                Part {
                    span,
                    kind: PartKind::Text(bytes),
                    quoted: false,
                },
            );
        }
        draft.run = end;
    }

    /// Tells whether the word so far is `NAME=`, so that `(` begins an array.
    fn array_before(&self, draft: &Draft) -> bool {
        if draft.mode != Mode::Declared {
            return false;
        }
        let text = self.src.get(draft.start..self.at).unwrap_or_default();
        let text: Vec<u8> = text
            .split(|&byte| byte == b'\n')
            .flat_map(unjoined)
            .copied()
            .collect();
        let Some(name) = text.strip_suffix(b"=") else {
            return false;
        };
        let name = name.strip_suffix(b"+").unwrap_or(name);
        let name_end = name
            .iter()
            .position(|&byte| !is_name(byte))
            .unwrap_or(name.len());
        let subscript = name.get(name_end..).unwrap_or_default();
        name_end > 0
            && (subscript.is_empty() || subscript.starts_with(b"[") && subscript.ends_with(b"]"))
    }

    /// Tells whether a word of `declare` is an assignment, whose braces bash leaves alone.
    fn is_assignment_word(&self, parts: Many<Part>) -> bool {
        let first = parts
            .ids()
            .next()
            .and_then(|id| self.cx.store.parts.get(id.index as usize));
        let Some(Part {
            kind: PartKind::Text(bytes),
            quoted: false,
            ..
        }) = first
        else {
            return false;
        };
        let text = self.bytes_of(*bytes);
        let name_end = text
            .iter()
            .position(|&byte| !is_name(byte))
            .unwrap_or(text.len());
        name_end > 0 && matches!(text.get(name_end), Some(b'=' | b'+' | b'['))
    }
}

/// Tells whether an operator after plain text may belong to the word: `a@(`, `a<(`, or one cut by a continuation.
fn goes_on(rest: &[u8]) -> bool {
    matches!(rest, [b'(', ..] | [b'<' | b'>', b'(' | b'\\', ..])
}

/// Returns a line without the backslash that joins it to the next.
fn unjoined(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\\").unwrap_or(line)
}
