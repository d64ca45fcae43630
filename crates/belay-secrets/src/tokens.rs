//! Secrets that can be told by their own form.

use std::ops::Range;

use crate::lists::{FORMS, Form};
use crate::values::distinct;

/// What tokens of bots begin with: a number, or one in base64.
const BOTS: [char; 13] = [
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'M', 'N', 'O',
];

/// No token is shorter, its beginning included.
pub(crate) const SHORTEST: usize = 15;

/// So much of a word decides; what is longer goes to its real end.
const LONGEST: usize = 512;

/// A token and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where it stands.
    pub place: Range<usize>,
    /// Tells whether it is as long as its issuer makes them and no stand-in for one.
    pub real: bool,
}

/// Finds tokens by their form, where a word begins.
pub fn tokens(text: &str) -> impl Iterator<Item = Token> {
    let mut in_word = false;
    let mut gone = 0;
    text.bytes().enumerate().filter_map(move |(at, byte)| {
        let part = is_part(byte) && byte != b'.';
        let begins = part && !in_word && at >= gone;
        in_word = part;
        let token = if begins { token_at(text, at) } else { None };
        gone = token.as_ref().map_or(gone, |it| it.place.end);
        token
    })
}

fn token_at(text: &str, at: usize) -> Option<Token> {
    let rest = text.get(at..)?;
    let length = rest
        .bytes()
        .take(LONGEST)
        .take_while(|byte| is_part(*byte))
        .count();
    // Most words are too short for all but a bot's number.
    let digit = rest.bytes().next().is_some_and(|it| it.is_ascii_digit());
    if length < SHORTEST && !digit {
        return None;
    }
    let first = rest.bytes().next();
    let known = |it: &Form| it.begin.bytes().next() == first && rest.starts_with(it.begin);
    if !rest.starts_with(BOTS) && !FORMS.iter().any(known) {
        return None;
    }
    if let Some(length) = bot(rest) {
        return Some(Token {
            place: at..at + length,
            real: true,
        });
    }
    if length < SHORTEST {
        return None;
    }
    let word = rest.get(..length)?.trim_end_matches('.');
    let of = |it: &&Form| {
        let body = word.strip_prefix(it.begin).unwrap_or_default();
        body.len() >= it.least && is_body(body)
    };
    let Some(form) = FORMS.iter().find(of) else {
        let place = at..at + word.len();
        return is_discord(word).then_some(Token { place, real: true });
    };
    let body = word.get(form.begin.len()..)?;
    let real = body.len() >= form.real && is_real(body);
    let end = if length == LONGEST {
        at + rest.bytes().take_while(|byte| is_part(*byte)).count()
    } else {
        at + word.len()
    };
    Some(Token {
        place: at..end,
        real,
    })
}

const fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Words parted by dashes are a name; a token has digits in it, or capitals among small letters.
fn is_body(body: &str) -> bool {
    let digit = body.bytes().any(|it| it.is_ascii_digit());
    let capital = body.bytes().any(|it| it.is_ascii_uppercase());
    let small = body.bytes().any(|it| it.is_ascii_lowercase());
    let parted = body.contains(['-', '_', '.']);
    let long = capital && !parted && body.len() >= 40;
    digit && (capital || small || !parted) || capital && small && !parted || long
}

/// A token of a bot: its number, a colon and a text of 35.
fn bot(rest: &str) -> Option<usize> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if !(8..=10).contains(&digits) {
        return None;
    }
    let body = rest.get(digits..)?.strip_prefix(':')?;
    let length = body
        .bytes()
        .take_while(|it| is_part(*it) && *it != b'.')
        .count();
    (length >= 34 && body.starts_with("AA")).then_some(digits + 1 + length)
}

/// Three parts: the bot's number in base64, a time, a signature.
fn is_discord(word: &str) -> bool {
    if !(56..=120).contains(&word.len()) {
        return false;
    }
    let parts: Vec<&str> = word.split('.').collect();
    match parts.as_slice() {
        [id, time, signature] => {
            let lengths = (23..=28).contains(&id.len()) && time.len() == 6 && signature.len() >= 27;
            lengths && id.starts_with(['M', 'N', 'O']) && is_body(id) && is_body(signature)
        }
        _ => false,
    }
}

/// Tells whether a text is not one that stands for a token: few different letters, or a word that
/// says so.
#[must_use]
pub fn is_real(body: &str) -> bool {
    let lower = body.to_ascii_lowercase();
    let stands = [
        "example",
        "xxxx",
        "your",
        "placeholder",
        "dummy",
        "redacted",
        "....",
        "0000000",
        "1234567890",
    ];
    distinct(body) >= 8 && !stands.iter().any(|it| lower.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_form_is_shorter_than_the_shortest() {
        for form in FORMS {
            assert!(form.begin.len() + form.least >= SHORTEST, "{}", form.begin);
            assert!(form.real >= form.least, "{}", form.begin);
        }
        assert!(crate::lists::WEBHOOKS.iter().all(|it| it.len() >= SHORTEST));
    }
}
