//! What fits: which files of the stage a program reads, and which words a slot or value of some name takes.

/// Lines of words, a colon, and the names of programs or slots that they fit.
const FITS: &str = include_str!("../fits.txt");

/// What stands in the place of files where nothing on the stage fits.
const NOTHING: &str = "-";

/// Returns what fits a program, or a slot or value of that name, where that is known.
pub(crate) fn fitting(name: &str) -> Vec<&'static str> {
    let mut things = listed(name);
    things.retain(|it| *it != NOTHING);
    things
}

/// Tells whether a program only asks others that are not there.
pub(crate) fn needs_others(program: &str) -> bool {
    listed(program) == [NOTHING]
}

fn listed(name: &str) -> Vec<&'static str> {
    let mut lines = FITS.lines().filter(|it| !it.starts_with('#'));
    lines
        .find_map(|it| {
            let (things, names) = it.split_once(':')?;
            let named = names.split_whitespace().any(|it| it == name);
            named.then(|| quoted_words(things))
        })
        .unwrap_or_default()
}

/// Parts a text at blanks that stand outside of quotes.
fn quoted_words(text: &'static str) -> Vec<&'static str> {
    let mut quoted = false;
    let ends = |c: char| {
        quoted ^= c == '\'';
        c == ' ' && !quoted
    };
    text.split(ends).filter(|it| !it.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_known_by_program_and_by_slot() {
        assert!(fitting("gunzip").contains(&"a.gz"));
        assert!(fitting("REF").contains(&"HEAD"));
        assert!(fitting("TEXT").contains(&"'a b'"));
        assert!(fitting("docker").is_empty() && needs_others("docker"));
        assert!(fitting("frob").is_empty() && !needs_others("frob"));
    }
}
