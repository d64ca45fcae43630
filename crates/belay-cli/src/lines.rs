//! Lines of bytes, one at a time and bounded, whatever is in them.

use std::io::{self, BufRead, Read};

/// No line is longer.
const LONGEST: u64 = 64 * 1024 * 1024;

/// One line of a stream.
pub enum Line {
    /// The whole line without its end, and its number.
    Whole {
        /// The number of the line, from 1.
        at: u64,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// A line that was passed over.
    TooLong {
        /// The number of the line, from 1.
        at: u64,
    },
}

/// Reads lines from anything.
pub struct Lines<R> {
    from: R,
    at: u64,
    longest: u64,
}

impl<R: BufRead> Lines<R> {
    /// Reads from there.
    pub const fn new(from: R) -> Self {
        Self {
            from,
            at: 0,
            longest: LONGEST,
        }
    }

    /// Returns the next line; a last line without an end counts.
    pub fn next(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        self.from
            .by_ref()
            .take(self.longest + 1)
            .read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.at += 1;
        let at = self.at;
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        } else if bytes.len() as u64 > self.longest {
            self.from.skip_until(b'\n')?;
            return Ok(Some(Line::TooLong { at }));
        }
        Ok(Some(Line::Whole { at, bytes }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let mut lines = Lines {
            from: text.as_bytes(),
            at: 0,
            longest: 4,
        };
        let mut found = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            found.push(match line {
                Line::Whole { at, bytes } => format!("{at} {}", String::from_utf8(bytes).unwrap()),
                Line::TooLong { at } => format!("{at} too long"),
            });
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn every_line_is_counted() {
        check("a\n\nb\n", &["1 a", "2 ", "3 b"]);
        check("a\nb", &["1 a", "2 b"]);
        check("", &[]);
    }

    #[test]
    fn a_long_line_is_passed_over() {
        check(
            "abcd\nabcde\nabcdefgh\nx\n",
            &["1 abcd", "2 too long", "3 too long", "4 x"],
        );
        check("abcdefg", &["1 too long"]);
    }
}
