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

/// Tells, at little cost, whether it is worth to part a name into its words.
fn hints(name: &str) -> bool {
    let bytes = name.as_bytes();
    let begins = |at: usize, hint: &&[u8]| {
        let part = bytes.get(at..at + hint.len());
        part.is_some_and(|it| it.eq_ignore_ascii_case(hint))
    };
    let hinted = |(at, byte): (usize, &u8)| hints_of(*byte).iter().any(|it| begins(at, it));
    bytes.iter().enumerate().any(hinted)
}

/// The hints that begin with a letter: most places of most names are done with by one look.
const fn hints_of(letter: u8) -> &'static [&'static [u8]] {
    match letter.to_ascii_lowercase() {
        b'a' => &[b"auth"],
        b'b' => &[b"bearer"],
        b'c' => &[b"credential", b"cookie", b"code"],
        b'j' => &[b"jwt"],
        b'k' => &[b"key"],
        b'm' => &[b"mnemonic"],
        b'n' => &[b"nonce"],
        b'o' => &[b"otp"],
        b'p' => &[b"pass", b"pwd", b"pat", b"pin"],
        b's' => &[b"secret", b"session", b"sid", b"sig", b"salt", b"seed"],
        b't' => &[b"token"],
        b'w' => &[b"webhook"],
        _ => &[],
    }
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
