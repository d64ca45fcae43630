//! Patterns with `*`, as knowledge files write them.

/// Tells whether a text matches a pattern in which `*` stands for any text.
pub fn matches(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut left) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or("");
    for part in parts {
        match left.split_once(part) {
            Some((_, after)) => left = after,
            None => return false,
        }
    }
    left.ends_with(last)
}

/// Tells whether some text that begins so could match.
pub fn could_match(pattern: &str, beginning: &str) -> bool {
    let fixed = pattern.split('*').next().unwrap_or("");
    if fixed.len() == pattern.len() {
        return fixed.starts_with(beginning);
    }
    fixed.starts_with(beginning) || beginning.starts_with(fixed)
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
