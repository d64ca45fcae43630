//! Patterns with `*`, as knowledge files write them.

/// Tells whether a text matches a pattern in which `*` stands for any text.
pub fn matches(pattern: impl AsRef<[u8]>, text: impl AsRef<[u8]>) -> bool {
    let (mut pattern, mut text) = (pattern.as_ref(), text.as_ref());
    // Where to go on when what follows the last star does not fit: one byte later.
    let mut again: Option<(&[u8], &[u8])> = None;
    loop {
        match (pattern.split_first(), text.split_first()) {
            (Some((b'*', rest)), _) => {
                if rest.is_empty() {
                    return true;
                }
                again = Some((rest, text));
                pattern = rest;
            }
            (Some((want, rest)), Some((have, more))) if want == have => {
                (pattern, text) = (rest, more);
            }
            (None, None) => return true,
            (Some(_) | None, _) => {
                let Some((after, left)) = again else {
                    return false;
                };
                let Some((_, left)) = left.split_first() else {
                    return false;
                };
                again = Some((after, left));
                (pattern, text) = (after, left);
            }
        }
    }
}

/// Tells whether some text that begins so could match.
pub fn could_match(pattern: impl AsRef<[u8]>, beginning: impl AsRef<[u8]>) -> bool {
    let (pattern, beginning) = (pattern.as_ref(), beginning.as_ref());
    let star = pattern.iter().position(|it| *it == b'*');
    let fixed = pattern
        .get(..star.unwrap_or(pattern.len()))
        .unwrap_or(pattern);
    fixed.starts_with(beginning) || (star.is_some() && beginning.starts_with(fixed))
}

#[cfg(test)]
mod tests {
    use super::{could_match, matches};

    #[test]
    fn stars_stand_for_any_text() {
        assert!(matches("a*", "abc"));
        assert!(matches("*", ""));
        assert!(matches("*://*", "https://x"));
        assert!(matches("+*", "+main"));
        assert!(matches("*_KEY", "API_KEY"));
        assert!(matches("*a*b", "aabab"));
        assert!(matches("*.tar.gz", "a.tar.tar.gz"));
        assert!(!matches("a*b", "ac"));
        assert!(!matches("ab*b", "ab"));
        assert!(!matches("a", "ab"));
    }

    #[test]
    fn beginnings_could_match() {
        assert!(could_match("+*", ""));
        assert!(!could_match("+*", "feature"));
        assert!(could_match("a*", "abc"));
        assert!(!could_match("abc", "abd"));
    }
}
