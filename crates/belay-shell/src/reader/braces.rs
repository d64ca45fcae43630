//! Brace expansion, found in one pass over the parts of a word.

use super::rows::Row;
use super::{MAX_DEPTH, Reader};
use crate::tree::{Bytes, Id, Many, Part, PartKind, Sequence, Span, TroubleKind, Word};

/// A brace or comma in unquoted text.
#[derive(Clone, Copy)]
struct Sign {
    part: usize,
    offset: usize,
    byte: u8,
    /// Whether it takes part in an expansion.
    live: bool,
    /// For an opening brace, the sign that closes it.
    close: usize,
}

/// An expansion whose closing brace has not come yet.
struct Frame {
    words: Row<Word>,
    parts: Row<Part>,
    start: u32,
}

/// A brace that was opened, and the signs that belong to it.
struct Opened {
    from: usize,
    to: usize,
    commas: Vec<usize>,
}

impl Opened {
    const fn at(from: usize) -> Self {
        Self {
            from,
            to: from,
            commas: Vec::new(),
        }
    }
}

impl Reader<'_, '_> {
    /// Returns the parts with braces that bash expands turned into nodes.
    pub(crate) fn expand_braces(&mut self, parts: Many<Part>) -> Many<Part> {
        let parts: Vec<Part> = parts
            .ids()
            .filter_map(|id| self.cx.store.parts.get(id.index as usize).copied())
            .collect();
        let signs = self.pair(&parts);
        let deep = nesting(&signs) > MAX_DEPTH as usize;
        if deep {
            self.limit("braces nested too deeply");
        }
        if deep || !signs.iter().any(|sign| sign.live) {
            return self.push_parts(&parts);
        }
        self.build(&parts, &signs)
    }

    fn push_parts(&mut self, parts: &[Part]) -> Many<Part> {
        let mut row = Row::new();
        for &part in parts {
            row.push(self.cx, part);
        }
        row.finish(self.cx)
    }

