//! Words, expansions and arithmetic.

use super::{Ending, Printer};
use crate::tree::{
    Arith, ArithKind, Array, CommandForm, Direction, Fallback, HereDoc, Id, Many, Param, ParamName,
    ParamOp, Part, PartKind, Replace, Sequence, Subscript, SubscriptKind, Timed, TrimEnd, Word,
};

impl Printer<'_, '_> {
    /// Writes a word; an empty one is a pair of quotes only where it must be seen.
    pub(super) fn word(&mut self, word: &Word) {
        let parts = self.tree.many(word.parts);
        for (index, part) in parts.iter().enumerate() {
            let more_follows = parts.get(index + 1).is_some();
            match part.kind {
                PartKind::Text(bytes)
                    if !part.quoted && more_follows && self.tree.bytes(bytes).ends_with(b"$") =>
                {
                    let text = self.tree.bytes(bytes);
                    self.put(text.strip_suffix(b"$").unwrap_or(text));
                    self.put(b"\\$");
                }
                _ => self.part(part),
            }
        }
    }

    /// Tells whether a word would be reserved as the first of a command; then a redirection stood before it.
    pub(super) fn is_reserved(&self, word: &Word) -> bool {
        let [part] = self.tree.many(word.parts) else {
            return false;
        };
        let PartKind::Text(bytes) = part.kind else {
            return false;
        };
        let words: [&[u8]; 21] = [
            b"!",
            b"time",
            b"if",
            b"then",
            b"elif",
            b"else",
            b"fi",
            b"for",
            b"while",
            b"until",
            b"do",
            b"done",
            b"case",
            b"esac",
            b"select",
            b"function",
            b"coproc",
            b"{",
            b"}",
            b"[[",
            b"in",
        ];
        !part.quoted && (words.contains(&self.tree.bytes(bytes)) || self.tree.bytes(bytes) == b"]]")
    }

    pub(super) fn quoted_or_plain(&mut self, text: &[u8]) {
        let plain = !text.is_empty()
            && text
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_-./".contains(byte));
        if plain {
            self.put(text)
        } else {
            self.single(text)
        }
    }

    /// Writes quoted text; a single quote stands outside the quotes with a backslash.
    fn single(&mut self, text: &[u8]) {
        if text.is_empty() {
            return self.put(b"''");
        }
        for (index, run) in text.split(|&byte| byte == b'\'').enumerate() {
            self.put(if index == 0 { b"" } else { b"\\'" });
            if !run.is_empty() {
                self.put(b"'");
                self.put(run);
                self.put(b"'");
            }
        }
    }

    fn part(&mut self, part: &Part) {
        if let PartKind::Text(bytes) = part.kind {
            let text = self.tree.bytes(bytes);
            return if part.quoted {
                self.single(text)
            } else {
                self.put(text)
            };
        }
        if part.quoted {
            self.put(b"\"");
        }
        self.expansion(part);
        if part.quoted {
            self.put(b"\"");
        }
    }

    /// Writes a part without quotes around it.
    fn expansion(&mut self, part: &Part) {
        match part.kind {
            PartKind::Text(bytes) => self.put(self.tree.bytes(bytes)),
            PartKind::Param(id) => self.param(self.tree.one(id), part.quoted),
            PartKind::Command { form, list } => match form {
                CommandForm::Dollar | CommandForm::Backtick => {
                    self.substitution(b"$( ", list, b")")
                }
                CommandForm::Brace => self.substitution(b"${ ", list, b"}"),
            },
            PartKind::Arith(arith) => {
                self.put(b"$((");
                self.arith(arith);
                self.put(b"))");
            }
            PartKind::Process { direction, list } => {
                let open: &[u8] = if direction == Direction::Input {
                    b"<( "
                } else {
                    b">( "
                };
                self.substitution(open, list, b")");
            }
            PartKind::Brace(words) => self.alternatives((b"{", b",", b"}"), words),
            PartKind::Sequence(id) => self.sequence(self.tree.one(id)),
            PartKind::Tilde(user) => {
                self.put(b"~");
                self.put(self.tree.bytes(user));
            }
            PartKind::ExtGlob(id) => {
                let glob = *self.tree.one(id);
                self.put(&[glob.op]);
                self.alternatives((b"(", b"|", b")"), glob.alternatives);
            }
            PartKind::Array(elements) => self.array(elements),
            PartKind::Either(readings) => {
                if let Some(first) = self.tree.many(readings).first() {
                    self.expansion(first);
                }
            }
        }
    }

