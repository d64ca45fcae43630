//! Perl on the command line: flags and operands that are code of their own.

use belay_knowledge::{Piece, Source};

use crate::machine::value::{Arg, Text};

/// Tells whether nothing but its one program is code: Perl opens an operand like `id |` as a program,
/// joins several programs to one, and makes code of some flags.
pub(crate) fn is_one_program(source: &Source<'_>, args: &[Arg]) -> bool {
    let code = match source {
        Source::Text(Piece::Word { index, from: 0 }) => Some(*index),
        Source::Text(_) | Source::Words(..) => return false,
        Source::Input => None,
    };
    let mut operands = false;
    let mut programs = 0;
    for (at, arg) in args.iter().enumerate().skip(1) {
        if Some(at) == code {
            programs += 1;
            continue;
        }
        let plain = match (&arg.val.text, operands) {
            (Text::Known(text), false) if text == "--" => {
                operands = true;
                true
            }
            (Text::Known(text), false) if text.len() > 1 && text.starts_with('-') => is_flag(text),
            (Text::Known(text) | Text::Glob(text), _) => is_operand(text),
            (Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_), _) => false,
        };
        let again = Some(at + 1) != code
            && arg
                .text()
                .is_some_and(|it| it.starts_with('-') && it.ends_with(['e', 'E']) && !operands);
        if !plain || again {
            return false;
        }
    }
    programs <= 1
}

/// Tells whether an operand is opened as a file and nothing else.
fn is_operand(text: &str) -> bool {
    let text = text.trim();
    !text.starts_with(['|', '<', '>', '+', '&']) && !text.ends_with('|')
}

/// Tells whether flags are ones that hold no code.
fn is_flag(text: &str) -> bool {
    let mut rest = text.chars().skip(1).peekable();
    while let Some(c) = rest.next() {
        match c {
            'a' | 'n' | 'p' | 'w' | 'W' | 'X' | 't' | 'T' | 'g' => {}
            '0' | 'l' => while rest.next_if(|c| c.is_ascii_digit()).is_some() {},
            'e' | 'E' => return rest.next().is_none(),
            'i' => {
                return rest
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '~' | '-'));
            }
            'C' => return rest.all(|c| c.is_ascii_digit() || "IOEioADLaS".contains(c)),
            'F' => return is_separator(&rest.collect::<String>()),
            'M' | 'm' => {
                return rest.all(|c| {
                    c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '=' | ',' | '.')
                });
            }
            _ => return false,
        }
    }
    true
}

/// Tells whether what lines are split at is a plain pattern, in slashes or not.
fn is_separator(text: &str) -> bool {
    let inner = ['/', '"', '\'']
        .into_iter()
        .find_map(|it| text.strip_prefix(it)?.strip_suffix(it));
    let plain = |c: char| c.is_ascii_alphanumeric() || ",:;|\\ \t=_+.*^[]-".contains(c);
    inner.unwrap_or(text).chars().all(plain)
}
