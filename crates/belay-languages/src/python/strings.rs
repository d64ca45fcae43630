//! Python's strings: prefixes, escapes, and the code in the braces of those that compute.

use super::tokens::{Piece, Reader, Token};

/// How deep strings may stand in the braces of strings.
const DEEPEST: usize = 4;

/// Reads a string, its prefix already taken.
pub(super) fn string(reader: &mut Reader, prefix: &str) -> Option<()> {
    let quote = reader.peek(0)?;
    let long = reader.peek(1) == Some(quote) && reader.peek(2) == Some(quote);
    reader.at += if long { 3 } else { 1 };
    let kind = Kind {
        quote,
        long,
        raw: prefix.contains('r'),
        bytes: prefix.contains('b'),
        computes: prefix.contains(['f', 't']),
    };
    let mut pieces = Vec::new();
    let mut text = String::new();
    loop {
        let c = reader.peek(0)?;
        if c == quote && (!long || closes(reader, quote)) {
            reader.at += if long { 3 } else { 1 };
            break;
        }
        match c {
            '\\' => escape(
                reader,
                kind,
                &mut Into {
                    text: &mut text,
                    pieces: &mut pieces,
                },
            )?,
            '\n' | '\r' if !long => return None,
            '\r' => {
                text.push('\n');
                reader.at += if reader.peek(1) == Some('\n') { 2 } else { 1 };
            }
            '{' | '}' if kind.computes && reader.peek(1) == Some(c) => {
                text.push(c);
                reader.at += 2;
            }
            '{' if kind.computes => {
                push(&mut pieces, &mut text);
                pieces.push(braces(reader, kind)?);
            }
            '}' if kind.computes => return None,
            c => {
                text.push(c);
                reader.at += 1;
            }
        }
    }
    push(&mut pieces, &mut text);
    join(reader, kind.bytes, pieces)
}

#[derive(Clone, Copy)]
struct Kind {
    quote: char,
    long: bool,
    raw: bool,
    bytes: bool,
    computes: bool,
}

struct Into<'a> {
    text: &'a mut String,
    pieces: &'a mut Vec<Piece>,
}

fn closes(reader: &Reader, quote: char) -> bool {
    reader.peek(1) == Some(quote) && reader.peek(2) == Some(quote)
}

fn push(pieces: &mut Vec<Piece>, text: &mut String) {
    if !text.is_empty() {
        pieces.push(Piece::Known(std::mem::take(text)));
    }
}

/// Adds a string; strings side by side are one.
fn join(reader: &mut Reader, bytes: bool, pieces: Vec<Piece>) -> Option<()> {
    match (reader.out.last_mut(), bytes) {
        (Some(Token::Text(before)), false) | (Some(Token::Bytes(before)), true) => {
            before.extend(pieces);
        }
        (Some(Token::Text(_) | Token::Bytes(_)), _) => return None,
        (_, false) => reader.out.push(Token::Text(pieces)),
        (_, true) => reader.out.push(Token::Bytes(pieces)),
    }
    Some(())
}

/// Reads a backslash and what it stands for.
fn escape(reader: &mut Reader, kind: Kind, into: &mut Into<'_>) -> Option<()> {
    let next = reader.peek(1)?;
    if kind.raw {
        into.text.push('\\');
        // A brace after it is still one that computes.
        if kind.computes && matches!(next, '{' | '}') {
            reader.at += 1;
            return Some(());
        }
        into.text.push(next);
        reader.at += 2;
        return Some(());
    }
    reader.at += 2;
    let plain = match next {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'v' => '\u{b}',
        '\\' | '\'' | '"' => next,
        '\n' => return Some(()),
        '\r' => {
            reader.at += usize::from(reader.peek(0) == Some('\n'));
            return Some(());
        }
        'x' => digits(reader, 2, 16)?,
        'u' if !kind.bytes => digits(reader, 4, 16)?,
        'U' if !kind.bytes => digits(reader, 8, 16)?,
        '0'..='7' => {
            reader.at -= 1;
            octal(reader)?
        }
        'N' if !kind.bytes => {
            named(reader)?;
            push(into.pieces, into.text);
            into.pieces.push(Piece::Unknown);
            return Some(());
        }
        other => {
            into.text.push('\\');
            // A brace after it is still one that computes.
            if kind.computes && matches!(other, '{' | '}') {
                reader.at -= 1;
                return Some(());
            }
            other
        }
    };
    into.text.push(plain);
    Some(())
}

