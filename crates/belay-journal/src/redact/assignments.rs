//! Values of names that sound like a secret: `TOKEN=...`, `"password": "..."`, `--api-key ...`,
//! `Authorization: Bearer ...`, `-u user:password`.

use std::ops::Range;

/// A word of a name that makes it a secret's.
const SECRET: [&str; 14] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "pass",
    "secret",
    "secrets",
    "token",
    "apikey",
    "authtoken",
    "credential",
    "credentials",
    "authorization",
];

/// Words that make a `key` a secret's.
const KEY_KINDS: [&str; 16] = [
    "api",
    "access",
    "private",
    "secret",
    "signing",
    "encryption",
    "auth",
    "account",
    "master",
    "service",
    "session",
    "client",
    "shared",
    "license",
    "deploy",
    "webhook",
];

/// A last word that tells that the value is not the secret itself.
const ABOUT: [&str; 16] = [
    "file", "path", "dir", "name", "id", "arn", "url", "uri", "count", "length", "ttl", "policy",
    "type", "env", "limit", "field",
];

/// Finds the values.
pub fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut start = None;
    for at in 0..=bytes.len() {
        let byte = bytes.get(at).copied().unwrap_or(b' ');
        match (is_name_byte(byte), start) {
            (true, None) => start = Some(at),
            (false, Some(begin)) => {
                let word = begin..at;
                found.extend(value_of(text, &word));
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Returns the secret that follows a word, if the word announces one.
fn value_of(text: &str, word: &Range<usize>) -> Option<Range<usize>> {
    let name = text.get(word.clone())?;
    if is_scheme(name) {
        return after_blank(text, word.end).filter(|it| it.len() >= 8);
    }
    if matches!(name, "-u" | "--user") {
        return user_password(text, word.end);
    }
    if !is_secret_name(name) {
        return None;
    }
    after_sign(text, word.end).or_else(|| {
        let is_flag = name.starts_with("--");
        if is_flag {
            after_blank(text, word.end)
        } else {
            None
        }
    })
}

fn is_scheme(name: &str) -> bool {
    name.eq_ignore_ascii_case("bearer") || name.eq_ignore_ascii_case("basic")
}

/// The password of `-u name:password`; numbers are a user and a group.
fn user_password(text: &str, at: usize) -> Option<Range<usize>> {
    let range = after_blank(text, at)?;
    let word = text.get(range.clone())?;
    let (user, password) = word.split_once(':')?;
    let numeric = password.bytes().all(|byte| byte.is_ascii_digit());
    let is_url = password.starts_with("//");
    (!numeric && !is_url && is_value(password)).then(|| range.start + user.len() + 1..range.end)
}

/// The value after `=` or `:`, quotes and escaped quotes on both sides passed over.
fn after_sign(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let closed = rest.trim_start_matches(['"', '\'', '\\', ']']);
    let spaced = closed.trim_start_matches(' ');
    let after = spaced
        .strip_prefix("=>")
        .or_else(|| spaced.strip_prefix(":="))
        .or_else(|| spaced.strip_prefix(['=', ':']))?;
    let is_colon = spaced.starts_with(':');
    let assigns = closed.len() == spaced.len() || rest.len() != closed.len() || is_colon;
    let value = if is_colon || closed.len() != spaced.len() {
        after.trim_start_matches(' ')
    } else {
        after
    };
    if !assigns || after.starts_with("//") {
        return None;
    }
    value_at(text, text.len() - value.len())
}

fn after_blank(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let value = rest
        .strip_prefix(['=', ' ', '\t'])?
        .trim_start_matches([' ', '\t']);
    value_at(text, text.len() - value.len())
}

/// The word at a place: to the closing quote when it is quoted, else to what ends a word.
fn value_at(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let open = rest.trim_start_matches('\\');
    let (start, value) = match open.chars().next()? {
        quote @ ('"' | '\'') => {
            let inside = open.get(1..)?;
            let end = inside.find([quote, '\n']).unwrap_or(inside.len());
            (
                text.len() - inside.len(),
                inside.get(..end)?.trim_end_matches('\\'),
            )
        }
        _ => (at, rest.split(ends).next()?),
    };
    let value = skip_scheme(value);
    let start = start + value.0;
    is_value(value.1).then(|| start..start + value.1.len())
}

/// `Bearer x` loses only `x`.
fn skip_scheme(value: &str) -> (usize, &str) {
    match value.split_once(' ') {
        Some((scheme, rest)) if is_scheme(scheme) => (scheme.len() + 1, rest),
        _ => (0, value),
    }
}

fn ends(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(
            letter,
            '"' | '\'' | '`' | '&' | ';' | ',' | ')' | '}' | '|' | '<' | '>' | '\\'
        )
}

/// Tells whether there is something to hide: not a reference to a variable, not redacted already.
fn is_value(value: &str) -> bool {
    let reference = value.starts_with(['$', '[', '{', '(', '<', '%']);
    let scheme_alone = is_scheme(value);
    !value.is_empty() && !reference && !scheme_alone && !value.contains(super::GONE)
}

/// Tells whether a name sounds like a secret's.
pub fn is_secret_name(name: &str) -> bool {
    hints_at_secret(name) && names_secret(name)
}

/// Tells, at little cost, whether it is worth to part a name into its words.
fn hints_at_secret(name: &str) -> bool {
    const HINTS: [&[u8]; 7] = [
        b"pass",
        b"pwd",
        b"secret",
        b"token",
        b"key",
        b"credential",
        b"auth",
    ];
    let bytes = name.as_bytes();
    let begins = |at: usize, hint: &[u8]| {
        let part = bytes.get(at..at + hint.len());
        part.is_some_and(|it| it.eq_ignore_ascii_case(hint))
    };
    bytes.iter().enumerate().any(|(at, byte)| {
        matches!(byte | 0x20, b'p' | b's' | b't' | b'k' | b'c' | b'a')
            && HINTS.iter().any(|hint| begins(at, hint))
    })
}

fn names_secret(name: &str) -> bool {
    let words = words(name);
    let Some(last) = words.last() else {
        return false;
    };
    // `PWD` alone is the working folder, `pass` alone is a word.
    let alone = words.len() == 1 && matches!(last.as_str(), "pwd" | "pass");
    if alone && !name.starts_with("--") || ABOUT.contains(&last.as_str()) {
        return false;
    }
    let key = words.windows(2).any(|pair| match pair {
        [kind, key] => key == "key" && KEY_KINDS.contains(&kind.as_str()),
        _ => false,
    });
    key || words
        .iter()
        .any(|it| SECRET.contains(&it.as_str()) || it.ends_with("password"))
}

/// Parts a name at `_`, `-` and where a capital follows a small letter.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for letter in name.chars() {
        let part = letter == '_' || letter == '-';
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
        assert!(SECRET.iter().all(|it| hints_at_secret(it)));
    }
}
