//! Passwords before the host of a URL, and addresses that are secrets themselves.

use std::ops::Range;

use crate::glimpse::Glimpse;
use crate::lists::WEBHOOKS;
use crate::values::{clip, clip_before, is_value};

/// A user name alone is as long as this at most; what is longer is a token.
const LONGEST_NAME: usize = 24;

/// Finds the password of `scheme://user:password@host`, and a token that stands for the user.
pub(crate) fn find(text: &str, glimpse: &Glimpse, found: &mut Vec<Range<usize>>) {
    if !glimpse.may_hold("://") {
        return;
    }
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
        let authority = whole(text, at, authority);
        if let Some((user, _)) = authority.rsplit_once('@') {
            found.extend(secret_part(user).map(|it| at + it.start..at + it.end));
        }
        from = at;
    }
}

/// A slash in a password ends the authority too early: what follows a user's colon is no port then.
fn whole<'t>(text: &'t str, at: usize, authority: &'t str) -> &'t str {
    let port = authority.rsplit_once(':').map(|(_, it)| it);
    let is_port = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    if authority.contains('@') || port.is_none_or(is_port) || authority.starts_with('[') {
        return authority;
    }
    let word = clip(text, at, 512)
        .split(|it: char| it.is_whitespace() || matches!(it, '"' | '\'' | '<' | '>' | '`'));
    let word = word.into_iter().next().unwrap_or_default();
    word.rfind('@')
        .and_then(|it| word.get(..=it))
        .unwrap_or(authority)
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

/// Finds what follows the beginning of an address that lets whoever knows it in.
pub(crate) fn find_webhooks(text: &str, glimpse: &Glimpse, found: &mut Vec<Range<usize>>) {
    for begin in WEBHOOKS.iter().filter(|it| glimpse.may_hold(it)) {
        let mut from = 0;
        while let Some(at) = text
            .get(from..)
            .and_then(|it| it.find(begin))
            .map(|it| it + from + begin.len())
        {
            let ends = |it: char| {
                it.is_whitespace() || matches!(it, '"' | '\'' | '`' | '<' | '>' | ')' | '\\' | ',')
            };
            let path = text
                .get(at..)
                .unwrap_or_default()
                .split(ends)
                .next()
                .unwrap_or_default();
            if is_value(path) {
                found.push(at..at + path.len());
            }
            from = at;
        }
    }
}

/// Finds the password of `user:password@tcp(host:port)/name`, as drivers of databases write it.
pub(crate) fn find_drivers(text: &str, found: &mut Vec<Range<usize>>) {
    if !text.contains('@') {
        return;
    }
    for mark in ["@tcp(", "@unix(", "@(", "@//"] {
        let mut from = 0;
        while let Some(at) = text
            .get(from..)
            .and_then(|it| it.find(mark))
            .map(|it| it + from)
        {
            let before = clip_before(text, at, 512);
            let word = before
                .rsplit(|it: char| it.is_whitespace() || matches!(it, '"' | '\''))
                .next();
            if let Some((_, secret)) = word.and_then(|it| it.split_once([':', '/']))
                && is_value(secret)
            {
                found.push(at - secret.len()..at);
            }
            from = at + mark.len();
        }
    }
}
