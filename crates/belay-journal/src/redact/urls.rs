//! Passwords before the host of a URL.

use std::ops::Range;

/// A user name alone is as long as this at most; what is longer is a token.
const LONGEST_NAME: usize = 24;

/// Finds the password of `scheme://user:password@host`, and a token that stands for the user.
pub fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let mut from = 0;
    while let Some(at) = text
        .get(from..)
        .and_then(|it| it.find("://"))
        .map(|it| from + it + 3)
    {
        let authority = text
            .get(at..)
            .unwrap_or_default()
            .split(ends)
            .next()
            .unwrap_or_default();
        if let Some((user, _)) = authority.rsplit_once('@') {
            found.extend(secret_part(user).map(|it| at + it.start..at + it.end));
        }
        from = at;
    }
}

fn ends(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '/' | '?' | '#' | '"' | '\'' | '<' | '>' | '`')
}

fn secret_part(user: &str) -> Option<Range<usize>> {
    let range = match user.find(':') {
        Some(colon) => colon + 1..user.len(),
        None => 0..user.len(),
    };
    let secret = user.get(range.clone())?;
    let is_name = range.start == 0 && secret.len() <= LONGEST_NAME;
    let is_reference = secret.starts_with('$') || secret.starts_with('[') || secret.is_empty();
    (!is_name && !is_reference).then_some(range)
}
