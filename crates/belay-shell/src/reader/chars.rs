//! Classes of bytes.

use super::Reader;
use crate::tree::TroubleKind;

/// Ends a word: blank, newline or an operator.
pub(crate) const META: u8 = 1;
/// Begins a quote, an escape or an expansion.
pub(crate) const SPECIAL: u8 = 2;
/// An opening brace, which may begin a brace expansion.
pub(crate) const BRACE: u8 = 4;
/// May be, or begin, a character that cannot be seen.
pub(crate) const SUSPECT: u8 = 8;
/// A letter or an underscore.
pub(crate) const LETTER: u8 = 16;
/// A decimal digit.
pub(crate) const DIGIT: u8 = 32;

static CLASSES: [u8; 256] = classes();

#[expect(
    clippy::indexing_slicing,
    reason = "a table of 256 entries indexed by bytes, made at compile time"
)]
const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' => META,
            b'\\' | b'\'' | b'"' | b'`' | b'$' => SPECIAL,
            b'{' => BRACE,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => LETTER,
            b'0'..=b'9' => DIGIT,
            0..=0x1f | 0x7f | 0xc2 | 0xcd | 0xe1..=0xe3 | 0xef | 0xf3 => SUSPECT,
            _ => 0,
        };
        byte += 1;
    }
    table
}

/// Returns the classes of a byte.
#[inline]
#[expect(
    clippy::indexing_slicing,
    reason = "a table of 256 entries indexed by a byte"
)]
pub(crate) fn class(byte: u8) -> u8 {
    CLASSES[byte as usize]
}

/// Tells whether a byte may begin a name.
pub(crate) fn is_letter(byte: u8) -> bool {
    class(byte) & LETTER != 0
}

/// Tells whether a byte may be in a name.
pub(crate) fn is_name(byte: u8) -> bool {
    class(byte) & (LETTER | DIGIT) != 0
}

/// Tells whether bytes are a name.
pub(crate) fn is_identifier(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|&byte| is_letter(byte)) && bytes.iter().all(|&byte| is_name(byte))
}

/// Tells whether a byte, or the end of the text, ends a word.
pub(crate) fn ends_word(byte: Option<u8>) -> bool {
    byte.is_none_or(|byte| class(byte) & META != 0)
}

/// Returns the length of the unseen character that begins here, zero if there is none.
pub(crate) fn invisible(rest: &[u8]) -> usize {
    match rest {
        [b'\t' | b'\n', ..] => 0,
        [0..=0x1f | 0x7f, ..] => 1,
        [0xc2, 0x80..=0xa0 | 0xad, ..] => 2,
        [0xcd, 0x8f, ..] => 2,
        [0xe1, 0x85, 0x9f | 0xa0, ..] | [0xe1, 0x9a, 0x80, ..] | [0xe1, 0x9e, 0xb4 | 0xb5, ..] => 3,
        [0xe1, 0xa0, 0x8b..=0x8f, ..] => 3,
        [0xe2, 0x80, 0x80..=0x8f | 0xa8..=0xaf, ..]
        | [0xe2, 0x81, 0x9f..=0xaf, ..]
        | [0xe2, 0xa0, 0x80, ..] => 3,
        [0xe3, 0x80, 0x80, ..] | [0xe3, 0x85, 0xa4, ..] => 3,
        [0xef, 0xb8, 0x80..=0x8f, ..] | [0xef, 0xbb, 0xbf, ..] => 3,
        [0xef, 0xbe, 0xa0, ..] | [0xef, 0xbf, 0xb0..=0xbf, ..] => 3,
        [0xf3, 0xa0, 0x80..=0x87, _, ..] => 4,
        _ => 0,
    }
}

impl Reader<'_, '_> {
    /// Notes unseen characters in unquoted bytes of the source, once for each run.
    #[cold]
    pub(crate) fn check_visible(&mut self, start: usize, end: usize) {
        let mut at = start;
        while at < end {
            let length = invisible(self.src.get(at..end).unwrap_or_default());
            if length > 0 {
                let span = self.span(at, at + length);
                return self.cx.trouble(
                    TroubleKind::Invisible,
                    span,
                    "a character that cannot be seen",
                );
            }
            at += 1;
        }
    }
}
