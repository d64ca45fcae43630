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
        // What is no ASCII is several bytes long.
        let step = if let Step::Of(set) = &step
            && set.wide
            && !pattern.is_ascii()
        {
            Step::Some
        } else {
            step
        };
        reached = after(step, pattern, reached);
        rest = rest.get(length..).unwrap_or_default();
    }
    skip_stars(pattern, &mut reached);
    reached.last().copied().unwrap_or(true)
}

/// Tells whether a glob begins with brackets that leave a letter out.
pub fn begins_without(glob: &str, letter: u8) -> bool {
    class(glob).is_some_and(|(set, _)| !set.holds(letter))
}

/// Tells whether a component of a glob is `..`, or may be.
fn may_climb(component: &str) -> bool {
    let first = component.chars().next();
    match (first, class(component)) {
        (Some('['), Some((set, _))) => set.holds(b'.'),
        (Some('[' | '.'), _) => component == ".." || component.contains(['*', '?', '[']),
        (Some(_) | None, _) => false,
    }
}

/// A set of characters, as brackets have it: of ASCII those, of others all or none.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Set {
    ascii: u128,
    wide: bool,
}

impl Set {
    const NONE: Self = Self {
        ascii: 0,
        wide: false,
    };

    const fn holds(self, byte: u8) -> bool {
        byte < 128 && self.ascii >> byte & 1 == 1
    }

    fn with(mut self, is_in: impl Fn(u8) -> bool) -> Self {
        for byte in (0..128_u8).filter(|it| is_in(*it)) {
            self.ascii |= 1 << byte;
        }
        self
    }
}

/// Reads the brackets that a glob begins with: their set, and how many bytes they take.
fn class(glob: &str) -> Option<(Set, usize)> {
    let inner = glob.strip_prefix('[')?;
    let negated = inner.starts_with(['!', '^']);
    let mut rest = inner.get(usize::from(negated)..)?;
    let mut set = Set::NONE;
    let mut first = true;
    loop {
        let named = rest.strip_prefix("[:").and_then(|it| it.split_once(":]"));
        let mut chars = rest.chars();
        let c = chars.next()?;
        if c == ']' && !first {
            rest = chars.as_str();
            break;
        }
        first = false;
        if let Some((name, more)) = named {
            set.wide = true;
            set = match name {
                "word" => set.with(|it| it.is_ascii_alphanumeric() || it == b'_'),
                "alpha" => set.with(|it| it.is_ascii_alphabetic()),
                "digit" => set.with(|it| it.is_ascii_digit()),
                "alnum" => set.with(|it| it.is_ascii_alphanumeric()),
                _ => return None,
            };
            rest = more;
            continue;
        }
        // A range's end; a dash at the very end is itself.
        let last = match (chars.as_str().strip_prefix('-'), c.is_ascii()) {
            (Some(more), true) if !more.starts_with(']') => {
                let mut ends = more.chars();
                let last = ends.next()?;
                chars = ends;
                last
            }
            (Some(_) | None, _) => c,
        };
        if c == '[' || c == '\\' || !last.is_ascii() && c.is_ascii() && last != c {
            return None;
        }
        match (u8::try_from(c), u8::try_from(last)) {
            (Ok(from), Ok(to)) if from < 128 && to < 128 => {
                set = set.with(|it| (from..=to).contains(&it));
            }
            _ => set.wide = true,
        }
        rest = chars.as_str();
    }
    if negated {
        set = Set {
            ascii: !set.ascii,
            wide: true,
        };
    }
    set.ascii &= !(1 << b'/');
    Some((set, glob.len() - rest.len()))
}

/// What the beginning of a shell glob stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Byte(u8),
    /// One character, no slash.
    One,
    /// One of these characters.
    Of(Set),
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
        '[' => match (class(rest), rest.get(2..).and_then(|it| it.find(']'))) {
            (Some((set, length)), _) => (Step::Of(set), length),
            // Several characters may stand in one place of the pattern as bytes.
            (None, Some(close)) => (Step::Some, close + 3),
            (None, None) => (Step::Byte(b'['), 1),
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
            Step::Of(set) => set.holds(*byte),
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
            ("..", "[!-]*"),
            ("~*", "[!-]*"),
            ("+*", "[!-]**"),
            ("é*", "[[:word:]]*"),
            ("]a", "[]x]a"),
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
            ("~*", "[[:word:]]*"),
            ("..", "[[:word:]]*"),
            ("*/../*", "[[:word:]]*..HEAD"),
            ("-*", "[!-]*"),
            ("/*", "[!-]*"),
            ("a*", "[0-9]*"),
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
