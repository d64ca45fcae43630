//! Arguments of calls.

use super::tokens::Token;
use crate::Doing;

/// Returns the arguments of a call that begins at a place, each as its tokens.
pub(super) fn arguments(tokens: &[Token], at: usize) -> Option<Vec<Vec<Token>>> {
    if tokens.get(at) != Some(&Token::Mark('(')) {
        return None;
    }
    let mut depth = 0;
    let mut all = vec![Vec::new()];
    for token in tokens.get(at..)? {
        match token {
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        match token {
            Token::Mark('(') if depth == 1 => {}
            _ if depth == 0 => return Some(all),
            Token::Mark(',') if depth == 1 => all.push(Vec::new()),
            token => all.last_mut()?.push(token.clone()),
        }
    }
    None
}

/// Returns an argument by its place or its keyword.
pub(super) fn argument<'a>(
    arguments: &'a [Vec<Token>],
    place: usize,
    keyword: &str,
) -> Option<&'a [Token]> {
    let named = arguments.iter().find_map(|it| match it.as_slice() {
        [Token::Name(name), Token::Mark('='), rest @ ..] if name == keyword => Some(rest),
        _ => None,
    });
    named.or_else(|| {
        arguments
            .get(place)
            .map(Vec::as_slice)
            .filter(|it| !matches!(it, [Token::Name(_), Token::Mark('='), ..]))
    })
}

/// Adds one doing for each text an argument may stand for.
pub(super) fn each(
    texts: Option<Vec<String>>,
    make: impl Fn(Option<String>) -> Doing,
    out: &mut Vec<Doing>,
) {
    match texts {
        Some(texts) => out.extend(texts.into_iter().map(|it| make(Some(it)))),
        None => out.push(make(None)),
    }
}
