//! Words: runs of text, quotes and expansions without a blank between them.

use super::chars::{BRACE, META, SPECIAL, SUSPECT, class, ends_word, is_name};
use super::rows::Row;
use super::{Read, Reader};
use crate::tree::{
    Arith, ArithKind, ExtGlob, Id, Many, Part, PartKind, SubscriptKind, TroubleKind, Word,
};

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
struct Draft {
    parts: Row<Part>,
    /// Where the unquoted text begins that is not a part yet.
    run: usize,
    mode: Mode,
    start: usize,
    /// An unquoted opening brace was seen.
    braces: bool,
    /// A byte was seen that may be an unseen character.
    suspect: bool,
    /// Open parentheses in a regular expression.
    depth: usize,
}

impl Mode {
    fn expands_braces(self) -> bool {
        matches!(self, Self::Word | Self::Declared)
    }
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
            && mode != Mode::Value
            && rest.get(length) != Some(&b'(');
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
    fn plain_word(&mut self, start: usize, end: usize) -> Word {
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
        if braces && !(mode == Mode::Declared && self.is_assignment_word(parts)) {
            return Ok(Word {
                span,
                parts: self.expand_braces(parts),
            });
        }
        Ok(Word { span, parts })
    }

    /// Reads what begins with a byte; false when the word ends here.
    fn word_byte(&mut self, draft: &mut Draft, byte: u8) -> Read<bool> {
        let kind = class(byte);
        if kind & (META | SPECIAL) == 0 {
            match (byte, draft.mode) {
                (b'}', Mode::Operand | Mode::Replaced) | (b'/', Mode::Replaced) => {
                    return Ok(false);
                }
                (b'=', _) if self.at == draft.start && self.zsh() && draft.mode == Mode::Word => {
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
            self.extglob(draft)?;
            return Ok(true);
        }
        if matches!(byte, b'<' | b'>') && self.peek() == Some(b'(') && draft.mode != Mode::Regex {
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
            Mode::Word | Mode::Declared if open && self.zsh() && self.at > draft.start => {
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

    /// Inside a pattern list, parentheses nest and everything else is text.
    fn alternative_meta(&mut self, draft: &mut Draft, byte: u8) -> Read<bool> {
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
    fn regex_meta(&mut self, draft: &mut Draft, byte: u8) -> bool {
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
    fn zsh_qualifier(&mut self, draft: &mut Draft) -> Read<bool> {
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

    /// Adds parts that are already in the tree.
    fn add_parts(&mut self, draft: &mut Draft, parts: Many<Part>) {
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
                let part = self.backticks(false)?;
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

    fn add(&mut self, draft: &mut Draft, part: Part) {
        draft.parts.push(self.cx, part);
        draft.run = self.at;
    }

    /// Reads a backslash and the byte it quotes.
    fn escaped(&mut self, draft: &mut Draft) {
        let start = self.at;
        if start + 1 >= self.src.len() {
            self.bump();
            return;
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
    fn flush(&mut self, draft: &mut Draft, end: usize) {
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

    /// Tells whether the byte before the cursor makes `(` a pattern list.
    fn extglob_before(&self, draft: &Draft) -> bool {
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
    fn empty_parentheses_and_body(&self) -> bool {
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

    fn extglob(&mut self, draft: &mut Draft) -> Read<()> {
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

    fn alternatives(&mut self) -> Read<Many<Word>> {
        let mut row = Row::new();
        loop {
            let word = self.word_or_empty(Mode::Alternative)?;
            row.push(self.cx, word);
            if !self.eat(b'|') {
                return Ok(row.finish(self.cx));
            }
        }
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

    fn check_visible_parts(&mut self, draft: &Draft) {
        let end = self.at;
        let mut start = draft.start;
        // Quoted parts are data; only what lies between quotes is looked at.
        let quoted = self
            .src
            .get(start..end)
            .unwrap_or_default()
            .iter()
            .any(|byte| b"'\"".contains(byte));
        if !quoted {
            return self.check_visible(start, end);
        }
        while start < end {
            let rest = self.src.get(start..end).unwrap_or_default();
            let run = rest
                .iter()
                .position(|&byte| class(byte) & SPECIAL != 0)
                .unwrap_or(rest.len());
            self.check_visible(start, start + run);
            start += run;
            if let Some(&quote) = self.src.get(start) {
                let rest = self.src.get(start + 1..end).unwrap_or_default();
                let closed = rest
                    .iter()
                    .position(|&byte| byte == quote)
                    .filter(|_| b"'\"".contains(&quote));
                start += 1 + closed.map_or(0, |length| length + 1);
            }
        }
    }

    /// Reads a tilde at the start of a word or value.
    fn tilde(&mut self, draft: &mut Draft) {
        if self.cur() != Some(b'~') || draft.mode == Mode::Regex {
            return;
        }
        let start = self.at;
        let mut at = start;
        let mut next = self.after(at);
        while next
            .0
            .is_some_and(|byte| is_name(byte) || b"+-.@".contains(&byte))
        {
            at = next.1;
            next = self.after(at);
        }
        let ends = match next.0 {
            None | Some(b'/') => true,
            Some(b':') => true,
            Some(b'}') => matches!(draft.mode, Mode::Operand | Mode::Replaced),
            Some(byte) => {
                ends_word(Some(byte)) && (byte != b'(' || draft.mode == Mode::Alternative)
            }
        };
        if !ends {
            return;
        }
        self.flush(draft, start);
        let user = self.literal(start + 1, at + 1, 0);
        self.go(at + 1);
        let span = self.since(start);
        self.add(
            draft,
            Part {
                span,
                kind: PartKind::Tilde(user),
                quoted: false,
            },
        );
    }

    /// Reads a tilde after `=` or `:` where bash looks for one.
    fn inner_tilde(&mut self, draft: &mut Draft, before: u8) {
        if self.cur() != Some(b'~') {
            return;
        }
        let text = self.src.get(draft.start..self.at - 1).unwrap_or_default();
        let assigns = draft.mode == Mode::Value
            || before == b'='
                && super::chars::is_identifier(text.strip_suffix(b"+").unwrap_or(text));
        if assigns {
            self.tilde(draft);
        }
    }

    /// Makes a word of `NAME[...]` that is no assignment; bash took everything up to the bracket as text.
    pub(crate) fn bracket_word(
        &mut self,
        start: usize,
        subscript: Id<crate::tree::Subscript>,
    ) -> Read<Word> {
        let mut parts = Row::new();
        let mut run = start;
        let kind = self
            .cx
            .store
            .subscripts
            .get(subscript.index as usize)
            .map(|subscript| subscript.kind);
        if let (Some(SubscriptKind::Index(arith)), None) = (kind, self.origin) {
            self.bracket_parts(arith, &mut parts, &mut run);
        }
        let end = self.at;
        let bytes = self.literal(run, end, 0);
        let span = self.span(run, end);
        parts.push(
            self.cx,
            Part {
                span,
                kind: PartKind::Text(bytes),
                quoted: false,
            },
        );
        self.word_rest(start, parts, Mode::Word)
    }

    fn bracket_parts(&mut self, arith: Arith, parts: &mut Row<Part>, run: &mut usize) {
        for id in arith.ids() {
            let Some(token) = self.cx.store.tokens.get(id.index as usize).copied() else {
                continue;
            };
            match token.kind {
                ArithKind::Expansion(inner) => {
                    let bytes = self.literal(*run, token.span.start as usize, 0);
                    let span = self.span(*run, token.span.start as usize);
                    parts.push(
                        self.cx,
                        Part {
                            span,
                            kind: PartKind::Text(bytes),
                            quoted: false,
                        },
                    );
                    for id in inner.ids() {
                        if let Some(part) = self.cx.store.parts.get(id.index as usize).copied() {
                            parts.push(self.cx, part);
                        }
                    }
                    *run = token.span.end as usize;
                }
                ArithKind::Quoted(_) | ArithKind::Subscript(_) => {
                    let what = "a bracket after a name in command position";
                    self.cx.trouble(TroubleKind::Ambiguous, token.span, what);
                }
                ArithKind::Name(_) | ArithKind::Number(_) | ArithKind::Operator(_) => {}
            }
        }
    }
}

/// Returns a line without the backslash that joins it to the next.
fn unjoined(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\\").unwrap_or(line)
}