    /// Finds the braces that match and have a comma between them, or are a sequence.
    fn pair(&self, parts: &[Part]) -> Vec<Sign> {
        let mut signs: Vec<Sign> = Vec::new();
        let mut open: Vec<Opened> = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let PartKind::Text(bytes) = part.kind else {
                continue;
            };
            if part.quoted {
                continue;
            }
            for (offset, &byte) in self.bytes_of(bytes).iter().enumerate() {
                if !matches!(byte, b'{' | b',' | b'}') {
                    continue;
                }
                let here = signs.len();
                signs.push(Sign {
                    part: index,
                    offset,
                    byte,
                    live: false,
                    close: 0,
                });
                match byte {
                    b'{' => open.push(Opened::at(here)),
                    b',' => {
                        if let Some(opened) = open.last_mut() {
                            opened.commas.push(here);
                        }
                    }
                    _ => {
                        if let Some(mut opened) = open.pop() {
                            opened.to = here;
                            self.close(parts, &mut signs, opened);
                        }
                    }
                }
            }
        }
        signs
    }

    fn close(&self, parts: &[Part], signs: &mut [Sign], opened: Opened) {
        let Opened { from, to, commas } = opened;
        let sequence = commas.is_empty()
            && to == from + 1
            && self.sequence_between(parts, signs, from).is_some();
        if commas.is_empty() && !sequence {
            return;
        }
        for index in commas.into_iter().chain([from, to]) {
            if let Some(sign) = signs.get_mut(index) {
                sign.live = true;
            }
        }
        if let Some(sign) = signs.get_mut(from) {
            sign.close = to;
        }
    }

    /// Reads the text between two signs of one part as a sequence.
    fn sequence_between(&self, parts: &[Part], signs: &[Sign], from: usize) -> Option<Sequence> {
        let (open, close) = (signs.get(from)?, signs.get(from + 1)?);
        let part = parts.get(open.part).filter(|_| open.part == close.part)?;
        let PartKind::Text(bytes) = part.kind else {
            return None;
        };
        sequence(self.bytes_of(bytes).get(open.offset + 1..close.offset)?)
    }

    fn build(&mut self, parts: &[Part], signs: &[Sign]) -> Many<Part> {
        let mut frames: Vec<Frame> = Vec::new();
        let mut row = Row::new();
        let mut signs_left = signs
            .iter()
            .enumerate()
            .filter(|(_, sign)| sign.live)
            .peekable();
        for (index, part) in parts.iter().enumerate() {
            let mut from = 0;
            while let Some((at, sign)) = signs_left.next_if(|(_, sign)| sign.part == index) {
                self.push_slice(&mut row, part, from..sign.offset);
                from = sign.offset + 1;
                self.check_dollar(part, sign);
                match sign.byte {
                    b'{' if self.is_sequence(signs, at) => {
                        let found = self.sequence_between(parts, signs, at);
                        let close = signs.get(sign.close).map_or(from, |close| close.offset);
                        signs_left.next();
                        let span = Span {
                            start: at_offset(part, from - 1),
                            end: at_offset(part, close + 1),
                        };
                        if let Some(found) = found {
                            self.push_sequence(&mut row, span, found);
                        }
                        from = close + 1;
                    }
                    b'{' => self.open_frame(&mut frames, &mut row, at_offset(part, sign.offset)),
                    b',' => {
                        self.next_alternative(&mut frames, &mut row, at_offset(part, sign.offset))
                    }
                    _ => self.close_frame(&mut frames, &mut row, at_offset(part, sign.offset)),
                }
            }
            self.push_rest(&mut row, part, from);
        }
        row.finish(self.cx)
    }

    fn is_sequence(&self, signs: &[Sign], at: usize) -> bool {
        signs.get(at).is_some_and(|sign| sign.close == at + 1)
    }

    /// A dollar beside a brace or comma may become part of an expansion after the braces are gone.
    fn check_dollar(&mut self, part: &Part, sign: &Sign) {
        let PartKind::Text(bytes) = part.kind else {
            return;
        };
        let text = self.bytes_of(bytes);
        if sign.offset > 0 && text.get(sign.offset - 1) == Some(&b'$') {
            self.cx.trouble(
                TroubleKind::Ambiguous,
                part.span,
                "a dollar before a brace expansion",
            );
        }
    }

    fn open_frame(&mut self, frames: &mut Vec<Frame>, row: &mut Row<Part>, start: u32) {
        let parts = std::mem::replace(row, Row::stacked(self.cx));
        frames.push(Frame {
            words: Row::stacked(self.cx),
            parts,
            start,
        });
    }

    fn next_alternative(&mut self, frames: &mut [Frame], row: &mut Row<Part>, end: u32) {
        let Some(frame) = frames.last_mut() else {
            return;
        };
        let parts = std::mem::replace(row, Row::new()).finish(self.cx);
        *row = Row::stacked(self.cx);
        // Parts of text that was read again all have the place of the whole, so an end may lie before a start.
        let span = Span {
            start: frame.start,
            end: end.max(frame.start),
        };
        frame.words.push(self.cx, Word { span, parts });
    }

    fn close_frame(&mut self, frames: &mut Vec<Frame>, row: &mut Row<Part>, end: u32) {
        self.next_alternative(frames, row, end);
        let Some(frame) = frames.pop() else { return };
        let words = frame.words.finish(self.cx);
        *row = frame.parts;
        let span = Span {
            start: frame.start,
            end: (end + 1).max(frame.start),
        };
        row.push(
            self.cx,
            Part {
                span,
                kind: PartKind::Brace(words),
                quoted: false,
            },
        );
    }

    fn push_sequence(&mut self, row: &mut Row<Part>, span: Span, sequence: Sequence) {
        self.cx.store.sequences.push(sequence);
        let kind = PartKind::Sequence(Id::new(self.cx.store.sequences.len() - 1));
        row.push(
            self.cx,
            Part {
                span,
                kind,
                quoted: false,
            },
        );
    }

    fn push_slice(&mut self, row: &mut Row<Part>, part: &Part, range: std::ops::Range<usize>) {
        let PartKind::Text(bytes) = part.kind else {
            return;
        };
        if range.is_empty() {
            return;
        }
        let kind = PartKind::Text(Bytes {
            start: bytes.start + range.start as u32,
            len: range.len() as u32,
        });
        let span = Span {
            start: at_offset(part, range.start),
            end: at_offset(part, range.end),
        };
        row.push(
            self.cx,
            Part {
                span,
                kind,
                quoted: part.quoted,
            },
        );
    }

    fn push_rest(&mut self, row: &mut Row<Part>, part: &Part, from: usize) {
        match part.kind {
            PartKind::Text(bytes) if from > 0 => {
                self.push_slice(row, part, from..bytes.len as usize)
            }
            PartKind::Text(_)
            | PartKind::Param(_)
            | PartKind::Command { .. }
            | PartKind::Arith(_)
            | PartKind::Process { .. }
            | PartKind::Brace(_)
            | PartKind::Sequence(_)
            | PartKind::Tilde(_)
            | PartKind::ExtGlob(_)
            | PartKind::Array(_)
            | PartKind::Either(_) => row.push(self.cx, *part),
        }
    }
}

/// Returns how deep the expansions nest.
fn nesting(signs: &[Sign]) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    for sign in signs.iter().filter(|sign| sign.live) {
        match sign.byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Returns a place inside a part as a place in the text, never past the part.
fn at_offset(part: &Part, offset: usize) -> u32 {
    part.span
        .start
        .saturating_add(offset as u32)
        .min(part.span.end)
}

/// Reads `from..to` or `from..to..step`.
fn sequence(text: &[u8]) -> Option<Sequence> {
    let text = std::str::from_utf8(text).ok()?;
    let mut fields = text.split("..");
    let (from, to, step) = (fields.next()?, fields.next()?, fields.next());
    if fields.next().is_some() {
        return None;
    }
    let step = match step {
        Some(step) => step.parse::<i64>().ok()?,
        None => 1,
    };
    let step = if step == 0 { 1 } else { step };
    if let (Ok(first), Ok(last)) = (from.parse::<i64>(), to.parse::<i64>()) {
        let padded = [from, to].iter().any(|text| zero_padded(text));
        let width = if padded {
            from.len().max(to.len()) as u32
        } else {
            0
        };
        return Some(Sequence {
            from: first,
            to: last,
            step,
            width,
            letters: false,
        });
    }
    match (from.as_bytes(), to.as_bytes()) {
        ([first], [last]) if first.is_ascii_alphabetic() && last.is_ascii_alphabetic() => {
            Some(Sequence {
                from: i64::from(*first),
                to: i64::from(*last),
                step,
                width: 0,
                letters: true,
            })
        }
        (_, _) => None,
    }
}

fn zero_padded(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    digits.len() > 1 && digits.starts_with('0')
}
