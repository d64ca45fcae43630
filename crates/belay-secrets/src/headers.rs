//! Headers whose whole value is a secret.

use std::ops::Range;

use crate::glimpse::Glimpse;
use crate::lists::HEADERS;
use crate::values::{after_scheme, clip_before, is_value};

/// Finds the values of such headers: to the quote that closes the header, or to the end of its line.
pub(crate) fn find(text: &str, glimpse: &Glimpse, found: &mut Vec<Range<usize>>) {
    let mut headers = HEADERS.iter().filter(|it| glimpse.may_hold(it)).peekable();
    if headers.peek().is_none() {
        return;
    }
    let lower = text.to_ascii_lowercase();
    for header in headers {
        let mut from = 0;
        while let Some(at) = lower
            .get(from..)
            .and_then(|it| it.find(header))
            .map(|it| it + from)
        {
            from = at + header.len();
            if let Some((value, end)) = value(text, at, from) {
                found.extend(value);
                from = end;
            }
        }
    }
}

/// Returns the secret of a header, where there is one, and the header's end.
fn value(text: &str, start: usize, end: usize) -> Option<(Option<Range<usize>>, usize)> {
    let before = clip_before(text, start, 4);
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '_';
    if before.ends_with(is_part) {
        return None;
    }
    let quote = before
        .chars()
        .next_back()
        .filter(|it| matches!(it, '"' | '\''));
    let rest = text.get(end..)?;
    let after = rest.strip_prefix(':')?.trim_start_matches(' ');
    let stop = match quote {
        Some(quote) => after.find([quote, '\n']),
        None => after.find(['\n', '"', '\'']),
    };
    let whole = after
        .get(..stop.unwrap_or(after.len()))?
        .trim_end_matches(['\\', '\r', ' ']);
    let at = text.len() - after.len();
    let (skipped, secret) = after_scheme(whole);
    let stop = at + whole.len();
    Some((is_value(secret).then_some(at + skipped..stop), stop))
}
