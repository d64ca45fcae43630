//! Quotes.

use super::rows::Row;
use super::substitutions::Place;
use super::words::QuotedEnd;
use super::{Read, Reader};
use crate::tree::{Part, PartKind};

impl Reader<'_, '_> {
    /// Reads `'...'`.
    pub(crate) fn single_quotes(&mut self) -> Read<Part> {
        let start = self.at;
        let rest = self.src.get(start + 1..).unwrap_or_default();
        let Some(length) = rest.iter().position(|&byte| byte == b'\'') else {
            return self.fail("a single quote is not closed");
        };
        let bytes = self.literal(start + 1, start + 1 + length, length);
        self.go(start + length + 2);
        Ok(Part {
            span: self.since(start),
            kind: PartKind::Text(bytes),
            quoted: true,
        })
    }

    /// Reads `$'...'`.
    pub(crate) fn ansi_c_quotes(&mut self) -> Read<Part> {
        let start = self.at;
        let (_, quote) = self.after(start);
        let mut at = quote + 1;
        let mut escapes = false;
        loop {
            match self.src.get(at) {
                None => return self.fail("a single quote is not closed"),
                Some(b'\'') => break,
                Some(b'\\') => {
                    escapes = true;
                    at += 2;
                }
                Some(_) => at += 1,
            }
        }
        let bytes = if escapes {
            if self.cx.dialect == crate::tree::Dialect::Sh {
                self.dialect(start, "`$'` is not a quote in every sh");
            }
            let raw = self.src.get(quote + 1..at).unwrap_or_default();
            let from = self.cx.store.pool.len();
            decode_ansi_c(raw, &mut self.cx.store.pool);
            self.pooled(from)
        } else {
            self.literal(quote + 1, at, at - quote - 1)
        };
        self.go(at + 1);
        Ok(Part {
            span: self.since(start),
            kind: PartKind::Text(bytes),
            quoted: true,
        })
    }

    /// Reads parts inside double quotes or a here-document; what ends them is not consumed.
    pub(crate) fn quoted_parts(&mut self, end: QuotedEnd, parts: &mut Row<Part>) -> Read<()> {
        let mut run = Run {
            start: self.at,
            fixed: 0,
        };
        let place = if end == QuotedEnd::Quote {
            Place::DoubleQuotes
        } else {
            Place::Quoted
        };
        while let Some(byte) = self.cur() {
            match byte {
                b'"' if end == QuotedEnd::Quote => break,
                b'}' if end == QuotedEnd::Brace => break,
                b'"' if end == QuotedEnd::Brace => {
                    self.flush_quoted(parts, &run);
                    self.inner_quotes(parts)?;
                    run = Run {
                        start: self.at,
                        fixed: 0,
                    };
                }
                b'\'' if end == QuotedEnd::Brace => self.inner_single(parts, &mut run)?,
                // Bash reads a process substitution here, although it does not run it.
                b'<' | b'>' if end == QuotedEnd::Brace && self.peek() == Some(b'(') => {
                    self.plain_in_zsh(self.at);
                    self.flush_quoted(parts, &run);
                    run = self.contained(end, parts, Self::process)?;
                }
                b'\\' => self.quoted_escape(parts, &mut run, end),
                b'`' => {
                    self.flush_quoted(parts, &run);
                    run = self.contained(end, parts, |reader| reader.backticks(place))?;
                }
                // Bash takes it for a quote here, but not where it is in a here-document; others take it for text.
                b'$' if end == QuotedEnd::Brace && self.peek() == Some(b'\'') => {
                    self.ambiguous(self.at, "whether `$'` is a quote in a quoted expansion");
                    self.bump();
                }
                b'$' if self.dollar_begins(true) => {
                    self.flush_quoted(parts, &run);
                    run = self.contained(end, parts, |reader| reader.dollar(true))?;
                }
                _ => self.bump(),
            }
        }
        if self.cur().is_none() && end != QuotedEnd::Body && !self.cx.limited {
            return self.fail("a quote or brace is not closed");
        }
        self.flush_quoted(parts, &run);
        Ok(())
    }

