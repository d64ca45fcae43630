//! The shell's patterns, on texts that are known.

/// The longest text that is cut or searched by a pattern.
const LONGEST: usize = 1024;

/// Tells whether a text matches a pattern; `None` when the pattern has forms we do not read.
pub(crate) fn matches(pattern: &str, text: &str) -> Option<bool> {
    let plain = !pattern.contains(['\\', '[', '(']);
    (plain && text.len() <= LONGEST && pattern.len() <= LONGEST).then(|| {
        let pattern: Vec<char> = pattern.chars().collect();
        let text: Vec<char> = text.chars().collect();
        walk(&pattern, &text)
    })
}

/// Goes through both once, and back to the last star where it does not fit.
fn walk(pattern: &[char], text: &[char]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == '?' || text.get(t) == Some(c) => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    p = at + 1;
                    t = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(p).all(|c| *c == '*')
}

/// Returns the text without what the pattern matches at its beginning.
pub(crate) fn without_start(text: &str, pattern: &str, longest: bool) -> Option<String> {
    let mut cuts: Vec<usize> = ends(text)?;
    if longest {
        cuts.reverse();
    }
    for at in cuts {
        let (before, after) = text.split_at_checked(at)?;
        if matches(pattern, before)? {
            return Some(after.to_owned());
        }
    }
    Some(text.to_owned())
}

/// Returns the text without what the pattern matches at its end.
pub(crate) fn without_end(text: &str, pattern: &str, longest: bool) -> Option<String> {
    let mut cuts: Vec<usize> = ends(text)?;
    if !longest {
        cuts.reverse();
    }
    for at in cuts {
        let (before, after) = text.split_at_checked(at)?;
        if matches(pattern, after)? {
            return Some(before.to_owned());
        }
    }
    Some(text.to_owned())
}

/// Returns every place where a text can be cut.
fn ends(text: &str) -> Option<Vec<usize>> {
    if text.len() > LONGEST {
        return None;
    }
    let mut all: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    all.push(text.len());
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::{matches, without_end, without_start};

    #[test]
    fn patterns_match_as_in_the_shell() {
        assert_eq!(matches("*.tar", "a.tar"), Some(true));
        assert_eq!(matches("a?c*", "abcdef"), Some(true));
        assert_eq!(matches("a*b", "acc"), Some(false));
        assert_eq!(matches("[ab]", "a"), None);
    }

    #[test]
    fn ends_are_cut_off() {
        assert_eq!(
            without_end("a.tar.gz", ".*", false).as_deref(),
            Some("a.tar")
        );
        assert_eq!(without_end("a.tar.gz", ".*", true).as_deref(), Some("a"));
        assert_eq!(without_start("a/b/c", "*/", true).as_deref(), Some("c"));
        assert_eq!(without_start("a/b/c", "*/", false).as_deref(), Some("b/c"));
        assert_eq!(without_start("abc", "x", false).as_deref(), Some("abc"));
    }
}
