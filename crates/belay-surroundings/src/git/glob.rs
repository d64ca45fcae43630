//! Globs over paths, as git reads them: `*` stays inside a part, `**` between slashes does not.

/// How many steps one match may take.
const STEPS: u32 = 100_000;

/// Tells whether the glob covers the whole text; nothing when that would take too long.
pub fn covers(glob: &[u8], text: &[u8]) -> Option<bool> {
    let mut steps = STEPS;
    walk(
        State {
            glob,
            text,
            at_start: true,
        },
        &mut steps,
    )
}

#[derive(Clone, Copy)]
struct State<'a> {
    glob: &'a [u8],
    text: &'a [u8],
    /// The glob stands at its beginning or behind a slash.
    at_start: bool,
}

fn walk(mut it: State<'_>, steps: &mut u32) -> Option<bool> {
    loop {
        *steps = steps.checked_sub(1)?;
        let Some((&first, rest)) = it.glob.split_first() else {
            return Some(it.text.is_empty());
        };
        if first == b'*' {
            return stars(it, steps);
        }
        let Some((&letter, text)) = it.text.split_first() else {
            return Some(false);
        };
        let (fits, glob) = match first {
            b'?' => (letter != b'/', rest),
            b'[' => match class(rest, letter) {
                Some((fits, glob)) => (fits && letter != b'/', glob),
                None => return Some(false),
            },
            b'\\' => match rest.split_first() {
                Some((&quoted, glob)) => (quoted == letter, glob),
                None => return Some(false),
            },
            _ => (first == letter, rest),
        };
        if !fits {
            return Some(false);
        }
        it = State {
            glob,
            text,
            at_start: first == b'/',
        };
    }
}

fn stars(it: State<'_>, steps: &mut u32) -> Option<bool> {
    let run = it.glob.iter().take_while(|letter| **letter == b'*').count();
    let after = it.glob.get(run..)?;
    if run > 1 && it.at_start {
        match after.split_first() {
            None => return Some(true),
            Some((b'/', glob)) => return any_folder(State { glob, ..it }, steps),
            Some(_) => {}
        }
    }
    let mut text = it.text;
    loop {
        if walk(
            State {
                glob: after,
                text,
                at_start: false,
            },
            steps,
        )? {
            return Some(true);
        }
        match text.split_first() {
            Some((letter, rest)) if *letter != b'/' => text = rest,
            _ => return Some(false),
        }
    }
}

/// `**/`: the rest may begin here or behind any slash.
fn any_folder(it: State<'_>, steps: &mut u32) -> Option<bool> {
    let mut text = it.text;
    loop {
        if walk(
            State {
                glob: it.glob,
                text,
                at_start: true,
            },
            steps,
        )? {
            return Some(true);
        }
        let Some(slash) = text.iter().position(|letter| *letter == b'/') else {
            return Some(false);
        };
        text = text.get(slash + 1..)?;
    }
}

/// Reads a class behind its bracket; says whether the letter is in it, and what follows.
fn class(glob: &[u8], letter: u8) -> Option<(bool, &[u8])> {
    let (negated, mut rest) = match glob.split_first() {
        Some((b'!' | b'^', rest)) => (true, rest),
        _ => (false, glob),
    };
    let mut found = false;
    let mut first = true;
    loop {
        let (&item, mut after) = rest.split_first()?;
        if item == b']' && !first {
            return Some((found != negated, after));
        }
        first = false;
        if let (b'[', Some(named)) = (item, after.strip_prefix(b":")) {
            let end = named.windows(2).position(|it| it == b":]")?;
            found |= is_named(named.get(..end)?, letter)?;
            rest = named.get(end + 2..)?;
            continue;
        }
        let low = quoted(item, &mut after)?;
        let high = match after {
            [b'-', next, tail @ ..] if *next != b']' => {
                after = tail;
                quoted(*next, &mut after)?
            }
            _ => low,
        };
        found |= (low..=high).contains(&letter);
        rest = after;
    }
}

fn quoted(item: u8, after: &mut &[u8]) -> Option<u8> {
    if item != b'\\' {
        return Some(item);
    }
    let (&next, rest) = after.split_first()?;
    *after = rest;
    Some(next)
}

fn is_named(name: &[u8], letter: u8) -> Option<bool> {
    Some(match name {
        b"alnum" => letter.is_ascii_alphanumeric(),
        b"alpha" => letter.is_ascii_alphabetic(),
        b"blank" => matches!(letter, b' ' | b'\t'),
        b"cntrl" => letter.is_ascii_control(),
        b"digit" => letter.is_ascii_digit(),
        b"graph" => letter.is_ascii_graphic(),
        b"lower" => letter.is_ascii_lowercase(),
        b"print" => letter.is_ascii_graphic() || letter == b' ',
        b"punct" => letter.is_ascii_punctuation(),
        b"space" => letter.is_ascii_whitespace() || letter == 0x0b,
        b"upper" => letter.is_ascii_uppercase(),
        b"xdigit" => letter.is_ascii_hexdigit(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::covers;

    fn yes(glob: &str, text: &str) {
        assert_eq!(
            covers(glob.as_bytes(), text.as_bytes()),
            Some(true),
            "{glob} {text}"
        );
    }

    fn no(glob: &str, text: &str) {
        assert_eq!(
            covers(glob.as_bytes(), text.as_bytes()),
            Some(false),
            "{glob} {text}"
        );
    }

    #[test]
    fn stars_stay_inside_a_part() {
        yes("*.o", "a.o");
        no("*.o", "d/a.o");
        yes("a*b*c", "axxbxbc");
        no("a**b", "a/b");
        no("foo*bar", "foo/bar");
    }

    #[test]
    fn double_stars_cross_folders() {
        yes("**/foo", "foo");
        yes("**/foo", "a/b/foo");
        yes("a/**/b", "a/b");
        yes("a/**/b", "a/x/y/b");
        yes("a/**", "a/x/y");
        no("a/**", "a");
        no("a/**/b", "axb");
        yes("**", "a/b");
    }

    #[test]
    fn classes_hold_ranges_names_and_quotes() {
        yes("[a-c]x", "bx");
        no("[!a-c]x", "bx");
        yes("[]x]", "]");
        yes("[[:digit:]_]", "7");
        yes("[\\]]", "]");
        no("[a/]b", "/b");
        no("[a", "[a");
        yes("[a-]", "-");
    }

    #[test]
    fn quotes_take_their_meaning_away() {
        yes("\\*", "*");
        no("\\*", "a");
        yes("?", "x");
        no("?", "/");
    }

    #[test]
    fn a_hard_glob_ends() {
        let glob = "a*".repeat(30) + "b";
        assert_eq!(covers(glob.as_bytes(), "a".repeat(60).as_bytes()), None);
    }
}