    /// Reads an expansion; in a here-document an error in it is bash's at run time and ends only the body.
    fn contained(
        &mut self,
        end: QuotedEnd,
        parts: &mut Row<Part>,
        read: impl Fn(&mut Self) -> Read<Part>,
    ) -> Read<Run> {
        let start = self.at;
        if end != QuotedEnd::Body {
            let part = read(self)?;
            parts.push(self.cx, part);
            return Ok(Run {
                start: self.at,
                fixed: 0,
            });
        }
        let mark = self.mark();
        match read(self) {
            Ok(part) => parts.push(self.cx, part),
            Err(_) => {
                // Bash finds out at run time, after what stands before and sometimes what stands inside was run.
                self.rewind(&mark);
                self.ambiguous(start, "an expansion that bash can only refuse at run time");
                if let Some(part) = self.beyond(&read) {
                    parts.push(self.cx, part);
                }
                if !self.cx.limited {
                    self.bump();
                }
                return Ok(Run { start, fixed: 0 });
            }
        }
        Ok(Run {
            start: self.at,
            fixed: 0,
        })
    }

    fn flush_quoted(&mut self, parts: &mut Row<Part>, run: &Run) {
        let end = self.at;
        if end <= run.start {
            return;
        }
        let bytes = self.literal(run.start, end, run.fixed);
        if !bytes.is_empty() {
            let span = self.span(run.start, end);
            parts.push(
                self.cx,
                Part {
                    span,
                    kind: PartKind::Text(bytes),
                    quoted: true,
                },
            );
        }
    }

    fn quoted_escape(&mut self, parts: &mut Row<Part>, run: &mut Run, end: QuotedEnd) {
        let escapes = match self.src.get(self.at + 1) {
            Some(b'$' | b'`' | b'\\') => true,
            Some(b'"') => end != QuotedEnd::Body,
            Some(b'}') => end == QuotedEnd::Brace,
            Some(_) | None => false,
        };
        if !escapes {
            self.bump();
            return;
        }
        self.flush_quoted(parts, run);
        *run = Run {
            start: self.at + 1,
            fixed: 1,
        };
        self.go(self.at + 2);
    }

    /// Reads double quotes inside the operand of a quoted expansion.
    fn inner_quotes(&mut self, parts: &mut Row<Part>) -> Read<()> {
        self.bump();
        self.deeper((), |reader| reader.quoted_parts(QuotedEnd::Quote, parts))?;
        self.expect(b'"', "a double quote is not closed")
    }

    /// Reads single quotes inside the operand of a quoted expansion: they hide a brace but expand their
    /// content.
    fn inner_single(&mut self, parts: &mut Row<Part>, run: &mut Run) -> Read<()> {
        let rest = self.src.get(self.at + 1..).unwrap_or_default();
        let Some(length) = rest.iter().position(|&byte| byte == b'\'') else {
            return self.fail("a single quote is not closed");
        };
        let close = self.at + 1 + length;
        self.plain_in_zsh(self.at);
        self.bump();
        self.flush_quoted(parts, run);
        self.within(close, |reader| reader.quoted_parts(QuotedEnd::Body, parts))?;
        *run = Run {
            start: close,
            fixed: 0,
        };
        if !self.cx.limited {
            self.go(close + 1);
        }
        Ok(())
    }
}

/// Quoted text that is not a part yet; `fixed` bytes at its start were escaped.
struct Run {
    start: usize,
    fixed: usize,
}

/// Returns text without its quotes, and whether there were any: what bash does to a delimiter.
pub(crate) fn remove_quotes(raw: &[u8]) -> (Vec<u8>, bool) {
    let mut text = Vec::with_capacity(raw.len());
    let mut quoted = false;
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        let next = raw.get(at + 1).copied();
        let rest = raw.get(at + 1..).unwrap_or_default();
        at += match (byte, next) {
            (b'\\', Some(b'\n')) => 2,
            (b'\\', Some(escaped)) => {
                quoted = true;
                text.push(escaped);
                2
            }
            (b'\\', None) => {
                quoted = true;
                text.push(byte);
                1
            }
            (b'$', Some(b'\'')) => {
                quoted = true;
                ansi_c_run(rest, &mut text) + 1
            }
            (b'$', Some(b'"')) => 1,
            (b'\'', _) => {
                quoted = true;
                let length = rest
                    .iter()
                    .position(|&byte| byte == b'\'')
                    .unwrap_or(rest.len());
                text.extend_from_slice(rest.get(..length).unwrap_or_default());
                length + 2
            }
            (b'"', _) => {
                quoted = true;
                double_run(rest, &mut text) + 1
            }
            (_, _) => {
                text.push(byte);
                1
            }
        };
    }
    (text, quoted)
}

