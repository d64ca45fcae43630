//! How far the journal has been shipped: a day, a place in its file, and what stands right before that place.

use sha2::{Digest, Sha256};

/// So much of the hash is kept.
const BYTES: usize = 16;

/// A place in the journal, after a line that arrived.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The day's file; empty before the first.
    pub day: String,
    /// How many bytes of it have arrived.
    pub offset: u64,
    /// A hash of the last line, so that a file that was replaced is noticed.
    pub hash: String,
    /// The number of the last line that had one.
    pub number: u64,
}

impl Cursor {
    /// Returns the text of the file. It begins with the day: the journal holds back every day from that one on.
    #[must_use]
    pub fn text(&self) -> String {
        let Self {
            day,
            offset,
            hash,
            number,
        } = self;
        format!("{day} {offset} {hash} {number}\n")
    }

    /// Reads what [`Self::text`] wrote; what is not whole is the beginning.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let words: Vec<&str> = text.split_whitespace().collect();
        let whole = match words.as_slice() {
            [day, offset, hash, number] if text.ends_with('\n') => {
                offset.parse().ok().zip(number.parse().ok()).map(|it| Self {
                    day: (*day).to_owned(),
                    offset: it.0,
                    hash: (*hash).to_owned(),
                    number: it.1,
                })
            }
            _ => None,
        };
        whole.unwrap_or_default()
    }
}

/// Returns the hash of a line without its end.
pub fn hash_of(line: &[u8]) -> String {
    let bytes = Sha256::digest(line);
    let hex = bytes.iter().take(BYTES).map(|it| format!("{it:02x}"));
    hex.collect()
}

/// Returns a number below zero for a line that has none of its own: it tells lines of a machine apart, and is never mistaken
/// for a number in a sequence.
pub fn number_of(line: &[u8]) -> i64 {
    let bytes = Sha256::digest(line);
    let eight = bytes.first_chunk::<8>().copied().unwrap_or_default();
    i64::from_be_bytes(eight) | i64::MIN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_and_half_a_cursor_is_the_beginning() {
        let cursor = Cursor {
            day: "2026-11-17".to_owned(),
            offset: 77,
            hash: hash_of(b"x"),
            number: 3,
        };
        let text = cursor.text();
        assert_eq!(Cursor::read(&text), cursor);
        for end in 0..text.len() {
            assert_eq!(Cursor::read(text.get(..end).unwrap()), Cursor::default());
        }
    }

    #[test]
    fn a_line_without_a_number_gets_one_below_zero() {
        assert!(number_of(b"a") < 0 && number_of(b"a") != number_of(b"b"));
    }
}