fn digits(reader: &mut Reader, count: usize, radix: u32) -> Option<char> {
    let mut value = 0;
    for _ in 0..count {
        value = value * radix + reader.peek(0)?.to_digit(radix)?;
        reader.at += 1;
    }
    // A half of a pair is no character of ours.
    char::from_u32(value)
}

fn octal(reader: &mut Reader) -> Option<char> {
    let mut value = 0;
    for _ in 0..3 {
        let Some(digit) = reader.peek(0).and_then(|it| it.to_digit(8)) else {
            break;
        };
        value = value * 8 + digit;
        reader.at += 1;
    }
    char::from_u32(value)
}

/// `\N{NAME}`
fn named(reader: &mut Reader) -> Option<()> {
    if reader.peek(0)? != '{' {
        return None;
    }
    while reader.peek(0)? != '}' {
        reader.at += 1;
    }
    reader.at += 1;
    Some(())
}

/// Reads the code in braces, and the format after it.
fn braces(reader: &mut Reader, kind: Kind) -> Option<Piece> {
    reader.at += 1;
    if reader.nested >= DEEPEST {
        return None;
    }
    let mut inner = Reader::new(std::mem::take(&mut reader.chars));
    inner.at = reader.at;
    inner.nested = reader.nested + 1;
    let ends = inside(&mut inner, kind);
    let (tokens, at) = (std::mem::take(&mut inner.out), inner.at);
    reader.chars = inner.chars;
    reader.at = at;
    let ends = ends?;
    let mut pieces = Vec::new();
    if ends.converts {
        pieces.push(Piece::Unknown);
    }
    if ends.formats {
        reader.nested += 1;
        pieces.extend(format(reader, kind)?);
        reader.nested -= 1;
    }
    Some(Piece::Code(tokens, pieces))
}

/// How code in braces ends.
struct Ends {
    /// What it computes is shown in another way (`!r`, `=`).
    converts: bool,
    /// A format follows.
    formats: bool,
}

/// Reads tokens until the brace closes or a format begins.
fn inside(inner: &mut Reader, kind: Kind) -> Option<Ends> {
    let mut converts = false;
    loop {
        let c = inner.peek(0)?;
        let outside = !inner.in_brackets();
        match c {
            '}' | ':' if outside => {
                inner.at += 1;
                return Some(Ends {
                    converts,
                    formats: c == ':',
                });
            }
            '!' if outside && inner.peek(1) != Some('=') => {
                converts |= inner.peek(1) != Some('s');
                inner.at += 2;
            }
            '=' if outside && shows_itself(inner) => {
                converts = true;
                inner.at += 1;
            }
            '\n' | '\r' if !kind.long && outside => return None,
            '\n' | '\r' => inner.at += 1,
            '#' | '\\' => return None,
            _ => inner.one()?,
        }
    }
}

/// `{x=}`: the sign is followed by the end, a conversion or a format.
fn shows_itself(inner: &Reader) -> bool {
    let mut ahead = 1;
    while inner.peek(ahead) == Some(' ') {
        ahead += 1;
    }
    let compares = matches!(inner.out.last(), Some(Token::Mark("=" | "<" | ">" | "!")));
    !compares && matches!(inner.peek(ahead), Some('}' | '!' | ':'))
}

/// Reads a format after a colon, which may hold braces of its own.
fn format(reader: &mut Reader, kind: Kind) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    loop {
        match reader.peek(0)? {
            '}' => {
                push(&mut pieces, &mut text);
                reader.at += 1;
                return Some(pieces);
            }
            '{' => {
                push(&mut pieces, &mut text);
                pieces.push(braces(reader, kind)?);
            }
            '\n' | '\r' | '\\' => return None,
            c if c == kind.quote && !kind.long => return None,
            c => {
                text.push(c);
                reader.at += 1;
            }
        }
    }
}