/// Decodes `'...'` of `$'...'`, the opening quote included; returns how much was read.
fn ansi_c_run(rest: &[u8], text: &mut Vec<u8>) -> usize {
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\'' => break,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    decode_ansi_c(rest.get(1..at.min(rest.len())).unwrap_or_default(), text);
    at + 1
}

/// Removes the backslashes of a double-quoted run up to its closing quote; returns how much was read.
fn double_run(rest: &[u8], text: &mut Vec<u8>) -> usize {
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        match (byte, rest.get(at + 1)) {
            (b'"', _) => return at + 1,
            (b'\\', Some(b'\n')) => at += 2,
            (b'\\', Some(&escaped @ (b'$' | b'`' | b'"' | b'\\'))) => {
                text.push(escaped);
                at += 2;
            }
            (_, _) => {
                text.push(byte);
                at += 1;
            }
        }
    }
    at
}

/// Decodes the escapes of `$'...'`.
pub(crate) fn decode_ansi_c(raw: &[u8], text: &mut Vec<u8>) {
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        at += 1;
        if byte != b'\\' {
            text.push(byte);
            continue;
        }
        let rest = raw.get(at..).unwrap_or_default();
        let (code, length) = escape(rest);
        at += length;
        match code {
            Escape::Byte(0) => {
                // A NUL ends the string: bash drops the rest of it.
                return;
            }
            Escape::Byte(byte) => text.push(byte),
            Escape::Char(code) => push_char(code, text),
            Escape::Kept(byte) => text.extend([b'\\', byte]),
            Escape::End => text.push(b'\\'),
        }
    }
}

enum Escape {
    Byte(u8),
    Char(u32),
    Kept(u8),
    End,
}

/// Reads one escape after its backslash.
fn escape(rest: &[u8]) -> (Escape, usize) {
    let Some(&byte) = rest.first() else {
        return (Escape::End, 0);
    };
    let digits = rest.get(1..).unwrap_or_default();
    let simple = |byte| (Escape::Byte(byte), 1);
    match byte {
        b'a' => simple(7),
        b'b' => simple(8),
        b'e' | b'E' => simple(27),
        b'f' => simple(12),
        b'n' => simple(b'\n'),
        b'r' => simple(b'\r'),
        b't' => simple(b'\t'),
        b'v' => simple(11),
        b'\\' | b'\'' | b'"' | b'?' => simple(byte),
        b'0'..=b'7' => {
            let (value, length) = number(rest, 3, 8);
            (Escape::Byte(value as u8), length)
        }
        b'x' => hexadecimal(digits),
        b'u' | b'U' => {
            let (value, length) = number(digits, if byte == b'u' { 4 } else { 8 }, 16);
            if length == 0 {
                (Escape::Kept(byte), 1)
            } else {
                (Escape::Char(value), length + 1)
            }
        }
        b'c' => control(digits),
        other => (Escape::Kept(other), 1),
    }
}

/// Reads `\xHH` and bash's `\x{H...}`.
fn hexadecimal(digits: &[u8]) -> (Escape, usize) {
    if let Some(braced) = digits.strip_prefix(b"{") {
        let (value, length) = number(braced, 8, 16);
        if length > 0 {
            let closed = usize::from(braced.get(length) == Some(&b'}'));
            return (Escape::Byte(value as u8), 2 + length + closed);
        }
    }
    let (value, length) = number(digits, 2, 16);
    if length == 0 {
        (Escape::Kept(b'x'), 1)
    } else {
        (Escape::Byte(value as u8), length + 1)
    }
}

fn control(digits: &[u8]) -> (Escape, usize) {
    match digits {
        [b'\\', b'\\', ..] => (Escape::Byte(0x1c), 3),
        [b'?', ..] => (Escape::Byte(0x7f), 2),
        [byte, ..] => (Escape::Byte(byte.to_ascii_uppercase() & 0x1f), 2),
        [] => (Escape::Kept(b'c'), 1),
    }
}

fn number(digits: &[u8], most: usize, radix: u32) -> (u32, usize) {
    let mut value = 0u32;
    let mut length = 0;
    for &digit in digits.iter().take(most) {
        let Some(digit) = char::from(digit).to_digit(radix) else {
            break;
        };
        value = value.wrapping_mul(radix).wrapping_add(digit);
        length += 1;
    }
    (value, length)
}

fn push_char(code: u32, text: &mut Vec<u8>) {
    if let Some(character) = char::from_u32(code) {
        text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    } else {
        text.extend_from_slice(&code.to_be_bytes());
    }
}
