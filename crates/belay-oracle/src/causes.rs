//! Why harmless programs are not allowed: each is made as small as it goes while it stays harmless and stays doubted.
//!
//! What is left shows what the analysis lost; programs that lost the same are counted together.

use std::collections::BTreeMap;

/// How often each small program was left, by its text.
pub type Causes = BTreeMap<String, u64>;

/// Returns a small program without its accidents: names of variables, numbers, and where lines end.
#[must_use]
pub fn cause(program: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    let mut letters = program.trim().chars().peekable();
    while let Some(c) = letters.next() {
        let inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let alone = !inside(before) && !letters.peek().copied().is_some_and(inside);
        match c {
            'x' | 'y' | 'z' if alone => out.push('v'),
            '\n' => out.push_str(" ⏎ "),
            c if c.is_ascii_digit() => {
                if !before.is_ascii_digit() {
                    out.push('#');
                }
            }
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// Returns the causes as lines, the most frequent first.
#[must_use]
pub fn shown(causes: &Causes) -> String {
    let mut all: Vec<(&String, &u64)> = causes.iter().collect();
    all.sort_by_key(|(text, count)| (std::cmp::Reverse(**count), text.len()));
    let lines = all
        .iter()
        .map(|(text, count)| format!("{count:5}  {text}\n"));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_lost_the_same_are_one_cause() {
        let one = cause("y=a\nrid 12 \"$y\"/t12\n");
        assert_eq!(one, "v=a ⏎ rid # \"$v\"/t#");
        assert_eq!(one, cause("z=a\nrid 3 \"$z\"/t3"));
    }
}
