//! Answers on stdout, talk on stderr, colour only on a terminal.

use std::fmt;
use std::io::{self, IsTerminal, Write};

use belay_model::Verdict;

use crate::pager::Pager;

/// Why an answer could not be given; the text ends with the way out where there is one.
#[derive(Debug)]
pub enum Failure {
    /// Whoever listened has gone: silence, not an error.
    Deaf,
    /// Something to tell the user.
    Said(String),
    /// The arguments make no sense.
    Usage(String),
}

impl From<io::Error> for Failure {
    fn from(why: io::Error) -> Self {
        if let io::ErrorKind::BrokenPipe = why.kind() {
            Self::Deaf
        } else {
            Self::Said(why.to_string())
        }
    }
}

impl Failure {
    /// Returns what there is to say, on one line.
    pub fn text(self) -> String {
        match self {
            Self::Deaf => "nobody listens".to_owned(),
            Self::Said(text) | Self::Usage(text) => text.replace('\n', "; "),
        }
    }

    /// Makes a failure of anything that can be shown.
    pub fn said(why: impl fmt::Display) -> Self {
        Self::Said(why.to_string())
    }
}

/// Stdout, with or without colour.
pub struct Out {
    to: Box<dyn Write>,
    pager: Option<Pager>,
    paint: Paint,
}

impl Out {
    /// Takes stdout.
    pub fn new() -> Self {
        let to = io::stdout().lock();
        let colour =
            to.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty());
        Self {
            to: Box::new(to),
            pager: None,
            paint: Paint { colour },
        }
    }

    /// Takes stdout for an answer that may be long: on a terminal it goes through the pager.
    pub fn paged() -> Self {
        let plain = Self::new();
        match Pager::start() {
            Some((input, pager)) => Self {
                to: Box::new(io::BufWriter::new(input)),
                pager: Some(pager),
                ..plain
            },
            None => plain,
        }
    }

    /// Hands everything over, and waits until it was read.
    pub fn close(mut self) -> Result<(), Failure> {
        let flushed = self.flush();
        drop(self.to);
        if let Some(pager) = self.pager {
            pager.wait();
        }
        flushed
    }

    /// Returns the paint of this output.
    pub const fn paint(&self) -> Paint {
        self.paint
    }

    /// Writes a line.
    pub fn line(&mut self, text: impl fmt::Display) -> Result<(), Failure> {
        writeln!(self.to, "{text}")?;
        Ok(())
    }

    /// Writes bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.to.write_all(bytes)?;
        Ok(())
    }

    /// Returns stdout itself, for those who speak a protocol on it.
    pub fn writer(&mut self) -> &mut impl Write {
        &mut self.to
    }

    /// Hands everything over now.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.to.flush()?;
        Ok(())
    }
}

/// Says something to the person at the terminal; nobody listening is no failure.
pub fn talk(text: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Colours, or none. A colour is never the only sign.
#[derive(Clone, Copy)]
pub struct Paint {
    colour: bool,
}

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        if self.colour {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// Returns the verdict's word in its colour.
    pub fn verdict(self, verdict: Verdict) -> String {
        self.as_verdict(verdict, verdict.word())
    }

    /// Returns a text in the colour of a verdict.
    pub fn as_verdict(self, verdict: Verdict, text: &str) -> String {
        let code = match verdict {
            Verdict::Allow => "32",
            Verdict::Ask => "33",
            Verdict::Deny => "31",
        };
        self.with(code, text)
    }

    /// Returns what matters less.
    pub fn dim(self, text: &str) -> String {
        self.with("2", text)
    }
}

/// Returns a text on one line, control characters shown as what they are, cut to a width.
pub fn one_line(text: &str, width: usize) -> String {
    let mut line = String::new();
    for (at, letter) in text.chars().enumerate() {
        if at + 1 >= width {
            line.push('…');
            break;
        }
        match letter {
            '\n' => line.push('⏎'),
            letter if letter.is_control() => line.push('�'),
            letter => line.push(letter),
        }
    }
    line
}

/// Returns a text with its lines kept and every other control character shown, so that what an
/// agent wrote cannot steer the terminal.
pub fn harmless(text: &str) -> String {
    text.chars()
        .map(|letter| {
            if letter.is_control() && letter != '\n' && letter != '\t' {
                '�'
            } else {
                letter
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line() {
        assert_eq!(one_line("a\nb\x1b[31m", 80), "a⏎b�[31m");
        assert_eq!(one_line("abcdef", 4), "abc…");
    }

    #[test]
    fn escapes_do_not_reach_the_terminal() {
        assert_eq!(harmless("a\n\x1b]0;x\x07"), "a\n�]0;x�");
    }
}
