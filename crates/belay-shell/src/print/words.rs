//! Words, expansions and arithmetic.

use super::{Ending, Printer};
use crate::reader::parentheses_match;
use crate::tree::{
    Arith, ArithKind, Array, CommandForm, Direction, Fallback, HereDoc, Id, Many, Param, ParamName,
    ParamOp, Part, PartKind, Replace, Sequence, Subscript, SubscriptKind, Timed, TrimEnd, Word,
};

/// What stands around and between several words.
#[derive(Clone, Copy)]
struct Signs {
    open: &'static [u8],
    between: &'static [u8],
    close: &'static [u8],
}

impl Signs {
    const BRACES: Self = Self {
        open: b"{",
        between: b",",
        close: b"}",
    };
    const GLOB: Self = Self {
        open: b"(",
        between: b"|",
        close: b")",
    };
    const REPLACEMENT: Self = Self {
        open: b"",
        between: b"/",
        close: b"",
    };
}

impl Printer<'_, '_> {
    /// Writes a word; an empty one is a pair of quotes only where it must be seen.
    pub(super) fn word(&mut self, word: &Word) {
        let parts = self.tree.many(word.parts);
        for (index, part) in parts.iter().enumerate() {
            let more_follows = parts.get(index + 1).is_some();
            if let PartKind::Text(bytes) = part.kind
                && !part.quoted
                && more_follows
                && self.tree.bytes(bytes).ends_with(b"$")
            {
                let text = self.tree.bytes(bytes);
                self.put(text.strip_suffix(b"$").unwrap_or(text));
                self.put(b"'$'");
            } else {
                self.part(part)
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
        let outer = std::mem::replace(&mut self.tight, false);
        self.expansion_kind(part);
        self.tight = outer;
    }

    fn expansion_kind(&mut self, part: &Part) {
        match part.kind {
            PartKind::Text(bytes) => self.put(self.tree.bytes(bytes)),
            PartKind::Param(id) => self.param(self.tree.one(id), part.quoted),
            PartKind::Command { form, list } => match form {
                CommandForm::Dollar | CommandForm::Backtick => {
                    self.substitution(b"$( ", list, b")")
                }
                CommandForm::Brace => self.substitution(b"${ ", list, b"}"),
            },
            PartKind::Arith(arith) => self.arith_expansion(arith),
            PartKind::Process { direction, list } => {
                let open: &[u8] = if direction == Direction::Input {
                    b"<( "
                } else {
                    b">( "
                };
                self.substitution(open, list, b")");
            }
            PartKind::Brace(words) => self.alternatives(Signs::BRACES, words),
            PartKind::Sequence(id) => self.sequence(self.tree.one(id)),
            PartKind::Tilde(user) => {
                self.put(b"~");
                self.put(self.tree.bytes(user));
            }
            PartKind::ExtGlob(id) => {
                let glob = *self.tree.one(id);
                self.put(&[glob.op]);
                self.alternatives(Signs::GLOB, glob.alternatives);
            }
            PartKind::Array(elements) => self.array(elements),
            PartKind::Either(readings) => {
                if let Some(first) = self.tree.many(readings).first() {
                    self.expansion(first);
                }
            }
        }
    }

    /// Writes `$((...))`, or `$[...]` where parentheses do not match in pairs or there is a process substitution, which
    /// only that allows.
    fn arith_expansion(&mut self, arith: Arith) {
        let start = self.text.len();
        self.arith(arith);
        let inner = self.text.split_off(start);
        let plain = parentheses_match(&inner) && !self.has_process(arith);
        let (open, close): (&[u8], &[u8]) = if plain {
            (b"$((", b"))")
        } else {
            (b"$[", b"]")
        };
        self.put(open);
        self.put(&inner);
        self.put(close);
    }

    fn has_process(&self, arith: Arith) -> bool {
        self.tree.many(arith).iter().any(|token| match token.kind {
            ArithKind::Expansion(parts) => {
                let mut parts = self.tree.many(parts).iter();
                parts.any(|part| matches!(part.kind, PartKind::Process { .. }))
            }
            ArithKind::Name(_)
            | ArithKind::Number(_)
            | ArithKind::Operator(_)
            | ArithKind::Subscript(_)
            | ArithKind::Quoted(_) => false,
        })
    }

    fn alternatives(&mut self, signs: Signs, words: Many<Word>) {
        self.put(signs.open);
        for (index, word) in self.tree.many(words).iter().enumerate() {
            self.put(if index == 0 { b"" } else { signs.between });
            self.word(word);
        }
        self.put(signs.close);
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
                self.alternatives(Signs::REPLACEMENT, words);
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
        let mut run = Vec::new();
        for part in self.tree.many(word.parts) {
            if let PartKind::Text(bytes) = part.kind {
                run.extend_from_slice(self.tree.bytes(bytes));
                continue;
            }
            self.operand_text(&std::mem::take(&mut run));
            self.expansion(part);
        }
        self.operand_text(&run);
    }

    /// Writes text of an operand inside double quotes. Single quotes would hide a brace and `<(` be read; double
    /// quotes inside double quotes are plain.
    fn operand_text(&mut self, text: &[u8]) {
        let wrapped = text.iter().any(|byte| b"'}<>".contains(byte));
        self.put(if wrapped { b"\"" } else { b"" });
        self.escaped(text, b"$`\"\\");
        self.put(if wrapped { b"\"" } else { b"" });
    }

    /// Writes text with backslashes before what is special, and before backslashes that would be.
    fn escaped(&mut self, text: &[u8], special: &[u8]) {
        for (index, &byte) in text.iter().enumerate() {
            let special = match (byte, text.get(index + 1)) {
                (b'\\', Some(next)) => special.contains(next) || b"\"}\n".contains(next),
                (_, _) => special.contains(&byte),
            };
            self.put(if special { b"\\" } else { b"" });
            self.put(&[byte]);
        }
    }

    pub(super) fn arith(&mut self, arith: Arith) {
        for (index, token) in self.tree.many(arith).iter().enumerate() {
            match token.kind {
                ArithKind::Subscript(_) => {}
                _ if index == 0 || self.tight => {}
                ArithKind::Name(_)
                | ArithKind::Number(_)
                | ArithKind::Operator(_)
                | ArithKind::Expansion(_)
                | ArithKind::Quoted(_) => self.put(b" "),
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
                ArithKind::Quoted(inner) => self.arith_quoted(inner),
            }
        }
    }

    /// Writes quoted arithmetic; quotes inside quotes are of the other sort, and a backslash would hide the closing one
    /// of double quotes.
    fn arith_quoted(&mut self, inner: Arith) {
        let start = self.text.len();
        self.arith_quotes += 1;
        self.arith(inner);
        self.arith_quotes -= 1;
        let text = self.text.split_off(start);
        let single = self.arith_quotes % 2 == 1 || text.ends_with(b"\\");
        let quote: &[u8] = if single { b"'" } else { b"\"" };
        self.put(quote);
        self.put(&text);
        self.put(quote);
    }

    pub(super) fn subscript(&mut self, id: Id<Subscript>) {
        self.put(b"[");
        match self.tree.one(id).kind {
            SubscriptKind::At => self.put(b"@"),
            SubscriptKind::Star => self.put(b"*"),
            SubscriptKind::Index(arith) => {
                // Alone and without a blank, these two mean all elements.
                let lone = match self.tree.many(arith) {
                    [token] => {
                        matches!(token.kind, ArithKind::Operator(sign) if matches!(self.tree.bytes(sign), b"@" | b"*"))
                    }
                    _ => false,
                };
                self.put(if lone { b" " } else { b"" });
                self.arith(arith);
            }
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

    /// Writes the delimiter of a here-document, and its body as soon as the line ends.
    pub(super) fn here_document(&mut self, doc: &HereDoc) {
        let waiting = std::mem::take(&mut self.bodies);
        let start = self.text.len();
        for part in self.tree.many(doc.body) {
            if let PartKind::Text(bytes) = part.kind
                && !doc.quoted
            {
                self.escaped(self.tree.bytes(bytes), b"$`\\")
            } else {
                self.expansion(part)
            }
        }
        let mut body = self.text.split_off(start);
        self.bodies = waiting;
        if body.last().is_some_and(|&byte| byte != b'\n') {
            body.push(b'\n');
        }
        let name = self.delimiter(doc, &body);
        if doc.quoted {
            self.single(&name);
        } else {
            self.put(&name);
        }
        body.extend_from_slice(&name);
        body.push(b'\n');
        self.bodies.push(body);
    }

    /// Returns a delimiter that no line of the body begins with.
    fn delimiter(&self, doc: &HereDoc, body: &[u8]) -> Vec<u8> {
        let mut name = self.tree.bytes(doc.delimiter).to_vec();
        name.retain(u8::is_ascii_alphanumeric);
        if name.is_empty() {
            name.push(b'E');
        }
        let lines = || body.split(|&byte| byte == b'\n');
        while lines().any(|line| line.starts_with(&name)) {
            name.push(b'_');
        }
        name
    }
}
