//! Names that sound like a secret's.

use crate::lists::{ABOUT, HARMLESS, KEY_KINDS, SECRET, WEAK, holds};

/// What a name says of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sound {
    /// It is a secret.
    Secret,
    /// It is one if it looks random.
    Weak,
    /// Nothing.
    Plain,
}

/// Tells whether a name sounds like a secret's.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    sound(name) == Sound::Secret
}

/// Returns what a name says of its value.
pub(crate) fn sound(name: &str) -> Sound {
    if !hints(name) {
        return Sound::Plain;
    }
    let words = words(name);
    let Some(last) = words.last() else {
        return Sound::Plain;
    };
    if holds(ABOUT, last) || last == "stdin" {
        return Sound::Plain;
    }
    let key = words.windows(2).any(|pair| match pair {
        [kind, key] => (key == "key" || key == "keys") && holds(KEY_KINDS, kind),
        _ => false,
    });
    let secret = |it: &String| holds(SECRET, it) || it.ends_with("password");
    if key || words.iter().any(secret) {
        return Sound::Secret;
    }
    let before = words.len().checked_sub(2).and_then(|at| words.get(at));
    let harmless = before.is_some_and(|it| holds(HARMLESS, it));
    if holds(WEAK, last) && !harmless {
        return Sound::Weak;
    }
    Sound::Plain
}

/// A name that sounds like a secret's holds one of these. In the order of the alphabet.
pub(crate) const HINTS: [&str; 22] = [
    "auth",
    "bearer",
    "code",
    "cookie",
    "credential",
    "jwt",
    "key",
    "mnemonic",
    "nonce",
    "otp",
    "pass",
    "pat",
    "pin",
    "pwd",
    "salt",
    "secret",
    "seed",
    "session",
    "sid",
    "sig",
    "token",
    "webhook",
];

/// Tells, at little cost, whether it is worth to part a name into its words.
fn hints(name: &str) -> bool {
    let bytes = name.as_bytes();
    let begins = |at: usize, hint: &str| {
        let part = bytes.get(at..at + hint.len());
        part.is_some_and(|it| it.eq_ignore_ascii_case(hint.as_bytes()))
    };
    let hinted = |(at, byte): (usize, &u8)| hints_of(*byte).iter().any(|it| begins(at, it));
    bytes.iter().enumerate().any(hinted)
}

/// The hints that begin with a letter: most places of most names are done with by one look.
fn hints_of(letter: u8) -> &'static [&'static str] {
    let among = match letter.to_ascii_lowercase() {
        b'a' => 0..1,
        b'b' => 1..2,
        b'c' => 2..5,
        b'j' => 5..6,
        b'k' => 6..7,
        b'm' => 7..8,
        b'n' => 8..9,
        b'o' => 9..10,
        b'p' => 10..14,
        b's' => 14..20,
        b't' => 20..21,
        b'w' => 21..22,
        _ => 0..0,
    };
    HINTS.get(among).unwrap_or_default()
}

/// Parts a name at `_`, `-`, `.` and where a capital follows a small letter.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for letter in name.chars() {
        let part = matches!(letter, '_' | '-' | '.' | ':');
        if part || (small && letter.is_ascii_uppercase()) {
            words.push(String::new());
        }
        small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        if let Some(word) = words.last_mut().filter(|_| !part) {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words.retain(|it| !it.is_empty() && !it.bytes().all(|byte| byte.is_ascii_digit()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_secret_word_has_its_hint() {
        assert!(SECRET.iter().chain(WEAK).all(|it| hints(it)));
    }

    #[test]
    fn hints_are_found_by_their_first_letter() {
        for hint in HINTS {
            let first = hint.bytes().next().unwrap_or_default();
            assert!(hints_of(first).contains(&hint), "{hint}");
            assert!(
                hints_of(first)
                    .iter()
                    .all(|it| it.starts_with(first as char))
            );
        }
    }

    #[test]
    fn names() {
        for name in [
            "DB_PASSWORD",
            "apiKey",
            "API_KEY_PROD",
            "awsSecretAccessKey",
            "PGPASSWORD",
            "x-api-key",
            "_authToken",
            "client_secret",
            "SESSION_TOKEN",
            "passphrase",
            "signing-key",
            "GH_TOKEN",
        ] {
            assert_eq!(sound(name), Sound::Secret, "{name}");
        }
        for name in ["key", "sig", "X-Signature", "session", "auth"] {
            assert_eq!(sound(name), Sound::Weak, "{name}");
        }
        for name in [
            "max_tokens",
            "token_count",
            "TOKEN_FILE",
            "SECRET_NAME",
            "primary_key",
            "cache-key",
            "monkey",
            "password_hash",
            "tokenizer",
            "keyboard",
            "author",
            "passenger",
            "exit_code",
            "secretary",
        ] {
            assert_eq!(sound(name), Sound::Plain, "{name}");
        }
    }
}