    fn alternatives(&mut self, (open, between, close): (&[u8], &[u8], &[u8]), words: Many<Word>) {
        self.put(open);
        for (index, word) in self.tree.many(words).iter().enumerate() {
            self.put(if index == 0 { b"" } else { between });
            self.word(word);
        }
        self.put(close);
    }

    fn sequence(&mut self, sequence: &Sequence) {
        let member = |value: i64| match (sequence.letters, u8::try_from(value)) {
            (true, Ok(letter)) => char::from(letter).to_string(),
            (_, _) => format!("{value:0width$}", width = sequence.width as usize),
        };
        let text = format!(
            "{{{}..{}..{}}}",
            member(sequence.from),
            member(sequence.to),
            sequence.step
        );
        self.put(text.as_bytes());
    }

    /// Writes a substitution; here-documents that wait outside stay there.
    fn substitution(&mut self, open: &[u8], list: crate::tree::List, close: &[u8]) {
        let waiting = std::mem::take(&mut self.bodies);
        self.put(open);
        let timed = self
            .tree
            .many(list)
            .first()
            .is_some_and(|entry| entry.timed != Timed::No);
        if timed {
            self.put(b"\n");
        }
        if close == b"}" {
            self.inner(list);
        } else {
            self.list(list, Ending::Nothing);
        }
        if !self.bodies.is_empty() {
            self.line_end();
        }
        self.put(close);
        self.bodies = waiting;
    }

    fn param(&mut self, param: &Param, quoted: bool) {
        self.put(b"${");
        if param.length {
            self.put(b"#");
        }
        if param.indirect {
            self.put(b"!");
        }
        match param.name {
            ParamName::Variable(name) | ParamName::Positional(name) => {
                self.put(self.tree.bytes(name))
            }
            ParamName::Special(byte) => self.put(&[byte]),
            ParamName::Bad => {}
        }
        if let Some(subscript) = param.subscript {
            self.subscript(subscript);
        }
        self.operator_of(param, quoted);
        self.put(b"}");
    }

    fn operator_of(&mut self, param: &Param, quoted: bool) {
        match param.op {
            ParamOp::None => {}
            ParamOp::Fallback { kind, colon, word } => {
                self.put(if colon { b":" } else { b"" });
                self.put(match kind {
                    Fallback::Use => b"-",
                    Fallback::Assign => b"=",
                    Fallback::Fail => b"?",
                    Fallback::Alternative => b"+",
                });
                self.operand(word, quoted);
            }
            ParamOp::Trim {
                end,
                longest,
                pattern,
            } => {
                let sign: &[u8] = if end == TrimEnd::Start { b"#" } else { b"%" };
                self.put(sign);
                self.put(if longest { sign } else { b"" });
                self.operand(pattern, false);
            }
            ParamOp::Replace { kind, words } => {
                self.put(match kind {
                    Replace::First => b"/",
                    Replace::All => b"//",
                    Replace::Start => b"/#",
                    Replace::End => b"/%",
                });
                self.alternatives((b"", b"/", b""), words);
            }
            ParamOp::Case { to, all, pattern } => {
                self.put(&[to]);
                self.put(if all { std::slice::from_ref(&to) } else { b"" });
                self.operand(pattern, false);
            }
            ParamOp::Slice(id) => {
                let slice = *self.tree.one(id);
                self.put(b": ");
                self.arith(slice.offset);
                if let Some(length) = slice.length {
                    self.put(b":");
                    self.arith(length);
                }
            }
            ParamOp::Transform(letter) => self.put(&[b'@', letter]),
            ParamOp::Names(sign) => self.put(&[sign]),
            ParamOp::Unknown(word) => self.operand(word, quoted),
        }
    }

