//! Patterns with `*`, as knowledge files write them.

pub use belay_model::glob::matches_stars as matches;

/// Tells whether some text that begins so could match.
pub fn could_match(pattern: impl AsRef<[u8]>, beginning: impl AsRef<[u8]>) -> bool {
    let (pattern, beginning) = (pattern.as_ref(), beginning.as_ref());
    let star = pattern.iter().position(|it| *it == b'*');
    let fixed = pattern
        .get(..star.unwrap_or(pattern.len()))
        .unwrap_or(pattern);
    fixed.starts_with(beginning) || (star.is_some() && beginning.starts_with(fixed))
}

/// The longest shell glob that is compared with patterns.
const LONGEST: usize = 4096;

/// Tells whether a text that a shell glob stands for could match a pattern. Wildcards of the shell
/// match no slash (`**` does) and never a whole `..`.
#[must_use]
pub fn could_meet(pattern: impl AsRef<[u8]>, glob: &str) -> bool {
    let pattern = pattern.as_ref();
    if glob.len() > LONGEST {
        return true;
    }
    let climbs = pattern.split(|it| *it == b'/').any(|it| it == b"..");
    if climbs && !glob.split('/').any(may_climb) {
        return false;
    }
    let mut reached = vec![false; pattern.len() + 1];
    if let Some(start) = reached.first_mut() {
        *start = true;
    }
    let mut rest = glob;
    while let Some(c) = rest.chars().next() {
        let (step, length) = step(rest, c);
        reached = after(step, pattern, reached);
        rest = rest.get(length..).unwrap_or_default();
    }
    skip_stars(pattern, &mut reached);
    reached.last().copied().unwrap_or(true)
}

/// Tells whether a component of a glob is `..`, or may be.
fn may_climb(component: &str) -> bool {
    component == ".." || component.contains(['*', '?', '[']) && component.starts_with(['.', '['])
}

/// What the beginning of a shell glob stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Byte(u8),
    /// One character, no slash.
    One,
    /// Any number of characters, no slash.
    Some,
    /// Anything.
    Any,
}

/// Returns the first step of a glob, and how many bytes of it that is.
fn step(rest: &str, c: char) -> (Step, usize) {
    match c {
        '*' if rest.starts_with("**") => (Step::Any, 2),
        '*' => (Step::Some, 1),
        '?' => (Step::One, 1),
        '[' => match rest.get(2..).and_then(|it| it.find(']')) {
            // Several characters may stand in one place of the pattern as bytes.
            Some(close) => (Step::Some, close + 3),
            None => (Step::Byte(b'['), 1),
        },
        c if c.is_ascii() => (Step::Byte(u8::try_from(c).unwrap_or(b'?')), 1),
        c => (Step::Some, c.len_utf8()),
    }
}

/// A star of the pattern may stand for nothing.
fn skip_stars(pattern: &[u8], reached: &mut [bool]) {
    for (at, byte) in pattern.iter().enumerate() {
        if *byte == b'*'
            && reached.get(at) == Some(&true)
            && let Some(next) = reached.get_mut(at + 1)
        {
            *next = true;
        }
    }
}

/// Returns where in the pattern one may be after a step.
fn after(step: Step, pattern: &[u8], mut from: Vec<bool>) -> Vec<bool> {
    skip_stars(pattern, &mut from);
    let many = matches!(step, Step::Some | Step::Any);
    let mut to = if many {
        from.clone()
    } else {
        vec![false; from.len()]
    };
    for (at, byte) in pattern.iter().enumerate() {
        let here = if many { to.get(at) } else { from.get(at) };
        if here != Some(&true) {
            continue;
        }
        let takes = match step {
            Step::Byte(it) => *byte == it,
            Step::One | Step::Some => *byte != b'/',
            Step::Any => true,
        };
        let stays = *byte == b'*';
        if stays && let Some(same) = to.get_mut(at) {
            *same = true;
        }
        if (takes && !stays || stays && many)
            && let Some(next) = to.get_mut(at + 1)
        {
            *next = true;
        }
    }
    to
}

#[cfg(test)]
mod tests {
    use super::{could_match, could_meet};

    #[test]
    fn shell_globs_meet_patterns() {
        for (pattern, glob) in [
            ("/*", "/a/*.ts"),
            ("../*", "../*.ts"),
            ("*/../*", "src/../*.ts"),
            ("*/../*", "src/.*/x"),
            ("*", "a*"),
            ("*.tgz", "*"),
            ("*.tgz", "pkg-?.tgz"),
            ("*:*", "[ab]:c"),
            ("a*c", "abc*"),
            ("*a*b*", "./**/b"),
            ("rm", "r?"),
            ("rm", "[a-z]m"),
        ] {
            assert!(could_meet(pattern, glob), "{pattern} {glob}");
        }
        for (pattern, glob) in [
            ("*/../*", "src/*.ts"),
            ("..", "*"),
            ("../*", "**/*.ts"),
            ("/*", "src/*.ts"),
            ("~*", "./**/a"),
            ("*.tgz", "src/*.ts"),
            ("*/*", "*"),
            ("rm", "?"),
            ("*:*", "src/a"),
            ("*://*", "x*"),
        ] {
            assert!(!could_meet(pattern, glob), "{pattern} {glob}");
        }
    }

    #[test]
    fn beginnings_could_match() {
        assert!(could_match("+*", ""));
        assert!(!could_match("+*", "feature"));
        assert!(could_match("a*", "abc"));
        assert!(!could_match("abc", "abd"));
    }
}