    /// Writes an operand; inside double quotes only backslashes quote.
    fn operand(&mut self, id: Id<Word>, quoted: bool) {
        let word = *self.tree.one(id);
        if !quoted {
            return self.word(&word);
        }
        for part in self.tree.many(word.parts) {
            self.double_quoted(part, b"$`\"\\}");
        }
    }

    fn double_quoted(&mut self, part: &Part, escaped: &[u8]) {
        let PartKind::Text(bytes) = part.kind else {
            return self.expansion(part);
        };
        let text = self.tree.bytes(bytes);
        // Single quotes would hide a brace; double quotes inside double quotes are plain.
        let wrapped = escaped.contains(&b'}') && text.iter().any(|byte| b"'}".contains(byte));
        self.put(if wrapped { b"\"" } else { b"" });
        for &byte in text {
            if escaped.contains(&byte) && !(wrapped && byte == b'}') {
                self.put(b"\\");
            }
            self.put(&[byte]);
        }
        self.put(if wrapped { b"\"" } else { b"" });
    }

    pub(super) fn arith(&mut self, arith: Arith) {
        for (index, token) in self.tree.many(arith).iter().enumerate() {
            match token.kind {
                ArithKind::Subscript(_) => {}
                _ if index == 0 => {}
                _ => self.put(b" "),
            }
            match token.kind {
                ArithKind::Name(bytes) | ArithKind::Number(bytes) | ArithKind::Operator(bytes) => {
                    self.put(self.tree.bytes(bytes));
                }
                ArithKind::Subscript(id) => self.subscript(id),
                ArithKind::Expansion(parts) => {
                    for part in self.tree.many(parts) {
                        self.expansion(part);
                    }
                }
                ArithKind::Quoted(inner) => {
                    self.put(b"\"");
                    self.arith(inner);
                    self.put(b"\"");
                }
            }
        }
    }

    pub(super) fn subscript(&mut self, id: Id<Subscript>) {
        self.put(b"[");
        match self.tree.one(id).kind {
            SubscriptKind::At => self.put(b"@"),
            SubscriptKind::Star => self.put(b"*"),
            SubscriptKind::Index(arith) => self.arith(arith),
        }
        self.put(b"]");
    }

    pub(super) fn array(&mut self, elements: Array) {
        self.put(b"(");
        for element in self.tree.many(elements) {
            self.put(b" ");
            if let Some(subscript) = element.subscript {
                self.subscript(subscript);
                self.put(if element.append { b"+=" } else { b"=" });
            }
            self.word(self.tree.one(element.value));
        }
        self.put(b" )");
    }

    pub(super) fn delimiter(&mut self, doc: &HereDoc) {
        let name = self.delimiter_name(doc);
        if doc.quoted {
            self.single(&name)
        } else {
            self.put(&name)
        }
    }

    /// Returns the delimiter; inside another here-document it must not end that one.
    fn delimiter_name(&self, doc: &HereDoc) -> Vec<u8> {
        let mut name = self.tree.bytes(doc.delimiter).to_vec();
        if self.depth > 0 {
            let kept = name
                .iter()
                .rposition(|&byte| byte != b'_')
                .map_or(0, |last| last + 1);
            name.truncate(kept);
            name.resize(kept + self.depth, b'_');
        }
        name
    }

    /// Writes a body and the line that ends it.
    pub(super) fn body(&mut self, doc: &HereDoc) {
        let name = self.delimiter_name(doc);
        self.depth += 1;
        for part in self.tree.many(doc.body) {
            if doc.quoted {
                self.expansion(part);
            } else {
                self.double_quoted(part, b"$`\\");
            }
        }
        self.depth -= 1;
        if !matches!(self.text.last(), Some(b'\n')) {
            self.put(b"\n");
        }
        self.put(&name);
        self.put(b"\n");
    }
}
